"""Columns that are mostly missing, missing values as a level, and the smallest effect of an edge."""

from __future__ import annotations

import pickle
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bitsep
from bitsep.discovery.blankets.api import ALGORITHMS, NEIGHBOR_ALGORITHMS, neighbors
from bitsep.errors import ArgumentError, UnknownColumnError
from bitsep.independence import open_engine
from discovery.test_score_search import local_scores, random_table
from twins.best_dag import shortest_total

SEARCHES = [bitsep.discover, bitsep.boss, bitsep.hill_climb, bitsep.pc_stable]
BY_SCORE = [bitsep.boss, bitsep.hill_climb]
N = 4000


def movies() -> pd.DataFrame:
    """Like the table of movies: the rating and the budget are known for few, which are all recent."""
    draw = np.random.default_rng(0)
    year = draw.integers(0, 4, N)
    length = (year + draw.integers(0, 2, N)) % 4
    animation = (draw.random(N) < 0.2 + 0.15 * year).astype(int)
    votes = (animation + (draw.random(N) < 0.2)) % 2
    rated = (year == 3) & (draw.random(N) < 0.3)
    strict = draw.random(N) < np.where(length >= 2, 0.8, 0.2)
    budget = (votes + (draw.random(N) < 0.3)) % 2
    return pd.DataFrame(
        {
            "year": year,
            "length": length,
            "animation": animation,
            "votes": votes,
            "rating": np.where(rated, np.where(strict, "R", "G"), None),
            "budget": np.where(draw.random(N) < 0.09, budget, None),
        }
    )


def complete_edges(found: bitsep.Discovery) -> set[frozenset[str]]:
    return {pair for pair in found.skeleton if pair.isdisjoint(("rating", "budget"))}


@pytest.mark.parametrize("search", SEARCHES)
def test_mostly_missing_columns_do_not_separate(search: Any) -> None:
    """With or without them, the other columns have the same edges, and they have edges themselves."""
    data = movies()
    found = search(data)
    alone = search(data.drop(columns=["rating", "budget"]))
    assert complete_edges(found) == alone.skeleton
    assert frozenset(("budget", "votes")) in found.skeleton
    assert [(alert.column, alert.kind) for alert in found.restricted] == [
        ("budget", "mostly_missing"), ("rating", "mostly_missing"),
    ]  # fmt: skip
    assert alone.restricted == search(data, min_rows_share=0).restricted == ()


def test_without_the_restriction_they_do() -> None:
    data = movies()
    assert frozenset(("year", "length")) not in bitsep.pc_stable(data, min_rows_share=0).skeleton
    assert frozenset(("year", "length")) in bitsep.pc_stable(data).skeleton


@pytest.mark.parametrize("orientation", ["evidence", "majority", "conservative", "standard"])
def test_no_conditioning_set_has_such_a_column(orientation: Any) -> None:
    found = bitsep.pc_stable(movies(), orientation=orientation)
    used = [set(edge.given) for edge in found.edges.values()]
    for separation in found.separations.values():
        used += [set(separation.given), set(separation.runner_up.given if separation.runner_up else ())]
    assert not {"rating", "budget"} & set().union(*used)


@pytest.mark.parametrize("search", BY_SCORE)
def test_such_a_column_is_no_parent(search: Any) -> None:
    found = search(movies())
    assert not {a for a, _ in found.to_dag().edges} & {"rating", "budget"}
    between = found.separations[frozenset(("rating", "budget"))]
    assert between.obstacle == between.opposite_obstacle == "missing"
    assert "rating has values in too few rows to be a parent (min_rows_share)" in found.explain("rating", "budget")
    required = search(movies(), knowledge=bitsep.Knowledge(required=[("budget", "votes")]))
    assert ("budget", "votes") in required.to_dag().edges  # knowledge is stronger
    assert [alert.column for alert in required.restricted] == ["budget", "rating"]


def test_a_start_graph_loses_such_parents() -> None:
    start = bitsep.DAG(["budget", "votes", "year"], [("budget", "votes"), ("year", "votes")])
    found = bitsep.hill_climb(movies(), start=start, tabu=0)
    assert ("budget", "votes") not in found.to_dag().edges
    with pytest.raises(ArgumentError, match="start: the knowledge forbids"):
        bitsep.hill_climb(movies(), start=start, knowledge=bitsep.Knowledge(forbidden=[("year", "votes")]))


