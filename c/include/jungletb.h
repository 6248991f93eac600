/* jungletb: endgame tablebases for Jungle (Dou Shou Qi), probed from C and C++.
 *
 *   jungletb *tables;
 *   jungletb_value value;
 *   if (jungletb_open("tablebases", "standard", NULL, &tables) != JUNGLETB_OK ||
 *       jungletb_probe_text(tables, "7/7/2r4/3L3/7/3c3/7/7/7 w", &value) != JUNGLETB_OK)
 *       fprintf(stderr, "%s\n", jungletb_last_error());
 *
 * Status. Every function that can fail returns a jungletb_status, as an int, and writes its outputs only if that is
 * JUNGLETB_OK; otherwise jungletb_last_error() is the reason, in one line. No function prints, exits or aborts. Behavior
 * is undefined for pointers that are neither NULL nor valid, and for text without its final zero.
 *
 * Threads. All functions may be called from any number of threads at once, also with the same jungletb, except
 * jungletb_close, which must be the last call with it.
 *
 * Ownership. The caller owns all arguments; the library keeps none of them after the call. A jungletb belongs to the
 * caller, who frees it with jungletb_close. The library owns the texts of jungletb_version and jungletb_last_error.
 */
#ifndef JUNGLETB_H
#define JUNGLETB_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header; jungletb_version() is that of the library. */
#define JUNGLETB_VERSION "0.1.0"

/* Status of a call. */
typedef enum jungletb_status {
    JUNGLETB_OK = 0,
    JUNGLETB_SYSTEM = 1,    /* input or output failed */
    JUNGLETB_BAD_INPUT = 2, /* the caller's fault: a bad argument, unknown rules, a position that cannot occur */
    JUNGLETB_DAMAGED = 3,   /* a table that is damaged, unreadable or of another game */
    JUNGLETB_MISSING = 4,   /* a missing table; the error names the command that generates it */
    JUNGLETB_INTERNAL = 5   /* a fault of the library: please report it */
} jungletb_status;

/* The outcome for the side to move, with best play of both sides. */
typedef enum jungletb_category {
    JUNGLETB_LOSS = -1,
    JUNGLETB_DRAW = 0,
    JUNGLETB_WIN = 1,
    JUNGLETB_UNKNOWN = 2 /* not in memory (jungletb_wdl_in_memory), or its table is missing (jungletb_moves) */
} jungletb_category;

/* Why a game is over. */
typedef enum jungletb_over {
    JUNGLETB_NOT_OVER = 0,
    JUNGLETB_OVER_DEN = 1,       /* a piece stands in the enemy den */
    JUNGLETB_OVER_NO_PIECES = 2, /* a side has no piece left */
    JUNGLETB_OVER_NO_MOVES = 3   /* the side to move has no legal move */
} jungletb_over;

/* The animals, in the order of jungletb_position.squares. */
typedef enum jungletb_animal {
    JUNGLETB_RAT = 0,
    JUNGLETB_CAT = 1,
    JUNGLETB_DOG = 2,
    JUNGLETB_WOLF = 3,
    JUNGLETB_LEOPARD = 4,
    JUNGLETB_TIGER = 5,
    JUNGLETB_LION = 6,
    JUNGLETB_ELEPHANT = 7
} jungletb_animal;

/* The sides. White starts at the bottom, on ranks 1 to 3. */
#define JUNGLETB_WHITE 0
#define JUNGLETB_BLACK 1

/* In place of a square: the piece is not on the board. In place of an animal: none. */
#define JUNGLETB_NONE 255

/* The square on a file (0 = a) and a rank (0 = rank 1): 0 for a1 to 62 for g9, rank by rank. The 7x7 board of Animal
 * Checkers has the first 49. */
#define JUNGLETB_SQUARE(file, rank) ((uint8_t)((rank) * 7 + (file)))

/* The most moves that a position has, and the room that the text of any position needs, with its final zero. */
#define JUNGLETB_MAX_MOVES 32
#define JUNGLETB_TEXT_SIZE 80

/* A position: 17 bytes. White's rat to elephant, then Black's, each on its square or JUNGLETB_NONE. */
typedef struct jungletb_position {
    uint8_t squares[16];
    uint8_t to_move; /* JUNGLETB_WHITE or JUNGLETB_BLACK */
} jungletb_position;

