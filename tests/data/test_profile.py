"""The profile of a table: kinds of columns, alerts, relations between columns, and how it is shown."""

from __future__ import annotations

import datetime as dt
import json
import random
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bitsep
from bitsep.data.profile import Profile, describe, unsuitable_columns
from bitsep.errors import BitsepError, UnknownColumnError
from twins.strategies import Columns, quick, tables

RNG = np.random.default_rng(0)
N = 2000


def alerts_of(profile: Profile, column: Any = "x") -> list[str]:
    return [alert.kind for alert in profile.alerts if alert.column == column]


def random_words(words: int, n: int = N) -> list[str]:
    draw = np.random.default_rng(1)
    return [" ".join("".join(draw.choice(list("aeiounst"), 6)) for _ in range(words)) for _ in range(n)]


KINDS = {
    "words": (["yes", "no"] * 1000, "category"),
    "truth values": ([True, False] * 1000, "category"),
    "few integers": (np.arange(N) % 12, "category"),
    "few fractions": (np.arange(N) % 12 / 4, "category"),
    "integers": (np.arange(N) % 31, "integer"),
    "counts": (RNG.poisson(900, N), "integer"),
    "noise of n integers": (RNG.integers(0, N, N), "integer"),
    "large measurements that all differ": (RNG.choice(10**9, N, False), "integer"),
    "floats": (RNG.normal(size=N), "continuous"),
    "rounded floats": (RNG.integers(0, 30, N) / 10, "continuous"),
    "decimals": ([Decimal(int(i)) / 100 for i in RNG.integers(0, 300, N)], "continuous"),
    "row numbers": (np.arange(N), "identifier"),
    "shuffled row numbers with gaps": (RNG.choice(3 * N, N, False), "identifier"),
    "row numbers with a few repeats": (np.concatenate([np.arange(N - 20), np.arange(20)]), "identifier"),
    "row numbers as floats with missing values": (np.where(np.arange(N) % 7 == 0, np.nan, np.arange(N)), "identifier"),
    "codes that all differ": ([f"A{i:05}" for i in range(N)], "identifier"),
    "codes that hardly repeat": ([f"A{i % 1200:05}" for i in range(N)], "identifier"),
    "codes that repeat": ([f"A{i % 300:05}" for i in range(N)], "category"),
    "sentences": (random_words(8), "text"),
    "names": (random_words(2), "text"),
    "sentences that repeat": (random_words(8, 200) * 10, "text"),
    "names that repeat": (random_words(2, 200) * 10, "category"),
    "dates": (pd.date_range("2020-01-01", periods=N), "date"),
    "few dates": ([dt.date(2020, 1, 1 + i % 3) for i in range(N)], "date"),
    "times": ([dt.time(i % 24, i % 60) for i in range(N)], "date"),
    "durations": ([dt.timedelta(minutes=i) for i in range(N)], "date"),
    "periods": (pd.period_range("2000-01", periods=300, freq="M"), "date"),
    "ISO dates as text": ([f"2020-{1 + i % 12:02}-{1 + i % 28:02}" for i in range(N)], "date"),
    "US dates as text": ([f"{1 + i % 12}/{1 + i % 28}/2020" for i in range(N)], "date"),
    "German dates as text": ([f"{1 + i % 28}.{1 + i % 12}.2020" for i in range(N)], "date"),
    "timestamps as text": ([f"2020-01-{1 + i % 28:02}T{i % 24:02}:00:00Z" for i in range(N)], "date"),
    "clock times as text": ([f"{i % 24}:{i % 60:02}" for i in range(N)], "date"),
    "dates as numbers": ([20200000 + 100 * (1 + i % 12) + 1 + i % 28 for i in range(N)], "date"),
    "months as text": ([f"2020-{1 + i % 12:02}" for i in range(N)], "date"),
    "age groups": ([f"{10 * (i % 9)}-{10 * (i % 9) + 9}" for i in range(N)], "category"),
    "postal codes": ([f"0{1000 + i % 500}" for i in range(N)], "category"),
    "amounts": ([f"{i:,}.50 €" for i in range(N)], "text"),
    "intervals": (pd.cut(RNG.normal(size=N), 20), "category"),
    "tuples": ([(i % 3, "a") for i in range(N)], "category"),
    "mixed types": ([1, "a"] * 1000, "category"),
    "one level": (["a"] * N, "constant"),
    "nothing": ([None] * N, "constant"),
}


