#!/usr/bin/env python3
"""A second checker of certificates, written from `src/proof/certificate/FORMAT.md` alone.

It shares no code with the program that finds proofs and writes certificates. It has its own move generator, built from
the keys of a rule file, and reads tables with `read_table.py`, the second reader of `src/table/FORMAT.md`.

    check_certificate.py FILE... --rules RULES.toml [--tables DIR] [--name NAME]

RULES.toml is a rule file with all keys, as printed by `jungletb rules NAME`. DIR has a folder of tables for each rule
set; NAME is the name of that folder, by default the name in the certificate. Prints one line per file: which side wins,
and within how many plies. The exit code is 0 if all certificates hold, 2 for bad arguments, 3 for a damaged certificate
or table, or a certificate that proves nothing, and 4 for a missing table. Needs Python 3.11 and the package zstandard.
"""

import argparse
import os
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from read_table import (
    HEADER_LENGTH,
    LOSS,
    WIN,
    DamagedFile,
    Header,
    MissingModule,
    Table,
    Value,
    board_squares,
    open_table,
    read_header,
    word64,
    xxh3_64,
)

EXIT_BAD_ARGUMENTS = 2
EXIT_DAMAGED = 3
EXIT_MISSING = 4


class Refused(Exception):
    """The certificate is damaged, for other rules, or proves nothing."""


class MissingTable(Exception):
    """A table that the certificate rests on is missing."""


# ---------------------------------------------------------------------------------------------------------------------
# The game
# ---------------------------------------------------------------------------------------------------------------------

ANIMALS = ("rat", "cat", "dog", "wolf", "leopard", "tiger", "lion", "elephant")
LETTERS = "RCDWPTLE"
RAT, CAT, DOG, WOLF, LEOPARD, TIGER, LION, ELEPHANT = range(8)
WHITE, BLACK = 0, 1
FILES = 7
OFF = 255

JUNGLE = ("..tdt..", "...t...", ".......", ".~~.~~.", ".~~.~~.", ".~~.~~.", ".......", "...t...", "..tDt..")
CHECKERS = ("...d...", ".......", ".......", ".......", ".......", ".......", "...D...")

Move = tuple[int, int]
"""From and to."""

Piece = tuple[int, int]
"""Side and animal."""