@pytest.mark.parametrize("algorithm", sorted(ALGORITHMS))
def test_blankets(algorithm: str) -> None:
    data = movies()
    found = bitsep.markov_blankets(data, algorithm)
    assert not {z for one in found.values() for e in one.evidence.values() for z in e.result.given} & {
        "rating", "budget",
    }  # fmt: skip
    alone = bitsep.markov_blankets(data.drop(columns=["rating", "budget"]), algorithm)
    for name, blanket in alone.items():
        assert set(found[name].members) - {"rating", "budget"} == set(blanket.members)
    one = bitsep.markov_blanket(data, "votes", algorithm)
    assert one == found["votes"]
    assert "budget" in one.members
    assert [alert.column for alert in one.restricted] == ["budget", "rating"]
    assert "not given  budget, rating" in str(one)
    assert bitsep.MarkovBlanket.from_json(one.to_json()) == one
    if algorithm in NEIGHBOR_ALGORITHMS:
        assert neighbors(data, "votes", algorithm) == one.neighbors


@pytest.mark.parametrize("search", SEARCHES)
def test_few_rows_are_counted_and_marked(search: Any) -> None:
    found = search(movies(), bootstrap=2)
    frame = found.separations_frame()
    few = int(frame["few_rows"].sum())
    assert few > 0
    possible = int(np.isfinite(frame["margin_bits"]).sum())
    told = f"{few:,} of {possible:,} missing edges rest on less than 50% of the rows"
    assert any(text.startswith(told) for text in found.warnings)
    assert any(text.startswith("Values are missing in 'rating' (9") for text in found.warnings)
    for _, line in frame.iterrows():
        assert line["few_rows"] == (np.isfinite(line["margin_bits"]) and line["rows"] < 0.5 * N)
        assert ("Careful: this rests on" in found.explain(line["a"], line["b"])) == line["few_rows"]
    assert len(frame) == len(found.separations)
    assert not search(movies(), min_rows_share=0).separations_frame()["few_rows"].any()


@pytest.mark.parametrize("search", SEARCHES)
def test_json_pickle_text_and_report(search: Any, tmp_path: Any) -> None:
    found = search(movies(), min_effect=0.001, missing_as_level=["rating"])
    for again in (bitsep.Discovery.from_json(found.to_json()), pickle.loads(pickle.dumps(found))):
        assert again == found
        assert again.restricted == found.restricted
        pd.testing.assert_frame_equal(again.edges_frame(), found.edges_frame())
        pd.testing.assert_frame_equal(again.separations_frame(), found.separations_frame())
    assert {name: found.settings[name] for name in ("min_rows_share", "min_effect", "missing_as_level")} == {
        "min_rows_share": 0.5,
        "min_effect": 0.001,
        "missing_as_level": ["rating"],
    }
    line = "restricted: budget is missing in 91% of the rows."
    assert line in str(found)
    assert line in found._repr_html_()
    page = found.save_report(tmp_path / "graph.html").read_text(encoding="utf-8")
    for text in (
        "budget is missing in 91% of the rows",
        "missing_as_level=['rating']",
        "min_effect=0.001",
        "⟨missing⟩",
    ):
        assert text in page
    again = bitsep.Discovery.from_json(found.to_json())
    assert "⟨missing⟩" in again.save_report(tmp_path / "again.html", data=movies()).read_text(encoding="utf-8")


@pytest.mark.parametrize("search", SEARCHES)
def test_missing_as_level_is_the_same_as_a_value(search: Any) -> None:
    data = movies()
    by_hand = data.assign(rating=data["rating"].fillna("~"))  # the last level by name
    found, expected = search(data, missing_as_level="rating"), search(by_hand)
    assert found.graph == expected.graph
    assert found.edges == expected.edges
    assert [alert.column for alert in found.restricted] == ["budget"]
    everything = search(data, missing_as_level=True)
    assert everything.restricted == ()
    assert not any("missing" in text for text in everything.warnings)


