"""Rule sets."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any, Final, Optional, Union

import numpy.typing as npt

from jungletb import _native
from jungletb._arrays import rows_and_sides, texts
from jungletb._errors import RulesError
from jungletb._types import Over, Squares

PRESETS: Final = tuple(_native.PRESETS)
"""Names of the built-in rule sets."""


class Rules:
    """A rule set: the name of a preset, or the path of a rule file that ends in ``.toml``.

    Also the game itself, without tables: its moves, and positions as arrays of squares.

    >>> Rules("leiden").to_dict()["elephant_takes_rat"]
    'always'
    >>> Rules("chess")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    jungletb._errors.RulesError: unknown rules "chess": name a preset (standard, ...) or a file ending in .toml
    """

    __slots__ = ("_rules",)
    _rules: _native.Rules

    def __init__(self, preset_or_file: Union[str, os.PathLike[str]] = "standard") -> None:
        self._rules = _native.Rules.load(os.fspath(preset_or_file))

    @classmethod
    def from_dict(cls, keys: Mapping[str, Any], name: str) -> Rules:
        """Creates rules from the keys of a rule file; ``base`` names a preset, every other key overrides it.

        ``name`` is the name of the folder with the tables of these rules.

        >>> rules = Rules.from_dict({"base": "leiden", "jumps": {"leopard": "across"}}, name="house")
        >>> rules.name, rules.to_dict()["jumps"]["leopard"]
        ('house', 'across')
        """
        try:
            text = json.dumps(dict(keys))
        except TypeError as error:
            raise RulesError(f"bad rules: {error}") from None
        rules = cls.__new__(cls)
        rules._rules = _native.Rules.from_json(name, text)
        return rules

    @property
    def name(self) -> str:
        """The name of the folder with the tables of these rules."""
        return self._rules.name

    def to_dict(self) -> dict[str, Any]:
        """Returns every key with its value, in the form accepted by :meth:`from_dict`."""
        keys: dict[str, Any] = json.loads(self._rules.to_json())
        return keys

    def to_toml(self) -> str:
        """Returns every key with its value as the text of a rule file, which the program reads too.

        >>> print(Rules("russian").to_toml().splitlines()[0])
        board = "jungle"
        """
        return self._rules.to_toml()

    @property
    def start(self) -> Optional[str]:
        """The start position; ``None`` if the sources of the board give none."""
        return self._rules.start()

    def moves(self, position: str) -> dict[str, str]:
        """Returns the legal moves, each with the position after it; none if the game is over.

        >>> Rules().moves("7/3L3/7/7/7/7/7/7/c6 w")["d8d9"]
        '3L3/7/7/7/7/7/7/7/c6 b'

        :raises PositionError: if the string is not a position.
        """
        return dict(self._rules.moves(position))

    def after(self, position: str, *moves: str) -> str:
        """Returns the position after moves.

        >>> Rules().after("7/3L3/7/7/7/7/7/7/c6 w", "d8c8", "a1b1")
        '7/2L4/7/7/7/7/7/7/1c5 w'

        :raises PositionError: if the string is not a position.
        :raises MoveError: if a move is not legal.
        """
        return self._rules.after(position, list(moves))

    def over(self, position: str) -> Optional[Over]:
        """Returns why the game is over; ``None`` if it is not.

        :raises PositionError: if the string is not a position.
        """
        over = self._rules.over(position)
        return None if over is None else Over(over)

    def squares(self, material: str, positions: Iterable[str]) -> Squares:
        """Returns positions as arrays of squares, for :meth:`Tablebase.probe_squares`.

        The columns are the pieces of the material. A piece that is not on the board is on :data:`OFF_BOARD`.

        >>> squares, to_move = Rules().squares("LvCR", ["7/3L3/7/7/7/7/7/7/c6 w", "7/7/2r4/3L3/7/3c3/7/7/7 b"])
        >>> squares.tolist(), to_move.tolist()
        ([[52, 0, 255], [38, 24, 44]], [0, 1])

        :raises PositionError: if a string is not a position; the message gives its number, counted from 0.
        :raises MaterialError: if a position has a piece that the material has not.
        """
        lines, count, _ = texts(positions)
        return Squares(*self._rules.squares(material, lines, count))

    def positions(self, material: str, squares: npt.ArrayLike, to_move: npt.ArrayLike) -> list[str]:
        """Returns the texts of positions given as squares: the inverse of :meth:`squares`.

        >>> Rules().positions("LvC", [[52, 0], [52, 0]], [0, 1])
        ['7/3L3/7/7/7/7/7/7/c6 w', '7/3L3/7/7/7/7/7/7/c6 b']

        :raises PositionError: if a row is not a position; the message gives its number, counted from 0.
        """
        rows, sides, _ = rows_and_sides(squares, to_move, may_be_masked=False)
        return self._rules.texts(material, rows, sides)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and self._rules == other._rules

    def __hash__(self) -> int:
        return hash((self.name, self._rules.to_json()))

    def __repr__(self) -> str:
        return f"<Rules {self.name!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Rules.from_dict, (self.to_dict(), self.name)
