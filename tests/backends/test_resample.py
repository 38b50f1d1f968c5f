"""Bootstrap samples: the distribution of what is drawn, the same in pieces, in time that weights do not change."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import bitsep
from bitsep.counting.resample import drawn_rows, drawn_weights
from bitsep.discovery.bootstrap import each_sample
from bitsep.errors import ArgumentError
from bitsep.independence import open_engine
from bitsep.progress import SILENT

WEIGHTS = st.one_of(st.integers(0, 40), st.integers(0, 2**40))


@given(st.lists(WEIGHTS, max_size=30), st.integers(0, 2**40), st.integers(0, 2**63))
def test_drawn_weights_do_not_depend_on_the_pieces(weights: list[int], start: int, seed: int) -> None:
    whole = drawn_weights(seed, np.array(weights, np.int64), start)
    for row, weight in enumerate(weights):
        assert drawn_weights(seed, np.array([weight]), start + row).tolist() == [whole[row]]


@given(st.integers(0, 2**63), st.integers(0, 2**40))
def test_rows_of_weight_one_are_drawn_like_rows_without_weights(seed: int, start: int) -> None:
    ones = np.ones(100, np.int64)
    assert drawn_weights(seed, ones, start).tolist() == drawn_rows(seed, start, 100).tolist()


def test_samples_without_weights_stay_the_same() -> None:
    drawn = drawn_rows(7, 1000, 100_000)
    assert drawn[:20].astype(int).tolist() == [0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 1, 0, 0, 1, 0, 1, 1, 1, 1, 1]
    assert hashlib.blake2b(drawn.tobytes(), digest_size=8).hexdigest() == "cb32e6158556ebb7"


@pytest.mark.parametrize("weight", [1, 2, 10, 31, 32, 33, 60, 1000, 10**6, 3 * 10**8, 10**15, 2**62 - 1])
def test_of_the_rows_that_a_row_stands_for_each_is_drawn_once_or_not(weight: int) -> None:
    rows, share = 100_000, 1 - np.exp(-1)
    drawn = drawn_weights(11, np.full(rows, weight))
    assert ((drawn >= 0) & (drawn <= weight)).all()
    mean, spread = weight * share, np.sqrt(weight * share * (1 - share))
    assert abs(np.mean((drawn - mean) / spread)) < 4 / np.sqrt(rows)
    # The binomial distribution; where it is too wide for SciPy, the normal one it then is.
    exact = stats.binom(weight, share).cdf if weight < 10**12 else stats.norm(mean, spread).cdf
    cuts = np.unique(np.floor(mean + spread * stats.norm.ppf(np.linspace(0.01, 0.99, 30))))
    expected = np.diff(np.concatenate([[0.0], exact(cuts), [1.0]])) * rows
    observed = np.bincount(np.searchsorted(cuts, drawn), minlength=len(cuts) + 1)
    kept = expected > 5
    assert stats.chi2.sf(np.sum((observed - expected)[kept] ** 2 / expected[kept]), kept.sum()) > 1e-4


def test_neighboring_rows_and_seeds_are_drawn_independently() -> None:
    for weight in (5, 1000):
        one, other = (drawn_weights(seed, np.full(100_000, weight)) for seed in (1, 2))
        assert abs(np.corrcoef(one, other)[0, 1]) < 0.015
        assert abs(np.corrcoef(one[1:], one[:-1])[0, 1]) < 0.015


def frequencies(scale: int) -> dict[str, list[int]]:
    return {"x": [0, 0, 1, 1], "y": [0, 1, 0, 1], "count": [3 * scale, 2 * scale, 2 * scale, 3 * scale]}


@pytest.mark.parametrize("backend", ["memory", "stream"])
def test_time_does_not_grow_with_the_weights(backend: str) -> None:
    """Ten samples of 10¹⁶ rows: row by row they would take years."""
    data = frequencies(10**15)
    table = bitsep.Table(data, weights="count") if backend == "memory" else bitsep.scan(pa.table(data), weights="count")
    found = bitsep.pc_stable(table, bootstrap=10, seed=1)
    assert found.support[frozenset(("x", "y"))].edge == 1.0


def test_a_sample_of_large_weights_has_about_the_share_of_their_sum() -> None:
    engine = open_engine(bitsep.Table(frequencies(10**8), weights="count"))
    for seed in range(5):
        assert abs(engine.resampled(seed).n - (1 - np.exp(-1)) * 10**9) < 6 * 10**4.5


def test_backends_draw_the_same_sample_of_any_weights(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    data = pa.table(
        {
            **{name: rng.integers(0, 3, 1000) for name in "abc"},
            "w": np.where(rng.random(1000) < 0.1, 0, 10 ** rng.integers(0, 9, 1000)),
        }
    )
    expected = bitsep.pc_stable(bitsep.Table(data, weights="w"), bootstrap=3, seed=5).to_json()
    assert bitsep.pc_stable(bitsep.scan(data, weights="w"), bootstrap=3, seed=5).to_json() == expected
    small = bitsep.scan(data, weights="w", memory="200KB")
    assert bitsep.pc_stable(small, bootstrap=3, seed=5).to_json() == expected


@pytest.mark.parametrize("search", ["pc_stable", "boss", "hill_climb"])
def test_samples_searched_at_once_give_the_same_as_one_after_the_other(
    search: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = bitsep.Table(bitsep.load_network("asia").sample(300, seed=1))
    find = getattr(bitsep, search)
    at_once = find(table, bootstrap=12, seed=3, threads=3).to_json()
    assert find(table, bootstrap=12, seed=3, threads=1).to_json() == at_once
    monkeypatch.setattr("bitsep.counting.resample._MAX_SMALL_CELLS", 0)  # as for a large table
    assert find(table, bootstrap=12, seed=3, threads=3).to_json() == at_once


def test_an_error_in_a_sample_is_raised() -> None:
    def fail(engine: object) -> object:
        raise ValueError("no")

    engine = open_engine(bitsep.Table(bitsep.load_network("asia").sample(300, seed=1)), threads=3)
    with pytest.raises(ValueError, match="no"):
        list(each_sample(engine, 10, 0, fail, SILENT))


def test_weights_whose_sample_might_be_too_large_are_refused() -> None:
    data = {"x": [0, 1], "y": [0, 1], "w": [2**55, 2**54]}
    with pytest.raises(ArgumentError, match=r"bootstrap: the weights must sum to at most 2\^55, got \d+"):
        bitsep.pc_stable(bitsep.Table(data, weights="w"), bootstrap=1)
