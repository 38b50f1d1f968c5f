"""Relations between columns in a profile: functions, duplicates, frequencies."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bitsep
from bitsep.data.profile import Profile, describe, relations
from twins.strategies import Columns, quick, tables

RNG = np.random.default_rng(0)
N = 2000


def alerts_of(profile: Profile, column: str) -> list[str]:
    return [alert.kind for alert in profile.alerts if alert.column == column]


COMBINATIONS = {
    "sex": ["f", "f", "f", "m", "m", "m"] * 2,
    "dept": ["A", "B", "C"] * 4,
    "admit": [1] * 6 + [0] * 6,
}
FREQUENCIES = [30, 12, 8, 8, 0, 41, 5, 77, 1, 19, 23, 8]


@pytest.mark.parametrize("name", ["Freq", "count", "n", "weights"])
def test_frequencies_belong_to_the_weights(name: str) -> None:
    data = {**COMBINATIONS, name: FREQUENCIES}
    profile = bitsep.describe(data)
    assert [(alert.column, alert.kind, alert.related) for alert in profile.alerts] == [
        (name, "frequency", ("sex", "dept", "admit"))
    ]
    assert profile.unsuitable == (name,)
    assert "--weights" in profile.alerts[0].advice
    assert bitsep.discover(data).left_out == profile.alerts


@pytest.mark.parametrize(
    "data",
    [
        {**COMBINATIONS, "dose": FREQUENCIES},  # not the name of a frequency
        {**COMBINATIONS, "n": [-1, *FREQUENCIES[1:]]},
        {**COMBINATIONS, "n": [0.5, *FREQUENCIES[1:]]},
        {
            **{name: [*values, values[0]] for name, values in COMBINATIONS.items()},
            "n": [*FREQUENCIES, 3],
        },  # a row twice
        {"sex": [*"fm"] * 6, "n": FREQUENCIES},
        {**{f"v{i}": np.random.default_rng(i).integers(0, 2, 12) for i in range(20)}, "n": FREQUENCIES},  # by chance
    ],
    ids=["name", "negative", "fractions", "repeated", "one column", "chance"],
)
def test_other_numbers_are_not_frequencies(data: Columns) -> None:
    assert "frequency" not in {alert.kind for alert in bitsep.describe(data).alerts}


def test_functions_and_duplicates() -> None:
    city = RNG.integers(0, 30, N)
    data = {
        "city": city,
        "town": [f"town {c}" for c in city],
        "state": city // 5,
        "country": city // 15,
        "other": RNG.integers(0, 3, N),
    }
    profile = describe(data)
    related = {alert.column: (alert.kind, alert.related) for alert in profile.alerts}
    assert related["town"] == ("duplicate", ("city",))
    assert related["state"] == ("function", ("city",))
    assert related["country"] == ("function", ("state",))  # and, through it, of city
    assert "other" not in related
    assert "city" not in related


def test_functions_with_missing_values() -> None:
    city = RNG.integers(0, 10, N).astype(float)
    state = city // 5
    city[:300] = np.nan
    state[200:500] = np.nan
    assert alerts_of(describe({"city": city, "state": state}), "state") == ["function"]
    state[-1] = 1 - state[-1]
    assert alerts_of(describe({"city": city, "state": state}), "state") == []


def test_equal_columns_of_numbers_that_all_differ() -> None:
    x = RNG.normal(size=N)
    profile = describe({"x": x, "same": x, "other": RNG.permutation(x)})
    assert alerts_of(profile, "x") == ["many_levels", "duplicate"]
    assert alerts_of(profile, "other") == ["many_levels"]


def test_one_row_can_refute_a_function() -> None:
    x = np.arange(30_000) % 20
    y = x // 2
    assert alerts_of(describe({"x": x, "y": y}), "y") == ["function"]
    y[7] = 9  # not among the rows of the sample
    assert alerts_of(describe({"x": x, "y": y}), "y") == []


def test_agreement_by_chance_is_no_function() -> None:
    rare = np.zeros(40, int)
    rare[0] = 1
    assert alerts_of(describe({"x": np.arange(40) % 8 + 100 * rare, "rare": rare}), "rare") == []


@quick
@given(tables(max_rows=60), st.integers(1, 70))
def test_relations_are_found_in_any_sample(columns: Columns, rows: int) -> None:
    expected = describe(columns)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(relations, "SAMPLE_ROWS", rows)
        assert describe(columns) == expected
    for alert in expected.alerts:
        for source in alert.related:
            levels = {(a, b) for a, b in zip(columns[source], columns[alert.column], strict=True)}
            assert len(levels) == len({a for a, _ in levels})


def test_no_relations_of_very_many_columns() -> None:
    data = {f"c{i}": [0, 1] * 50 for i in range(relations.MAX_COLUMNS + 1)}
    assert describe(data).alerts == ()
