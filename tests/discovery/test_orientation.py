"""Directions: contradictions between v-structures, cycles, ambiguous triples."""

from __future__ import annotations

import random
from itertools import combinations, product
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitsep import load_network, pc_stable
from bitsep.discovery.orientation import orient_edges
from bitsep.discovery.v_structures import OrientationRule, Triples, UndecidedTriple, decide_triples
from bitsep.graphs import orient
from bitsep.independence.engines.skeleton import SkeletonQuery
from bitsep.progress import SILENT
from discovery.python_engine import Scripted


def triples(*rows: tuple[int, int, int], undecided: tuple[UndecidedTriple, ...] = ()) -> Triples:
    return Triples(np.array(rows, np.int32).reshape(-1, 3), undecided, 0)


def adjacency(n: int, *edges: tuple[int, int]) -> np.ndarray:
    matrix = np.zeros((n, n), bool)
    for i, j in edges:
        matrix[i, j] = matrix[j, i] = True
    return matrix


def independent_given(*rules: tuple[str, str, str]) -> Scripted:
    """A — B independent exactly given the sets listed: ("A", "B", "CD")."""
    allowed = {(frozenset((a, b)), frozenset(z)) for a, b, z in rules}
    names = sorted({name for a, b, z in rules for name in (a, b, *z)})
    return Scripted(names, lambda a, b, z: -3.0 if (frozenset((a, b)), z) in allowed else 4.0)


def test_v_structures_that_contradict_each_other_leave_the_edge_open() -> None:
    # The path A - B - C - D with separators that make both B and C colliders.
    engine = independent_given(("A", "C", ""), ("B", "D", ""), ("A", "D", ""))
    found = pc_stable(engine, orientation="standard")
    assert found.graph.directed == {("A", "B"), ("D", "C")}
    assert found.graph.undirected == {frozenset("BC")}
    (conflict,) = found.conflicts
    assert (conflict.kind, conflict.edge) == ("v-structures", ("B", "C"))
    assert str(conflict.reason) == "B — C stays undirected: B → C ← D and A → B ← C contradict each other."
    assert str(conflict.reason) in found.explain("C", "B")
    assert str(conflict.reason) in str(found)
    with pytest.raises(AttributeError):
        conflict.kind = "cycle"  # type: ignore[misc]


def test_a_graph_may_stand_for_no_dag_without_a_conflict_and_its_explanations_say_nothing_else() -> None:
    found = pc_stable(load_network("child").sample(2000, seed=1), orientation="majority")
    assert found.graph.consistent_extension() is None
    assert found.conflicts == ()
    for a, b in map(sorted, found.graph.undirected):
        assert "fit the independences found equally well" not in found.explain(a, b)
    assert "no v-structure and no rule of orientation gives it one" in found.explain("CO2", "CO2Report")


def test_a_graph_may_stand_for_no_dag_with_nothing_in_conflict_or_doubt() -> None:
    # Neighbors in a ring of four prefer equal values: A and C are separated by B and D, B and D by A and C.
    levels = np.array(list(product((0, 1), repeat=4)))
    weights = np.exp(sum(levels[:, i] == levels[:, (i + 1) % 4] for i in range(4)))
    rows = levels[np.random.default_rng(1).choice(16, 5000, p=weights / weights.sum())]
    found = pc_stable(dict(zip("ABCD", rows.T, strict=True)), orientation="standard")
    assert found.graph.undirected == {frozenset(pair) for pair in ("AB", "BC", "CD", "AD")}
    assert found.graph.consistent_extension() is None
    assert found.conflicts == found.ambiguous == ()
    assert found.explain("A", "B").endswith("no v-structure and no rule of orientation gives it one.")


def test_both_directions_of_an_open_edge_fit_where_all_evidence_agrees() -> None:
    found = pc_stable(independent_given(("A", "C", "B")))  # A - B - C
    assert found.graph.is_cpdag
    assert "either direction fit the independences found equally well" in found.explain("A", "B")


