"""Required and forbidden arrows, tiers, and knowledge that contradicts itself."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitsep import DAG, Knowledge, Oracle, load_network, pc_stable
from bitsep.errors import KnowledgeError, UnsupportedTypeError
from discovery.python_engine import DSeparation, Scripted

CHAIN = DAG(["A", "B", "C"], [("A", "B"), ("B", "C")])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"required": [("A", "B")], "forbidden": [("A", "B")]}, "'A' → 'B' is both required and forbidden"),
        ({"required": [("A", "B"), ("B", "C"), ("C", "A")]}, "'A' → 'B' → 'C' → 'A'"),
        ({"required": [("A", "B"), ("B", "A")]}, "form a directed cycle"),
        ({"required": [("B", "A")], "tiers": [["A"], ["B"]]}, "later tier to an earlier one"),
        ({"tiers": [["A"], ["B", "A"]]}, "'A' occurs twice"),
        ({"tiers": ["AB"]}, "got 'AB'"),
        ({"required": [("A",)]}, "pair"),
        ({"required": ["AB"]}, "pair"),
        ({"forbidden": [("A", "A")]}, "with itself"),
    ],
)
def test_contradictions_are_errors(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(KnowledgeError, match=message):
        Knowledge(**arguments)


@pytest.mark.parametrize(
    "knowledge",
    [Knowledge(required=[("A", "X")]), Knowledge(forbidden=[("X", "A")]), Knowledge(tiers=[["A"], ["X"]])],
)
def test_unknown_variables_are_errors(knowledge: Knowledge) -> None:
    with pytest.raises(KnowledgeError, match="no column 'X'"):
        pc_stable(Oracle(CHAIN), knowledge=knowledge)


def test_knowledge_of_another_kind_is_an_error() -> None:
    with pytest.raises(UnsupportedTypeError, match=r"bitsep\.Knowledge"):
        pc_stable(Oracle(CHAIN), knowledge={"required": [("A", "B")]})  # type: ignore[arg-type]


def test_it_is_a_value() -> None:
    one = Knowledge(required=[("B", "C"), ("A", "B")], tiers=[["B", "A"], ["C"]])
    assert one == Knowledge(required=[("A", "B"), ("B", "C")], tiers=[["A", "B"], ["C"]])
    assert hash(one) == hash(Knowledge(required=[("A", "B"), ("B", "C")], tiers=[["A", "B"], ["C"]]))
    assert repr(one) == "Knowledge(required=[('A', 'B'), ('B', 'C')], tiers=[['A', 'B'], ['C']])"
    assert eval(repr(one)) == one
    with pytest.raises(AttributeError):
        one.required = ()  # type: ignore[misc]


def test_one_required_arrow_orients_the_chain() -> None:
    found = pc_stable(Oracle(CHAIN), knowledge=Knowledge(required=[("A", "B")]))
    assert found.graph.directed == {("A", "B"), ("B", "C")}
    assert "by the knowledge given" in found.explain("A", "B")
    assert "the knowledge given requires it, so it was not tested" in found.explain("A", "B")
    assert "v-structure the data do not show (Meek 1)" in found.explain("B", "C")


def test_a_forbidden_direction_leaves_the_other() -> None:
    found = pc_stable(Oracle(CHAIN), knowledge=Knowledge(forbidden=[("A", "B")]))
    assert found.graph.directed == {("B", "A")}
    assert found.graph.undirected == {frozenset("BC")}


def test_tiers_orient_edges_between_them() -> None:
    found = pc_stable(Oracle(CHAIN), knowledge=Knowledge(tiers=[["A"], ["B"], ["C"]]))
    assert found.graph.directed == {("A", "B"), ("B", "C")}


def test_required_edges_stay_untested_and_forbidden_ones_go_untested() -> None:
    asked = []

    def score(a: object, b: object, given: frozenset[object]) -> float:
        asked.append({a, b})
        return 5.0

    both = [("A", "C"), ("C", "A")]
    found = pc_stable(Scripted("ABC", score), knowledge=Knowledge(required=[("A", "B")], forbidden=both))
    assert asked == [{"B", "C"}] * len(asked)
    assert found.skeleton == {frozenset("AB"), frozenset("BC")}
    assert found.excluded == {frozenset("AC")}
    assert frozenset("AC") not in found.separations
    assert found.edges[frozenset("AB")].weakest is None
    assert "forbids it in both directions" in found.explain("A", "C")
    # No separator of A and C is known, so A — B — C may be anything: no arrow is made up.
    assert [(t.a, t.center, t.b) for t in found.ambiguous] == [("A", "B", "C")]
    assert found.graph.undirected == {frozenset("BC")}


def test_a_required_edge_the_data_deny_is_kept() -> None:
    found = pc_stable(Oracle(DAG(["A", "B"], [])), knowledge=Knowledge(required=[("B", "A")]))
    assert found.graph.directed == {("B", "A")}


def test_a_variable_that_cannot_be_a_parent_is_in_no_separator() -> None:
    asked = []

    def score(a: object, b: object, given: frozenset[object]) -> float:
        asked.append(given)
        return 5.0

    pc_stable(Scripted("ABC", score), knowledge=Knowledge(tiers=[["A", "B"], ["C"]]))
    assert all("C" not in given for given in asked)


def test_a_v_structure_against_knowledge_is_refused_and_reported() -> None:
    collider = DAG(["A", "B", "C"], [("A", "C"), ("B", "C")])
    found = pc_stable(Oracle(collider), knowledge=Knowledge(required=[("C", "A")]))
    assert ("C", "A") in found.graph.directed
    (conflict,) = found.conflicts
    assert (conflict.kind, conflict.edge) == ("knowledge", ("A", "C"))
    assert str(conflict.reason) == "A → C ← B is a v-structure by 2.00 bits, but this contradicts the knowledge given."
    found = pc_stable(Oracle(collider), knowledge=Knowledge(required=[("C", "A")]), orientation="standard")
    (conflict,) = found.conflicts
    assert str(conflict.reason) == "C → A is known, so the v-structure A → C ← B that the data suggest was refused."


def test_forbidden_arrows_that_leave_a_circle_are_reported() -> None:
    triangle = DAG(["A", "B", "C"], [("A", "B"), ("B", "C"), ("A", "C")])
    found = pc_stable(Oracle(triangle), knowledge=Knowledge(forbidden=[("A", "B"), ("B", "C"), ("C", "A")]))
    assert [c.kind for c in found.conflicts] == ["knowledge"] * 3
    assert found.graph.undirected == {frozenset("AB"), frozenset("BC"), frozenset("AC")}


@given(st.integers(0, 10**6), st.integers(2, 7))
@settings(max_examples=150, deadline=None)
def test_true_knowledge_never_hurts(seed: int, n: int) -> None:
    """Tiers and arrows of the true graph keep the skeleton and every arrow of the CPDAG, and contradict nothing."""
    import random

    rng = random.Random(seed)
    names = [f"V{i}" for i in range(n)]
    rng.shuffle(names)
    edges = [(names[i], names[j]) for i in range(n) for j in range(i + 1, n) if rng.random() < 0.4]
    dag = DAG(names, edges)
    cut = rng.randint(0, n)
    knowledge = Knowledge(
        required=[edge for edge in edges if rng.random() < 0.3],
        forbidden=[(b, a) for a, b in edges if rng.random() < 0.3],
        tiers=[names[:cut], names[cut:]] if rng.random() < 0.5 else [],
    )
    found = pc_stable(DSeparation(names, edges), knowledge=knowledge)
    assert found.skeleton == dag.skeleton
    assert found.conflicts == ()
    assert found.graph.directed <= set(edges)
    assert found.graph.directed >= dag.cpdag().directed


def test_alarm_with_the_full_order_of_time_is_the_dag() -> None:
    alarm = load_network("alarm")
    dag = DAG(alarm.variables, alarm.edges)
    knowledge = Knowledge(tiers=[[v] for v in dag.topological_order])
    assert pc_stable(Oracle(alarm), knowledge=knowledge).graph.directed == dag.edges
