"""The value type: frozen, picklable, readable; weights; joints; fingerprints."""

from __future__ import annotations

import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from bitsep.data import Table


def small() -> Table:
    return Table({"x": ["a", "b", None], "y": [1, 2, 2]}, weights=[2, 1, 3])


class TestFrozen:
    def test_attributes_cannot_be_set_or_deleted(self) -> None:
        table = small()
        for attribute in ("names", "n", "_columns", "anything"):
            with pytest.raises(FrozenInstanceError):
                setattr(table, attribute, 1)
            with pytest.raises(FrozenInstanceError):
                delattr(table, attribute)

    def test_arrays_are_read_only_and_contiguous(self) -> None:
        table = Table(pd.DataFrame({"x": pd.Categorical(["a", "b"] * 4)}).iloc[::2], weights=[1, 2, 3, 4])
        assert table.weights is not None
        for array in (table.codes("x"), table.weights):
            assert array.flags.c_contiguous
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1

    @pytest.mark.parametrize("keep_order", [True, False])
    def test_later_changes_to_the_data_do_not_reach_the_table(self, keep_order: bool) -> None:
        categories = ["a", "b"] if keep_order else ["b", "a"]
        frame = pd.DataFrame({"x": pd.Categorical(["a", "b", "a"], categories=categories)})
        array = np.array([[0, 1], [1, 0]], dtype=np.int8)
        from_frame, from_array = Table(frame), Table(array)
        frame.loc[0, "x"] = "b"
        array[:] = 0
        assert from_frame.codes("x").tolist() == [0, 1, 0]
        assert from_array.codes(0).tolist() == [0, 1]

    def test_the_data_stay_as_they_were(self) -> None:
        frame = pd.DataFrame({"x": pd.Categorical(["a", "b"]), "w": [1, 0]})
        array, weights = np.array([[0, 1], [1, 0]], dtype=np.int8), np.array([1, 2])
        Table(frame, weights="w"), Table(array, weights=weights)
        frame.loc[0, "x"] = "b"
        array[0, 0] = weights[0] = 7
        assert frame["x"].tolist() == ["b", "b"]

    def test_pickle(self) -> None:
        table = small()
        again = pickle.loads(pickle.dumps(table))
        assert again.fingerprint() == table.fingerprint()
        assert (again.names, again.n, again.n_rows) == (table.names, table.n, table.n_rows)
        assert not again.codes("x").flags.writeable
        assert not again.weights.flags.writeable


class TestOf:
    def test_a_table_is_returned_itself(self) -> None:
        table = small()
        assert Table.of(table) is table
        assert Table.of(table, columns=["x"]) is table
        assert Table.of({"x": [1, 2]}, columns=["x"]).n == 2

    def test_a_table_of_a_table_is_a_selection(self) -> None:
        table = small()
        chosen = Table(table, columns=["y"])
        assert chosen.names == ("y",)
        assert chosen.n == table.n
        assert np.shares_memory(chosen.codes("y"), table.codes("y"))


class TestWeights:
    @pytest.mark.parametrize(
        "weights",
        [
            [2, 0, 3],
            (2, 0, 3),
            np.array([2.0, 0.0, 3.0]),
            np.array([2, 0, 3], np.uint8),
            pd.Series([2, 0, 3], index=[7, 8, 9]),
            pd.Series([2, 0, 3], dtype="Int64"),
            pl.Series([2, 0, 3]),
            pa.array([2, 0, 3]),
            pa.chunked_array([[2], [0, 3]]),
        ],
    )
    def test_any_array_of_whole_numbers(self, weights: Any) -> None:
        table = Table({"x": ["a", "only here", None]}, weights=weights)
        assert table.weights is not None
        assert table.weights.dtype == np.int64
        assert table.weights.tolist() == [2, 3]
        assert (table.n, table.n_rows) == (5, 2)
        assert table.levels("x") == ("a",)
        assert table.missing("x") == 1

    def test_a_column_by_name(self) -> None:
        frame = pd.DataFrame({"x": ["a", "b", "c"], "count": [2.0, 0.0, 3.0], "y": [1, 2, 3]})
        table = Table(frame, weights="count")
        assert table.names == ("x", "y")
        assert table.levels("y") == (1, 3)
        assert Table(frame, weights="count", columns=["y"]).n == 5
        assert Table(pl.from_pandas(frame), weights="count").fingerprint() == table.fingerprint()

    def test_large_weights_are_exact(self) -> None:
        weights = [2**53 + 1, 2**55]
        assert Table({"x": [1, 2]}, weights=weights).n == sum(weights)

    def test_more_distinct_weights_than_levels_are_allowed(self) -> None:
        assert Table({"x": np.zeros(1_000_001, int)}, weights=np.arange(1_000_001)).n_rows == 1_000_000

    def test_continuous_columns_are_judged_by_rows_that_count(self) -> None:
        values, weights = np.arange(100) + 0.5, np.arange(100) < 40
        assert Table({"x": values}, weights=weights.astype(int)).n_levels("x") == 40


