"""Proofs beyond the tables."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import jungletb
import pytest
from conftest import LION_LOSES, ROOT, START, TABLES
from jungletb import Bound, Category

PUZZLE = "5L1/3l2d/1tc4/7/7/7/1PWD1C1/7/7 w"


def test_a_win_that_no_table_has(tables: jungletb.Tablebase) -> None:
    proof = tables.prove(PUZZLE, threads=1)
    assert (proof.category, proof.dtw, proof.bound) == (Category.WIN, 3, Bound.EXACT)
    assert proof.position == PUZZLE and len(proof.line) == 3
    assert proof.positions > 0 and proof.seconds > 0
    binary = os.environ.get("JUNGLETB", str(ROOT / "target/release/jungletb"))
    command = [binary, "prove", PUZZLE, "--json", "--threads", "1", "--tables", str(TABLES)]
    theirs = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    assert (theirs["dtw"], theirs["bound"], theirs["line"]) == (proof.dtw, proof.bound.value, list(proof.line))


def test_tables_and_ends_of_the_game_need_no_search(tables: jungletb.Tablebase) -> None:
    proof = tables.prove(LION_LOSES)
    assert (proof.category, proof.dtw, proof.bound, proof.positions) == (Category.LOSS, 8, Bound.EXACT, 0)
    over = tables.prove("3L3/7/7/7/7/7/7/7/c6 b")
    assert (over.category, over.dtw, over.line) == (Category.LOSS, 0, ())


def test_limits_say_what_is_excluded(tables: jungletb.Tablebase) -> None:
    proof = tables.prove(START, plies=5)
    assert (proof.category, proof.dtw, proof.bound, proof.line) == (None, None, Bound.NONE, ())
    assert proof.not_before is not None and proof.not_before >= 6
    few = [tables.prove(START, positions=20_000, threads=1) for _ in range(2)]
    assert (few[0].not_before, few[0].positions) == (few[1].not_before, few[1].positions)
    assert 0 < few[0].positions <= 20_000
    began = time.monotonic()
    tables.prove(START, time=0.2)
    assert time.monotonic() - began < 10


def test_bad_arguments(tables: jungletb.Tablebase) -> None:
    with pytest.raises(jungletb.PositionError, match="side to move is missing"):
        tables.prove("7/7/7/7/7/7/7/7/7")
    for name in ("time", "positions", "plies", "memory", "threads"):
        with pytest.raises(ValueError, match=f"{name} is 0"):
            tables.prove(START, **{name: 0})
    with pytest.raises(ValueError, match="time is nan"):
        tables.prove(START, time=float("nan"))
    with pytest.raises(MemoryError, match="not enough memory"):
        tables.prove(START, memory=1 << 62)
    tables.close()
    with pytest.raises(jungletb.ClosedError):
        tables.prove(START)


def test_damage_is_not_an_answer(damaged: jungletb.Tablebase) -> None:
    with pytest.raises(jungletb.TableError, match="damaged table"):
        damaged.prove("7/7/7/7/3r3/7/3L3/7/7 w")


def test_other_threads_run_meanwhile(tables: jungletb.Tablebase) -> None:
    steps = 0
    search = threading.Thread(target=tables.prove, args=(START,), kwargs={"time": 1.0})
    search.start()
    while search.is_alive():
        steps += 1
        time.sleep(0.01)
    assert steps > 10


def test_an_interrupt_ends_the_search(tmp_path: Path) -> None:
    script = tmp_path / "search.py"
    script.write_text(
        f"""
import _thread, threading, time
import jungletb
tables = jungletb.open_tablebase({str(TABLES)!r})
threading.Timer(0.5, _thread.interrupt_main).start()
began = time.monotonic()
try:
    tables.prove({START!r}, time=600)
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - began < 60)
"""
    )
    run = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=300)
    assert (run.stdout, run.stderr) == ("interrupted True\n", "")
