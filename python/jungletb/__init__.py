"""Endgame tablebases for Jungle (Dou Shou Qi).

A tablebase holds the exact outcome of every position with few pieces on the board: who wins, in how many plies, and by
which moves.

>>> import jungletb
>>> with jungletb.open_tablebase("tablebases") as tables:
...     answer = tables.probe("7/7/2r4/3L3/7/3c3/7/7/7 w")
>>> answer.category, answer.dtw
(<Category.LOSS: -1>, 8)

A position is a string: ranks from the top, digits for empty squares, upper case for White, who starts at the bottom,
and ``w`` or ``b`` for the side to move. Categories and distances are always for the side to move. A distance (DTW)
counts the plies to the end of the game when the winner plays the quickest win and the loser the longest resistance.

Start with:

- open_tablebase(folder, rules="standard") -> Tablebase
- one position: Tablebase.wdl, value, moves, line, probe; beyond the tables: prove
- many positions: probe_many and wdl_many for texts, probe_squares and wdl_squares for arrays of squares, which are
  numbered from 0 for a1 to 62 for g9, rank by rank: file ``square % 7``, rank ``square // 7``
- whole tables: material, in parts chunks, their number of rows count, their figures statistics
- which tables there are: has, available, most_pieces; refresh after new ones were generated
- the game without tables: Rules.moves, after, over, start; texts to arrays of squares and back: Rules.squares, positions

Answers are Category, Color, Over, Value, Move, Result, Proof, Bound, Values and Squares. PRESETS lists the rules.
Every exception is a JungletbError: PositionError, MoveError, MaterialError, RulesError, MissingTableError (with
material, class_ and command), TableError, TableIOError (an OSError) and ClosedError; memory that is exhausted is a
MemoryError. ``help(jungletb.Tablebase)`` and so on tell the rest.
"""

# No `__all__`: with it, help() would print all classes, with everything that they inherit, before the first method that
# one needs.
from jungletb._errors import ClosedError as ClosedError
from jungletb._errors import JungletbError as JungletbError
from jungletb._errors import MaterialError as MaterialError
from jungletb._errors import MissingTableError as MissingTableError
from jungletb._errors import MoveError as MoveError
from jungletb._errors import PositionError as PositionError
from jungletb._errors import RulesError as RulesError
from jungletb._errors import TableError as TableError
from jungletb._errors import TableIOError as TableIOError
from jungletb._native import VERSION as _VERSION
from jungletb._rules import PRESETS as PRESETS
from jungletb._rules import Rules as Rules
from jungletb._tablebase import Tablebase as Tablebase
from jungletb._tablebase import open_tablebase as open_tablebase
from jungletb._types import DTW_DRAW as DTW_DRAW
from jungletb._types import DTW_UNKNOWN as DTW_UNKNOWN
from jungletb._types import OFF_BOARD as OFF_BOARD
from jungletb._types import Bound as Bound
from jungletb._types import Category as Category
from jungletb._types import Color as Color
from jungletb._types import Move as Move
from jungletb._types import Over as Over
from jungletb._types import Proof as Proof
from jungletb._types import Result as Result
from jungletb._types import Squares as Squares
from jungletb._types import Value as Value
from jungletb._types import Values as Values

__version__ = _VERSION
