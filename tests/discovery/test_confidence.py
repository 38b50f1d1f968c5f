"""Probabilities, consensus graphs and doubts from bootstrap samples."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bitsep
from bitsep import DAG, Discovery, Knowledge, Table
from bitsep.discovery.calibration import BY_SCORE, BY_TESTS, PairSupport
from bitsep.discovery.consensus import Agreement, agreed
from bitsep.discovery.doubts import doubts_about
from bitsep.errors import ArgumentError
from bitsep.graphs import PDAG

SEARCHES = ("boss", "hill_climb", "pc_stable")


def found(search: str = "boss", rows: int = 300, **options: object) -> Discovery:
    table = Table(bitsep.load_network("asia").sample(rows, seed=1))
    result = getattr(bitsep, search)(table, bootstrap=20, seed=2, **options)
    assert isinstance(result, Discovery)
    return result


def all_pairs(d: Discovery) -> set[frozenset[object]]:
    return {frozenset(pair) for pair in combinations(d.variables, 2)}


@pytest.mark.parametrize("search", SEARCHES)
def test_every_pair_has_a_probability(search: str) -> None:
    d = found(search)
    assert set(d.probability) == all_pairs(d)
    assert len(d.probability) == math.comb(len(d.variables), 2)
    assert all(0 < p < 1 for p in d.probability.values())
    frame = d.edges_frame()
    for a, b, probability in zip(frame["from"], frame["to"], frame["probability"], strict=True):
        assert probability == d.probability[frozenset((a, b))]
    assert d.separations_frame()["probability"].notna().all()


def test_without_samples_there_are_no_probabilities() -> None:
    d = bitsep.boss(Table(bitsep.load_network("asia").sample(300, seed=1)))
    assert not d.probability
    assert not d.doubts
    assert frozenset(("asia", "tub")) not in d.probability
    with pytest.raises(KeyError):
        d.probability[frozenset(("asia", "tub"))]
    assert d.edges_frame()["probability"].isna().all()
    with pytest.raises(ArgumentError, match="consensus: the search had no bootstrap samples"):
        d.consensus(0.5)


@pytest.mark.parametrize("threshold", [0, -0.1, 1.01, math.nan, "0.5", None, True])
def test_thresholds_outside_their_range_are_refused(threshold: object) -> None:
    with pytest.raises(ArgumentError, match="threshold: must be above 0 and at most 1, got"):
        found().consensus(threshold)  # type: ignore[arg-type]


@pytest.mark.parametrize("search", SEARCHES)
def test_a_discovery_read_from_json_has_the_same_probabilities(search: str) -> None:
    d = found(search)
    again = Discovery.from_json(d.to_json())
    assert again == d
    assert dict(again.probability) == dict(d.probability)
    assert again.consensus(0.4) == d.consensus(0.4)
    assert again.doubts == d.doubts


SUPPORT = st.builds(
    PairSupport,
    count=st.integers(0, 100),
    total=st.just(100),
    drawn=st.booleans(),
    variables=st.integers(2, 1000),
    edges=st.floats(0, 1000),
)


@given(SUPPORT, st.sampled_from([BY_SCORE, BY_TESTS]))
def test_more_support_is_more_probable(pair: PairSupport, coefficients: object) -> None:
    more = PairSupport(min(100, pair.count + 1), 100, pair.drawn, pair.variables, pair.edges)
    drawn = PairSupport(pair.count, 100, True, pair.variables, pair.edges)
    for one in (BY_SCORE, BY_TESTS):
        p = one.probability(pair)
        assert 0 <= p <= 1
        assert one.probability(more) >= p
        assert one.probability(drawn) >= p


@pytest.mark.parametrize("search", [bitsep.discover, bitsep.pc_stable])
@pytest.mark.parametrize("rows", [4, 200, 1000])
def test_independent_variables_have_no_probable_edges(search: Any, rows: int) -> None:
    rng = np.random.default_rng(rows)
    d = search({f"v{k}": rng.integers(0, 3, rows) for k in range(20)}, bootstrap=20)
    missing = [p for pair, p in d.probability.items() if pair not in d.edges]
    assert max(missing) < 0.5
    assert sum(missing) < 10


@pytest.mark.parametrize("search", [bitsep.discover, bitsep.pc_stable])
def test_the_only_strong_edge_of_many_variables_is_probable(search: Any) -> None:
    rng = np.random.default_rng(1)
    data = {f"v{k}": rng.integers(0, 2, 500) for k in range(40)}
    data["v1"] = np.where(rng.random(500) < 0.2, data["v1"], data["v0"])
    d = search(data, bootstrap=20)
    pair = frozenset(("v0", "v1"))
    assert d.probability[pair] > 0.9
    assert d.consensus(0.5).adjacent("v0", "v1")


def test_a_share_means_the_same_whatever_the_number_of_samples() -> None:
    for share in (0, 0.2, 1):
        few, some, many = (
            BY_SCORE.probability(PairSupport(share * n, n, share > 0.5, 20, 20.0)) for n in (5, 100, 10_000)
        )
        assert few == some == many


def test_knowledge_is_certain() -> None:
    knowledge = Knowledge(required=[("asia", "smoke")], forbidden=[("tub", "lung"), ("lung", "tub")])
    for search in ("boss", "pc_stable"):
        d = found(search, knowledge=knowledge)
        assert d.probability[frozenset(("asia", "smoke"))] == 1
        assert d.probability[frozenset(("tub", "lung"))] == 0
        graph = d.consensus(1.0)
        assert ("asia", "smoke") in graph.directed
        assert frozenset(("tub", "lung")) not in graph.skeleton


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("threshold", [0.01, 0.3, 0.5, 0.9, 1])
def test_the_consensus_is_a_cpdag_of_probable_edges(search: str, threshold: float) -> None:
    d = found(search)
    graph = d.consensus(threshold)
    assert graph.is_cpdag
    kept = {pair for pair in d.edges if d.probability[pair] >= threshold}
    added = {pair for pair in all_pairs(d) - set(d.edges) if d.probability[pair] >= (1 + threshold) / 2}
    assert graph.skeleton == kept | {pair for pair in added if pair in d.support}


@pytest.mark.parametrize("name", ["asia", "child", "sachs", "insurance"])
def test_samples_that_agree_give_their_cpdag(name: str) -> None:
    cpdag = bitsep.load_network(name).dag.cpdag()
    edges = {}
    for i, j in combinations(range(len(cpdag.variables)), 2):
        a, b = cpdag.variables[i], cpdag.variables[j]
        forward, backward = float((a, b) in cpdag.directed), float((b, a) in cpdag.directed)
        if cpdag.adjacent(a, b):
            edges[i, j] = Agreement(0.9, forward, backward, "")
    assert PDAG._of(cpdag.variables, agreed(len(cpdag.variables), edges)) == cpdag


@st.composite
def agreements(draw: st.DrawFn) -> tuple[int, dict[tuple[int, int], Agreement]]:
    n = draw(st.integers(2, 7))
    pairs = draw(
        st.sets(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda pair: pair[0] < pair[1]))
    )
    shares = st.sampled_from([0.0, 0.2, 0.5, 0.6, 1.0])
    edges = {}
    for pair in sorted(pairs):
        forward = draw(shares)
        edges[pair] = Agreement(0.9, forward, draw(shares) * (1 - forward), draw(st.sampled_from("→←—")))
    return n, edges


@given(agreements())
@settings(max_examples=60)
def test_contradictory_agreements_give_a_cpdag_with_all_edges(
    case: tuple[int, dict[tuple[int, int], Agreement]],
) -> None:
    n, edges = case
    marks = agreed(n, edges)
    graph = PDAG._of(tuple(range(n)), marks)
    assert graph.is_cpdag
    assert graph.skeleton == {frozenset(pair) for pair in edges}


def test_names_and_the_order_of_columns_change_nothing() -> None:
    frame = bitsep.load_network("survey").sample(400, seed=3)
    new = dict(zip(frame.columns, ["n", "b", "z", "a", "m", "c"], strict=True))
    one = bitsep.boss(Table(frame), bootstrap=20)
    other = bitsep.boss(Table(frame.iloc[:, ::-1].rename(columns=new)), bootstrap=20)
    for pair, probability in one.probability.items():
        assert other.probability[frozenset(new[str(name)] for name in pair)] == probability


def with_copies() -> Discovery:
    frame = bitsep.load_network("asia").sample(2000, seed=1)
    frame["copy"] = frame["either"].cat.rename_categories({"yes": "1", "no": "0"})
    frame["third"] = frame["either"]
    frame["nearly"] = np.where(np.arange(2000) < 5, "yes", frame["dysp"])
    frame["constant"] = 1
    return bitsep.boss(Table(frame), bootstrap=20)


def test_copies_share_the_probability_of_their_edges() -> None:
    d = with_copies()
    assert d.copies == (("copy", "either", "third"),)
    assert Discovery.from_json(d.to_json()).copies == d.copies
    pairs = [frozenset((name, "xray")) for name in d.copies[0]]
    assert sum(pair in d.edges for pair in pairs) == 1
    shared = {d.probability[pair] for pair in pairs}
    assert len(shared) == 1
    edges = sum(support.edge for support in d.support.values())
    share = sum(d.support[pair].edge for pair in pairs if pair in d.support)
    about = PairSupport(20 * min(share, 1), 20, True, len(d.variables), edges)
    assert sum(d.probability[pair] for pair in pairs) == pytest.approx(BY_SCORE.probability(about))
    assert d.probability[frozenset(("copy", "either"))] > 0.9 or d.probability[frozenset(("copy", "third"))] > 0.9

    drawn = next(pair for pair in pairs if pair in d.edges)
    (doubt,) = (one for one in doubts_about(d, drawn) if one.kind == "edge")
    name = next(str(v) for v in drawn if v != "xray")
    assert str(doubt.reason) == (
        f"Careful: the edge {name} → xray, or one at a copy in its place, is probable "
        f"({d.probability.counted(drawn):.0%}), this one less ({doubt.share:.0%}): these data cannot tell copy, either "
        "and third apart."
    )
    kinds = [one.kind for one in d.doubts]
    assert "direction" not in kinds[kinds.index("edge") :]  # what copies cannot decide comes last
    sides = d.probability.support(drawn)
    assert sides.edge == pytest.approx(min(share, 1))
    assert max(sides.forward, sides.backward) > 0.9 > 0.1 > min(sides.forward, sides.backward)
    other = next(pair for pair in pairs if pair not in d.edges)
    assert not doubts_about(d, other)
    assert "these data cannot tell copy, either and third apart." in d.explain(*map(str, other))
    assert drawn in d.consensus(0.9).skeleton
    assert not any(pair in d.consensus(0.9).skeleton for pair in pairs if pair != drawn)


@pytest.mark.parametrize("support", [0.0, 0.2, 1.0])
def test_v_structures_of_the_graph_stay_whatever_the_samples_say(support: float) -> None:
    towards = Agreement(0.9, support, 0.0, "→")
    marks = agreed(4, {(0, 2): towards, (1, 2): Agreement(0.6, 0.0, 0.0, "→"), (2, 3): towards})
    assert set(marks.directed_pairs()) == {(0, 2), (1, 2), (2, 3)}
    kept = agreed(3, {(0, 2): Agreement(0.9, 1.0, 0.0, "—"), (1, 2): Agreement(0.9, 1.0, 0.0, "—")})
    assert not list(kept.directed_pairs())


def test_copies_have_values_in_the_same_rows() -> None:
    frame = bitsep.load_network("asia").sample(2000, seed=1).astype(str)
    frame["copy"] = frame["either"]
    frame.loc[::10, ["either", "copy"]] = None
    assert bitsep.boss(Table(frame), bootstrap=1).copies == (("copy", "either"),)
    frame.loc[5, "copy"] = None
    assert bitsep.boss(Table(frame), bootstrap=1).copies == ()
    rng = np.random.default_rng(0)
    apart = {"a": rng.permutation(np.arange(2000) % 2), "b": rng.permutation(np.arange(2000) % 2)}
    few = bitsep.boss(
        {
            name: np.where((np.arange(2000) < 2) | (np.arange(2000) % 2 == k), [str(v) for v in some], None)
            for k, (name, some) in enumerate(apart.items())
        },
        bootstrap=1,
    )
    assert few.copies == ()


def test_the_pair_with_most_support_stands_for_copies_without_an_edge() -> None:
    d = with_copies()
    asia = [frozenset(("asia", name)) for name in d.copies[0]]
    chosen = [pair for pair in asia if pair == d.probability.alike(pair).chosen]
    assert len(chosen) == 1
    assert d.probability.counted(chosen[0]) == pytest.approx(sum(d.probability[pair] for pair in asia))


def test_variables_between_which_knowledge_excludes_an_edge_are_no_copies() -> None:
    frame = bitsep.load_network("asia").sample(2000, seed=1)
    frame["copy"] = frame["either"]
    d = bitsep.boss(Table(frame), bootstrap=20, knowledge=Knowledge(forbidden=[("copy", "either"), ("either", "copy")]))
    assert d.copies == (("copy", "either"),)
    for pair in d.edges:
        assert d.probability.alike(pair).pairs == (pair,)


def test_many_copies_do_not_slow_down_probabilities() -> None:
    rng = np.random.default_rng(0)
    one, other = rng.integers(0, 2, (2, 200))
    d = bitsep.hill_climb(
        {f"a{k}": one for k in range(40)} | {f"b{k}": other for k in range(40)}, bootstrap=1, max_parents=1
    )
    assert [len(group) for group in d.copies] == [40, 40]
    assert len(d.probability._found) == 0
    assert math.fsum(d.probability.values()) >= 78
    assert len(d.probability._found) == 1


def test_knowledge_decides_about_copies() -> None:
    frame = bitsep.load_network("asia").sample(2000, seed=1)
    frame["copy"] = frame["either"]
    known = Knowledge(required=[("copy", "xray")])
    d = bitsep.boss(Table(frame), bootstrap=20, knowledge=known)
    assert d.probability[frozenset(("copy", "xray"))] == 1
    assert d.probability[frozenset(("either", "xray"))] < 0.1
    known = Knowledge(forbidden=[("copy", "xray"), ("xray", "copy")])
    d = bitsep.boss(Table(frame), bootstrap=20, knowledge=known)
    assert d.probability[frozenset(("copy", "xray"))] == 0
    assert d.probability[frozenset(("either", "xray"))] > 0.9


def test_doubts_are_flagged_where_samples_contradict_the_graph() -> None:
    d = found(rows=200)
    assert d.doubts
    for pair in all_pairs(d):
        kinds = {doubt.kind for doubt in doubts_about(d, pair)}
        probability = d.probability[pair]
        assert ("missing edge" in kinds) == (pair not in d.edges and probability > 0.5)
        assert ("edge" in kinds) == (pair in d.edges and probability < 0.5)
        a, b = sorted(map(str, pair))
        directed = (a, b) in d.graph.directed, (b, a) in d.graph.directed
        support = d.support.get(pair)
        weak = support is not None and (
            (directed[0] and support.forward < 0.5) or (directed[1] and support.backward < 0.5)
        )
        assert ("direction" in kinds) == weak
        for doubt in doubts_about(d, pair):
            assert str(doubt.reason) in d.explain(a, b)
            assert doubt in d.doubts
            assert f"doubtful: {doubt.reason}" in str(d)
        assert f"is about {probability:.0%}." in d.explain(a, b)


def test_weak_edges_look_weak(tmp_path: object) -> None:
    pytest.importorskip("matplotlib").use("agg")
    d = found(rows=500)
    ax = d.plot()
    assert len(ax.lines) == sum(doubt.kind == "missing edge" for doubt in d.doubts)
    weak = [patch for patch in ax.patches if patch.get_alpha() == 0.5]
    assert len(weak) == len({doubt.pair for doubt in d.doubts if doubt.kind != "missing edge"})


@pytest.mark.parametrize("algorithm", ["pcmb", "iamb"])
def test_blankets_have_support(algorithm: str) -> None:
    table = Table(bitsep.load_network("asia").sample(500, seed=1))
    blankets = bitsep.markov_blankets(table, algorithm, bootstrap=8, seed=1, threads=2)
    assert blankets == bitsep.markov_blankets(table, algorithm, bootstrap=8, seed=1, threads=1)
    one = blankets["dysp"]
    assert one == bitsep.markov_blanket(table, "dysp", algorithm, bootstrap=8, seed=1)
    assert one.support["bronc"].member == one.support["bronc"].neighbor == 1
    assert all(0 <= share.neighbor <= share.member <= 1 for share in one.support.values())
    assert "bootstrap" in str(one)
    assert bitsep.MarkovBlanket.from_json(one.to_json()) == one
    assert not bitsep.markov_blanket(table, "dysp", algorithm).support


def test_fewer_than_no_samples_are_refused() -> None:
    table = Table(bitsep.load_network("asia").sample(50, seed=1))
    for search in (bitsep.boss, bitsep.hill_climb, bitsep.pc_stable):
        with pytest.raises(ArgumentError, match="bootstrap: must be an integer of at least 0, got -1"):
            search(table, bootstrap=-1)
    with pytest.raises(ArgumentError, match="bootstrap: must be an integer of at least 0, got -1"):
        bitsep.markov_blanket(table, "dysp", bootstrap=-1)


def test_fewer_rows_than_variables_give_a_result() -> None:
    rng = np.random.default_rng(1)
    table = Table(pd.DataFrame(rng.integers(0, 2, (6, 12)), columns=[f"v{i}" for i in range(12)]).astype(str))
    d = bitsep.boss(table, bootstrap=5)
    assert len(d.probability) == 66
    assert d.consensus(0.5).is_cpdag


def test_a_graph_of_one_variable() -> None:
    d = bitsep.boss(Table({"x": ["a", "b", "a", "b"]}), bootstrap=3)
    assert not d.probability
    assert d.consensus(0.5) == PDAG(["x"])
    assert isinstance(d.to_dag(), DAG)


def test_networkx_has_bits_support_and_probability() -> None:
    pytest.importorskip("networkx")
    d = found()
    arcs = list(d.to_networkx().edges(data=True))
    assert len(arcs) == len(d.graph.directed) + 2 * len(d.graph.undirected)
    for a, b, attributes in arcs:
        pair = frozenset((a, b))
        assert attributes["bits"] == d.edges[pair].strength_bits
        assert attributes["support"] == d.support[pair].edge
        assert attributes["probability"] == d.probability[pair]
