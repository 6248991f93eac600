/* jungletb: endgame tablebases for Jungle (Dou Shou Qi), probed from C and C++.
 *
 *   jungletb *tables;
 *   jungletb_value value;
 *   if (jungletb_open("tablebases", "standard", NULL, &tables) != JUNGLETB_OK ||
 *       jungletb_probe_text(tables, "7/7/2r4/3L3/7/3c3/7/7/7 w", &value) != JUNGLETB_OK)
 *       fprintf(stderr, "%s\n", jungletb_last_error());
 *
 * Status. Every function that can fail returns a jungletb_status, as an int, and writes its outputs only on
 * JUNGLETB_OK; otherwise jungletb_last_error() gives the reason in one line. No function prints, exits or aborts.
 * Behavior is undefined for pointers that are neither NULL nor valid, and for strings without a terminating NUL.
 *
 * Threads. All functions may be called from any number of threads at once, also with the same jungletb, except
 * jungletb_close, which must be the last call with it.
 *
 * Ownership. The caller owns all arguments; the library keeps none of them after the call. The caller frees a jungletb
 * with jungletb_close. The library owns the strings returned by jungletb_version and jungletb_last_error.
 */
#ifndef JUNGLETB_H
#define JUNGLETB_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header. jungletb_version() returns the version of the library. */
#define JUNGLETB_VERSION "0.1.0"

/* Status of a call. */
typedef enum jungletb_status {
    JUNGLETB_OK = 0,
    JUNGLETB_SYSTEM = 1,    /* input or output failed */
    JUNGLETB_BAD_INPUT = 2, /* a bad argument, unknown rules, or a position that cannot occur */
    JUNGLETB_DAMAGED = 3,   /* a table is damaged, unreadable or of another game */
    JUNGLETB_MISSING = 4,   /* a table is missing: jungletb_missing_class() names its class, and the error the command
                               that generates it */
    JUNGLETB_INTERNAL = 5,  /* a bug in the library: please report it */
    JUNGLETB_TOO_MANY_PIECES = 6 /* more pieces than any table has */
} jungletb_status;

/* The outcome for the side to move, with best play by both sides. */
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

/* As a square: the piece is not on the board. As an animal: none. */
#define JUNGLETB_NONE 255

/* The square on a file (0 = a) and a rank (0 = rank 1): 0 for a1 to 62 for g9, rank by rank. The 7x7 board of Animal
 * Checkers has the first 49. */
#define JUNGLETB_SQUARE(file, rank) ((uint8_t)((rank) * 7 + (file)))

/* The maximum number of moves of a position, and the buffer size for the text of any position with its NUL. */
#define JUNGLETB_MAX_MOVES 32
#define JUNGLETB_TEXT_SIZE 80

/* A position: 17 bytes. The squares of White's rat to elephant, then Black's, each JUNGLETB_NONE if off the board. */
typedef struct jungletb_position {
    uint8_t squares[16];
    uint8_t to_move; /* JUNGLETB_WHITE or JUNGLETB_BLACK */
} jungletb_position;

/* The value of a position, for the side to move: 12 bytes. */
typedef struct jungletb_value {
    int32_t category; /* jungletb_category */
    int32_t dtw;      /* distance in plies: the winner plays the quickest win, the loser the longest resistance; -1 for
                         a draw, or if only WDL is present */
    int32_t over;     /* jungletb_over */
} jungletb_value;

/* A legal move: 16 bytes. */
typedef struct jungletb_move {
    uint8_t from;         /* square */
    uint8_t to;           /* square; for a jump, the landing square */
    uint8_t capture;      /* the captured jungletb_animal, or JUNGLETB_NONE */
    uint8_t den;          /* 1 if the move enters the enemy den, else 0 */
    jungletb_value value; /* of the position after the move, for the side then to move */
} jungletb_move;

/* A move as two squares. */
typedef struct jungletb_step {
    uint8_t from;
    uint8_t to;
} jungletb_step;

/* Options of jungletb_open. All zero is the default. */
typedef struct jungletb_options {
    uint64_t cache_bytes; /* maximum size of the cache of unpacked blocks, in bytes; 0 for a sixteenth of the memory,
                             but at least 128 MiB and at most 1 GiB */
    uint32_t read_files;  /* 0 maps files into memory; 1 reads them block by block, for file systems on which files may
                             shrink or fail while mapped */
    uint32_t shipped;     /* 1 also searches the tables of up to three pieces that are part of the library, after all
                             folders; 0 does not */
} jungletb_options;

/* The tables of one rule set in a folder, open for probing. */
typedef struct jungletb jungletb;

/* Returns the version of the library, such as "0.1.0". The string is static. */
const char *jungletb_version(void);

/* Returns the error of the last failed call on this thread: one line of UTF-8, or "" if no call has failed. The string
 * is valid until the next failed call on this thread or the end of the thread; successful calls keep it. */
const char *jungletb_last_error(void);

