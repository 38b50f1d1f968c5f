"""Precision, recall, SHD and SID, against hand counts, the paper's example and the definition."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitsep.errors import ArgumentError, UnsupportedTypeError
from bitsep.graphs import DAG, PDAG, SidBounds, compare, intervention, orient, random_dag
from bitsep.markup import html_table
from graphs.naive import dags, extensions, fixed, pdags, sid, wrong_effects

X_TO_Y = [(x, y) for x in ("X1", "X2") for y in ("Y1", "Y2", "Y3")]
PAPER = ["X1", "X2", "Y1", "Y2", "Y3"]


def test_the_papers_example() -> None:
    """Peters & Bühlmann (2015), the five-variable example: the same SHD, yet one is harmless and one is not."""
    truth = DAG(PAPER, [("X1", "X2"), *X_TO_Y])
    one_too_many = DAG(PAPER, [("X1", "X2"), ("Y1", "Y2"), *X_TO_Y])
    one_reversed = DAG(PAPER, [("X2", "X1"), *X_TO_Y])
    assert compare(one_too_many, truth).sid == SidBounds(0, 0)
    assert compare(one_reversed, truth).sid == SidBounds(8, 8)


@given(dags(max_size=5), st.data())
@settings(fixed, max_examples=150)
def test_sid_of_dags_by_definition(truth: DAG, data: st.DataObject) -> None:
    estimate = _same_variables(data.draw(dags(min_size=5, max_size=5)), truth)
    expected = sid(truth, estimate)
    assert compare(estimate, truth).sid == SidBounds(expected, expected)


@given(dags(max_size=4), st.data())
@settings(fixed, max_examples=100)
def test_sid_bounds_are_those_of_the_extensions(truth: DAG, data: st.DataObject) -> None:
    estimate = data.draw(pdags(max_size=4).filter(lambda g: g.variables == truth.variables))
    bounds = compare(estimate, truth).sid
    family = extensions(estimate)
    assert bounds.exact == bool(family)
    if family:
        distances = [sid(truth, DAG(estimate.variables, edges)) for edges in family]
        assert bounds == SidBounds(min(distances), max(distances))
    assert 0 <= bounds.lower <= bounds.upper <= len(truth.variables) * (len(truth.variables) - 1)


@given(st.integers(0, 50))
@settings(fixed, max_examples=15)
def test_sid_bounds_of_independent_components(seed: int) -> None:
    """Components are enumerated each on its own; together that must equal going through the whole class."""
    truth = random_dag(7, mean_degree=2.5, seed=seed)
    estimate = random_dag(7, mean_degree=1.5, seed=seed + 1000).cpdag()
    distances = [sid(truth, member) for member in estimate.extensions()]
    assert compare(estimate, truth).sid == SidBounds(min(distances), max(distances))


@pytest.mark.parametrize(("members", "sets"), [(1, 1000), (1, 1)])
def test_bounds_stay_honest_when_a_component_is_too_large(
    monkeypatch: pytest.MonkeyPatch, members: int, sets: int
) -> None:
    for seed in range(20):
        truth = random_dag(6, mean_degree=3, seed=seed)
        estimate = random_dag(6, mean_degree=2, seed=seed + 1000).cpdag()
        exact = compare(estimate, truth).sid
        with monkeypatch.context() as limits:
            limits.setattr(intervention, "MAX_MEMBERS", members)
            limits.setattr(intervention, "MAX_PARENT_SETS", sets)
            wide = compare(estimate, truth).sid
        assert wide.lower <= exact.lower <= exact.upper <= wide.upper
        assert wide.exact == (not estimate.undirected)


def test_a_supergraph_has_distance_zero() -> None:
    truth = random_dag(12, mean_degree=2, seed=5)
    order = truth.topological_order
    full = DAG(order, [(a, b) for i, a in enumerate(order) for b in order[i + 1 :]])
    assert compare(full, truth).sid == SidBounds(0, 0)
    clique = PDAG(order, undirected=full.skeleton)  # 12! versions
    bounds = compare(clique, truth).sid
    assert not bounds.exact
    assert bounds.lower == 0


def test_truth_compared_with_itself() -> None:
    truth = random_dag(30, mean_degree=3, seed=8)
    for estimate in (truth, truth.cpdag()):
        c = compare(estimate, truth)
        assert (c.precision, c.recall, c.f1) == (1, 1, 1)
        assert (c.arrow_precision, c.arrow_recall, c.arrow_f1, c.shd) == (1, 1, 1, 0)
        assert c.sid.lower == 0
    assert compare(truth, truth).sid == SidBounds(0, 0)


def test_counts_by_hand() -> None:
    truth = DAG(list("abcde"), [("a", "c"), ("b", "c"), ("c", "d"), ("d", "e")])  # its CPDAG is all arrows
    estimate = PDAG(list("abcde"), [("a", "c"), ("d", "c")], [("a", "b"), ("d", "e")])
    c = compare(estimate, truth)
    assert (c.precision, c.recall, c.f1) == (3 / 4, 3 / 4, 3 / 4)
    assert (c.arrow_precision, c.arrow_recall) == (1 / 2, 1 / 4)
    assert c.arrow_f1 == pytest.approx(2 * 0.5 * 0.25 / 0.75)
    assert c.shd == 4  # a — b too many, b → c missing, c → d reversed, d → e undirected
    assert c.missing == {frozenset("bc")}
    assert c.extra == {frozenset("ab")}
    assert str(c) == (
        "edges   precision 0.750  recall 0.750  F1 0.750\n"
        "arrows  precision 0.500  recall 0.250  F1 0.333\n"
        "SHD 4  (1 edge missing, 1 too many)"
    )
    rows = [("edges", "0.750", "0.750", "0.750"), ("arrows", "0.500", "0.250", "0.333")]
    caption = "SHD 4 (1 edge missing, 1 too many)"
    assert c._repr_html_() == html_table(caption, ("", "precision", "recall", "F1"), rows, numbers=(1, 2, 3))
    assert "missing" not in repr(c)
    assert "extra" not in repr(c)
    assert "(4 edges missing, 0 too many)" in str(compare(PDAG(list("abcde")), truth))


@pytest.mark.parametrize(
    ("truth", "exact", "alone"),
    [
        ([("A", "B"), ("B", "C")], SidBounds(0, 6), (0, 6)),
        ([("A", "B"), ("C", "B")], SidBounds(3, 6), (1, 6)),
    ],
)
def test_limits_of_the_enumeration(
    monkeypatch: pytest.MonkeyPatch, truth: list[tuple[str, str]], exact: SidBounds, alone: tuple[int, int]
) -> None:
    """A — B — C has three orientations with two edges each, and B three sets of parents.

    The costs of A, B and C for their parents in the three orientations are, for A → B → C, those of {} or {B}: 0 or 2;
    of {}, {A} or {C}: 1, 0 or 2; of {} or {B}: 2 or 0. For A → B ← C they are 0 or 2; 2, 1 or 1; 0 or 2.
    """
    estimate = PDAG(list("ABCD"), undirected=[("A", "B"), ("B", "C")])
    dag = DAG(list("ABCD"), truth)
    low, high = alone
    for members, arrows, sets, expected in [
        (3, 6, 1, exact),
        (2, 6, 3, SidBounds(low, high, exact=False)),
        (3, 5, 3, SidBounds(low, high, exact=False)),
        # The bounds of B are 0 and 3, instead of 0 or 1 and 2.
        (2, 6, 2, SidBounds(0, high + 1, exact=False)),
    ]:
        monkeypatch.setattr(intervention, "MAX_MEMBERS", members)
        monkeypatch.setattr(intervention, "MAX_ARROWS", arrows)
        monkeypatch.setattr(intervention, "MAX_PARENT_SETS", sets)
        assert compare(estimate, dag).sid == expected


@given(dags(max_size=4), st.data())
@settings(fixed, max_examples=60)
def test_bounds_of_single_variables_by_definition(truth: DAG, data: st.DataObject) -> None:
    """Sums over all variables of the smallest and the largest cost of parents without a new v-structure."""
    estimate = data.draw(pdags(max_size=4).filter(lambda g: g.variables == truth.variables))
    names = truth.variables
    if estimate.consistent_extension() is not None:
        estimate = orient(names, estimate.directed, map(tuple, estimate.undirected)).graph
    with pytest.MonkeyPatch.context() as limits:
        limits.setattr(intervention, "MAX_MEMBERS", 0)
        found = compare(estimate, truth).sid
    lower = upper = 0
    for i in names:
        fixed_parents = estimate.parents(i)
        around = [next(iter(pair - {i})) for pair in estimate.undirected if i in pair]
        costs = []
        for size in range(len(around) + 1):
            for chosen in combinations(around, size):
                parents = {*fixed_parents, *chosen}
                if all(estimate.adjacent(a, b) for a in chosen for b in parents - {a}):
                    costs.append(wrong_effects(truth, i, parents))
        lower, upper = lower + min(costs), upper + max(costs)
    assert (found.lower, found.upper) == (lower, upper)


def test_nothing_claimed_and_nothing_to_find() -> None:
    empty = PDAG(list("abc"))
    truth = DAG(list("abc"), [("a", "b")])
    c = compare(empty, truth)
    assert (c.precision, c.recall, c.f1) == (1, 0, 0)
    assert (c.arrow_precision, c.arrow_recall, c.arrow_f1) == (1, 1, 1)
    nothing = compare(empty, DAG(list("abc")))
    assert (nothing.precision, nothing.recall, nothing.f1) == (1, 1, 1)
    assert compare(PDAG(list("abc"), undirected=[["ab"] * 0 or ("a", "b")]), DAG(list("abc"))).recall == 1


def test_a_network_stands_for_its_dag() -> None:
    class Network:
        dag = DAG(list("ab"), [("a", "b")])

    assert compare(PDAG(list("ab"), undirected=[("a", "b")]), Network()).shd == 0


def test_a_cpdag_as_truth() -> None:
    truth = DAG(list("abc"), [("a", "b"), ("c", "b")]).cpdag()
    c = compare(truth, truth)
    assert c.shd == 0
    assert "sid" not in c.to_dict()
    with pytest.raises(ArgumentError, match="sid needs a DAG"):
        _ = c.sid


def test_estimate_that_stands_for_no_dag() -> None:
    square = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]
    truth = DAG(list("abcd"), [("a", "b"), ("b", "c"), ("c", "d"), ("a", "d")])
    c = compare(PDAG(list("abcd"), undirected=square), truth)
    assert c.f1 == 1
    assert not c.sid.exact
    assert c.to_dict()["sid"]["exact"] is False
    assert c.sid.lower <= c.sid.upper


def test_refused() -> None:
    with pytest.raises(ArgumentError, match="lacks 'c'"):
        compare(DAG(list("ab")), DAG(list("abc")))
    with pytest.raises(ArgumentError, match="the truth lacks 'd'"):
        compare(DAG(list("abd")), DAG(list("abc")))
    with pytest.raises(ArgumentError, match="same variables, but the truth lacks 'b', 'c', 'd', 'e', 'f'\\."):
        compare(DAG(list("abcdefg")), DAG(list("a")))
    with pytest.raises(ArgumentError, match="the estimate lacks 'b', 'c', 'd', 'e', 'f' and the truth lacks 'x'\\."):
        compare(DAG(list("ax")), DAG(list("abcdefg")))
    with pytest.raises(UnsupportedTypeError, match="estimated"):
        compare("graph", DAG(list("ab")))  # type: ignore[arg-type]
    with pytest.raises(UnsupportedTypeError, match="truth"):
        compare(DAG(list("ab")), None)


def test_a_pag_is_compared_with_what_a_pag_can_represent() -> None:
    dag = DAG(list("abc"), [("a", "b"), ("b", "c")])
    assert compare(dag.pag(), dag).f1 == 1
    with pytest.raises(UnsupportedTypeError, match="truth: must be a DAG, PAG or MAG if the estimate is a PAG"):
        compare(dag.pag(), dag.cpdag())


def _same_variables(dag: DAG, truth: DAG) -> DAG:
    kept = truth.variables
    return DAG(kept, [(a, b) for a, b in dag.edges if a in kept and b in kept])
