"""Tables, open for probing."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from types import TracebackType
from typing import Any, Literal, Optional, Union

import numpy as np
import numpy.typing as npt

from jungletb import _native
from jungletb._arrays import Mask, numbers, refuse_masked, rows_and_sides, texts
from jungletb._errors import PositionError
from jungletb._rules import Rules
from jungletb._types import Bound, Category, Color, Move, Over, Proof, Result, Value, Values

_CATEGORIES = {category.value: category for category in Category}
_Columns = dict[str, npt.NDArray[Any]]
_Missing = Literal["raise", "mask"]
_ValueTuple = tuple[int, Optional[int], Optional[str]]
_Path = Union[str, os.PathLike[str]]


def open_tablebase(
    path: Union[_Path, Sequence[_Path]] = (),
    rules: Union[Rules, _Path] = "standard",
    *,
    cache_bytes: Optional[int] = None,
    map_files: bool = True,
) -> Tablebase:
    """Opens the tables of a rule set, in a folder that has one folder per rule set.

    The call is cheap: a table is opened when a position first needs it, so a missing folder is reported by the first
    probe.

    :param path: the folder, such as ``tablebases``, or several folders, which are searched in order. Without any: the
        tables of up to three pieces under the standard rules, which are part of the package.
    :param rules: :class:`Rules`, the name of a preset, or the path of a rule file.
    :param cache_bytes: maximum bytes of cached unpacked blocks; default a sixteenth of the memory, 128 MiB to 1 GiB.
    :param map_files: whether files are mapped into memory; otherwise they are read block by block.

    >>> tables = open_tablebase("tablebases", rules="standard")
    >>> tables.most_pieces
    3
    >>> tables.close()
    >>> open_tablebase().wdl("7/7/2r4/3L3/7/3c3/7/7/7 w")
    <Category.LOSS: -1>
    """
    return Tablebase(path, rules, cache_bytes=cache_bytes, map_files=map_files)


class Tablebase:
    """The tables of one rule set, as returned by :func:`open_tablebase`.

    Any number of threads may probe one tablebase. Calls release the interpreter lock while they probe. Pickled, for
    another process, it is opened there again.

    >>> with open_tablebase("tablebases") as tables:
    ...     tables.wdl("7/7/2r4/3L3/7/3c3/7/7/7 w")
    <Category.LOSS: -1>
    """

    def __init__(
        self,
        path: Union[_Path, Sequence[_Path]] = (),
        rules: Union[Rules, _Path] = "standard",
        *,
        cache_bytes: Optional[int] = None,
        map_files: bool = True,
    ) -> None:
        self._folders = [os.fspath(path)] if isinstance(path, (str, os.PathLike)) else [os.fspath(one) for one in path]
        self._rules = rules if isinstance(rules, Rules) else Rules(rules)
        self._options = {"cache_bytes": cache_bytes, "map_files": map_files}
        self._tables = _native.Tables(self._folders, self._rules._rules, cache_bytes, map_files)

    @property
    def path(self) -> str:
        """The folder, or the first of several folders; empty without a folder."""
        return self._folders[0] if self._folders else ""

    @property
    def folders(self) -> list[str]:
        """All folders, in the order in which they are searched."""
        return list(self._folders)

    @property
    def rules(self) -> Rules:
        """The rules of the tables."""
        return self._rules

    @property
    def most_pieces(self) -> int:
        """The number of pieces of the largest table in the folders, from the file names; 0 if there is no table."""
        return self._tables.most_pieces()

    def has(self, material: str) -> bool:
        """Whether a usable table exists for a material.

        >>> with open_tablebase("tablebases") as tables:
        ...     tables.has("ERvL"), tables.has("ELTPvR")
        (True, False)

        :raises MaterialError: if the string is not a material.
        """
        return self._tables.has(material)

    def available(self) -> dict[str, list[str]]:
        """Returns the classes that have tables, with their metrics, from the file names.

        >>> with open_tablebase("tablebases") as tables:
        ...     tables.available()["EvR"]
        ['wdl', 'dtw']
        """
        return dict(self._tables.available())

    def refresh(self) -> bool:
        """Detects tables that were generated, replaced or removed since their last use; true if there are any.

        Until this call a missing table stays missing.
        """
        return self._tables.refresh()

    def wdl(self, position: str) -> Category:
        """Win, draw or loss for the side to move.

        >>> with open_tablebase("tablebases") as tables:
        ...     tables.wdl("7/3L3/7/7/7/7/7/7/c6 w")
        <Category.WIN: 1>

        :raises PositionError: if the string is not a position.
        :raises MissingTableError: if a table is missing.
        :raises TableError: if a table is damaged.
        """
        return _CATEGORIES[self._tables.wdl(position)]

    def wdl_in_memory(self, position: str) -> Optional[Category]:
        """Win, draw or loss if it is in memory, else ``None``: for a search that cannot wait for a disk.

        >>> with open_tablebase("tablebases") as tables:
        ...     before = tables.wdl_in_memory("7/7/2r4/3L3/7/3c3/7/7/7 w")
        ...     _ = tables.wdl("7/7/2r4/3L3/7/3c3/7/7/7 w")
        ...     before, tables.wdl_in_memory("7/7/2r4/3L3/7/3c3/7/7/7 w")
        (None, <Category.LOSS: -1>)

        :raises PositionError: if the string is not a position.
        """
        category = self._tables.wdl_in_memory(position)
        return None if category is None else _CATEGORIES[category]

    def value(self, position: str) -> Value:
        """Category, distance, and why the game is over, if it is.

        >>> with open_tablebase("tablebases") as tables:
        ...     tables.value("7/3L3/7/7/7/7/7/7/c6 w")
        Value(category=<Category.WIN: 1>, dtw=1, over=None)

        :raises: as :meth:`wdl`.
        """
        return _value(self._tables.value(position))

    def moves(self, position: str) -> list[Move]:
        """The legal moves, best first: wins (quickest first), unknown moves, draws, losses (slowest first).

        Moves that lead to a missing table are unknown and have no value. The list is empty if the game is over.

        >>> with open_tablebase("tablebases") as tables:
        ...     for move in tables.moves("7/7/2r4/3L3/7/3c3/7/7/7 w"):
        ...         print(move, move.value.category.name, move.value.dtw)
        d6d7 WIN 7
        d6d5 WIN 5
        d6a6 WIN 5
        d6g6 WIN 5

        :raises PositionError: if the string is not a position.
        :raises TableError: if a table is damaged.
        """
        return [_move(*move) for move in self._tables.moves(position)]

    def line(self, position: str) -> list[str]:
        """The best moves of both sides to the end of the game.

        Empty for a draw, if the game is over, and without a DTW table.

        >>> with open_tablebase("tablebases") as tables:
        ...     tables.line("7/3L3/7/7/7/7/7/7/c6 w")
        ['d8d9']

        :raises: as :meth:`wdl`.
        """
        return self._tables.line(position)

    def probe(self, position: str) -> Result:
        """Value, moves and best line of a position.

        >>> with open_tablebase("tablebases") as tables:
        ...     answer = tables.probe("7/7/2r4/3L3/7/3c3/7/7/7 w")
        >>> answer.material, answer.class_name, answer.category.name, answer.dtw
        ('LvCR', 'PRvL', 'LOSS', 8)
        >>> " ".join(answer.line)
        'd6d7 c7c8 d7d6 d4d3 d6d5 d3d2 d5d4 d2d1'

        :raises: as :meth:`wdl`.
        """
        text, material, class_name, (category, dtw, over), moves, line = self._tables.probe(position)
        return Result(
            position=text,
            material=material,
            class_name=class_name,
            category=_CATEGORIES[category],
            dtw=dtw,
            over=None if over is None else Over(over),
            moves=tuple(_move(*move) for move in moves),
            line=tuple(line),
        )

    def prove(
        self,
        position: str,
        *,
        time: Optional[float] = None,
        positions: Optional[int] = None,
        plies: Optional[int] = None,
        memory: int = 64 << 20,
        threads: Optional[int] = None,
    ) -> Proof:
        """Proves the value of a position beyond the tables.

        Searches for a forced win of either side, down to ends of the game and existing tables. The answer is exact, an
        upper bound, or the number of plies before which no forced win ends. Interrupting the search (Ctrl-C) raises
        ``KeyboardInterrupt``.

        >>> with open_tablebase("tablebases") as tables:
        ...     proof = tables.prove("5L1/3l2d/1tc4/7/7/7/1PWD1C1/7/7 w")
        >>> proof.category, proof.dtw, proof.bound
        (<Category.WIN: 1>, 3, <Bound.EXACT: 'exact'>)
        >>> proof.line[0]
        'f9e9'

        :param time: maximum number of seconds; default 10 if no other limit is given.
        :param positions: maximum number of positions to search. With one thread the answer is reproducible.
        :param plies: maximum length of a win; longer wins are not searched.
        :param memory: bytes for the table of proofs.
        :param threads: number of threads; default one per processor.

        :raises PositionError: if the string is not a position.
        :raises TableError: if a table is damaged.
        :raises ValueError: if a limit is not positive.
        :raises MemoryError: if ``memory`` bytes cannot be allocated.
        """
        if time is None and positions is None and plies is None:
            time = 10.0
        if time is not None and not time > 0:
            raise ValueError(f"time is {time}: give a number of seconds above 0")
        for name, number in (("positions", positions), ("plies", plies), ("memory", memory), ("threads", threads)):
            if number is not None and number < 1:
                raise ValueError(f"{name} is {number}: give a number above 0")
        if plies is not None:
            plies = min(plies, 65_000)
        text, category, dtw, bound, not_before, line, looked_at, seconds = self._tables.prove(
            position, time, positions, plies, memory, threads
        )
        return Proof(
            position=text,
            category=None if category is None else _CATEGORIES[category],
            dtw=dtw,
            bound=Bound(bound),
            not_before=not_before,
            line=tuple(line),
            positions=looked_at,
            seconds=seconds,
        )

    def probe_many(self, positions: Iterable[str], *, missing: _Missing = "raise") -> Values:
        """Returns the values of many positions, in their order.

        :param positions: the positions; those that are masked in a masked array are left out.
        :param missing: what to do with a position whose table is missing: ``"raise"`` an error, or ``"mask"`` it. If
            any are left out, the answers are masked arrays.

        >>> with open_tablebase("tablebases") as tables:
        ...     tables.probe_many(["7/3L3/7/7/7/7/7/7/c6 w", "7/7/2r4/3L3/7/3c3/7/7/7 w"])
        Values(category=array([ 1, -1], dtype=int8), dtw=array([1, 8], dtype=int32))

        :raises: as :meth:`wdl`; the message gives the number of the position, counted from 0.
        """
        category, dtw = self._of_texts(positions, missing, distances=True)
        assert dtw is not None
        return Values(category, dtw)

    def wdl_many(self, positions: Iterable[str], *, missing: _Missing = "raise") -> npt.NDArray[np.int8]:
        """Returns only the categories of many positions, for which WDL tables suffice. As :meth:`probe_many`.

        >>> with open_tablebase("tablebases") as tables:
        ...     tables.wdl_many(["7/3L3/7/7/7/7/7/7/c6 w", "7/7/2r4/3L3/7/3c3/7/7/7 w"])
        array([ 1, -1], dtype=int8)
        """
        return self._of_texts(positions, missing, distances=False)[0]

    def probe_squares(
        self, material: str, squares: npt.ArrayLike, to_move: npt.ArrayLike, *, missing: _Missing = "raise"
    ) -> Values:
        """Returns the values of many positions given as squares, without a Python loop: millions per second.

        :param material: the pieces, as in ``ERvL``.
        :param squares: an array of shape (positions, pieces): one square for each piece of the material, White's first,
            strongest first. Squares are numbers from 0 for a1 to 62 for g9, rank by rank, or :data:`OFF_BOARD`. Rows
            with a masked value are left out.
        :param to_move: the side to move, one per position or one for all: numbers of :class:`Color`.
        :param missing: as for :meth:`probe_many`.

        >>> with open_tablebase("tablebases") as tables:
        ...     tables.probe_squares("LvC", [[52, 0], [52, 0]], [Color.WHITE, Color.BLACK])
        Values(category=array([ 1, -1], dtype=int8), dtw=array([1, 2], dtype=int32))

        :raises PositionError: if a row is not a position, or an array has a wrong shape.
        :raises: as :meth:`wdl`; the message gives the number of the row, counted from 0.
        """
        category, dtw = self._of_squares(material, squares, to_move, missing, distances=True)
        assert dtw is not None
        return Values(category, dtw)

    def wdl_squares(
        self, material: str, squares: npt.ArrayLike, to_move: npt.ArrayLike, *, missing: _Missing = "raise"
    ) -> npt.NDArray[np.int8]:
        """Returns only the categories of many positions, for which WDL tables suffice. As :meth:`probe_squares`.

        >>> with open_tablebase("tablebases") as tables:
        ...     tables.wdl_squares("LvC", [[52, 0], [50, 0]], Color.WHITE)
        array([1, 1], dtype=int8)
        """
        return self._of_squares(material, squares, to_move, missing, distances=False)[0]

    def _of_texts(
        self, positions: Iterable[str], missing: _Missing, *, distances: bool
    ) -> tuple[npt.NDArray[np.int8], Optional[npt.NDArray[np.int32]]]:
        lines, count, mask = texts(positions, may_be_masked=True)
        return _masked(*self._tables.probe_texts(lines, count, mask, distances, _skips(missing)), mask)

    def _of_squares(
        self, material: str, squares: npt.ArrayLike, to_move: npt.ArrayLike, missing: _Missing, *, distances: bool
    ) -> tuple[npt.NDArray[np.int8], Optional[npt.NDArray[np.int32]]]:
        rows, sides, mask = rows_and_sides(squares, to_move, may_be_masked=True)
        return _masked(*self._tables.probe_squares(material, rows, sides, mask, distances, _skips(missing)), mask)

    def count(self, material: str) -> int:
        """Returns the number of rows of :meth:`material`, without reading them.

        >>> with open_tablebase("tablebases") as tables:
        ...     tables.count("ERvL")
        277536

        :raises: as :meth:`material`.
        """
        return self._tables.count(material)

    def material(self, material: str, *, distances: bool = True) -> _Columns:
        """Returns a whole table as columns: every position of a material with no piece in a den.

        The columns are the square of each piece, under its letter (upper case for White), ``to_move`` (a number of
        :class:`Color`), and for that side ``category`` (a number of :class:`Category`) and ``dtw`` (as in
        :class:`Values`). They can be passed to ``pandas.DataFrame``. Rows come in the order of the table, those with
        White to move first.

        :param distances: whether to return the column ``dtw``; without it, WDL tables suffice.

        >>> with open_tablebase("tablebases") as tables:
        ...     columns = tables.material("LvR")
        >>> {name: column.dtype.name for name, column in columns.items()}
        {'L': 'uint8', 'r': 'uint8', 'to_move': 'uint8', 'category': 'int8', 'dtw': 'int32'}
        >>> len(columns["dtw"]), int(columns["dtw"].max())
        (5880, 22)

        :raises MaterialError: if the string is not a material.
        :raises MissingTableError: if a table is missing.
        :raises TableError: if a table is damaged.
        :raises MemoryError: if there are more rows than memory holds: see :meth:`count` and :meth:`chunks`.
        """
        return _columns(*self._tables.material(material, distances))

    def chunks(self, material: str, rows: int = 1 << 20, *, distances: bool = True) -> Iterator[_Columns]:
        """Returns an iterator over a whole table in parts of at most ``rows`` rows: the columns of :meth:`material`.

        With distances, the table of the other side to move takes about one byte of memory per position.

        >>> with open_tablebase("tablebases") as tables:
        ...     sum(int((part["category"] == Category.WIN).sum()) for part in tables.chunks("ERvL", rows=100_000))
        158069

        :raises: as :meth:`material`.
        :raises ValueError: if ``rows`` is below 1,000.
        """
        if rows < 1000:
            raise ValueError(f"rows is {rows}: give at least 1000")
        chunks = self._tables.chunks(material, rows, distances)
        return (_columns(*part) for part in iter(chunks.next, None))

    def statistics(self, material: str) -> dict[str, Any]:
        """Returns the counts, the longest wins and the histogram of distances of a material, from its table's summary.

        The keys are those of ``jungletb stats --json``: in ``white`` White is to move, and ``win`` counts its wins.

        >>> with open_tablebase("tablebases") as tables:
        ...     tables.statistics("LvR")["white"]
        {'win': 2229, 'draw': 177, 'loss': 534}

        :raises: as :meth:`material`.
        """
        statistics: dict[str, Any] = json.loads(self._tables.statistics(material))
        return statistics

    def position(self, material: str, squares: Iterable[int], to_move: int) -> str:
        """Returns the text of a position given as squares: a row of :meth:`probe_squares` or :meth:`material`.

        >>> with open_tablebase("tablebases") as tables:
        ...     tables.position("LvC", [52, 0], Color.WHITE)
        '7/3L3/7/7/7/7/7/7/c6 w'

        :raises PositionError: if the squares are not a position.
        :raises MaterialError: if the string is not a material, or the number of squares is not its number of pieces.
        """
        refuse_masked(squares, "squares")
        row = numbers(squares if isinstance(squares, np.ndarray) else list(squares), "squares")
        if row.ndim != 1:
            raise PositionError(f"squares must have the shape (pieces,), not {row.shape}")
        side = numbers(to_move, "to_move")
        if side.ndim != 0:
            raise PositionError(f"to_move must be one number, not an array of shape {side.shape}")
        return self._tables.text(material, row.tolist(), int(side))

    @property
    def closed(self) -> bool:
        """Whether the tablebase is closed."""
        return self._tables.closed

    def close(self) -> None:
        """Closes the tables. Later probes raise :class:`ClosedError`; closing again has no effect."""
        self._tables.close()

    def __enter__(self) -> Tablebase:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        # The other process may run in another folder.
        folders = [os.path.abspath(folder) for folder in self._folders]
        return _reopened, (folders, self._rules, self._options, self.closed)

    def __repr__(self) -> str:
        return f"<Tablebase {self.path!r}, rules {self._rules.name!r}{', closed' if self.closed else ''}>"


def _reopened(folders: list[str], rules: Rules, options: dict[str, Any], closed: bool) -> Tablebase:
    tables = Tablebase(folders, rules, **options)
    if closed:
        tables.close()
    return tables


def _value(value: _ValueTuple) -> Value:
    category, dtw, over = value
    return Value(_CATEGORIES[category], dtw, None if over is None else Over(over))


def _move(text: str, capture: Optional[str], den: bool, position: str, value: Optional[_ValueTuple]) -> Move:
    return Move(text, capture, den, position, None if value is None else _value(value))


def _columns(
    letters: list[str],
    squares: list[npt.NDArray[np.uint8]],
    to_move: npt.NDArray[np.uint8],
    category: npt.NDArray[np.int8],
    dtw: Optional[npt.NDArray[np.int32]],
) -> _Columns:
    columns: _Columns = dict(zip(letters, squares))
    columns.update({"to_move": to_move, "category": category})
    if dtw is not None:
        columns["dtw"] = dtw
    return columns


def _skips(missing: _Missing) -> bool:
    if missing not in ("raise", "mask"):
        raise ValueError(f"missing is {missing!r}: give 'raise' or 'mask'")
    return missing == "mask"


def _masked(
    category: npt.NDArray[np.int8], dtw: Optional[npt.NDArray[np.int32]], missing: npt.NDArray[np.int64], mask: Mask
) -> tuple[npt.NDArray[np.int8], Optional[npt.NDArray[np.int32]]]:
    """Masks the answers of positions that were left out or whose table is missing, if there are any."""
    if not (mask.size or missing.size):
        return category, dtw
    hidden = mask.copy() if mask.size else np.zeros(len(category), dtype=np.bool_)
    hidden[missing] = True
    return np.ma.array(category, mask=hidden), None if dtw is None else np.ma.array(dtw, mask=hidden)
