"""The native oracle against its slow twin, task by task."""

from __future__ import annotations

import random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from bitsep import DAG, Oracle
from bitsep.independence import open_engine
from bitsep.independence.engines.base import Queries, Ragged, Tasks
from discovery.python_engine import DSeparation


def random_dag_and_rng(seed: int) -> tuple[DAG, random.Random]:
    rng = random.Random(seed)
    n = rng.randint(2, 8)
    names = [f"V{i}" for i in range(n)]
    rng.shuffle(names)
    edges = [(names[i], names[j]) for i in range(n) for j in range(i + 1, n) if rng.random() < 0.35]
    return DAG(names, edges), rng


@given(st.integers(0, 10**9))
@settings(max_examples=200, deadline=None)
def test_searches_agree(seed: int) -> None:
    dag, rng = random_dag_and_rng(seed)
    n = len(dag.variables)
    rows = []
    for _ in range(12):
        x, y = sorted(rng.sample(range(n), 2))
        others = [v for v in range(n) if v not in (x, y)]
        always = sorted(v for v in others if rng.random() < 0.2)
        free = [v for v in others if v not in always]
        pools = [sorted(v for v in free if rng.random() < 0.6) for _ in range(2)]
        rows.append((x, y, *pools, always))
    low = rng.randint(0, 2)
    tasks = Tasks(
        np.array([r[0] for r in rows], np.int32),
        np.array([r[1] for r in rows], np.int32),
        Ragged.of(r[2] for r in rows),
        Ragged.of(r[3] for r in rows) if rng.random() < 0.7 else None,
        Ragged.of(r[4] for r in rows) if rng.random() < 0.7 else None,
        min_size=low,
        max_size=low + rng.randint(0, 3),
        stop=rng.choice(["first", "never"]),
    )
    fast = open_engine(Oracle(dag)).separate(tasks)
    slow = DSeparation(dag.variables, dag.edges).separate(tasks)
    np.testing.assert_array_equal(fast.separated, slow.separated)
    np.testing.assert_array_equal(fast.tests, slow.tests)
    np.testing.assert_array_equal(fast.has_runner_up, slow.has_runner_up)
    np.testing.assert_array_equal(fast.record["score_bits"], slow.record["score_bits"])
    for i in range(len(rows)):
        if slow.tests[i]:
            assert tuple(sorted(fast.given[i])) == slow.given[i]
        if slow.has_runner_up[i]:
            assert tuple(sorted(fast.runner_up[i])) == slow.runner_up[i]
            assert fast.runner_up_record["score_bits"][i] == slow.runner_up_record["score_bits"][i]


@given(st.integers(0, 10**9))
@settings(max_examples=100, deadline=None)
def test_single_tests_agree(seed: int) -> None:
    dag, rng = random_dag_and_rng(seed)
    n = len(dag.variables)
    pairs = [sorted(rng.sample(range(n), 2)) for _ in range(20)]
    given = [[v for v in range(n) if v not in pair and rng.random() < 0.4] for pair in pairs]
    columns = np.ascontiguousarray(np.array(pairs, np.int32).T)
    queries = Queries(columns[0], columns[1], Ragged.of(given))
    fast = open_engine(Oracle(dag)).evaluate(queries)
    slow = DSeparation(dag.variables, dag.edges).evaluate(queries)
    np.testing.assert_array_equal(fast["score_bits"], slow["score_bits"])
    np.testing.assert_array_equal(fast["independent"], slow["independent"])
