//! An engine: plays from any position, and perfectly where the tables reach.
//!
//! Three things decide a move, the first that can.
//!
//! 1. *The tables* ([`best`]). A won position is won by the quickest way, a lost one holds out longest; of the moves
//!    that keep a draw, the one is played that leaves the opponent the fewest replies that do not lose. This takes some
//!    microseconds.
//! 2. *The search* ([`Searcher`]) where no table has the position: alpha-beta, deepened ply by ply, with a hash table.
//!    It leaves out no move. A position that a table has is a leaf: a game won there in so many plies counts as won so
//!    many plies after the leaf, and the quickest win is found across captures too. Elsewhere a leaf is valued by
//!    material and by how near the pieces are to the den, after captures and threats against the den have been played
//!    out.
//! 3. *The clock* ends the search, which then plays the best move of what it has finished.
//!
//! A position that has been on the board before, in the game or on the way to the leaf, counts as a draw in the search:
//! tables know of no repetition, but a search that does not mind it walks in circles. Moves from the tables are chosen
//! by the game's repetitions too: a side that wins lets no position come for the third time while another move wins, and
//! of moves that win equally quickly takes the one to the position that was there least often; a side that loses takes a
//! third time where it can get one.
//!
//! With an empty hash table the score at a depth is that of plain minimax; tests compare the two. With what earlier
//! searches and earlier depths have stored it may differ in two ways: an entry of a deeper search stands in for a
//! shallower one, and a stored score may rest on a repetition that the line it was found on had and this one has not.
//! Wins and losses that end in a number of plies are true either way, unless a repetition stands on their way.
//!
//! Scores are on one scale. Wins that end in a known number of plies stand above wins of which only the result is
//! known (from tables of results alone), and these above every estimate. With results alone the engine keeps a win in
//! hand and looks for its way by search; it promises no shortest one.
//!
//! [`run`] speaks with other programs, by the protocols `jcei` and `uci`. Its files: `protocol` reads commands,
//! `session` carries them out, `clock` turns limits into deadlines; `node`, `evaluate`, `hash`, `order` and `line` are what
//! a search is made of, `state` holds them together, `quiesce`, `search` and `root` go through the moves, `searcher`
//! keeps what is good for the next search; `knowledge` asks the tables, `choice` picks the
//! move if they know it.

mod choice;
mod clock;
mod evaluate;
mod game;
mod hash;
mod knowledge;
mod line;
mod node;
mod order;
mod protocol;
mod quiesce;
mod root;
mod score;
mod search;
mod searcher;
mod session;
mod state;

pub use choice::{Choice, best};
pub use clock::Limits;
pub use game::Game;
pub use root::{Progress, SearchResult};
pub use score::Score;
pub use searcher::Searcher;
pub use session::run;
