"""What tables answer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple, Optional

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

OFF_BOARD: Final = 255
"""In an array of squares: the piece is not on the board."""


class Category(IntEnum):
    """The outcome for the side to move, with best play of both sides."""

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
    """What is known of a position, for the side to move."""

    category: Category
    """Win, draw or loss."""
    dtw: Optional[int]
    """Plies to the end of the game; ``None`` for a draw, or if only WDL is present."""
    over: Optional[Over]
    """Why the game is over, if it is."""


@dataclass(frozen=True)
class Move:
    """A legal move and what it leads to."""

    move: str
    """From and to square, as in ``d7d8``."""
    capture: Optional[str]
    """The letter of the animal it takes."""
    den: bool
    """Whether it enters the enemy den."""
    value: Optional[Value]
    """The value of the position after it, for the side then to move; ``None`` if its table is missing."""

    def __str__(self) -> str:
        return self.move


@dataclass(frozen=True)
class Result:
    """All that tables say of a position."""

    position: str
    """The position, spelled as the program spells it."""
    material: str
    """The animals of both sides, as in ``ERvL``."""
    class_name: Optional[str]
    """The class whose table it is in; ``None`` if a side has no piece."""
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
    """What a proven distance is."""

    EXACT = "exact"
    """The distance: the winner can be no quicker and the loser no slower."""
    AT_MOST = "at-most"
    """The winner needs no more plies than this."""
    NONE = "none"
    """There is no distance: the position is drawn, or not proven, or a table tells no distance."""


@dataclass(frozen=True)
class Proof:
    """What is proven of a position."""

    position: str
    """The position, spelled as the program spells it."""
    category: Optional[Category]
    """Win, draw or loss for the side to move; ``None`` if it is not known."""
    dtw: Optional[int]
    """Plies to the end of the game, as ``bound`` says."""
    bound: Bound
    """What ``dtw`` is."""
    not_before: Optional[int]
    """No forced win of either side ends in fewer plies than this; ``None`` if neither side has a forced win."""
    line: tuple[str, ...]
    """The best line, as far as it is proven; empty without a distance."""
    positions: int
    """Positions looked at."""
    seconds: float
    """Time taken."""


class Values(NamedTuple):
    """The values of many positions, in their order."""

    category: npt.NDArray[np.int8]
    """1 for a win of the side to move, 0 for a draw, -1 for a loss: the numbers of :class:`Category`."""
    dtw: npt.NDArray[np.int32]
    """Plies to the end of the game; -1 for a draw, or if only WDL is present."""
