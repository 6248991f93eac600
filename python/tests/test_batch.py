"""Batches of positions."""

from __future__ import annotations

import os
from pathlib import Path

import jungletb
import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest
from conftest import LION_LOSES, SHIPPED, TABLES
from jungletb import Category, Color

CATEGORIES = {"win": 1, "draw": 0, "loss": -1}
NO_DTW = {"draw": jungletb.DTW_DRAW}
MATERIALS = ["LvR", "EvE", "ERvL"]


def table(columns: dict[str, npt.NDArray[np.uint8]], material: str) -> npt.NDArray[np.uint8]:
    """The squares of a whole material, one position per row."""
    white, black = material.split("v")
    return np.column_stack([columns[letter] for letter in white + black.lower()])


Answers = dict[str, tuple[int, int]]


def read(variable: str) -> Answers:
    """The program's answers, as printed by scripts/answers to the file that an environment variable names."""
    file = os.environ.get(variable)
    if file is None:
        pytest.skip("needs the program's answers: run scripts/test-python")
    rows = (line.split("\t") for line in Path(file).read_text().splitlines())
    return {
        text: (CATEGORIES[category], NO_DTW[category] if dtw == "-" else int(dtw)) for text, category, dtw, _ in rows
    }


@pytest.fixture(scope="module")
def answers() -> Answers:
    """Every position of the materials."""
    return read("JUNGLETB_ANSWERS")


def test_random_positions_have_the_values_that_the_program_gives_them() -> None:
    answers = read("JUNGLETB_RANDOM_ANSWERS")
    assert len(answers) > 99_000
    texts, expected = list(answers), np.array(list(answers.values()))
    with jungletb.open_tablebase(SHIPPED) as tables:
        values = tables.probe_many(texts)
        assert (values.category == expected[:, 0]).all() and (values.dtw == expected[:, 1]).all()
        assert (tables.wdl_many(texts) == expected[:, 0]).all()
        squares, to_move = tables.rules.squares("ELTPWDCRvELTPWDCR", texts)
        values = tables.probe_squares("ELTPWDCRvELTPWDCR", squares, to_move)
        assert (values.category == expected[:, 0]).all() and (values.dtw == expected[:, 1]).all()


