// A small engine: alpha-beta search that asks the tables. Run it with `node engine.js [POSITION] [TABLES]`, after
// compiling it with `tsc`.

import { open, start, type Category, type Tablebase } from "jungletb";

const PIECES: Record<string, number> = { r: 500, c: 200, d: 300, w: 350, p: 400, t: 800, l: 900, e: 1000 };
/** A win by the tables is worth less than one that the search sees to its end, and more than any material. */
const TABLE_WIN = 50_000;
const WIN = 100_000;
const VALUES: Record<Category, number> = { win: TABLE_WIN, draw: 0, loss: -TABLE_WIN };

export interface Choice {
  move: string;
  /** Where the move comes from: the tables, or the search. */
  basis: "table" | "search";
  score: number;
  nodes: number;
}

/** Chooses a move; null if the game is over. */
export async function choose(tables: Tablebase, position: string, depth: number): Promise<Choice | null> {
  // At the root, distances: the quickest win, the longest defense.
  const report = await tables.probe(position, { line: false });
  const best = report.moves[0];
  if (!best) return null;
  if (report.category !== "unknown") {
    const score = VALUES[report.category] - Math.sign(VALUES[report.category]) * (report.dtw ?? 0);
    return { move: best.move, basis: "table", score, nodes: 0 };
  }
  const search = new Search(tables);
  let choice: Choice | null = null;
  let alpha = -Infinity;
  for (const { move, position: next } of search.ordered(position)) {
    const score = -search.alphaBeta(next, depth - 1, 1, -Infinity, -alpha);
    if (score > alpha) {
      alpha = score;
      choice = { move, basis: "search", score, nodes: 0 };
    }
  }
  return choice && { ...choice, nodes: search.nodes };
}

class Search {
  nodes = 0;

  constructor(private readonly tables: Tablebase) {}

  alphaBeta(position: string, depth: number, ply: number, alpha: number, beta: number): number {
    this.nodes++;
    // In the search, win, draw or loss: at once, from memory. A position that is not there yet is searched.
    const known = this.tables.wdlNow(position);
    if (known !== undefined) return VALUES[known] - Math.sign(VALUES[known]) * ply;
    const moves = this.ordered(position);
    if (moves.length === 0) return ply - WIN;
    if (depth <= 0) return evaluate(position);
    for (const { position: next } of moves) {
      const score = -this.alphaBeta(next, depth - 1, ply + 1, -beta, -alpha);
      if (score >= beta) return score;
      alpha = Math.max(alpha, score);
    }
    return alpha;
  }

  /** The legal moves, captures and dens first. */
  ordered(position: string) {
    const worth = (move: { capture: string | null; den: boolean }) =>
      move.den ? WIN : move.capture ? PIECES[move.capture.toLowerCase()] : 0;
    return this.tables.successors(position).sort((a, b) => worth(b) - worth(a));
  }
}

/** Material, and how far the pieces are on their way to the den, for the side to move. */
function evaluate(position: string): number {
  const [board, side] = position.split(" ");
  let white = 0;
  board.split("/").forEach((rank, row) => {
    for (const letter of rank.replace(/\d/g, "")) {
      const isWhite = letter === letter.toUpperCase();
      const advance = isWhite ? 8 - row : row;
      white += (isWhite ? 1 : -1) * (PIECES[letter.toLowerCase()] + 8 * advance);
    }
  });
  return side === "w" ? white : -white;
}

const [position, source = "tablebases"] = process.argv.slice(2);
const tables = await open({ source });
// The tables of few pieces in memory before the search, which cannot wait for them.
for (const { class: name, pieces } of await tables.available()) {
  if (pieces <= 2) await tables.has(name);
}
console.log(JSON.stringify(await choose(tables, position ?? (await start()) ?? "", 4)));
