/* Probes all positions of a file, one per line, ROUNDS times, and prints the nanoseconds per probe of the quickest
 * round and the sum of the answers. The first round, which unpacks the blocks, does not count. wdl.rs is the same in
 * Rust.
 *
 *   wdl FOLDER FILE ROUNDS
 */
#define _POSIX_C_SOURCE 199309L
#include <jungletb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 1 << 16 };
static jungletb_position positions[MOST];

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
    char line[128];
    size_t count = 0, i;
    jungletb *tables;
    double best = 1e9;
    long sum = 0;
    int round, rounds;
    FILE *file;

    if (argc != 4 || !(file = fopen(argv[2], "r")) || jungletb_open(argv[1], NULL, NULL, &tables) != JUNGLETB_OK)
        return 2;
    rounds = atoi(argv[3]);
    while (count < MOST && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (jungletb_parse(tables, line, &positions[count++]) != JUNGLETB_OK)
            return 2;
    }
    fclose(file);
    for (round = 0; round <= rounds; round++) {
        double start = seconds(), took;
        for (i = 0; i < count; i++) {
            int category;
            if (jungletb_wdl(tables, &positions[i], &category) != JUNGLETB_OK)
                return 3;
            sum += category + 1;
        }
        took = (seconds() - start) / (double)count;
        if (round > 0 && took < best)
            best = took;
    }
    printf("%.1f %ld\n", best * 1e9, sum);
    jungletb_close(tables);
    return 0;
}