@pytest.mark.parametrize("example", KINDS)
def test_kinds(example: str) -> None:
    values, kind = KINDS[example]
    assert describe({"x": values})["x"].kind == kind
    assert describe({"x": list(values)})["x"].kind == kind


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([None] * N, ["all_missing"]),
        (["a"] * N, ["constant"]),
        (["a"] * (N - 5) + ["b"] * 5, ["near_constant"]),
        (["a"] * 1900 + ["b"] * 100, []),
        ([None] * 1100 + ["a", "b"] * 450, ["mostly_missing"]),
        ([None] * 1000 + ["a", "b"] * 500, []),
        (np.arange(N), ["identifier"]),
        (np.arange(N) % 44, []),  # √2000 = 44.7
        (np.arange(N) % 45, ["many_levels"]),
        (np.arange(N) % 44 / 8, []),
        ([f"level{i % 45}" for i in range(N)], ["many_levels"]),
        (RNG.normal(size=N), ["many_levels"]),
        ([f"{i % 5}%" for i in range(N)], ["number_as_text"]),
        ([f"{i % 300:,}.5" for i in range(N)], ["number_as_text"]),
        ([str(i % 5) for i in range(N)], []),
        ([str(i) for i in range(N)], ["identifier"]),
        ([str(i % 100) for i in range(N)], ["many_levels"]),
        (["2019-01-01", "2020-01-01"] * 1000, ["date"]),
        ([f"Decile {i % 10}" for i in range(N)], []),
        (np.arange(N) * 997, ["many_levels"]),
        ([f"S{i // 2}" for i in range(N)], ["identifier"]),
        (["yes", "no", "n/a", "-"] * 500, ["missing_code"]),
        ([1, 2, 3, "#N/A"] * 500, ["missing_code"]),
        (["-"] * N, ["missing_code", "constant"]),
        ([1, 2, 3, 4, -99, -77, 2, 5] * 250, ["missing_code"]),
        ([1.0, 2, 3, 4, 99, 5] * 300, ["missing_code"]),
        ([*range(100), *[999] * 100] * 10, ["missing_code", "many_levels"]),
        ([*RNG.normal(50, 10, N), *[-999] * 100], ["missing_code", "many_levels"]),
        ([*[1, 2, 3] * 600, -99, -99], []),  # in two rows only
        ([*range(10, 25), 77, 88, 98, 99] * 100, ["missing_code"]),
        ([*range(60, 100)] * 100, []),
        ([*[0, 1, 2, 3, 4, 5] * 100, *[-1] * 30], []),
        ([-1, 1] * 500, []),
        ([-1, 0] * 500, []),
        ([98, 99] * 500, []),
        ([False, True] * 500, []),
        (["yes", "no", "Yes ", "NO"] * 500, ["similar_levels"]),
        (["none", "some", "unknown", "+"] * 500, []),
    ],
)
def test_alerts(values: Any, expected: list[str]) -> None:
    assert alerts_of(describe({"x": values})) == expected


def test_limits_depend_on_the_number_of_rows() -> None:
    levels = np.arange(150)
    small, large = {"x": np.repeat(levels, 10)}, {"x": np.repeat(levels, 1000)}
    assert alerts_of(describe(small)) == ["many_levels"]
    assert alerts_of(describe(large)) == []
    # Of fractional numbers, bitsep.Table accepts at most 50.
    assert alerts_of(describe({"x": np.repeat(levels / 8, 1000)})) == ["many_levels"]