def test_every_position_has_the_value_that_the_program_gives_it(
    tables: jungletb.Tablebase, answers: Answers
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
        (np.ma.array([[0, 1], [3, 1]], mask=[[True, False], [False, False]]), 0, "row 1: bad position: white lion"),
        ([[0, 1], [0, 1]], np.ma.array([0, 3], mask=[True, False]), "row 1: bad position: to_move is 3"),
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


def test_masks_are_honored(tables: jungletb.Tablebase) -> None:
    rows = [[52, 0], [52, 0]]
    plain = tables.probe_squares("LvC", rows, [0, 1])
    same = tables.probe_squares("LvC", np.ma.array(rows, mask=False), np.ma.array([0, 1]))
    assert not isinstance(same.dtw, np.ma.MaskedArray)
    assert plain.category.tolist() == same.category.tolist() and plain.dtw.tolist() == same.dtw.tolist()
    assert tables.probe_many(np.array([LION_LOSES])).dtw.tolist() == tables.probe_many([LION_LOSES]).dtw.tolist()

    # What is masked is not looked at: it may be no position, and no number of a square.
    squares = np.ma.array([[52, 0], [999, 3], [52, 0]], mask=[[False, False], [False, True], [False, False]])
    squares[1, 0] = np.ma.masked
    values = tables.probe_squares("LvC", squares, np.ma.array([0, 0, 9], mask=[False, False, True]))
    for answer in values:
        assert isinstance(answer, np.ma.MaskedArray) and answer.mask.tolist() == [False, True, True]
    assert values.category.tolist() == [1, None, None] and values.dtw.tolist() == [1, None, None]
    # Without the mask, no answer can be taken for one.
    assert np.ma.getdata(values.category).tolist() == [1, -128, -128]
    assert np.ma.getdata(values.dtw).tolist() == [1, jungletb.DTW_UNKNOWN, jungletb.DTW_UNKNOWN]
    rows_of_arrays = [np.ma.array([52, 0], mask=False), np.ma.array([52, 0], mask=[True, False])]
    assert tables.probe_squares("LvC", rows_of_arrays, 0).dtw.tolist() == [1, None]
    assert tables.wdl_squares("LvC", squares, 0).tolist() == [1, None, 1]
    texts = np.ma.array([LION_LOSES, "nothing"], mask=[False, True])
    assert tables.probe_many(texts).dtw.tolist() == [8, None]
    assert tables.wdl_many(texts).tolist() == [-1, None]


def test_line_breaks_within_positions(tables: jungletb.Tablebase) -> None:
    values = tables.probe_many([LION_LOSES + "\n", LION_LOSES.replace(" ", "\n"), LION_LOSES])
    assert values.dtw.tolist() == [8, 8, 8]
    with pytest.raises(jungletb.PositionError, match="position 1: bad position: no position given"):
        tables.probe_many(["\n" + LION_LOSES, "\n", LION_LOSES])
    with pytest.raises(UnicodeEncodeError):
        tables.probe_many(["\udcff"])


def test_missing_tables_can_be_masked(tables: jungletb.Tablebase) -> None:
    missing = "l6/t6/7/7/7/7/7/L6/T6 w"
    values = tables.probe_many([LION_LOSES, missing, LION_LOSES], missing="mask")
    assert values.dtw.tolist() == [8, None, 8] and values.category.tolist() == [-1, None, -1]
    assert tables.wdl_many([missing, LION_LOSES], missing="mask").tolist() == [None, -1]
    assert not isinstance(tables.wdl_many([LION_LOSES], missing="mask"), np.ma.MaskedArray)
    rows, to_move = tables.rules.squares("LTvLT", [missing])
    assert tables.probe_squares("LTvLT", rows, to_move, missing="mask").category.tolist() == [None]
    with pytest.raises(jungletb.MissingTableError, match="row 0: no table for LTvLT") as caught:
        tables.wdl_squares("LTvLT", rows, to_move)
    assert caught.value.material == "LTvLT"
    # Only a missing table is left out.
    with pytest.raises(jungletb.PositionError, match="position 1"):
        tables.probe_many([missing, "nothing"], missing="mask")
    with pytest.raises(ValueError, match="missing is 'skip': give 'raise' or 'mask'"):
        tables.probe_many([LION_LOSES], missing="skip")  # type: ignore[arg-type]


def test_results_without_distances(tmp_path: Path) -> None:
    """With a WDL table only, categories are known and distances are not."""
    (tmp_path / "standard").mkdir()
    name = "LvR.wdl"
    (tmp_path / "standard" / name).write_bytes((TABLES / "standard" / name).read_bytes())
    with jungletb.open_tablebase(tmp_path) as results, jungletb.open_tablebase(TABLES) as tables:
        ours, theirs = results.material("LvR"), tables.material("LvR")
        assert (ours["category"] == theirs["category"]).all()
        drawn = ours["category"] == Category.DRAW
        assert (ours["dtw"] == np.where(drawn, jungletb.DTW_DRAW, jungletb.DTW_UNKNOWN)).all()
        values = results.probe_squares("LvR", table(ours, "LvR"), ours["to_move"])
        assert (values.category == theirs["category"]).all() and (values.dtw == ours["dtw"]).all()
        assert (results.wdl_squares("LvR", table(ours, "LvR"), ours["to_move"]) == theirs["category"]).all()


def test_categories_alone_need_no_table_of_distances(tmp_path: Path) -> None:
    (tmp_path / "standard").mkdir()
    for name, contents in {"LvR.wdl": (TABLES / "standard" / "LvR.wdl").read_bytes(), "LvR.dtw": b"damaged"}.items():
        (tmp_path / "standard" / name).write_bytes(contents)
    with jungletb.open_tablebase(tmp_path) as damaged, jungletb.open_tablebase(TABLES) as tables:
        whole = tables.material("LvR")
        squares, to_move = table(whole, "LvR"), whole["to_move"]
        assert (damaged.wdl_squares("LvR", squares, to_move) == whole["category"]).all()
        assert (damaged.wdl_many(tables.rules.positions("LvR", squares, to_move)) == whole["category"]).all()
        categories = damaged.material("LvR", distances=False)
        assert list(categories) == ["L", "r", "to_move", "category"]
        assert (categories["category"] == whole["category"]).all()
        with pytest.raises(jungletb.TableError):
            damaged.probe_squares("LvR", squares, to_move)


@pytest.mark.parametrize("folder", [TABLES, SHIPPED])
def test_a_class_that_is_unpacked_as_a_whole_has_the_values_of_single_probes(folder: Path) -> None:
    """A batch of most of a class is read in another way than a few positions of it."""
    with jungletb.open_tablebase(folder) as tables:
        columns = tables.material("ERvL")
        squares, to_move = table(columns, "ERvL"), columns["to_move"]
        whole = tables.probe_squares("ERvL", squares, to_move)
        assert (whole.category == columns["category"]).all() and (whole.dtw == columns["dtw"]).all()
        for n in range(0, len(to_move), 101):
            one = tables.probe_squares("ERvL", squares[n : n + 1], to_move[n : n + 1])
            assert (one.category[0], one.dtw[0]) == (whole.category[n], whole.dtw[n])
        # Captured pieces, ended games and other materials in one batch.
        texts = tables.rules.positions("ERvL", squares[::7], to_move[::7])
        mixed = [text for pair in zip(texts, [LION_LOSES, "3L3/7/7/7/7/7/7/7/c6 b"] * len(texts)) for text in pair]
        values = tables.probe_many(mixed)
        assert (values.dtw[::2] == whole.dtw[::7]).all()
        assert values.dtw[1:5:2].tolist() == [8, 0]
