#!/usr/bin/env python3
"""A second reader of Jungle table files, written from `src/table/FORMAT.md` alone.

It shares no code with the program that writes the tables. The header of each file holds all it needs to find what is
stored: where pieces may stand, which of them are alike, and the order in which they are numbered.

    read_table.py FILE                      header, groups and summary
    read_table.py FILE --check              checks every checksum, length and value; recounts the summary
    read_table.py FILE --dump               every stored position, in file order
    read_table.py FILE --probe "POSITION"   one position of the file's material

A DTW file of version 2 is read together with the WDL file beside it, and stores no distances of won positions. They
follow by one ply of moves, which takes the rules of the game and the tables of smaller classes in the same folder:

    --rules RULES.toml                      a rule file with all keys, as printed by `jungletb rules NAME`

Without it, the distance of a win is not told, and `--check` does not recount distances of wins. Categories and distances
are for the side to move; a distance is in plies, `-` if there is none. The exit code is 0 on success, 2 for bad
arguments, 3 for a file that is damaged or cannot be read.

The fingerprint of the game is printed but not checked, since checking requires the rules.
"""

import argparse
import itertools
import math
import os
import struct
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NoReturn

EXIT_BAD_ARGUMENTS = 2
EXIT_DAMAGED = 3


class DamagedFile(Exception):
    """The file does not follow FORMAT.md."""


class MissingModule(Exception):
    """A module required to read the file is not installed."""


class BadPosition(Exception):
    """The text is not a position, or not one of this file."""


# ---------------------------------------------------------------------------------------------------------------------
# 64-bit XXH3 with seed 0
# ---------------------------------------------------------------------------------------------------------------------

MASK64 = 0xFFFF_FFFF_FFFF_FFFF
MASK32 = 0xFFFF_FFFF

PRIME32_1 = 0x9E3779B1
PRIME32_2 = 0x85EBCA77
PRIME32_3 = 0xC2B2AE3D
PRIME64_1 = 0x9E3779B185EBCA87
PRIME64_2 = 0xC2B2AE3D27D4EB4F
PRIME64_3 = 0x165667B19E3779F9
PRIME64_4 = 0x85EBCA77C2B2AE63
PRIME64_5 = 0x27D4EB2F165667C5
PRIME_MX1 = 0x165667919E3779F9
PRIME_MX2 = 0x9FB21C651E98DF25

SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
    "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
    "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e"
    "2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
)
STRIPE = 64
STRIPE_WORDS = struct.Struct("<8Q")
SECRET_STEP = 8
STRIPES_PER_ROUND = (len(SECRET) - STRIPE) // SECRET_STEP


def word32(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "little")


def word64(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 8], "little")


def rotate64(value: int, bits: int) -> int:
    return (value << bits | value >> (64 - bits)) & MASK64


def swap64(value: int) -> int:
    return int.from_bytes(value.to_bytes(8, "little"), "big")


def folded_product(a: int, b: int) -> int:
    product = a * b
    return product & MASK64 ^ product >> 64


def avalanche(value: int) -> int:
    value ^= value >> 37
    value = value * PRIME_MX1 & MASK64
    return value ^ value >> 32


def avalanche_xxh64(value: int) -> int:
    value ^= value >> 33
    value = value * PRIME64_2 & MASK64
    value ^= value >> 29
    value = value * PRIME64_3 & MASK64
    return value ^ value >> 32


def mix16(data: bytes, at: int, secret_at: int) -> int:
    """Mixes sixteen bytes of data with sixteen of the secret."""
    low = word64(data, at) ^ word64(SECRET, secret_at)
    high = word64(data, at + 8) ^ word64(SECRET, secret_at + 8)
    return folded_product(low, high)


