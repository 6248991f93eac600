// The animals' heads. `i` is drawn in the piece's ink, `d` in the color of its disc; `l` are lines of ink.
// Each fills about 22..78 by 10..68 of a square of 100.

import { svg } from "../base/dom.js";

const both = (draw) => [draw((x) => x), draw((x) => 100 - x)];
const path = (kind, d) => svg("path", { class: kind, d });
const dot = (kind, x, y, r, ry = r) => svg("ellipse", { class: kind, cx: x, cy: y, rx: r, ry });

const DRAWINGS = {
  // Round ears far apart, a pointed snout, whiskers.
  R: () => [
    both((x) => [dot("i", x(32), 25, 12.5), dot("d", x(32), 25, 6.5)]),
    path("i", "M29 36C29 26 39 22 50 22S71 26 71 36C71 48 57 66 50 67C43 66 29 48 29 36Z"),
    both((x) => [dot("d", x(41), 39, 3.4), path("l", `M${x(42)} 56L${x(22)} 50M${x(43)} 60L${x(23)} 62`)]),
    dot("d", 50, 60.5, 3.6, 2.8),
  ],
  // Pointed ears, upright pupils.
  C: () => [
    path("i", "M28 13L43 24.5C48 23.4 52 23.4 57 24.5L72 13L73 42C73 57 62 66 50 66S27 57 27 42Z"),
    both((x) => [
      path("d", `M${x(32)} 21L${x(39)} 27L${x(32)} 32Z`),
      dot("d", x(40), 42, 5, 5.5),
      dot("i", x(40), 42, 1.7, 5),
      path("l", `M${x(25)} 50L${x(14)} 47M${x(26)} 55L${x(15)} 57`),
    ]),
    path("d", "M46 50H54L50 55Z"),
    path("e", "M50 55V58M43 58C43 62 50 62 50 58C50 62 57 62 57 58"),
  ],
  // Hanging ears, a broad muzzle.
  D: () => [
    path("i", "M31 21C39 13 61 13 69 21C73 31 71 45 67 51C64 61 59 67 50 67S36 61 33 51C29 45 27 31 31 21Z"),
    both((x) => [
      path(
        "i o",
        `M${x(35)} 18C${x(22)} 16 ${x(15)} 30 ${x(18)} 48C${x(19)} 57 ${x(29)} 56 ${x(31)} 47` +
          `C${x(33)} 38 ${x(32)} 28 ${x(35)} 18Z`,
      ),
      dot("d", x(42), 35, 3.4),
    ]),
    dot("d", 50, 53, 11.5, 10),
    path("i", "M43.5 47C43.5 44 56.5 44 56.5 47C56.5 51 52 53 50 53S43.5 51 43.5 47Z"),
    path("l", "M50 52V57M44 57C44 60.5 50 60.5 50 57C50 60.5 56 60.5 56 57"),
  ],
  // Tall ears, tufts at the cheeks, slanting eyes, a narrow muzzle.
  W: () => [
    path("i", "M27 9L41 23C47 21 53 21 59 23L73 9L75 34L83 48L70 50L58 68H42L30 50L17 48L25 34Z"),
    both((x) => [
      path("d", `M${x(31)} 18L${x(38)} 26L${x(31)} 31Z`),
      path("d", `M${x(33)} 36L${x(45)} 42L${x(44)} 45L${x(36)} 43Z`),
    ]),
    path("d", "M43.5 57H56.5L53 63H47Z"),
    path("e", "M50 26V38"),
  ],
  // Small round ears and spots.
  P: () => [
    both((x) => [dot("i", x(31), 20, 9), dot("d", x(31), 20, 4)]),
    path("i", "M26 38C26 24 37 17 50 17S74 24 74 38C74 56 63 67 50 67S26 56 26 38Z"),
    both((x) => [
      ...[
        [44, 22],
        [36, 26],
        [43.5, 29],
        [31, 34],
        [31, 43],
        [35, 50],
        [33.5, 57],
      ].map(([cx, cy]) => dot("d", x(cx), cy, 2.4)),
      path("d", `M${x(37)} 38C${x(40)} 35 ${x(45)} 36 ${x(46)} 40C${x(43)} 42 ${x(39)} 42 ${x(37)} 38Z`),
    ]),
    path("d", "M45 50H55L50 56Z"),
    path("e", "M50 56V59M43 59C43 63 50 63 50 59C50 63 57 63 57 59"),
  ],
  // Stripes, three of them across the forehead.
  T: () => [
    both((x) => [dot("i", x(29), 21, 11), dot("d", x(29), 21, 5)]),
    path("i", "M24 38C24 24 36 16 50 16S76 24 76 38L79 51L69 56C65 63 58 67 50 67S35 63 31 56L21 51Z"),
    path("e w", "M42 20H58M43 26H57M41 32H59M50 20V32"),
    both((x) => [
      path("d", `M${x(23)} 38L${x(36)} 41L${x(23.5)} 43Z`),
      path("d", `M${x(21)} 50L${x(35)} 48L${x(26)} 54Z`),
      dot("d", x(42), 41, 3.8, 3.2),
    ]),
    dot("d", 50, 56, 10, 7),
    path("i", "M45 50.5H55L50 56Z"),
    path("l", "M50 55V59M44.5 59.5C46 61.5 49 61.5 50 59C51 61.5 54 61.5 55.5 59.5"),
  ],
  // A mane all round.
  L: () => {
    const tufts = Array.from({ length: 13 }, (_, n) => {
      const angle = (n * 2 * Math.PI) / 13 - Math.PI / 2;
      return dot("i", (50 + 24 * Math.cos(angle)).toFixed(1), (38 + 21.5 * Math.sin(angle)).toFixed(1), 7.5);
    });
    return [
      tufts,
      dot("i", 50, 38, 24),
      both((x) => dot("d", x(36), 24.5, 4.6)),
      path("d", "M33.5 36.5C33.5 26 40.5 22 50 22S66.5 26 66.5 36.5C66.5 48 59.5 55.5 50 55.5S33.5 48 33.5 36.5Z"),
      both((x) => dot("i", x(42.5), 34, 2.6)),
      path("i", "M45 40.5H55L50 46Z"),
      path("l", "M50 45V49M44.5 48.5C45.5 51.5 49.5 51.5 50 48.5C50.5 51.5 54.5 51.5 55.5 48.5"),
    ];
  },
  // Wide ears and a trunk.
  E: () => [
    both((x) => path("i o", `M${x(37)} 22C${x(26)} 8 ${x(9)} 16 ${x(11)} 33C${x(12)} 45 ${x(24)} 54 ${x(36)} 47Z`)),
    path(
      "i o",
      "M35 21C41 12 59 12 65 21C69 31 66 41 62 46L58.5 60C58 70 44 72 42 65C41 60 47 59 48 62" +
        "L41.5 58L38 46C34 41 31 31 35 21Z",
    ),
    both((x) => [dot("d", x(42), 33, 3), path("d", `M${x(36)} 49L${x(40)} 50.5L${x(33)} 59Z`)]),
    path("e", "M44 46H56M44.5 51H55.5M45.5 56H54.5"),
  ],
};

/** The drawing of an animal's head, by its upper case letter. */
export const drawAnimal = (letter) => DRAWINGS[letter]().flat(Infinity);