def test_missing_codes_are_named() -> None:
    table = bitsep.Table({"x": [1, 2, 3, -99, -77, "n/a"] * 10, "y": [1, 2, 3, -99, -77] * 12})
    advice = {alert.column: alert.advice for alert in describe(table).alerts if alert.kind == "missing_code"}
    assert "missing=['n/a'] (--missing n/a)" in advice["x"]
    assert "missing=[-99, -77] (--missing -99 --missing -77)" in advice["y"]


def test_missing_codes_are_counted_by_rows() -> None:
    data = {"x": [1, 2, 3, 1, 2, 3, 99], "w": [20] * 7}
    assert describe(bitsep.Table(data, weights="w")).alerts == ()


def test_small_tables_have_no_identifiers() -> None:
    assert describe({"x": [30, 40, 35, 50], "y": ["a", "b", "c", "d"]}).alerts == ()


@pytest.mark.parametrize("name", ["", "Unnamed: 0", "__index_level_0__", "rownames"])
@pytest.mark.parametrize("index", [range(1, 6), list("abcde"), [7.5, 8, 1, 2, 3]])
def test_unnamed_index(name: str, index: Any) -> None:
    profile = describe({name: index, "x": [1, 1, 2, 2, 2]})
    assert alerts_of(profile, name) == ["unnamed_index"]
    assert profile.unsuitable == (name,)
    assert describe({name: [1, 1, 2, 2, 2]}).alerts == ()


def test_names_tell_identifiers_from_measurements() -> None:
    values = RNG.choice(10**12, 200, False)
    for name in ("PassengerId", "order_id", "UUID", "customer key"):
        assert describe({name: values})[name].kind == "identifier"
    for name in ("population", "idle", "keyboard"):
        assert describe({name: values})[name].kind == "integer"


def test_weights() -> None:
    counts = {"": range(1, 25), "dept": list("abcdef") * 4, "freq": [19] * 24}
    profile = describe(bitsep.Table(counts, weights="freq"))
    assert (profile.n_rows, profile.n) == (24, 456)
    assert profile.unsuitable == ("",)
    assert profile["dept"].top[0] == ("a", 76)
    assert profile["dept"].rows_per_level == 4


def test_rows_per_level_go_by_rows_without_weights() -> None:
    draw = np.random.default_rng(2)
    data = {"x": draw.normal(size=N).round(4), "y": draw.integers(0, 2, N), "w": np.full(N, 10)}
    profile = describe(bitsep.Table(data, weights="w", max_float_levels=None))
    levels = profile["x"].n_levels
    assert profile["x"].rows_per_level == N / levels
    assert [alert.kind for alert in profile.alerts] == ["many_levels"]  # y is not a function of x
    assert f"{levels:,} levels in 2,000 rows (total weight 20,000), more than 50." in profile.alerts[0].message


def test_unsuitable_columns_are_those_of_the_profile() -> None:
    data = {"": range(N), "id": [f"k{i}" for i in range(N)], "x": RNG.integers(0, 3, N), "none": [None] * N}
    table = bitsep.Table(data)
    found = unsuitable_columns(table)
    assert [(alert.column, alert.kind) for alert in found] == [
        ("none", "all_missing"),
        ("", "unnamed_index"),
        ("id", "identifier"),
    ]
    profile = describe(table)
    assert found == tuple(alert for alert in profile.alerts if alert.unsuitable)
    assert profile.unsuitable == ("", "id", "none")
    assert all(alert.advice for alert in found)


def test_discover_divides_numbers_that_other_searches_leave_out() -> None:
    draw = np.random.default_rng(3)
    table = bitsep.Table({"zip": draw.integers(1000, 99_999, N), "x": draw.integers(0, 2, N)})
    [alert] = describe(table).alerts
    assert alert.unsuitable
    assert alert.advice == "Searches leave it out unless it is discretized, which discover does by itself."
    assert [column.column for column in bitsep.discover(table).discretized] == ["zip"]
    assert bitsep.pc_stable(table).left_out == (alert,)


def test_the_chain_with_an_identifier() -> None:
    draw = np.random.default_rng(0)
    x = draw.integers(0, 2, 5000)
    y = np.where(draw.random(5000) < 0.85, x, 1 - x)
    z = np.where(draw.random(5000) < 0.85, y, 1 - y)
    table = bitsep.Table({"x": x, "y": y, "z": z, "id": range(5000)})
    assert [alert.column for alert in unsuitable_columns(table)] == ["id"]


