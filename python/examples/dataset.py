# %% [markdown]
# # What a data set says about the game
#
# Van Rijn and Vis (*Endgame Analysis of Dou Shou Qi*, 2014) published the outcome of every position with one piece per
# side and White to move, for the animals rat, leopard, tiger, lion and elephant. This script reads data sets that
# `jungletb export --format parquet` wrote, and
#
# 1. counts the outcomes of each material: their table of results, for two pieces and for more;
# 2. compares the positions of two pieces with the published ones, row by row;
# 3. learns a decision tree over what a player would look at, and prints its rules in words.
#
# Cells begin with `# %%`: run them one by one in an editor that knows them, or all at once:
#
#     jungletb generate 2 --rules leiden
#     for m in RvR RvP RvL RvE PvR PvL PvE TvL TvE LvR LvP LvT LvL LvE EvR EvP EvL EvE; do
#         jungletb export $m --rules leiden --format parquet --out data/$m.parquet
#     done
#     python python/examples/dataset.py data --published tests/data/leiden-two-pieces.csv

# %%
from __future__ import annotations

import argparse
import textwrap
from pathlib import Path
from typing import NamedTuple

import jungletb
import numpy as np
import numpy.typing as npt
import polars as pl
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.tree import DecisionTreeClassifier

parser = argparse.ArgumentParser(description="Counts and explains the outcomes in data sets of jungletb.")
parser.add_argument("folder", type=Path, help="folder of Parquet files, of one rule set")
parser.add_argument("--published", type=Path, help="the published positions of two pieces, as CSV")
parser.add_argument("--rules", type=int, default=12, metavar="N", help="number of rules to print")
parser.add_argument("--no-tree", action="store_true", help="only count")
arguments = parser.parse_args()

# %% [markdown]
# ## Reading
# Each file holds one material; its metadata names material and rules.


# %%
class DataSet(NamedTuple):
    """A material."""

    material: str
    white: list[str]
    """The columns with the squares of White's pieces, such as `white_lion`."""
    black: list[str]
    rows: pl.LazyFrame
    """White's result is the column `result`: `w`, `d` or `b`, as in the published data."""


def read(file: Path) -> tuple[str, DataSet]:
    """Returns a data set, and its rules."""
    metadata = pl.read_parquet_metadata(file)
    rows = pl.scan_parquet(file)
    names = rows.collect_schema().names()
    wins = (pl.col("category") == "win") == (pl.col("to_move") == "white")
    result = pl.when(pl.col("category") == "draw").then(pl.lit("d")).when(wins).then(pl.lit("w")).otherwise(pl.lit("b"))
    white, black = ([name for name in names if name.startswith(side)] for side in ("white_", "black_"))
    return metadata["jungletb.rules"], DataSet(
        metadata["jungletb.material"], white, black, rows.with_columns(result=result)
    )


found = [read(file) for file in sorted(arguments.folder.glob("*.parquet"))]
if len({rules for rules, _ in found}) != 1:
    raise SystemExit(f"{arguments.folder}: give a folder of Parquet files of one rule set")
rules_name = found[0][0]
strength: dict[str, int] = jungletb.Rules(rules_name).to_dict()["strength"]
data_sets = sorted((data for _, data in found), key=lambda data: len(data.material))

# %% [markdown]
# ## The table of results
# Wins of White, draws and wins of Black with White to move, and the longest win.

# %%
print(f"rules {rules_name}, White to move")
print(f"{'material':10} {'positions':>10} {'White wins':>18} {'draws':>16} {'Black wins':>18}  longest win")
totals: dict[int, list[int]] = {}
for data in data_sets:
    counts = (
        data.rows.filter(pl.col("to_move") == "white")
        .select(*((pl.col("result") == letter).sum().alias(letter) for letter in "wdb"), pl.col("dtw").max())
        .collect()
    )
    wins, draws, losses, longest = counts.row(0)
    total = wins + draws + losses
    shares = [f"{number:9,} {number / total:6.1%}" for number in (wins, draws, losses)]
    print(f"{data.material:10} {total:10,} {shares[0]:>18} {shares[1]:>16} {shares[2]:>18}  {longest} plies")
    sums = totals.setdefault(len(data.material) - 1, [0, 0, 0])
    sums[:] = [number + more for number, more in zip(sums, (wins, draws, losses))]
