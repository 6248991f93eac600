"""What exceptions carry, and what goes to other processes."""

from __future__ import annotations

import errno
import multiprocessing
import pickle
import pydoc
from pathlib import Path

import jungletb
import pytest
from conftest import LION_LOSES, START, TABLES


def wdl(job: tuple[jungletb.Tablebase, str]) -> int:
    tables, position = job
    return int(tables.wdl(position))


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_tables_go_to_other_processes(method: str) -> None:
    with jungletb.open_tablebase(TABLES) as tables, multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(wdl, [(tables, LION_LOSES)] * 4) == [-1] * 4
        with pytest.raises(jungletb.MissingTableError) as caught:
            pool.map(wdl, [(tables, "l6/t6/7/7/7/7/7/L6/T6 w")])
        assert caught.value.material == "LTvLT"


def test_pickled_tables_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = jungletb.Rules.from_dict({"base": "leiden", "traps": "all"}, "house")
    assert pickle.loads(pickle.dumps(rules)) == rules
    monkeypatch.chdir(tmp_path)
    tables = jungletb.open_tablebase(["ours", TABLES], rules, cache_bytes=1 << 20, map_files=False)
    same = pickle.loads(pickle.dumps(tables))
    assert same.folders == [str(tmp_path / "ours"), str(TABLES)] and same.rules == rules
    assert (same._options, same.closed) == ({"cache_bytes": 1 << 20, "map_files": False}, False)
    tables.close()
    assert pickle.loads(pickle.dumps(tables)).closed


def test_tables_of_three_pieces_are_part_of_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tables = jungletb.open_tablebase()
    assert (tables.path, tables.folders) == ("", [])
    assert tables.value("7/7/2r4/3L3/7/3c3/7/7/7 w").dtw == 8
    assert pickle.loads(pickle.dumps(tables)).value("7/7/2r4/3L3/7/3c3/7/7/7 w").dtw == 8
    with pytest.raises(jungletb.MissingTableError):
        jungletb.open_tablebase(rules="japanese").value("7/7/2r4/3L3/7/3c3/7/7/7 w")


def test_a_missing_table_says_what_is_missing(tables: jungletb.Tablebase, tmp_path: Path) -> None:
    with pytest.raises(jungletb.MissingTableError, match="make it with `jungletb generate") as caught:
        tables.value("1l5/t6/7/7/7/7/7/L6/P6 w")
    error = caught.value
    assert (error.material, error.class_) == ("LPvLT", "LTvLP") and isinstance(error, KeyError)
    assert error.command is not None and error.command.startswith("jungletb generate") and error.command in str(error)
    same = pickle.loads(pickle.dumps(error))
    assert (str(same), same.material, same.class_, same.command) == (
        str(error),
        error.material,
        error.class_,
        error.command,
    )
    with pytest.raises(jungletb.MissingTableError, match="16 pieces: no table has more than") as caught:
        tables.wdl(START)
    assert (caught.value.material, caught.value.class_) == ("ELTPWDCRvELTPWDCR", None)


def test_errors_of_files_are_those_of_the_system(tmp_path: Path, damaged: jungletb.Tablebase) -> None:
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(OSError, match="file") as caught:
        jungletb.open_tablebase(file)
    assert isinstance(caught.value, jungletb.TableIOError)
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        assert (error.errno, error.filename) == (errno.ENOTDIR, str(file))
        assert str(error) == str(caught.value) and "\n" not in str(error)
    with pytest.raises(jungletb.TableError) as damage:
        damaged.wdl("7/7/2r4/3L3/7/7/7/7/7 w")
    assert damage.value.filename is not None and damage.value.filename.endswith("LvR.wdl")
    assert not isinstance(damage.value, OSError)
    assert pickle.loads(pickle.dumps(damage.value)).filename == damage.value.filename


def test_help_is_short_and_names_everything() -> None:
    text = pydoc.plain(pydoc.render_doc(jungletb))
    assert len(text.splitlines()) < 100
    assert text.index("open_tablebase") < text.index("PACKAGE CONTENTS")
    public = [name for name in vars(jungletb) if not name.startswith("_") and name not in ("annotations",)]
    documented = jungletb.__doc__ or ""
    missing = [name for name in public if name not in documented and not name.startswith(("DTW_", "OFF_"))]
    assert not missing
    for name, method in vars(jungletb.Tablebase).items():
        if not name.startswith("_"):
            assert pydoc.getdoc(method), name
