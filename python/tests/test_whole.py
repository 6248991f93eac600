"""Whole materials: at once, in parts, counted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import jungletb
import numpy as np
import pytest
from conftest import SHIPPED, TABLES

MATERIALS = ["LvR", "RvL", "EvE", "ERvL", "LvER"]


@pytest.mark.parametrize("material", MATERIALS)
@pytest.mark.parametrize("distances", [True, False])
def test_parts_are_the_whole(material: str, distances: bool) -> None:
    with jungletb.open_tablebase(SHIPPED) as tables:
        whole = tables.material(material, distances=distances)
        assert ("dtw" in whole) == distances
        parts = list(tables.chunks(material, 5000, distances=distances))
        assert max(len(part["to_move"]) for part in parts) <= 5000
        for name, column in whole.items():
            joined = np.concatenate([part[name] for part in parts])
            assert joined.dtype == column.dtype and (joined == column).all()
        assert tables.count(material) == len(whole["to_move"])


def test_counts_and_statistics_are_those_of_the_rows(tables: jungletb.Tablebase) -> None:
    columns = tables.material("ERvL")
    figures = tables.statistics("ERvL")
    for name, side in (("white", jungletb.Color.WHITE), ("black", jungletb.Color.BLACK)):
        of_side = columns["category"][columns["to_move"] == side]
        counts = {word: int((of_side == number).sum()) for word, number in (("win", 1), ("draw", 0), ("loss", -1))}
        assert figures[name] == counts
    assert figures["longest"]["plies"] == columns["dtw"].max()


def test_errors_come_at_once_and_before_any_row(tables: jungletb.Tablebase, damaged: jungletb.Tablebase) -> None:
    for call in (tables.count, tables.chunks, tables.material, tables.statistics):
        with pytest.raises(jungletb.MissingTableError, match="no table for LTvLT"):
            call("LTvLT")
        with pytest.raises(jungletb.MaterialError):
            call("L")
    with pytest.raises(ValueError, match="rows is 999: give at least 1000"):
        tables.chunks("LvR", 999)
    for call in (damaged.count, damaged.chunks, damaged.material, damaged.statistics):
        with pytest.raises(jungletb.TableError, match="damaged table"):
            call("LvR")


@pytest.mark.skipif(sys.platform != "linux", reason="limits of address space are those of Linux")
def test_memory_that_is_exhausted_is_an_exception(tmp_path: Path) -> None:
    """The interpreter once ended by SIGABRT. A batch of the same size needs a part of the memory."""
    script = tmp_path / "limited.py"
    script.write_text(
        f"""
import resource
import jungletb
tables = jungletb.open_tablebase({str(TABLES)!r}, cache_bytes=0)
count = tables.count("ERvL")
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 500_000, used + 500_000))
try:
    tables.material("ERvL")
except MemoryError as error:
    print(error)
resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
"""
    )
    run = subprocess.run([sys.executable, str(script)], capture_output=True, text=True)
    expected = "ERvL has 277,536 rows, which take 2.4 MiB: read them in parts, by chunks()"
    assert expected in run.stdout, run.stderr
