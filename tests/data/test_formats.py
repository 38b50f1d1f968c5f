"""Files of other formats: Feather, Arrow, JSON lines, Excel."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import bitsep
from bitsep.data import Table
from bitsep.errors import ArgumentError, BitsepError, DataError, FormatError, MissingDependencyError

FRAME = pd.DataFrame({"a": [1, 2, None], "b": ["x", "NA", "z"], "c d": [True, False, True], "e": [0.5, 1.5, 2.0]})
EXPECTED = Table(FRAME)


def test_feather(tmp_path: Path) -> None:
    FRAME.to_feather(tmp_path / "f.feather")
    pl.from_pandas(FRAME).write_ipc(tmp_path / "f.arrow")
    pl.from_pandas(FRAME).write_ipc_stream(tmp_path / "s.arrow")
    for name in ("f.feather", "f.arrow", "s.arrow"):
        assert Table(tmp_path / name).fingerprint() == EXPECTED.fingerprint()
        assert bitsep.scan(tmp_path / name).fingerprint() == EXPECTED.fingerprint()
        assert Table(tmp_path / name, columns=["b"]).names == ("b",)


def test_json_lines(tmp_path: Path) -> None:
    for name in ("f.jsonl", "f.ndjson"):
        FRAME.to_json(tmp_path / name, orient="records", lines=True)
        assert Table(tmp_path / name).fingerprint() == EXPECTED.fingerprint()
        assert bitsep.scan(tmp_path / name).fingerprint() == EXPECTED.fingerprint()


def test_excel(tmp_path: Path) -> None:
    FRAME.to_excel(tmp_path / "f.xlsx", index=False)
    assert Table(tmp_path / "f.xlsx").fingerprint() == EXPECTED.fingerprint()
    assert Table(tmp_path / "f.xlsx", columns=["b"], missing=["x"]).levels("b") == ("NA", "z")
    with pytest.raises(ArgumentError, match=r"an Excel file cannot be scanned.*bitsep\.Table"):
        bitsep.scan(tmp_path / "f.xlsx")
    FRAME.to_excel(tmp_path / "f.xlsx")  # with the index, whose column has no name
    assert Table(tmp_path / "f.xlsx").names == ("", *FRAME.columns)


def test_bad_files(tmp_path: Path) -> None:
    for name in ("f.feather", "f.arrow", "f.jsonl", "f.xlsx"):
        (tmp_path / name).write_bytes(b"no such\0format\n")
        with pytest.raises(FormatError, match=f"{name}' is not a valid"):
            Table(tmp_path / name)
        (tmp_path / name).write_bytes(b"")
        with pytest.raises(BitsepError, match=name):
            Table(tmp_path / name)
    (tmp_path / "f.jsonl").write_text('{"a": 1}\n{"a": "x"}\n')
    with pytest.raises(FormatError, match=r"Column\(/a\) changed from number to string"):
        Table(tmp_path / "f.jsonl")


def test_no_rows_and_equal_names(tmp_path: Path) -> None:
    FRAME[:0].to_excel(tmp_path / "f.xlsx", index=False)
    with pytest.raises(DataError, match=r"f.xlsx' must have a row of names and at least one more, got 1 row"):
        Table(tmp_path / "f.xlsx")
    FRAME[:0].to_feather(tmp_path / "f.feather")
    with pytest.raises(DataError, match="no rows"):
        Table(tmp_path / "f.feather")
    FRAME.set_axis(["a", "b", "a", "d"], axis=1).to_excel(tmp_path / "f.xlsx", index=False)
    with pytest.raises(DataError, match="have the same name 'a'"):
        Table(tmp_path / "f.xlsx")
    with pa.OSFile(str(tmp_path / "f.arrow"), "wb") as file:
        table = pa.table([[1], [2]], names=["a", "a"])
        with pa.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table)
    with pytest.raises(DataError, match="have the same name 'a'"):
        Table(tmp_path / "f.arrow")


def test_a_missing_library_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    FRAME.to_excel(tmp_path / "f.xlsx", index=False)
    known = importlib.import_module

    def without(name: str, *rest: Any) -> Any:
        if name == "openpyxl":
            raise ModuleNotFoundError("No module named 'openpyxl'", name="openpyxl")
        return known(name, *rest)

    monkeypatch.setattr("bitsep.optional.import_module", without)
    with pytest.raises(MissingDependencyError, match=r'openpyxl is not installed.*pip install "bitsep\[excel\]"'):
        Table(tmp_path / "f.xlsx")
