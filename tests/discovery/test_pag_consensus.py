"""The consensus of a PAG, support of its marks, and PAGs with knowledge."""

import random

import pytest

import bitsep
from bitsep import PAG, Discovery, Knowledge, Oracle, Table, fci, load_network
from bitsep.discovery.consensus import Agreement, agreed_marks
from bitsep.discovery.doubts import doubts_about
from bitsep.errors import ArgumentError
from discovery.hidden_cases import check_consensus, check_knowledge, check_renaming, random_case

HIDDEN = {"asia": ["smoke"], "child": ["Disease", "LungParench"], "alarm": ["LVFAILURE", "VENTLUNG", "CATECHOL"]}

CONFOUNDED = Table(load_network("alarm").sample(1000, seed=1).drop(columns=["LVFAILURE", "VENTLUNG"]))


def hidden_rows(name: str, n: int) -> Table:
    return Table(load_network(name).sample(n, seed=3).drop(columns=HIDDEN[name]))


def pag(graph: object) -> PAG:
    assert isinstance(graph, PAG)
    return graph


def test_the_consensus_is_a_legal_pag_on_random_tables() -> None:
    for seed in range(3_000_000, 3_000_060):
        check_consensus(seed)


@pytest.mark.slow
def test_the_consensus_is_a_legal_pag_on_many_random_tables() -> None:
    for seed in range(3_001_000, 3_001_200):
        check_consensus(seed)


@pytest.mark.parametrize("variant", ["fci", "rfci"])
@pytest.mark.parametrize("name", HIDDEN)
def test_the_consensus_is_a_legal_pag_on_networks_with_hidden_variables(name: str, variant: str) -> None:
    found = fci(hidden_rows(name, 500), variant=variant, bootstrap=10)
    again = Discovery.from_json(found.to_json())
    for threshold in (0.01, 0.3, 0.5, 0.9, 1):
        graph = pag(found.consensus(threshold))
        assert graph.is_legal
        assert again.consensus(threshold) == graph


def test_samples_that_agree_give_their_pag() -> None:
    """Colliders, also those of discriminating paths, follow from the arrowheads of the samples alone."""
    rng = random.Random(1)
    for _ in range(200):
        dag, hidden, selection = random_case(rng, 6)
        graph = dag.pag(hidden=hidden, selection=selection)
        index = {name: i for i, name in enumerate(graph.variables)}
        edges = {}
        for a, _, b in graph.edge_lines():
            a, b = sorted((a, b), key=lambda name: index[name])
            forward, backward = (float(graph.mark(x, y) == "arrow") for x, y in ((b, a), (a, b)))
            edges[index[a], index[b]] = Agreement(0.9, forward, backward, "")
        ends = agreed_marks(len(index), edges, None, bool(selection))
        assert PAG._of(graph.variables, ends) == graph


def test_support_counts_arrowheads() -> None:
    """A ↔ counts as an arrowhead at both ends, and the edge once."""
    found = fci(CONFOUNDED, bootstrap=8)
    assert all(max(s.forward, s.backward) <= s.edge <= 1 for s in found.support.values())
    a, b = sorted(min(pag(found.graph).bidirected, key=lambda pair: -found.support[pair].edge))
    support = found.support[frozenset((a, b))]
    assert support.forward > 0 < support.backward
    text = found.explain(a, b)
    assert f"{support.forward:.0%} have an arrowhead at {b}, {support.backward:.0%} at {a}." in text
    assert f"(→ {support.forward:.0%}, ← {support.backward:.0%})" in found._repr_html_()


def test_doubts_about_arrowheads() -> None:
    found = fci(CONFOUNDED, bootstrap=20)
    graph = pag(found.graph)
    seen = set()
    for pair in found.support:
        kinds = [doubt.kind for doubt in doubts_about(found, pair)]
        a, b = sorted(pair)
        support, edge = found.support[pair], pair in found.edges
        weak = [(b, a, support.forward), (a, b, support.backward)]
        expected = sum(graph.mark(x, y) == "arrow" and share < 0.5 for x, y, share in weak)
        assert kinds.count("direction") == expected
        assert kinds.count("edge") == (edge and found.probability[pair] < 0.5)
        seen |= set(kinds)
        for doubt in doubts_about(found, pair):
            assert str(doubt.reason) in found.explain(a, b)
    assert seen >= {"direction"}


def test_names_change_nothing() -> None:
    frame = load_network("alarm").sample(500, seed=3).drop(columns=HIDDEN["alarm"])
    rng = random.Random(1)
    new = dict(zip(frame.columns, rng.sample([f"v{i:02}" for i in range(len(frame.columns))], k=34), strict=True))
    one, other = fci(frame, bootstrap=10), fci(frame.rename(columns=new), bootstrap=10)
    for threshold in (0.3, 0.9):
        graph, renamed = pag(one.consensus(threshold)), pag(other.consensus(threshold))
        for a, _, b in graph.edge_lines():
            assert (graph.mark(a, b), graph.mark(b, a)) == (renamed.mark(new[a], new[b]), renamed.mark(new[b], new[a]))
        assert len(renamed.skeleton) == len(graph.skeleton)


def test_the_consensus_obeys_knowledge() -> None:
    knowledge = Knowledge(required=[("asia", "xray")], forbidden=[("lung", "either")], tiers=[["bronc"], ["dysp"]])
    found = fci(hidden_rows("asia", 1000), knowledge=knowledge, bootstrap=8)
    graph = pag(found.consensus(1.0))
    assert ("asia", "xray") in graph.directed
    graph = pag(found.consensus(0.3))
    assert graph.mark("lung", "either") == "arrow"
    assert graph.mark("dysp", "bronc") == "arrow"
    assert pag(found.graph).mag().skeleton == found.skeleton


@pytest.mark.parametrize("threshold", [0, -1, 1.1, "much", None])
def test_bad_thresholds(threshold: object) -> None:
    found = fci(hidden_rows("asia", 200), bootstrap=2)
    with pytest.raises(ArgumentError, match="threshold: must be above 0 and at most 1, got"):
        found.consensus(threshold)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="consensus: the search had no bootstrap samples"):
        fci(hidden_rows("asia", 200)).consensus()


def test_graphs_with_knowledge_represent_a_mag_that_obeys_it() -> None:
    for seed in range(4_000_000, 4_000_100):
        check_knowledge(seed)


def test_names_and_order_of_columns_change_nothing_with_knowledge() -> None:
    for seed in range(4_002_000, 4_002_150):
        check_renaming(seed)


@pytest.mark.slow
def test_many_graphs_with_knowledge_represent_a_mag_that_obeys_it() -> None:
    for seed in range(4_001_000, 4_001_300):
        check_knowledge(seed)


def test_knowledge_that_contradicts_itself_is_a_conflict() -> None:
    """As statements about causes, a → b → c contradicts that a is not a cause of c."""
    dag = bitsep.DAG(list("abc"), [("a", "b"), ("b", "c"), ("a", "c")])
    knowledge = Knowledge(required=[("a", "b"), ("b", "c")], forbidden=[("a", "c")])
    found = fci(Oracle(dag), knowledge=knowledge)
    assert [(conflict.kind, set(conflict.edge)) for conflict in found.conflicts] == [("knowledge", {"a", "c"})]
    assert ("a", "c") in pag(found.graph).directed
