"""What a skeleton search asks, and what it makes of the answers, beside the textbook's way to write it down."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitsep import DAG, Oracle, Table, pc_stable
from bitsep._native import SkeletonSearch
from bitsep.independence import open_engine
from bitsep.independence.engines.base import RECORD, Found, Ragged
from bitsep.independence.engines.skeleton import SkeletonQuery, pairs_of
from discovery.python_engine import DSeparation
from discovery.wrapped_engine import WrappedEngine


class Whimsical:
    """An engine that separates whom it likes, but always alike: by sets drawn from the pools."""

    def __init__(self, n, share, seed):
        self.variables = tuple(range(n))
        self._share = share
        self._seed = seed

    def separate(self, tasks, progress=None):
        answers = [
            whim(self._seed, self._share, int(x), int(y), tasks.first[i] if tasks.second is None else
                 tasks.first[i] + tasks.second[i], tasks.max_size)
            for i, (x, y) in enumerate(zip(tasks.x, tasks.y, strict=True))
        ]  # fmt: skip
        record = np.zeros(len(answers), RECORD)
        return Found(
            np.array([separated for separated, _ in answers]),
            Ragged.of([separator for _, separator in answers]),
            record,
            np.zeros(len(answers), bool),
            Ragged.empty(len(answers)),
            record,
            np.ones(len(answers), np.int64),
        )


def whim(seed, share, x, y, pool, size):
    """Whether a pair is separated given sets of a size, and by which."""
    rng = np.random.default_rng([seed, x, y, size])
    members = sorted(set(pool))
    separator = tuple(sorted(rng.choice(members, size, replace=False).tolist())) if size else ()
    return bool(rng.random() < share), separator


def textbook(n, untested, excluded, not_parent, max_given, share, seed):
    """PC-stable as the paper tells it: for each size the neighbors are frozen, then every pair is tried."""
    adjacent = {(x, y) for x in range(n) for y in range(n) if x != y and not excluded[x, y]}
    separators, asked = {}, []
    for size in range(max_given + 1):
        members = {x: [z for z in range(n) if (x, z) in adjacent and not not_parent[z, x]] for x in range(n)}
        for x, y in combinations(range(n), 2):
            if (x, y) not in adjacent or untested[x, y]:
                continue
            first = tuple(z for z in members[x] if z != y) if size else ()
            second = tuple(z for z in members[y] if z != x) if size else ()
            if max(len(first), len(second)) < size:
                continue
            asked.append((size, x, y, first, second))
            separated, separator = whim(seed, share, x, y, first + second, size)
            if separated:
                separators[x, y] = separator
        adjacent -= {pair for x, y in separators for pair in ((x, y), (y, x))}
    colliders = [
        (a, c, b)
        for a, b in combinations(range(n), 2)
        for c in range(n)
        if (a, b) in separators and (a, c) in adjacent and (b, c) in adjacent and c not in separators[a, b]
    ]
    return adjacent, asked, colliders


@settings(max_examples=150, deadline=None)
@given(n=st.integers(1, 8), share=st.floats(0, 0.7), known=st.floats(0, 0.5), max_given=st.integers(0, 5),
       seed=st.integers(0, 10**6), most=st.sampled_from([1, 7, 1 << 24]))  # fmt: skip
def test_a_search_level_by_level(n, share, known, max_given, seed, most):
    rng = np.random.default_rng(seed)
    some = np.triu(rng.random((n, n)) < known, 1)
    untested = some | some.T
    excluded = untested & (rng.random((n, n)) < 0.5)
    excluded = np.triu(excluded, 1) | np.triu(excluded, 1).T
    not_parent = rng.random((n, n)) < known / 2
    questions = []

    def watch(tasks):
        for i, (x, y) in enumerate(zip(tasks.x.tolist(), tasks.y.tolist(), strict=True)):
            second = () if tasks.second is None else tasks.second[i]
            questions.append((tasks.max_size, x, y, tasks.first[i], second))

    engine = WrappedEngine(Whimsical(n, share, seed), watch)
    query = SkeletonQuery(max_given, untested & ~excluded, excluded, not_parent, max_pool_items=most)
    skeleton = engine.find_skeleton(query)
    adjacent, asked, colliders = textbook(n, untested, excluded, not_parent, max_given, share, seed)
    assert questions == asked
    assert set(zip(*(index.tolist() for index in np.nonzero(skeleton.adjacent)), strict=True)) == adjacent
    assert [tuple(row) for row in skeleton.colliders.tolist()] == colliders
    x, y = pairs_of(n)
    told = [(b.size, int(x[p]), int(y[p])) for b in skeleton.batches for p in b.pairs.tolist()]
    assert told == [question[:3] for question in asked]
    assert skeleton.tests == len(asked)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), stop=st.sampled_from(["first", "never"]))
def test_native_engines_search_as_all_others(seed, stop):
    """The search that stays in native code, and the one that asks an engine in Python level by level."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 9))
    names = [f"V{i}" for i in range(n)]
    dag = DAG(names, [(names[i], names[j]) for i, j in combinations(range(n), 2) if rng.random() < 0.4])
    query = SkeletonQuery(stop=stop)
    native = open_engine(Oracle(dag)).find_skeleton(query)
    asked = DSeparation(dag.variables, dag.edges).find_skeleton(query)
    assert native.adjacent.tolist() == asked.adjacent.tolist()
    assert native.colliders.tolist() == asked.colliders.tolist()
    assert native.tests == asked.tests
    for one, other in zip(native.batches, asked.batches, strict=True):
        assert one.size == other.size
        assert one.pairs.tolist() == other.pairs.tolist()
        assert [one.found.given[i] for i in range(len(one.pairs))] == [
            tuple(sorted(other.found.given[i])) for i in range(len(other.pairs))
        ]


def test_answers_that_do_not_fit_are_refused():
    def search():
        return SkeletonSearch(3, None, None, None, None, 100, True)

    with pytest.raises(ValueError, match="nine arrays"):
        search().ask(lambda *question: (np.zeros(3, np.uint8),))
    with pytest.raises(ZeroDivisionError):
        search().ask(lambda *question: 1 // 0)
    with pytest.raises(ValueError, match="one row and one column per variable"):
        SkeletonSearch(3, np.zeros((2, 2), bool), None, None, None, 100, True)
    with pytest.raises(ValueError, match="over the variables of the source"):
        Oracle(DAG(["a", "b"], [("a", "b")])).native.search(None, search(), 1, None)


def test_an_engine_without_a_search_of_its_own_is_asked_size_by_size():
    asked = []
    inner = open_engine(Oracle(DAG(["a", "b", "c"], [("a", "b"), ("b", "c")])))
    engine = WrappedEngine(inner, lambda tasks: asked.append(tasks.max_size))
    assert engine.find_skeleton(SkeletonQuery(max_given=10**20)).tests > 0
    assert asked == [0, 1]


def test_a_search_within_a_search():
    """A progress callback may ask for another graph."""
    # Many levels are counted row by row: a millisecond a test or more, so that there is time for the callback.
    data = Table({f"v{i:02}": np.random.default_rng(i).integers(0, 40, 1_500_000, np.int8) for i in range(24)})
    small = Table({f"v{i}": np.random.default_rng(i).integers(0, 2, 50) for i in range(6)})
    inner = []
    nested = pc_stable(data, threads=1, progress=lambda *state: inner.append(pc_stable(small, threads=1).tests_run))
    assert inner
    assert nested.to_json() == pc_stable(data, threads=1).to_json()
