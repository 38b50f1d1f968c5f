"""`Discovery.to_dag`: a DAG for every graph, obeying the knowledge, with what had to be decided."""

from __future__ import annotations

import random
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitsep import DAG, PDAG, Discovery, Knowledge, Oracle, load_network, pc_stable
from bitsep.discovery.v_structures import OrientationRule
from discovery.python_engine import Scripted
from graphs.naive import colliders, orientations

RULES: tuple[OrientationRule, ...] = ("standard", "conservative", "majority", "evidence")
NAMES = "ABCDEF"


def at_random(seed: int, names: str = NAMES) -> Scripted:
    """Scores drawn at random, so that most graphs represent no DAG."""

    def score(a: object, b: object, given: frozenset[object]) -> float:
        return random.Random(f"{seed} {sorted((a, b))} {sorted(given)}").uniform(-1, 2)

    return Scripted(names, score)


def random_knowledge(seed: int) -> Knowledge | None:
    rng = random.Random(seed)
    if seed % 3 == 0:
        return None
    order = list(NAMES)
    rng.shuffle(order)
    required = [pair for pair in combinations(order, 2) if rng.random() < 0.1]
    forbidden = [pair for pair in permutations(NAMES, 2) if rng.random() < 0.3 and pair not in required]
    if seed % 3 == 1:
        return Knowledge(required, forbidden)
    return Knowledge(required, tiers=[order[:2], order[2:5]])


def nearest(found: Discovery) -> set[frozenset[tuple[str, str]]]:
    """The slow twin: all DAGs of the skeleton that satisfy each claim of the graph that some of those left satisfy."""
    graph = found.graph
    left = set(orientations(graph.variables, graph.skeleton))
    ambiguous = {(frozenset((t.a, t.b)), t.center) for t in found.ambiguous}
    claims = []
    for a, b in combinations(graph.variables, 2):
        for c in graph.variables:
            if not graph.adjacent(a, b) and c not in (a, b) and graph.adjacent(a, c) and graph.adjacent(b, c):
                pair = frozenset((a, b))
                margin = 0.0 if (pair, c) in ambiguous else found.separations[pair].margin_bits
                claims.append((-max(0.0, margin), a, c, b))
    for _, a, c, b in sorted(claims, key=lambda claim: (claim[0], *map(NAMES.index, claim[1:]))):
        collider = {(a, c), (b, c)} <= graph.directed
        left = {arrows for arrows in left if ({(a, c), (b, c)} <= arrows) == collider} or left
    for arrow in sorted(graph.directed):
        left = {arrows for arrows in left if arrow in arrows} or left
    return left


@given(st.integers(0, 10**6), st.sampled_from(RULES))
@settings(max_examples=150, deadline=None)
def test_it_is_the_nearest_dag_by_evidence(seed: int, rule: OrientationRule) -> None:
    found = pc_stable(at_random(seed, "ABCDE"), orientation=rule)
    assert frozenset(found.to_dag().edges) in nearest(found)


@given(st.integers(0, 10**6), st.sampled_from(RULES))
@settings(max_examples=300, deadline=None)
def test_there_is_always_a_dag_that_obeys_the_knowledge(seed: int, rule: OrientationRule) -> None:
    knowledge = random_knowledge(seed)
    found = pc_stable(at_random(seed), orientation=rule, knowledge=knowledge)
    dag = found.to_dag()
    assert isinstance(dag, DAG)
    left_out = {frozenset(d.edge) for d in found.decisions if d.kind == "left out"}
    assert dag.skeleton == found.graph.skeleton - left_out
    for a, b in dag.edges:
        assert knowledge is None or not knowledge.forbids(a, b)
    if knowledge is not None:
        assert set(knowledge.required) <= dag.edges
    back = Discovery.from_json(found.to_json())
    assert back.to_dag() == dag
    assert back.decisions == found.decisions


@given(st.integers(0, 10**6), st.sampled_from(RULES))
@settings(max_examples=150, deadline=None)
def test_decisions_are_all_the_differences(seed: int, rule: OrientationRule) -> None:
    found = pc_stable(at_random(seed), orientation=rule)
    graph, dag = found.graph, found.to_dag()
    assert {d.edge for d in found.decisions} == dag.edges - graph.directed
    assert {d.edge for d in found.decisions if d.kind == "reversed"} == {
        (a, b) for a, b in dag.edges if (b, a) in graph.directed
    }
    new = {
        (a, c)
        for c, parents in colliders(dag.variables, frozenset(dag.edges))
        for a in parents
        if not all((p, c) in graph.directed for p in parents)
    }
    assert {d.edge for d in found.decisions if d.kind == "v-structure"} == {
        (a, b) for a, b in new if frozenset((a, b)) in graph.undirected
    }
    if graph.consistent_extension() is not None:
        assert dag == graph.consistent_extension()
        assert {d.kind for d in found.decisions} <= {"undirected"}
        assert {frozenset(d.edge) for d in found.decisions} == graph.undirected


