//! The best line of a proven position, computed and checked with the move generator of `game`.

use super::ground::Ground;
use super::leaves;
use super::node::Node;
use super::search::{Search, Stopped};
use super::table::NEVER;
use crate::game::{Color, Move, Position, Rules, Successor};
use crate::probe::{ProbeError, Tablebase};

/// The best line of a position that is decided in `plies`, and whether it is confirmed: each move is the winner's
/// fastest or the loser's slowest, and the last one ends the game for the winner. A line cut short by the search
/// limits, or ended by a WDL table, is confirmed as far as it goes.
pub fn best_line(
    rules: &Rules,
    ground: &Ground,
    tables: &Tablebase,
    search: &mut Search,
    position: &Position,
    plies: u16,
) -> Result<(Vec<Move>, bool), ProbeError> {
    let side = position.to_move();
    let winner = if plies % 2 == 1 { side } else { side.other() };
    let mut line = Vec::new();
    let (mut position, mut left) = (*position, plies);
    while left > 0 {
        let node = Node::new(ground, &position);
        // A WDL table gives no line.
        if search.leaves.ask(&node).is_some_and(|spans| spans[winner.index()].high != NEVER) {
            let rest = tables.line(&position)?;
            let holds = rest.len() == usize::from(left);
            line.extend(rest);
            return Ok((line, holds));
        }
        match next(rules, ground, search, &position, winner, left) {
            Ok(Some(next)) => {
                line.push(next.mv);
                position = next.position;
                left -= 1;
            }
            Ok(None) => return Ok((line, false)),
            Err(Stopped) => return Ok((line, true)),
        }
    }
    let ends = leaves::over(ground, &Node::new(ground, &position)).is_some_and(|spans| spans[winner.index()].high == 0);
    Ok((line, ends))
}

/// A move of the winner that leads to a win in `left - 1` plies, or a move of the loser that holds out as long. The
/// first in square order; `None` if there is none.
fn next(
    rules: &Rules,
    ground: &Ground,
    search: &mut Search,
    position: &Position,
    winner: Color,
    left: u16,
) -> Result<Option<Successor>, Stopped> {
    let mut successors: Vec<_> = position.successors(rules).collect();
    successors.sort_unstable_by_key(|successor| successor.mv);
    let wins = position.to_move() == winner;
    for successor in successors {
        let node = Node::new(ground, &successor.position);
        let is_best = match leaves::over(ground, &node) {
            Some(spans) => spans[winner.index()].high == left - 1,
            None if wins => search.run(&node, winner.index(), left - 1)? < left,
            // The loser holds out as long if the winner cannot win two plies sooner.
            None => left < 3 || search.run(&node, winner.index(), left - 3)? > left - 3,
        };
        if is_best {
            return Ok(Some(successor));
        }
    }
    Ok(None)
}
