"""Properties of encoding that hold for any data."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from bitsep.data import DEFAULT_MISSING, Table
from bitsep.data.encode import Coded, EncodingRules, encode
from bitsep.data.fingerprint import RowHasher
from bitsep.data.levels import Missing

MISSING_TEXTS = {"", *DEFAULT_MISSING}

texts = st.text(alphabet=st.characters(codec="utf-8"), max_size=4).filter(lambda text: text not in MISSING_TEXTS)
scalars = st.one_of(
    st.booleans(),
    st.integers(-3, 3),
    st.integers(),
    st.floats(allow_nan=False),
    st.sampled_from(["a", "b", "1", "True"]),
    texts,
    st.binary(max_size=2),
    st.dates(),
    st.datetimes(),
    st.decimals(allow_nan=False, places=2),
    st.fractions(max_denominator=6),
    st.tuples(st.integers(0, 2), st.sampled_from("xy")),
    st.none(),
    st.just(float("nan")),
)
columns = st.lists(scalars, min_size=1, max_size=40)
any_floats = {"max_float_levels": None}


def is_missing(value: Any) -> bool:
    return value is None or value != value


def decoded(table: Table, name: Any) -> list[Any]:
    levels = table.levels(name)
    return [None if code < 0 else levels[code] for code in table.codes(name).tolist()]


@given(columns)
def test_levels_at_codes_are_the_data(values: list[Any]) -> None:
    table = Table({"x": values}, **any_floats)
    for found, value in zip(decoded(table, "x"), values, strict=True):
        assert (found is None) == is_missing(value)
        assert found is None or found == value
    assert len(set(table.levels("x"))) == table.n_levels("x")
    assert set(table.codes("x").tolist()) - {-1} == set(range(table.n_levels("x")))
    assert table.missing("x") == sum(map(is_missing, values))


@given(columns, st.randoms(use_true_random=False))
def test_levels_do_not_depend_on_the_order_of_rows(values: list[Any], random: Any) -> None:
    order = list(range(len(values)))
    random.shuffle(order)
    table = Table({"x": values}, **any_floats)
    shuffled = Table({"x": [values[i] for i in order]}, **any_floats)
    assert repr(shuffled.levels("x")) == repr(table.levels("x"))
    assert shuffled.codes("x").tolist() == table.codes("x")[order].tolist()


@given(
    st.one_of(
        st.lists(st.one_of(texts, st.none()), min_size=1),
        st.lists(st.one_of(st.integers(-(2**63), 2**63 - 1), st.none()), min_size=1),
        st.lists(st.one_of(st.integers(-5, 5), st.none()), min_size=1),
        st.lists(st.one_of(st.booleans(), st.none()), min_size=1),
        st.lists(st.one_of(st.floats(), st.none()), min_size=1),
        st.lists(st.one_of(st.datetimes(dt.datetime(1800, 1, 1), dt.datetime(2200, 1, 1)), st.none()), min_size=1),
    )
)
def test_every_representation_of_a_column_is_the_same(values: list[Any]) -> None:
    expected = Table({"x": values}, **any_floats)
    arrow = pa.array(values)
    variants = [arrow, arrow.dictionary_encode(), pd.Series(values, dtype=object), pl.Series(values, strict=False)]
    variants += [np.array(values, dtype=object), pd.Series(pd.Categorical(values))] if any(values) else []
    for variant in variants:
        table = Table({"x": variant}, **any_floats)
        assert table.fingerprint() == expected.fingerprint()


@given(st.lists(st.tuples(scalars, st.integers(0, 3)), min_size=1).filter(lambda rows: any(w for _, w in rows)))
def test_rows_of_weight_zero_are_absent(rows: list[tuple[Any, int]]) -> None:
    values, weights = zip(*rows, strict=True)
    table = Table({"x": values}, weights=weights, **any_floats)
    kept = Table({"x": [value for value, weight in rows if weight]}, **any_floats)
    assert repr(table.levels("x")) == repr(kept.levels("x"))
    assert table.codes("x").tolist() == kept.codes("x").tolist()
    assert table.missing("x") == kept.missing("x")
    assert table.n == sum(weights)


@given(
    st.lists(st.sampled_from([*"cab", "?", ""]), max_size=8).flatmap(
        lambda values: st.tuples(st.just(values), st.lists(st.integers(-1, len(values) - 1), min_size=1))
    )
)
def test_encoding_agrees_with_its_slow_twin(case: tuple[list[str], list[int]]) -> None:
    values, codes = case
    column = encode("x", Coded(np.array(codes, np.int8), values), EncodingRules(Missing()))
    rows = [None if code < 0 or values[code] in MISSING_TEXTS else values[code] for code in codes]
    levels = sorted({row for row in rows if row is not None})
    assert column.levels == tuple(levels)
    assert column.codes.tolist() == [-1 if row is None else levels.index(row) for row in rows]
    assert column.missing == rows.count(None)


rows = st.lists(st.tuples(*[st.one_of(st.integers(0, 1), st.none())] * 2, st.integers(1, 2)), min_size=1, max_size=4)


@given(rows, rows)
def test_fingerprints_are_equal_where_the_same_rows_occur_equally_often(
    first: list[tuple[Any, ...]], second: list[tuple[Any, ...]]
) -> None:
    def table(some: list[tuple[Any, ...]]) -> Table:
        x, y, weights = zip(*some, strict=True)
        return Table({"x": x, "y": y}, weights=weights)

    def occurrences(some: list[tuple[Any, ...]]) -> Counter[tuple[Any, ...]]:
        return Counter((x, y) for x, y, weight in some for _ in range(weight))

    assert (table(first).fingerprint() == table(second).fingerprint()) == (occurrences(first) == occurrences(second))


@given(st.lists(st.tuples(*[st.one_of(st.integers(0, 4), st.none())] * 3), min_size=2, max_size=40), st.data())
def test_row_hashes_of_pieces_add_up(cells: list[tuple[Any, ...]], data: st.DataObject) -> None:
    codes = [
        np.array([-1 if cell is None else cell for cell in column], np.int8) for column in zip(*cells, strict=True)
    ]
    hasher = RowHasher("abc", [(0, 1, 2, 3, 4)] * 3)
    cut = data.draw(st.integers(0, len(cells)))
    pieces = hasher.sums([c[:cut] for c in codes], None, 0) + hasher.sums([c[cut:] for c in codes], None, cut)
    assert pieces.tolist() == hasher.sums(codes, None, 0).tolist()