def hash_up_to_16(data: bytes) -> int:
    length = len(data)
    if length > 8:
        low = word64(data, 0) ^ word64(SECRET, 24) ^ word64(SECRET, 32)
        high = word64(data, length - 8) ^ word64(SECRET, 40) ^ word64(SECRET, 48)
        return avalanche((length + swap64(low) + high + folded_product(low, high)) & MASK64)
    if length >= 4:
        value = word32(data, length - 4) | word32(data, 0) << 32
        value ^= word64(SECRET, 8) ^ word64(SECRET, 16)
        value ^= rotate64(value, 49) ^ rotate64(value, 24)
        value = value * PRIME_MX2 & MASK64
        value ^= (value >> 35) + length
        value = value * PRIME_MX2 & MASK64
        return value ^ value >> 28
    if length > 0:
        value = data[0] << 16 | data[length // 2] << 24 | data[-1] | length << 8
        return avalanche_xxh64(value ^ word32(SECRET, 0) ^ word32(SECRET, 4))
    return avalanche_xxh64(word64(SECRET, 56) ^ word64(SECRET, 64))


def hash_17_to_128(data: bytes) -> int:
    length = len(data)
    total = length * PRIME64_1
    for i in range((length - 1) // 32 + 1):
        total += mix16(data, 16 * i, 32 * i)
        total += mix16(data, length - 16 * (i + 1), 32 * i + 16)
    return avalanche(total & MASK64)


def hash_129_to_240(data: bytes) -> int:
    length = len(data)
    total = length * PRIME64_1
    for i in range(8):
        total += mix16(data, 16 * i, 16 * i)
    total = avalanche(total & MASK64)
    for i in range(8, length // 16):
        total += mix16(data, 16 * i, 16 * (i - 8) + 3)
    total += mix16(data, length - 16, 136 - 17)
    return avalanche(total & MASK64)


def accumulate(sums: list[int], data: bytes, at: int, secret_at: int) -> None:
    """Adds one stripe to the eight sums. They are truncated to 64 bits when they are read."""
    words = STRIPE_WORDS.unpack_from(data, at)
    secrets = STRIPE_WORDS.unpack_from(SECRET, secret_at)
    for lane, (word, secret) in enumerate(zip(words, secrets)):
        key = word ^ secret
        sums[lane ^ 1] += word
        sums[lane] += (key & MASK32) * (key >> 32)


def scramble(sums: list[int]) -> None:
    secrets = STRIPE_WORDS.unpack_from(SECRET, len(SECRET) - STRIPE)
    for lane, secret in enumerate(secrets):
        value = sums[lane] & MASK64
        sums[lane] = (value ^ value >> 47 ^ secret) * PRIME32_1 & MASK64


def hash_above_240(data: bytes) -> int:
    length = len(data)
    sums = [PRIME32_3, PRIME64_1, PRIME64_2, PRIME64_3, PRIME64_4, PRIME32_2, PRIME64_5, PRIME32_1]
    for stripe in range((length - 1) // STRIPE):
        step = stripe % STRIPES_PER_ROUND
        accumulate(sums, data, stripe * STRIPE, step * SECRET_STEP)
        if step == STRIPES_PER_ROUND - 1:
            scramble(sums)
    accumulate(sums, data, length - STRIPE, len(SECRET) - STRIPE - 7)
    total = length * PRIME64_1
    for i in range(0, 8, 2):
        low = sums[i] & MASK64 ^ word64(SECRET, 11 + 8 * i)
        high = sums[i + 1] & MASK64 ^ word64(SECRET, 11 + 8 * (i + 1))
        total += folded_product(low, high)
    return avalanche(total & MASK64)


def xxh3_64(data: bytes) -> int:
    if len(data) <= 16:
        return hash_up_to_16(data)
    if len(data) <= 128:
        return hash_17_to_128(data)
    if len(data) <= 240:
        return hash_129_to_240(data)
    return hash_above_240(data)


# ---------------------------------------------------------------------------------------------------------------------
# The board and its pieces
# ---------------------------------------------------------------------------------------------------------------------

FILES = 7
MIDDLE_FILE = FILES // 2
SIDES = "wb"

Squares = tuple[int, ...]
"""Squares of like pieces, ascending."""

Placement = tuple[Squares, ...]
"""The squares of each group."""


def mirrored(square: int) -> int:
    """The square with files exchanged."""
    return square + FILES - 1 - 2 * (square % FILES)


def mirror_image(placement: Placement) -> Placement:
    return tuple(tuple(sorted(mirrored(square) for square in squares)) for squares in placement)


def is_own_mirror_image(placement: Placement) -> bool:
    return all(mirrored(square) in squares for squares in placement for square in squares)


def square_name(square: int) -> str:
    return "abcdefg"[square % FILES] + str(square // FILES + 1)


@dataclass(frozen=True)
class Group:
    """Like pieces of one side."""

    side: int
    open_squares: Squares
    letters: str

    def pieces(self) -> list[tuple[int, str]]:
        """Side and letter of each piece."""
        return [(self.side, letter) for letter in self.letters]


def board_squares(groups: Sequence[Group]) -> int:
    """Number of squares of the board: seven files, and ranks up to the last one where a piece may stand."""
    last = max(group.open_squares[-1] for group in groups)
    return (last // FILES + 1) * FILES


# ---------------------------------------------------------------------------------------------------------------------
# Index
# ---------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Region:
    """The pieces of a group within a subset of its squares."""

    group: int
    squares: Squares
    count: int

    def pairs(self) -> int:
        return sum(square % FILES < MIDDLE_FILE for square in self.squares)

    def middles(self) -> int:
        return sum(square % FILES == MIDDLE_FILE for square in self.squares)

    def lies_in(self, other: "Region") -> bool:
        return set(self.squares) <= set(other.squares)

    def meets(self, other: "Region") -> bool:
        return not set(self.squares).isdisjoint(other.squares)


@dataclass(frozen=True)
class Shape:
    """A kind of set: one square of some pairs, both squares of others, and squares of the middle file."""

    singles: int
    doubles: int
    middles: int

    def sets(self, pairs: int, middles: int) -> int:
        """Number of sets up to mirroring, for given numbers of free pairs and free squares of the middle file."""
        return (
            math.comb(pairs, self.singles)
            * (1 << max(self.singles - 1, 0))
            * math.comb(max(pairs - self.singles, 0), self.doubles)
            * math.comb(middles, self.middles)
        )


@cache
def shapes(pieces: int) -> tuple[Shape, ...]:
    """The shapes of a set in their order."""
    singles_in_order = [*range(1, pieces + 1), 0]
    return tuple(
        Shape(singles, doubles, pieces - singles - 2 * doubles)
        for singles in singles_in_order
        for doubles in range((pieces - singles) // 2 + 1)
    )


def rank(chosen: Sequence[int], free: Sequence[int]) -> int:
    """The rank of the chosen squares among the free ones, both ascending."""
    return sum(math.comb(free.index(square), place) for place, square in enumerate(chosen, 1))


def unrank(number: int, free: Sequence[int], count: int) -> Squares:
    """The squares whose rank is `number`."""
    chosen = []
    place = len(free)
    for i in range(count, 0, -1):
        place -= 1
        while math.comb(place, i) > number:
            place -= 1
        number -= math.comb(place, i)
        chosen.append(free[place])
    return tuple(reversed(chosen))


def sets_by_rank(free: Sequence[int], count: int) -> Iterator[Squares]:
    """All sets of a given number of free squares, ordered by rank."""
    if count == 0:
        yield ()
    elif count == 1:
        for square in free:
            yield (square,)
    else:
        for last in range(count - 1, len(free)):
            for first in sets_by_rank(free[:last], count - 1):
                yield (*first, free[last])


def without(squares: Sequence[int], taken: Sequence[int]) -> Squares:
    return tuple(square for square in squares if square not in taken)


class PartIndex:
    """The numbers of placements in regions that are nested or disjoint, each within the later ones it meets.

    A placement is the tuple of the regions' sets. *Free* squares are those of a region that no earlier set occupies. A
    method with an argument `level` concerns the regions from that one on.
    """

    def __init__(self, regions: Sequence[Region]) -> None:
        self.regions = tuple(regions)
        self.inner = [
            [i for i in range(level) if regions[i].lies_in(region)] for level, region in enumerate(self.regions)
        ]
        self.plain_counts = [self._placements_from(level) for level in range(len(regions) + 1)]
        self._memory: dict[tuple[int, ...], int] = {}
        self.count = self._count_up_to_mirror(())

    def encode(self, placement: Placement) -> int:
        """The number of a placement or its mirror image."""
        number = 0
        doubles: tuple[int, ...] = ()
        taken: Squares = ()
        for level, squares in enumerate(placement):
            shape = self._shape_of(squares)
            if shape.singles > 0 and not self._first_single_is_left(squares):
                placement = mirror_image(placement)
                squares = placement[level]
            for earlier in shapes(len(squares)):
                if earlier == shape:
                    break
                number += self._sets(doubles, earlier) * self._following(doubles, earlier)
            number += self._encode_set(level, squares, shape, taken) * self._following(doubles, shape)
            taken += squares
            if shape.singles > 0:
                return number + self._encode_plainly(level + 1, placement, taken)
            doubles += (shape.doubles,)
        return number

    def decode(self, number: int) -> Placement:
        """The placement with this number; of two mirror images the one whose first single lies on the left."""
        placement: Placement = ()
        doubles: tuple[int, ...] = ()
        taken: Squares = ()
        for level, region in enumerate(self.regions):
            for shape in shapes(region.count):
                numbers = self._sets(doubles, shape) * self._following(doubles, shape)
                if number < numbers:
                    break
                number -= numbers
            set_number, number = divmod(number, self._following(doubles, shape))
            squares = self._decode_set(level, set_number, shape, taken)
            placement += (squares,)
            taken += squares
            if shape.singles > 0:
                return placement + self._decode_plainly(level + 1, number, taken)
            doubles += (shape.doubles,)
        return placement

    def __iter__(self) -> Iterator[Placement]:
        """All placements in the order of their numbers."""
        return self._all_up_to_mirror(0, ())

    # Placements of the later regions after an earlier set broke the mirror symmetry

    def _placements_from(self, level: int) -> int:
        product = 1
        for later in range(level, len(self.regions)):
            region = self.regions[later]
            taken = sum(self.regions[i].count for i in self.inner[later])
            product *= math.comb(max(len(region.squares) - taken, 0), region.count)
        return product

    def _encode_plainly(self, level: int, placement: Placement, taken: Squares) -> int:
        number = 0
        for later in range(level, len(self.regions)):
            free = without(self.regions[later].squares, taken)
            number = number * math.comb(len(free), self.regions[later].count) + rank(placement[later], free)
            taken += placement[later]
        return number

    def _decode_plainly(self, level: int, number: int, taken: Squares) -> Placement:
        placement: Placement = ()
        for later in range(level, len(self.regions)):
            set_number, number = divmod(number, self.plain_counts[later + 1])
            squares = unrank(set_number, without(self.regions[later].squares, taken), self.regions[later].count)
            placement += (squares,)
            taken += squares
        return placement

    def _all_plainly(self, level: int, taken: Squares) -> Iterator[Placement]:
        if level == len(self.regions):
            yield ()
            return
        region = self.regions[level]
        is_last = level + 1 == len(self.regions)
        for squares in sets_by_rank(without(region.squares, taken), region.count):
            if is_last:
                yield (squares,)
            else:
                for rest in self._all_plainly(level + 1, taken + squares):
                    yield (squares, *rest)

    # Placements up to mirroring, while all earlier sets are their own mirror images. The counts depend only on the
    # numbers of doubles of those sets.

    def _count_up_to_mirror(self, doubles: tuple[int, ...]) -> int:
        level = len(doubles)
        if level == len(self.regions):
            return 1
        if doubles not in self._memory:
            self._memory[doubles] = sum(
                self._sets(doubles, shape) * self._following(doubles, shape)
                for shape in shapes(self.regions[level].count)
            )
        return self._memory[doubles]

    def _sets(self, doubles: tuple[int, ...], shape: Shape) -> int:
        """Number of sets of a shape."""
        level = len(doubles)
        region = self.regions[level]
        pairs_taken = sum(doubles[i] for i in self.inner[level])
        middles_taken = sum(self.regions[i].count - 2 * doubles[i] for i in self.inner[level])
        return shape.sets(max(region.pairs() - pairs_taken, 0), max(region.middles() - middles_taken, 0))

    def _following(self, doubles: tuple[int, ...], shape: Shape) -> int:
        """Number of placements of the later regions that follow each set of a shape."""
        if shape.singles > 0:
            return self.plain_counts[len(doubles) + 1]
        return self._count_up_to_mirror((*doubles, shape.doubles))

    def _free(self, level: int, taken: Squares) -> tuple[Squares, Squares]:
        """The left squares of the free pairs and the free squares of the middle file."""
        free = without(self.regions[level].squares, taken)
        left = tuple(square for square in free if square % FILES < MIDDLE_FILE)
        middle = tuple(square for square in free if square % FILES == MIDDLE_FILE)
        return left, middle

    @staticmethod
    def _take_apart(squares: Squares) -> tuple[Squares, Squares, Squares]:
        """The pairs of the singles and of the doubles, each by its left square, and the squares of the middle file."""
        middle = tuple(square for square in squares if square % FILES == MIDDLE_FILE)
        pairs = Counter(min(square, mirrored(square)) for square in squares if square not in middle)
        singles = tuple(sorted(pair for pair, number in pairs.items() if number == 1))
        doubles = tuple(sorted(pair for pair, number in pairs.items() if number == 2))
        return singles, doubles, middle

    @classmethod
    def _shape_of(cls, squares: Squares) -> Shape:
        singles, doubles, middle = cls._take_apart(squares)
        return Shape(len(singles), len(doubles), len(middle))

    @classmethod
    def _first_single_is_left(cls, squares: Squares) -> bool:
        singles, _, _ = cls._take_apart(squares)
        return singles[0] in squares

    def _encode_set(self, level: int, squares: Squares, shape: Shape, taken: Squares) -> int:
        pairs, middle_free = self._free(level, taken)
        singles, doubles, middle = self._take_apart(squares)
        pairs_left = without(pairs, singles)
        number = rank(singles, pairs)
        number <<= max(shape.singles - 1, 0)
        number += sum(1 << i for i, single in enumerate(singles[1:]) if single in squares)
        number = number * math.comb(len(pairs_left), shape.doubles) + rank(doubles, pairs_left)
        return number * math.comb(len(middle_free), shape.middles) + rank(middle, middle_free)

    def _decode_set(self, level: int, number: int, shape: Shape, taken: Squares) -> Squares:
        pairs, middle_free = self._free(level, taken)
        number, middle_rank = divmod(number, math.comb(len(middle_free), shape.middles))
        number, doubles_rank = divmod(number, math.comb(len(pairs) - shape.singles, shape.doubles))
        singles_rank, lefts = divmod(number, 1 << max(shape.singles - 1, 0))
        singles = unrank(singles_rank, pairs, shape.singles)
        doubles = unrank(doubles_rank, without(pairs, singles), shape.doubles)
        return self._put_together(singles, lefts, doubles, unrank(middle_rank, middle_free, shape.middles))

    @staticmethod
    def _put_together(singles: Squares, lefts: int, doubles: Squares, middle: Squares) -> Squares:
        """The set of these pairs and squares; the bits of `lefts` mark later singles that lie on the left."""
        is_left = [True, *(bool(lefts >> i & 1) for i in range(len(singles) - 1))]
        squares = [pair if left else mirrored(pair) for pair, left in zip(singles, is_left)]
        squares += doubles
        squares += map(mirrored, doubles)
        squares += middle
        return tuple(sorted(squares))

    def _all_sets(self, level: int, shape: Shape, taken: Squares) -> Iterator[Squares]:
        pairs, middle_free = self._free(level, taken)
        for singles in sets_by_rank(pairs, shape.singles):
            pairs_left = without(pairs, singles)
            for lefts in range(1 << max(shape.singles - 1, 0)):
                for doubles in sets_by_rank(pairs_left, shape.doubles):
                    for middle in sets_by_rank(middle_free, shape.middles):
                        yield self._put_together(singles, lefts, doubles, middle)

    def _all_up_to_mirror(self, level: int, taken: Squares) -> Iterator[Placement]:
        if level == len(self.regions):
            yield ()
            return
        for shape in shapes(self.regions[level].count):
            follow = self._all_plainly if shape.singles > 0 else self._all_up_to_mirror
            for squares in self._all_sets(level, shape, taken):
                for rest in follow(level + 1, taken + squares):
                    yield (squares, *rest)


def split_into_parts(regions: Sequence[Region]) -> list[list[Region]]:
    """Divides placements into parts whose regions are nested or disjoint."""
    for a, b in itertools.combinations(regions, 2):
        if a.meets(b) and not a.lies_in(b) and not b.lies_in(a):
            return split_region(regions, *sorted((a, b), key=lambda region: len(region.squares)))
    return [sorted(regions, key=lambda region: len(region.squares))]


def split_region(regions: Sequence[Region], region: Region, other: Region) -> list[list[Region]]:
    """Splits a region at the border of another one, for each number of its pieces inside, from all down to none."""
    at = regions.index(region)
    inside = tuple(square for square in region.squares if square in other.squares)
    outside = without(region.squares, inside)
    parts = []
    for number_inside in range(region.count, -1, -1):
        number_outside = region.count - number_inside
        if number_inside <= len(inside) and number_outside <= len(outside):
            halves = [Region(region.group, inside, number_inside), Region(region.group, outside, number_outside)]
            parts += split_into_parts([*regions[:at], *(half for half in halves if half.count > 0), *regions[at + 1 :]])
    return parts


class Index:
    """The numbers of the placements of groups. A placement and its mirror image have the same number."""

    def __init__(self, groups: Sequence[Group]) -> None:
        self.groups = tuple(groups)
        whole = [Region(i, group.open_squares, len(group.letters)) for i, group in enumerate(groups)]
        self.parts = [PartIndex(regions) for regions in split_into_parts(whole)]
        self.count = sum(part.count for part in self.parts)

    def encode(self, placement: Placement) -> int:
        """The number of a placement. Each group's squares must be free, ascending, and open to it."""
        first = 0
        for part in self.parts:
            sets = tuple(
                tuple(square for square in placement[region.group] if square in region.squares)
                for region in part.regions
            )
            if all(len(squares) == region.count for squares, region in zip(sets, part.regions)):
                return first + part.encode(sets)
            first += part.count
        raise ValueError("no part holds this placement")

    def decode(self, number: int) -> Placement:
        for part in self.parts:
            if number < part.count:
                return self._joined(part, part.decode(number))
            number -= part.count
        raise ValueError("no placement has this number")

    def __iter__(self) -> Iterator[Placement]:
        """All placements in the order of their numbers."""
        for part in self.parts:
            if [region.group for region in part.regions] == list(range(len(self.groups))):
                yield from part
            else:
                yield from (self._joined(part, sets) for sets in part)

    def _joined(self, part: PartIndex, sets: Placement) -> Placement:
        """The squares of each group, from those of the regions of a part."""
        groups: list[list[int]] = [[] for _ in self.groups]
        for region, squares in zip(part.regions, sets):
            groups[region.group] += squares
        return tuple(tuple(sorted(squares)) for squares in groups)

    def weight(self, placement: Placement) -> int:
        """Number of positions a stored placement stands for."""
        orders = math.prod(math.factorial(len(group.letters)) for group in self.groups)
        return orders if is_own_mirror_image(placement) else 2 * orders


# ---------------------------------------------------------------------------------------------------------------------
# Parts of the file
# ---------------------------------------------------------------------------------------------------------------------

MAGIC = bytes.fromhex("8b4a54420d0a1a0a")
VERSIONS = (1, 2)
HEADER_LENGTH = 1024
HEADER_CHECKSUM_AT = 1016
METRIC_RESULTS = 0
METRIC_DISTANCES = 1
METRICS = {METRIC_RESULTS: "results", METRIC_DISTANCES: "distances"}
BITBOARD_LENGTH = 8

BLOCK_ENTRY = struct.Struct("<IQ")
PAGE_ENTRY = struct.Struct("<QQ")
BLOCKS_PER_PAGE = 512
SUMMARY_START = struct.Struct("<QQQHQH")
SUMMARY_DISTANCE = struct.Struct("<HQ")
NO_DISTANCE = 0xFFFF
NO_POSITION = MASK64


class ByteReader:
    """Reads bytes one field after the other."""

    def __init__(self, data: bytes, at: int, what: str) -> None:
        self.data = data
        self.at = at
        self.what = what

    def take(self, length: int) -> bytes:
        if self.at + length > len(self.data):
            raise DamagedFile(f"the {self.what} ends too early")
        self.at += length
        return self.data[self.at - length : self.at]

    def unpack(self, layout: struct.Struct) -> tuple[Any, ...]:
        return layout.unpack(self.take(layout.size))

    def number(self, length: int) -> int:
        return int.from_bytes(self.take(length), "little")

    def text(self) -> str:
        """Reads a length in one byte, then the letters."""
        return self.take(self.number(1)).decode("utf-8", "replace")

    def group(self) -> Group:
        side = self.number(1)
        bitboard = self.number(BITBOARD_LENGTH)
        squares = tuple(square for square in range(8 * BITBOARD_LENGTH) if bitboard >> square & 1)
        return Group(side, squares, self.text())


@dataclass(frozen=True)
class Header:
    version: int
    metric: int
    sides: int
    block_length: int
    fingerprint: int
    placements: int
    tail_start: int
    tail_length: int
    tail_checksum: int
    distance_width: int
    row_length: int
    results_checksum: int
    class_name: str
    rules_name: str
    groups: tuple[Group, ...]

    def blocks_of_a_side(self) -> int:
        return -(-self.placements // self.block_length)

    def positions_in_block(self, block: int) -> int:
        """Number of positions in a block, counted within its side."""
        return min(self.block_length, self.placements - block * self.block_length)

    def is_losses(self) -> bool:
        """Whether the file holds distances of lost positions only."""
        return self.metric == METRIC_DISTANCES and self.version > 1

    def blocks(self) -> int:
        return self.sides * self.blocks_of_a_side()

    def pages_length(self) -> int:
        """Length of the pages of the block table, which the checksum of the tail does not cover."""
        return self.blocks() * BLOCK_ENTRY.size if self.version > 1 else 0

    def unpacked_length(self, positions: int) -> int:
        """Number of bytes of a block with a given number of positions; of losses, with that number of losses."""
        if self.metric == METRIC_DISTANCES:
            return positions * self.distance_width
        rows, rest = divmod(positions, self.row_length)
        return rows * results_bytes(self.row_length) + results_bytes(rest)


def results_bytes(positions: int) -> int:
    """Number of bytes that hold a given number of WDL values of a row."""
    return -(-positions // RESULTS_PER_BYTE)


def read_header(data: bytes) -> Header:
    if not data.startswith(MAGIC):
        raise DamagedFile("this is no table: magic")
    if len(data) < HEADER_LENGTH:
        raise DamagedFile("lengths do not fit: the file ends within the header")
    reader = ByteReader(data[:HEADER_CHECKSUM_AT], len(MAGIC), "header")
    version = reader.number(2)
    if version not in VERSIONS:
        raise DamagedFile(f"the table is of version {version}, this reads versions 1 and 2")
    if xxh3_64(data[:HEADER_CHECKSUM_AT]) != word64(data, HEADER_CHECKSUM_AT):
        raise DamagedFile("checksum of the header")
    header = Header(
        version=version,
        metric=reader.number(1),
        sides=reader.number(1),
        block_length=reader.number(4),
        fingerprint=reader.number(8),
        placements=reader.number(8),
        tail_start=reader.number(8),
        tail_length=reader.number(8),
        tail_checksum=reader.number(8),
        distance_width=reader.number(1),
        row_length=reader.number(2),
        results_checksum=reader.number(8) if version > 1 else 0,
        class_name=reader.text(),
        rules_name=reader.text(),
        groups=tuple(reader.group() for _ in range(reader.number(1))),
    )
    if any(data[reader.at : HEADER_CHECKSUM_AT]):
        raise DamagedFile("the header does not end in zeros")
    check_header(header)
    return header


def check_header(header: Header) -> None:
    """Checks what holds for every game."""
    facts = {
        "metric": header.metric in METRICS,
        "sides": header.sides in (1, 2),
        "width of a distance": header.distance_width in (1, 2),
        "row length": header.row_length > 0,
        "block length": header.block_length > 0 and header.block_length % max(header.row_length, 1) == 0,
        "groups": len(header.groups) > 0,
        "side of a group": all(group.side in (0, 1) for group in header.groups),
        "letters of a group": all(group.letters.isascii() and group.letters.isalpha() for group in header.groups),
        "number of squares of a group": all(len(group.open_squares) >= len(group.letters) for group in header.groups),
        "squares of a group and their mirror images": all(
            mirrored(square) in group.open_squares for group in header.groups for square in group.open_squares
        ),
    }
    for fact, holds in facts.items():
        if not holds:
            raise DamagedFile(f"the header is not possible: {fact}")


@dataclass(frozen=True)
class Summary:
    """Counts of the positions of a side to move."""

    wins: int
    draws: int
    losses: int
    longest: int | None
    longest_number: int | None
    distances: dict[int, int]


def read_summary(reader: ByteReader) -> Summary:
    wins, draws, losses, longest, longest_number, distances = reader.unpack(SUMMARY_START)
    histogram = [reader.unpack(SUMMARY_DISTANCE) for _ in range(distances)]
    if any(a[0] >= b[0] for a, b in itertools.pairwise(histogram)):
        raise DamagedFile("the distances of the summary do not ascend")
    return Summary(
        wins,
        draws,
        losses,
        None if longest == NO_DISTANCE else longest,
        None if longest_number == NO_POSITION else longest_number,
        dict(histogram),
    )


# ---------------------------------------------------------------------------------------------------------------------
# Values
# ---------------------------------------------------------------------------------------------------------------------

LOSS, DRAW, WIN = "loss", "draw", "win"
RESULTS = (LOSS, DRAW, WIN)
RESULT_BITS = 2
RESULTS_PER_BYTE = 8 // RESULT_BITS
RESULT_MASK = (1 << RESULT_BITS) - 1
RESULTS_OF_BYTE = [bytes(byte >> RESULT_BITS * i & RESULT_MASK for i in range(RESULTS_PER_BYTE)) for byte in range(256)]
RESULT_OF_UNSTORED = {0: RESULTS.index(DRAW), 1: RESULTS.index(LOSS), 2: RESULTS.index(WIN)}


@dataclass(frozen=True)
class Value:
    """The value of a position, for the side to move."""

    category: str
    plies: int | None

    def __str__(self) -> str:
        return f"{self.category} {'-' if self.plies is None else self.plies}"


@cache
def value_of_result(result: int) -> Value:
    if result >= len(RESULTS):
        raise DamagedFile(f"result {result}")
    return Value(RESULTS[result], None)


@cache
def value_of_distance(distance: int) -> Value:
    if distance == 0:
        return Value(DRAW, None)
    plies = distance - 1
    return Value(WIN if plies % 2 == 1 else LOSS, plies)


@cache
def value_of_loss(half: int) -> Value:
    return Value(LOSS, 2 * half)


def unpack_results(data: bytes, positions: int, row_length: int) -> list[int]:
    """The WDL values of a block. Every row starts on a new byte."""
    results: list[int] = []
    at = 0
    while len(results) < positions:
        row = min(row_length, positions - len(results))
        end = at + results_bytes(row)
        row_results = b"".join([RESULTS_OF_BYTE[byte] for byte in data[at:end]])
        if any(row_results[row:]):
            raise DamagedFile("unused bits of a row are not 0")
        results += row_results[:row]
        at = end
    return results


def unpack_distances(data: bytes, positions: int, width: int) -> list[int]:
    letter = {1: "B", 2: "H"}[width]
    return list(struct.unpack(f"<{positions}{letter}", data))


def decompress(data: bytes, length: int) -> bytes:
    try:
        import zstandard
    except ImportError as error:
        raise MissingModule("the module zstandard is missing: pip install zstandard") from error
    try:
        unpacked = zstandard.ZstdDecompressor().decompress(data, max_output_size=length)
    except zstandard.ZstdError as error:
        raise DamagedFile(f"cannot be unpacked: {error}") from error
    if len(unpacked) != length:
        raise DamagedFile(f"unpacks to {len(unpacked)} bytes, not {length}")
    return unpacked


# ---------------------------------------------------------------------------------------------------------------------
# The whole file
# ---------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BlockEntry:
    stored_length: int
    checksum_or_value: int
    start: int


class Table:
    """A table file. Header and tail are checked when it is opened, each block when it is read.

    `results` is the WDL table that a DTW table of version 2 needs.
    """

    def __init__(self, data: bytes, results: "Table | None" = None) -> None:
        self.data = data
        self.header = read_header(data)
        self.checksum = word64(data, HEADER_CHECKSUM_AT)
        self.results = results if self.header.is_losses() else None
        if self.header.is_losses():
            self._check_results()
        self._check_tail()
        reader = ByteReader(data, self.header.tail_start, "tail")
        self.blocks = self._read_block_table(reader)
        self.summaries = [read_summary(reader) for _ in range(self.header.sides)]
        if reader.at != len(data):
            raise DamagedFile("lengths do not fit: bytes after the summary")
        self.index = Index(self.header.groups)
        if self.index.count != self.header.placements:
            raise DamagedFile(f"the index gives {self.index.count} placements, not {self.header.placements}")

    def _check_results(self) -> None:
        if self.results is None:
            raise DamagedFile("it is read together with its WDL table, which is missing")
        named, found = self.header.results_checksum, self.results.checksum
        if named != found:
            raise DamagedFile(f"it belongs to a WDL table with the checksum {named:016x}, not {found:016x}")
        ours, theirs = self.header, self.results.header
        same = (ours.groups, ours.placements, ours.sides) == (theirs.groups, theirs.placements, theirs.sides)
        if theirs.metric != METRIC_RESULTS or not same:
            raise DamagedFile("the WDL table that it names is of another class")

    def _check_tail(self) -> None:
        header = self.header
        if header.tail_start < HEADER_LENGTH or header.tail_start + header.tail_length != len(self.data):
            raise DamagedFile("lengths do not fit: the tail does not end where the file does")
        if header.pages_length() > header.tail_length:
            raise DamagedFile("lengths do not fit: the tail is too short for the block table")
        if xxh3_64(self.data[header.tail_start + header.pages_length() :]) != header.tail_checksum:
            raise DamagedFile("checksum of the tail")

    def _read_block_table(self, reader: ByteReader) -> list[BlockEntry]:
        blocks = []
        start = HEADER_LENGTH
        for _ in range(self.header.blocks()):
            stored_length, checksum_or_value = reader.unpack(BLOCK_ENTRY)
            blocks.append(BlockEntry(stored_length, checksum_or_value, start))
            start += stored_length
        if start != self.header.tail_start:
            raise DamagedFile("lengths do not fit: the blocks do not end where the tail begins")
        if self.header.version > 1:
            for page, first in enumerate(range(0, len(blocks), BLOCKS_PER_PAGE)):
                at = self.header.tail_start + first * BLOCK_ENTRY.size
                entries = self.data[at : at + len(blocks[first : first + BLOCKS_PER_PAGE]) * BLOCK_ENTRY.size]
                if reader.unpack(PAGE_ENTRY) != (blocks[first].start, xxh3_64(entries)):
                    raise DamagedFile(f"page {page} of the block table")
        return blocks

    def position_count(self) -> int:
        return self.header.sides * self.header.placements

    def side_values(self, side: int) -> Iterator[Value]:
        """The values of all positions with a side to move."""
        for block in range(self.header.blocks_of_a_side()):
            yield from self.block_values(side, block)

    def value(self, side: int, number: int) -> Value:
        block, place = divmod(number, self.header.block_length)
        return self.block_values(side, block)[place]

    def block_values(self, side: int, block: int) -> list[Value]:
        """The values of a block, counted within its side."""
        entry_number = side * self.header.blocks_of_a_side() + block
        results = self._block_results(side, block)
        try:
            return self._read_block(self.blocks[entry_number], self.header.positions_in_block(block), results)
        except DamagedFile as error:
            raise DamagedFile(f"block {entry_number}: {error}") from error

    def _block_results(self, side: int, block: int) -> list[Value]:
        """The results of the positions of a block, if they are in another file."""
        if self.results is None:
            return []
        first = block * self.header.block_length
        end = first + self.header.positions_in_block(block)
        length = self.results.header.block_length
        blocks = range(first // length, -(-end // length))
        values = [value for number in blocks for value in self.results.block_values(side, number)]
        skipped = first - blocks.start * length
        return values[skipped : skipped + end - first]

    def _read_block(self, entry: BlockEntry, positions: int, results: list[Value]) -> list[Value]:
        header = self.header
        stored_values = sum(result.category == LOSS for result in results) if header.is_losses() else positions
        if entry.stored_length == 0:
            values = itertools.repeat(self._value_of_unstored(entry.checksum_or_value), stored_values)
        else:
            stored = self.data[entry.start : entry.start + entry.stored_length]
            if xxh3_64(stored) != entry.checksum_or_value:
                raise DamagedFile("checksum")
            length = header.unpacked_length(stored_values)
            if len(stored) > length:
                raise DamagedFile(f"{len(stored)} bytes are stored of {length}")
            unpacked = stored if len(stored) == length else decompress(stored, length)
            values = self._unpack(unpacked, stored_values)
        if not header.is_losses():
            return list(values)
        return [next(values) if result.category == LOSS else result for result in results]

    def _unpack(self, unpacked: bytes, count: int) -> Iterator[Value]:
        header = self.header
        if header.metric == METRIC_RESULTS:
            return map(value_of_result, unpack_results(unpacked, count, header.row_length))
        numbers = unpack_distances(unpacked, count, header.distance_width)
        return map(value_of_loss if header.is_losses() else value_of_distance, numbers)

    def _value_of_unstored(self, value: int) -> Value:
        if self.header.metric == METRIC_DISTANCES:
            if value >> 8 * self.header.distance_width:
                raise DamagedFile(f"value {value}")
            return value_of_loss(value) if self.header.is_losses() else value_of_distance(value)
        if value not in RESULT_OF_UNSTORED:
            raise DamagedFile(f"value {value}")
        return value_of_result(RESULT_OF_UNSTORED[value])


def open_table(path: str) -> Table:
    """Opens a table file, and the WDL file beside it if it needs that."""
    with open(path, "rb") as file:
        data = file.read()
    results = None
    if read_header(data).is_losses():
        try:
            with open(os.path.splitext(path)[0] + ".wdl", "rb") as file:
                results = Table(file.read())
        except FileNotFoundError:
            pass
    return Table(data, results)


class Distances:
    """Finds the distances that a table leaves out, by the moves of the game and the tables in the same folder."""

    def __init__(self, table: Table, path: str, rules: str) -> None:
        # The second checker of certificates has a move generator; it reads tables with this module.
        sys.modules.setdefault("read_table", sys.modules[__name__])
        import check_certificate as checker

        game = checker.Game(checker.read_rules(rules))
        self.table = table
        self.letters = checker.LETTERS
        self.empty = [checker.OFF] * 2 * len(self.letters)
        self.position = checker.Position
        self.missing = checker.MissingTable
        self.tables = checker.Distances(game, os.path.dirname(path) or ".", [])

    def complete(self, placement: Placement, side: int, value: Value) -> Value:
        """The value with its distance."""
        if value != Value(WIN, None) or not self.table.header.is_losses():
            return value
        squares = list(self.empty)
        for group, group_squares in zip(self.table.header.groups, placement):
            for letter, square in zip(group.letters.upper(), group_squares):
                squares[len(self.letters) * group.side + self.letters.index(letter)] = square
        try:
            return self.tables.won(self.position(tuple(squares), side))
        except self.missing as error:
            raise DamagedFile(str(error)) from error


def count_again(table: Table, side: int, distances: Distances | None) -> Summary:
    """Computes the summary of a side to move from the values and the index."""
    weights: Counter[Value] = Counter()
    longest: int | None = None
    longest_number: int | None = None
    for number, (placement, value) in enumerate(zip(table.index, table.side_values(side), strict=True)):
        if distances is not None:
            value = distances.complete(placement, side, value)
        weights[value] += table.index.weight(placement)
        if value.plies is not None and (longest is None or value.plies > longest):
            longest, longest_number = value.plies, number
    categories: Counter[str] = Counter()
    for value, weight in weights.items():
        categories[value.category] += weight
    distances = {value.plies: weight for value, weight in weights.items() if value.plies is not None}
    return Summary(categories[WIN], categories[DRAW], categories[LOSS], longest, longest_number, distances)


def check(table: Table, distances: Distances | None) -> None:
    """Reads every block and recounts the summary; opening the table has checked the rest."""
    for side, stored in enumerate(table.summaries):
        counted = count_again(table, side, distances)
        if table.header.is_losses() and distances is None:
            stored, counted = without_wins(stored), without_wins(counted)
        if counted != stored:
            raise DamagedFile(f"the summary of side {side} is not what the values give")


def without_wins(summary: Summary) -> Summary:
    """The summary without what the distances of wins tell."""
    losses = {plies: count for plies, count in summary.distances.items() if plies % 2 == 0}
    return Summary(summary.wins, summary.draws, summary.losses, None, None, losses)


# ---------------------------------------------------------------------------------------------------------------------
# Position texts
# ---------------------------------------------------------------------------------------------------------------------

EMPTY = "."

Pieces = dict[int, tuple[int, str]]
"""Side and letter of the piece on each square that has one."""


@cache
def rank_text(rank: str) -> str:
    """A rank with digits for empty squares."""
    runs = ((char, len(list(run))) for char, run in itertools.groupby(rank))
    return "".join(str(length) if char == EMPTY else char * length for char, length in runs)


def position_text(groups: Sequence[Group], placement: Placement, side: int) -> str:
    """A placement in the orientation of the class; like pieces in the header's order on ascending squares."""
    board = [EMPTY] * board_squares(groups)
    for group, squares in zip(groups, placement):
        letters = group.letters.upper() if group.side == 0 else group.letters.lower()
        for letter, square in zip(letters, squares):
            board[square] = letter
    ranks = ["".join(board[first : first + FILES]) for first in range(0, len(board), FILES)]
    return f"{'/'.join(map(rank_text, reversed(ranks)))} {SIDES[side]}"


def parse_position(text: str, squares: int) -> tuple[Pieces, int]:
    """The pieces, with White as side 0, and the side to move."""
    board, _, mover = text.strip().partition(" ")
    if len(mover) != 1 or mover not in SIDES:
        raise BadPosition("a position ends in a space and w or b")
    ranks = board.split("/")
    if len(ranks) * FILES != squares:
        raise BadPosition(f"the board has {squares // FILES} ranks, not {len(ranks)}")
    pieces: Pieces = {}
    for rank, rank_squares in enumerate(reversed(ranks)):
        pieces |= parse_rank(rank_squares, rank * FILES)
    return pieces, SIDES.index(mover)


def parse_rank(text: str, first: int) -> Pieces:
    pieces: Pieces = {}
    square = first
    for char in text:
        if char.isascii() and char.isalpha():
            pieces[square] = (0 if char.isupper() else 1, char.upper())
            square += 1
        elif char.isascii() and char.isdigit():
            square += int(char)
        else:
            raise BadPosition(f"unknown character {char!r}")
    if square != first + FILES:
        raise BadPosition(f"rank {first // FILES + 1} has {square - first} squares, not {FILES}")
    return pieces


def colors_exchanged(pieces: Pieces, squares: int) -> Pieces:
    """The pieces with colors exchanged, turned by 180 degrees."""
    return {squares - 1 - square: (1 - side, letter) for square, (side, letter) in pieces.items()}


def same_material(groups: Sequence[Group], pieces: Pieces) -> bool:
    expected = Counter((side, letter.upper()) for group in groups for side, letter in group.pieces())
    return expected == Counter(pieces.values())


def placement_of(groups: Sequence[Group], pieces: Pieces) -> Placement:
    """The squares of each group, for pieces of the groups' material."""
    placement = []
    for group in groups:
        members = {(side, letter.upper()) for side, letter in group.pieces()}
        squares = tuple(sorted(square for square, piece in pieces.items() if piece in members))
        closed = [square for square in squares if square not in group.open_squares]
        if closed:
            raise BadPosition(f"{square_name(closed[0])} is closed to the {pieces[closed[0]][1]} there")
        placement.append(squares)
    return tuple(placement)


def probe(table: Table, text: str, distances: Distances | None) -> Value:
    groups = table.header.groups
    squares = board_squares(groups)
    pieces, mover = parse_position(text, squares)
    fits = same_material(groups, pieces)
    if not fits or mover >= table.header.sides:
        pieces, mover = colors_exchanged(pieces, squares), 1 - mover
    if not same_material(groups, pieces):
        raise BadPosition(f"the material is not that of {table.header.class_name}")
    placement = placement_of(groups, pieces)
    value = table.value(mover, table.index.encode(placement))
    return value if distances is None else distances.complete(placement, mover, value)


# ---------------------------------------------------------------------------------------------------------------------
# Commands
# ---------------------------------------------------------------------------------------------------------------------


def print_header(table: Table) -> None:
    header = table.header
    fields = {
        "class": header.class_name,
        "rules": header.rules_name,
        "fingerprint": f"{header.fingerprint:016x}",
        "metric": f"{header.metric} ({METRICS[header.metric]})",
        "sides to move stored": header.sides,
        "placements": header.placements,
        "positions": table.position_count(),
        "block length": header.block_length,
        "blocks": f"{len(table.blocks)}, stored {sum(block.stored_length > 0 for block in table.blocks)}",
        "row length": header.row_length,
        "width of a distance": header.distance_width,
        "tail": f"{header.tail_length} bytes from {header.tail_start}",
        "checksum of the tail": f"{header.tail_checksum:016x}",
        "version": header.version,
    }
    if header.is_losses():
        fields["checksum of the WDL"] = f"{header.results_checksum:016x}"
    for name, field in fields.items():
        print(f"{name:<22}{field}")


def print_groups(table: Table) -> None:
    squares = range(board_squares(table.header.groups))
    print("\ngroups, in the order of the index")
    for group in table.header.groups:
        closed = " ".join(square_name(square) for square in squares if square not in group.open_squares)
        side = ("first", "second")[group.side]
        print(f"  {group.letters:<4}{side} side, {len(group.open_squares)} squares: all but {closed or 'none'}")


def print_summary(table: Table) -> None:
    for side, summary in enumerate(table.summaries):
        print(f"\n{('first', 'second')[side]} side to move")
        print(f"  wins    {summary.wins:>14}")
        print(f"  draws   {summary.draws:>14}")
        print(f"  losses  {summary.losses:>14}")
        if summary.longest is not None and summary.longest_number is not None:
            if summary.longest_number >= table.header.placements:
                raise DamagedFile("the summary names a position that is not in the table")
            text = position_text(table.header.groups, table.index.decode(summary.longest_number), side)
            print(f"  longest {summary.longest:>14} plies, number {summary.longest_number}: {text}")
        for plies, count in summary.distances.items():
            print(f"  {value_of_distance(plies + 1).category:<4} in {plies:>3}{count:>14}")


def dump(table: Table, distances: Distances | None) -> None:
    for side in range(table.header.sides):
        for placement, value in zip(table.index, table.side_values(side), strict=True):
            if distances is not None:
                value = distances.complete(placement, side, value)
            print(position_text(table.header.groups, placement, side), value)


def run(arguments: argparse.Namespace) -> None:
    table = open_table(arguments.file)
    distances = None if arguments.rules is None else Distances(table, arguments.file, arguments.rules)
    if arguments.check:
        check(table, distances)
        print("ok")
    elif arguments.dump:
        dump(table, distances)
    elif arguments.probe is not None:
        print(probe(table, arguments.probe, distances))
    else:
        print_header(table)
        print_groups(table)
        print_summary(table)


class OneLineParser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        fail(message, EXIT_BAD_ARGUMENTS)


def fail(message: str, exit_code: int) -> NoReturn:
    print(f"read_table.py: {message}", file=sys.stderr)
    raise SystemExit(exit_code)


def parse_arguments() -> argparse.Namespace:
    parser = OneLineParser(description="Reads a table file of the game Jungle.")
    parser.add_argument("file", metavar="FILE", help="a .wdl or .dtw file")
    command = parser.add_mutually_exclusive_group()
    command.add_argument("--check", action="store_true", help="check everything, count the summary again")
    command.add_argument("--dump", action="store_true", help="print every stored position in the order of the file")
    command.add_argument("--probe", metavar="POSITION", help="print category and plies of one position")
    parser.add_argument("--rules", metavar="RULES.toml", help="the rules, for the distances of wins")
    return parser.parse_args()


def main() -> None:
    arguments = parse_arguments()
    try:
        run(arguments)
        sys.stdout.flush()
    except BadPosition as error:
        fail(str(error), EXIT_BAD_ARGUMENTS)
    except (DamagedFile, MissingModule) as error:
        fail(f"{arguments.file}: {error}", EXIT_DAMAGED)
    except BrokenPipeError:  # The reader closed the pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        fail(f"{arguments.file}: {error.strerror or error}", EXIT_DAMAGED)


if __name__ == "__main__":
    main()
