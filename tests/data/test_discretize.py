"""Intervals: against textbook twins, and what must not change them."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bitsep
from bitsep.data.discretization import Discretization
from bitsep.data.discretization.points import readable
from bitsep.errors import ArgumentError, DataError, UnknownColumnError, UnknownMethodError, UnsupportedTypeError


def entropy(labels):
    return -sum(c / len(labels) * math.log2(c / len(labels)) for c in Counter(labels).values())


def textbook_mdl(rows):
    """Fayyad & Irani as they print it, on sorted (value, label) pairs; the cuts as the last value below."""
    values = sorted({value for value, _ in rows})
    n = len(rows)
    whole = [label for _, label in rows]
    best = None
    for cut in values[:-1]:
        low, high = ([label for value, label in rows if (value <= cut) == side] for side in (True, False))
        left = (len(low) * entropy(low) + len(high) * entropy(high)) / n
        if best is None or left < best[0] - 1e-12:
            best = (left, cut, low, high)
    if best is None:
        return []
    left, cut, low, high = best
    k, k1, k2 = (len(set(part)) for part in (whole, low, high))
    delta = math.log2(3**k - 2) - (k * entropy(whole) - k1 * entropy(low) - k2 * entropy(high))
    if entropy(whole) - left <= math.log2(n - 1) / n + delta / n:
        return []
    below, above = ([row for row in rows if (row[0] <= cut) == side] for side in (True, False))
    return sorted([*textbook_mdl(below), cut, *textbook_mdl(above)])


def discretized(data, *arguments, **named):
    """A table, which has codes."""
    table = bitsep.discretize(data, *arguments, **named)
    assert isinstance(table, bitsep.Table)
    return table


def cuts(table, name):
    return [level.right for level in table.levels(name)[:-1]]


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 2)), min_size=2, max_size=120), st.integers(0, 4))
def test_mdl_is_the_textbook(rows, shift):
    rows = [(float(value), (label + value // 5 * shift) % 3) for value, label in rows]
    labels = [label for _, label in rows]
    if len(set(labels)) < 2:
        return
    data = {"x": [value for value, _ in rows], "label": labels}
    assert cuts(bitsep.discretize(data, "mdl:label", columns="x"), "x") == textbook_mdl(rows)


def test_mdl_finds_the_steps_of_a_staircase():
    rng = np.random.default_rng(1)
    x = rng.uniform(0, 3, 3000)
    noisy = np.where(rng.random(3000) < 0.1, rng.integers(0, 3, 3000), x.astype(int))
    found = cuts(bitsep.discretize({"x": x, "step": noisy}, "mdl:step"), "x")
    assert found == pytest.approx([1, 2], abs=0.02)


def test_mdl_leaves_noise_in_one_interval():
    rng = np.random.default_rng(2)
    table = discretized({"x": rng.normal(size=500), "y": rng.integers(0, 2, 500)}, "mdl:y")
    assert table.n_levels("x") == 1


@settings(deadline=None, max_examples=60)
@given(st.lists(st.floats(-1e6, 1e6, allow_nan=False), min_size=1, max_size=200), st.integers(2, 9))
def test_intervals_hold_their_values(values, bins):
    for method in ("equal-frequency", "equal-width"):
        table = discretized({"x": values}, f"x={method}:{bins}")
        levels = table.levels("x")
        assert 1 <= len(levels) <= bins
        assert all(value in levels[code] for value, code in zip(values, table.codes("x"), strict=True))
        assert set(table.codes("x")) == set(range(len(levels)))


@settings(deadline=None)
@given(st.floats(-1e9, 1e9), st.floats(1e-9, 1e9), st.floats(0, 0.999))
def test_cuts_are_short_and_part_the_values(below, gap, place):
    above = below + gap
    cut = below + gap * place
    if below <= cut < above:
        assert below <= readable(cut, below, above) < above
    assert readable(1 / 3, 0.3, 0.4) == 0.3


def test_equal_frequency_is_equal_without_ties():
    table = discretized({"x": np.random.default_rng(0).permutation(100) / 7}, "equal-frequency:4")
    assert Counter(table.codes("x").tolist()) == {0: 25, 1: 25, 2: 25, 3: 25}


def test_equal_width_is_what_pandas_cuts():
    values = np.random.default_rng(0).gamma(2, size=300)
    table = discretized({"x": values}, "equal-width", bins=6)
    expected = pd.cut(values, np.linspace(values.min(), values.max(), 7), include_lowest=True)
    assert np.array_equal(table.codes("x"), pd.Categorical(expected).remove_unused_categories().codes)


def test_weights_count_as_rows():
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({"x": rng.normal(size=200).round(1), "y": rng.integers(0, 2, 200)})
    frame["y"] |= frame["x"] > 0.5
    counted = frame.value_counts().reset_index()
    for method in ("auto", "equal-frequency:3", "mdl:y"):
        weighted = bitsep.discretize(bitsep.Table(counted, weights="count"), method)
        plain = bitsep.discretize(frame, method)
        assert weighted.levels("x") == plain.levels("x")
        assert weighted.n == 200


def test_the_order_of_rows_and_columns_changes_nothing():
    rng = np.random.default_rng(6)
    frame = pd.DataFrame({"x": rng.normal(size=100), "z": rng.normal(size=100), "y": rng.integers(0, 3, 100)})
    other = frame.sample(frac=1, random_state=1)[["y", "z", "x"]]
    for method in ("auto", "equal-frequency", "equal-width", "mdl:y"):
        one, two = bitsep.discretize(frame, method), bitsep.discretize(other, method)
        assert all(one.levels(name) == two.levels(name) for name in frame)


def test_only_numeric_columns_with_many_levels_are_cut():
    data = {
        "few": [1, 2, 3] * 10,
        "month": [*range(12), *range(12), *range(6)],
        "many": [i * i for i in range(30)],
        "text": [f"t{i}" for i in range(30)],
        "truth": [True, False] * 15,
        "gaps": [None, *(i * i for i in range(29))],
    }
    table = discretized(data, "equal-frequency", bins=4)
    assert [column.column for column in table.discretized] == ["many", "gaps"]
    assert table.levels("few") == (1, 2, 3)
    assert table.n_levels("many") == 4
    assert table.n_levels("text") == 30
    assert table.levels("truth") == (False, True)
    assert table.n_levels("gaps") == 4
    assert table.missing("gaps") == 1
    assert bitsep.discretize(data, columns="many").n_levels("gaps") == 29


def test_the_result_is_a_table_like_any_other():
    rng = np.random.default_rng(7)
    x = rng.normal(size=2000)
    table = discretized({"x": x, "y": x + rng.normal(size=2000), "z": rng.normal(size=2000)})
    assert not bitsep.independence_test(table, "x", "y").independent
    assert bitsep.independence_test(table, "x", "z").independent
    assert "(-inf, " in repr(table)


@pytest.mark.parametrize(
    ("arguments", "error", "word"),
    [
        ({"method": "quantiles"}, UnknownMethodError, "quantiles"),
        ({"method": "mdl:nobody"}, UnknownColumnError, "nobody"),
        ({"method": "mdl:constant"}, DataError, "constant"),
        ({"method": "mdl:x"}, DataError, r"'x' \(60 levels\) looks continuous"),
        ({"method": "equal-width", "bins": 1}, ArgumentError, "bins"),
        ({"method": "equal-width", "bins": True}, ArgumentError, "bins"),
        ({"method": "equal-width:1"}, ArgumentError, "bins"),
        ({"method": "equal-width:many"}, ArgumentError, "many"),
        ({"method": "auto", "bins": 3}, ArgumentError, "bins: 'auto' chooses"),
        ({"method": ""}, ArgumentError, "form COLUMN"),
        ({"method": 'x,"few=auto'}, ArgumentError, "form COLUMN"),
        ({"method": "x=auto;x=none"}, ArgumentError, "'x' must be named once"),
        ({"method": "auto;none"}, ArgumentError, "without columns"),
        ({"method": "2,5"}, ArgumentError, "must follow the name"),
        ({"method": "x=2,inf"}, ArgumentError, "finite"),
        ({"method": {"x": []}}, ArgumentError, "at least one"),
        ({"method": {"x": [1, "two"]}}, ArgumentError, "finite"),
        ({"method": 4}, UnsupportedTypeError, "mapping"),
        ({"method": "few=auto", "columns": "x"}, ArgumentError, "already names"),
        ({"columns": ["word"]}, DataError, "'word' is not numeric"),
        ({"columns": ["nobody"]}, UnknownColumnError, "nobody"),
        ({"method": "mdl:few", "columns": ["few"]}, ArgumentError, "target"),
        ({"method": "equal-width", "columns": ["endless"]}, DataError, "infinite"),
    ],
)
def test_bad_input(arguments, error, word):
    data = {
        "x": np.arange(60) + 0.5,
        "few": [0, 1, 2] * 20,
        "word": ["a", "b"] * 30,
        "constant": [1] * 60,
        "endless": [math.inf, 0.5, 1.5] * 20,
    }
    with pytest.raises(error, match=word):
        bitsep.discretize(data, **arguments)


def test_names_without_reading(tmp_path):
    frame = pd.DataFrame({"a b": [1], "ü\n": [2]})
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_parquet(tmp_path / "t.parquet")
    for ending in ("csv", "parquet"):
        assert bitsep.scan(tmp_path / f"t.{ending}").names == ("a b", "ü\n")


def test_identifiers_are_not_discretized_unless_they_are_named():
    data = {"": range(100), "order id": range(7, 107), "price": [i % 40 / 4 for i in range(100)]}
    table = discretized(data, "equal-frequency:3")
    assert [table.n_levels(name) for name in table.names] == [100, 100, 3]
    assert bitsep.discretize(data, "order id,price=equal-frequency:3").n_levels("order id") == 3
    assert [alert.column for alert in bitsep.discover(table).left_out] == ["", "order id"]


NAMES = st.text(alphabet="ab,;=\"mdl: '", min_size=0, max_size=6)
METHODS = st.sampled_from(["auto", "none", "equal-frequency:4", "equal-width:9", [2, 5.5, 10], [-1e-7], 'mdl:"t;=,"'])


@given(st.dictionaries(NAMES, METHODS, min_size=1, max_size=4), st.booleans())
def test_every_request_has_a_text_that_means_the_same(columns, others):
    wanted = Discretization.of(columns)
    if others:
        wanted = wanted.with_others("auto")
    again = Discretization.of(wanted.text)
    assert again.text == wanted.text
    assert again.others == wanted.others
    assert dict(again.columns) == dict(wanted.columns)


def test_columns_have_their_own_methods():
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(rng.gamma(2, size=(400, 4)) * 5, columns=["price", "age", "dose", "rest"])
    table = discretized(frame, "price,age=equal-frequency:4;dose=2,5,10")
    assert [column.column for column in table.discretized] == ["price", "age", "dose"]
    assert table.discretized[2].points == (2, 5, 10)
    assert str(table.discretized[2]) == "dose: 400 levels cut into 4 intervals at 2, 5, 10 (given)"
    assert table.n_levels("rest") == 400
    same = {"price": "equal-frequency:4", "age": "equal-frequency:4", "dose": [10, 2, 5]}
    assert bitsep.discretize(frame, same).fingerprint() == table.fingerprint()
    numbered = bitsep.discretize(frame.to_numpy(), "0,1=equal-frequency:4;2=2,5,10")
    assert [numbered.levels(i) for i in range(3)] == [table.levels(name) for name in frame][:3]
    everything = bitsep.discretize(frame, "auto;age=none")
    assert [column.column for column in everything.discretized] == ["price", "dose", "rest"]


def test_cut_points_without_a_value_between_them_are_one():
    table = discretized({"x": [1, 2, 3, 8, 9]}, {"x": [0, 2.123456789, 4, 5, 20]})
    assert table.discretized[0].points == (2.123456789, 4)
    assert table.codes("x").tolist() == [0, 0, 1, 2, 2]


def test_all_columns_that_look_continuous_are_listed_with_the_remedy():
    rng = np.random.default_rng(4)
    data = {"a": rng.normal(size=150), "b": rng.integers(0, 40, 150) / 8, "c": rng.integers(0, 2, 150)}
    for use in (bitsep.boss, bitsep.hill_climb, bitsep.pc_stable, bitsep.markov_blankets):
        with pytest.raises(
            DataError, match=r"2 columns look continuous; at most 12 .*'a' \(150 levels\), 'b'"
        ) as error:
            use(data)
        assert 'discretize="auto"' in error.value.hint
        use(data, discretize="auto")
    with pytest.raises(DataError, match="'b' "):
        bitsep.evaluate(data, [("a", "b", ())], discretize="a=auto")
    assert bitsep.independence_test(data, "b", "c", discretize={"b": [1, 2]}).domain_sizes[0] == 3
    assert bitsep.independence_test(data, "b", "c", discretize="b=none").domain_sizes[0] == 40
    assert bitsep.independence_test(bitsep.Table(data, max_float_levels=None), "b", "c").domain_sizes[0] == 40
    [found] = bitsep.separate(data, [("a", "c", ())], discretize="auto")
    assert found.given == ()


def test_a_target_that_is_not_tested_is_read_as_well():
    rng = np.random.default_rng(5)
    x = rng.normal(size=600)
    data = {"x": x, "y": rng.integers(0, 2, 600), "step": x > 0.5, "other": rng.normal(size=600)}
    assert bitsep.independence_test(data, "x", "y", discretize="mdl:step").domain_sizes[0] == 2
