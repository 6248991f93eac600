"""Measures positions per CPU second, warm: batches of texts and of squares, whole materials, single probes.

    python python/benches/batch.py [TABLES [MATERIAL [POSITIONS]]]

Positions are drawn at random from the material, those of both sides to move mixed. A batch that has many positions of a
class is read in another way than one that has few: give larger and smaller numbers.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import jungletb
import numpy as np
import numpy.typing as npt


def rate(what: str, count: int, run: Callable[[], object]) -> None:
    """Prints the rate of the quickest of five runs, in CPU seconds of all threads, after a warm-up run."""
    run()
    took = []
    for _ in range(5):
        start = time.process_time()
        run()
        took.append(time.process_time() - start)
    print(f"{what:40} {count / min(took):12,.0f} positions per CPU second")


def sample(tables: jungletb.Tablebase, material: str, count: int) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """Returns squares and sides of random positions of a material."""
    random = np.random.default_rng(1)
    white, black = material.split("v")
    letters = list(white + black.lower())
    share = min(1.0, 1.2 * count / tables.count(material))
    squares, sides = [], []
    for part in tables.chunks(material, distances=False):
        chosen = random.random(len(part["to_move"])) < share
        squares.append(np.column_stack([part[letter][chosen] for letter in letters]))
        sides.append(part["to_move"][chosen])
    rows, to_move = np.concatenate(squares), np.concatenate(sides)
    order = random.permutation(len(rows))[:count]
    return rows[order], to_move[order]


def main() -> None:
    folder, material, count = [*sys.argv[1:], *["tablebases", "ERvL", "200000"][len(sys.argv) - 1 :]]
    with jungletb.open_tablebase(folder) as tables:
        squares, to_move = sample(tables, material, int(count))
        texts = tables.rules.positions(material, squares, to_move)
        few = 20_000
        print(f"{material}, {len(texts):,} of {tables.count(material):,} positions")
        rate("probe_squares", len(texts), lambda: tables.probe_squares(material, squares, to_move))
        rate("wdl_squares", len(texts), lambda: tables.wdl_squares(material, squares, to_move))
        rate("probe_many", len(texts), lambda: tables.probe_many(texts))
        rate("wdl_many", len(texts), lambda: tables.wdl_many(texts))
        rate("probe_squares, 1,000 at a time", few, lambda: by_thousands(tables, material, squares, to_move, few))
        rate("Rules.squares", len(texts), lambda: tables.rules.squares(material, texts))
        if tables.count(material) < 20_000_000:
            rate("material", tables.count(material), lambda: tables.material(material))
        rate("value, one by one", few, lambda: [tables.value(text) for text in texts[:few]])
        rate("wdl, one by one", few, lambda: [tables.wdl(text) for text in texts[:few]])


def by_thousands(
    tables: jungletb.Tablebase,
    material: str,
    squares: npt.NDArray[np.uint8],
    to_move: npt.NDArray[np.uint8],
    count: int,
) -> None:
    """Probes positions in small batches."""
    for start in range(0, count, 1000):
        tables.probe_squares(material, squares[start : start + 1000], to_move[start : start + 1000])


if __name__ == "__main__":
    main()
