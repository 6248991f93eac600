// A review of a game, as the service gives it, by the numbers of its plies.

const OTHER = { w: "b", b: "w" };

/** The value of a position for White and Black: who wins, in how many plies at most, `w`, `b`, `draw` or null. */
function told(value, side, counted) {
  if (!value || value.category === "unknown") return null;
  const winner = { win: side, loss: OTHER[side], draw: "draw" }[value.category];
  const plies = value.dtw === null ? null : value.dtw - counted;
  return { winner, plies, bound: value.bound ?? "exact", by: value.by ?? "table" };
}

/** The values of all positions of a reviewed game; `side` is to move at its start. Unknown ones are null. */
export function valuesOf(review, side) {
  const values = Array(review.plies + 1).fill(null);
  for (const { ply, before, after } of review.moves) {
    const mover = ply % 2 === 1 ? side : OTHER[side];
    values[ply - 1] ??= told(before, mover, 0);
    values[ply] ??= told(after, mover, 1);
  }
  return values;
}

/** Verdicts that a person would want to see, by how bad they are. */
const SIGNS = {
  "sooner": "?!",
  "slower": "?!",
  "sooner at most": "?!",
  "slower at most": "?!",
  "into a loss": "?",
  "draw→loss": "?",
  "win→draw": "?",
  "win→loss": "??",
};

/** The mistakes of a review: ply, move, sign, kind, what was better, whether the game was decided by it. */
export function mistakesOf(review) {
  return review.moves
    .filter(({ verdict }) => verdict in SIGNS)
    .map(({ ply, move, verdict, best, plies_lost: lost }) => ({
      ply,
      move,
      sign: SIGNS[verdict],
      kind: verdict.replace(/[→ ]/g, "-"),
      lost,
      best: best.filter((better) => better !== move),
      isDecisive: review.decisive?.ply === ply,
      isGrave: SIGNS[verdict] !== "?!",
    }));
}