# Any order, any source

values = st.one_of(
    st.none(),
    st.integers(-3, 3),
    st.integers(),
    st.floats(allow_nan=False),
    st.sampled_from(["a", "b", "2020-01-01", "3.5 %", "1,000", "some words of text", ""]),
    st.dates(),
    st.booleans(),
)
columns = st.dictionaries(
    st.sampled_from(["", "id", "a b", "x", "y", "z"]),
    st.lists(values, min_size=20, max_size=20),
    min_size=1,
    max_size=4,
)


@quick
@given(columns, st.integers(0, 2**32))
def test_order_of_rows_and_columns(data: dict[str, list[Any]], seed: int) -> None:
    draw = random.Random(seed)
    rows, names = list(range(20)), list(data)
    draw.shuffle(rows)
    draw.shuffle(names)
    profile, shuffled = describe(data), describe({name: [data[name][row] for row in rows] for name in names})
    assert {one.name: one for one in shuffled.columns} == {one.name: one for one in profile.columns}
    assert [one.name for one in shuffled.columns] == names
    assert shuffled.alerts == profile.alerts
    json.loads(profile.to_json())
    assert str(profile)
    assert profile._repr_html_()
    assert len(profile.to_pandas()) == len(data)


@quick
@given(tables(missing=True, max_rows=200, max_levels=30))
def test_memory_and_stream(data: Columns) -> None:
    batches = pa.table(data).to_reader(max_chunksize=17)
    assert describe(bitsep.scan(batches, memory="16MB")) == describe(data)


def test_frames_and_files(tmp_path: Any) -> None:
    data = {"id": [f"k{i}" for i in range(N)], "x": RNG.normal(size=N), "day": pd.date_range("2020-01-01", periods=N)}
    frame = pd.DataFrame(data)
    expected = describe(frame)
    assert describe(pl.from_pandas(frame)) == expected
    frame.to_parquet(tmp_path / "data.parquet")
    assert describe(tmp_path / "data.parquet") == expected
    frame.to_csv(tmp_path / "data.csv", index=False)
    from_text = describe(tmp_path / "data.csv")
    assert [one.kind for one in from_text.columns] == [one.kind for one in expected.columns]
    assert [(one.column, one.kind) for one in from_text.alerts] == [(one.column, one.kind) for one in expected.alerts]


# How it is shown


def test_text_json_and_frame() -> None:
    data = {"smoke": ["yes", "no", "no", None], "two words": ["a\x1b[31m", "<b>", "<b>", "<b>"]}
    profile = describe(data)
    assert repr(profile) == "<Profile: 4 rows, 2 columns, 0 alerts>"
    assert repr(describe({"x": [1]})) == "<Profile: 1 row, 1 column, 1 alert>"
    assert str(profile).splitlines()[1:3] == [
        "  column       kind      levels  missing  rows per level  most frequent",
        "  smoke        category       2    25.0%             1.5  'no' (2), 'yes' (1)",
    ]
    assert "\x1b" not in str(profile)
    assert "&lt;b&gt;" in profile._repr_html_()
    assert json.loads(profile.to_json()) == {"schema": "bitsep.profile", "schema_version": 1, **profile.to_dict()}
    assert profile.to_dict()["columns"][0] == {
        "name": "smoke",
        "kind": "category",
        "n_levels": 2,
        "n_missing": 1,
        "missing_share": 0.25,
        "rows_per_level": 1.5,
        "top": [["no", 2], ["yes", 1]],
    }
    frame = profile.to_pandas()
    assert frame.loc["smoke", "n_levels"] == 2
    assert frame.loc["two words", "alerts"] == ()


def test_many_columns_and_alerts_are_shortened() -> None:
    profile = describe({f"c{i}": [None, None] for i in range(300)})
    assert "… and 100 more columns" in str(profile)
    assert "… and 250 more alerts" in str(profile)
    assert len(profile.to_pandas()) == 300
    constant = describe({f"c{i}": [1, 1] for i in range(300)})
    assert "300 columns have only one level: c0, c1, c10, " in str(constant)


