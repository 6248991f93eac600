/* Many threads probe one handle that another thread opened: each gets the same answers, and its own errors.
 *
 *   threads FOLDER ROUNDS
 */
#include <jungletb.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 16, POSITIONS = 400 };

static jungletb *tables;
static jungletb_position positions[POSITIONS];
static int rounds;

struct answers {
    unsigned number;
    jungletb_value values[POSITIONS];
    int failed;
};

/* Positions of a few materials, all over the board; some are invalid. */
static void choose(void)
{
    unsigned n = 0, seed = 12345;
    while (n < POSITIONS) {
        jungletb_position position;
        memset(&position, 255, sizeof position);
        seed = seed * 1103515245 + 12345;
        position.squares[seed >> 16 & 7] = (uint8_t)((seed >> 20) % 63);
        seed = seed * 1103515245 + 12345;
        position.squares[8 + (seed >> 16 & 7)] = (uint8_t)((seed >> 20) % 63);
        seed = seed * 1103515245 + 12345;
        position.squares[seed >> 16 & 15] = (uint8_t)((seed >> 20) % 63);
        position.to_move = (uint8_t)(n % 2);
        positions[n++] = position;
    }
}

static void *probe_all(void *argument)
{
    struct answers *answers = argument;
    char wrong[64], expected[64];
    unsigned i;
    int round;

    sprintf(wrong, "7/7/7/7/7/7/7/7/7 thread%u", answers->number);
    sprintf(expected, "side to move is \"thread%u\"", answers->number);
    for (round = 0; round < rounds; round++) {
        for (i = 0; i < POSITIONS; i++) {
            unsigned at = (i + 25 * answers->number) % POSITIONS;
            jungletb_value *value = &answers->values[at];
            int status = jungletb_probe(tables, &positions[at], value);
            int wdl = 99;
            if (status != JUNGLETB_OK) {
                value->category = value->over = 100;
                value->dtw = status;
            }
            if (jungletb_wdl(tables, &positions[at], &wdl) != status ||
                (status == JUNGLETB_OK && wdl != value->category))
                answers->failed = 1;
        }
        /* The error is this thread's own, independent of the other threads. */
        if (jungletb_parse(tables, wrong, &positions[0]) != JUNGLETB_BAD_INPUT ||
            strstr(jungletb_last_error(), expected) == NULL)
            answers->failed = 2;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    static struct answers answers[THREADS];
    pthread_t threads[THREADS];
    unsigned n, known = 0;

    if (argc != 3 || jungletb_open(argv[1], "standard", NULL, &tables) != JUNGLETB_OK)
        return 2;
    rounds = atoi(argv[2]);
    choose();
    for (n = 0; n < THREADS; n++) {
        answers[n].number = n;
        if (pthread_create(&threads[n], NULL, probe_all, &answers[n]) != 0)
            return 2;
    }
    for (n = 0; n < THREADS; n++)
        pthread_join(threads[n], NULL);
    for (n = 0; n < THREADS; n++) {
        if (answers[n].failed || memcmp(answers[n].values, answers[0].values, sizeof answers[0].values) != 0) {
            fprintf(stderr, "threads: thread %u has other answers than the first (%d)\n", n, answers[n].failed);
            return 1;
        }
    }
    for (n = 0; n < POSITIONS; n++)
        known += answers[0].values[n].category != 100;
    if (known < POSITIONS / 4) {
        fprintf(stderr, "threads: only %u positions have an answer\n", known);
        return 1;
    }
    jungletb_close(tables);
    return 0;
}
