"""Searches by score: the best DAG, knowledge, renaming, backends, checkpoints, evidence, bad input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import bitsep
from bitsep.discovery import EdgeCost, EdgeSaving
from bitsep.errors import ArgumentError, KnowledgeError, UnknownColumnError, UnknownMethodError
from bitsep.scores import SCORES
from twins.best_dag import all_dags, shortest_total, subsets

SEARCHES = [bitsep.boss, bitsep.hill_climb]


def random_table(rng: np.random.Generator) -> dict[str, list[int]]:
    """A table of 2 to 5 variables, of a random DAG with random probabilities, without constant columns."""
    variables = list("abcde")[: rng.integers(2, 6)]
    n = int(rng.integers(2, 400))
    columns: dict[str, list[int]] = {}
    for i, v in enumerate(rng.permutation(variables)):
        parents = [p for p in list(columns)[:i] if rng.random() < 0.5]
        levels = int(rng.integers(2, 5))
        strata = [tuple(columns[p][row] for p in parents) for row in range(n)]
        laws = {stratum: rng.dirichlet([0.5] * levels) for stratum in dict.fromkeys(strata)}
        columns[v] = [int(rng.choice(levels, p=laws[stratum])) for stratum in strata]
    return columns if all(len(set(column)) > 1 for column in columns.values()) else random_table(rng)


def local_scores(columns: dict[str, list[int]], score: str, structure: bool) -> dict[Any, float]:
    table = bitsep.Table(columns)
    found = {}
    for v in columns:
        for parents in subsets(sorted(set(columns) - {v})):
            graph = bitsep.DAG(list(columns), [(p, v) for p in parents])
            found[v, parents] = bitsep.score(table, graph, score, structure, threads=1).bits[v]
    return found


def test_the_exact_twin_is_the_best_of_all_dags() -> None:
    rng = np.random.default_rng(5)
    variables = list("abcd")
    bits = {(v, parents): rng.random() for v in variables for parents in subsets([w for w in variables if w != v])}
    dags = list(all_dags(variables))
    assert len(dags) == 543
    least = min(sum(bits[v, parents] for v, parents in dag.items()) for dag in dags)
    assert shortest_total(variables, bits) == pytest.approx(least)


@pytest.mark.parametrize("tables", [60, pytest.param(1000, marks=pytest.mark.slow)])
def test_the_search_over_orders_finds_the_best_dag(tables: int) -> None:
    rng = np.random.default_rng(11)
    missed = 0
    for _ in range(tables):
        columns = random_table(rng)
        score, structure = str(rng.choice(list(SCORES))), bool(rng.random() < 0.8)
        best = shortest_total(sorted(columns), local_scores(columns, score, structure))
        dag = bitsep.boss(columns, score, structure, threads=1).to_dag()
        total = bitsep.score(columns, dag, score, structure).total_bits
        assert total >= best - 1e-6
        missed += total > best + 1e-6
    assert missed <= tables // 100


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("name", ["asia", "alarm"])
def test_no_change_of_one_edge_shortens_the_code(search: Any, name: str) -> None:
    found = search(bitsep.load_network(name).sample(1000, seed=3))
    assert all(edge.saved_bits > 0 for edge in found.edges.values())
    assert all(missing.cost_bits > 0 for missing in found.separations.values())
    assert all(edge.reversed_bits is None or edge.reversed_bits > -1e-6 for edge in found.edges.values())


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("name", ["alarm", "hepar2", "insurance"])
def test_renaming_and_shuffling_columns_changes_nothing(search: Any, name: str) -> None:
    network = bitsep.load_network(name)
    codes = network.sample_codes(500, seed=1)
    first = search(codes)
    for seed in range(3):
        rng = np.random.default_rng(seed)
        new = dict(zip(codes, rng.permutation([f"v{i:03d}" for i in range(len(codes))]), strict=True))
        again = search({new[v]: codes[v] for v in rng.permutation(list(codes))}, threads=1 + seed % 2)
        assert again.graph.directed == {(new[a], new[b]) for a, b in first.graph.directed}
        assert again.skeleton == {frozenset(new[v] for v in pair) for pair in first.skeleton}
        assert again.scores_computed == first.scores_computed


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("score", sorted(SCORES))
def test_the_backend_and_a_checkpoint_do_not_matter(search: Any, score: str, tmp_path: Path) -> None:
    codes = bitsep.load_network("child").sample_codes(500, seed=2)
    pl.DataFrame(codes).write_parquet(tmp_path / "child.parquet")
    found = search(codes, score=score)
    stream = search(bitsep.scan_parquet(tmp_path / "child.parquet"), score=score)
    assert found == stream
    assert found.to_dag() == stream.to_dag()
    assert found == search(codes, score=score, checkpoint=tmp_path / "folder")
    assert found == search(codes, score=score, checkpoint=tmp_path / "folder")
    with pytest.raises(ArgumentError, match="of another score or other options"):
        search(codes, score="fnml" if score == "bic" else "bic", checkpoint=tmp_path / "folder")
    with pytest.raises(ArgumentError, match="of other data"):
        search({**codes, "extra": codes["Age"]}, score=score, checkpoint=tmp_path / "folder")


@pytest.mark.parametrize("search", SEARCHES)
def test_knowledge_is_obeyed(search: Any) -> None:
    network = bitsep.load_network("child")
    data = network.sample(1000, seed=1)
    names = list(network.dag.variables)
    rng = np.random.default_rng(3)
    for _ in range(10):
        order = rng.permutation(names).tolist()
        required = {(order[i], order[j]) for i, j in np.sort(rng.choice(20, (3, 2), replace=False)).tolist()}
        forbidden = {(a, b) for a, b in rng.choice(names, (60, 2)).tolist() if a != b} - required
        knowledge = bitsep.Knowledge(required, forbidden, [order[:7], order[7:14], order[14:]])
        found = search(data, knowledge=knowledge, max_parents=3)
        dag = found.to_dag()
        assert required <= dag.edges
        assert required <= found.graph.directed
        assert not any(knowledge.forbids(a, b) for a, b in dag.edges)
        assert not any(knowledge.forbids(*sorted(pair)) for pair in found.graph.undirected)
        assert max(len(dag.parents(v)) for v in names) <= 3
        assert dag.cpdag().skeleton == found.skeleton
        assert found.graph.directed <= dag.edges
        for a, b in forbidden:
            if (b, a) in forbidden:
                assert "forbids it in both directions" in found.explain(a, b)


@pytest.mark.parametrize("search", SEARCHES)
def test_evidence_is_the_change_of_the_score(search: Any) -> None:
    data = bitsep.load_network("child").sample(1000, seed=1)
    found = search(data)
    dag = found.to_dag()
    total = bitsep.score(data, dag).total_bits

    def changed(plus: Any = None, minus: Any = None) -> float:
        edges = (dag.edges | ({plus} if plus else set())) - {minus}
        return bitsep.score(data, bitsep.DAG(dag.variables, edges)).total_bits - total

    for edge in found.edges.values():
        assert isinstance(edge, EdgeSaving)
        assert edge.saved_bits == pytest.approx(changed(minus=(edge.parent, edge.child)), abs=1e-6)
        assert set(edge.given) == dag.parents(edge.child) - {edge.parent}
        if edge.reversed_bits is not None:
            reversed_bits = changed(plus=(edge.child, edge.parent), minus=(edge.parent, edge.child))
            assert edge.reversed_bits == pytest.approx(reversed_bits, abs=1e-6)
    for missing in list(found.separations.values())[:60]:
        assert isinstance(missing, EdgeCost)
        assert missing.cost_bits == pytest.approx(changed(plus=(missing.parent, missing.child)), abs=1e-6)
        if missing.opposite_bits is not None:
            assert missing.opposite_bits >= missing.cost_bits
            assert missing.opposite_bits == pytest.approx(changed(plus=(missing.child, missing.parent)), abs=1e-6)
        else:
            assert missing.opposite_obstacle == "cycle"
            assert missing.child not in dag.ancestors(missing.parent)


@pytest.mark.parametrize("search", SEARCHES)
def test_a_discovery_survives_json(search: Any) -> None:
    knowledge = bitsep.Knowledge(required=[("xray", "asia")], forbidden=[("tub", "lung"), ("lung", "tub")])
    found = search(bitsep.load_network("asia").sample(500, seed=4), knowledge=knowledge, bootstrap=3, seed=2)
    again = bitsep.Discovery.from_json(found.to_json())
    assert again == found
    assert again.to_dag() == found.to_dag()
    assert again.decisions == found.decisions
    assert again.scores_computed == found.scores_computed > 0
    for a in found.variables:
        for b in found.variables:
            if a < b:
                assert again.explain(a, b) == found.explain(a, b)
    assert found.support
    assert "bootstrap samples" in found.explain("asia", "xray")
    assert found.settings["algorithm"] == search.__name__
    assert repr(found) == f"<Discovery: 8 variables, {len(found.skeleton)} edges, {search.__name__}, sparse_qnml>"


def test_bootstrap_samples_do_not_depend_on_the_backend(tmp_path: Path) -> None:
    codes = bitsep.load_network("asia").sample_codes(300, seed=2)
    pl.DataFrame(codes).write_parquet(tmp_path / "asia.parquet")
    memory = bitsep.boss(codes, bootstrap=4, starts=2)
    assert memory == bitsep.boss(bitsep.scan_parquet(tmp_path / "asia.parquet"), bootstrap=4, starts=2)
    assert memory == bitsep.boss(codes, bootstrap=4, starts=2, checkpoint=tmp_path / "folder")


def test_progress_reports_all_starts() -> None:
    calls: list[tuple[str, int, int]] = []
    bitsep.boss(
        bitsep.load_network("alarm").sample(500, seed=1), starts=8,
        progress=lambda stage, finished, total: calls.append((stage, finished, total)),
    )  # fmt: skip
    assert calls
    assert {(stage, total) for stage, _, total in calls} == {("starts", 8)}
    finished = [number for _, number, _ in calls]
    assert finished == sorted(finished)


def test_an_exception_in_progress_stops_the_search() -> None:
    def stop(stage: str, finished: int, total: int) -> None:
        raise InterruptedError

    for search in SEARCHES:
        with pytest.raises(InterruptedError):
            search(bitsep.load_network("hepar2").sample(3000, seed=1), progress=stop)


def test_weights_stand_for_rows() -> None:
    rows = pl.DataFrame(bitsep.load_network("asia").sample(2000, seed=1))
    weighted = rows.group_by(rows.columns).len("times")
    assert bitsep.boss(rows).graph == bitsep.boss(bitsep.Table(weighted, weights="times")).graph


@pytest.mark.parametrize("search", SEARCHES)
def test_missing_values_do_not_attract_edges(search: Any) -> None:
    rng = np.random.default_rng(1)
    x = rng.integers(0, 2, 2000)
    y = np.where(rng.random(2000) < 0.9, x, 1 - x)
    rare = [int(v) if rng.random() < 0.05 else None for v in rng.integers(0, 3, 2000)]
    assert search({"x": x, "y": y, "rare": rare}).skeleton == {frozenset("xy")}
    frame = bitsep.load_network("alarm").sample(2000, seed=1).astype(object)
    holes = frame.mask(np.random.default_rng(1).random(frame.shape) < 0.05)
    assert len(search(holes).skeleton) <= len(search(frame).skeleton) + 3


def test_a_column_without_values_has_no_edges() -> None:
    x = np.arange(2000) % 3
    for search in SEARCHES:
        found = search({"x": x, "y": x // 2, "empty": [None] * 2000, "same": [1] * 2000}, keep="empty")
        assert found.skeleton == {frozenset("xy")}
        assert found.explain("x", "empty") == "empty and x have no edge: empty has no values."
        assert found.explain("same", "empty").endswith(("empty has no values.", "carries no information."))
        assert any("Values are missing in 'empty' (100%)" in text for text in found.warnings)


@pytest.mark.parametrize("search", SEARCHES)
def test_small_and_degenerate_tables(search: Any) -> None:
    one = search({"a": [0, 1, 1, 0]})
    assert one.variables == ("a",)
    assert not one.edges
    assert one.to_dag().edges == frozenset()
    assert not search({"a": [0], "b": [1], "c": [0]}).edges  # one row
    copy = [0, 1, 2, 0, 1, 2] * 50
    found = search({"a": copy, "b": copy, "c": [v % 2 for v in copy], "constant": ["k"] * 300})
    assert {frozenset("ab")} <= found.skeleton
    assert not found.graph.neighbors("constant")
    assert found.explain("a", "constant") == (
        "a and constant have no edge: constant is constant, so it carries no information."
    )
    assert any("'constant' is constant" in text for text in found.warnings)
    assert any("determine each other" in text for text in found.warnings)


@pytest.mark.parametrize("search", SEARCHES)
def test_bad_arguments(search: Any) -> None:
    data = {"a": [0, 1, 0, 1], "b": [0, 1, 1, 1], "c": [1, 0, 0, 1]}
    with pytest.raises(UnknownMethodError, match="score: unknown score 'fnm'") as error:
        search(data, score="fnm")
    assert error.value.hint == "Did you mean 'fnml'?"
    with pytest.raises(ArgumentError, match="max_parents"):
        search(data, max_parents=-1)
    with pytest.raises(ArgumentError, match="bootstrap"):
        search(data, bootstrap=-1)
    with pytest.raises(ArgumentError, match="threads"):
        search(data, threads=0)
    with pytest.raises(ArgumentError, match="sample_size"):
        search(data, sample_size=2)
    with pytest.raises(KnowledgeError, match="no column 'd'"):
        search(data, knowledge=bitsep.Knowledge(required=[("a", "d")]))
    with pytest.raises(KnowledgeError, match="directed cycle"):
        bitsep.Knowledge(required=[("a", "b"), ("b", "a")])
    with pytest.raises(ArgumentError, match="max_parents: the knowledge requires 2 parents of 'c', got 1"):
        search(data, knowledge=bitsep.Knowledge(required=[("a", "c"), ("b", "c")]), max_parents=1)


def test_bad_arguments_of_one_search() -> None:
    data = {"a": [0, 1, 0, 1], "b": [0, 1, 1, 1], "c": [1, 0, 0, 1]}
    with pytest.raises(ArgumentError, match="starts"):
        bitsep.boss(data, starts=0)
    with pytest.raises(ArgumentError, match="tabu"):
        bitsep.hill_climb(data, tabu=-1)
    with pytest.raises(UnknownColumnError, match="start: no column 'd'"):
        bitsep.hill_climb(data, start=bitsep.DAG(["a", "d"], [("a", "d")]))
    start = bitsep.DAG(["a", "b", "c"], [("a", "b"), ("c", "b")])
    with pytest.raises(
        ArgumentError,
        match="start: the number of parents of 'b', with the required ones, must be at most max_parents, 1, got 2",
    ):
        bitsep.hill_climb(data, start=start, max_parents=1)
    with pytest.raises(ArgumentError, match="start: the knowledge forbids its edge 'a' → 'b'"):
        bitsep.hill_climb(data, start=start, knowledge=bitsep.Knowledge(forbidden=[("a", "b")]))
    chain = bitsep.DAG(["a", "b", "c"], [("a", "b"), ("b", "c")])
    with pytest.raises(ArgumentError, match="start: its edges and the required ones form a directed cycle"):
        bitsep.hill_climb(data, start=chain, knowledge=bitsep.Knowledge(required=[("c", "a")]))


def test_hill_climbing_starts_from_any_graph() -> None:
    network = bitsep.load_network("alarm")
    data = network.sample(2000, seed=1)
    totals = [
        bitsep.score(data, bitsep.hill_climb(data, start=start, tabu=tabu).to_dag()).total_bits
        for start in (None, network, network.dag.cpdag())
        for tabu in (0, 20)
    ]
    assert totals[1] <= totals[0] + 1e-6
    assert min(totals) <= bitsep.score(data, network).total_bits


def test_discover_calls_the_search_by_its_name() -> None:
    data = bitsep.load_network("asia").sample(500, seed=1)
    assert bitsep.discover(data) == bitsep.boss(data)
    assert bitsep.discover(data, "hill_climb", tabu=3) == bitsep.hill_climb(data, tabu=3)
    assert bitsep.discover(data, algorithm="pc_stable", method="g2") == bitsep.pc_stable(data, method="g2")
    with pytest.raises(UnknownMethodError, match="algorithm: unknown value 'bos'"):
        bitsep.discover(data, "bos")
    with pytest.raises(ArgumentError, match="alpha: boss has no such argument; it belongs to pc_stable"):
        bitsep.discover(data, alpha=0.01)
    with pytest.raises(ArgumentError, match="tabu: pc_stable has no such argument; it belongs to hill_climb"):
        bitsep.discover(data, "pc_stable", tabu=3)
    with pytest.raises(ArgumentError):
        bitsep.discover(data, nonsense=3)


def test_very_long_codes_do_not_overflow() -> None:
    rng = np.random.default_rng(0)
    columns = {f"c{i}": rng.integers(0, 400, 2000) for i in range(4)} | {"binary": rng.integers(0, 2, 2000)}
    for search in SEARCHES:
        assert not search(columns, "bic").edges
    more = {f"c{i}": rng.integers(0, 400, 2000) for i in range(6)} | {
        f"b{i}": rng.integers(0, 2, 2000) for i in range(5)
    }
    required = {("c0", "c3"), ("c1", "c3"), ("c2", "c3")}
    for search in SEARCHES:
        assert required <= search(more, "bic", knowledge=bitsep.Knowledge(required=required)).to_dag().edges


def test_columns_of_unique_values_need_no_large_tables() -> None:
    rng = np.random.default_rng(0)
    n = 20_000
    columns = {"id": rng.permutation(n), "other": rng.permutation(n)} | {c: rng.integers(0, 3, n) for c in "abc"}
    assert frozenset("ab") not in bitsep.boss(columns, threads=1).skeleton


def test_families_without_common_rows() -> None:
    rng = np.random.default_rng(0)
    c = rng.integers(0, 2, 400)
    a = [int(v) if i < 200 else None for i, v in enumerate(c)]
    b = [int(v) if i >= 200 else None for i, v in enumerate(c)]
    for search in SEARCHES:
        found = search({"a": a, "b": b, "c": c})
        assert found.skeleton == {frozenset("ac"), frozenset("bc")}
        assert found.separations[frozenset("ab")].margin_bits > 0
        assert "no row has values in" in found.explain("a", "b")
        found = search({"a": a, "b": b, "c": c}, knowledge=bitsep.Knowledge(required=[("a", "b")]))
        assert "no row has values in b and all its parents" in found.explain("a", "b")
        assert found.to_dag().parents("b") == {"a"}  # and no other variable, whose code would be as short
        assert not any("determine each other" in warning for warning in found.warnings)
        assert bitsep.Discovery.from_json(found.to_json()) == found


@pytest.mark.parametrize("search", SEARCHES)
def test_evidence_knows_the_largest_number_of_parents(search: Any) -> None:
    data = bitsep.load_network("asia").sample(2000, seed=1)
    found = search(data, max_parents=1)
    assert all(missing.cost_bits is None or missing.cost_bits > 0 for missing in found.separations.values())
    assert any("max_parents" in (m.obstacle, m.opposite_obstacle) for m in found.separations.values())
    none = search(data, max_parents=0)
    assert not none.edges
    assert none.explain("lung", "smoke") == (
        "lung and smoke have no edge: smoke has as many parents as max_parents allows, and lung has as many parents as "
        "max_parents allows."
    )


@pytest.mark.parametrize("search", SEARCHES)
def test_numbers_of_numpy_are_plain_in_the_settings(search: Any) -> None:
    data = bitsep.load_network("cancer").sample(200, seed=1)
    found = search(data, "bdeu", max_parents=np.int64(2), sample_size=np.int64(2), seed=np.uint8(3))
    assert bitsep.Discovery.from_json(found.to_json()) == found
    for name, value in (("seed", 2**64), ("structure", "no")):
        with pytest.raises(ArgumentError, match=f"{name}: must be"):
            search(data, **{name: value})


def test_a_start_graph_agrees_with_knowledge_and_constants() -> None:
    data = bitsep.load_network("asia").sample(500, seed=1).assign(same=1)
    start = bitsep.PDAG([*data.columns], [("asia", "same")], [("lung", "smoke")])
    for required in (("lung", "smoke"), ("smoke", "lung")):
        found = bitsep.hill_climb(data, start=start, knowledge=bitsep.Knowledge(required=[required]))
        assert required in found.to_dag().edges
    tiers = bitsep.Knowledge(tiers=[["lung"], ["smoke"]])
    assert ("smoke", "lung") not in bitsep.hill_climb(data, start=start, knowledge=tiers).to_dag().edges
