// Practice against the tables: who plays, what a move cost, how a try went.

import { recall, remember } from "../base/store.js";
import { sideToMove, winner } from "../text/words.js";

/** Own moves after which a draw counts as held. */
export const HOLD_MOVES = 20;
/** Tries that are remembered. */
const KEPT = 200;

/** The side, `w` or `b`, that the user plays: the one that wins, or in a draw the one to move; null where neither. */
export function playerOf(start, aim) {
  if (aim === "win") return winner(start);
  return start.category === "draw" ? sideToMove(start) : null;
}

/** What a move cost: `key` names it, `n` are plies lost, `left` those that remain. The reports are those of the
 * positions before and after it. */
export function costOf(before, after) {
  const reached = { win: "loss", loss: "win", draw: "draw" }[after.category];
  if (!reached || before.category === "unknown") return { key: "unknown" };
  const left = after.dtw;
  const lost = before.dtw === null || left === null ? 0 : Math.abs(left + 1 - before.dtw);
  if (before.category !== reached) return { key: `${before.category}-${reached}`, left };
  if (reached === "draw") return { key: "kept" };
  return { key: lost === 0 ? `best-${reached}` : `slow-${reached}`, n: lost, left };
}

/** The move that makes a draw hardest to hold: after it, the fewest of the opponent's moves hold it. `replies` are the
 * reports after each of the `moves`. */
export function trickiest(moves, replies) {
  const holding = (report) => report.moves.filter((move) => move.category === "draw").length;
  const hardest = moves
    .map((move, n) => ({ move, holds: replies[n].moves ? holding(replies[n]) : Infinity }))
    .sort((a, b) => a.holds - b.holds);
  return hardest[0].move;
}

function allTries() {
  try {
    return JSON.parse(recall("tries") ?? "[]");
  } catch {
    return [];
  }
}

/** The tries at a task, newest first: `result`, `plies`, `least`, `hints`, `takebacks`. */
export const triesOf = (task) => allTries().filter((one) => one.task === task);

/** Remembers a try. */
export function rememberTry(one) {
  remember("tries", JSON.stringify([one, ...allTries()].slice(0, KEPT)));
}
