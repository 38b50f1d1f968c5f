"""A report says how to repeat it, and doing so gives the same graph."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import bitsep
from bitsep.cli import main
from bitsep.report.build import build_view


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with tables that need options to be read; it is the current one."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    size = rng.normal(size=600)
    frame = pd.DataFrame(
        {
            "size": size,
            "weight": size + rng.normal(size=600) / 2,
            "kind of Größe": np.where(size + rng.normal(size=600) > 0, "large", "not said"),
            "often": rng.integers(0, 4, 600),
            "group": rng.integers(0, 3, 600),
        }
    )
    frame.to_csv("table.csv")  # with the unnamed index, as pandas does
    frame.drop(columns=["size", "weight"]).to_csv("latin 1.tsv", sep="\t", index=False, encoding="latin-1")
    frame.drop(columns=["size", "weight"]).to_parquet("plain.parquet", index=False)
    with open("semicolons.csv", "w", encoding="utf-8") as file:
        file.write("# measured in spring\nsize;weight;group\n")
        file.writelines(
            f"{a:.3f};{b:.3f};{c}\n".replace(".", ",") for a, b, c in zip(size, frame.weight, frame.group, strict=True)
        )
    gaps = frame[["kind of Größe", "often", "group"]].rename(columns={"kind of Größe": "kind"})
    gaps.loc[::3, "kind"] = None
    gaps.to_csv("gaps.csv", index=False)
    Path("known.json").write_text('{"tiers": [["kind of Größe"], ["group", "often"]]}', encoding="utf-8")
    bitsep.DAG(["group", "often"], [("group", "often")]).save("start.txt")
    return tmp_path


def content(path: str) -> dict[str, Any]:
    """What the page holds."""
    text = Path(path).read_text(encoding="utf-8")
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def rerun(snippet: str) -> bitsep.Discovery:
    """Run the Python of a page as it is."""
    names: dict[str, Any] = {}
    exec(snippet, names)
    return names["d"]


def shell(*arguments: str) -> None:
    sys.argv = ["bitsep", *arguments]
    assert main() == 0


RUNS = {
    "plain": ["plain.parquet"],
    "discretized": ["table.csv", "--exclude", "", "--discretize", "equal-frequency:4"],
    "by a target": ["table.csv", "--exclude=", "--discretize", "mdl:kind of Größe", "--score", "bic"],
    "columns": ["table.csv", "--columns", "group", "--columns", "kind of Größe"],
    "weights": ["plain.parquet", "--weights", "often"],
    "missing": ["plain.parquet", "--missing", "not said", "--missing", "it's"],
    "encoding": ["latin 1.tsv", "--encoding", "latin-1"],
    "in pieces": ["plain.parquet", "--memory", "100MB", "--weights", "often"],
    "by score": [
        *["plain.parquet", "--score", "bdeu", "--option", "sample_size=4", "--no-structure", "--max-parents", "2"],
        *["--starts", "3", "--bootstrap", "2", "--required", '"kind of Größe" -> group'],
    ],
    "dialect": [
        "semicolons.csv",
        "--delimiter",
        ";",
        "--decimal",
        ",",
        "--comment",
        "#",
        "--discretize",
        "equal-width:3",
    ],
    "no header": ["plain.parquet", "--exclude", "often", "--threads", "1"],
    "limits": ["gaps.csv", "--min-rows-share", "0.3", "--min-effect", "0.02", "--missing-as-level", "kind"],
    "kept": ["table.csv", "--keep", "", "--discretize", "equal-frequency:2"],
    "knowledge": ["plain.parquet", "--knowledge", "known.json"],
    "false discoveries": ["plain.parquet", "--algorithm", "pc_stable", "--method", "x2_calibrated", "--fdr", "0.1"],
    "climbing": ["plain.parquet", "--algorithm", "hill_climb", "--tabu", "3"],
    "climbing from a graph": ["plain.parquet", "--algorithm", "hill_climb", "--start", "start.txt"],
    "the search": [
        *[
            "plain.parquet",
            "--algorithm",
            "pc_stable",
            "--method",
            "g2",
            "--alpha",
            ".01",
            "--option",
            "min_rows_per_df=5",
            "--max-given",
            "1",
        ],
        *["--orientation", "majority", "--bootstrap", "3", "--seed", "7", "--forbidden", '"kind of Größe" -> group'],
    ],
}


@pytest.mark.parametrize("name", RUNS)
def test_a_report_of_the_shell_holds_python_and_a_command_that_repeat_it(folder: Path, name: str) -> None:
    shell("discover", *RUNS[name], "--report", "first.html", "--json")
    page = content("first.html")
    rerun(page["snippet"])
    repeated = content("graph.html")
    for key in ("facts", "settings", "edges", "separations", "variables"):
        assert repeated[key] == page[key]
    program, *arguments = shlex.split(page["command"])
    assert (program, arguments) == ("bitsep", ["discover", *RUNS[name], "--report", "first.html", "--json"])
    before = Path("first.html").read_bytes()
    Path("first.html").unlink()
    shell(*arguments)
    assert Path("first.html").read_bytes() == before


def test_the_python_of_a_report_of_a_file_runs_as_it_is(folder: Path) -> None:
    for data in (
        "plain.parquet",
        folder / "plain.parquet",
        bitsep.Table("plain.parquet"),
        bitsep.Table(bitsep.Table("plain.parquet", weights="often"), columns=["group", "kind of Größe"]),
        bitsep.Table("plain.parquet", missing={"not said", "?"}, columns=(name for name in ["group", "kind of Größe"])),
        bitsep.discretize("table.csv", "equal-frequency:3", columns=["size", "weight"]),
        bitsep.scan("plain.parquet", memory="64MB", columns=["group", "often"]),
    ):
        found = bitsep.pc_stable(data)
        assert found.origin.complete
        snippet = build_view(found).snippet
        assert rerun(snippet) == found


def test_the_python_notices_that_the_file_has_changed(folder: Path) -> None:
    snippet = build_view(bitsep.pc_stable("plain.parquet")).snippet
    pd.read_parquet("plain.parquet")[1:].to_parquet("plain.parquet")
    with pytest.raises(AssertionError):
        rerun(snippet)


def test_the_python_of_a_report_of_an_object_asks_for_it(folder: Path) -> None:
    frame = pd.read_parquet("plain.parquet").rename(columns={"group": "origin"})
    table = bitsep.Table(frame, weights="often")
    found = bitsep.pc_stable(table)
    assert not found.origin.complete
    snippet = build_view(found).snippet
    assert 'data = "data.csv"  # your data: ' in snippet
    assert "data = bitsep.Table(\n    data,\n    weights='often',\n)" in snippet
    frame.to_csv("data.csv", index=False)
    assert rerun(snippet) == found
    assert not bitsep.pc_stable(bitsep.Table(frame, weights=[1] * 600)).origin.complete


def test_a_discovery_from_json_takes_the_origin_of_the_data_given(folder: Path) -> None:
    found = bitsep.Discovery.from_json(bitsep.pc_stable("plain.parquet").to_json())
    assert "data = bitsep.Table('plain.parquet')" in build_view(found, "plain.parquet").snippet
    assert 'data = "data.csv"' in build_view(found).snippet
    assert build_view(found).command is None
