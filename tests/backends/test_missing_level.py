"""Missing values as a level, the restriction of columns, and the smallest effect, on every backend."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import bitsep
from bitsep.data.load import encoded

Opener = Callable[..., Any]
COLUMNS = ["cause", "text", "number", "half", "yes", "same"]


@pytest.mark.parametrize("weights", [None, "weight"])
def test_levels_counts_and_fingerprints(opened: Opener, awkward: Path, weights: str | None) -> None:
    options = {"weights": weights, "columns": [*COLUMNS, "empty"]}
    found = encoded(opened(awkward, **options)).with_missing_level()
    expected = bitsep.Table(awkward, **options).with_missing_level()
    assert found.fingerprints() == expected.fingerprints()
    for name in found.names:
        assert found.levels(name) == expected.levels(name)
        assert found.level_counts(name).tolist() == expected.level_counts(name).tolist()
        assert found.level_counts(name).sum() == found.n
        assert found.n_missing(name) == 0
        assert found.display_order(name) == expected.display_order(name)
    assert repr(found.levels("number")) == "(0, 1, 2, ⟨missing⟩)"
    assert repr(found.levels("empty")) == "(⟨missing⟩,)"
    assert found.levels("cause") == (0, 1, 2, 3)
    assert found.with_missing_level() is found
    some = encoded(opened(awkward, **options)).with_missing_level(["yes"]).select(["yes", "text"])
    assert some.level_counts("yes").tolist() == found.level_counts("yes").tolist()
    assert some.n_missing("text") == encoded(opened(awkward, **options)).n_missing("text") > 0


@pytest.mark.parametrize("search", [bitsep.pc_stable, bitsep.boss])
@pytest.mark.parametrize(
    "rest", [{"missing_as_level": ["number", "yes"]}, {"min_rows_share": 0.85, "min_effect": 0.003}]
)
def test_searches(opened: Opener, awkward: Path, search: Any, rest: dict[str, Any]) -> None:
    options = {"columns": COLUMNS, "weights": "weight"}
    found = search(opened(awkward, **options), bootstrap=2, **rest)
    expected = search(bitsep.Table(awkward, **options), bootstrap=2, **rest)
    assert found.to_json() == expected.to_json()
    assert bool(found.restricted) == ("min_effect" in rest)
    assert found.data.fingerprint() == expected.data.fingerprint()


def test_tests_and_blankets(opened: Opener, awkward: Path) -> None:
    data, table = opened(awkward, columns=COLUMNS), bitsep.Table(awkward, columns=COLUMNS)
    query = ("number", "yes", ("text",))
    expected = bitsep.evaluate(table, [query], missing_as_level=True)
    assert repr(bitsep.evaluate(data, [query], missing_as_level=True)) == repr(expected)
    alone = bitsep.independence_test(data, "number", "yes", "text", missing_as_level=["number", "yes", "text"])
    assert alone == expected[0]
    rest = {"missing_as_level": "yes", "min_rows_share": 0.9}
    found = bitsep.markov_blanket(data, "cause", **rest)
    assert found.to_json() == bitsep.markov_blanket(table, "cause", **rest).to_json()
