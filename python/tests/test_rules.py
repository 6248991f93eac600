"""The game without tables."""

from __future__ import annotations

from pathlib import Path

import jungletb
import numpy as np
import pytest
from conftest import LION_LOSES, START, TABLES
from jungletb import OFF_BOARD, Over, Rules

ALL = "ELTPWDCRvELTPWDCR"


def perft(rules: Rules, position: str, depth: int) -> int:
    return 1 if depth == 0 else sum(perft(rules, after, depth - 1) for after in rules.moves(position).values())


def test_moves_are_those_of_the_game() -> None:
    rules = Rules()
    assert rules.start == START
    assert [perft(rules, START, depth) for depth in (1, 2)] == [24, 576]
    assert Rules("animal-checkers").start is None
    with jungletb.open_tablebase(TABLES) as tables:
        for text in (LION_LOSES, "7/7/7/7/7/7/1d5/1L5/7 w", "3L3/7/7/7/7/7/7/7/c6 b"):
            ranked = {str(move): move.position for move in tables.moves(text)}
            assert rules.moves(text) == ranked
            for move, after in ranked.items():
                assert rules.after(text, move) == after
    assert rules.after(LION_LOSES) == LION_LOSES
    assert rules.over("3L3/7/7/7/7/7/7/7/c6 b") is Over.DEN
    assert rules.over(LION_LOSES) is None


@pytest.mark.parametrize(
    ("moves", "phrase"),
    [
        (["d6d9"], "d6d9 is not a legal move of 7/7/2r4/3L3/7/3c3/7/7/7 w"),
        (["d6d7", "d7d6"], "d7d6 is not a legal move of 7/7/2rL3/7/7/3c3/7/7/7 b"),
        (["up"], '"up" is not a move: write the squares from and to, as in d7d8'),
    ],
)
def test_illegal_moves(moves: list[str], phrase: str) -> None:
    with pytest.raises(jungletb.MoveError, match=phrase) as caught:
        Rules().after(LION_LOSES, *moves)
    assert isinstance(caught.value, ValueError)


def test_texts_and_squares() -> None:
    rules = Rules()
    texts = [LION_LOSES, START, "7/3L3/7/7/7/7/7/7/c6 b"]
    squares, to_move = rules.squares(ALL, texts)
    assert squares.shape == (3, 16) and squares.dtype == to_move.dtype == np.uint8
    assert to_move.tolist() == [0, 0, 1]
    assert (squares != OFF_BOARD).sum(axis=1).tolist() == [3, 16, 2]
    assert rules.positions(ALL, squares, to_move) == texts
    with jungletb.open_tablebase(TABLES) as tables:
        some = [0, 2]
        by_text = tables.probe_many([texts[n] for n in some])
        by_squares = tables.probe_squares(ALL, squares[some], to_move[some])
        assert by_text.dtw.tolist() == by_squares.dtw.tolist() == [8, 2]
    none = rules.squares("LvR", [])
    assert none.squares.shape == (0, 2) and rules.positions("LvR", *none) == []
    with pytest.raises(jungletb.MaterialError, match="position 1: its pieces are LvCR, not among those of LvC"):
        rules.squares("LvC", [texts[2], LION_LOSES])
    with pytest.raises(jungletb.PositionError, match="position 1: bad position"):
        rules.squares(ALL, [LION_LOSES, "nothing"])
    with pytest.raises(jungletb.PositionError, match="row 1: bad position: white lion on d1"):
        rules.positions("LvC", [[52, 0], [3, 0]], 0)
    with pytest.raises(jungletb.PositionError, match=r"squares of shape \(1, 2\), not \(1, 3\)"):
        rules.positions("LvC", [[52, 0, 1]], 0)
    with pytest.raises(jungletb.PositionError, match="squares has 2 masked values"):
        rules.positions("LvC", np.ma.array([[52, 0]], mask=True), 0)
    with pytest.raises(TypeError):
        rules.squares("LvC", LION_LOSES)


def test_rules_as_a_file(tmp_path: Path) -> None:
    for name in jungletb.PRESETS:
        rules = Rules.from_dict(Rules(name).to_dict(), "house")
        file = tmp_path / "house.toml"
        file.write_text(rules.to_toml())
        assert Rules(file) == rules
