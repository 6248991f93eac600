"""Learns a small decision tree from a whole table, and prints its accuracy and its rules.

A table holds the exact outcome of every position of a material, but no reason for any of them. Van Rijn and Vis
(Endgame Analysis of Dou Shou Qi, 2014) studied how much of a table a few rules explain. Here features that a player
would use (which side is nearer to the den, whose move it is when two pieces face each other, which pieces stand on
traps) are computed for each position, and scikit-learn learns a tree over them. Its accuracy is measured on held-out
positions, whose mirror images are held out too, and compared with always predicting the most frequent outcome.

    python python/examples/decision_tree.py EvL --depth 6
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import deque
from typing import Any

import jungletb
import numpy as np
import numpy.typing as npt
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.tree import DecisionTreeClassifier, export_text

FILES, RANKS = 7, 9
DENS = {"white": 3, "black": 59}
TRAPS = {"white": [2, 4, 10], "black": [58, 60, 52]}
WATER = [rank * FILES + file for rank in (3, 4, 5) for file in (1, 2, 4, 5)]
OUTCOMES = {1: "win", 0: "draw", -1: "loss"}

Column = npt.NDArray[np.int16]


def steps(animal: str, square: int) -> list[int]:
    """Returns the squares that an animal reaches in one move on an empty board."""
    reached = []
    for across, along in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        file, rank = square % FILES + across, square // FILES + along
        while animal in "LT" and 0 <= file < FILES and 0 <= rank < RANKS and rank * FILES + file in WATER:
            file, rank = file + across, rank + along
        target = rank * FILES + file
        if 0 <= file < FILES and 0 <= rank < RANKS and (animal == "R" or target not in WATER):
            reached.append(target)
    return reached


def moves_to(animal: str, goal: int, barred: int) -> Column:
    """Returns for each square the number of moves of an animal to a goal on an empty board, avoiding its own den."""
    distance = np.full(FILES * RANKS, 99, dtype=np.int16)
    distance[goal] = 0
    queue = deque([goal])
    while queue:
        square = queue.popleft()
        # Steps and jumps are reversible.
        for before in steps(animal, square):
            if distance[before] == 99 and before != barred:
                distance[before] = distance[square] + 1
                queue.append(before)
    return distance


def without_mirror_images(material: str, table: dict[str, npt.NDArray[Any]]) -> dict[str, npt.NDArray[Any]]:
    """Returns the table with one of each two mirror images, which have the same features."""
    number = np.zeros(len(table["to_move"]), dtype=np.int64)
    image = number.copy()
    white, black = material.split("v")
    for letter in white + black.lower():
        squares = table[letter].astype(np.int64)
        number = number * 64 + squares
        image = image * 64 + squares - squares % FILES + (FILES - 1 - squares % FILES)
    return {name: column[number <= image] for name, column in table.items()}


def features(material: str, table: dict[str, npt.NDArray[Any]]) -> dict[str, Column]:
    """Returns the features of each position, from the view of the side to move."""
    white, black = material.split("v")
    whites_turn = table["to_move"] == jungletb.Color.WHITE
    columns: dict[str, Column] = {}
    sides: dict[str, dict[str, Column]] = {"white": {}, "black": {}}
    for side, enemy, letters in (("white", "black", white), ("black", "white", black)):
        for animal in letters:
            squares = table[animal if side == "white" else animal.lower()]
            sides[side][animal] = squares.astype(np.int16)

    def nearest(side: str, enemy: str) -> Column:
        ways = [moves_to(a, DENS[enemy], DENS[side])[squares] for a, squares in sides[side].items()]
        least: Column = np.min(ways, axis=0)
        return least

    def by_turn(of_white: npt.NDArray[np.generic], of_black: npt.NDArray[np.generic]) -> tuple[Column, Column]:
        """Returns the value for the side to move, and for the other side."""
        ours = np.where(whites_turn, of_white, of_black).astype(np.int16)
        theirs = np.where(whites_turn, of_black, of_white).astype(np.int16)
        return ours, theirs

    columns["white to move"] = whites_turn.astype(np.int16)
    ours, theirs = by_turn(nearest("white", "black"), nearest("black", "white"))
    columns["our moves to the den"], columns["their moves to the den"] = ours, theirs
    columns["lead in the race"] = theirs - ours
    for side, enemy in (("white", "black"), ("black", "white")):
        on_trap = np.any([np.isin(s, TRAPS[enemy]) for s in sides[side].values()], axis=0)
        columns[f"{side} stands on an enemy trap"] = on_trap.astype(np.int16)
    for animal, ours in sides["white"].items():
        for other, theirs in sides["black"].items():
            apart = np.abs(ours % FILES - theirs % FILES) + np.abs(ours // FILES - theirs // FILES)
            pair = f"{animal} and {other.lower()}"
            columns[f"steps between {pair}"] = apart.astype(np.int16)
            # Opposition: with an even number of steps between, the other side comes closer first.
            columns[f"{pair} an odd number of steps apart"] = (apart % 2).astype(np.int16)
            # A piece between its den and an enemy piece stops it.
            for name, guard, raider, den in (
                (f"{animal} guards against {other.lower()}", ours, theirs, DENS["white"]),
                (f"{other.lower()} guards against {animal}", theirs, ours, DENS["black"]),
            ):
                way = moves_to("R", den, -1)
                columns[name] = (way[raider] - way[guard]).astype(np.int16)
    return columns


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("material", nargs="?", default="EvL", help="such as EvL")
    parser.add_argument("--tables", default="tablebases", help="the folder of tables")
    parser.add_argument("--rules", default="standard", help="preset or rule file, on the board of 7x9 squares")
    parser.add_argument("--depth", type=int, default=6, help="questions that the tree asks, at most")
    arguments = parser.parse_args()

    with jungletb.open_tablebase(arguments.tables, arguments.rules) as tables:
        table = without_mirror_images(arguments.material, tables.material(arguments.material))
    columns = features(arguments.material, table)
    inputs = np.column_stack(list(columns.values()))
    outcomes = np.array([OUTCOMES[category] for category in table["category"].tolist()])

    tree = DecisionTreeClassifier(max_depth=arguments.depth, min_samples_leaf=10, random_state=1)
    folds = StratifiedKFold(5, shuffle=True, random_state=1)
    guesses = cross_val_predict(tree, inputs, outcomes, cv=folds)
    names, counts = np.unique(outcomes, return_counts=True)
    tree.fit(inputs, outcomes)

    print(f"{arguments.material}, {len(outcomes):,} positions up to mirror, rules {arguments.rules}")
    for name, count in zip(names, counts):
        right = float((guesses[outcomes == name] == name).mean())
        print(f"  {name:5} {count / len(outcomes):6.1%} of the positions, {right:6.1%} of them recognized")
    print(f"most frequent outcome  {counts.max() / len(outcomes):.1%}")
    print(f"accuracy on held-out positions  {(guesses == outcomes).mean():.1%} (5 folds)")
    print(f"{tree.get_n_leaves()} leaves, depth {tree.get_depth()}")
    print()
    print(export_text(tree, feature_names=list(columns), max_depth=3))


if __name__ == "__main__":
    try:
        main()
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader closed the pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
