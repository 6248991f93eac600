// The header compiles as C++, and its structures have the documented sizes.
#include <jungletb.h>

static_assert(sizeof(jungletb_position) == 17, "squares and side to move");
static_assert(sizeof(jungletb_value) == 12, "three numbers");
static_assert(sizeof(jungletb_move) == 16, "four bytes and a value");
static_assert(sizeof(jungletb_options) == 16, "no padding");
static_assert(sizeof(jungletb_class) == 19, "a name, pieces and two flags");
static_assert(sizeof(jungletb_material_stats) == 72, "six counts, a distance and a position");
static_assert(sizeof(jungletb_proof) == 8 * 133, "four numbers, two long ones, a length and 512 moves");

int main()
{
    jungletb *tables = nullptr;
    return jungletb_open("nowhere", nullptr, nullptr, &tables) == JUNGLETB_OK ? (jungletb_close(tables), 0) : 1;
}
