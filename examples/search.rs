//! A complete small search that probes: the tables decide at the root and cut the tree. See docs/in-your-engine.md.
//!
//! ```text
//! search FOLDER POSITION DEPTH [THREADS]
//! ```

use jungletb::game::{Category, Move, Position, Rules, Successor};
use jungletb::probe::{Answer, Options, ProbeError, RankedMove, Tablebase};
use std::cmp::Reverse;
use std::error::Error;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Score of a finished game for the winner, and of a win that a WDL table gives; the plies to it are taken off.
const WON: i32 = 30_000;
const WON_BY_TABLE: i32 = 20_000;

/// Value of each animal, rat to elephant.
const WORTH: [i32; 8] = [50, 20, 30, 40, 50, 70, 90, 80];

/// One thread's search. All threads share the tables: they are probed without a lock.
struct Search<'a> {
    tables: &'a Tablebase,
    /// No larger position has a table: a cheap first test.
    most_pieces: usize,
    nodes: u64,
    hits: u64,
    /// A table that cannot be used. It is reported, and the search goes on without it.
    fault: Option<ProbeError>,
}

// ANCHOR: tree
impl Search<'_> {
    /// The score of a position for the side to move.
    fn score(&mut self, position: &Position, depth: u32, ply: i32, mut alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        let rules = self.tables.rules();
        if let Some((_, category)) = position.over(rules) {
            return of_category(category, WON - ply);
        }
        if position.len() <= self.most_pieces
            && let Some(category) = self.probe(position)
        {
            return of_category(category, WON_BY_TABLE - ply);
        }
        if depth == 0 {
            return evaluate(rules, position);
        }
        for successor in ordered(rules, position) {
            let score = -self.score(&successor.position, depth - 1, ply + 1, -beta, -alpha);
            if score >= beta {
                return score;
            }
            alpha = alpha.max(score);
        }
        alpha
    }

    /// Win, draw or loss, if a table or the end of the game gives it.
    fn probe(&mut self, position: &Position) -> Option<Category> {
        match self.tables.wdl(position) {
            Ok(category) => {
                self.hits += 1;
                Some(category)
            }
            // As quick as a hit: the absence of a table is remembered. Search on.
            Err(ProbeError::MissingTable(_) | ProbeError::TooManyPieces { .. }) => None,
            Err(error) => {
                self.fault.get_or_insert(error);
                None
            }
        }
    }
}
// ANCHOR_END: tree

fn of_category(category: Category, won: i32) -> i32 {
    i32::from(i8::from(category)) * won
}

/// The legal moves: den entries, then captures of strong animals, then the others.
fn ordered(rules: &Rules, position: &Position) -> Vec<Successor> {
    let mut moves: Vec<Successor> = position.successors(rules).collect();
    moves.sort_by_key(|successor| (Reverse(successor.den), Reverse(successor.capture), successor.mv));
    moves
}

/// An estimate: what the animals are worth, and how near they are to the den.
fn evaluate(rules: &Rules, position: &Position) -> i32 {
    let mut score = 0;
    for (piece, square) in position.pieces() {
        let goal = rules.board().goal(piece.color);
        let steps = square.file().abs_diff(goal.file()) + square.rank().abs_diff(goal.rank());
        let worth = WORTH[piece.animal.index()] + 11 - i32::from(steps);
        score += if piece.color == position.to_move() { worth } else { -worth };
    }
    score
}

/// The choice at the root.
struct Choice {
    mv: Move,
    /// The exact value for the mover, if the tables give it.
    answer: Option<Answer>,
    score: i32,
}

// ANCHOR: root
/// The move that the tables give: a known win, the quickest first, or the best move if all are known.
fn by_tables(moves: &[RankedMove]) -> Option<Choice> {
    let best = moves.first()?;
    let answer = best.answer?.before();
    if answer.category != Category::Win && moves.iter().any(|mv| mv.answer.is_none()) {
        return None;
    }
    let won = WON - answer.dtw.map_or(WON - WON_BY_TABLE, i32::from);
    Some(Choice { mv: best.mv, answer: Some(answer), score: of_category(answer.category, won) })
}

/// The best of the moves by search, and the sums of what the threads did. Known moves keep their exact value.
fn by_search<'a>(
    tables: &'a Tablebase,
    moves: &[RankedMove],
    depth: u32,
    threads: usize,
) -> (Option<Choice>, Search<'a>) {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut search = Search { tables, most_pieces: tables.most_pieces(), nodes: 0, hits: 0, fault: None };
        let mut scores = Vec::new();
        while let Some(mv) = moves.get(next.fetch_add(1, Ordering::Relaxed)) {
            let score = match mv.answer {
                Some(answer) => -of_category(answer.category, WON_BY_TABLE - 1),
                None => -search.score(&mv.position, depth.saturating_sub(1), 1, -WON, WON),
            };
            scores.push((score, Reverse(mv.mv)));
        }
        (scores, search)
    };
    let done: Vec<_> = thread::scope(|scope| {
        let started: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        started.into_iter().map(|thread| thread.join().expect("a search does not panic")).collect()
    });
    let best = done.iter().flat_map(|(scores, _)| scores).max();
    let choice = best.map(|&(score, Reverse(mv))| Choice { mv, answer: None, score });
    let searches = done.into_iter().map(|(_, search)| search);
    let sum = searches.reduce(|sum, one| Search {
        nodes: sum.nodes + one.nodes,
        hits: sum.hits + one.hits,
        fault: sum.fault.or(one.fault),
        ..sum
    });
    (choice, sum.expect("there is a thread"))
}
// ANCHOR_END: root

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("search: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (folder, text, depth, threads) = match &arguments[..] {
        [folder, text, depth] => (folder, text, depth.parse()?, 1),
        [folder, text, depth, threads] => (folder, text, depth.parse()?, threads.parse::<usize>()?.clamp(1, 64)),
        _ => return Err("usage: search FOLDER POSITION DEPTH [THREADS]".into()),
    };
    // ANCHOR: open
    let rules = Rules::standard();
    // One handle for all threads. The cache holds unpacked blocks; the default is a sixteenth of the memory.
    let tables = Tablebase::open_with(folder, &rules, Options::default().cache_bytes(256 << 20))?;
    // ANCHOR_END: open
    let position = Position::parse(&rules, text)?;
    let moves = tables.moves(&position)?;
    if let Some(Choice { mv, answer: Some(answer), score }) = by_tables(&moves) {
        println!("{mv} {} score {score} nodes 0 hits {}", answer.short(), moves.len());
        return Ok(());
    }
    let (choice, search) = by_search(&tables, &moves, depth, threads);
    if let Some(error) = &search.fault {
        eprintln!("search: {error}; searching without it");
    }
    match choice {
        Some(Choice { mv, score, .. }) => println!("{mv} score {score} nodes {} hits {}", search.nodes, search.hits),
        None => println!("the game is over"),
    }
    Ok(())
}