/* Value of a position, for the side to move: 12 bytes. */
typedef struct jungletb_value {
    int32_t category; /* jungletb_category */
    int32_t dtw;      /* distance in plies: the winner plays the quickest win, the loser the longest resistance; -1 for
                         a draw, or if only WDL is present */
    int32_t over;     /* jungletb_over */
} jungletb_value;

/* A legal move: 16 bytes. */
typedef struct jungletb_move {
    uint8_t from;         /* square */
    uint8_t to;           /* square; of a jump, the one on which it lands */
    uint8_t capture;      /* the jungletb_animal it takes, or JUNGLETB_NONE */
    uint8_t den;          /* 1 if it enters the enemy den, else 0 */
    jungletb_value value; /* of the position after the move, for the side then to move */
} jungletb_move;

/* Options of jungletb_open. All zero is the default. */
typedef struct jungletb_options {
    uint64_t cache_bytes; /* limit on the cache of unpacked blocks, in bytes; 0 for a sixteenth of the memory, but from
                             128 MiB to 1 GiB */
    uint32_t read_files;  /* 0 maps files into memory; 1 reads them piece by piece, for file systems whose files may
                             shrink or fail while they are mapped */
    uint32_t reserved;    /* 0 */
} jungletb_options;

/* The tables of one rule set in a folder, open for probing. */
typedef struct jungletb jungletb;

/* The version of the library, such as "0.1.0". The text stays valid. */
const char *jungletb_version(void);

/* The reason why the last failed call on this thread failed: one line of UTF-8, "" if no call has failed. The text is
 * valid until the next failed call on this thread, or the thread's end; successful calls keep it. */
const char *jungletb_last_error(void);

/* Opens the tables of a rule set. `folder` holds one folder per rule set. `rules` is a preset ("standard",
 * "leiden", "german", "japanese", "russian", "animal-checkers"), the path of a rule file ending in .toml, or NULL for
 * "standard". `options` may be NULL. Cheap: a table is opened when a position first needs it, so a missing
 * folder is reported by the first probe. The caller closes *tables. */
int jungletb_open(const char *folder, const char *rules, const jungletb_options *options, jungletb **tables);

/* The same with the tables of `count` folders: a table is looked for in each, in order, and the first that is there
 * counts. */
int jungletb_open_folders(const char *const *folders, size_t count, const char *rules, const jungletb_options *options,
                          jungletb **tables);

/* Closes tables and frees all they hold. No other call with them may run at the same time or later. NULL is ignored. */
void jungletb_close(jungletb *tables);

/* Reads the text of a position: ranks from the top, digits for gaps, upper case for White, and w or b for the side to
 * move, as in "7/7/2r4/3L3/7/3c3/7/7/7 w". JUNGLETB_BAD_INPUT if it is malformed or cannot occur under the rules. */
int jungletb_parse(const jungletb *tables, const char *text, jungletb_position *position);

/* Writes the text of a position, with its final zero, to `size` bytes; JUNGLETB_TEXT_SIZE is always enough. With too
 * small a buffer it fails with JUNGLETB_BAD_INPUT and writes nothing. */
int jungletb_format(const jungletb *tables, const jungletb_position *position, char *text, size_t size);

/* Win, draw or loss: *category is a jungletb_category other than JUNGLETB_UNKNOWN. The fastest probe; it may read
 * and unpack a block of a file. */
int jungletb_wdl(const jungletb *tables, const jungletb_position *position, int *category);

/* The same if it is in memory, for a search that cannot wait for a disk: JUNGLETB_UNKNOWN, with JUNGLETB_OK, if the
 * table was not opened yet or the block is not among the unpacked ones. Never reads a file. */
int jungletb_wdl_in_memory(const jungletb *tables, const jungletb_position *position, int *category);

/* Category, distance, and why the game is over if it is. A position that ends at once (a den entry or the last enemy
 * piece at hand, no legal move) needs no table, here and in the other calls; where a capture leads to a position known to
 * be lost, a position without a table is won, and its distance -1. */
int jungletb_probe(const jungletb *tables, const jungletb_position *position, jungletb_value *value);

/* The legal moves, best first: the quickest win, then those that lead to a missing table, whose category is
 * JUNGLETB_UNKNOWN, then draws, then the slowest loss. *count becomes the number of legal moves, 0 if the game is over; the best
 * `capacity` of them are written to `moves`, so that a capacity of 1 gives the best move and JUNGLETB_MAX_MOVES all of
 * them. `moves` may be NULL if `capacity` is 0. */
