//! The root of a search: iterative deepening, and the moves considered.

use super::clock::Limits;
use super::game::Game;
use super::hash::{Bound, Stored};
use super::node::{Candidate, Candidates, Node};
use super::score::Score;
use super::state::{MAX_DEPTH, Search};
use crate::game::{Category, Move};
use crate::probe::Answer;
use std::time::Duration;

/// The result of a search at one depth.
#[derive(Clone, Debug)]
pub struct Progress<'a> {
    /// Depth of the finished iteration in plies.
    pub depth: usize,
    /// Length of the deepest line searched, in plies.
    pub seldepth: usize,
    /// The score for the side to move.
    pub score: Score,
    /// Number of positions searched.
    pub nodes: u64,
    /// Time since the search was requested.
    pub time: Duration,
    /// Permille of the hash table filled by this search.
    pub hash_permille: usize,
    /// Number of successful table probes.
    pub table_hits: u64,
    /// The best line.
    pub line: &'a [Move],
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The move to play; `None` if the game is over.
    pub best: Option<Move>,
    /// The score for the side to move at the last finished depth.
    pub score: Score,
    /// The last finished depth, in plies.
    pub depth: usize,
    /// Number of positions searched.
    pub nodes: u64,
}

impl Search<'_, '_> {
    /// Searches with increasing depth.
    pub(super) fn deepen(&mut self, game: &Game, limits: &Limits, listener: &mut dyn FnMut(&Progress)) -> SearchResult {
        let root = &self.ground.node(&game.position, &game.earlier);
        let color = root.position.to_move();
        let mut report = SearchResult { best: None, score: Score(0), depth: 0, nodes: 0 };
        if let Some((_, category)) = root.position.over(&self.ground.rules) {
            let lost = Answer { category, dtw: (category != Category::Draw).then_some(0), over: None };
            return SearchResult { score: Score(Score::of(lost, 0, 0)), ..report };
        }
        let mut steps = self.root_steps(root, &limits.moves);
        let is_restricted = steps.iter().all(|step| limits.moves.contains(&step.mv));
        report.best = steps.first().map(|step| step.mv);
        let deepest = limits.depth.map_or(MAX_DEPTH, |depth| (depth as usize).clamp(1, MAX_DEPTH));
        for depth in 1..=deepest {
            let mut best = None;
            let score = self.search_root(root, &mut steps, depth as i32, &mut best);
            if !self.stopped && !is_restricted {
                // A result for a subset of the moves does not hold for all of them.
                let score = Score::from_node(score, 0);
                self.hash.put(root.key, Stored { mv: best, score, depth: depth as u8, bound: Bound::Exact });
            }
            // The first move of an iteration is the best of the previous one: a move that beats it is better, even in
            // an unfinished iteration.
            report.best = best.or(report.best);
            report.nodes = self.nodes;
            if self.stopped {
                break;
            }
            report = SearchResult { score: Score(score), depth, ..report };
            listener(&Progress {
                depth,
                seldepth: self.seldepth.max(depth),
                score: report.score,
                nodes: self.nodes,
                time: self.deadline.elapsed(),
                hash_permille: self.hash.permille(),
                table_hits: self.knowledge.hits,
                line: self.lines.get(0),
            });
            // All lines of that length have been searched: there is no faster win and no slower loss.
            let is_settled = report.score.plies().is_some_and(|plies| plies as usize <= depth);
            let is_forced = steps.len() == 1 && limits.has_clock(color);
            if is_settled || is_forced || self.deadline.is_near() {
                break;
            }
        }
        report
    }

    /// The moves to choose from, most promising first. If WDL tables show which moves keep the result, only these. If
    /// `only` names legal moves, only those.
    fn root_steps(&mut self, root: &Node, only: &[Move]) -> Candidates {
        let mut steps = self.ground.steps(&root.position, false);
        let mut order = self.order(root, &steps, None, 0);
        let mut sorted = Candidates::new();
        while let Some(step) = order.next(&mut steps) {
            sorted.push(step);
        }
        if sorted.iter().any(|step| only.contains(&step.mv)) {
            sorted.retain(|step| only.contains(&step.mv));
        }
        let entry = self.ground.den_entry(&root.position, root.position.to_move());
        if let Some(entry) = entry.filter(|entry| sorted.iter().any(|step| step.mv == *entry)) {
            sorted.retain(|step| step.mv == entry);
        }
        let Some(own) = self.knowledge.ask(&root.position) else { return sorted };
        let wanted = match own.category {
            Category::Win => Category::Loss,
            Category::Draw => Category::Draw,
            Category::Loss => return sorted,
        };
        let keeps = |step: &Candidate| {
            let after = self.ground.after(root, *step).position;
            self.knowledge.ask(&after).is_some_and(|answer| answer.category == wanted)
        };
        let keeping: Candidates = sorted.iter().copied().filter(keeps).collect();
        if keeping.is_empty() { sorted } else { keeping }
    }

