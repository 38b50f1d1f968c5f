"""CPDAGs, Meek's rules and consistent extensions, against enumeration of all DAGs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitsep.errors import KnowledgeError, UnknownColumnError
from bitsep.graphs import DAG, PDAG, orient, random_dag
from bitsep.graphs.closure import follows
from bitsep.graphs.marks import Marks, reachable
from graphs.naive import agreement, dags, extensions, fixed, pdags


@given(dags(max_size=5))
@settings(fixed, max_examples=150)
def test_cpdag_is_what_the_equivalence_class_agrees_on(dag: DAG) -> None:
    pattern = PDAG(
        dag.variables,
        {(a, c) for a, c, _ in dag.v_structures} | {(b, c) for _, c, b in dag.v_structures},
        dag.skeleton
        - {frozenset((a, c)) for a, c, _ in dag.v_structures}
        - {frozenset((b, c)) for _, c, b in dag.v_structures},
    )
    cpdag = dag.cpdag()
    family = extensions(pattern)
    assert cpdag == agreement(dag.variables, family)
    assert cpdag.is_cpdag
    assert {member.edges for member in cpdag.extensions()} == family
    assert all(member.cpdag() == cpdag for member in cpdag.extensions())


@given(pdags())
@settings(fixed, max_examples=200)
def test_extensions_and_meek_closure_of_any_pdag(graph: PDAG) -> None:
    family = extensions(graph)
    found = list(graph.extensions())
    assert len(found) == len(family)
    assert {dag.edges for dag in found} == family
    one = graph.consistent_extension()
    assert (one is None) == (not family)
    if one is not None:
        assert one.edges in family
        closed = orient(graph.variables, graph.directed, graph.undirected)
        assert closed.graph == agreement(graph.variables, family)
        assert not closed.contested
        cpdag = one.cpdag()
        assert graph.is_cpdag == (cpdag == graph)
    else:
        assert not graph.is_cpdag


@given(dags(max_size=5), st.data())
@settings(fixed, max_examples=150)
def test_knowledge_narrows_the_class_exactly(dag: DAG, data: st.DataObject) -> None:
    cpdag = dag.cpdag()
    edges = sorted(dag.edges)
    required = data.draw(st.lists(st.sampled_from(edges), unique=True)) if edges else []
    forbidden = [(b, a) for a, b in (data.draw(st.lists(st.sampled_from(edges), unique=True)) if edges else [])]
    family = {
        member.edges
        for member in cpdag.extensions()
        if set(required) <= member.edges and not set(forbidden) & member.edges
    }
    result = orient(cpdag.variables, cpdag.directed, cpdag.undirected, required=required, forbidden=forbidden)
    assert result.graph == agreement(dag.variables, family)
    assert not result.contested


@given(pdags(max_size=5), st.lists(st.tuples(st.sampled_from("ABCDE"), st.sampled_from("ABCDE")), max_size=6))
@settings(fixed, max_examples=200)
def test_contradictory_arrows_never_break_it(graph: PDAG, extra: list[tuple[str, str]]) -> None:
    """Whatever arrows come in: same skeleton, no cycle (PDAG refuses it), contested edges undirected."""
    arrows = set(graph.directed)
    for a, b in extra:
        if a != b and a in graph.variables and b in graph.variables and graph.adjacent(a, b):
            arrows.add((a, b))
    lines = {pair for pair in graph.undirected if not any(frozenset(arrow) == pair for arrow in arrows)}
    result = orient(graph.variables, arrows, lines)
    assert PDAG(graph.variables, result.graph.directed, result.graph.undirected) == result.graph
    assert result.graph.skeleton == graph.skeleton
    assert result.contested <= result.graph.undirected
    assert all(frozenset(arrow) in result.contested for arrow in arrows if arrow[::-1] in arrows)
    again = orient(reversed(graph.variables), sorted(arrows, reverse=True), lines)
    assert again == result


def test_each_rule() -> None:
    names = list("ijkl")
    rule1 = orient(names, [("k", "i")], [("i", "j")]).graph
    assert ("i", "j") in rule1.directed
    rule2 = orient(names, [("i", "k"), ("k", "j")], [("i", "j")]).graph
    assert ("i", "j") in rule2.directed
    rule3 = orient(names, [("k", "j"), ("l", "j")], [("i", "j"), ("i", "k"), ("i", "l")]).graph
    assert rule3.directed == {("k", "j"), ("l", "j"), ("i", "j")}
    rule4 = orient(names, [("k", "l"), ("l", "j")], [("i", "j"), ("i", "k"), ("i", "l")]).graph
    assert ("i", "j") in rule4.directed
    assert frozenset("ik") in rule4.undirected


def test_rules_that_disagree_leave_the_edge_contested() -> None:
    # p → a — b ← q: rule 1 asks for a → b and for b → a.
    result = orient(list("pabq"), [("p", "a"), ("q", "b")], [("a", "b")])
    assert result.contested == {frozenset("ab")}
    assert result.graph.undirected == {frozenset("ab")}


def test_a_cycle_of_arrows_is_contested() -> None:
    result = orient(list("abcd"), [("a", "b"), ("b", "c"), ("c", "a"), ("d", "a")])
    assert result.contested >= {frozenset("ab"), frozenset("bc"), frozenset("ca")} - {frozenset("bc")}
    assert ("d", "a") in result.graph.directed


def test_knowledge_wins_and_the_loser_is_contested() -> None:
    result = orient(list("ab"), [("a", "b")], required=[("b", "a")])
    assert result.graph.directed == {("b", "a")}
    assert result.contested == {frozenset("ab")}
    cycle = orient(list("abc"), [("a", "b"), ("b", "c"), ("c", "a")], required=[("a", "b"), ("b", "c")])
    assert {("a", "b"), ("b", "c")} <= cycle.graph.directed
    assert frozenset("ac") in cycle.contested
    absent = orient(list("abc"), [("a", "b")], required=[("a", "c")])
    assert absent.graph.skeleton == {frozenset("ab")}


@pytest.mark.parametrize(
    "knowledge",
    [
        {"required": [("a", "b")], "forbidden": [("a", "b")]},
        {"required": [("a", "b"), ("b", "a")]},
        {"forbidden": [("a", "b"), ("b", "a")]},
        {"required": [("a", "b"), ("b", "c"), ("c", "a")]},
    ],
)
def test_knowledge_that_contradicts_itself(knowledge: dict[str, list[tuple[str, str]]]) -> None:
    with pytest.raises(KnowledgeError, match="required, forbidden"):
        orient(list("abc"), [], [("a", "b"), ("b", "c"), ("a", "c")], **knowledge)
    with pytest.raises(UnknownColumnError, match="'z'"):
        orient(list("abc"), required=[("a", "z")])


def test_no_extension() -> None:
    square = PDAG(list("abcd"), undirected=[("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")])
    assert square.consistent_extension() is None
    assert list(square.extensions()) == []
    assert not square.is_cpdag


@pytest.mark.parametrize("seed", range(5))
def test_large_graphs(seed: int) -> None:
    dag = random_dag(150, mean_degree=4, seed=seed)
    cpdag = dag.cpdag()
    extension = cpdag.consistent_extension()
    assert extension is not None
    assert extension.skeleton == dag.skeleton
    assert extension.v_structures == dag.v_structures
    assert extension.cpdag() == cpdag


@pytest.mark.parametrize("seed", range(40))
def test_looking_only_at_touched_edges_changes_nothing(seed: int) -> None:
    """The closure re-examines the edges near new arrows only; its twin here re-examines all, every round."""
    rng = np.random.default_rng(seed)
    dag = random_dag(14, mean_degree=5, seed=seed)
    edges = sorted(dag.edges)
    turn = rng.random(len(edges))
    arrows = [edge if t < 0.2 else edge[::-1] for edge, t in zip(edges, turn, strict=True) if t < 0.2 or t > 0.93]
    lines = [edge for edge, t in zip(edges, turn, strict=True) if 0.2 <= t <= 0.93]
    number = {v: i for i, v in enumerate(dag.variables)}
    marks = Marks.of(14, [(number[a], number[b]) for a, b in arrows], [(number[a], number[b]) for a, b in lines])
    contested: set[tuple[int, int]] = set()
    result = orient(dag.variables, arrows, lines)
    if marks.topological_order() is None:
        assert result.contested
        return
    while True:
        open_pairs = [pair for pair in marks.undirected_pairs() if pair not in contested]
        wanted = {(i, j) for a, b in open_pairs for i, j in ((a, b), (b, a)) if follows(marks, i, j)}
        if not wanted:
            break
        agreed = {(i, j) for i, j in wanted if (j, i) not in wanted}
        contested |= {(min(pair), max(pair)) for pair in wanted - agreed}
        for i, j in agreed:
            marks.direct(i, j)
        below = reachable(marks.children)
        for i, j in [(i, j) for i, j in agreed if below[j] >> i & 1]:
            marks.undirect(i, j)
            contested.add((min(i, j), max(i, j)))
    assert {(number[a], number[b]) for a, b in result.graph.directed} == set(marks.directed_pairs())
    assert {tuple(sorted(number[v] for v in pair)) for pair in result.contested} == contested