int jungletb_moves(const jungletb *tables, const jungletb_position *position, jungletb_move *moves, size_t capacity,
                   size_t *count);

/* jungletb_wdl, jungletb_wdl_in_memory, jungletb_probe and jungletb_moves of a position given as text. */
int jungletb_wdl_text(const jungletb *tables, const char *text, int *category);
int jungletb_wdl_in_memory_text(const jungletb *tables, const char *text, int *category);
int jungletb_probe_text(const jungletb *tables, const char *text, jungletb_value *value);
int jungletb_moves_text(const jungletb *tables, const char *text, jungletb_move *moves, size_t capacity, size_t *count);

/* The most moves of the line of a jungletb_proof. */
#define JUNGLETB_MAX_LINE 512

/* What a proven distance is. */
typedef enum jungletb_bound {
    JUNGLETB_BOUND_NONE = 0,    /* there is no distance */
    JUNGLETB_BOUND_AT_MOST = 1, /* the winner needs no more plies than this */
    JUNGLETB_BOUND_EXACT = 2    /* the winner can be no quicker and the loser no slower */
} jungletb_bound;

/* What jungletb_prove may cost. All zero searches for 10 seconds, in 64 MiB, with a thread for each processor. */
typedef struct jungletb_prove_options {
    uint64_t milliseconds; /* time, at most; 0 for no limit, or for 10 seconds if there is no other limit */
    uint64_t positions;    /* positions to look at, at most; 0 for no limit. With 1 thread the answer is the same each
                              time */
    uint64_t memory;       /* bytes for the table of proofs; 0 for 64 MiB */
    uint32_t threads;      /* threads to search with, up to 1024; 0 for one for each processor */
    uint32_t plies;        /* longer wins are not looked for; 0 for no limit */
    int (*stop)(void *);   /* asked every 20 ms whether to stop, from the thread of the call: any result but 0 ends the
                              search, and what is known then is the answer. NULL to ask nobody. It may not throw or
                              jump out, nor close the tables */
    void *stop_data;       /* what it is called with */
} jungletb_prove_options;

/* A move. */
typedef struct jungletb_step {
    uint8_t from;
    uint8_t to;
} jungletb_step;

/* What is proven of a position. */
typedef struct jungletb_proof {
    int32_t category;      /* a jungletb_category for the side to move; JUNGLETB_UNKNOWN if it is not known */
    int32_t dtw;           /* plies to the end of the game, as `bound` says; -1 if there is no distance */
    int32_t bound;         /* a jungletb_bound */
    int32_t not_before;    /* no forced win of either side ends in fewer plies than this; -1 if neither has one */
    uint64_t positions;    /* positions looked at */
    uint64_t microseconds; /* time taken */
    uint32_t line_length;  /* moves of the line; 0 without a distance */
    jungletb_step line[JUNGLETB_MAX_LINE]; /* the best line, as far as it is proven */
} jungletb_proof;

/* The value of a position by proof, where tables do not reach: searches for a forced win of either side, down to ends
 * of the game and the tables that are there. What it shows is exact or an upper bound, and rests on nothing else.
 * JUNGLETB_OK also if nothing is shown within the limits; JUNGLETB_SYSTEM if there is no memory or no thread.
 * `options` may be NULL. */
int jungletb_prove(const jungletb *tables, const jungletb_position *position, const jungletb_prove_options *options,
                   jungletb_proof *proof);
int jungletb_prove_text(const jungletb *tables, const char *text, const jungletb_prove_options *options,
                        jungletb_proof *proof);

/* The number of pieces of the largest table in the folders, by the names of the files; 0 if there is none. */
int jungletb_most_pieces(const jungletb *tables, unsigned *pieces);

/* Whether there is a table for a material, such as "ERvL", that can be used: *has becomes 1 or 0. After the first time it
 * answers from memory. */
int jungletb_has(const jungletb *tables, const char *material, int *has);

/* Looks for tables that were made, replaced or removed since they were last asked for. Until then a missing table stays
 * missing, and asking for it costs no more than any probe. Other threads may probe meanwhile. */
int jungletb_refresh(const jungletb *tables);

#ifdef __cplusplus
}
#endif

#endif