@pytest.mark.parametrize("rule", RULES)
def test_a_member_of_the_class_of_a_legal_graph(rule: OrientationRule) -> None:
    alarm = load_network("alarm")
    found = pc_stable(Oracle(alarm), orientation=rule)
    assert found.to_dag().cpdag() == alarm.cpdag
    assert {str(d.reason) for d in found.decisions if "MINVOLSET" in d.edge} == {
        "MINVOLSET — VENTMACH became VENTMACH → MINVOLSET, which makes no v-structure and no cycle."
    }


def ring(score: float) -> Scripted:
    """A — B — C — D — A, where A and C are separated by B, D with 3 bits, and B and D by A, C with `score` bits."""

    def scores(a: object, b: object, given: frozenset[object]) -> float:
        bits = {frozenset("AC"): 3.0, frozenset("BD"): score}.get(frozenset((a, b)))
        return 5.0 if bits is None or len(given) < 2 else -bits

    return Scripted("ABCD", scores)


@pytest.mark.parametrize(("score", "centers"), [(2.0, "AC"), (4.0, "BD")])
def test_a_ring_gets_the_v_structure_with_the_least_evidence_against_it(score: float, centers: str) -> None:
    found = pc_stable(ring(score), orientation="standard")
    assert found.graph == PDAG(list("ABCD"), undirected=map(set, ("AB", "BC", "CD", "AD")))
    dag = found.to_dag()
    ((_, center, _),) = dag.v_structures
    assert center in centers
    into = [d for d in found.decisions if d.kind == "v-structure"]
    assert [d.edge[1] for d in into] == [center, center]
    first, second = (d.edge[0] for d in into)
    low, high = sorted((first, center))
    assert str(into[0].reason) == (
        f"{low} — {high} became {first} → {center} in the v-structure {first} → {center} ← {second}, which the graph "
        "does not have: no DAG has all directions of the graph and only its v-structures."
    )


def test_of_a_cycle_that_knowledge_leaves_the_weakest_edge_is_left_out() -> None:
    bits = {frozenset("AB"): 5.0, frozenset("BC"): 2.0, frozenset("AC"): 9.0}
    engine = Scripted("ABC", lambda a, b, given: bits[frozenset((a, b))])
    for rule in RULES:
        found = pc_stable(engine, orientation=rule, knowledge=Knowledge(forbidden=[("B", "A"), ("C", "B"), ("A", "C")]))
        assert found.graph.undirected == {frozenset("AB"), frozenset("BC"), frozenset("AC")}
        assert found.to_dag() == DAG(list("ABC"), [("A", "B"), ("C", "A")])
        left_out, *others = found.decisions
        assert (left_out.kind, left_out.edge) == ("left out", ("B", "C"))
        assert str(left_out.reason) == (
            "B — C was left out: the directions that the knowledge allows for such edges form a cycle, and this edge "
            "has the least evidence in it (2.00 bits)."
        )
        assert {d.kind for d in others} <= {"undirected", "v-structure"}


def test_knowledge_about_names_that_json_stores_as_text() -> None:
    engine = Scripted([0.5, 1.5, ("a", "b")], lambda a, b, given: 4.0)
    known = Knowledge(forbidden=[(0.5, ("a", "b"))], required=[(1.5, 0.5)])
    found = pc_stable(engine, knowledge=known)
    assert (1.5, 0.5) in found.to_dag().edges
    assert (0.5, ("a", "b")) not in found.to_dag().edges
    back = Discovery.from_json(found.to_json()).to_dag()
    assert ("1.5", "0.5") in back.edges
    assert ("0.5", "('a', 'b')") not in back.edges


def test_one_variable_and_none_adjacent() -> None:
    assert pc_stable({"a": [0, 1]}).to_dag() == DAG(["a"])
    assert pc_stable({"a": [0, 1] * 8, "b": [0, 0, 1, 1] * 4}).decisions == ()
