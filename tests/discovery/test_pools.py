"""The pools of a level beside the textbook's way to write them down."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from bitsep.discovery.skeleton import _level, pairs_of


def textbook(alive, pool, size):
    """For each pair: the members of x without y, and of y without x."""
    x, y = pairs_of(len(pool))
    for pair in alive.tolist():
        a, b = int(x[pair]), int(y[pair])
        first = tuple(v for v in range(len(pool)) if pool[a, v] and v != b)
        second = tuple(v for v in range(len(pool)) if pool[b, v] and v != a)
        if max(len(first), len(second)) >= size:
            yield pair, a, b, first, second


@settings(max_examples=100, deadline=None)
@given(n=st.integers(2, 9), share=st.floats(0, 1), size=st.integers(1, 4), seed=st.integers(0, 10**6),
       most=st.sampled_from([1, 7, 1 << 24]))  # fmt: skip
def test_pools_of_a_level(n, share, size, seed, most):
    rng = np.random.default_rng(seed)
    pool = rng.random((n, n)) < share
    np.fill_diagonal(pool, False)
    alive = np.flatnonzero(rng.random(n * (n - 1) // 2) < 0.7)
    found = [
        (pair, int(tasks.x[i]), int(tasks.y[i]), tasks.first[i], tasks.second[i])
        for pairs, tasks in _level(alive, pool, size, most)
        for i, pair in enumerate(pairs.tolist())
    ]
    assert found == list(textbook(alive, pool, size))