    /// One iteration. Moves the best move to the front; `best` is the best one so far if the search is stopped.
    fn search_root(&mut self, root: &Node, steps: &mut Candidates, depth: i32, best: &mut Option<Move>) -> i32 {
        let mut alpha = -Score::INFINITE;
        self.path.push(root.key);
        for n in 0..steps.len() {
            let next = self.ground.after(root, steps[n]);
            self.nodes += 1;
            let score = if next.position.conversion(&self.ground.rules).is_some() {
                self.lines.clear(1);
                Score::won_in(1)
            } else {
                self.search_next(&next, n, depth, alpha, Score::INFINITE, 0)
            };
            if self.stopped {
                break;
            }
            if score > alpha {
                alpha = score;
                *best = Some(steps[n].mv);
                self.lines.set(0, steps[n].mv);
                steps[..=n].rotate_right(1);
            }
        }
        self.path.pop();
        alpha
    }
}

#[cfg(test)]
mod tests {
    use super::super::hash::HashTable;
    use super::super::quiesce::ESCAPES;
    use super::super::searcher::Searcher;
    use super::*;
    use crate::game::{Color, Over, PRESETS, Piece, Position, Rules};
    use crate::material::Material;
    use crate::probe::Tablebase;
    use crate::system::Cancel;
    use std::time::Instant;