def test_arrows_on_a_cycle_are_taken_back() -> None:
    # 0→1→2→3→0 by the colliders (0,1,4), (1,2,5), (2,3,6), (0? 3→0 with 7).
    edges = [(0, 1), (1, 2), (2, 3), (0, 3), (1, 4), (2, 5), (3, 6), (0, 7)]
    found = orient_edges(adjacency(8, *edges), triples((0, 1, 4), (1, 2, 5), (2, 3, 6), (3, 0, 7)), None)
    assert {c.edge for c in found.conflicts} == {(0, 1), (1, 2), (2, 3), (0, 3)}
    assert {c.kind for c in found.conflicts} == {"cycle"}
    assert set(found.marks.directed_pairs()) == {(4, 1), (5, 2), (6, 3), (7, 0)}


def test_rules_that_ask_for_both_directions_are_reported() -> None:
    # 4 -> 0 and 5 -> 1 (from colliders at 0 and 1), 0 - 1 unshielded on both sides: rule 1 wants 0 -> 1 and 1 -> 0.
    edges = [(0, 1), (0, 4), (0, 6), (1, 5), (1, 7)]
    found = orient_edges(adjacency(8, *edges), triples((4, 0, 6), (5, 1, 7)), None)
    assert [(c.kind, c.edge) for c in found.conflicts] == [("rules", (0, 1))]


def test_conservative_and_majority_count_all_separators() -> None:
    # A - C - B, with D - A and E - B: separators of A, B: {} , {C}, {C, D}, {C, E}: mostly with C.
    rules = [("A", "B", z) for z in ("", "C", "CD", "CE")]
    rules += [("A", "E", ""), ("B", "D", ""), ("D", "E", "")]
    rules += [("C", "D", z) for z in ("A", "AB")] + [("C", "E", z) for z in ("B", "AB")]
    engine = independent_given(*rules)
    standard = pc_stable(engine, orientation="standard")
    assert {("A", "C"), ("B", "C")} <= standard.graph.directed  # the first separator is {}
    majority = pc_stable(engine, orientation="majority")
    assert ("A", "C") not in majority.graph.directed
    conservative = pc_stable(engine, orientation="conservative")
    (triple,) = [t for t in conservative.ambiguous if t.center == "C"]
    assert (triple.a, triple.b, triple.holding, triple.lacking) == ("A", "B", 3, 1)
    assert str(triple.reason) == (
        "A — C — B may or may not be a v-structure; of the sets that separate A and B, 3 hold C and 1 do not."
    )
    assert "may or may not be a v-structure" in conservative.explain("A", "C")
    assert conservative.tests_run > standard.tests_run


@given(st.integers(0, 10**6), st.sampled_from([None, 1]), st.booleans())
@settings(max_examples=40, deadline=None, derandomize=True)
def test_triples_by_their_definition(seed: int, max_given: int | None, with_untested: bool) -> None:
    def score(a: object, b: object, given: frozenset[object]) -> float:
        return random.Random(f"{seed} {sorted((a, b))} {sorted(given)}").uniform(-1, 2)

    engine = Scripted("ABCDEF", score)
    chosen = np.triu(np.random.default_rng(seed).random((6, 6)) < 0.3, 1)
    nothing, excluded = (np.zeros((6, 6), np.bool_), chosen | chosen.T) if with_untested else (None, None)
    skeleton = engine.find_skeleton(SkeletonQuery(max_given, required=nothing, excluded=excluded))
    rules: tuple[OrientationRule, ...] = ("conservative", "majority")
    for rule in rules:
        colliders, undecided, tests = [], [], 0
        for a, b in combinations(range(6), 2):
            beside = [set(np.flatnonzero(skeleton.adjacent[v]).tolist()) for v in (a, b)]
            if b in beside[0] or not beside[0] & beside[1]:
                continue
            most = 6 if max_given is None else max_given
            sets = {
                frozenset(given) for pool in beside for k in range(most + 1) for given in combinations(sorted(pool), k)
            }
            if skeleton.untested is not None and skeleton.untested[a, b]:
                sets = set()
            tests += len(sets)
            separators = [given for given in sets if engine.score(a, b, given) <= 0]
            for c in sorted(beside[0] & beside[1]):
                holding = sum(c in given for given in separators)
                lacking = len(separators) - holding
                clear = holding != lacking if rule == "majority" else (holding == 0) != (lacking == 0)
                if not clear:
                    undecided.append(UndecidedTriple(a, c, b, holding, lacking))
                elif lacking > holding:
                    colliders.append((a, c, b))
        for per_call, calls in ((1 << 18, int(tests > 0)), (3, None)):
            before = engine.calls
            with mock.patch("bitsep.discovery.v_structures._TESTS_PER_CALL", per_call):
                found = decide_triples(engine, skeleton, rule, max_given, SILENT)
            assert [tuple(row) for row in found.colliders.tolist()] == sorted(colliders)
            assert list(found.undecided) == sorted(undecided, key=lambda triple: (triple.a, triple.c, triple.b))
            assert found.tests == tests
            assert calls is None or engine.calls - before == calls


