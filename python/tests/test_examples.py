"""The example scripts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import jungletb
import pytest
from conftest import LION_LOSES, ROOT, SHIPPED

EXAMPLES = ROOT / "python" / "examples"
sys.path.insert(0, str(EXAMPLES))
PUBLISHED = ROOT / "tests" / "data" / "leiden-two-pieces.csv"


def test_the_engine_plays_what_the_tables_say() -> None:
    from engine import WIN, Engine

    with jungletb.open_tablebase(SHIPPED) as tables:
        engine = Engine(tables)
        assert engine.best(LION_LOSES, 1) == (tables.probe(LION_LOSES).line[0], 8 - WIN)
        assert engine.best("3L3/7/7/7/7/7/7/7/c6 b", 3)[0] is None
        # Four pieces, whose table is missing: a capture leads to a won one of three.
        position = "7/1l5/7/7/3e3/3E3/7/7/4R2 w"
        assert not tables.has("ERvEL")
        move, value = engine.best(position, 3)
        assert move == "d4d5" and value > WIN - 100
        # The same within the search, where the tables end the lines.
        assert engine.search(position, 2, -WIN - 1, WIN + 1, 0) == WIN - 1 and engine.probed > 0


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The published materials, exported from tables that the program generates."""
    binary = os.environ.get("JUNGLETB", str(ROOT / "target/release/jungletb"))
    folder = tmp_path_factory.mktemp("dataset")
    options = ["--rules", "leiden", "--tables", str(folder / "tables")]
    subprocess.run([binary, "generate", "2", *options], check=True, capture_output=True)
    for white in "RPTLE":
        for black in "RPTLE":
            name = f"{white}v{black}"
            out = ["--format", "parquet", "--out", str(folder / f"{name}.parquet")]
            subprocess.run([binary, "export", name, *out, *options], check=True, capture_output=True)
    return folder


def test_columns_of_a_data_set_are_those_of_the_table(dataset: Path) -> None:
    import polars

    with jungletb.open_tablebase(dataset / "tables", "leiden") as tables:
        for name in ("EvR", "RvE", "RvR"):
            frame = polars.read_parquet(dataset / f"{name}.parquet")
            whole = tables.material(name)
            assert frame.schema == {
                frame.columns[0]: polars.UInt8,
                frame.columns[1]: polars.UInt8,
                "to_move": polars.String,
                "category": polars.String,
                "dtw": polars.UInt16,
            }
            for letter, column in zip((name[0], name[2].lower()), frame.columns):
                assert (frame[column].to_numpy() == whole[letter]).all()
            assert frame["to_move"].replace_strict({"white": 0, "black": 1}).to_list() == whole["to_move"].tolist()
            words = {"win": 1, "draw": 0, "loss": -1}
            assert frame["category"].replace_strict(words).to_list() == whole["category"].tolist()
            assert frame["dtw"].fill_null(-1).to_list() == whole["dtw"].tolist()
    metadata = polars.read_parquet_metadata(dataset / "EvR.parquet")
    assert metadata["jungletb.rules"] == "leiden" and metadata["jungletb.material"] == "EvR"
    assert metadata["jungletb.class"] == "EvR" and metadata["jungletb.version"] == jungletb.__version__
    rules = dataset / "leiden-copy.toml"
    rules.write_text(metadata["jungletb.rules.toml"])
    assert jungletb.Rules(rules).to_dict() == jungletb.Rules("leiden").to_dict()
    assert len(metadata["jungletb.checksum.wdl"]) == len(metadata["jungletb.checksum.dtw"]) == 16


def test_the_published_table_and_a_tree_from_the_data_set(dataset: Path) -> None:
    script = [sys.executable, str(EXAMPLES / "dataset.py"), str(dataset), "--published", str(PUBLISHED)]
    output = subprocess.run(script, check=True, capture_output=True, text=True).stdout
    assert "44,819 published positions, all with the same result" in output
    [accuracy] = [line for line in output.splitlines() if line.startswith("right on held-out positions")]
    assert float(accuracy.split()[-1].rstrip("%")) >= 99
    assert "White wins if" in output and "It is drawn if" in output
