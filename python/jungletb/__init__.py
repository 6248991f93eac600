"""Endgame tablebases for Jungle (Dou Shou Qi).

A tablebase holds the exact outcome of every position with few pieces on the board: who wins, in how many plies, and by
which moves.

>>> import jungletb
>>> with jungletb.open_tablebase("tablebases") as tables:
...     answer = tables.probe("7/7/2r4/3L3/7/3c3/7/7/7 w")
>>> answer.category, answer.dtw
(<Category.LOSS: -1>, 8)

A position is a string: ranks from the top, digits for empty squares, upper case for White, who starts at the bottom,
and ``w`` or ``b`` for the side to move. Batches can be arrays of squares, numbered from 0 for a1 to 62 for g9, rank by
rank: file ``square % 7``, rank ``square // 7``. Categories and distances are always for the side to move. A distance
(DTW) counts the plies to the end of the game when the winner plays the quickest win and the loser the longest
resistance.

Start with :func:`open_tablebase` and :class:`Tablebase`. Every exception is a :class:`JungletbError`.
"""

from jungletb._errors import (
    ClosedError,
    JungletbError,
    MaterialError,
    MissingTableError,
    PositionError,
    RulesError,
    TableError,
    TableIOError,
)
from jungletb._native import VERSION as __version__
from jungletb._rules import PRESETS, Rules
from jungletb._tablebase import Tablebase, open_tablebase
from jungletb._types import OFF_BOARD, Bound, Category, Color, Move, Over, Proof, Result, Value, Values

__all__ = [
    "OFF_BOARD",
    "PRESETS",
    "Bound",
    "Category",
    "ClosedError",
    "Color",
    "JungletbError",
    "MaterialError",
    "MissingTableError",
    "Move",
    "Over",
    "PositionError",
    "Proof",
    "Result",
    "Rules",
    "RulesError",
    "TableError",
    "TableIOError",
    "Tablebase",
    "Value",
    "Values",
    "__version__",
    "open_tablebase",
]
