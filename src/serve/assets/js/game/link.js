// A game as an address tells it, and back.

import { formatPosition, parsePosition } from "../text/position.js";
import { currentText, isEmpty, mainLine, newGame, readGame, writeMoves } from "./game.js";

const canonical = (text, ranks) => {
  const position = parsePosition(text, ranks);
  return position ? formatPosition(position) : text;
};

/** The game of a route: its moves if they lead to its position, else none. */
export function gameOf(route, rules) {
  const { game, position } = route;
  const start = game && (game.start ?? rules.start);
  const read = start ? readGame(canonical(start, rules.ranks), game.moves, game.at) : null;
  return read && currentText(read, rules.ranks) === position ? read : newGame(position);
}

/** The game as a part of a route, undefined if there are no moves; `tags` tell who played and how it ended. */
export function gameRoute(game, rules, tags) {
  if (isEmpty(game)) return undefined;
  return {
    start: game.start === rules.start ? null : game.start,
    moves: writeMoves(game),
    at: game.at === mainLine(game).at(-1) ? null : game.at,
    tags,
  };
}
