// What an answer says, in words.

import { t } from "../base/i18n.js";
import { fields } from "./notation.js";

const COLORS = { w: "white", b: "black" };
const other = (side) => (side === "w" ? "b" : "w");

/** The side to move of a report, `w` or `b`. */
export const sideToMove = (report) => fields(report.position)[1];

/** The side that wins, `w` or `b`; null for a draw or where it is unknown. */
export function winner(report) {
  const side = sideToMove(report);
  return { win: side, loss: other(side) }[report.category] ?? null;
}

/** The side that lost, or in a draw the one that cannot move. */
const loser = (report) => (winner(report) === sideToMove(report) ? other(sideToMove(report)) : sideToMove(report));

/** A color's key in the texts. */
export const colorKey = (side) => COLORS[side];

/** "White wins in 17 plies": the value of a position as a sentence. */
export function verdict(report) {
  const side = winner(report);
  if (report.over) {
    const reason = t(`over.${report.over}.${COLORS[loser(report)]}`);
    return side ? t(`won.${COLORS[side]}`, { reason }) : t("drawn", { reason });
  }
  if (side) return report.dtw === null ? t(`wins.${COLORS[side]}`) : t(`winsIn.${COLORS[side]}`, { n: report.dtw });
  return report.category === "draw" ? t("draw") : t("unknown");
}

/** "White to move". */
export const turn = (side) => t(`toMove.${COLORS[side]}`);

/** What a move comes to for its mover: `win`, `draw`, `loss` or `unknown`. The report tells it for the opponent. */
export const moverCategory = (move) => ({ win: "loss", loss: "win" })[move.category] ?? move.category;

/** The distance of a move in plies, this move counted; null where there is none. */
export const moverPlies = (move) => (move.dtw === null ? null : move.dtw + 1);

/** "White wins in 17 plies", of a win by its distance for the side to move in a position. */
export function winWords(side, plies) {
  return t(`winsIn.${COLORS[plies % 2 === 1 ? side : other(side)]}`, { n: plies });
}

/** What a move does, for those who hear it: piece, squares, capture. `before` is the position it is played in. */
export function moveWords(move, before) {
  const [from, to] = [move.slice(0, 2), move.slice(2, 4)];
  const taken = before.pieces.get(to);
  const values = { piece: t(`piece.${before.pieces.get(from)}`), from, to };
  return taken ? t("said.takes", { ...values, taken: t(`piece.${taken}`) }) : t("said.move", values);
}

/** "win, 17 plies": what a move comes to for its mover. */
export function valueWords(value, plies) {
  return plies === null
    ? t(`value.${value}`)
    : t("value.in", { value: t(`value.${value}`), plies: t("plies", { n: plies }) });
}

/** "White wins in 7 plies", of a position's value as told for both sides. */
export function positionWords({ winner, plies, bound }) {
  if (winner === "draw") return t("draw");
  if (plies === null) return t(`wins.${COLORS[winner]}`);
  const key = bound === "at-most" ? `winsWithin.${COLORS[winner]}` : `winsIn.${COLORS[winner]}`;
  return t(key, { n: plies });
}
