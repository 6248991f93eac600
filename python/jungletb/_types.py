"""Types of the answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple, Optional

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

OFF_BOARD: Final = 255
"""As a square: the piece is not on the board."""
DTW_DRAW: Final = -1
"""As a distance: the position is a draw, which has none."""
DTW_UNKNOWN: Final = -2
"""As a distance: not known, since only WDL is present."""


class Category(IntEnum):
    """The outcome for the side to move, with best play by both sides."""

    LOSS = -1
    DRAW = 0
    WIN = 1


class Color(IntEnum):
    """A side. White starts at the bottom, on ranks 1 to 3."""

    WHITE = 0
    BLACK = 1


class Over(str, Enum):
    """Why a game is over."""

    DEN = "den"
    """A piece stands in the enemy den."""
    NO_PIECES = "no-pieces"
    """A side has no piece left."""
    NO_MOVES = "no-moves"
    """The side to move has no legal move."""


@dataclass(frozen=True)
class Value:
    """The value of a position, for the side to move."""

    category: Category
    """Win, draw or loss."""
    dtw: Optional[int]
    """Plies to the end of the game; ``None`` for a draw, or if only WDL is present."""
    over: Optional[Over]
    """Why the game is over, if it is."""


@dataclass(frozen=True)
class Move:
    """A legal move and the value of the position after it."""

    move: str
    """From and to square, as in ``d7d8``."""
    capture: Optional[str]
    """The letter of the captured animal."""
    den: bool
    """Whether the move enters the enemy den."""
    position: str
    """The position after the move."""
    value: Optional[Value]
    """The value of the position after the move, for the side then to move; ``None`` if its table is missing."""

    def __str__(self) -> str:
        return self.move


@dataclass(frozen=True)
class Result:
    """Value, moves and best line of a position."""

    position: str
    """The position in normalized notation."""
    material: str
    """The animals of both sides, as in ``ERvL``."""
    class_name: Optional[str]
    """The class whose table has the position; ``None`` if a side has no piece."""
    category: Category
    """Win, draw or loss for the side to move."""
    dtw: Optional[int]
    """Plies to the end of the game; ``None`` for a draw, or if only WDL is present."""
    over: Optional[Over]
    """Why the game is over, if it is."""
    moves: tuple[Move, ...]
    """The legal moves, best first."""
    line: tuple[str, ...]
    """The best moves of both sides to the end of the game; empty for a draw."""


class Bound(str, Enum):
    """The kind of a proven distance."""

    EXACT = "exact"
    """The winner cannot be quicker, and the loser cannot hold out longer."""
    AT_MOST = "at-most"
    """The winner needs at most this many plies."""
    NONE = "none"
    """No distance: the position is drawn or not proven, or a table has WDL only."""


@dataclass(frozen=True)
class Proof:
    """The proven value of a position."""

    position: str
    """The position in normalized notation."""
    category: Optional[Category]
    """Win, draw or loss for the side to move; ``None`` if not proven."""
    dtw: Optional[int]
    """Plies to the end of the game, exact or an upper bound; ``None`` without a distance."""
    bound: Bound
    """Whether ``dtw`` is exact or an upper bound."""
    not_before: Optional[int]
    """No forced win of either side ends in fewer plies; ``None`` if neither side has a forced win."""
    line: tuple[str, ...]
    """The best line, as far as it is proven; empty without a distance."""
    positions: int
    """Number of positions searched."""
    seconds: float
    """Time taken."""


class Values(NamedTuple):
    """The values of many positions, in their order. Masked arrays if positions were left out."""

    category: npt.NDArray[np.int8]
    """1 for a win of the side to move, 0 for a draw, -1 for a loss: the numbers of :class:`Category`."""
    dtw: npt.NDArray[np.int32]
    """Plies to the end of the game; :data:`DTW_DRAW` for a draw, :data:`DTW_UNKNOWN` if only WDL is present."""


class Squares(NamedTuple):
    """Positions as arrays."""

    squares: npt.NDArray[np.uint8]
    """The square of each piece, one position per row."""
    to_move: npt.NDArray[np.uint8]
    """The numbers of :class:`Color`."""
