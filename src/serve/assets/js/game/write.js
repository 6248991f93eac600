// A game as a record with tags, as the program reads and writes it.

import { isEmpty } from "./game.js";

const tag = (name, value) => `[${name} "${value.replace(/\\/g, "\\\\").replace(/"/g, '\\"')}"]`;

/** The record of a game; `side` is to move at its start, `tags` tell who played and how it ended. */
export function writeRecord(game, side, rules, tags) {
  const first = side === "w" ? 0 : 1;
  const number = (ply) => `${Math.floor((ply + first) / 2) + 1}${(ply + first) % 2 === 0 ? "." : "..."}`;
  const after = (node, ply, isNumbered) => {
    const [main, ...others] = game.nodes[node].next;
    if (main === undefined) return [];
    const word = (child, always) => [
      ...(always || (ply + first) % 2 === 0 ? [number(ply)] : []),
      game.nodes[child].move,
    ];
    const variations = others.map((other) => `(${[...word(other, true), ...after(other, ply + 1, false)].join(" ")})`);
    return [...word(main, isNumbered), ...variations, ...after(main, ply + 1, variations.length > 0)];
  };
  const lines = [
    tag("White", tags.white ?? "?"),
    tag("Black", tags.black ?? "?"),
    tag("Result", tags.result ?? "*"),
    ...(tags.reason ? [tag("Reason", tags.reason)] : []),
    tag("Rules", rules.name),
    ...(game.start === rules.start ? [] : [tag("Position", game.start)]),
  ];
  const moves = isEmpty(game) ? [] : after(0, 0, true);
  return `${lines.join("\n")}\n\n${[...moves, tags.result ?? "*"].join(" ")}\n`;
}
