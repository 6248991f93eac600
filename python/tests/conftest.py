"""Fixtures. The tests run in the project's folder, on a copy of the tables in the repository."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import jungletb
import pytest

ROOT = Path(__file__).parents[2]
TABLES = ROOT / "tests" / "data" / "version-1"


def _copy_of_shipped() -> Path:
    """The tables of up to three pieces, which ship: a copy without those that the user has made."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    (folder / "standard").mkdir()
    for file in (ROOT / "tablebases" / "standard").iterdir():
        if len(file.stem.replace("v", "")) <= 3 and file.suffix in (".wdl", ".dtw"):
            shutil.copy(file, folder / "standard")
    return folder


SHIPPED = _copy_of_shipped()
LION_LOSES = "7/7/2r4/3L3/7/3c3/7/7/7 w"
START = "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w"


@pytest.fixture
def tables() -> Iterator[jungletb.Tablebase]:
    with jungletb.open_tablebase(TABLES) as tables:
        yield tables


@pytest.fixture
def damaged(tmp_path: Path) -> Iterator[jungletb.Tablebase]:
    """Tables of LvR with damaged blocks."""
    (tmp_path / "standard").mkdir()
    for name in ["LvR.wdl", "LvR.dtw"]:
        data = bytearray((TABLES / "standard" / name).read_bytes())
        data[600:604] = b"\xff\xfe\xfd\xfc"
        (tmp_path / "standard" / name).write_bytes(data)
    with jungletb.open_tablebase(tmp_path) as tables:
        yield tables
