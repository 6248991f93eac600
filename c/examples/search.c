/* A complete small search that probes: the tables decide at the root and cut the tree. See docs/in-your-engine.md; the
 * same in Rust, with threads, is examples/search.rs.
 *
 *   search FOLDER POSITION DEPTH
 */
#include <jungletb.h>
#include <stdio.h>
#include <stdlib.h>

/* Score of a finished game for the winner, and of a win that a WDL table gives; the plies to it are taken off. */
#define WON 30000
#define WON_BY_TABLE 20000

/* Value of each animal, rat to elephant. */
static const int worth[] = {50, 20, 30, 40, 50, 70, 90, 80};

/* One thread's search. All threads share the tables: they are probed without a lock. */
typedef struct search {
    const jungletb *tables;
    unsigned most_pieces; /* no larger position has a table: a cheap first test */
    unsigned long nodes, hits;
    int is_faulty; /* whether a table could not be used; it is reported once, and the search goes on without it */
} search;

static void report(search *s)
{
    if (!s->is_faulty)
        fprintf(stderr, "search: %s; searching without it\n", jungletb_last_error());
    s->is_faulty = 1;
}

static unsigned pieces(const jungletb_position *position)
{
    unsigned count = 0, i;
    for (i = 0; i < 16; i++)
        count += position->squares[i] != JUNGLETB_NONE;
    return count;
}

/* An estimate: what the animals are worth, and how near they are to the den. */
static int evaluate(const jungletb_position *position)
{
    int score = 0, i;
    for (i = 0; i < 16; i++) {
        int side = i / 8, square = position->squares[i], den = side == JUNGLETB_WHITE ? 8 : 0;
        if (square != JUNGLETB_NONE) {
            int value = worth[i % 8] + 11 - abs(square % 7 - 3) - abs(square / 7 - den);
            score += side == position->to_move ? value : -value;
        }
    }
    return score;
}

/* Den entries first, then captures of strong animals, then the others. */
static int by_promise(const void *one, const void *other)
{
    const jungletb_move *a = one, *b = other;
    int victim_a = a->capture == JUNGLETB_NONE ? -1 : a->capture;
    int victim_b = b->capture == JUNGLETB_NONE ? -1 : b->capture;
    if (a->den != b->den)
        return b->den - a->den;
    if (victim_a != victim_b)
        return victim_b - victim_a;
    return a->from != b->from ? a->from - b->from : a->to - b->to;
}

/* ANCHOR: tree */
/* Win, draw or loss, if a table or the end of the game gives it; else JUNGLETB_UNKNOWN. */
static int probe(search *s, const jungletb_position *position)
{
    int category = JUNGLETB_UNKNOWN;
    switch (jungletb_wdl(s->tables, position, &category)) {
    case JUNGLETB_OK:
        s->hits++;
        return category;
    case JUNGLETB_MISSING: /* as quick as a hit: the absence of a table is remembered */
    case JUNGLETB_TOO_MANY_PIECES:
        return JUNGLETB_UNKNOWN;
    default:
        report(s);
        return JUNGLETB_UNKNOWN;
    }
}

/* The score of a position for the side to move. */
static int score(search *s, const jungletb_position *position, int depth, int ply, int alpha, int beta)
{
    jungletb_move moves[JUNGLETB_MAX_MOVES];
    jungletb_value value;
    size_t count, i;

    s->nodes++;
    /* An engine has a move generator of its own, which takes less time. */
    if (jungletb_moves(s->tables, position, moves, JUNGLETB_MAX_MOVES, &count) != JUNGLETB_OK) {
        report(s);
        return evaluate(position);
    }
    if (count == 0 && jungletb_probe(s->tables, position, &value) == JUNGLETB_OK)
        return value.category * (WON - ply);
    if (pieces(position) <= s->most_pieces) {
        int category = probe(s, position);
        if (category != JUNGLETB_UNKNOWN)
            return category * (WON_BY_TABLE - ply);
    }
    if (depth == 0)
        return evaluate(position);
    qsort(moves, count, sizeof *moves, by_promise);
    for (i = 0; i < count; i++) {
        jungletb_position after;
        int found;
        if (jungletb_play(s->tables, position, moves[i].from, moves[i].to, &after) != JUNGLETB_OK)
            continue;
        found = -score(s, &after, depth - 1, ply + 1, -beta, -alpha);
        if (found >= beta)
            return found;
        if (found > alpha)
            alpha = found;
    }
    return alpha;
}
/* ANCHOR_END: tree */