def test_unusual_levels_in_json() -> None:
    data = {"x": [10**400, float("inf"), Decimal("0.1"), dt.date(2020, 1, 1), (1, 2), b"a", True]}
    for level, _ in json.loads(describe(data).to_json())["columns"][0]["top"]:
        assert isinstance(level, str | int | float)


def test_bad_input(tmp_path: Any) -> None:
    with pytest.raises(UnknownColumnError, match="no column 'smoek'"):
        describe({"smoke": [1, 2]})["smoek"]
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "header.csv").write_text("a,b\n")
    (tmp_path / "binary.csv").write_bytes(bytes(range(256)))
    for name in ("empty.csv", "header.csv", "binary.csv", "none.csv"):
        with pytest.raises(BitsepError) as caught:
            describe(tmp_path / name)
        assert "\n" not in caught.value.message
    for data in (3, None, {}, {"x": []}):
        with pytest.raises(BitsepError):
            describe(data)
    with pytest.raises(BitsepError, match="threads"):
        describe({"x": [1]}, threads=0)


@pytest.mark.parametrize(
    ("texts", "options"),
    [
        ([f"{i % 200},5" for i in range(N)], "read the CSV file with decimal=',' (--decimal ,), or turn"),
        ([f"{i % 3},5" for i in range(N)], "Read the CSV file with decimal=',' (--decimal ,), or turn"),
        ([f"{i % 200 + 1}.000,5" for i in range(N)], "decimal=',', thousands='.' (--decimal , --thousands .)"),
        ([f"{i % 200 + 1},000" for i in range(N)], "thousands=',' (--thousands ,)"),
        ([f"{i % 200}%" for i in range(N)], "turn its values into plain numbers, without"),
        ([f"{i % 200}.5" for i in range(N)] + ["k.A."], "missing=['k.A.'] (--missing k.A.), or turn"),
        (
            [f"{i % 200},5" for i in range(N)] + list("abcde"),
            "decimal=',', missing=['a', 'b', 'c'] (--decimal , --missing a --missing b --missing c), or turn",
        ),
        ([f"{i % 200}%" for i in range(N)] + ["no answer"], "missing=['no answer'] (--missing 'no answer'), and turn"),
    ],
)
def test_the_advice_about_numbers_as_text_names_their_separators(texts: list[str], options: str) -> None:
    advice = [alert.advice for alert in bitsep.describe({"x": texts}).alerts if alert.kind == "number_as_text"]
    assert len(advice) == 1
    assert options in advice[0]


def test_words_among_numbers_are_named_as_the_error_of_a_search_does(tmp_path: Any) -> None:
    numbers = [f"{i % 200}.5" for i in range(N)]
    path = tmp_path / "data.csv"
    pd.DataFrame({"x": [*numbers, "k.A."], "y": [*numbers[1:], "0.5", "1.5"]}).to_csv(path, index=False)
    with pytest.raises(BitsepError, match=r"'k\.A\.' is text"):
        bitsep.discover(path)
    alert = describe(path).alerts[0]
    assert (alert.column, alert.kind, alert.unsuitable) == ("x", "number_as_text", True)
    assert alert.message.endswith("such as '0.5'; no numbers: 'k.A.'.")
    assert "Searches leave it out" not in alert.advice
    assert alerts_of(describe(bitsep.Table(path, missing=["k.A."]))) == ["many_levels"]


def test_intervals_and_periods_are_short() -> None:
    halves = pd.IntervalIndex.from_breaks([0, 1.5, 3])
    data = pd.DataFrame({"x": pd.Categorical.from_codes([0, 1] * 50, halves), "y": pd.Period("2020-01", "M")})
    for text in (str(bitsep.describe(data)), repr(bitsep.Table(data))):
        assert "(0.0, 1.5]" in text
        assert "2020-01" in text
        assert "Interval(" not in text
        assert "Period(" not in text
