/* Calls every function with valid and invalid arguments. Each call must return the right status; a failed call must set
 * a one-line error and leave its outputs unchanged.
 *
 *   calls TABLES EMPTY DAMAGED RULE_FILE
 */
#include <jungletb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(holds)                                                                                                  \
    do {                                                                                                              \
        if (!(holds)) {                                                                                               \
            fprintf(stderr, "%s:%d: %s; last error: %s\n", __FILE__, __LINE__, #holds, jungletb_last_error());        \
            exit(1);                                                                                                  \
        }                                                                                                             \
    } while (0)

/* The call fails with this status, and the error holds the phrase. */
#define FAILS(call, status, phrase)                                                                                   \
    do {                                                                                                              \
        CHECK((call) == (status));                                                                                    \
        CHECK(strstr(jungletb_last_error(), phrase) != NULL);                                                         \
        CHECK(strpbrk(jungletb_last_error(), "\n\r\t") == NULL);                                                      \
    } while (0)

#define START "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w"
#define LION_LOSES "7/7/2r4/3L3/7/3c3/7/7/7 w"

static jungletb *open_tables(const char *folder, const char *rules)
{
    jungletb *tables = NULL;
    CHECK(jungletb_open(folder, rules, NULL, &tables) == JUNGLETB_OK);
    CHECK(tables != NULL);
    return tables;
}

static jungletb_position parse(const jungletb *tables, const char *text)
{
    jungletb_position position;
    CHECK(jungletb_parse(tables, text, &position) == JUNGLETB_OK);
    return position;
}

static void opening(const char *folder, const char *rule_file)
{
    jungletb_options options = {0, 0, 0};
    jungletb *const untouched = (jungletb *)&options;
    jungletb *tables = untouched;

    CHECK(strcmp(jungletb_last_error(), "") == 0);
    CHECK(strcmp(jungletb_version(), JUNGLETB_VERSION) == 0);
    {
        const char *folders[2];
        int has = -1;
        jungletb *several = untouched;
        folders[0] = "nowhere";
        folders[1] = folder;
        CHECK(jungletb_open_folders(folders, 2, "standard", NULL, &several) == JUNGLETB_OK);
        CHECK(jungletb_has(several, "ERvL", &has) == JUNGLETB_OK && has == 1);
        CHECK(jungletb_has(several, "ELTPvR", &has) == JUNGLETB_OK && has == 0);
        FAILS(jungletb_has(several, "EvX", &has), JUNGLETB_BAD_INPUT, "bad material");
        CHECK(jungletb_refresh(several) == JUNGLETB_OK);
        jungletb_close(several);
        FAILS(jungletb_open_folders(folders, 0, NULL, NULL, &several), JUNGLETB_BAD_INPUT, "folder is NULL");
    }
    FAILS(jungletb_open(folder, "standard", NULL, NULL), JUNGLETB_BAD_INPUT, "tables is NULL");
    FAILS(jungletb_open(NULL, "standard", NULL, &tables), JUNGLETB_BAD_INPUT, "folder is NULL");
    FAILS(jungletb_open(folder, "chess", NULL, &tables), JUNGLETB_BAD_INPUT, "unknown rules \"chess\"");
    FAILS(jungletb_open(folder, "\xff\xfe", NULL, &tables), JUNGLETB_BAD_INPUT, "unknown rules");
    FAILS(jungletb_open(folder, "nowhere.toml", NULL, &tables), JUNGLETB_BAD_INPUT, "nowhere.toml: cannot read");
    FAILS(jungletb_open(folder, "hidden", NULL, &tables), JUNGLETB_BAD_INPUT, "perfect information");
    FAILS(jungletb_open(rule_file, NULL, NULL, &tables), JUNGLETB_SYSTEM, rule_file);
    options.read_files = 2;
    FAILS(jungletb_open(folder, NULL, &options, &tables), JUNGLETB_BAD_INPUT, "options.read_files is 2");
    options.read_files = 0;
    options.shipped = 7;
    FAILS(jungletb_open(folder, NULL, &options, &tables), JUNGLETB_BAD_INPUT, "options.shipped is 7");
    CHECK(tables == untouched);

    /* The tables that are part of the library: alone, and after a folder. */
    options.shipped = 1;
    {
        const char *nowhere[] = {"nowhere"};
        size_t count;
        int category = 99, i;
        for (i = 0; i < 3; i++) {
            int status = i == 0   ? jungletb_open(NULL, NULL, &options, &tables)
                         : i == 1 ? jungletb_open_folders(nowhere, 0, NULL, &options, &tables)
                                  : jungletb_open_folders(nowhere, 1, NULL, &options, &tables);
            CHECK(status == JUNGLETB_OK);
            CHECK(jungletb_available(tables, NULL, 0, &count) == JUNGLETB_OK && count == 52);
            CHECK(jungletb_wdl_text(tables, LION_LOSES, &category) == JUNGLETB_OK && category == JUNGLETB_LOSS);
            jungletb_close(tables);
        }
        CHECK(jungletb_open(NULL, "leiden", &options, &tables) == JUNGLETB_OK);
        FAILS(jungletb_wdl_text(tables, LION_LOSES, &category), JUNGLETB_MISSING, "(class PRvL): make it with");
        jungletb_close(tables);
    }
    options.shipped = 0;
    for (options.read_files = 0; options.read_files < 2; options.read_files++) {
        static const uint64_t sizes[] = {0, 1, 1 << 20, UINT64_MAX};
        size_t i;
        for (i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            int category = 99;
            options.cache_bytes = sizes[i];
            CHECK(jungletb_open(folder, NULL, &options, &tables) == JUNGLETB_OK);
            CHECK(jungletb_wdl_text(tables, LION_LOSES, &category) == JUNGLETB_OK && category == JUNGLETB_LOSS);
            CHECK(jungletb_wdl_text(tables, LION_LOSES, &category) == JUNGLETB_OK && category == JUNGLETB_LOSS);
            jungletb_close(tables);
        }
    }
    jungletb_close(open_tables("\xff\xfe", "leiden"));
    jungletb_close(open_tables(folder, rule_file));
    jungletb_close(NULL);
}

static void positions(const jungletb *tables)
{
    jungletb_position position = parse(tables, START), again;
    char text[JUNGLETB_TEXT_SIZE];
    size_t size;

    CHECK(position.squares[JUNGLETB_RAT] == JUNGLETB_SQUARE(6, 2));
    CHECK(position.squares[JUNGLETB_ELEPHANT] == JUNGLETB_SQUARE(0, 2));
    CHECK(position.squares[8 + JUNGLETB_LION] == JUNGLETB_SQUARE(0, 8));
    CHECK(position.to_move == JUNGLETB_WHITE);
    CHECK(parse(tables, LION_LOSES).squares[JUNGLETB_RAT] == JUNGLETB_NONE);
    for (size = 0; size <= strlen(START) + 1; size++) {
        memset(text, '#', sizeof text);
        if (size <= strlen(START)) {
            FAILS(jungletb_format(tables, &position, text, size), JUNGLETB_BAD_INPUT, "too few for the text");
            CHECK(text[0] == '#');
        } else {
            CHECK(jungletb_format(tables, &position, text, size) == JUNGLETB_OK);
            CHECK(strcmp(text, START) == 0 && text[size] == '#');
        }
    }
    FAILS(jungletb_format(tables, &position, NULL, 0), JUNGLETB_BAD_INPUT, "text is NULL");
    FAILS(jungletb_format(tables, NULL, text, sizeof text), JUNGLETB_BAD_INPUT, "position is NULL");
    FAILS(jungletb_format(NULL, &position, text, sizeof text), JUNGLETB_BAD_INPUT, "tables is NULL");

    memset(&again, 7, sizeof again);
    FAILS(jungletb_parse(NULL, START, &again), JUNGLETB_BAD_INPUT, "tables is NULL");
    FAILS(jungletb_parse(tables, NULL, &again), JUNGLETB_BAD_INPUT, "text is NULL");
    FAILS(jungletb_parse(tables, START, NULL), JUNGLETB_BAD_INPUT, "position is NULL");
    FAILS(jungletb_parse(tables, "", &again), JUNGLETB_BAD_INPUT, "no position given");
    FAILS(jungletb_parse(tables, "\xc3\x28 w", &again), JUNGLETB_BAD_INPUT, "text is not UTF-8");
    FAILS(jungletb_parse(tables, "8/7/7/7/7/7/7/7/7 w", &again), JUNGLETB_BAD_INPUT, "rank 9");
    FAILS(jungletb_parse(tables, "7/3c3/7/7/7/2L4/7/7/7 w", &again), JUNGLETB_BAD_INPUT, "cannot stand in the water");
    CHECK(again.to_move == 7 && again.squares[0] == 7);
}

/* A structure that is not a position: each function that takes one must fail. */
static void bad_structure(const jungletb *tables, const jungletb_position *position, const char *phrase)
{
    char text[JUNGLETB_TEXT_SIZE] = "#";
    jungletb_value value = {99, 99, 99};
    jungletb_move moves[2];
    jungletb_position after;
    jungletb_step step;
    size_t count = 99;
    int category = 99;

    FAILS(jungletb_wdl(tables, position, &category), JUNGLETB_BAD_INPUT, phrase);
    FAILS(jungletb_wdl_in_memory(tables, position, &category), JUNGLETB_BAD_INPUT, phrase);
    FAILS(jungletb_probe(tables, position, &value), JUNGLETB_BAD_INPUT, phrase);
    FAILS(jungletb_moves(tables, position, moves, 2, &count), JUNGLETB_BAD_INPUT, phrase);
    FAILS(jungletb_format(tables, position, text, sizeof text), JUNGLETB_BAD_INPUT, phrase);
    FAILS(jungletb_line(tables, position, &step, 1, &count), JUNGLETB_BAD_INPUT, phrase);
    FAILS(jungletb_play(tables, position, 0, 1, &after), JUNGLETB_BAD_INPUT, phrase);
    CHECK(category == 99 && value.category == 99 && count == 99 && text[0] == '#');
}

static void bad_structures(const jungletb *tables)
{
    const jungletb_position good = parse(tables, LION_LOSES);
    jungletb_position bad;
    unsigned n, i;

    bad_structure(tables, NULL, "position is NULL");
    for (n = 2; n < 256; n++) {
        bad = good;
        bad.to_move = (uint8_t)n;
        bad_structure(tables, &bad, "to_move is");
    }
    for (n = 63; n < 255; n++) {
        bad = good;
        bad.squares[8 + JUNGLETB_CAT] = (uint8_t)n;
        bad_structure(tables, &bad, "black cat on square");
    }
    bad = good;
    bad.squares[JUNGLETB_DOG] = good.squares[8 + JUNGLETB_CAT];
    bad_structure(tables, &bad, "another piece stands there");
    bad = good;
    bad.squares[JUNGLETB_LION] = JUNGLETB_SQUARE(1, 3);
    bad_structure(tables, &bad, "white lion on b4: it cannot stand in the water");
    bad.squares[JUNGLETB_LION] = JUNGLETB_SQUARE(3, 0);
    bad_structure(tables, &bad, "no piece enters its own den");
    memset(&bad, 0, sizeof bad);
    bad_structure(tables, &bad, "another piece stands there");
    memset(&bad, 255, sizeof bad);
    bad.to_move = JUNGLETB_BLACK;
    bad_structure(tables, &bad, "the board is empty");

    /* Arbitrary bytes. */
    srand(1);
    for (n = 0; n < 20000; n++) {
        unsigned char bytes[sizeof bad];
        jungletb_value value;
        int category, status;
        for (i = 0; i < sizeof bytes; i++)
            bytes[i] = (unsigned char)(n % 3 == 0 ? rand() : rand() % 4 ? 255 : rand() % 64);
        memcpy(&bad, bytes, sizeof bad);
        if (n % 3)
            bad.to_move = (uint8_t)(n % 2);
        status = jungletb_probe(tables, &bad, &value);
        CHECK(status == JUNGLETB_OK || status == JUNGLETB_BAD_INPUT || status == JUNGLETB_MISSING ||
              status == JUNGLETB_TOO_MANY_PIECES);
        CHECK(jungletb_wdl(tables, &bad, &category) == status);
    }
}

/* The line is played from position to position, down to the end of the game. */
static void best_line(const jungletb *tables)
{
    jungletb_position position = parse(tables, LION_LOSES), before = position;
    jungletb_step line[16];
    jungletb_value value;
    size_t count = 99, i;

    CHECK(jungletb_line(tables, &position, NULL, 0, &count) == JUNGLETB_OK && count == 8);
    memset(line, 77, sizeof line);
    CHECK(jungletb_line(tables, &position, line, 3, &count) == JUNGLETB_OK && count == 8);
    CHECK(line[2].from != 77 && line[3].from == 77);
    CHECK(jungletb_line(tables, &position, line, 16, &count) == JUNGLETB_OK && count == 8 && line[8].from == 77);
    CHECK(line[0].from == JUNGLETB_SQUARE(3, 5) && line[0].to == JUNGLETB_SQUARE(3, 6));
    for (i = 0; i < count; i++) {
        CHECK(jungletb_probe(tables, &position, &value) == JUNGLETB_OK && value.dtw == (int32_t)(count - i));
        CHECK(jungletb_play(tables, &position, line[i].from, line[i].to, &position) == JUNGLETB_OK);
    }
    CHECK(jungletb_probe(tables, &position, &value) == JUNGLETB_OK && value.over == JUNGLETB_OVER_DEN);
    CHECK(jungletb_line(tables, &position, line, 16, &count) == JUNGLETB_OK && count == 0);

    count = 99;
    FAILS(jungletb_line(tables, &before, NULL, 1, &count), JUNGLETB_BAD_INPUT, "line is NULL");
    FAILS(jungletb_line(tables, &before, line, 16, NULL), JUNGLETB_BAD_INPUT, "count is NULL");
    FAILS(jungletb_line(tables, NULL, line, 16, &count), JUNGLETB_BAD_INPUT, "position is NULL");
    FAILS(jungletb_line(NULL, &before, line, 16, &count), JUNGLETB_BAD_INPUT, "tables is NULL");
    position = before;
    FAILS(jungletb_play(tables, &before, JUNGLETB_SQUARE(3, 5), JUNGLETB_SQUARE(3, 8), &position), JUNGLETB_BAD_INPUT,
          "d6d9 is not legal in " LION_LOSES);
    FAILS(jungletb_play(tables, &before, 63, 0, &position), JUNGLETB_BAD_INPUT, "\"63\" is not the number of a square");
    FAILS(jungletb_play(tables, &before, 38, 45, NULL), JUNGLETB_BAD_INPUT, "after is NULL");
    FAILS(jungletb_play(tables, NULL, 38, 45, &position), JUNGLETB_BAD_INPUT, "position is NULL");
    FAILS(jungletb_play(NULL, &before, 38, 45, &position), JUNGLETB_BAD_INPUT, "tables is NULL");
    CHECK(count == 99 && memcmp(&position, &before, sizeof before) == 0);
}

/* Which classes have tables, and what is counted in them. */
static void classes(const jungletb *tables, const jungletb *empty)
{
    jungletb_class all[128];
    jungletb_material_stats stats, again;
    jungletb_value value;
    size_t count = 99, i;
    int has;

    CHECK(jungletb_available(tables, NULL, 0, &count) == JUNGLETB_OK && count == 52);
    memset(all, 77, sizeof all);
    CHECK(jungletb_available(tables, all, 128, &count) == JUNGLETB_OK && count == 52);
    for (i = 0; i < count; i++) {
        CHECK(all[i].has_wdl == 1 && all[i].has_dtw == 1 && all[i].pieces == strlen(all[i].name) - 1);
        CHECK(i == 0 || all[i].pieces >= all[i - 1].pieces);
        CHECK(jungletb_has(tables, all[i].name, &has) == JUNGLETB_OK && has == 1);
        CHECK(jungletb_prefetch(tables, all[i].name) == JUNGLETB_OK);
        CHECK(jungletb_stats(tables, all[i].name, &stats) == JUNGLETB_OK);
        CHECK(stats.white.win + stats.white.draw + stats.white.loss ==
              stats.black.win + stats.black.draw + stats.black.loss);
        CHECK(jungletb_probe(tables, &stats.longest_position, &value) == JUNGLETB_OK && value.dtw == stats.longest);
    }
    CHECK(all[count].pieces == 77);
    CHECK(jungletb_stats(tables, "LvR", &stats) == JUNGLETB_OK);
    CHECK(stats.longest == 22 && stats.white.win == 2229 && stats.black.draw == 203);
    CHECK(jungletb_available(empty, all, 128, &count) == JUNGLETB_OK && count == 0);

    count = 99;
    memset(&stats, 77, sizeof stats);
    again = stats;
    FAILS(jungletb_available(tables, NULL, 1, &count), JUNGLETB_BAD_INPUT, "classes is NULL");
    FAILS(jungletb_available(tables, all, 1, NULL), JUNGLETB_BAD_INPUT, "count is NULL");
    FAILS(jungletb_available(NULL, all, 1, &count), JUNGLETB_BAD_INPUT, "tables is NULL");
    FAILS(jungletb_prefetch(tables, "LTvLT"), JUNGLETB_MISSING, "no table for LTvLT");
    FAILS(jungletb_prefetch(NULL, "LvR"), JUNGLETB_BAD_INPUT, "tables is NULL");
    FAILS(jungletb_prefetch(tables, NULL), JUNGLETB_BAD_INPUT, "material is NULL");
    FAILS(jungletb_stats(tables, "LTvLT", &stats), JUNGLETB_MISSING, "no table for LTvLT");
    FAILS(jungletb_stats(tables, "ELTPWvELTPW", &stats), JUNGLETB_TOO_MANY_PIECES, "10 pieces: no table");
    FAILS(jungletb_stats(tables, "L", &stats), JUNGLETB_BAD_INPUT, "bad material");
    FAILS(jungletb_stats(tables, NULL, &stats), JUNGLETB_BAD_INPUT, "material is NULL");
    FAILS(jungletb_stats(tables, "LvR", NULL), JUNGLETB_BAD_INPUT, "stats is NULL");
    FAILS(jungletb_stats(NULL, "LvR", &stats), JUNGLETB_BAD_INPUT, "tables is NULL");
    CHECK(count == 99 && memcmp(&stats, &again, sizeof stats) == 0);
}

static void from_squares(const jungletb *tables)
{
    const uint8_t squares[] = {JUNGLETB_SQUARE(3, 5), JUNGLETB_SQUARE(2, 6), JUNGLETB_SQUARE(3, 3)};
    const uint8_t same[] = {JUNGLETB_SQUARE(3, 5), JUNGLETB_SQUARE(3, 5)};
    const uint8_t water[] = {JUNGLETB_SQUARE(1, 3), JUNGLETB_SQUARE(0, 0)};
    const uint8_t none[] = {JUNGLETB_NONE};
    jungletb_position position;
    char text[JUNGLETB_TEXT_SIZE];

    CHECK(jungletb_from_squares(tables, "Lrc", squares, JUNGLETB_WHITE, &position) == JUNGLETB_OK);
    CHECK(jungletb_format(tables, &position, text, sizeof text) == JUNGLETB_OK && strcmp(text, LION_LOSES) == 0);
    CHECK(jungletb_from_squares(tables, "Lr", squares, JUNGLETB_BLACK, &position) == JUNGLETB_OK);
    CHECK(position.to_move == JUNGLETB_BLACK && position.squares[8 + JUNGLETB_CAT] == JUNGLETB_NONE);
    memset(&position, 77, sizeof position);
    FAILS(jungletb_from_squares(tables, "Lx", squares, 0, &position), JUNGLETB_BAD_INPUT, "\"x\" is not a piece");
    FAILS(jungletb_from_squares(tables, "L", none, 0, &position), JUNGLETB_BAD_INPUT, "\"255\" is not the number");
    FAILS(jungletb_from_squares(tables, "LL", squares, 0, &position), JUNGLETB_BAD_INPUT, "two white lions");
    FAILS(jungletb_from_squares(tables, "Lr", same, 0, &position), JUNGLETB_BAD_INPUT, "another piece stands there");
    FAILS(jungletb_from_squares(tables, "Lr", water, 0, &position), JUNGLETB_BAD_INPUT, "cannot stand in the water");
    FAILS(jungletb_from_squares(tables, "", squares, 0, &position), JUNGLETB_BAD_INPUT, "the board is empty");
    FAILS(jungletb_from_squares(tables, "Lr", squares, 2, &position), JUNGLETB_BAD_INPUT, "to_move is 2");
    FAILS(jungletb_from_squares(tables, "\xff", squares, 0, &position), JUNGLETB_BAD_INPUT, "pieces is not UTF-8");
    FAILS(jungletb_from_squares(tables, NULL, squares, 0, &position), JUNGLETB_BAD_INPUT, "pieces is NULL");
    FAILS(jungletb_from_squares(tables, "Lr", NULL, 0, &position), JUNGLETB_BAD_INPUT, "squares is NULL");
    FAILS(jungletb_from_squares(tables, "Lr", squares, 0, NULL), JUNGLETB_BAD_INPUT, "position is NULL");
    FAILS(jungletb_from_squares(NULL, "Lr", squares, 0, &position), JUNGLETB_BAD_INPUT, "tables is NULL");
    CHECK(position.to_move == 77);
}

static void probing(const jungletb *tables)
{
    const jungletb_position position = parse(tables, LION_LOSES);
    const jungletb_position cold = parse(tables, "7/2e4/7/7/7/7/7/2E4/1R5 w");
    jungletb_value value;
    jungletb_move moves[JUNGLETB_MAX_MOVES];
    size_t count = 99, capacity;
    unsigned pieces = 99;
    int category = 99;

    CHECK(jungletb_wdl_in_memory(tables, &cold, &category) == JUNGLETB_OK && category == JUNGLETB_UNKNOWN);
    CHECK(jungletb_wdl(tables, &cold, &category) == JUNGLETB_OK && category != JUNGLETB_UNKNOWN);
    {
        int known = 99;
        CHECK(jungletb_wdl_in_memory(tables, &cold, &known) == JUNGLETB_OK && known == category);
    }
    CHECK(jungletb_probe(tables, &position, &value) == JUNGLETB_OK);
    CHECK(value.category == JUNGLETB_LOSS && value.dtw == 8 && value.over == JUNGLETB_NOT_OVER);
    CHECK(jungletb_probe_text(tables, "3L3/7/7/7/7/7/7/7/c6 b", &value) == JUNGLETB_OK);
    CHECK(value.category == JUNGLETB_LOSS && value.dtw == 0 && value.over == JUNGLETB_OVER_DEN);
    CHECK(jungletb_probe_text(tables, "7/7/7/7/7/7/7/7/c6 b", &value) == JUNGLETB_OK);
    CHECK(value.category == JUNGLETB_WIN && value.dtw == 0 && value.over == JUNGLETB_OVER_NO_PIECES);
    CHECK(jungletb_probe_text(tables, "7/7/7/7/7/7/7/c6/R6 w", &value) == JUNGLETB_OK);
    CHECK(value.over == JUNGLETB_NOT_OVER);
    CHECK(jungletb_probe_text(tables, "7/7/7/7/7/7/7/d6/Rc5 w", &value) == JUNGLETB_OK);
    CHECK(value.category == JUNGLETB_LOSS && value.dtw == 0 && value.over == JUNGLETB_OVER_NO_MOVES);

    CHECK(jungletb_moves(tables, &position, moves, JUNGLETB_MAX_MOVES, &count) == JUNGLETB_OK && count == 4);
    CHECK(moves[0].from == JUNGLETB_SQUARE(3, 5) && moves[0].to == JUNGLETB_SQUARE(3, 6));
    CHECK(moves[0].value.category == JUNGLETB_WIN && moves[0].value.dtw == 7);
    CHECK(moves[0].capture == JUNGLETB_NONE && moves[0].den == 0);
    for (capacity = 0; capacity < 4; capacity++) {
        jungletb_move some[4];
        memset(some, 77, sizeof some);
        CHECK(jungletb_moves(tables, &position, capacity ? some : NULL, capacity, &count) == JUNGLETB_OK && count == 4);
        CHECK(memcmp(some, moves, capacity * sizeof *moves) == 0 && some[capacity].from == 77);
    }
    CHECK(jungletb_moves_text(tables, "7/3L3/7/7/7/7/7/7/c6 w", moves, 1, &count) == JUNGLETB_OK && count == 4);
    CHECK(moves[0].den == 1 && moves[0].to == JUNGLETB_SQUARE(3, 8) && moves[0].value.over == JUNGLETB_OVER_DEN);
    CHECK(jungletb_moves_text(tables, "7/7/7/7/7/7/1d5/1L5/7 w", moves, 1, &count) == JUNGLETB_OK && count == 4);
    CHECK(moves[0].capture == JUNGLETB_DOG && moves[0].value.over == JUNGLETB_OVER_NO_PIECES);
    CHECK(jungletb_moves_text(tables, "3L3/7/7/7/7/7/7/7/c6 b", NULL, 0, &count) == JUNGLETB_OK && count == 0);
    count = 99;
    FAILS(jungletb_moves(tables, &position, NULL, 1, &count), JUNGLETB_BAD_INPUT, "moves is NULL");
    FAILS(jungletb_moves(tables, &position, moves, 1, NULL), JUNGLETB_BAD_INPUT, "count is NULL");
    FAILS(jungletb_moves(NULL, &position, moves, 1, &count), JUNGLETB_BAD_INPUT, "tables is NULL");
    FAILS(jungletb_moves_text(tables, NULL, moves, 1, &count), JUNGLETB_BAD_INPUT, "text is NULL");
    CHECK(count == 99);

    FAILS(jungletb_wdl(NULL, &position, &category), JUNGLETB_BAD_INPUT, "tables is NULL");
    FAILS(jungletb_wdl(tables, &position, NULL), JUNGLETB_BAD_INPUT, "category is NULL");
    FAILS(jungletb_wdl_in_memory(NULL, &position, &category), JUNGLETB_BAD_INPUT, "tables is NULL");
    FAILS(jungletb_wdl_in_memory(tables, &position, NULL), JUNGLETB_BAD_INPUT, "category is NULL");
    FAILS(jungletb_probe(NULL, &position, &value), JUNGLETB_BAD_INPUT, "tables is NULL");
    FAILS(jungletb_probe(tables, &position, NULL), JUNGLETB_BAD_INPUT, "value is NULL");
    FAILS(jungletb_wdl_text(tables, NULL, &category), JUNGLETB_BAD_INPUT, "text is NULL");
    FAILS(jungletb_wdl_text(NULL, START, &category), JUNGLETB_BAD_INPUT, "tables is NULL");
    FAILS(jungletb_wdl_text(tables, "\xff", &category), JUNGLETB_BAD_INPUT, "text is not UTF-8");
    FAILS(jungletb_wdl_in_memory_text(tables, "7 w", &category), JUNGLETB_BAD_INPUT, "1 rank, but");
    FAILS(jungletb_probe_text(tables, LION_LOSES, NULL), JUNGLETB_BAD_INPUT, "value is NULL");
    CHECK(jungletb_wdl_in_memory_text(tables, LION_LOSES, &category) == JUNGLETB_OK && category == JUNGLETB_LOSS);

    best_line(tables);
    CHECK(jungletb_most_pieces(tables, &pieces) == JUNGLETB_OK && pieces == 3);
    FAILS(jungletb_most_pieces(NULL, &pieces), JUNGLETB_BAD_INPUT, "tables is NULL");
    FAILS(jungletb_most_pieces(tables, NULL), JUNGLETB_BAD_INPUT, "pieces is NULL");
}

/* Missing tables, and one damaged table. */
static void bad_tables(const jungletb *tables, const jungletb *empty, const jungletb *damaged)
{
    jungletb_value value;
    jungletb_move moves[JUNGLETB_MAX_MOVES];
    jungletb_position position;
    size_t count = 0;
    unsigned pieces = 99;
    int category = 99;

    CHECK(strcmp(jungletb_missing_class(), "") == 0);
    FAILS(jungletb_wdl_text(tables, "l6/c6/7/7/7/7/7/L6/T6 w", &category), JUNGLETB_MISSING,
          "no table for LTvLC (class");
    CHECK(strcmp(jungletb_missing_class(), "LTvLP") == 0 && strcmp(jungletb_missing_class(), "LTvLP") == 0);
    CHECK(strstr(jungletb_last_error(), "no table for LTvLC") != NULL);
    FAILS(jungletb_wdl_text(tables, START, &category), JUNGLETB_TOO_MANY_PIECES, "16 pieces: no table has more than 8");
    CHECK(strcmp(jungletb_missing_class(), "") == 0);
    CHECK(jungletb_wdl_in_memory_text(tables, START, &category) == JUNGLETB_OK && category == JUNGLETB_UNKNOWN);
    CHECK(jungletb_moves_text(tables, START, moves, JUNGLETB_MAX_MOVES, &count) == JUNGLETB_OK && count > 20);
    CHECK(moves[0].value.category == JUNGLETB_UNKNOWN && moves[0].value.dtw == -1);
    FAILS(jungletb_probe_text(empty, LION_LOSES, &value), JUNGLETB_MISSING, "make it with `jungletb generate LvCR");
    CHECK(jungletb_most_pieces(empty, &pieces) == JUNGLETB_OK && pieces == 0);
    position = parse(damaged, "7/7/2r4/3L3/7/7/7/7/7 w");
    FAILS(jungletb_probe(damaged, &position, &value), JUNGLETB_DAMAGED, "LvR.dtw: damaged table");
    FAILS(jungletb_wdl(damaged, &position, &category), JUNGLETB_DAMAGED, "LvR.wdl: damaged table");
    FAILS(jungletb_moves(damaged, &position, moves, 1, &count), JUNGLETB_DAMAGED, "damaged table");
    CHECK(category == JUNGLETB_UNKNOWN);
}

/* Stops after as many calls as its data holds. */
static int countdown(void *data)
{
    int *left = data;
    return --*left <= 0;
}

static void proving(const jungletb *tables, const jungletb *damaged)
{
    const jungletb_position start = parse(tables, START);
    jungletb_prove_options options;
    jungletb_proof proof, again;
    int left = 3;

    memset(&options, 0, sizeof options);
    options.threads = 1;
    options.memory = 1 << 20;
    CHECK(jungletb_prove_text(tables, "5L1/3l2d/1tc4/7/7/7/1PWD1C1/7/7 w", &options, &proof) == JUNGLETB_OK);
    CHECK(proof.category == JUNGLETB_WIN && proof.dtw == 3 && proof.bound == JUNGLETB_BOUND_EXACT);
    CHECK(proof.line_length == 3 && proof.positions > 0);
    CHECK(proof.line[0].from == JUNGLETB_SQUARE(5, 8) && proof.line[2].to == JUNGLETB_SQUARE(3, 8));
    CHECK(jungletb_prove_text(tables, LION_LOSES, NULL, &proof) == JUNGLETB_OK);
    CHECK(proof.category == JUNGLETB_LOSS && proof.dtw == 8 && proof.bound == JUNGLETB_BOUND_EXACT);
    CHECK(proof.line_length == 8 && proof.positions == 0);
    CHECK(jungletb_prove_text(tables, "3L3/7/7/7/7/7/7/7/c6 b", NULL, &proof) == JUNGLETB_OK);
    CHECK(proof.category == JUNGLETB_LOSS && proof.dtw == 0 && proof.line_length == 0);

    options.plies = 5;
    CHECK(jungletb_prove(tables, &start, &options, &proof) == JUNGLETB_OK);
    CHECK(proof.category == JUNGLETB_UNKNOWN && proof.dtw == -1 && proof.bound == JUNGLETB_BOUND_NONE);
    CHECK(proof.not_before >= 6 && proof.line_length == 0);
    options.plies = 0;
    options.positions = 5000;
    CHECK(jungletb_prove(tables, &start, &options, &proof) == JUNGLETB_OK);
    CHECK(jungletb_prove(tables, &start, &options, &again) == JUNGLETB_OK);
    CHECK(proof.positions <= 5000 && proof.positions == again.positions && proof.not_before == again.not_before);

    /* Stopped by its function, long before the time limit. */
    options.positions = 0;
    options.milliseconds = 3600 * 1000;
    options.stop = countdown;
    options.stop_data = &left;
    CHECK(jungletb_prove(tables, &start, &options, &proof) == JUNGLETB_OK);
    CHECK(left == 0 && proof.category == JUNGLETB_UNKNOWN && proof.microseconds < (uint64_t)3600 * 1000 * 1000);
    options.stop = NULL;
    options.milliseconds = 50;
    CHECK(jungletb_prove(tables, &start, &options, &proof) == JUNGLETB_OK && proof.not_before > 0);

    memset(&again, 77, sizeof again);
    proof = again;
    FAILS(jungletb_prove(NULL, &start, NULL, &proof), JUNGLETB_BAD_INPUT, "tables is NULL");
    FAILS(jungletb_prove(tables, NULL, NULL, &proof), JUNGLETB_BAD_INPUT, "position is NULL");
    FAILS(jungletb_prove(tables, &start, NULL, NULL), JUNGLETB_BAD_INPUT, "proof is NULL");
    FAILS(jungletb_prove_text(tables, NULL, NULL, &proof), JUNGLETB_BAD_INPUT, "text is NULL");
    FAILS(jungletb_prove_text(tables, "7 w", NULL, &proof), JUNGLETB_BAD_INPUT, "1 rank, but");
    options.threads = 1025;
    FAILS(jungletb_prove(tables, &start, &options, &proof), JUNGLETB_BAD_INPUT, "options.threads is 1025");
    options.threads = 1;
    options.memory = UINT64_MAX / 4;
    FAILS(jungletb_prove(tables, &start, &options, &proof), JUNGLETB_SYSTEM, "not enough memory");
    FAILS(jungletb_prove_text(damaged, "7/7/2r4/3L3/7/7/7/7/7 w", NULL, &proof), JUNGLETB_DAMAGED, "damaged table");
    CHECK(memcmp(&proof, &again, sizeof proof) == 0);
}

int main(int argc, char **argv)
{
    jungletb *tables, *empty, *damaged;

    CHECK(argc == 5);
    opening(argv[1], argv[4]);
    tables = open_tables(argv[1], "standard");
    empty = open_tables(argv[2], NULL);
    damaged = open_tables(argv[3], NULL);
    positions(tables);
    from_squares(tables);
    bad_structures(tables);
    classes(tables, empty);
    jungletb_close(tables);
    tables = open_tables(argv[1], "standard");
    probing(tables);
    bad_tables(tables, empty, damaged);
    proving(tables, damaged);
    jungletb_close(damaged);
    jungletb_close(empty);
    jungletb_close(tables);
    return 0;
}
