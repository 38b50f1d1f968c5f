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
from bitsep.counting.resample import bootstrap_weights, resampled_weights
from bitsep.errors import ArgumentError
from bitsep.independence import open_engine

WEIGHTS = st.one_of(st.integers(0, 40), st.integers(0, 2**40))


@given(st.lists(WEIGHTS, max_size=30), st.integers(0, 2**40), st.integers(0, 2**63))
def test_drawn_weights_do_not_depend_on_the_pieces(weights: list[int], start: int, seed: int) -> None:
    whole = resampled_weights(seed, np.array(weights, np.int64), start)
    for row, weight in enumerate(weights):
        assert resampled_weights(seed, np.array([weight]), start + row).tolist() == [whole[row]]


@given(st.integers(0, 2**63), st.integers(0, 2**40))
def test_rows_of_weight_one_are_drawn_like_rows_without_weights(seed: int, start: int) -> None:
    ones = np.ones(100, np.int64)
    assert resampled_weights(seed, ones, start).tolist() == bootstrap_weights(seed, start, 100).tolist()


def test_samples_without_weights_stay_the_same() -> None:
    # Computed when every row was drawn by itself, before rows with weights were drawn at once.
    drawn = bootstrap_weights(7, 1000, 100_000)
    assert drawn[:20].tolist() == [0, 0, 3, 1, 2, 0, 0, 1, 2, 3, 1, 0, 0, 1, 0, 1, 1, 1, 3, 2]
    assert hashlib.blake2b(drawn.astype("<i8").tobytes(), digest_size=8).hexdigest() == "d86e73d97e4794ad"


@pytest.mark.parametrize("weight", [1, 2, 10, 31, 32, 33, 60, 1000, 10**6, 3 * 10**8, 10**15, 2**62 - 1])
def test_a_row_is_drawn_as_often_as_the_rows_it_stands_for(weight: int) -> None:
    rows = 100_000
    drawn = resampled_weights(11, np.full(rows, weight))
    assert (drawn >= 0).all()
    spread = np.sqrt(weight)
    assert abs(np.mean((drawn - weight) / spread)) < 4 / np.sqrt(rows)
    # The Poisson distribution; where it is too wide for SciPy, the normal one it then is.
    exact = stats.poisson(weight).cdf if weight < 10**12 else stats.norm(weight, spread).cdf
    cuts = np.unique(np.floor(weight + spread * stats.norm.ppf(np.linspace(0.01, 0.99, 30))))
    expected = np.diff(np.concatenate([[0.0], exact(cuts), [1.0]])) * rows
    observed = np.bincount(np.searchsorted(cuts, drawn), minlength=len(cuts) + 1)
    kept = expected > 5
    assert stats.chi2.sf(np.sum((observed - expected)[kept] ** 2 / expected[kept]), kept.sum()) > 1e-4


def test_neighboring_rows_and_seeds_are_drawn_independently() -> None:
    for weight in (5, 1000):
        one, other = (resampled_weights(seed, np.full(100_000, weight)) for seed in (1, 2))
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


def test_a_sample_of_large_weights_has_about_their_sum() -> None:
    engine = open_engine(bitsep.Table(frequencies(10**8), weights="count"))
    for seed in range(5):
        assert abs(engine.resampled(seed).n - 10**9) < 6 * 10**4.5


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


def test_weights_whose_sample_might_be_too_large_are_refused() -> None:
    data = {"x": [0, 1], "y": [0, 1], "w": [2**55, 2**54]}
    with pytest.raises(ArgumentError, match=r"bootstrap: the weights must sum to at most 2\^55, got \d+"):
        bitsep.pc_stable(bitsep.Table(data, weights="w"), bootstrap=1)
