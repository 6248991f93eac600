"""A small engine that probes: alpha-beta search, in which a position with few pieces is not searched but looked up.

    python python/examples/engine.py "7/1l5/7/7/3e3/3E3/7/7/4R2 w" --tables tablebases --depth 4

At the root, the best move is read from the tables if it is known: the quickest win, else a draw, else the longest
resistance. Otherwise the search tries moves, and every position that has a table ends its line with an exact value. A
missing table is no error: the search goes on below such a position.
"""

from __future__ import annotations

import argparse
from typing import Optional

import jungletb

WORTH = {"R": 5, "C": 2, "D": 3, "W": 4, "P": 5, "T": 9, "L": 10, "E": 10}
WIN = 10_000
"""The value of a won game. The sooner it is reached, the more a win is worth."""


class Engine:
    """Searches with the tables of a folder."""

    def __init__(self, tables: jungletb.Tablebase) -> None:
        self.tables = tables
        self.rules = tables.rules
        # Materials with more pieces need not be asked for at all.
        self.most_pieces = tables.most_pieces
        self.searched = self.probed = 0

    def best(self, position: str, depth: int) -> tuple[Optional[str], int]:
        """Returns the best move and its value for the side to move; no move if the game is over."""
        by_table = self.from_tables(position)
        if by_table is not None:
            return by_table
        best, alpha = None, -WIN - 1
        for move, after in self.rules.moves(position).items():
            value = -self.search(after, depth - 1, -WIN - 1, -alpha, 1)
            if value > alpha:
                best, alpha = move, value
        return best, alpha

    def from_tables(self, position: str) -> Optional[tuple[str, int]]:
        """Returns the best move if it is known: a win, or the best of moves that are all known."""
        moves = self.tables.moves(position)
        # Unknown moves rank below wins and above all others.
        after = moves[0].value if moves else None
        if after is None:
            return None
        # The value is that after the move, for the other side.
        return moves[0].move, -self.worth(after.category, 1 + (after.dtw or 0))

    def search(self, position: str, depth: int, alpha: int, beta: int, ply: int) -> int:
        """Returns the value of a position for the side to move, within the bounds."""
        self.searched += 1
        if pieces(position) <= self.most_pieces:
            try:
                # Within the search the outcome alone is enough, and takes less time than the distance.
                category = self.tables.wdl(position)
                self.probed += 1
                return self.worth(category, ply)
            except jungletb.MissingTableError:
                pass
        moves = self.rules.moves(position)
        if not moves:
            return self.worth(self.tables.wdl(position), ply)
        if depth <= 0:
            return evaluate(position)
        for after in sorted(moves.values(), key=pieces):
            alpha = max(alpha, -self.search(after, depth - 1, -beta, -alpha, ply + 1))
            if alpha >= beta:
                break
        return alpha

    @staticmethod
    def worth(category: jungletb.Category, plies: int) -> int:
        """Returns the value of a known outcome that many plies from the root."""
        return int(category) * (WIN - plies)


def pieces(position: str) -> int:
    """Returns the number of pieces on the board."""
    return sum(letter.isalpha() for letter in position.split(" ")[0])


def evaluate(position: str) -> int:
    """Returns a guess: what the animals are worth, and how far they have come."""
    ranks, side = position.split(" ")[:2]
    value = 0
    for rank, line in zip(range(9, 0, -1), ranks.split("/")):
        for letter in filter(str.isalpha, line):
            if letter.isupper():
                value += 10 * WORTH[letter] + rank
            else:
                value -= 10 * WORTH[letter.upper()] + 10 - rank
    return value if side == "w" else -value


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("position", nargs="?", default="7/1l5/7/7/3e3/3E3/7/7/4R2 w", help="ranks, then w or b")
    parser.add_argument("--tables", default="tablebases", help="the folder of tables")
    parser.add_argument("--depth", type=int, default=4, help="plies to search")
    arguments = parser.parse_args()
    with jungletb.open_tablebase(arguments.tables) as tables:
        engine = Engine(tables)
        move, value = engine.best(arguments.position, arguments.depth)
        proven = abs(value) > WIN - 1000
        outcome = f"{'wins' if value > 0 else 'loses'}, proven" if proven else f"value {value}, a guess"
        print(f"{move or 'game over'}: {outcome}")
        print(f"{engine.searched} positions searched, {engine.probed} of them found in tables")


if __name__ == "__main__":
    main()
