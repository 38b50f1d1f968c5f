"""The tables that passes fill, against counting row by row."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitsep.counting.partial import Partial, PassPlan
from bitsep.counting.tally import KeyLayout, Tally
from bitsep.data.budget import Budget, readable
from bitsep.data.store import ChunkStore


@st.composite
def tables(draw: Any) -> tuple[list[np.ndarray], list[int], np.ndarray | None]:
    """Codes with missing values, domain sizes, perhaps weights."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=2, max_size=5))
    rows = draw(st.integers(0, 40))
    codes = [np.array(draw(st.lists(st.integers(-1, k - 1), min_size=rows, max_size=rows)), np.int8) for k in sizes]
    weights = draw(st.none() | st.lists(st.integers(0, 5), min_size=rows, max_size=rows))
    return codes, sizes, None if weights is None else np.array(weights, np.int64)


def by_hand(codes: list[np.ndarray], weights: np.ndarray | None, order: list[int]) -> dict[tuple[int, ...], int]:
    """Textbook: one row after the other."""
    found: Counter[tuple[int, ...]] = Counter()
    for row in range(len(codes[0])):
        cell = tuple(int(codes[v][row]) for v in order)
        if min(cell) >= 0:
            found[cell] += 1 if weights is None else int(weights[row])
    return {cell: count for cell, count in found.items() if count}


@given(tables(), st.booleans(), st.randoms(use_true_random=False))
def test_pieces_add_up(table: Any, dense: bool, random: Any) -> None:
    codes, sizes, weights = table
    variables = tuple(range(len(sizes)))
    plan = PassPlan((variables,), tuple(sizes), (dense,))
    partial = Partial(plan, 1 << 20)
    rows = len(codes[0])
    cuts = sorted({0, rows, *(random.randint(0, rows) for _ in range(3))})
    for begin, end in pairwise(cuts):
        piece = slice(begin, end)
        partial.add(
            [np.ascontiguousarray(c[piece]) for c in codes], end - begin, None if weights is None else weights[piece]
        )
    [joint] = partial.joint_counts()
    order = list(variables)
    random.shuffle(order)
    *given_variables, x, y = order
    counts = joint.counts(x, y, given_variables)
    counts = counts.sparse() if dense else counts
    ordered = [*sorted(given_variables), x, y]
    expected = by_hand(codes, weights, ordered)
    cells = sorted(expected)
    strata = {z: i for i, z in enumerate(sorted({cell[:-2] for cell in cells}))}
    occupied = counts.count > 0  # rows of weight 0 may leave a cell behind that counts nothing
    assert counts.count[occupied].tolist() == [expected[cell] for cell in cells]
    assert counts.x[occupied].tolist() == [cell[-2] for cell in cells]
    assert counts.y[occupied].tolist() == [cell[-1] for cell in cells]
    if occupied.all():
        assert counts.stratum.tolist() == [strata[cell[:-2]] for cell in cells]
    assert counts.kz_product == float(np.prod([sizes[v] for v in ordered[:-2]]))


def test_keys_of_any_size() -> None:
    """Products far beyond 2**62 spread over several words; order stays lexicographic."""
    sizes = [10**6] * 6 + [3, 10**6]
    layout = KeyLayout(sizes)
    assert layout.words == 3
    rows = [[0, size - 1] for size in sizes]
    codes = [np.array(column, np.int32) for column in zip(*product(*rows), strict=True)]
    keys = layout.keys(codes)
    assert (keys >= 0).all()
    assert all((a == b).all() for a, b in zip(layout.codes(keys), codes, strict=True))
    assert np.lexsort(keys[::-1]).tolist() == list(range(keys.shape[1]))
    tally = Tally(tuple(range(8)), sizes)
    for _ in range(3):
        tally.add(codes, None)
    joint = tally.joint()
    assert joint.count.tolist() == [3] * 256
    assert joint.counts(0, 1, [2, 3, 4, 5, 6, 7]).kz == 64


@pytest.mark.parametrize("keep", [0, 100, 10**9])
def test_chunks_come_back(keep: int) -> None:
    draw = np.random.default_rng(1)
    store = ChunkStore(10, keep)
    batches = []
    for rows, kind in ((3, np.int8), (17, np.int16), (1, np.int8), (0, np.int8), (25, np.int32)):
        codes = [draw.integers(-1, 5, rows).astype(kind), draw.integers(-1, 5, rows).astype(np.int8)]
        weights = draw.integers(1, 9, rows)
        batches.append((codes, weights))
        store.append(codes, weights)
    store.finish()
    assert store.spilled == (keep < 10**9)
    assert [chunk.rows for chunk in store.chunks] == [10, 10, 10, 10, 6]
    for column in (0, 1):
        found = np.concatenate([store.columns(chunk, [column])[0] for chunk in store.chunks])
        assert found.tolist() == np.concatenate([codes[column] for codes, _ in batches]).tolist()
    weights = np.concatenate([weights for _, weights in batches])
    read = [store.weights(chunk) for chunk in store.chunks]
    assert np.concatenate([part for part in read if part is not None]).tolist() == weights.tolist()
    assert store.weight == weights.sum()
    assert [chunk.first_row for chunk in store.chunks] == [0, 10, 20, 30, 40]
    store.close()


@given(st.integers(1, 10**13))
def test_amounts_of_memory_read_back(size: int) -> None:
    assert Budget.of(readable(size)).total >= size
