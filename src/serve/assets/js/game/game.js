// The moves played from a position, with undo and redo. Immutable: the browser's history keeps old ones.

import { afterMove, formatPosition, parsePosition } from "../text/position.js";

/** A game that starts from a position's text. */
export const newGame = (start) => ({ start, moves: [], cursor: 0 });

/** The game after one more move; what had been undone is gone, unless it was the same move. */
export function play(game, move) {
  if (game.moves[game.cursor] === move) return { ...game, cursor: game.cursor + 1 };
  return { start: game.start, moves: [...game.moves.slice(0, game.cursor), move], cursor: game.cursor + 1 };
}

/** The game at another of its moves. */
export const goTo = (game, cursor) => ({ ...game, cursor: Math.max(0, Math.min(game.moves.length, cursor)) });

/** The text of the position at the game's cursor. */
export function currentText(game, ranks) {
  let position = parsePosition(game.start, ranks);
  if (!position) return game.start;
  for (const move of game.moves.slice(0, game.cursor)) position = afterMove(position, move);
  return formatPosition(position);
}

/** The move that led to the position at the cursor. */
export const lastMove = (game) => (game.cursor > 0 ? game.moves[game.cursor - 1] : null);
