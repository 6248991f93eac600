/* Probes a position: category, distance, all moves ranked.
 *
 *   probe FOLDER POSITION [RULES]
 */
#include <jungletb.h>
#include <stdio.h>

static const char *const animals[] = {"rat", "cat", "dog", "wolf", "leopard", "tiger", "lion", "elephant"};

static const char *category(int32_t category)
{
    switch (category) {
    case JUNGLETB_LOSS:
        return "loss";
    case JUNGLETB_DRAW:
        return "draw";
    case JUNGLETB_WIN:
        return "win";
    default:
        return "unknown";
    }
}

static void print_square(uint8_t square)
{
    printf("%c%d", 'a' + square % 7, square / 7 + 1);
}

static void print_value(jungletb_value value)
{
    printf("%s", category(value.category));
    if (value.dtw >= 0)
        printf(" in %d", (int)value.dtw);
}

static int probe(const jungletb *tables, const char *text)
{
    jungletb_position position;
    jungletb_value value;
    jungletb_move moves[JUNGLETB_MAX_MOVES];
    size_t count, i;
    int status;

    if ((status = jungletb_parse(tables, text, &position)) != JUNGLETB_OK ||
        (status = jungletb_probe(tables, &position, &value)) != JUNGLETB_OK ||
        (status = jungletb_moves(tables, &position, moves, JUNGLETB_MAX_MOVES, &count)) != JUNGLETB_OK)
        return status;
    print_value(value);
    printf("%s\n", value.over != JUNGLETB_NOT_OVER ? ", the game is over" : "");
    for (i = 0; i < count; i++) {
        print_square(moves[i].from);
        print_square(moves[i].to);
        /* The value is that of the position after the move, for the other side. */
        printf("  then ");
        print_value(moves[i].value);
        if (moves[i].capture != JUNGLETB_NONE)
            printf(", takes the %s", animals[moves[i].capture]);
        if (moves[i].den)
            printf(", enters the den");
        printf("\n");
    }
    return JUNGLETB_OK;
}

int main(int argc, char **argv)
{
    jungletb *tables;
    int status;

    if (argc < 3 || argc > 4) {
        fprintf(stderr, "usage: probe FOLDER POSITION [RULES]\n");
        return JUNGLETB_BAD_INPUT;
    }
    status = jungletb_open(argv[1], argc > 3 ? argv[3] : NULL, NULL, &tables);
    if (status == JUNGLETB_OK) {
        status = probe(tables, argv[2]);
        jungletb_close(tables);
    }
    if (status != JUNGLETB_OK)
        fprintf(stderr, "probe: %s\n", jungletb_last_error());
    return status;
}
