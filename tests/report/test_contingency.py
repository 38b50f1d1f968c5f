"""Tables for people against plain counting in Python."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

import bitsep
from bitsep import Table
from bitsep.report.contingency import MAX_LEVELS, MAX_STRATA, Tabulator


def rows(seed: int, n: int = 400, missing: bool = False) -> dict[str, list[Any]]:
    rng = np.random.default_rng(seed)
    data: dict[str, list[Any]] = {
        "x": rng.integers(0, 3, n).tolist(),
        "y": rng.integers(0, 4, n).tolist(),
        "z": rng.integers(0, 3, n).tolist(),
        "w": rng.integers(0, 2, n).tolist(),
    }
    if missing:
        for column in data.values():
            for place in rng.integers(0, n, 25):
                column[place] = None
    return data


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("given", [(), ("z",), ("w", "z")])
def test_tables_are_the_counts(missing: bool, given: tuple[str, ...]) -> None:
    data = rows(1, missing=missing)
    complete = [row for row in zip(*(data[name] for name in ("x", "y", *given)), strict=True) if None not in row]
    counted = Counter(complete)
    seen = Counter()
    for stratum in Tabulator(Table(data)).strata("x", "y", given):
        labels = tuple(map(int, stratum.labels))
        for (i, j), count in np.ndenumerate(stratum.observed):
            seen[(i, j, *labels)] = int(count)
        assert np.allclose(stratum.expected.sum(axis=0), stratum.observed.sum(axis=0))
        assert np.allclose(stratum.expected.sum(axis=1), stratum.observed.sum(axis=1))
    assert +seen == counted


def test_information_in_the_strata_is_that_of_the_test() -> None:
    data = rows(2, missing=True)
    result = bitsep.independence_test(data, "x", "y", given=["z", "w"])
    total = 0.0
    for stratum in Tabulator(Table(data)).strata("x", "y", result.given):
        cells = stratum.observed > 0
        total += float((stratum.observed[cells] * np.log2(stratum.observed[cells] / stratum.expected[cells])).sum())
    assert total == pytest.approx(result.n * result.cmi_bits)


def test_weights_count() -> None:
    table = Table({"x": [0, 1, 1], "y": [0, 0, 1], "n": [5, 2, 3]}, weights="n")
    tabulator = Tabulator(table)
    (stratum,) = tabulator.strata("x", "y", ())
    assert stratum.observed.tolist() == [[5, 0], [2, 3]]
    assert [level.rows for level in tabulator.level_counts("x")] == [5, 5]


def test_rare_levels_and_small_strata_are_pooled_and_nothing_is_lost() -> None:
    rng = np.random.default_rng(3)
    data = {"x": rng.geometric(0.1, 2000), "y": rng.integers(0, 2, 2000), "z": rng.geometric(0.05, 2000)}
    table = Table(data)
    tabulator = Tabulator(table)
    levels = tabulator.level_counts("x")
    assert len(levels) == MAX_LEVELS
    assert levels[-1].label == f"{table.n_levels('x') - MAX_LEVELS + 1} others"
    assert sum(level.rows for level in levels) == 2000
    strata = tabulator.strata("x", "y", ["z"])
    assert len(strata) == MAX_STRATA
    assert strata[-1].pooled == table.n_levels("z") - MAX_STRATA + 1
    assert sum(stratum.rows for stratum in strata) == 2000


def test_joined_columns_are_one_variable() -> None:
    table = Table(rows(4))
    (stratum,) = Tabulator(table, [("x", "w")]).strata(("x", "w"), "y", ())
    assert stratum.observed.shape == (6, 4)


def test_far_too_many_strata_give_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bitsep.report.contingency._MAX_CELLS", 10)
    assert Tabulator(Table(rows(5))).strata("x", "y", ["z"]) == ()
