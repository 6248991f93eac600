// What an answer says, in words.

import { t } from "../base/i18n.js";

const COLORS = { w: "white", b: "black" };
const other = (side) => (side === "w" ? "b" : "w");

/** The side to move of a report, `w` or `b`. */
export const sideToMove = (report) => report.position.trim().split(/\s+/)[1];

/** The side that wins, `w` or `b`; null for a draw or where it is unknown. */
export function winner(report) {
  const side = sideToMove(report);
  return { win: side, loss: other(side) }[report.category] ?? null;
}

/** A color's key in the texts. */
export const colorKey = (side) => COLORS[side];

/** "White wins in 17 plies": the value of a position as a sentence. */
export function verdict(report) {
  const side = winner(report);
  if (report.over) {
    const reason = t(`over.${report.over}`);
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
