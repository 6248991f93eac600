"""Batches of positions."""

from __future__ import annotations

import os
from pathlib import Path

import jungletb
import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest
from conftest import LION_LOSES, TABLES
from jungletb import Category, Color

CATEGORIES = {"win": 1, "draw": 0, "loss": -1}
MATERIALS = ["LvR", "EvE", "ERvL"]


def table(columns: dict[str, npt.NDArray[np.uint8]], material: str) -> npt.NDArray[np.uint8]:
    """The squares of a whole material, one position per row."""
    white, black = material.split("v")
    return np.column_stack([columns[letter] for letter in white + black.lower()])


@pytest.fixture(scope="module")
def answers() -> dict[str, tuple[int, int]]:
    """The program's answer for every position of the materials, as printed by scripts/answers."""
    file = os.environ.get("JUNGLETB_ANSWERS")
    if file is None:
        pytest.skip("needs the program's answers: run scripts/test-python")
    rows = (line.split("\t") for line in Path(file).read_text().splitlines())
    return {text: (CATEGORIES[category], -1 if dtw == "-" else int(dtw)) for text, category, dtw, _ in rows}


def test_every_position_has_the_value_that_the_program_gives_it(
    tables: jungletb.Tablebase, answers: dict[str, tuple[int, int]]
) -> None:
    assert len(answers) == 288_120
    texts = list(answers)
    expected = np.array(list(answers.values()))
    by_text = tables.probe_many(texts)
    assert (by_text.category == expected[:, 0]).all() and (by_text.dtw == expected[:, 1]).all()
    seen = 0
    for material in MATERIALS:
        columns = tables.material(material)
        squares, to_move = table(columns, material), columns["to_move"]
        by_squares = tables.probe_squares(material, squares, to_move)
        assert (by_squares.category == columns["category"]).all() and (by_squares.dtw == columns["dtw"]).all()
        for n in range(len(to_move)):
            text = tables.position(material, squares[n], to_move[n])
            assert answers[text] == (columns["category"][n], columns["dtw"][n]), text
        seen += len(to_move)
    assert seen == len(answers)
    for text in texts[::97]:
        category, dtw = answers[text]
        assert (tables.wdl(text), tables.value(text).dtw) == (category, dtw if category else None)


def test_a_whole_material_is_what_its_statistics_say(tables: jungletb.Tablebase) -> None:
    frame = pd.DataFrame(tables.material("LvR"))
    assert list(frame.columns) == ["L", "r", "to_move", "category", "dtw"]
    counts = frame.groupby("to_move")["category"].value_counts()
    assert [counts[Color.WHITE, n] for n in (1, 0, -1)] == [2229, 177, 534]
    assert [counts[Color.BLACK, n] for n in (1, 0, -1)] == [849, 203, 1888]
    assert frame["dtw"].max() == 22
    assert ((frame["dtw"] == -1) == (frame["category"] == Category.DRAW)).all()
    assert not frame.duplicated(["L", "r", "to_move"]).any()


def test_numbers_of_any_width_and_layout(tables: jungletb.Tablebase) -> None:
    columns = tables.material("ERvL")
    squares, to_move = table(columns, "ERvL")[::1001], columns["to_move"][::1001]
    expected = tables.probe_squares("ERvL", squares, to_move)
    assert set(expected.category.tolist()) == {-1, 0, 1}
    for same in [squares.astype(np.int64), np.asfortranarray(squares), squares.tolist(), squares[::-1][::-1]]:
        answer = tables.probe_squares("ERvL", same, to_move.astype(np.int32))
        assert (answer.category == expected.category).all() and (answer.dtw == expected.dtw).all()
    white = tables.probe_squares("ERvL", squares, Color.WHITE)
    assert (white.dtw == tables.probe_squares("ERvL", squares, np.zeros(len(squares), np.uint8)).dtw).all()
    # Letters in another order are the same material; columns stay in the order of its name.
    assert (tables.probe_squares("REvL", squares, to_move).dtw == expected.dtw).all()
    none = tables.probe_squares("ERvL", np.empty((0, 3)), [])
    assert len(none.category) == 0 and none.category.dtype == np.int8 and none.dtw.dtype == np.int32
    assert len(tables.probe_many([]).dtw) == 0


def test_pieces_may_be_off_the_board(tables: jungletb.Tablebase) -> None:
    rows = [[18, 20, 46], [jungletb.OFF_BOARD, 20, 46], [18, jungletb.OFF_BOARD, 46], [18, 20, jungletb.OFF_BOARD]]
    values = tables.probe_squares("ERvL", rows, 0)
    for row, category, dtw in zip(rows, values.category, values.dtw):
        answer = tables.value(tables.position("ERvL", row, 0))
        assert (answer.category, -1 if answer.dtw is None else answer.dtw) == (category, dtw)
    assert values.dtw[3] == 0