for pieces, sums in totals.items():
    shares = [f"{number:9,} {number / sum(sums):6.1%}" for number in sums]
    print(f"{f'{pieces} pieces':10} {sum(sums):10,} {shares[0]:>18} {shares[1]:>16} {shares[2]:>18}")

# %% [markdown]
# ## Against the published positions
# Their columns are strength (0 for the weakest animal), file and rank of each piece, from 0.

# %%
two_pieces = [data for data in data_sets if len(data.white) == len(data.black) == 1]
if arguments.published:
    published = pl.read_csv(arguments.published)

    def published_columns(data: DataSet) -> pl.DataFrame:
        """Returns the positions with White to move in the published columns."""
        columns = []
        for side, name in (("white", data.white[0]), ("black", data.black[0])):
            columns += [
                pl.lit(strength[name.split("_")[1]] - 1, pl.Int64).alias(f"{side}_strength"),
                (pl.col(name) % 7).cast(pl.Int64).alias(f"{side}_file"),
                (pl.col(name) // 7).cast(pl.Int64).alias(f"{side}_rank"),
            ]
        return data.rows.filter(pl.col("to_move") == "white").select(*columns, "result").collect()

    ours = pl.concat([published_columns(data) for data in two_pieces])
    keys = [name for name in published.columns if name != "result"]
    joined = published.join(ours, on=keys, how="inner", suffix="_ours")
    differing = joined.filter(pl.col("result") != pl.col("result_ours"))
    if len(joined) < len(published) or len(differing):
        raise SystemExit(f"{len(published) - len(joined)} published positions not found, {len(differing)} differ")
    print()
    print(f"{len(published):,} published positions, all with the same result")
    lacking = ours.join(published.select(keys[:1] + keys[3:4]).unique(), on=[keys[0], keys[3]], how="semi")
    lacking = lacking.join(published, on=keys, how="anti")
    for row in lacking.iter_rows():
        print(f"not published: {','.join(map(str, row))}")

# %% [markdown]
# ## Features
# All from White's view, who is to move. The main one is the *free way*: the number of moves to the enemy den on a way on
# which the other piece can never capture, however it moves. Positions are taken up to mirror images, which have the same
# features.

# %%
Numbers = npt.NDArray[np.int16]
SQUARES, FILES, RANKS, NEVER = 63, 7, 9, 99
WATER = [rank * FILES + file for rank in (3, 4, 5) for file in (1, 2, 4, 5)]
DEN = {"white": 3, "black": 59}
TRAPS = {"white": [2, 4, 10], "black": [58, 60, 52]}


def steps(animal: str, square: int) -> list[int]:
    """Returns the squares that an animal reaches in one move on an empty board."""
    reached = []
    for across, along in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        file, rank = square % FILES + across, square // FILES + along
        while animal in ("lion", "tiger") and 0 <= file < FILES and 0 <= rank < RANKS and rank * FILES + file in WATER:
            file, rank = file + across, rank + along
        target = rank * FILES + file
        if 0 <= file < FILES and 0 <= rank < RANKS and (animal == "rat" or target not in WATER):
            reached.append(target)
    return reached


def graph(animal: str, barred: int = -1) -> npt.NDArray[np.bool_]:
    """Returns whether an animal gets from a square to another in one move, without entering a barred square."""
    edges = np.zeros((SQUARES, SQUARES), dtype=np.bool_)
    for square in range(SQUARES):
        edges[square, [target for target in steps(animal, square) if target != barred]] = True
    edges[WATER if animal != "rat" else []] = False
    return edges


def follow(reached: npt.NDArray[np.bool_], edges: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Returns the squares one move from the reached ones."""
    return (reached.astype(np.float32) @ edges.astype(np.float32)) > 0


def moves_between(edges: npt.NDArray[np.bool_]) -> Numbers:
    """Returns the number of moves from each square to each other."""
    moves = np.full((SQUARES, SQUARES), NEVER, dtype=np.int16)
    reached = np.eye(SQUARES, dtype=np.bool_)
    for count in range(40):
        moves[reached & (moves == NEVER)] = count
        reached = follow(reached, edges)
    return moves


def takes(animal: str, other: str) -> bool:
    """Whether an animal may take another outside of traps."""
    return strength[animal] >= strength[other] or (animal, other) == ("rat", "elephant")


def free_way(runner: str, side: str, hunter: str, first: bool) -> Numbers:
    """Returns the moves of the shortest free way, by square of the runner and of the hunter."""
    other = "black" if side == "white" else "white"
    edges, goal = graph(runner, DEN[side]), DEN[other]
    hunts = moves_between(graph(hunter, DEN[other]))
    may_take = np.full(SQUARES, takes(hunter, runner))
    may_take[TRAPS[other]] = True
    ways = np.full((SQUARES, SQUARES), NEVER, dtype=np.int16)
    for start in range(SQUARES):
        reached = np.eye(SQUARES, dtype=np.bool_)
        for move in range(1, 30):
            # The moves that the hunter has made after its answer to this one.
            caught = (hunts[start] <= (move if first else move + 1)) & may_take
            open_squares = ~caught & ~((hunts[start] == 0) & (move == 1))
            open_squares[goal] = True
            reached = follow(reached, edges) & open_squares
            ways[reached[:, goal] & (ways[:, start] == NEVER), start] = move
            reached[:, goal] = False
            if not reached.any():
                break
    return ways


class Feature(NamedTuple):
    """What a player looks at."""

    words: str
    """With a number in place of `{}`; of a fact, with nothing or `not`; of a difference, with `shorter than`."""
    kind: str = "number"
    """`number`, `fact` or `difference`."""
    reach: str = ""
    """Whether there is a way at all, with nothing or `not` in place of `{}`."""


FEATURES = {
    "white_takes": Feature("White's piece may{} take Black's", "fact"),
    "black_takes": Feature("Black's piece may{} take White's", "fact"),
    "white_rat": Feature("White's piece is{} the rat", "fact"),
    "black_rat": Feature("Black's piece is{} the rat", "fact"),
    "white_jumps": Feature("White's piece can{} jump", "fact"),
    "black_jumps": Feature("Black's piece can{} jump", "fact"),
    "white_way": Feature("White's way to the den takes {} moves"),
    "black_way": Feature("Black's way to the den takes {} moves"),
    "lead": Feature("White's way to the den is {} Black's", "difference"),
    "white_home": Feature("White is {} moves from its own den"),
    "black_home": Feature("Black is {} moves from its own den"),
    "white_ahead": Feature("White's way to the den is {} Black's way home", "difference"),
    "black_ahead": Feature("Black's way to the den is {} White's way home", "difference"),
    "apart": Feature("the pieces stand {} squares apart"),
    "apart_odd": Feature("the pieces do{} stand an odd number of squares apart", "fact"),
    "white_to_black": Feature("White is {} moves from Black's piece", reach="White can{} reach Black's piece"),
    "black_to_white": Feature("Black is {} moves from White's piece", reach="Black can{} reach White's piece"),
    "white_odd": Feature("White is{} an odd number of moves from Black's piece", "fact"),
    "black_odd": Feature("Black is{} an odd number of moves from White's piece", "fact"),
    "white_free": Feature("White's free way takes {} moves", reach="White does{} have a free way"),
    "black_free": Feature("Black's free way takes {} moves", reach="Black does{} have a free way"),
    "free_lead": Feature("White's free way is {} Black's free way", "difference"),
    "free_before": Feature("White's free way is {} Black's way to the den", "difference"),
    "white_on_trap": Feature("White does{} stand on a trap at Black's den", "fact"),
    "black_on_trap": Feature("Black does{} stand on a trap at White's den", "fact"),
    "white_guards_trap": Feature("White does{} stand on a trap at its own den", "fact"),
    "black_guards_trap": Feature("Black does{} stand on a trap at its own den", "fact"),
    "white_edge": Feature("White stands {} files from the edge"),
    "black_edge": Feature("Black stands {} files from the edge"),
    "white_rank": Feature("White's rank is {}"),
    "black_rank": Feature("Black's rank is {}"),
}


def features(data: DataSet) -> tuple[Numbers, npt.NDArray[np.str_]]:
    """Returns features and results of the positions with White to move, up to mirror images."""
    a, b = data.white[0].split("_")[1], data.black[0].split("_")[1]
    frame = data.rows.filter(pl.col("to_move") == "white").select(data.white[0], data.black[0], "result").collect()
    white, black = (frame[name].to_numpy().astype(np.int16) for name in (data.white[0], data.black[0]))
    mirror_white, mirror_black = (square + FILES - 1 - 2 * (square % FILES) for square in (white, black))
    kept = white * 64 + black <= mirror_white * 64 + mirror_black
    white, black = white[kept], black[kept]
    a_moves, b_moves = moves_between(graph(a, DEN["white"])), moves_between(graph(b, DEN["black"]))
    white_way, black_way = a_moves[white, DEN["black"]], b_moves[black, DEN["white"]]
    # As if a piece could enter its own den.
    white_home = moves_between(graph(a))[white, DEN["white"]]
    black_home = moves_between(graph(b))[black, DEN["black"]]
    white_free = free_way(a, "white", b, first=True)[white, black]
    black_free = free_way(b, "black", a, first=False)[black, white]
    apart = np.abs(white % FILES - black % FILES) + np.abs(white // FILES - black // FILES)
    white_to_black, black_to_white = a_moves[white, black], b_moves[black, white]
    one = np.ones(len(white), dtype=np.int16)
    columns = {
        "white_takes": one * takes(a, b),
        "black_takes": one * takes(b, a),
        "white_rat": one * (a == "rat"),
        "black_rat": one * (b == "rat"),
        "white_jumps": one * (a in ("lion", "tiger")),
        "black_jumps": one * (b in ("lion", "tiger")),
        "white_way": white_way,
        "black_way": black_way,
        "lead": black_way - white_way,
        "white_home": white_home,
        "black_home": black_home,
        "white_ahead": black_home - white_way,
        "black_ahead": white_home - black_way,
        "apart": apart,
        "apart_odd": apart % 2,
        "white_to_black": white_to_black,
        "black_to_white": black_to_white,
        "white_odd": white_to_black % 2,
        "black_odd": black_to_white % 2,
        "white_free": white_free,
        "black_free": black_free,
        # A way that does not exist is longer by a dozen moves.
        "free_lead": np.clip(black_free - white_free, -12, 12),
        "free_before": np.clip(black_way - white_free, -12, 12),
        "white_on_trap": np.isin(white, TRAPS["black"]),
        "black_on_trap": np.isin(black, TRAPS["white"]),
        "white_guards_trap": np.isin(white, TRAPS["white"]),
        "black_guards_trap": np.isin(black, TRAPS["black"]),
        "white_edge": np.minimum(white % FILES, FILES - 1 - white % FILES),
        "black_edge": np.minimum(black % FILES, FILES - 1 - black % FILES),
        "white_rank": white // FILES + 1,
        "black_rank": black // FILES + 1,
    }
    assert list(columns) == list(FEATURES)
    table = np.column_stack([column.astype(np.int16) for column in columns.values()])
    return table, frame["result"].to_numpy()[kept].astype(np.str_)


# %% [markdown]
# ## The tree
# The smallest of a few sizes that is right on at least 99 % of positions that it has not seen: a fifth is held out at a
# time, with mirror images.

# %%
if arguments.no_tree or not two_pieces:
    raise SystemExit(0)
parts = [features(data) for data in two_pieces]
inputs, results = np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])
folds = StratifiedKFold(5, shuffle=True, random_state=1)
for leaves in range(50, 1000, 25):
    tree = DecisionTreeClassifier(max_leaf_nodes=leaves, random_state=1)
    accuracy = float((cross_val_predict(tree, inputs, results, cv=folds) == results).mean())
    if accuracy >= 0.99:
        break
tree.fit(inputs, results)
print()
print(f"{len(results):,} positions of two pieces up to mirror images, White to move")
print(f"a tree of {tree.get_n_leaves()} rules is right on {(tree.predict(inputs) == results).mean():.1%} of them")
print(f"right on held-out positions {accuracy:.2%}")

# %% [markdown]
# ## Its rules in words


# %%
class Rule(NamedTuple):
    """A leaf of the tree."""

    bounds: dict[int, tuple[float, float]]
    """By feature: above the first number, and at most the second."""
    result: str
    size: int
    """Number of positions."""
    right: int
    """Of them, those with this result."""


def rules_below(node: int, bounds: dict[int, tuple[float, float]]) -> list[Rule]:
    """Returns the rules of a part of the tree."""
    parts = tree.tree_
    if parts.children_left[node] == -1:
        size = int(parts.n_node_samples[node])
        shares = parts.value[node][0] / parts.value[node][0].sum()
        return [Rule(bounds, str(tree.classes_[shares.argmax()]), size, round(size * float(shares.max())))]
    feature, border = int(parts.feature[node]), float(parts.threshold[node])
    low, high = bounds.get(feature, (-np.inf, np.inf))
    left = rules_below(parts.children_left[node], {**bounds, feature: (low, min(high, border))})
    return left + rules_below(parts.children_right[node], {**bounds, feature: (max(low, border), high)})


def moves(number: int) -> str:
    """Returns a number of moves in words."""
    return "1 move" if number == 1 else f"{number} moves"


def compared(least: int | None, most: int | None) -> str:
    """Returns how much shorter a way is than another, in words."""
    if most is None:
        assert least is not None
        if least > 0:
            return "shorter than" if least == 1 else f"at least {moves(least)} shorter than"
        return "no longer than" if least == 0 else f"at most {moves(-least)} longer than"
    if least is None:
        if most < 0:
            return "longer than" if most == -1 else f"at least {moves(-most)} longer than"
        return "no shorter than" if most == 0 else f"at most {moves(most)} shorter than"
    if least == most:
        return "as long as" if least == 0 else f"{moves(abs(least))} {'shorter' if least > 0 else 'longer'} than"
    return f"{compared(least, None)}, and {compared(None, most)},"


def words(feature: Feature, low: float, high: float) -> str:
    """Returns a condition in words."""
    # Borders lie between whole numbers.
    least = None if low == -np.inf else int(np.floor(low)) + 1
    most = None if high == np.inf else int(np.floor(high))
    if feature.kind == "fact":
        return feature.words.format(" not" if least is None else "")
    if feature.kind == "difference":
        return feature.words.format(compared(least, most))
    # No way has that many moves.
    if least is not None and least > 40:
        return feature.reach.format(" not")
    if most is not None and most > 40:
        there_is = feature.reach.format("")
        return there_is if least is None else f"{there_is}, and {words(feature, low, np.inf)}"
    if most is None:
        return feature.words.format(f"at least {least}")
    if least is None:
        return feature.words.format(f"at most {most}")
    return feature.words.format(f"{least}" if least == most else f"{least} to {most}")


names = list(FEATURES.values())
every_rule = sorted(rules_below(0, {}), key=lambda rule: -rule.size)
shown = every_rule[: arguments.rules]
print(f"the {len(shown)} rules with the most positions, {sum(rule.size for rule in shown) / len(results):.0%} of all:")
for number, rule in enumerate(shown, 1):
    outcome = {"w": "White wins", "d": "It is drawn", "b": "Black wins"}[rule.result]
    conditions = [words(names[feature], low, high) for feature, (low, high) in rule.bounds.items()]
    share = f"({rule.size:,} positions, {rule.right:,} right)"
    text = f"{number:3}. {outcome} if {', and '.join(conditions)} {share}."
    print(textwrap.fill(text, 118, subsequent_indent="     "))