def test_no_rule_leans_on_a_triple_in_doubt() -> None:
    # 0 -> 1 <- 3 certain, 1 - 2: rule 1 through (0, 1, 2) or (3, 1, 2).
    shape = adjacency(4, (0, 1), (1, 2), (1, 3))
    sure = orient_edges(shape, triples((0, 1, 3)), None)
    assert set(sure.marks.directed_pairs()) == {(0, 1), (3, 1), (1, 2)}
    one = orient_edges(shape, triples((0, 1, 3), undecided=(UndecidedTriple(0, 1, 2, 1, 1),)), None)
    assert set(one.marks.directed_pairs()) == {(0, 1), (3, 1), (1, 2)}  # (3, 1, 2) still stands
    both = orient_edges(
        shape, triples((0, 1, 3), undecided=(UndecidedTriple(0, 1, 2, 1, 1), UndecidedTriple(2, 1, 3, 1, 1))), None
    )
    assert set(both.marks.directed_pairs()) == {(0, 1), (3, 1)}


@given(st.integers(0, 10**6), st.integers(2, 7))
@settings(max_examples=200, deadline=None)
def test_contradictory_v_structures_as_in_the_graphs_package(seed: int, n: int) -> None:
    """Random v-structures, mostly contradictory: the graph is the one `orient` gives; a far doubt changes nothing."""
    rng = random.Random(seed)
    edges = [pair for pair in combinations(range(n), 2) if rng.random() < 0.5]
    shape = adjacency(n, *edges)
    open_triples = [
        (a, c, b)
        for a, b in combinations(range(n), 2)
        for c in range(n)
        if shape[a, c] and shape[b, c] and not shape[a, b]
    ]
    chosen = [t for t in open_triples if rng.random() < 0.5]
    found = orient_edges(shape, triples(*chosen), None)
    arrows = {arm for a, c, b in chosen for arm in ((a, c), (b, c))}
    lines = [(i, j) for i, j in edges if (i, j) not in arrows and (j, i) not in arrows]
    expected = orient(range(n), sorted(arrows), lines)
    assert set(found.marks.directed_pairs()) == expected.graph.directed
    assert {frozenset(c.edge) for c in found.conflicts} == expected.contested
    cautious = orient_edges(
        adjacency(n + 3, *edges, (n, n + 1), (n + 1, n + 2)),
        triples(*chosen, undecided=(UndecidedTriple(n, n + 1, n + 2, 1, 1),)),
        None,
    )
    assert set(cautious.marks.directed_pairs()) == set(found.marks.directed_pairs())
    assert {(c.kind, c.edge) for c in cautious.conflicts} == {(c.kind, c.edge) for c in found.conflicts}


@given(st.integers(0, 10**6))
@settings(max_examples=100, deadline=None)
def test_contradictory_tests_give_the_same_graph_in_every_order(seed: int) -> None:
    """Verdicts drawn at random: full of conflicts, and still nothing depends on the order of the columns."""

    def score(a: object, b: object, given: frozenset[object]) -> float:
        return random.Random(f"{seed} {sorted((a, b))} {sorted(given)}").uniform(-1, 2)

    names = list("ABCDEFG")
    texts = set()
    for order in range(3):
        random.Random(order).shuffle(names)
        found = pc_stable(
            Scripted(names, score), orientation=("standard", "conservative", "majority", "evidence")[seed % 4]
        )
        texts.add(found.to_json())
        for a, b in found.skeleton:
            found.explain(a, b)
    assert len(texts) == 1