def square_name(square: int) -> str:
    return "abcdefg"[square % FILES] + str(square // FILES + 1)


def move_name(move: Move) -> str:
    return square_name(move[0]) + square_name(move[1])


@dataclass(frozen=True)
class Position:
    """Squares of White's rat to elephant, then Black's; the side to move."""

    squares: tuple[int, ...]
    mover: int

    def pieces(self) -> list[tuple[Piece, int]]:
        return [(divmod(i, 8), square) for i, square in enumerate(self.squares) if square != OFF]

    def material(self) -> tuple[Piece, ...]:
        return tuple(piece for piece, _ in self.pieces())

    def text(self, ranks: int) -> str:
        board = dict((square, piece) for piece, square in self.pieces())
        rows = []
        for rank in reversed(range(ranks)):
            row, gap = "", 0
            for square in range(rank * FILES, rank * FILES + FILES):
                if square in board:
                    side, animal = board[square]
                    letter = LETTERS[animal] if side == WHITE else LETTERS[animal].lower()
                    row += (str(gap) if gap else "") + letter
                    gap = 0
                else:
                    gap += 1
            rows.append(row + (str(gap) if gap else ""))
        return f"{'/'.join(rows)} {'wb'[self.mover]}"


class Game:
    """The rules of a rule file, and the abilities of each piece under them."""

    def __init__(self, keys: dict[str, Any]) -> None:
        self.keys = keys
        picture = {"jungle": JUNGLE, "animal-checkers": CHECKERS}[keys["board"]]
        self.ranks = len(picture)
        self.last = self.ranks * FILES
        cells = {
            (self.ranks - 1 - row) * FILES + file: symbol
            for row, text in enumerate(picture)
            for file, symbol in enumerate(text)
        }
        self.water = {square for square, symbol in cells.items() if symbol == "~"}
        half = self.ranks // 2
        traps = {square for square, symbol in cells.items() if symbol == "t"}
        self.traps = (
            {square for square in traps if square // FILES < half},
            {square for square in traps if square // FILES > half},
        )
        self.dens = tuple(next(square for square, symbol in cells.items() if symbol == den) for den in "Dd")
        self.present = range(8) if keys["board"] == "jungle" else (RAT, DOG, TIGER, ELEPHANT)
        self.strength = [keys["strength"][animal] for animal in ANIMALS]
        self.domains = [self._domain(animal) for animal in range(8)]
        self.ways = {
            (side, animal): {square: list(self._ways(side, animal, square)) for square in self.domains[animal]}
            for side in (WHITE, BLACK)
            for animal in range(8)
        }

    def goal(self, side: int) -> int:
        """The den that a side wants to enter."""
        return self.dens[1 - side]

    def _domain(self, animal: int) -> set[int]:
        """The squares on which an animal may stand during the game."""
        if animal not in self.present:
            return set()
        squares = set(range(self.last)) - set(self.dens)
        if ANIMALS[animal] not in self.keys["swimmers"]:
            squares -= self.water
        if self.strength[animal] > self.keys["trap_entry_max_strength"]:
            squares -= self.traps[WHITE] | self.traps[BLACK]
        return squares

    def _step(self, square: int, files: int, ranks: int) -> int | None:
        file, rank = square % FILES + files, square // FILES + ranks
        return rank * FILES + file if 0 <= file < FILES and 0 <= rank < self.ranks else None

    def _ways(self, side: int, animal: int, square: int) -> Iterator[tuple[int, tuple[int, ...]]]:
        """The moves of an animal on the empty board: target, and the water that it jumps over."""
        jumps = self.keys["jumps"][ANIMALS[animal]]
        for files, ranks in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            target = self._step(square, files, ranks)
            if target is None:
                continue
            if target in self.domains[animal] or target == self.goal(side):
                yield target, ()
            direction = "along" if files == 0 else "across"
            if jumps not in (direction, "both") or square in self.water or target not in self.water:
                continue
            path = []
            while target is not None and target in self.water:
                path.append(target)
                target = self._step(target, files, ranks)
            if target is not None and target in self.domains[animal]:
                yield target, tuple(path)

    def stops(self, jumper: Piece, other: Piece) -> bool:
        """Whether a piece in the water blocks a jump over it."""
        if ANIMALS[jumper[1]] in self.keys["jumps_over_rats"]:
            return False
        blockers = self.keys["jump_blockers"]
        return blockers == "any" or (blockers == "enemy" and jumper[0] != other[0])

    def _weakened(self, side: int, square: int) -> bool:
        """Whether a trap removes the strength of a piece of this side."""
        traps = self.keys["traps"]
        if traps == "enemy":
            return square in self.traps[1 - side]
        return traps == "all" and square in self.traps[WHITE] | self.traps[BLACK]

    def takes(self, attacker: Piece, origin: int, victim: Piece, target: int) -> bool:
        side, animal = attacker
        other, prey = victim
        stronger = self.strength[animal] >= self.strength[prey]
        from_water, to_water = origin in self.water, target in self.water
        if from_water and to_water:
            return stronger
        if from_water:
            return animal == RAT and ANIMALS[prey] in self.keys["rat_from_water_takes"]
        if to_water:
            return animal == RAT and prey == RAT and self.keys["rat_on_land_takes_rat_in_water"]
        weak_prey = self._weakened(other, target)
        if self.keys["trapped_piece_attacks"] == "powerless" and self._weakened(side, origin) and not weak_prey:
            return False
        if animal == ELEPHANT and prey == RAT:
            return {"never": False, "in-trap": weak_prey, "always": True}[self.keys["elephant_takes_rat"]]
        if animal == RAT and prey == ELEPHANT:
            return True
        return weak_prey or stronger

    def winner(self, position: Position) -> int | None:
        """The side that has won by entering a den or taking the last piece."""
        for side in (WHITE, BLACK):
            if self.goal(side) in position.squares[8 * side : 8 * side + 8]:
                return side
        for side in (WHITE, BLACK):
            if all(square == OFF for square in position.squares[8 * (1 - side) : 8 * (1 - side) + 8]):
                return side
        return None

    def moves(self, position: Position) -> list[tuple[Move, Position]]:
        """The legal moves, ordered by their squares, each with the position after it."""
        if self.winner(position) is not None:
            return []
        board = {square: piece for piece, square in position.pieces()}
        found = []
        for piece, origin in position.pieces():
            if piece[0] != position.mover:
                continue
            for target, path in self.ways[piece][origin]:
                if any(square in board and self.stops(piece, board[square]) for square in path):
                    continue
                victim = board.get(target)
                if victim is not None and (victim[0] == piece[0] or not self.takes(piece, origin, victim, target)):
                    continue
                squares = list(position.squares)
                squares[8 * piece[0] + piece[1]] = target
                if victim is not None:
                    squares[8 * victim[0] + victim[1]] = OFF
                found.append(((origin, target), Position(tuple(squares), 1 - position.mover)))
        return sorted(found)

    def is_possible(self, position: Position) -> bool:
        """Whether the pieces stand on different squares that are open to them, with at most one in a den."""
        squares = [square for _, square in position.pieces()]
        in_den = 0
        for (side, animal), square in position.pieces():
            if square == self.goal(side) and animal in self.present:
                in_den += 1
            elif square not in self.domains[animal]:
                return False
        return 0 < len(squares) == len(set(squares)) and in_den < 2


# ---------------------------------------------------------------------------------------------------------------------
# Tables
# ---------------------------------------------------------------------------------------------------------------------


class Distances:
    """The tables that a certificate rests on."""

    def __init__(self, game: Game, folder: str, listed: list[tuple[str, int]]) -> None:
        self.game = game
        self.folder = folder
        self.tables: dict[str, Table] = {}
        for name, checksum in listed:
            path = os.path.join(folder, f"{name}.dtw")
            try:
                table = open_table(path)
            except FileNotFoundError as error:
                raise MissingTable(f"{path}: no such table") from error
            if name in self.tables:
                raise Refused(f"the table {name} is listed twice")
            if table.checksum != checksum:
                raise Refused(
                    f"it rests on a table {name}.dtw with the checksum {checksum:016x}, but that of {path} "
                    f"is {table.checksum:016x}"
                )
            if table.header.metric != 1:
                raise Refused(f"{path} is not a DTW table")
            self.tables[name] = table
        self.listed = set(self.tables)
        self.mappings: dict[tuple[Piece, ...], Any] = {}
        self.headers: dict[str, Header] | None = None

    def value(self, position: Position) -> Value | None:
        """The value of a position, `None` if no listed table has it."""
        found = self._mapping(position.material())
        if found is None or found[0] not in self.listed:
            return None
        value = self._stored(position)
        return self.won(position) if value == Value(WIN, None) else value

    def won(self, position: Position) -> Value:
        """The value of a won position whose table leaves out the distance: one ply after the quickest loss."""
        best: int | None = None
        for _, after in self.game.moves(position):
            plies: int | None = None
            if self.game.winner(after) is not None:
                plies = 0
            else:
                value = self._stored(after)
                if value.category == LOSS:
                    plies = value.plies
            if plies is not None and (best is None or plies < best):
                best = plies
        if best is None:
            raise DamagedFile(f"{position.text(self.game.ranks)} is won in a table, but no move leads to a loss")
        return Value(WIN, best + 1)

    def _mapping(self, material: tuple[Piece, ...]) -> Any:
        if material not in self.mappings:
            self.mappings[material] = self._find(material)
        return self.mappings[material]

    def _stored(self, position: Position) -> Value:
        """The value of a position as far as the tables of the folder store it."""
        material = position.material()
        found = self._mapping(material)
        if found is None:
            raise MissingTable(f"{self.folder}: no table for {position.text(self.game.ranks)}")
        name, mapping, exchanged = found
        table = self.tables[name]
        placement: list[list[int]] = [[] for _ in table.header.groups]
        mover = position.mover ^ exchanged
        if mover >= table.header.sides:
            # A class that is its own image stores one side to move.
            other = self._map(table.header, material, 1 - exchanged)
            if other is None:
                raise Refused(f"the table {table.header.class_name} is not its own image")
            mapping, exchanged, mover = other, 1 - exchanged, 1 - mover
        for piece, square in position.pieces():
            placement[mapping[piece]].append(self.game.last - 1 - square if exchanged else square)
        number = table.index.encode(tuple(tuple(sorted(squares)) for squares in placement))
        return table.value(mover, number)

    def _find(self, material: tuple[Piece, ...]) -> Any:
        if self.headers is None:
            self.headers = {}
            for file in sorted(os.listdir(self.folder)):
                name, extension = os.path.splitext(file)
                if extension == ".dtw":
                    with open(os.path.join(self.folder, file), "rb") as opened:
                        self.headers[name] = read_header(opened.read(HEADER_LENGTH))
        # Listed tables first: another one may be the same game.
        for name in [*self.listed, *(name for name in self.headers if name not in self.listed)]:
            for exchanged in (0, 1):
                mapping = self._map(self.headers[name], material, exchanged)
                if mapping is not None:
                    if name not in self.tables:
                        self.tables[name] = open_table(os.path.join(self.folder, f"{name}.dtw"))
                    return name, mapping, exchanged
        return None

    def _map(self, header: Header, material: tuple[Piece, ...], exchanged: int) -> dict[Piece, int] | None:
        """The group of each piece in the table, if the material is the same game as the table."""
        places = [
            ((group.side, LETTERS.index(letter)), number)
            for number, group in enumerate(header.groups)
            for letter in group.letters.upper()
        ]
        if len(places) != len(material) or board_squares(header.groups) > self.game.last:
            return None

        def extend(chosen: list[tuple[Piece, Piece, int]]) -> list[tuple[Piece, Piece, int]] | None:
            if len(chosen) == len(material):
                return chosen
            piece = material[len(chosen)]
            for place, number in places:
                if any(place == taken for _, taken, _ in chosen) or place[0] != piece[0] ^ exchanged:
                    continue
                if self._alone(piece, exchanged) != self._alone(place, 0):
                    continue
                if any(
                    self._pair(piece, other, exchanged) != self._pair(place, taken, 0)
                    or self._pair(other, piece, exchanged) != self._pair(taken, place, 0)
                    for other, taken, _ in chosen
                ):
                    continue
                found = extend([*chosen, (piece, place, number)])
                if found is not None:
                    return found
            return None

        found = extend([])
        if found is None:
            return None
        for _, place, number in found:
            if set(header.groups[number].open_squares) != self.game.domains[place[1]]:
                raise Refused(f"the table {header.class_name} was made for other rules")
        return {piece: number for piece, _, number in found}

    def _turned(self, square: int, exchanged: int) -> int:
        return self.game.last - 1 - square if exchanged else square

    def _alone(self, piece: Piece, exchanged: int) -> Any:
        """The moves of a piece on the empty board, seen from the other side if the colors are exchanged."""
        return {
            (self._turned(square, exchanged), self._turned(target, exchanged), frozenset(self._turned(s, exchanged) for s in path))
            for square, ways in self.game.ways[piece].items()
            for target, path in ways
        } | {self._turned(square, exchanged) for square in self.game.domains[piece[1]]}

    def _pair(self, piece: Piece, other: Piece, exchanged: int) -> Any:
        """The relation of a piece to another one: it may take it, and its jump may be blocked by it."""
        jumped = any(
            square in self.game.domains[other[1]]
            for ways in self.game.ways[piece].values()
            for _, path in ways
            for square in path
        )
        taken = set()
        if piece[0] != other[0]:
            taken = {
                (self._turned(square, exchanged), self._turned(target, exchanged))
                for square, ways in self.game.ways[piece].items()
                for target, _ in ways
                if target in self.game.domains[other[1]] and self.game.takes(piece, square, other, target)
            }
        return taken, jumped and self.game.stops(piece, other), piece[0] == other[0]


# ---------------------------------------------------------------------------------------------------------------------
# The file
# ---------------------------------------------------------------------------------------------------------------------

MAGIC = bytes.fromhex("8b4a54430d0a1a0a")
VERSION = 1
START = 14
MOST_HEAD = 8 << 20
MOST_PLIES = 65_000
CHECKSUM = 8

KEYS_OF_ANIMALS = ("strength", "jumps")
KEYS: tuple[tuple[str, tuple[Any, ...]], ...] = (
    ("board", ("jungle", "animal-checkers")),
    ("strength", ()),
    ("elephant_takes_rat", ("never", "in-trap", "always")),
    ("rat_from_water_takes", ()),
    ("rat_on_land_takes_rat_in_water", (False, True)),
    ("jumps", ("none", "along", "across", "both")),
    ("jumps_over_rats", ()),
    ("jump_blockers", ("any", "enemy", "none")),
    ("traps", ("none", "enemy", "all")),
    ("trapped_piece_attacks", ("normal", "powerless")),
    ("trap_entry_max_strength", ()),
    ("swimmers", ()),
    ("no_legal_move", ("loss", "draw")),
)


def key_bytes(keys: dict[str, Any], name: str, values: tuple[Any, ...]) -> bytes:
    """A key of a rule file, in the encoding of the head."""
    value = keys[name]
    if isinstance(value, list):
        return bytes([sum(1 << ANIMALS.index(animal) for animal in value)])
    if isinstance(value, dict):
        return bytes(values.index(value[animal]) if values else value[animal] for animal in ANIMALS)
    return bytes([values.index(value) if values else value])


LAST, TABLE, REFERENCE, LABEL = 0x3C, 0x3D, 0x3E, 0x3F
MOVE_BITS = 0x3F
THEN_REPLIES, THEN_LABEL, THEN_REFERENCE, THEN_TABLE = 0x00, 0x40, 0x80, 0xC0


class Head:
    """The head of a certificate."""

    def __init__(self, data: bytes) -> None:
        if not data.startswith(MAGIC):
            raise Refused("not a certificate")
        if len(data) < START + CHECKSUM:
            raise Refused("it is too short")
        version = int.from_bytes(data[8:10], "little")
        if version != VERSION:
            raise Refused(f"version {version}, this reads version {VERSION}")
        if xxh3_64(data[:-CHECKSUM]) != word64(data, len(data) - CHECKSUM):
            raise Refused("it fails its checksum")
        self.length = int.from_bytes(data[10:START], "little")
        if not START <= self.length <= min(MOST_HEAD, len(data) - CHECKSUM):
            raise Refused("the length of its head does not fit")
        self.data = data[: self.length]
        self.at = START
        keys = len(KEYS) + 2 * (len(ANIMALS) - 1)
        self.keys = self.take(keys)
        self.rules = self.text()
        *squares, mover = self.take(17)
        winner = self.number(1)
        if mover > 1 or winner > 1:
            raise Refused("a side is neither 0 nor 1")
        self.position = Position(tuple(squares), mover)
        self.winner = winner
        self.plies = self.number(2)
        if self.plies > MOST_PLIES:
            raise Refused(f"{self.plies} plies are too many")
        self.tables = [(self.text(), self.number(8)) for _ in range(self.number(2))]
        if self.at != self.length:
            raise Refused("bytes follow the tables in the head")

    def take(self, length: int) -> bytes:
        if self.at + length > self.length:
            raise Refused("the head ends too early")
        self.at += length
        return self.data[self.at - length : self.at]

    def number(self, length: int) -> int:
        return int.from_bytes(self.take(length), "little")

    def text(self) -> str:
        try:
            return self.take(self.number(1)).decode("utf-8")
        except UnicodeDecodeError as error:
            raise Refused("a text in the head is not UTF-8") from error

    def check_rules(self, keys: dict[str, Any]) -> None:
        at = 0
        for name, values in KEYS:
            expected = key_bytes(keys, name, values)
            if self.keys[at : at + len(expected)] != expected:
                raise Refused(f"it is for the rules {self.rules!r}, whose {name} is another one")
            at += len(expected)


def unpack(data: bytes) -> bytes:
    """Unpacks the strategy: one frame, with nothing after it."""
    try:
        import zstandard
    except ImportError as error:
        raise MissingModule("the module zstandard is missing: pip install zstandard") from error
    frame = zstandard.ZstdDecompressor().decompressobj()
    try:
        unpacked = frame.decompress(data)
    except zstandard.ZstdError as error:
        raise Refused(f"the strategy cannot be unpacked: {error}") from error
    if not frame.eof:
        raise Refused("the strategy cannot be unpacked: it ends too early")
    if frame.unused_data:
        raise Refused("bytes follow the strategy")
    return unpacked


class Checker:
    """A traversal of a strategy. `way` has the moves from the root to the current position."""

    def __init__(self, game: Game, tables: Distances, head: Head, strategy: bytes) -> None:
        self.game = game
        self.tables = tables
        self.winner = head.winner
        self.claim = head.plies
        self.root = head.position
        self.strategy = strategy
        self.at = 0
        self.labels: list[Position] = []
        self.heights: list[int | None] = []
        self.way: list[Move] = []

    def run(self) -> None:
        if not self.game.is_possible(self.root):
            raise Refused("the position of its head cannot occur")
        if self.game.winner(self.root) is not None:
            raise self.wrong("the game is over there")
        if self.root.mover == self.winner:
            height = self.winner_to_move(self.root)
        else:
            then = self.byte()
            if then not in (THEN_REPLIES, THEN_TABLE):
                raise self.wrong(f"code {then:02x} cannot stand at the start")
            height = self.loser_to_move(self.root, then)
        if self.at != len(self.strategy):
            raise self.wrong("the strategy continues after its end")
        if height != self.claim:
            raise self.wrong(f"the claim is {self.claim} plies, but the strategy takes {height}")

    def wrong(self, what: str) -> Refused:
        way = f", after {' '.join(map(move_name, self.way))}" if self.way else ""
        return Refused(f"it does not hold at byte {self.at} of the strategy{way}: {what}")

    def byte(self) -> int:
        if self.at == len(self.strategy):
            raise self.wrong("the strategy ends before every reply is answered")
        self.at += 1
        return self.strategy[self.at - 1]

    def winner_to_move(self, position: Position) -> int:
        """Reads the description of a position; returns its height."""
        if self.game.winner(position) is not None:
            raise self.wrong("the other side has won")
        first = self.byte()
        if first == LAST:
            if all(self.game.winner(after) is None for _, after in self.game.moves(position)):
                raise self.wrong("no move enters the den or takes the last piece")
            return 1
        if first == TABLE:
            return self.table(position, "win")
        if first == REFERENCE:
            return self.reference(position)
        label = None
        if first == LABEL:
            label = self.label(position)
            first = self.byte()
        number = first & MOVE_BITS
        moves = self.game.moves(position)
        if number >= min(len(moves), LAST):
            raise self.wrong(f"move number {number} is to be played, but there are {len(moves)}")
        move, after = moves[number]
        self.way.append(move)
        height = 1 + self.loser_to_move(after, first & ~MOVE_BITS)
        self.way.pop()
        if label is not None:
            self.heights[label] = height
        return height

    def loser_to_move(self, position: Position, then: int) -> int:
        if then == THEN_REFERENCE:
            return self.reference(position)
        if then == THEN_TABLE:
            return self.table(position, "loss")
        replies = self.game.moves(position)
        if not replies:
            won_by = self.game.winner(position)
            if won_by is None and self.game.keys["no_legal_move"] == "draw":
                raise self.wrong("the game is drawn: no legal move")
            if won_by not in (None, self.winner):
                raise self.wrong("the other side has won")
            if then == THEN_LABEL:
                raise self.wrong("a game that is over needs no label")
            return 0
        if len(self.way) >= self.claim:
            raise self.wrong(f"the game continues after the {self.claim} plies of the claim")
        label = self.label(position) if then == THEN_LABEL else None
        height = 0
        for move, after in replies:
            self.way.append(move)
            height = max(height, 1 + self.winner_to_move(after))
            self.way.pop()
        if label is not None:
            self.heights[label] = height
        return height

    def table(self, position: Position, category: str) -> int:
        value = self.tables.value(position)
        if value is None:
            raise self.wrong("no table in the head has this position")
        if value.category != category or value.plies is None:
            raise self.wrong(f"the table says {value} for the side to move")
        return value.plies

    def label(self, position: Position) -> int:
        self.labels.append(position)
        self.heights.append(None)
        return len(self.labels) - 1

    def reference(self, position: Position) -> int:
        back = 0
        for group in range(5):
            byte = self.byte()
            back |= (byte & 0x7F) << 7 * group
            if byte < 0x80:
                break
        else:
            raise self.wrong("a number has too many bytes")
        if not 0 < back <= len(self.labels):
            raise self.wrong("it refers to a label that is not assigned yet")
        if self.labels[-back] != position:
            raise self.wrong("it refers to another position")
        height = self.heights[-back]
        if height is None:
            raise self.wrong("a cycle: it refers to a position on its own path")
        return height


# ---------------------------------------------------------------------------------------------------------------------
# Commands
# ---------------------------------------------------------------------------------------------------------------------


def check(path: str, game: Game, tables_folder: str, name: str | None) -> str:
    with open(path, "rb") as file:
        data = file.read()
    head = Head(data)
    head.check_rules(game.keys)
    tables = Distances(game, os.path.join(tables_folder, name or head.rules), head.tables)
    strategy = unpack(data[head.length : -CHECKSUM])
    # A description takes at most two nested calls per ply.
    sys.setrecursionlimit(max(10_000, 3 * head.plies + 1_000))
    Checker(game, tables, head, strategy).run()
    return f"{head.position.text(game.ranks)}: {('White', 'Black')[head.winner]} wins in at most {head.plies} plies"


def read_rules(path: str) -> dict[str, Any]:
    try:
        with open(path, "rb") as file:
            keys = tomllib.load(file)
    except OSError as error:
        fail(f"{path}: {error.strerror or error}", EXIT_BAD_ARGUMENTS)
    except tomllib.TOMLDecodeError as error:
        fail(f"{path}: {error}", EXIT_BAD_ARGUMENTS)
    missing = [name for name, _ in KEYS if name not in keys]
    if missing:
        fail(f"{path}: no {missing[0]}; give a file with all keys, as `jungletb rules NAME` prints it", EXIT_BAD_ARGUMENTS)
    return keys


class OneLineParser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        fail(message, EXIT_BAD_ARGUMENTS)


def report(message: str) -> None:
    print(f"check_certificate.py: {message}", file=sys.stderr)


def fail(message: str, exit_code: int) -> NoReturn:
    report(message)
    raise SystemExit(exit_code)


def main() -> None:
    parser = OneLineParser(description="Checks certificates of the game Jungle.")
    parser.add_argument("files", metavar="FILE", nargs="+", help="a certificate")
    parser.add_argument("--rules", metavar="RULES.toml", required=True, help="a rule file with all keys")
    parser.add_argument("--tables", metavar="DIR", default="tablebases", help="folder of tables")
    parser.add_argument("--name", metavar="NAME", help="folder of these rules' tables below DIR")
    arguments = parser.parse_args()
    game = Game(read_rules(arguments.rules))
    exit_code = 0
    for path in arguments.files:
        try:
            print(f"{path}: {check(path, game, arguments.tables, arguments.name)}")
        except MissingTable as error:
            report(f"{path}: {error}")
            exit_code = exit_code or EXIT_MISSING
        except (Refused, DamagedFile, MissingModule) as error:
            report(f"{path}: {error}")
            exit_code = EXIT_DAMAGED
        except OSError as error:
            fail(f"{path}: {error.strerror or error}", EXIT_DAMAGED)
    raise SystemExit(exit_code)


if __name__ == "__main__":
    main()