@pytest.mark.parametrize(
    ("squares", "to_move", "phrase"),
    [
        ([[0, 1], [3, 1]], 0, "row 1: bad position: white lion on d1"),
        ([[0, 1], [5, 5]], 0, "row 1: bad position: black rat on f1: another piece stands there"),
        ([[0, 63]], 0, "row 0: bad position: black rat on square 63"),
        ([[0, 1], [22, 1]], 0, "row 1: bad position: white lion on b4: it cannot stand in the water"),
        ([[255, 255]], 0, "row 0: bad position: the board is empty"),
        ([[0, 1]], 2, "row 0: bad position: to_move is 2"),
        ([[0, 256]], 0, "numbers from 0 to 255, but they go from 0 to 256"),
        ([[0, -1]], 0, "numbers from 0 to 255, but they go from -1 to 0"),
        ([[0.5, 1]], 0, "whole numbers, not float64"),
        ([["a1", "b1"]], 0, "whole numbers"),
        ([[0, 1]], [0.0], "whole numbers"),
        ([[0, 1]], [[0]], r"to_move must be one number or have the shape \(1,\), not \(1, 1\)"),
        ([[0, 1, 2]], 0, r"LvR with 1 side to move takes squares of shape \(1, 2\), not \(1, 3\)"),
        ([[0, 1]], [0, 1], r"LvR with 2 sides to move takes squares of shape \(2, 2\), not \(1, 2\)"),
        # The right number of squares, in a wrong shape.
        ([[0, 1, 5], [8, 2, 9]], [0, 0, 0], r"takes squares of shape \(3, 2\), not \(2, 3\)"),
        ([[0], [1], [5], [8]], [0, 0], r"takes squares of shape \(2, 2\), not \(4, 1\)"),
        ([0, 1], 0, r"squares must have the shape \(positions, pieces\), not \(2,\)"),
        ([], 0, r"squares must have the shape \(positions, pieces\), not \(0,\)"),
        (np.zeros((0, 3), dtype=np.uint8), [], r"takes squares of shape \(0, 2\), not \(0, 3\)"),
        (np.ma.array([[0, 1]], mask=[[True, False]]), 0, "squares has 1 masked value: leave rows out"),
        ([np.ma.array([0, 1], mask=True)], 0, "squares has 2 masked values"),
        ([[0, 1], [0, 1]], np.ma.array([0, 1], mask=[False, True]), "to_move has 1 masked value"),
    ],
)
def test_bad_arrays(tables: jungletb.Tablebase, squares: object, to_move: object, phrase: str) -> None:
    with pytest.raises(jungletb.PositionError, match=phrase):
        tables.probe_squares("LvR", squares, to_move)  # type: ignore[arg-type]


def test_bad_texts(tables: jungletb.Tablebase) -> None:
    with pytest.raises(jungletb.PositionError, match="position 1: bad position: side to move is missing"):
        tables.probe_many([LION_LOSES, "7/7/7/7/7/7/7/7/L6"])
    with pytest.raises(jungletb.MissingTableError, match="position 2: no table for LTvLT"):
        tables.probe_many([LION_LOSES, LION_LOSES, "l6/t6/7/7/7/7/7/L6/T6 w"])
    with pytest.raises(TypeError, match="for one, there is value"):
        tables.probe_many(LION_LOSES)
    with pytest.raises(TypeError):
        tables.probe_many([1, 2])  # type: ignore[list-item]
    for material in ["", "L", "LvX", "LLvR", "Lv"]:
        with pytest.raises(jungletb.MaterialError, match="material"):
            tables.material(material)
        with pytest.raises(jungletb.MaterialError, match="material"):
            tables.probe_squares(material, [[0, 1]], 0)
    with pytest.raises(jungletb.MissingTableError, match="no table for LTvLT"):
        tables.material("LTvLT")
    with pytest.raises(jungletb.MaterialError, match="LvR takes 2 squares, not 3"):
        tables.position("LvR", [1, 2, 3], 0)
    for squares in ([3, 1], [1, 1], [1, 63], [300, 1]):
        with pytest.raises(jungletb.PositionError):
            tables.position("LvR", squares, 0)
    with pytest.raises(jungletb.PositionError, match="to_move is 2"):
        tables.position("LvR", [1, 2], 2)
    with pytest.raises(jungletb.PositionError, match=r"squares must have the shape \(pieces,\), not \(1, 2\)"):
        tables.position("LvR", [[1, 2]], 0)  # type: ignore[list-item]
    with pytest.raises(jungletb.PositionError, match=r"to_move must be one number, not an array of shape \(1,\)"):
        tables.position("LvR", [1, 2], [0])  # type: ignore[arg-type]
    with pytest.raises(jungletb.PositionError, match="squares has 1 masked value"):
        tables.position("LvR", np.ma.array([1, 2], mask=[False, True]), 0)
    with pytest.raises(jungletb.PositionError, match=r"positions must have the shape \(positions,\), not \(1, 1\)"):
        tables.probe_many(np.array([[LION_LOSES]]))
    with pytest.raises(jungletb.PositionError, match="positions has 1 masked value"):
        tables.probe_many(np.ma.array([LION_LOSES, LION_LOSES], mask=[False, True]))


def test_arrays_without_a_masked_value(tables: jungletb.Tablebase) -> None:
    rows = [[52, 0], [52, 0]]
    plain = tables.probe_squares("LvC", rows, [0, 1])
    masked = tables.probe_squares("LvC", np.ma.array(rows, mask=False), np.ma.array([0, 1]))
    assert plain.category.tolist() == masked.category.tolist() and plain.dtw.tolist() == masked.dtw.tolist()
    assert tables.probe_many(np.array([LION_LOSES])).dtw.tolist() == tables.probe_many([LION_LOSES]).dtw.tolist()


def test_results_without_distances(tmp_path: Path) -> None:
    """With a WDL table only, distances are unknown."""
    (tmp_path / "standard").mkdir()
    name = "LvR.wdl"
    (tmp_path / "standard" / name).write_bytes((TABLES / "standard" / name).read_bytes())
    with jungletb.open_tablebase(tmp_path) as results, jungletb.open_tablebase(TABLES) as tables:
        ours, theirs = results.material("LvR"), tables.material("LvR")
        assert (ours["category"] == theirs["category"]).all() and (ours["dtw"] == -1).all()
        values = results.probe_squares("LvR", table(ours, "LvR"), ours["to_move"])
        assert (values.category == theirs["category"]).all() and (values.dtw == -1).all()
