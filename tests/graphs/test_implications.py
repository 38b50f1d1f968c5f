"""The independences that a DAG implies: they hold, their sets are minimal, and none is left out."""

from __future__ import annotations

import random
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from bitsep.graphs import DAG, MAG, random_dag
from bitsep.graphs.implications import (
    implied_by_mag,
    implied_independences,
    separators_without_edges,
    separators_without_edges_of_mag,
)
from bitsep.networks import load_network
from discovery.hidden_cases import marks, random_case
from twins import pags

dags = st.builds(
    lambda n, mean, seed: random_dag(n, mean_degree=mean, seed=seed),
    st.integers(2, 9),
    st.sampled_from([1.0, 2.0, 3.0]),
    st.integers(0, 10_000),
)


def is_minimal_separator(dag: DAG, x: object, y: object, chosen: list[object]) -> bool:
    if not dag.d_separated(x, y, given=chosen):
        return False
    subsets = (some for size in range(len(chosen)) for some in combinations(chosen, size))
    return not any(dag.d_separated(x, y, given=some) for some in subsets)


@settings(deadline=None, max_examples=150)
@given(dags)
def test_every_pair_without_an_edge_has_a_minimal_separator(dag: DAG) -> None:
    names = dag.variables
    found = list(implied_independences(dag._marks, [2] * len(names)))
    assert [(x, y) for x, y, _ in found] == [
        (x, y) for x, y in combinations(range(len(names)), 2) if not dag.adjacent(names[x], names[y])
    ]
    for x, y, chosen in found:
        assert is_minimal_separator(dag, names[x], names[y], [names[z] for z in chosen])


@settings(deadline=None, max_examples=100)
@given(dags)
def test_every_edge_has_a_separator_in_the_graph_without_it(dag: DAG) -> None:
    names = dag.variables
    found = list(separators_without_edges(dag._marks, [2] * len(names)))
    pairs = combinations(range(len(names)), 2)
    assert [(x, y) for x, y, _ in found] == [(x, y) for x, y in pairs if dag.adjacent(names[x], names[y])]
    for x, y, chosen in found:
        rest = DAG(names, [edge for edge in dag.edges if set(edge) != {names[x], names[y]}])
        assert is_minimal_separator(rest, names[x], names[y], [names[z] for z in chosen])


def test_the_set_with_fewer_combinations_of_levels_is_taken() -> None:
    # a → b → c → d: b and c both separate a and d
    dag = DAG(["a", "b", "c", "d"], [("a", "b"), ("b", "c"), ("c", "d")])
    for sizes, expected in [((2, 2, 2, 2), (1,)), ((2, 3, 2, 2), (2,)), ((2, 2, 3, 2), (1,))]:
        found = {(x, y): chosen for x, y, chosen in implied_independences(dag._marks, sizes)}
        assert found[0, 3] == expected


def test_a_large_network() -> None:
    dag = load_network("hepar2").dag
    found = list(implied_independences(dag._marks, [2] * len(dag.variables)))
    assert len(found) == 70 * 69 // 2 - 123


def test_statements_of_a_mag_hold_and_are_minimal() -> None:
    rng = random.Random(3)
    for _ in range(150):
        dag, hidden, selection = random_case(rng, 7)
        mag = dag.mag(hidden, selection)
        names = mag.variables
        found = list(implied_by_mag(mag._marks, [2] * len(names)))
        assert len(found) == len(names) * (len(names) - 1) // 2 - len(mag.skeleton)
        for x, y, chosen in found:
            members = [names[v] for v in chosen]
            assert mag.m_separated(names[x], names[y], members)
            for member in members:
                assert not mag.m_separated(names[x], names[y], [other for other in members if other != member])


def test_every_edge_of_a_mag_has_a_separator_without_it_or_none_exists() -> None:
    rng = random.Random(4)
    cases = [random_case(rng, 6) for _ in range(100)]
    # Without A ↔ D nothing separates A and D: B and C are colliders, and B → D and C → A.
    edges = [("A", "<->", "B"), ("B", "<->", "C"), ("C", "<->", "D"), ("B", "->", "D"), ("C", "->", "A")]
    inducing = MAG(list("ABCD"), [*edges, ("A", "<->", "D")])
    without = 0
    for mag in [inducing, *(dag.mag(hidden, selection) for dag, hidden, selection in cases)]:
        names = mag.variables
        found = list(separators_without_edges_of_mag(mag._marks, [2] * len(names)))
        assert {frozenset((names[x], names[y])) for x, y, _ in found} == mag.skeleton
        for x, y, chosen in found:
            rest = {ends: mark for ends, mark in marks(mag).items() if set(ends) != {names[x], names[y]}}
            others = [name for name in names if name not in (names[x], names[y])]
            separators = [given for given in pags.subsets(others) if pags.separated(rest, names[x], names[y], given)]
            given = frozenset(names[v] for v in chosen)
            if separators:
                assert given in separators
                assert not any(given > other for other in separators)
            else:
                assert chosen == ()
                without += 1
    assert without == 1