def test_missing_as_level_in_tests_and_blankets() -> None:
    data = movies()
    by_hand = data.assign(rating=data["rating"].fillna("~"), budget=data["budget"].fillna("~"))
    query = ("rating", "year", ("budget",))
    expected = bitsep.independence_test(by_hand, "rating", "year", "budget")
    assert bitsep.independence_test(data, "rating", "year", "budget", missing_as_level=True) == expected
    assert bitsep.evaluate(data, [query], missing_as_level=["rating", "budget"]) == [expected]
    assert bitsep.separate(data, [query], missing_as_level=True) == bitsep.separate(by_hand, [query])
    assert bitsep.markov_blankets(data, missing_as_level=True) == bitsep.markov_blankets(by_hand)
    assert bitsep.pairwise(data, missing_as_level=True).to_json() == bitsep.pairwise(by_hand).to_json()
    merged = bitsep.independence_test(data, ["rating", "budget"], "year", missing_as_level="rating")
    assert merged == bitsep.independence_test(data.assign(rating=by_hand["rating"]), ["rating", "budget"], "year")


@pytest.mark.parametrize("search", SEARCHES)
def test_every_edge_has_the_smallest_effect(search: Any) -> None:
    data = bitsep.load_network("asia").sample(N, seed=3)
    before = len(search(data).skeleton)
    for smallest in (0.005, 0.02, 0.1):
        found = search(data, min_effect=smallest)
        frame = found.edges_frame()
        assert len(frame) == len(found.skeleton) <= before
        assert (frame["bits_per_row"] >= smallest).all()
        assert (frame["margin_bits"] >= 0).all()
        assert frame["entropy_share"].between(0, 1).all()
        before = len(found.skeleton)
    assert before < len(search(data).skeleton)


@pytest.mark.parametrize("method", ["sci_f", "sci_fs", "jic", "g2_adjusted", "x2", "x2_calibrated"])
def test_min_effect_raises_the_threshold_of_every_test(method: str) -> None:
    """The slow twin: the record without it, and n · min_effect bits."""
    data = bitsep.load_network("asia").sample(1000, seed=1)
    plain, raised = open_engine(data, method), open_engine(data, method, min_effect=0.01)
    for x, y in combinations(range(len(plain.variables)), 2):
        [found], [expected] = (
            engine.evaluate(bitsep.independence.api._batch([(x, y, [])])) for engine in (raised, plain)
        )
        assert found["threshold_bits"] == expected["threshold_bits"] + 10.0
        assert found["score_bits"] == pytest.approx(expected["score_bits"] - 10.0, abs=1e-6)
        one, other = raised.result(x, y, (), found), plain.result(x, y, (), expected)
        for value, before in (
            (one.p_value, other.p_value),
            (one.no_hypercompression_bound, other.no_hypercompression_bound),
        ):
            assert value is before is None or value == pytest.approx(before, rel=1e-6)


def test_min_effect_for_tests_in_python() -> None:
    class Half:
        name = "half"
        identity = "half a bit"

        def judge(self, counts: bitsep.Counts) -> Any:
            return bitsep.Judgment(threshold_bits=0.5)

    data = bitsep.load_network("asia").sample(1000, seed=1)
    found = bitsep.pc_stable(data, method=Half(), min_effect=0.1, max_given=1)
    assert (found.edges_frame()["bits_per_row"] >= 0.1).all()
    assert all(edge.weakest.threshold_bits == 100.5 for edge in found.edges.values())


def test_the_best_dag_with_a_smallest_effect() -> None:
    """The slow twin: every parent costs min_effect bits for each row."""
    draw = np.random.default_rng(4)
    for _ in range(25):
        columns = random_table(draw)
        n, smallest = len(next(iter(columns.values()))), float(draw.choice([0.01, 0.1, 0.5]))
        bits = {
            (v, parents): length + smallest * n * len(parents)
            for (v, parents), length in local_scores(columns, "fnml", structure=True).items()
        }
        dag = bitsep.boss(columns, "fnml", min_effect=smallest, keep=list(columns)).to_dag()
        total = sum(bits[v, frozenset(dag.parents(v))] for v in columns)
        assert total == pytest.approx(shortest_total(sorted(columns), bits), abs=1e-6)