    /// Plain minimax, which alpha-beta must match.
    struct Plain<'a> {
        rules: &'a Rules,
        tables: &'a Tablebase,
        searcher: &'a Searcher<'a>,
        /// Number of positions of the game before the root.
        earlier: usize,
    }

    impl Plain<'_> {
        fn value(&self, path: &mut Vec<Position>, position: Position, depth: u32) -> i32 {
            let ply = path.len() - self.earlier;
            if path.contains(&position) {
                return 0;
            }
            match position.over(self.rules) {
                Some((Over::NoMoves, _)) if depth == 0 => {}
                Some((_, Category::Draw)) => return 0,
                Some(_) => return -Score::won_in(ply),
                None => {}
            }
            if depth == 0 {
                return self.leaf(&position, ply, ESCAPES);
            }
            if let Some(answer) = self.by_table(&position) {
                return Score::of(answer, ply, 0);
            }
            path.push(position);
            let values = position.successors(self.rules).map(|next| -self.value(path, next.position, depth - 1));
            let best = values.max().unwrap();
            path.pop();
            best
        }

        /// The value from the position's own table: the search itself derives values from others.
        fn by_table(&self, position: &Position) -> Option<Answer> {
            self.tables.has(Material::of(position)).then(|| self.tables.value(position).ok())?
        }

        fn leaf(&self, position: &Position, ply: usize, escapes: u8) -> i32 {
            if position.conversion(self.rules).is_some() {
                return -Score::won_in(ply);
            }
            if position.successors(self.rules).any(|next| next.den) {
                return Score::won_in(ply + 1);
            }
            if let Some(answer) = self.by_table(position) {
                return Score::of(answer, ply, 0);
            }
            let mut passed = *position;
            passed.set_to_move(position.to_move().other());
            let is_threatened = escapes > 0 && passed.successors(self.rules).any(|next| next.den);
            let left = escapes - u8::from(is_threatened);
            let moves: Vec<_> = position.successors(self.rules).collect();
            let tried = moves.iter().filter(|next| is_threatened || next.capture.is_some());
            let best = tried.map(|next| -self.leaf(&next.position, ply + 1, left)).max();
            if is_threatened {
                return best.unwrap_or_else(|| -Score::won_in(ply));
            }
            best.unwrap_or(i32::MIN).max(self.searcher.estimate(position).0)
        }
    }

    struct Random(u64);

    impl Random {
        fn below(&mut self, end: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (self.0 >> 33) as usize % end
        }

        /// A position with this number of pieces in which the game continues.
        fn position(&mut self, rules: &Rules, pieces: usize) -> Position {
            loop {
                let mut position = Position::empty(Color::BOTH[self.below(2)]);
                while position.len() < pieces {
                    let animals = rules.board().animals;
                    let piece = Piece { color: Color::BOTH[self.below(2)], animal: animals[self.below(animals.len())] };
                    let taken = position.occupied(Color::White) | position.occupied(Color::Black);
                    let free: Vec<_> =
                        rules.movement(piece.color, piece.animal).domain.without(taken).into_iter().collect();
                    position.set(piece, Some(free[self.below(free.len())]));
                }
                if position.over(rules).is_none() {
                    return position;
                }
            }
        }
    }

    fn check(rules: &Rules, tables: &Tablebase, game: &Game, deepest: u32) -> i32 {
        let plain_searcher = Searcher::new(tables);
        let plain = Plain { rules, tables, searcher: &plain_searcher, earlier: game.earlier.len() };
        let position = game.position;
        let mut path = game.earlier.clone();
        path.push(position);
        let mut score = 0;
        for depth in 1..=deepest {
            let mut value = |next| -plain.value(&mut path, next, depth - 1);
            let expected = position.successors(rules).map(|next| value(next.position)).max().unwrap();
            for bytes in [0, 1 << 8, 1 << 20] {
                let mut searcher = Searcher::new(tables);
                searcher.hash = if bytes == 0 { HashTable::none() } else { HashTable::new(bytes).unwrap() };
                let stop = Cancel::new();
                let mut search = searcher.begin(game, &Limits::default(), Instant::now(), &stop);
                let root = search.ground.node(&position, &game.earlier);
                let mut steps = search.root_steps(&root, &[]);
                let mut best = None;
                score = search.search_root(&root, &mut steps, depth as i32, &mut best);
                let text = position.to_text(rules);
                assert_eq!(score, expected, "{text}, depth {depth}, hash {bytes}, rules {}", rules.name());
                // The reported best move is worth the score.
                let next = position.play(rules, best.unwrap()).unwrap();
                assert_eq!(value(next), score, "{text}, {best:?}");
                assert_eq!(search.lines.get(0).first(), best.as_ref());
            }
        }
        score
    }

    /// A game that leaves a position and returns to it, if both sides can move back.
    fn there_and_back(rules: &Rules, position: Position, random: &mut Random) -> Game {
        let mut game = Game::new(position);
        let mut moves = Vec::new();
        for _ in 0..2 {
            let quiet: Vec<_> = game.position.successors(rules).filter(|next| next.capture.is_none()).collect();
            if quiet.is_empty() {
                return Game::new(position);
            }
            let mv = quiet[random.below(quiet.len())].mv;
            moves.push(mv);
            game.play(rules, mv);
        }
        let is_back = moves.iter().all(|mv| game.play(rules, Move { from: mv.to, to: mv.from }));
        if is_back { game } else { Game::new(position) }
    }

    #[test]
    fn alpha_beta_comes_to_what_minimax_comes_to() {
        let mut random = Random(7);
        let (mut decided, mut open, mut repeating) = (0, 0, 0);
        for name in PRESETS {
            let rules = Rules::preset(name).unwrap();
            // The shipped tables have three pieces for `standard`, none for other rules.
            let tables = Tablebase::open(crate::SHIPPED, &rules).unwrap();
            for (pieces, depth, count) in [(2, 4, 5), (4, 4, 20), (6, 3, 8), (8, 2, 10)] {
                for _ in 0..count {
                    let position = random.position(&rules, pieces);
                    let game = there_and_back(&rules, position, &mut random);
                    repeating += usize::from(!game.earlier.is_empty());
                    let score = Score(check(&rules, &tables, &game, depth));
                    if score.plies().is_some() { decided += 1 } else { open += 1 }
                }
            }
        }
        assert!(decided > 20 && open > 20 && repeating > 100, "{decided} decided, {open} open, {repeating} repeating");
    }

    #[test]
    fn minimax_from_the_start_position() {
        let rules = Rules::standard();
        let tables = Tablebase::open("no tables", &rules).unwrap();
        let mut position = Position::start(&rules).unwrap();
        check(&rules, &tables, &Game::new(position), 2);
        let mut random = Random(3);
        for ply in 0..60 {
            let moves: Vec<_> = position.successors(&rules).collect();
            let next = moves[random.below(moves.len())].position;
            if next.over(&rules).is_some() {
                break;
            }
            position = next;
            if ply % 12 == 11 {
                check(&rules, &tables, &Game::new(position), 3);
            }
        }
    }
}
