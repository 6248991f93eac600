/* Reads one position per line and prints its value: position, category, distance (- if there is none), why the game is
 * over (- if it is not), separated by tabs. The position is passed as text and as a structure, and all functions that
 * return a category must agree. */
#include <jungletb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void need(int holds, const char *what, const char *text)
{
    if (!holds) {
        fprintf(stderr, "agree: %s: %s (%s)\n", what, text, jungletb_last_error());
        exit(1);
    }
}

int main(int argc, char **argv)
{
    static const char *const categories[] = {"loss", "draw", "win"};
    static const char *const overs[] = {"-", "den", "no-pieces", "no-moves"};
    char line[128], text[JUNGLETB_TEXT_SIZE];
    jungletb *tables;

    need(argc == 2, "usage", "agree FOLDER < POSITIONS");
    need(jungletb_open(argv[1], "standard", NULL, &tables) == JUNGLETB_OK, "open", argv[1]);
    while (fgets(line, sizeof line, stdin)) {
        jungletb_position position;
        jungletb_value value, by_text;
        jungletb_move best;
        size_t count;
        int wdl, wdl_by_text, known;

        line[strcspn(line, "\n")] = '\0';
        need(jungletb_parse(tables, line, &position) == JUNGLETB_OK, "parse", line);
        need(jungletb_format(tables, &position, text, sizeof text) == JUNGLETB_OK, "format", line);
        need(strcmp(line, text) == 0, "text and structure differ", line);
        need(jungletb_probe(tables, &position, &value) == JUNGLETB_OK, "probe", line);
        need(jungletb_probe_text(tables, line, &by_text) == JUNGLETB_OK, "probe_text", line);
        need(memcmp(&value, &by_text, sizeof value) == 0, "probes differ", line);
        need(jungletb_wdl(tables, &position, &wdl) == JUNGLETB_OK && wdl == value.category, "wdl", line);
        need(jungletb_wdl_text(tables, line, &wdl_by_text) == JUNGLETB_OK && wdl_by_text == wdl, "wdl_text", line);
        need(jungletb_wdl_in_memory(tables, &position, &known) == JUNGLETB_OK, "wdl_in_memory", line);
        need(known == wdl, "what was just probed is in memory", line);
        need(jungletb_moves(tables, &position, &best, 1, &count) == JUNGLETB_OK, "moves", line);
        need(count <= JUNGLETB_MAX_MOVES, "too many moves", line);
        need(value.dtw <= 0 || (count > 0 && best.value.dtw == value.dtw - 1 &&
                                best.value.category == -value.category), "best move", line);
        printf("%s\t%s\t", line, categories[value.category + 1]);
        if (value.dtw >= 0)
            printf("%d\t", (int)value.dtw);
        else
            printf("-\t");
        printf("%s\n", overs[value.over]);
    }
    jungletb_close(tables);
    return 0;
}
