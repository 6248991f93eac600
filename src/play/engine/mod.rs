//! The engine: plays from any position, and perfectly where the tables reach.
//!
//! A move is decided by the first of these that applies:
//!
//! 1. *The tables* ([`best`]). In a won position the fastest win is played, in a lost one the longest defense; in a
//!    draw, the move that keeps the draw and leaves the opponent the fewest replies that do not lose. This takes some
//!    microseconds.
//! 2. *The search* ([`Searcher`]) where no table has the position: alpha-beta with iterative deepening and a hash
//!    table, without selective pruning. A position in a table is a leaf: its distance is added to the ply of the leaf,
//!    so the fastest win is found across captures too. Other leaves are estimated by material and by the distance of
//!    the pieces to the den, after captures and threats against the den are played out.
//! 3. *The clock* ends the search, which then plays the best move found so far.
//!
//! A position that occurred before, in the game or on the current line, counts as a draw in the search: tables ignore
//! repetition, but a search that ignores it moves in circles. Moves from the tables also depend on the game's
//! repetitions: a winning side avoids a third occurrence while another move wins, and among equally fast wins chooses
//! the position that occurred least often; a losing side chooses a third occurrence where possible.
//!
//! With an empty hash table the score at a depth is that of plain minimax; tests compare the two. With entries of
//! earlier searches and depths it may differ in two ways: an entry of a deeper search replaces a shallower one, and a
//! stored score may rest on a repetition that occurred on its own line and not on this one. Wins and losses in a known
//! number of plies are correct in either case, unless a repetition intervenes.
//!
//! Scores are on one scale. Wins in a known number of plies rank above wins without a distance (from WDL tables), and
//! these above every estimate. With WDL only, the engine never drops a win but must search for the way, which need not
//! be the shortest.
//!
//! [`run`] communicates with other programs, in the protocols `jcei` and `uci`. Files: `protocol` parses commands,
//! `session` executes them, `clock` turns limits into deadlines; `node`, `evaluate`, `hash`, `order` and `line` are the
//! components of a search, `state` combines them, `quiesce`, `search` and `root` search the moves, `searcher` keeps
//! state for the next search; `knowledge` probes the tables, `choice` picks the move if they decide it.

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
mod tables;

pub use choice::{Choice, best};
pub use clock::Limits;
pub use game::Game;
pub use root::{Progress, SearchResult};
pub use score::Score;
pub use searcher::Searcher;
pub use session::run;
