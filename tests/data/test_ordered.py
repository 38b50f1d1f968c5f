"""Ordered categories keep their order in tables and plots; codes, fingerprints and results do not depend on it."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import bitsep
from bitsep.data import Table
from bitsep.report.contingency import Tabulator

ORDER = ["LOW", "NORMAL", "HIGH"]
RNG = np.random.default_rng(5)
VALUES = RNG.choice(ORDER, 600)
OTHER = np.where(RNG.random(600) < 0.7, VALUES, RNG.choice(ORDER, 600))
FRAME = pd.DataFrame(
    {name: pd.Categorical(v, [*ORDER, "NEVER"], ordered=True) for name, v in (("x", VALUES), ("y", OTHER))}
)
PLAIN = pd.DataFrame({"x": VALUES, "y": OTHER})


def sources(folder: Path) -> dict[str, Any]:
    enum = pl.DataFrame({"x": VALUES, "y": OTHER}).cast(pl.Enum([*ORDER, "NEVER"]))
    table = pa.Table.from_pandas(FRAME)
    FRAME.to_parquet(folder / "f.parquet")
    pq.write_table(table, folder / "g.parquet", row_group_size=100)
    FRAME.to_feather(folder / "f.feather")
    enum.write_ipc(folder / "f.arrow")
    paths = [folder / name for name in ("f.parquet", "g.parquet", "f.feather", "f.arrow")]
    return {
        "pandas": Table(FRAME),
        "dict": Table({name: FRAME[name] for name in FRAME}),
        "arrow": Table(table),
        "polars": Table(enum),
        "pickle": pickle.loads(pickle.dumps(Table(FRAME))),
        "columns": Table(Table(FRAME), columns=["x", "y"]),
        "discretized": bitsep.discretize(FRAME),
        "stream": bitsep.scan(table.to_reader(max_chunksize=50)),
        **{f"table {path.name}": Table(path) for path in paths},
        **{f"scan {path.name}": bitsep.scan(path) for path in paths},
    }


def test_every_source_keeps_the_order(tmp_path: Path) -> None:
    plain = Table(PLAIN)
    assert plain.display_order("x") == (0, 1, 2)
    for label, data in sources(tmp_path).items():
        assert data.levels("x") == ("HIGH", "LOW", "NORMAL"), label
        assert [data.levels("x")[code] for code in data.display_order("x")] == ORDER, label
        assert data.fingerprint() == plain.fingerprint(), label
        assert [one.label for one in Tabulator(data).level_counts("x")] == ORDER, label


def test_tables_show_the_order() -> None:
    assert "x  3 levels: 'LOW', 'NORMAL', 'HIGH'" in repr(Table(FRAME))
    assert "&#x27;LOW&#x27;, &#x27;NORMAL&#x27;, &#x27;HIGH&#x27;" in Table(FRAME)._repr_html_()
    assert Table(FRAME).summary()[0].levels == tuple(ORDER)


def test_counts_move_with_their_levels() -> None:
    expected = pd.crosstab(FRAME["x"], FRAME["y"]).loc[ORDER, ORDER].to_numpy()
    [stratum] = Tabulator(Table(FRAME)).strata("x", "y", ())
    assert (stratum.observed == expected).all()
    strata = Tabulator(Table(FRAME.assign(z=VALUES))).strata("z", "y", ("x",))
    assert [one.labels for one in strata] == [(label,) for label in ORDER]
    assert [one.rows for one in strata] == [VALUES.tolist().count(label) for label in ORDER]


def test_many_levels_are_pooled_in_order() -> None:
    names = [f"v{i:02d}" for i in range(20)][::-1]
    values = [name for i, name in enumerate(names) for _ in range(30 - i)]
    counts = Tabulator(Table({"x": pd.Categorical(values, names, ordered=True)})).level_counts("x")
    assert [one.label for one in counts] == [*names[:11], "9 others"]
    assert [one.rows for one in counts] == [*range(30, 19, -1), sum(range(11, 20))]


def test_results_do_not_depend_on_it() -> None:
    ordered = bitsep.discover(FRAME)
    assert ordered.to_json() == bitsep.discover(PLAIN).to_json()
    assert bitsep.independence_test(FRAME, "x", "y") == bitsep.independence_test(PLAIN, "x", "y")


@pytest.mark.parametrize("numbers", [[3, 1, 2], [2.5, 0.5, 1.5]])
def test_categories_that_are_numbers(numbers: list[Any]) -> None:
    data = Table({"x": pd.Categorical(numbers * 2, numbers, ordered=True)})
    assert data.summary()[0].levels == tuple(numbers)
    assert data.levels("x") == tuple(sorted(numbers))