@given(st.integers(0, 10**6), st.floats(0, 0.05))
@settings(max_examples=15, deadline=None)
def test_effects_of_random_networks(seed: int, smallest: float) -> None:
    draw = np.random.default_rng(seed)
    x = draw.integers(0, 2, 300)
    data = pd.DataFrame({"x": x, "y": x ^ (draw.random(300) < 0.3), "z": draw.integers(0, 3, 300)})
    data["w"] = (data["y"] + data["z"] + (draw.random(300) < 0.2)) % 2
    data = data.astype("object").mask(draw.random(data.shape) < draw.random(4) * 0.8)
    for search in (bitsep.boss, bitsep.pc_stable):
        found = search(data, min_effect=smallest, keep=list("wxyz"))
        frame = found.edges_frame()
        assert len(frame) == len(found.skeleton)
        assert (frame["bits_per_row"] >= smallest - 1e-9).all()
        restricted = {alert.column for alert in found.restricted}
        assert restricted == {name for name in data if data[name].notna().sum() < 150}
        assert not restricted.intersection(*[set(given) for given in frame["given"]] or [set()])


def test_the_share_of_the_entropy() -> None:
    data = pd.DataFrame({"a": [0, 1] * 500, "b": [0, 0, 1, 1] * 250})
    data["copy"] = data["a"]
    found = bitsep.pc_stable(data)
    assert found.edges[frozenset(("a", "copy"))].entropy_share == 1
    assert found.edges[frozenset(("a", "copy"))].bits_per_row == 1
    oracle = bitsep.pc_stable(bitsep.Oracle(bitsep.load_network("asia")))
    assert len(oracle.edges_frame()) == len(oracle.skeleton)
    assert oracle.edges_frame()["bits_per_row"].isna().all()
    assert not oracle.separations_frame()["few_rows"].any()


@pytest.mark.parametrize("search", SEARCHES)
def test_graphs_without_edges_and_required_edges(search: Any) -> None:
    draw = np.random.default_rng(1)
    data = {"a": draw.integers(0, 2, 100), "b": draw.integers(0, 2, 100)}
    empty = search(data)
    assert len(empty.edges_frame()) == 0 < len(empty.separations_frame())
    required = search(data, knowledge=bitsep.Knowledge(required=[("a", "b")]), min_effect=1)
    assert required.edges_frame()["required"].all()


def test_the_support_has_the_direction_of_the_line() -> None:
    found = bitsep.boss(bitsep.load_network("earthquake").sample(2000, seed=1), bootstrap=5)
    for _, line in found.edges_frame().iterrows():
        support = found.edges[frozenset((line["from"], line["to"]))].support
        forward = support.forward if line["from"] < line["to"] else support.backward
        assert (line["support"], line["support_forward"]) == (support.edge, forward)


@pytest.mark.parametrize("search", [*SEARCHES, lambda data, **rest: bitsep.markov_blanket(data, "year", **rest)])
def test_bad_input(search: Any) -> None:
    data = movies()
    for share in (-0.1, 1.1, "half", None, float("nan")):
        with pytest.raises(ArgumentError, match="min_rows_share: must lie between 0 and 1"):
            search(data, min_rows_share=share)
    for effect in (-0.1, float("inf"), "much", None):
        with pytest.raises(ArgumentError, match="min_effect: must be a number of at least 0"):
            search(data, min_effect=effect)
    with pytest.raises(UnknownColumnError, match="missing_as_level: no column 'Rating'"):
        search(data, missing_as_level=["Rating"])
    with pytest.raises(bitsep.BitsepError, match="missing_as_level: must be True, False or names of columns"):
        search(data, missing_as_level=[["rating"]])


def test_bad_input_of_tests_and_engines() -> None:
    with pytest.raises(ArgumentError, match="missing_as_level: must name columns of the test, got 'budget'"):
        bitsep.independence_test(movies(), "year", "rating", missing_as_level=["budget"])
    engine = open_engine(movies())
    assert bitsep.pc_stable(engine).restricted  # an engine knows its data
    for rest in ({"min_effect": 0.1}, {"missing_as_level": True}):
        with pytest.raises(ArgumentError, match="an engine has its own data and thresholds"):
            bitsep.pc_stable(engine, **rest)


@pytest.mark.parametrize("search", [bitsep.pc_stable, bitsep.fci])
def test_a_pair_without_a_common_row(search: Any) -> None:
    half = [0, 1] * 50
    found = search({"a": [*half, *[None] * 100], "b": [*[None] * 100, *half], "c": [0, 1] * 100})
    text = found.explain("a", "b")
    assert text.startswith("a and b have no edge: no row has values in a and b, so no test can show a dependence.")
    assert "oracle" not in text
    assert "fewer than the paper's bound" not in text
    assert "Careful: this rests on 0 of the 200 rows (0%)" in text
