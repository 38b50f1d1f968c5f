"""DAG and PDAG as values: what they hold, what they refuse, how they print."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given, settings

from bitsep.errors import ArgumentError, BitsepError, UnknownColumnError, UnsupportedTypeError
from bitsep.graphs import DAG, PDAG, random_dag
from graphs.naive import colliders, dags, fixed, is_acyclic

CHAIN = DAG(["C", "A", "B"], [("A", "B"), ("B", "C")])


def test_variables_are_in_canonical_order() -> None:
    assert DAG(["b", 10, "a", 9]).variables == (9, 10, "a", "b")
    assert PDAG(["1.5", 1.5]).variables == PDAG([1.5, "1.5"]).variables


def test_equal_by_value_and_hashable() -> None:
    other = DAG(["A", "B", "C"], [("B", "C"), ("A", "B")])
    assert other == CHAIN
    assert hash(other) == hash(CHAIN)
    assert DAG(["A", "B", "C"], [("B", "C")]) != CHAIN
    assert len({PDAG(["A", "B"], undirected=[("A", "B")]), PDAG(["B", "A"], undirected=[{"B", "A"}])}) == 1
    assert PDAG(["A"]) != DAG(["A"])
    assert CHAIN != "CHAIN"
    assert DAG([1, 2], [(1, 2)]) != DAG(["1", "2"], [("1", "2")])


@pytest.mark.parametrize("graph", [CHAIN, PDAG(["A", "B", 3], [("A", "B")], [("B", 3)])], ids=["dag", "pdag"])
def test_pickle_and_copy(graph: DAG | PDAG) -> None:
    assert pickle.loads(pickle.dumps(graph)) == graph
    assert copy.deepcopy(graph) == graph


def test_frozen() -> None:
    with pytest.raises(AttributeError, match="frozen"):
        CHAIN.variables = ()  # type: ignore[misc]
    with pytest.raises(AttributeError, match="frozen"):
        del CHAIN.variables


def test_questions_of_a_pdag() -> None:
    g = PDAG(["A", "B", "C", "D"], [("A", "C"), ("B", "C")], [("A", "D")])
    assert g.directed == {("A", "C"), ("B", "C")}
    assert g.undirected == {frozenset("AD")}
    assert g.skeleton == {frozenset("AC"), frozenset("BC"), frozenset("AD")}
    assert (g.parents("C"), g.children("A"), g.neighbors("A")) == ({"A", "B"}, {"C"}, {"C", "D"})
    assert g.undirected_neighbors("A") == {"D"}
    assert g.adjacent("D", "A")
    assert not g.adjacent("A", "B")
    assert g.v_structures == {("A", "C", "B")}
    assert g.adjacency().astype(int).tolist() == [[0, 0, 1, 1], [0, 0, 1, 0], [0, 0, 0, 0], [1, 0, 0, 0]]


def test_questions_of_a_dag() -> None:
    g = DAG(["A", "B", "C", "D", "E"], [("A", "C"), ("B", "C"), ("C", "D")])
    assert g.ancestors("D") == {"A", "B", "C"}
    assert g.descendants("A") == {"C", "D"}
    assert g.markov_blanket("A") == {"B", "C"}
    assert g.markov_blanket("E") == frozenset()
    assert g.topological_order == ("A", "B", "C", "D", "E")
    assert DAG(["C", "B", "A"], [("B", "A")]).topological_order == ("B", "A", "C")


@given(dags())
@settings(fixed)
def test_orders_and_families_fit_together(dag: DAG) -> None:
    place = {v: i for i, v in enumerate(dag.topological_order)}
    assert all(place[a] < place[b] for a, b in dag.edges)
    for v in dag.variables:
        assert dag.parents(v) <= dag.ancestors(v)
        assert all(v in dag.descendants(u) for u in dag.ancestors(v))
        assert all(v in dag.markov_blanket(u) for u in dag.markov_blanket(v))
    expected = {(min(ends), c, max(ends)) for c, ends in colliders(dag.variables, dag.edges)}
    assert dag.v_structures == expected


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: DAG(["A", "B"], [("A", "A")]), ArgumentError, "itself"),
        (lambda: PDAG(["A", "B"], undirected=[{"A"}]), ArgumentError, "itself"),
        (
            lambda: DAG(["A", "B"], [("A", "B"), ("A", "B")]),
            ArgumentError,
            "each pair can have one edge, got 'A' → 'B'",
        ),
        (lambda: PDAG(["A", "B"], [("A", "B")], [("B", "A")]), ArgumentError, "each pair can have one edge"),
        (lambda: DAG(["A", "B"], [("A", "B"), ("B", "A")]), ArgumentError, "each pair can have one edge"),
        (lambda: DAG(list("ABC"), ["AB", ("B", "C")]), UnsupportedTypeError, "pair of names"),
        (lambda: DAG(list("ABC"), [("A", "B"), ("B", "C"), ("C", "A")]), ArgumentError, "'A' → 'B' → 'C' → 'A'"),
        (lambda: PDAG(list("ABCD"), [("A", "B"), ("B", "C"), ("C", "A")], ["D"]), UnsupportedTypeError, "pair"),
        (lambda: PDAG(list("ABC"), [("A", "B"), ("B", "C"), ("C", "A")]), ArgumentError, "directed cycle"),
        (lambda: DAG(["smoke", "lung"], [("smoek", "lung")]), UnknownColumnError, "Did you mean 'smoke'"),
        (lambda: DAG(["A", "B"], [("A", "B", "A")]), ArgumentError, "got 3 in"),
        (lambda: DAG(["A", "B"], [3]), UnsupportedTypeError, "pair of names"),  # type: ignore[list-item]
        (lambda: DAG(["A", "A"]), ArgumentError, "twice"),
        (lambda: DAG("AB"), UnsupportedTypeError, "list of names"),
        (lambda: DAG(3), UnsupportedTypeError, "list of names"),  # type: ignore[arg-type]
        (lambda: DAG([["A"]]), UnsupportedTypeError, "name"),
        (lambda: CHAIN.parents("Z"), UnknownColumnError, "no variable 'Z'"),
        (lambda: CHAIN.parents(["A"]), UnknownColumnError, "no variable"),
        (lambda: CHAIN.adjacent("A", "Z"), UnknownColumnError, "no variable 'Z'"),
    ],
)
def test_refused(make: object, error: type[BitsepError], words: str) -> None:
    with pytest.raises(error, match=words):
        make()  # type: ignore[operator]


def test_numpy_integers_are_plain_names() -> None:
    g = DAG(np.arange(3), [(np.int64(0), np.int32(2))])
    assert g == DAG([0, 1, 2], [(0, 2)])
    assert all(type(v) is int for v in g.variables)
    assert g.parents(np.int64(2)) == {0}


def test_repr_is_short_and_complete() -> None:
    assert repr(CHAIN) == "DAG(3 variables, 2 edges: 'A' → 'B', 'B' → 'C')"
    assert repr(PDAG([1, "1"], undirected=[(1, "1")])) == "PDAG(2 variables, 1 edge: 1 — '1')"
    assert repr(DAG([])) == "DAG(0 variables, 0 edges)"
    big = random_dag(50, mean_degree=6, seed=1)
    assert "more)" in repr(big)
    assert len(repr(big)) < 400


def test_html_escapes_names() -> None:
    html = DAG(["<script>", "b&c", "alone"], [("<script>", "b&c")])._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    assert "alone" in html


def test_random_dag() -> None:
    g = random_dag(200, mean_degree=4, seed=3)
    assert g == random_dag(200, mean_degree=4, seed=3)
    assert g != random_dag(200, mean_degree=4, seed=4)
    assert 330 < len(g.edges) < 470
    assert is_acyclic(g.variables, g.edges)  # type: ignore[arg-type]
    assert len(random_dag(5, mean_degree=99).edges) == 10
    assert random_dag(["a", "b"], mean_degree=0).edges == frozenset()
    assert random_dag(0).variables == ()
    for bad in ({"variables": -1}, {"variables": 3, "seed": -1}, {"variables": 3, "mean_degree": float("nan")}):
        with pytest.raises(ArgumentError):
            random_dag(**bad)  # type: ignore[arg-type]
