"""Measures positions per second, warm: single probes, batches of texts and of squares, whole materials.

    python python/benches/batch.py [TABLES]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import jungletb
import numpy as np


def rate(what: str, count: int, run: Callable[[], object]) -> None:
    """Prints the rate of the quickest of five runs, in CPU seconds, after a warm-up run."""
    run()
    took = []
    for _ in range(5):
        start = time.thread_time()
        run()
        took.append(time.thread_time() - start)
    print(f"{what:32} {count / min(took):12,.0f} positions a CPU second")


def main() -> None:
    with jungletb.open_tablebase(sys.argv[1] if len(sys.argv) > 1 else "tablebases") as tables:
        columns = tables.material("ERvL")
        order = np.random.default_rng(1).permutation(len(columns["to_move"]))
        squares = np.column_stack([columns[piece] for piece in "ERl"])[order]
        to_move = columns["to_move"][order]
        some = 20_000
        texts = [tables.position("ERvL", squares[n], to_move[n]) for n in range(some)]

        rate("probe_squares, random order", len(order), lambda: tables.probe_squares("ERvL", squares, to_move))
        rate("probe_many, random order", some, lambda: tables.probe_many(texts))
        rate("material", len(order), lambda: tables.material("ERvL"))
        rate("wdl, one by one", some, lambda: [tables.wdl(text) for text in texts])
        rate("value, one by one", some, lambda: [tables.value(text) for text in texts])
        rate("moves, one by one", some, lambda: [tables.moves(text) for text in texts])


if __name__ == "__main__":
    main()
