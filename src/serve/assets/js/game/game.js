// A game: moves from a start position, with variations, and the place in it that the board shows. Immutable.
//
// Moves are numbered in the order in which they are written, 0 is the start. Written, a variation stands in parentheses
// after the move that it replaces: d6d7(d6d5d4d3)c7c8.

import { afterMove, formatPosition, parsePosition, sideOf } from "../text/position.js";

const START = { move: null, parent: null, next: [] };

/** A game without moves that starts from a position's text. */
export const newGame = (start) => ({ start, nodes: [START], at: 0 });

const MOVE = /[a-g][1-9][a-g][1-9]/y;

/** Reads written moves; null if they are none. `at` is the move to show, by default the last of the main line. */
export function readGame(start, text, at = null) {
  const nodes = [{ ...START, next: [] }];
  const open = [];
  let last = 0;
  for (let from = 0; from < text.length;) {
    const symbol = text[from];
    if (symbol === "(") {
      if (last === 0) return null;
      open.push(last);
      last = nodes[last].parent;
      from += 1;
    } else if (symbol === ")") {
      if (open.length === 0) return null;
      last = open.pop();
      from += 1;
    } else if (/[\s,_+]/.test(symbol)) {
      from += 1;
    } else {
      MOVE.lastIndex = from;
      if (!MOVE.test(text)) return null;
      last = append(nodes, last, text.slice(from, from + 4));
      from += 4;
    }
  }
  if (open.length > 0 || nodes.length === 1) return null;
  const game = { start, nodes, at: 0 };
  const isThere = Number.isInteger(at) && at >= 0 && at < nodes.length;
  return { ...game, at: isThere ? at : mainLine(game).at(-1) };
}

/** Adds a move after a node, unless it is there; its number. */
function append(nodes, parent, move) {
  const known = nodes[parent].next.find((node) => nodes[node].move === move);
  if (known !== undefined) return known;
  nodes.push({ move, parent, next: [] });
  nodes[parent] = { ...nodes[parent], next: [...nodes[parent].next, nodes.length - 1] };
  return nodes.length - 1;
}

/** The moves as they are written. */
export function writeMoves(game) {
  const after = (node) => {
    const [main, ...others] = game.nodes[node].next;
    if (main === undefined) return "";
    const variation = (other) => `(${game.nodes[other].move}${after(other)})`;
    return game.nodes[main].move + others.map(variation).join("") + after(main);
  };
  return after(0);
}

/** The game with its moves numbered as they are written, which is how addresses name them. */
function renumbered(game) {
  const nodes = [];
  const visit = (node, parent) => {
    const number = nodes.push({ move: game.nodes[node].move, parent, next: [] }) - 1;
    if (node === game.at) at = number;
    return number;
  };
  let at = 0;
  const after = (node, number) => {
    const [main, ...others] = game.nodes[node].next;
    if (main === undefined) return;
    const first = visit(main, number);
    const rest = others.map((other) => {
      const at = visit(other, number);
      after(other, at);
      return at;
    });
    nodes[number].next = [first, ...rest];
    after(main, first);
  };
  visit(0, null);
  after(0, 0);
  return { start: game.start, nodes, at };
}

/** The game after one more move: one that follows already, or a new one, a variation where another follows. */
export function play(game, move) {
  const nodes = [...game.nodes];
  const at = append(nodes, game.at, move);
  return renumbered({ start: game.start, nodes, at });
}

/** The game at another of its moves. */
export const goTo = (game, at) => ({ ...game, at: game.nodes[at] ? at : game.at });

/** The numbers of the moves up to one, the start first. */
export function pathTo(game, node) {
  const path = [];
  for (let at = node; at !== null; at = game.nodes[at].parent) path.unshift(at);
  return path;
}

/** The numbers of the line that the board is in: the path to its place, and the main line from there. */
export function currentLine(game) {
  const line = pathTo(game, game.at);
  for (let next = game.nodes[game.at].next; next.length > 0; next = game.nodes[next[0]].next) line.push(next[0]);
  return line;
}

/** The numbers of the main line, the start first. */
export const mainLine = (game) => currentLine({ ...game, at: 0 });

/** The moves of a line of numbers. */
export const movesOf = (game, line) => line.slice(1).map((node) => game.nodes[node].move);

/** The number of the move before the place shown, null at the start. */
export const previous = (game) => game.nodes[game.at].parent;

/** The number of the move after the place shown, null at an end. */
export const following = (game) => game.nodes[game.at].next[0] ?? null;

/** Whether there are no moves. */
export const isEmpty = (game) => game.nodes.length === 1;

/** The game without the move shown and all after it, at the move before. */
export function cut(game) {
  const parent = previous(game);
  if (parent === null) return game;
  const nodes = [...game.nodes];
  nodes[parent] = { ...nodes[parent], next: nodes[parent].next.filter((node) => node !== game.at) };
  return renumbered({ start: game.start, nodes, at: parent });
}

/** The game with the line shown as its main line. */
export function promote(game) {
  const nodes = [...game.nodes];
  for (const node of pathTo(game, game.at).slice(1)) {
    const { parent } = nodes[node];
    const others = nodes[parent].next.filter((other) => other !== node);
    nodes[parent] = { ...nodes[parent], next: [node, ...others] };
  }
  return renumbered({ start: game.start, nodes, at: game.at });
}

/** Whether the line shown leaves the main line. */
export const isVariation = (game) => !mainLine(game).includes(game.at);

/** The game with each position and each move changed alike, as by mirroring. */
export function transform(game, ranks, { position, square }) {
  const start = parsePosition(game.start, ranks);
  if (!start) return game;
  const move = (text) => square(text.slice(0, 2)) + square(text.slice(2));
  const nodes = game.nodes.map((node) => (node.move ? { ...node, move: move(node.move) } : node));
  return { ...game, start: formatPosition(position(start)), nodes };
}

/** The positions of a line of numbers; as many as can be drawn. */
export function positionsOf(game, line, ranks) {
  let position = parsePosition(game.start, ranks);
  if (!position) return [];
  const positions = [position];
  for (const move of movesOf(game, line)) {
    const piece = position.pieces.get(move.slice(0, 2));
    if (piece === undefined || sideOf(piece) !== position.side) break;
    position = afterMove(position, move);
    positions.push(position);
  }
  return positions;
}

/** The text of the position shown; null if the moves do not lead there. */
export function currentText(game, ranks) {
  if (game.at === 0) return game.start;
  const line = pathTo(game, game.at);
  const positions = positionsOf(game, line, ranks);
  return positions.length === line.length ? formatPosition(positions.at(-1)) : null;
}

/** The move that led to the position shown. */
export const lastMove = (game) => game.nodes[game.at].move;
