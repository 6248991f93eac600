"""Single positions."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import threading
import weakref
from collections.abc import Callable
from pathlib import Path

import jungletb
import pytest
from conftest import LION_LOSES, ROOT, START, TABLES
from jungletb import Category, Over


def program(*arguments: str) -> list[object]:
    """The output of the program, as JSON."""
    binary = os.environ.get("JUNGLETB", str(ROOT / "target/release/jungletb"))
    command = [binary, *arguments, "--tables", str(TABLES)]
    run = subprocess.run(command, capture_output=True, check=True, text=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


@pytest.mark.parametrize(
    "position",
    [
        LION_LOSES,
        "7/3L3/7/7/7/7/7/7/c6 w",
        "7/7/7/7/7/7/1d5/1L5/7 w",
        "3L3/7/7/7/7/7/7/7/c6 b",
        "7/7/7/7/7/7/7/7/c6 b",
        "7/7/7/7/7/7/7/d6/Rc5 w",
        "7/7/7/7/7/7/r6/7/L6 w",
        "7/2e4/7/7/7/7/7/2E4/1R5 b",
    ],
)
def test_a_probe_says_what_the_program_says(tables: jungletb.Tablebase, position: str) -> None:
    [theirs] = program("probe", position, "--json")
    ours = tables.probe(position)
    moves = [
        {
            "move": move.move,
            "category": move.value.category.name.lower() if move.value else "unknown",
            "dtw": move.value.dtw if move.value else None,
            "capture": move.capture,
            "den": move.den,
        }
        for move in ours.moves
    ]
    assert theirs == {
        "position": ours.position,
        "rules": tables.rules.name,
        "material": ours.material,
        "class": ours.class_name,
        "category": ours.category.name.lower(),
        "dtw": ours.dtw,
        "over": ours.over.value if ours.over else None,
        "moves": moves,
        "line": list(ours.line),
    }
    assert tables.wdl(position) is ours.category
    assert tables.value(position) == jungletb.Value(ours.category, ours.dtw, ours.over)
    assert tables.moves(position) == list(ours.moves)
    assert tables.line(position) == list(ours.line)


def test_answers_have_types(tables: jungletb.Tablebase) -> None:
    answer = tables.probe("7/7/7/7/7/7/1d5/1L5/7 w")
    assert answer.category is Category.WIN and int(answer.category) == 1
    assert answer.moves[0].capture == "D" and str(answer.moves[0]) == "b2b3"
    assert answer.moves[0].value == jungletb.Value(Category.LOSS, 0, Over.NO_PIECES)
    assert tables.value("7/7/7/7/7/7/7/d6/Rc5 w").over is Over.NO_MOVES
    assert tables.value("3L3/7/7/7/7/7/7/7/c6 b").over is Over.DEN


def test_a_move_to_a_missing_table_has_no_value(tables: jungletb.Tablebase) -> None:
    moves = tables.moves(START)
    assert len(moves) > 20 and all(move.value is None for move in moves)


def test_only_what_is_in_memory(tables: jungletb.Tablebase) -> None:
    assert tables.wdl_in_memory(LION_LOSES) is None
    assert tables.wdl(LION_LOSES) is Category.LOSS
    assert tables.wdl_in_memory(LION_LOSES) is Category.LOSS
    assert tables.wdl_in_memory(START) is None


@pytest.mark.parametrize(
    ("position", "phrase"),
    [
        ("", "no position given"),
        ("7/7 w", "2 ranks"),
        ("7/3c3/7/7/7/2L4/7/7/7 w", "white lion on c4: it cannot stand in the water"),
        ("7/7/7/7/7/7/7/7/3L3 w", "white lion on d1"),
        ("7/7/7/7/7/7/7/7/L5l x", "side to move"),
        ("\0\udcff", "surrogates"),
    ],
)
def test_bad_positions(tables: jungletb.Tablebase, position: str, phrase: str) -> None:
    for call in [tables.wdl, tables.wdl_in_memory, tables.value, tables.moves, tables.line, tables.probe]:
        with pytest.raises(ValueError, match=phrase) as caught:
            call(position)
        assert isinstance(caught.value, (jungletb.PositionError, UnicodeEncodeError))
        assert "\n" not in str(caught.value)


def test_a_missing_table_is_a_key_error(tables: jungletb.Tablebase) -> None:
    with pytest.raises(jungletb.MissingTableError) as caught:
        tables.wdl("l6/t6/7/7/7/7/7/L6/T6 w")
    assert isinstance(caught.value, KeyError) and isinstance(caught.value, jungletb.JungletbError)
    assert str(caught.value).startswith("no table for LTvLT (class ")
    assert "make it with `jungletb generate LTvLT --rules standard" in str(caught.value)
    with pytest.raises(jungletb.MissingTableError, match="16 pieces: no table has more than 8"):
        tables.probe(START)


def test_a_damaged_table(damaged: jungletb.Tablebase) -> None:
    for call in [damaged.wdl, damaged.value, damaged.moves, damaged.probe]:
        with pytest.raises(jungletb.TableError, match="LvR.*damaged table"):
            call("7/7/2r4/3L3/7/7/7/7/7 w")
    with pytest.raises(jungletb.TableError, match="damaged table"):
        damaged.material("LvR")


def test_opening(tmp_path: Path) -> None:
    empty = jungletb.open_tablebase(str(tmp_path), cache_bytes=0, map_files=False)
    assert empty.most_pieces == 0
    with pytest.raises(jungletb.MissingTableError):
        empty.wdl(LION_LOSES)
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(OSError, match="file") as caught:
        jungletb.open_tablebase(file)
    assert isinstance(caught.value, jungletb.TableIOError)
    with jungletb.open_tablebase(TABLES, cache_bytes=0, map_files=False) as tables:
        assert tables.wdl(LION_LOSES) is Category.LOSS
    with pytest.raises((OverflowError, TypeError)):
        jungletb.open_tablebase(TABLES, cache_bytes=-1)


def test_closing() -> None:
    with jungletb.open_tablebase(TABLES) as tables:
        assert not tables.closed
        assert repr(tables) == f"<Tablebase {str(TABLES)!r}, rules 'standard'>"
    assert tables.closed and repr(tables).endswith(", closed>")
    tables.close()
    for call in [tables.wdl, tables.moves, tables.probe]:
        with pytest.raises(jungletb.ClosedError, match="the tablebase is closed"):
            call(LION_LOSES)
    with pytest.raises(jungletb.ClosedError):
        tables.material("LvR")
    gone = weakref.ref(tables)
    del tables, call
    gc.collect()
    assert gone() is None


def test_many_threads(tables: jungletb.Tablebase) -> None:
    columns = tables.material("LvR")
    rows = zip(columns["L"].tolist(), columns["r"].tolist(), columns["to_move"].tolist())
    positions = [tables.position("LvR", [lion, rat], side) for lion, rat, side in list(rows)[::7]]
    expected = [tables.wdl(position) for position in positions]
    answers: dict[int, list[Category]] = {}

    def ask(n: int) -> None:
        answers[n] = [tables.wdl(position) for position in positions]

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 8 and all(answer == expected for answer in answers.values())


CALLS: dict[str, Callable[[jungletb.Tablebase, str], object]] = {
    "line": lambda tables, text: tables.line(text),
    "material": lambda tables, text: tables.material("LvR"),
    "moves": lambda tables, text: tables.moves(text),
    "probe": lambda tables, text: tables.probe(text),
    "probe_many": lambda tables, text: tables.probe_many([text]),
    "probe_squares": lambda tables, text: tables.probe_squares("LvR", [[38, 44]], 0),
    "value": lambda tables, text: tables.value(text),
    "wdl": lambda tables, text: tables.wdl(text),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_pipe_in_place_of_a_table_hangs_no_call(tmp_path: Path, call: str) -> None:
    """Opening a pipe blocks until its other end is opened, which never happens here."""
    pipe = tmp_path / "standard" / ("LvR.wdl" if call == "wdl" else "LvR.dtw")
    pipe.parent.mkdir()
    os.mkfifo(pipe)
    with jungletb.open_tablebase(tmp_path) as tables:
        with pytest.raises(jungletb.TableError, match="it is a folder, pipe or device where a table file should be"):
            CALLS[call](tables, "7/7/2r4/3L3/7/7/7/7/7 w")


def test_rules(tmp_path: Path) -> None:
    assert jungletb.PRESETS[0] == "standard" and len(jungletb.PRESETS) == 6
    assert jungletb.Rules() == jungletb.Rules("standard") != jungletb.Rules("leiden")
    file = tmp_path / "house.toml"
    file.write_text('base = "leiden"\n[strength]\ntiger = 7\n')
    by_file = jungletb.Rules(file)
    by_dict = jungletb.Rules.from_dict({"base": "leiden", "strength": {"tiger": 7}}, "house")
    assert by_file == by_dict and hash(by_file) == hash(by_dict)
    assert by_dict.to_dict()["strength"]["tiger"] == 7
    for name in jungletb.PRESETS:
        rules = jungletb.Rules(name)
        assert jungletb.Rules.from_dict(rules.to_dict(), name) == rules
        assert repr(rules) == f"<Rules {name!r}>"
    with jungletb.open_tablebase(tmp_path, rules=by_dict) as tables:
        assert tables.rules == by_file
        with pytest.raises(jungletb.MissingTableError, match="house"):
            tables.wdl(LION_LOSES)


@pytest.mark.parametrize(
    ("keys", "phrase"),
    [
        ({"bord": "jungle"}, "unknown field `bord`"),
        ({"base": "chess"}, 'unknown base "chess"'),
        ({"strength": {"rat": 0}}, "strength.rat: 0 is out of range"),
        ({"strength": {"cow": 1}}, "unknown variant `cow`"),
        ({"traps": None}, "bad rules"),
        ({"traps": {1, 2}}, "bad rules"),
        ({"swimmers": "rat"}, "bad rules"),
        ({"hidden": True}, "perfect information"),
    ],
)
def test_bad_rules(keys: dict[str, object], phrase: str) -> None:
    with pytest.raises(jungletb.RulesError, match=phrase) as caught:
        jungletb.Rules.from_dict(keys, "house")
    assert isinstance(caught.value, ValueError) and "\n" not in str(caught.value)


def test_bad_names_of_rules() -> None:
    for name in ["chess", "nowhere.toml", "hidden"]:
        with pytest.raises(jungletb.RulesError):
            jungletb.open_tablebase(TABLES, rules=name)
    with pytest.raises(jungletb.RulesError, match="cannot name a folder"):
        jungletb.Rules.from_dict({}, "../house")
    with pytest.raises(jungletb.RulesError, match="leiden.toml"):
        jungletb.Rules.from_dict({}, "leiden")