class TestFingerprint:
    def test_column_order_and_dtype_do_not_matter(self) -> None:
        data = {"a": ["u", "v"], "b": [1, 2]}
        same = [{"b": [1, 2], "a": ["u", "v"]}, pd.DataFrame(data).astype("category"), pl.DataFrame(data)]
        assert {Table(variant).fingerprint() for variant in same} == {Table(data).fingerprint()}

    def test_the_order_of_rows_matters_to_a_second_one_only(self) -> None:
        forward, backward = Table({"x": [1, 2, 1]}), Table({"x": [2, 1, 1]})
        assert forward.fingerprint() == backward.fingerprint()
        assert forward.fingerprints().order != backward.fingerprints().order

    def test_everything_else_does(self) -> None:
        tables = [
            Table({"a": ["u", "v"], "b": [1, 2]}),
            Table({"a": ["v", "u"], "b": [1, 2]}),
            Table({"a": ["u", "w"], "b": [1, 2]}),
            Table({"a": ["u", "v"], "c": [1, 2]}),
            Table({"a": ["u", "v"], "b": ["1", "2"]}),
            Table({"a": ["u", "v"], "b": [1, None]}),
            Table({"a": ["u", "v"], "b": [1, 2]}, weights=[1, 1]),
            Table({"a": ["u", "v"], "b": [1, 2]}, weights=[1, 2]),
            Table({"a": ["u", "v"]}),
            Table({"a": ["\ud800", "v"], "b": [1, 2]}),
        ]
        assert len({table.fingerprint() for table in tables}) == len(tables)


class TestShown:
    def test_text(self) -> None:
        assert repr(small()) == (
            "Table: 3 rows (total weight 6), 2 columns\n  x  2 levels, 1 missing: 'a', 'b'\n  y  2 levels: 1, 2"
        )
        wide = repr(Table({f"v{i}": ["long " * 50] for i in range(100)}))
        assert wide.endswith("… and 80 more columns")
        assert len(wide.splitlines()) == 22
        assert max(map(len, wide.splitlines())) < 80

    def test_html_escapes_everything(self) -> None:
        page = Table({"<b>&": ["<script>alert(1)</script>"], 'q"': ["'&"]})._repr_html_()
        assert "<script>" not in page
        assert "<b>" not in page
        assert "&lt;b&gt;&amp;" in page
        assert page.count("<tr>") == 3

    def test_summary(self) -> None:
        first, second = small().summary()
        assert first == ("x", 2, 1, ("a", "b"))
        assert (second.name, second.n_levels, second.missing, second.levels) == ("y", 2, 0, (1, 2))


def test_legal_extremes() -> None:
    table = Table({"constant": [5] * 3, "unique": ["a", "b", "c"]})
    assert table.n_levels("constant") == 1
    assert table.n_levels("unique") == 3
    assert Table({"x": ["only"]}).n == 1


def test_no_library_is_imported_before_it_is_needed() -> None:
    code = (
        "import sys, bitsep.data; bitsep.data.Table({'x': ['a', 'b']}, weights=[1, 2]);"
        "heavy = {'pandas', 'polars', 'pyarrow', 'narwhals'} & set(sys.modules); sys.exit(str(heavy) if heavy else 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
