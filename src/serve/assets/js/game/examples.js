// Positions to begin with, by ground.

const JUNGLE = [
  { key: "lion", position: "7/7/2r4/3L3/7/3c3/7/7/7 w" },
  { key: "long", position: "5r1/7/7/7/7/7/7/7/6L b" },
  { key: "rat", position: "7/3e3/7/7/2R4/7/7/4l2/7 w" },
];
const CHECKERS = [
  { key: "tiger", position: "7/7/2r4/3T3/7/3d3/7 w" },
  { key: "elephant", position: "7/3e3/7/2R4/7/4t2/7 w" },
];

/** The examples of a rule set, with its array last. */
export function examples(rules) {
  const known = rules.ranks === 9 ? JUNGLE : CHECKERS;
  return [
    ...known.filter(({ position }) =>
      [...position.split(" ")[0]].every((c) => !/[a-z]/i.test(c) || rules.animals.has(c.toUpperCase())),
    ),
    ...(rules.start ? [{ key: "start", position: rules.start }] : []),
  ];
}
