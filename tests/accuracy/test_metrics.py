"""The figures of a run."""

from __future__ import annotations

import pytest
from hypothesis import given

from accuracy import metrics
from accuracy.metrics import cpdag_f1, measure, measure_sid
from bitsep import DAG, PDAG
from bitsep.graphs import compare, random_dag
from graphs.naive import dags, fixed

TRUTH = DAG(["a", "b", "c", "d"], [("a", "c"), ("b", "c"), ("c", "d")])


def by_pairs(found: PDAG, truth: PDAG) -> float:
    """The F1 of the issue, pair by pair."""
    hits = wrong = lost = 0
    for pair in found.skeleton | truth.skeleton:
        a, b = sorted(pair)
        marks = [
            ("—" if pair in g.undirected else "→" if (a, b) in g.directed else "←" if (b, a) in g.directed else None)
            for g in (found, truth)
        ]
        hits += marks[0] == marks[1]
        wrong += marks[0] is not None and marks[0] != marks[1]
        lost += marks[1] is not None and marks[0] != marks[1]
    return 2 * hits / (2 * hits + wrong + lost) if hits + wrong + lost else 1.0


@fixed
@given(dags(5, 5), dags(5, 5))
def test_cpdag_f1_by_definition(estimate: DAG, truth: DAG) -> None:
    found, fact = estimate.cpdag(), truth.cpdag()
    assert cpdag_f1(found, fact) == pytest.approx(by_pairs(found, fact))


def test_cpdag_f1_of_examples() -> None:
    fact = TRUTH.cpdag()
    assert cpdag_f1(fact, fact) == 1.0
    assert cpdag_f1(PDAG([*"abcd"]), fact) == 0.0
    assert cpdag_f1(PDAG([*"abcd"]), PDAG([*"abcd"])) == 1.0
    undirected = PDAG([*"abcd"], directed=[("a", "c"), ("b", "c")], undirected=[("c", "d")])
    assert cpdag_f1(undirected, fact) == pytest.approx(2 / 3)  # two true positives, one false positive and negative


def test_a_dag_is_measured_by_its_cpdag() -> None:
    estimate = DAG(["a", "b", "c", "d"], [("a", "b"), ("b", "c")])
    figures = measure(estimate, TRUTH) | measure_sid(estimate, TRUTH)
    assert figures == measure(estimate.cpdag(), TRUTH) | measure_sid(estimate.cpdag(), TRUTH)
    comparison = compare(estimate.cpdag(), TRUTH)
    assert figures["shd"] == comparison.shd
    assert figures["skeleton_f1"] == comparison.f1
    assert figures["arrow_f1"] == comparison.arrow_f1
    assert (figures["sid_lower"], figures["sid_upper"]) == (comparison.sid.lower, comparison.sid.upper)
    assert comparison.sid.lower < comparison.sid.upper  # otherwise the example would not tell a DAG from its CPDAG


def test_large_graphs_have_no_sid() -> None:
    limit = metrics.MAX_SID_VARIABLES
    small, large = random_dag(limit, mean_degree=1, seed=1), random_dag(limit + 1, mean_degree=1, seed=1)
    assert measure_sid(small, small)["sid_lower"] == 0
    assert measure_sid(large, large) == {}
    assert measure(large, large)["shd"] == 0


def test_variables_that_a_search_left_out_have_no_edges() -> None:
    truth = DAG([*"abc"], [("a", "b"), ("b", "c")])
    assert measure(PDAG([*"ab"], undirected=[("a", "b")]), truth)["shd"] == 1
    assert measure_sid(PDAG([*"ab"]), truth) == measure_sid(PDAG([*"abc"]), truth)