/* If the last failed call on this thread returned JUNGLETB_MISSING, returns the class whose table is missing, such as
 * "LTvLT"; otherwise "". The string is valid as long as that of jungletb_last_error. */
const char *jungletb_missing_class(void);

/* Opens the tables of a rule set. `folder` holds one folder per rule set; it may be NULL if `options` has `shipped`. `rules` is a preset ("standard",
 * "leiden", "german", "japanese", "russian", "animal-checkers"), the path of a rule file ending in .toml, or NULL for
 * "standard". `options` may be NULL. The call is cheap: a table is opened when a position first needs it, so a missing
 * folder is reported by the first probe. The caller must close *tables. */
int jungletb_open(const char *folder, const char *rules, const jungletb_options *options, jungletb **tables);

/* Like jungletb_open, with the tables of `count` folders, which may be 0 if `options` has `shipped`. The folders are
 * searched in order, and the first table found is used. */
int jungletb_open_folders(const char *const *folders, size_t count, const char *rules, const jungletb_options *options,
                          jungletb **tables);

/* Closes tables and frees their memory. No other call with them may run at the same time or later. NULL is ignored. */
void jungletb_close(jungletb *tables);

/* Parses a position: ranks from the top, digits for empty squares, upper case for White, and w or b for the side to
 * move, as in "7/7/2r4/3L3/7/3c3/7/7/7 w". JUNGLETB_BAD_INPUT if it is malformed or cannot occur under the rules. */
int jungletb_parse(const jungletb *tables, const char *text, jungletb_position *position);

/* Writes the text of a position, with a terminating NUL, to a buffer of `size` bytes; JUNGLETB_TEXT_SIZE is always
 * enough. If the buffer is too small, returns JUNGLETB_BAD_INPUT and writes nothing. */
int jungletb_format(const jungletb *tables, const jungletb_position *position, char *text, size_t size);

/* Makes a position from pieces and their squares. `pieces` has a letter for each piece, R C D W P T L E for White's rat
 * to elephant and lower case for Black's; squares[i] is the square of the i-th, see JUNGLETB_SQUARE; `to_move` is
 * JUNGLETB_WHITE or JUNGLETB_BLACK. JUNGLETB_BAD_INPUT if the pieces cannot stand there under the rules. */
int jungletb_from_squares(const jungletb *tables, const char *pieces, const uint8_t *squares, int to_move,
                          jungletb_position *position);

/* The position after a move. JUNGLETB_BAD_INPUT if the move is illegal. `after` may be `position`. */
int jungletb_play(const jungletb *tables, const jungletb_position *position, uint8_t from, uint8_t to,
                  jungletb_position *after);

/* Win, draw or loss: *category is set to a jungletb_category other than JUNGLETB_UNKNOWN. The fastest probe; it may
 * read and unpack a block of a file. */
int jungletb_wdl(const jungletb *tables, const jungletb_position *position, int *category);

/* Like jungletb_wdl, but from memory only, for a search that cannot wait for a disk. Returns JUNGLETB_OK and sets
 * *category to JUNGLETB_UNKNOWN if the table is not open yet or the block is not in the cache. Never reads a file. */
int jungletb_wdl_in_memory(const jungletb *tables, const jungletb_position *position, int *category);

/* Category, distance, and why the game is over, if it is. Here and in the other calls, a position needs no table if a
 * move can end the game (a den entry or the capture of the last enemy piece) or if there is no legal move. A position
 * whose table is missing is won, with distance -1, if a capture leads to a position known to be lost. */
int jungletb_probe(const jungletb *tables, const jungletb_position *position, jungletb_value *value);

/* The legal moves, best first: wins (quickest first), moves to a missing table (category JUNGLETB_UNKNOWN), draws,
 * losses (slowest first). *count is set to the number of legal moves, 0 if the game is over. The best `capacity` of
 * them are written to `moves`: a capacity of 1 gives the best move, JUNGLETB_MAX_MOVES all of them. `moves` may be NULL
 * if `capacity` is 0. */
int jungletb_moves(const jungletb *tables, const jungletb_position *position, jungletb_move *moves, size_t capacity,
                   size_t *count);

/* The best line: the best move of each side, the first in square order, to the end of the game. Empty for a draw, for a
 * game that is over, and if only WDL is present. *count is set to the number of its moves; the first `capacity` of them
 * are written to `line`, which may be NULL if `capacity` is 0. */
int jungletb_line(const jungletb *tables, const jungletb_position *position, jungletb_step *line, size_t capacity,
                  size_t *count);

/* jungletb_wdl, jungletb_wdl_in_memory, jungletb_probe and jungletb_moves for a position given as text. */
int jungletb_wdl_text(const jungletb *tables, const char *text, int *category);
int jungletb_wdl_in_memory_text(const jungletb *tables, const char *text, int *category);
int jungletb_probe_text(const jungletb *tables, const char *text, jungletb_value *value);
int jungletb_moves_text(const jungletb *tables, const char *text, jungletb_move *moves, size_t capacity, size_t *count);

