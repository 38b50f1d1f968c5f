"""The orientation rule "evidence": a legal graph by the decisions with the most bits, whatever the names."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from bitsep import PDAG, Discovery, Knowledge, pc_stable
from bitsep.naming import Name
from discovery.python_engine import Scripted
from graphs.naive import agreement, orientations

NAMES = "ABCDEF"


def random_score(seed: int, a: object, b: object, given: frozenset[object]) -> float:
    return random.Random(f"{seed} {sorted((a, b))} {sorted(given)}").uniform(-1, 2)


def at_random(seed: int, names: str = NAMES) -> Scripted:
    return Scripted(names, lambda a, b, given: random_score(seed, a, b, given))


def evidence(seed: int, found: Discovery, a: str, c: str, b: str) -> float:
    """The slow twin of the bits of a triple: by how much each smallest separator gets worse if c changes sides."""
    size = len(found.separations[frozenset((a, b))].given)

    def separators(neighbors: dict[str, set[str]]) -> set[frozenset[str]]:
        sets = {frozenset(s) for x, y in ((a, b), (b, a)) for s in combinations(sorted(neighbors[x] - {y}), size)}
        return {given for given in sets if random_score(seed, a, b, given) <= 0}

    now = {v: set(found.graph.neighbors(v)) for v in found.variables}
    earlier = {
        v: now[v]
        | {u for u in set(found.variables) - now[v] - {v} if len(found.separations[frozenset((u, v))].given) >= size}
        for v in found.variables
    }
    bits = 0.0
    for separator in separators(now) or separators(earlier):
        gain = random_score(seed, a, b, separator ^ {c}) - random_score(seed, a, b, separator)
        bits += -gain if c in separator else gain
    return bits


def by_definition(seed: int, found: Discovery) -> tuple[PDAG, set[tuple[Name, Name, Name]]]:
    """The slow twin: all DAGs of the skeleton that satisfy each decision that some of those left satisfy.

    Returns what they agree on, and the overruled triples.
    """
    graph = found.graph
    decisions = [
        (evidence(seed, found, a, c, b), a, c, b)
        for a, b in combinations(found.variables, 2)
        for c in found.variables
        if not graph.adjacent(a, b) and c not in (a, b) and graph.adjacent(a, c) and graph.adjacent(b, c)
    ]
    left = set(orientations(graph.variables, graph.skeleton))
    lost = set()
    for bits, a, c, b in sorted(decisions, key=lambda decision: -abs(decision[0])):
        kept = {arrows for arrows in left if ({(a, c), (b, c)} <= arrows) == (bits > 0)}
        if kept:
            left = kept
        else:
            lost.add((a, c, b))
    return agreement(graph.variables, left), lost


@given(st.integers(0, 10**6))
@settings(max_examples=150, deadline=None)
def test_the_graph_is_what_all_dags_with_the_strongest_decisions_agree_on(seed: int) -> None:
    found = pc_stable(at_random(seed, "ABCDE"), orientation="evidence")
    graph, lost = by_definition(seed, found)
    assert found.graph == graph
    assert len(found.conflicts) == len(lost)
    for conflict in found.conflicts:
        assert any(set(conflict.edge) <= set(triple) and triple[1] in conflict.edge for triple in lost)


@given(st.integers(0, 10**6))
@settings(max_examples=200, deadline=None)
def test_contradictory_tests_give_a_legal_graph(seed: int) -> None:
    found = pc_stable(at_random(seed), orientation="evidence")
    assert found.graph.is_cpdag
    assert found.to_dag().cpdag() == found.graph
    assert found.ambiguous == ()
    assert {d.kind for d in found.decisions} <= {"undirected"}
    assert all(c.kind == "evidence" and c.bits is not None and c.bits > 0 for c in found.conflicts)
    assert Discovery.from_json(found.to_json()) == found
    assert Discovery.from_json(found.to_json()).conflicts == found.conflicts


@given(st.integers(0, 10**6), st.permutations(NAMES))
@settings(max_examples=200, deadline=None)
def test_names_do_not_matter(seed: int, names: list[str]) -> None:
    old = dict(zip(names, NAMES, strict=True))
    new = dict(zip(NAMES, names, strict=True))
    renamed = Scripted(
        names, lambda a, b, given: random_score(seed, old[str(a)], old[str(b)], frozenset(old[str(z)] for z in given))
    )
    one = pc_stable(at_random(seed), orientation="evidence")
    other = pc_stable(renamed, orientation="evidence")
    assert other.graph == PDAG(
        names,
        [(new[str(a)], new[str(b)]) for a, b in one.graph.directed],
        [[new[str(v)] for v in pair] for pair in one.graph.undirected],
    )
    assert sorted(c.bits or 0 for c in one.conflicts) == sorted(c.bits or 0 for c in other.conflicts)
    for pair, separation in one.separations.items():
        same = other.separations[frozenset(new[str(v)] for v in pair)]
        assert set(same.given) == {new[str(v)] for v in separation.given}
        assert same.tests_run == separation.tests_run
    assert one.tests_run == other.tests_run


@given(st.integers(0, 10**6))
@settings(max_examples=100, deadline=None)
def test_the_separator_is_the_smallest_set_with_the_lowest_score(seed: int) -> None:
    found = pc_stable(at_random(seed))
    others = pc_stable(at_random(seed), orientation="standard")
    assert found.skeleton == others.skeleton
    for pair, separation in found.separations.items():
        first = others.separations[pair]
        assert len(separation.given) == len(first.given)
        assert separation.result.score_bits <= first.result.score_bits
        if separation.runner_up is not None and len(separation.runner_up.given) == len(separation.given):
            assert separation.result.score_bits <= separation.runner_up.score_bits


@given(st.integers(0, 10**6))
@settings(max_examples=200, deadline=None)
def test_knowledge_comes_first(seed: int) -> None:
    rng = random.Random(seed)
    order = list(NAMES)
    rng.shuffle(order)
    required = [pair for pair in combinations(order, 2) if rng.random() < 0.1]
    forbidden = [pair[::-1] for pair in combinations(order, 2) if rng.random() < 0.3]
    known = Knowledge(required, forbidden, tiers=[order[:2], order[2:4]])
    found = pc_stable(at_random(seed), orientation="evidence", knowledge=known)
    dag = found.graph.consistent_extension()
    assert dag is not None
    assert found.to_dag() == dag
    assert set(required) <= found.graph.directed
    assert not any(known.forbids(a, b) for a, b in dag.edges)
    for conflict in found.conflicts:
        assert conflict.kind in ("evidence", "knowledge")
        assert str(conflict.reason).endswith(
            "contradicts decisions with more bits." if conflict.kind == "evidence" else "the knowledge given."
        )


def path(*separations: tuple[str, str, str, float], others: float = 6.0) -> Scripted:
    """Scores of pairs given sets, ("A", "C", "B", -3.0); `others` everywhere else."""
    scores = {(frozenset((a, b)), frozenset(z)): score for a, b, z, score in separations}
    return Scripted("ABCD", lambda a, b, given: scores.get((frozenset((a, b)), given), others))


def test_the_v_structure_with_more_bits_overrules_the_other() -> None:
    # A — B — C — D: A and C become dependent given B, by 7.00 bits, and B and D given C, by 4.00 bits.
    engine = path(
        ("A", "C", "", -3.0), ("A", "C", "B", 4.0), ("B", "D", "", -3.0), ("B", "D", "C", 1.0), ("A", "D", "", -3.0)
    )
    found = pc_stable(engine, orientation="evidence")
    assert found.graph.directed == {("A", "B"), ("C", "B")}
    assert found.graph.undirected == {frozenset("CD")}
    (conflict,) = found.conflicts
    assert (conflict.kind, conflict.edge, conflict.bits) == ("evidence", ("B", "C"), 4.0)
    text = "B → C ← D is a v-structure by 4.00 bits, but this contradicts decisions with more bits."
    assert str(conflict.reason) == text
    assert text in str(found)
    assert (
        "A → B as part of the v-structure A → B ← C: without B in the conditioning set A and C come closer to "
        "independence, by 7.00 bits."
    ) in found.explain("A", "B")


def test_a_triple_that_has_to_be_a_v_structure_is_a_conflict() -> None:
    # A ring in which no triple looks like a v-structure; the evidence against one at A is the weakest.
    ring = [("A", "C", "BD", -3.0), ("B", "D", "AC", -3.0), ("B", "D", "C", 1.0)]
    found = pc_stable(path(*ring), orientation="evidence")
    assert found.graph.is_cpdag
    assert {("B", "A"), ("D", "A")} <= found.graph.directed
    (conflict,) = found.conflicts
    assert (conflict.kind, conflict.edge, conflict.bits) == ("evidence", ("A", "B"), 4.0)
    assert str(conflict.reason) == (
        "B — A — D is not a v-structure by 4.00 bits, but this contradicts decisions with more bits."
    )
    assert "v-structure B → A ← D: decisions with more bits leave no other choice." in found.explain("A", "B")


def test_knowledge_overrules_evidence() -> None:
    engine = Scripted("ABC", lambda a, b, given: -3.0 if {a, b} == {"A", "C"} and not given else 4.0)
    assert pc_stable(engine, orientation="evidence").graph.directed == {("A", "B"), ("C", "B")}
    found = pc_stable(engine, orientation="evidence", knowledge=Knowledge(forbidden=[("A", "B")]))
    assert found.graph.directed == {("B", "A")}
    (conflict,) = found.conflicts
    assert (conflict.kind, conflict.edge, conflict.bits) == ("knowledge", ("A", "B"), 7.0)
    assert str(conflict.reason).endswith("by 7.00 bits, but this contradicts the knowledge given.")


def test_pairs_that_knowledge_excludes_are_ambiguous_and_no_v_structures() -> None:
    engine = Scripted("ABC", lambda a, b, given: 4.0)
    found = pc_stable(engine, orientation="evidence", knowledge=Knowledge(forbidden=[("A", "C"), ("C", "A")]))
    (triple,) = found.ambiguous
    assert (triple.a, triple.center, triple.b, triple.holding, triple.lacking) == ("A", "B", "C", 0, 0)
    assert found.graph.undirected == {frozenset("AB"), frozenset("BC")}
    assert found.conflicts == ()


def test_sets_larger_than_max_given_are_not_tested() -> None:
    sizes = set()

    def score(a: object, b: object, given: frozenset[object]) -> float:
        sizes.add(len(given))
        return -3.0 if {a, b} == {"A", "C"} else 4.0

    found = pc_stable(Scripted("ABC", score), orientation="evidence", max_given=0)
    assert sizes == {0}
    assert found.graph.directed == {("A", "B"), ("C", "B")}
    assert "by 3.00 bits" in found.explain("A", "B")


def test_tests_without_enough_rows_are_no_evidence() -> None:
    def score(a: object, b: object, given: frozenset[object]) -> float:
        return 4.0 if {a, b} != {"A", "C"} else -np.inf if given else -3.0

    found = pc_stable(Scripted("ABC", score), orientation="evidence")
    assert found.graph.undirected == {frozenset("AB"), frozenset("BC")}
    (triple,) = found.ambiguous
    assert (triple.center, triple.holding, triple.lacking) == ("B", 0, 1)
    assert Discovery.from_json(found.to_json()) == found
