"""What an argument is, is decided by its type: columns may have any name, also those of our own attributes."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import bitsep
from bitsep.errors import ArgumentError, UnsupportedTypeError
from bitsep.independence import Engine, open_engine

# Attributes by which engines, tests, scans, networks and Arrow or Spark objects could be mistaken for each other.
NAMES = (
    "evaluate", "separate", "result", "resampled", "variables", "method", "alpha", "n", "data", "level_counts",
    "name", "judge", "dag", "edges", "counter", "names", "levels", "places", "columns", "codes", "dtype", "read",
    "mapInArrow", "fetch_record_batch", "to_arrow_reader", "__arrow_c_stream__", "__arrow_c_array__", "__len__",
)  # fmt: skip


def frame() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    data = {name: rng.integers(0, 2, 200) for name in NAMES}
    data["separate"] = data["evaluate"] ^ (rng.random(200) < 0.1)
    return pd.DataFrame(data)


def plain_names(data: Any) -> Any:
    return data.rename(columns={name: f"v{i:02d}" for i, name in enumerate(sorted(NAMES))})


KINDS: dict[str, Callable[[pd.DataFrame], Any]] = {
    "pandas": lambda data: data,
    "polars": pl.from_pandas,
    "lazy polars": lambda data: pl.from_pandas(data).lazy(),
    "arrow": lambda data: pa.Table.from_pandas(data, preserve_index=False),
    "dict": lambda data: data.to_dict("list"),
    "scan": lambda data: bitsep.scan(pa.Table.from_pandas(data, preserve_index=False)),
}


@pytest.mark.parametrize("kind", KINDS)
def test_columns_named_like_our_own_attributes_are_columns(kind: str) -> None:
    data = KINDS[kind](frame())
    expected = bitsep.pc_stable(plain_names(frame()))
    found = bitsep.pc_stable(data)
    assert found.variables == tuple(sorted(NAMES))
    assert found.tests_run == expected.tests_run
    assert "separate" in bitsep.markov_blanket(data, "evaluate").members
    assert not bitsep.independence_test(data, "evaluate", "separate").independent


def test_a_relation_with_a_column_named_like_a_method_of_duckdb_is_scanned() -> None:
    duckdb = pytest.importorskip("duckdb")
    relation = duckdb.sql("select range % 2 as to_arrow_reader, range % 2 as fetch_record_batch from range(100)")
    result = bitsep.independence_test(bitsep.scan(relation), "to_arrow_reader", "fetch_record_batch")
    assert (result.n, result.independent) == (100, False)


def test_a_table_is_not_a_test() -> None:
    with pytest.raises(ArgumentError, match="method: must be the name of a test or an object"):
        bitsep.independence_test(frame(), "evaluate", "separate", method=frame())


def test_a_class_is_not_a_test_but_its_objects_are() -> None:
    class Never:
        name = "never"

        def judge(self, counts: bitsep.Counts) -> bitsep.Judgment:
            return bitsep.Judgment(threshold_bits=float("inf"))

    assert bitsep.independence_test(frame(), "evaluate", "separate", method=Never()).independent
    with pytest.raises(ArgumentError, match="method: must be the name of a test or an object"):
        bitsep.independence_test(frame(), "evaluate", "separate", method=Never)  # type: ignore[arg-type]


@pytest.mark.parametrize("graph", [frame(), bitsep.PDAG(["a", "b"], undirected=[("a", "b")]), {"variables": ["a"]}])
def test_an_oracle_takes_nothing_but_a_dag_or_a_network(graph: Any) -> None:
    with pytest.raises(UnsupportedTypeError, match="graph: must be a DAG or a Network"):
        bitsep.Oracle(graph)


def test_every_engine_is_an_engine_by_type(tmp_path: Any) -> None:
    from bitsep.independence.engines.checkpoint import CheckpointEngine

    data = plain_names(frame())
    engines = [
        open_engine(data),
        open_engine(bitsep.Oracle(bitsep.load_network("asia"))),
        open_engine(bitsep.scan(pa.Table.from_pandas(data))),
        CheckpointEngine(open_engine(data), tmp_path),
    ]
    assert all(isinstance(engine, Engine) for engine in engines)
    assert bitsep.pc_stable(engines[0]).graph == bitsep.pc_stable(data).graph


def test_an_object_with_the_methods_of_an_engine_is_not_one() -> None:
    class Pretender:
        def evaluate(self, *_: Any) -> None: ...
        def separate(self, *_: Any) -> None: ...

    with pytest.raises(UnsupportedTypeError, match="cannot read a Pretender"):
        bitsep.pc_stable(Pretender())


def test_an_oracle_survives_pickle_and_copies() -> None:
    asia = bitsep.load_network("asia")
    for graph in (asia, asia.dag):
        oracle = bitsep.Oracle(graph, hidden="smoke", selection="dysp")
        expected = bitsep.fci(oracle, selection=True).graph
        for again in (pickle.loads(pickle.dumps(oracle)), copy.deepcopy(oracle)):
            assert again.variables == oracle.variables
            assert bitsep.fci(again, selection=True).graph == expected