/* The maximum number of moves in the line of a jungletb_proof. */
#define JUNGLETB_MAX_LINE 512

/* The kind of a proven distance. */
typedef enum jungletb_bound {
    JUNGLETB_BOUND_NONE = 0,    /* no distance */
    JUNGLETB_BOUND_AT_MOST = 1, /* upper bound: the winner needs at most this many plies */
    JUNGLETB_BOUND_EXACT = 2    /* exact: the winner cannot be quicker and the loser cannot hold out longer */
} jungletb_bound;

/* Limits of jungletb_prove. All zero means 10 seconds, 64 MiB, and one thread per processor. */
typedef struct jungletb_prove_options {
    uint64_t milliseconds; /* maximum time; 0 for no limit, or for 10 seconds if there is no other limit */
    uint64_t positions;    /* maximum number of positions to search; 0 for no limit. With 1 thread the answer is
                              reproducible */
    uint64_t memory;       /* bytes for the table of proofs; 0 for 64 MiB */
    uint32_t threads;      /* number of threads, up to 1024; 0 for one per processor */
    uint32_t plies;        /* maximum length of a win; longer wins are not searched; 0 for no limit */
    int (*stop)(void *);   /* called every 20 ms on the calling thread: any result but 0 stops the search, and the
                              answer is what is known then. May be NULL. Must not throw, longjmp or close tables */
    void *stop_data;       /* argument of stop */
} jungletb_prove_options;

/* The proven value of a position. */
typedef struct jungletb_proof {
    int32_t category;      /* a jungletb_category for the side to move; JUNGLETB_UNKNOWN if not proven */
    int32_t dtw;           /* plies to the end of the game, exact or an upper bound, see `bound`; -1 for no distance */
    int32_t bound;         /* a jungletb_bound */
    int32_t not_before;    /* no forced win of either side ends in fewer plies; -1 if neither side has one */
    uint64_t positions;    /* number of positions searched */
    uint64_t microseconds; /* time taken */
    uint32_t line_length;  /* number of moves in the line; 0 without a distance */
    jungletb_step line[JUNGLETB_MAX_LINE]; /* the best line, as far as it is proven */
} jungletb_proof;

/* Proves the value of a position beyond the tables: searches for a forced win of either side, down to ends of the game
 * and existing tables. The answer is exact or an upper bound, never an estimate. Returns JUNGLETB_OK also if nothing is
 * proven within the limits, and JUNGLETB_SYSTEM if memory or a thread is not available. `options` may be NULL. */
int jungletb_prove(const jungletb *tables, const jungletb_position *position, const jungletb_prove_options *options,
                   jungletb_proof *proof);
int jungletb_prove_text(const jungletb *tables, const char *text, const jungletb_prove_options *options,
                        jungletb_proof *proof);

/* The number of pieces of the largest table in the folders, from the file names; 0 if there is no table. */
int jungletb_most_pieces(const jungletb *tables, unsigned *pieces);

/* Whether a usable table exists for a material, such as "ERvL": *has is set to 1 or 0. Further calls for it answer
 * from memory. */
int jungletb_has(const jungletb *tables, const char *material, int *has);

/* A class that has a table: 19 bytes. */
typedef struct jungletb_class {
    char name[16]; /* of the class, such as "ERvL", with a terminating NUL */
    uint8_t pieces;
    uint8_t has_wdl; /* 1 if there is a WDL table, else 0 */
    uint8_t has_dtw;
} jungletb_class;

/* The classes that have tables in the folders, by file name, ordered by number of pieces, then by name. Opens nothing,
 * so some may be damaged. *count is set to their number; the first `capacity` of them are written to `classes`, which
 * may be NULL if `capacity` is 0. */
int jungletb_available(const jungletb *tables, jungletb_class *classes, size_t capacity, size_t *count);

/* Opens the tables of a material and asks the system to read them ahead. JUNGLETB_MISSING if there is none. */
int jungletb_prefetch(const jungletb *tables, const char *material);

/* Numbers of positions by their value for the side to move. */
typedef struct jungletb_counts {
    uint64_t win;
    uint64_t draw;
    uint64_t loss;
} jungletb_counts;

/* The statistics of a material: of all legal positions without a piece in a den. */
typedef struct jungletb_material_stats {
    jungletb_counts white;              /* with White to move */
    jungletb_counts black;              /* with Black to move */
    int32_t longest;                    /* the greatest distance in plies; -1 if only WDL is present, or if all
                                           positions are drawn */
    jungletb_position longest_position; /* a position that has it */
} jungletb_material_stats;

/* The statistics of a material, such as "ERvL". Its table holds them: no position is probed. */
int jungletb_stats(const jungletb *tables, const char *material, jungletb_material_stats *stats);

/* Detects tables that were generated, replaced or removed since they were last used. Until this call a missing table
 * stays missing, and probing it costs no more than any other probe. Other threads may probe at the same time. */
int jungletb_refresh(const jungletb *tables);

#ifdef __cplusplus
}
#endif

#endif