static void print_move(const jungletb_move *mv)
{
    printf("%c%d%c%d", 'a' + mv->from % 7, mv->from / 7 + 1, 'a' + mv->to % 7, mv->to / 7 + 1);
}

/* ANCHOR: root */
/* Prints the move that the tables give, a known win, the quickest first, or the best move if all are known. Returns
 * whether there is one. */
static int by_tables(const jungletb_move *moves, size_t count)
{
    static const char *const names[] = {"loss", "draw", "win"};
    int category = -moves[0].value.category, plies = moves[0].value.dtw;
    size_t i;

    if (moves[0].value.category == JUNGLETB_UNKNOWN)
        return 0;
    for (i = 0; category != JUNGLETB_WIN && i < count; i++)
        if (moves[i].value.category == JUNGLETB_UNKNOWN)
            return 0;
    print_move(&moves[0]);
    printf(" %s", names[category + 1]);
    if (plies >= 0)
        printf(" in %d", plies + 1);
    printf(" score %d nodes 0 hits %lu\n", category * (plies >= 0 ? WON - plies - 1 : WON_BY_TABLE),
           (unsigned long)count);
    return 1;
}

/* Prints the best move by search. Known moves keep their exact value. */
static void by_search(search *s, const jungletb_position *position, const jungletb_move *moves, size_t count, int depth)
{
    const jungletb_move *best = NULL;
    int most = 0;
    size_t i;

    for (i = 0; i < count; i++) {
        const jungletb_move *mv = &moves[i];
        jungletb_position after;
        int found;
        if (jungletb_play(s->tables, position, mv->from, mv->to, &after) != JUNGLETB_OK)
            continue;
        if (mv->value.category != JUNGLETB_UNKNOWN)
            found = -mv->value.category * (WON_BY_TABLE - 1);
        else
            found = -score(s, &after, depth - 1, 1, -WON, WON);
        if (!best || found > most || (found == most && mv->from * 64 + mv->to < best->from * 64 + best->to)) {
            best = mv;
            most = found;
        }
    }
    print_move(best);
    printf(" score %d nodes %lu hits %lu\n", most, s->nodes, s->hits);
}
/* ANCHOR_END: root */

int main(int argc, char **argv)
{
    jungletb_options options = {256u << 20, 0, 0};
    jungletb *tables;
    jungletb_position position;
    jungletb_move moves[JUNGLETB_MAX_MOVES];
    size_t count;
    search s = {NULL, 0, 0, 0, 0};
    int depth, status;

    if (argc != 4 || (depth = atoi(argv[3])) < 1) {
        fprintf(stderr, "usage: search FOLDER POSITION DEPTH\n");
        return JUNGLETB_BAD_INPUT;
    }
    if ((status = jungletb_open(argv[1], NULL, &options, &tables)) != JUNGLETB_OK) {
        fprintf(stderr, "search: %s\n", jungletb_last_error());
        return status;
    }
    s.tables = tables;
    if ((status = jungletb_parse(tables, argv[2], &position)) != JUNGLETB_OK ||
        (status = jungletb_most_pieces(tables, &s.most_pieces)) != JUNGLETB_OK ||
        (status = jungletb_moves(tables, &position, moves, JUNGLETB_MAX_MOVES, &count)) != JUNGLETB_OK)
        fprintf(stderr, "search: %s\n", jungletb_last_error());
    else if (count == 0)
        printf("the game is over\n");
    else if (!by_tables(moves, count))
        by_search(&s, &position, moves, count, depth);
    jungletb_close(tables);
    return status;
}
