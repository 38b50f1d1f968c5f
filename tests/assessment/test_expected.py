"""The accuracy to expect of a search."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bitsep
from bitsep import Discovery, Knowledge, Table
from bitsep.assessment.expected import recall_estimate
from bitsep.errors import ArgumentError, BitsepError, DataError, UnknownColumnError, UnsupportedTypeError


@pytest.fixture(scope="module")
def rows() -> Any:
    return bitsep.load_network("asia").sample(1000, seed=1)


@pytest.mark.parametrize("search", ["boss", "hill_climb", "pc_stable"])
def test_expectations_follow_from_probabilities(search: str, rows: Any) -> None:
    d = getattr(bitsep, search)(Table(rows), bootstrap=30, seed=1)
    e = bitsep.expected_accuracy(d, samples=2)
    true = sum(d.probability.values())
    common = sum(d.probability[pair] for pair in d.edges)
    assert e.precision == pytest.approx(common / len(d.edges))
    if search == "pc_stable":
        assert e.recall == pytest.approx(common / true)
    else:
        lacking = np.mean([1 - d.support[pair].edge if pair in d.support else 1 for pair in d.edges])
        assert e.recall == pytest.approx(recall_estimate(common / true, float(lacking)))
    assert e.shd >= common / e.recall + len(d.edges) - 2 * common - 1e-9
    assert list(e.frame.columns) == ["rows", "precision", "recall", "shd"]
    assert e.frame["rows"].tolist() == [1000, 2000, 5000]
    assert e.frame.iloc[0].tolist() == [1000, e.precision, e.recall, e.shd]
    assert f"{e.precision:.0%}" in str(e)
    assert e.to_dict()["expectations"][2]["rows"] == 5000


def test_more_rows_help(rows: Any) -> None:
    e = bitsep.expected_accuracy(bitsep.discover(rows), rows=[200, 1000, 20_000], samples=8)
    recall = e.frame["recall"].tolist()
    assert recall[0] < recall[1] < recall[2]
    assert e.frame["shd"].iloc[2] < e.frame["shd"].iloc[0]


def test_more_rows_help_where_nothing_is_missing() -> None:
    """With one pair of variables, and its edge found, nothing is missing: recall is 1 with more rows, too."""
    rows = bitsep.load_network("asia").sample(300, seed=1)[["smoke", "lung"]]
    found = bitsep.expected_accuracy(bitsep.discover(rows, bootstrap=20), samples=2).frame
    assert found["recall"].tolist() == [1.0, 1.0, 1.0]
    assert found["precision"].is_monotonic_increasing


def test_no_more_edges_are_missing_than_there_are_pairs() -> None:
    rows = bitsep.load_network("asia").sample(60, seed=1)[["smoke", "lung", "bronc", "dysp"]]
    d = bitsep.hill_climb(rows, bootstrap=20)
    e = bitsep.expected_accuracy(d, samples=2)
    true = sum(d.probability[pair] for pair in d.edges)
    assert d.edges
    assert true / e.recall <= true + len(d.separations) + 1e-9
    everything = bitsep.expected_accuracy(
        bitsep.hill_climb(
            rows,
            knowledge=Knowledge(
                forbidden=[tuple(order) for pair in d.separations for order in (sorted(pair), sorted(pair)[::-1])]
            ),
            bootstrap=20,
        ),
        samples=2,
    )
    assert everything.recall == 1


def test_required_edges_say_nothing_about_the_others() -> None:
    rows = bitsep.load_network("survey").sample(100, seed=2)
    d = bitsep.discover(rows, bootstrap=20, knowledge=Knowledge(required=[("E", "O")]))
    others = math.fsum(d.probability.values()) - 1
    assert set(d.edges) == {frozenset(("E", "O"))}
    e = bitsep.expected_accuracy(d, samples=2)
    assert e.precision == 1
    assert e.recall == pytest.approx(1 / (1 + others))


def test_more_rows_do_not_tell_copies_apart(rows: Any) -> None:
    frame = rows.assign(copy=rows["either"])
    d = bitsep.discover(frame, bootstrap=20)
    assert d.copies == (("copy", "either"),)
    e = bitsep.expected_accuracy(d, rows=[1000, 100_000], samples=3)
    at_copies = [pair for pair in d.edges if len(d.probability.alike(pair).pairs) > 1]
    least = (len(d.edges) - len(at_copies) / 2) / len(d.edges)
    assert e.precision < e.expectations[1].precision < least + 0.01


def test_little_support_of_edges_means_that_others_are_missing() -> None:
    shares = [recall_estimate(0.8, lacking) for lacking in (0, 0.01, 0.1, 0.3, 1)]
    assert shares == sorted(shares, reverse=True)
    assert [recall_estimate(one, 0.1) for one in (0, 0.1, 0.5, 1)] == sorted(
        recall_estimate(one, 0.1) for one in (0, 0.1, 0.5, 1)
    )


def test_the_result_depends_on_the_seed_only(rows: Any) -> None:
    d = bitsep.discover(rows)
    one = bitsep.expected_accuracy(d, rows=[500], samples=2, seed=3, threads=1)
    assert one == bitsep.expected_accuracy(d, rows=[500], samples=2, seed=3, threads=2)
    assert one != bitsep.expected_accuracy(d, rows=[500], samples=2, seed=4)


def test_a_discovery_read_from_json_needs_data(rows: Any) -> None:
    frame = rows.assign(age=[float(i % 97) for i in range(len(rows))])
    d = bitsep.discover(frame, bootstrap=10)
    again = Discovery.from_json(d.to_json())
    with pytest.raises(ArgumentError, match="data: must be given"):
        bitsep.expected_accuracy(again)
    expected = bitsep.expected_accuracy(d, rows=[1000], samples=2)
    assert bitsep.expected_accuracy(again, frame, rows=[1000], samples=2) == expected


def test_settings_are_used_again(rows: Any) -> None:
    knowledge = Knowledge(required=[("smoke", "xray")])
    for d in (
        bitsep.hill_climb(rows, start=bitsep.load_network("asia").dag, knowledge=knowledge, max_parents=2, tabu=3),
        bitsep.pc_stable(rows, "x2_calibrated", fdr=0.1, knowledge=knowledge),
        bitsep.boss(rows, "bdeu", sample_size=2.0, starts=2),
    ):
        assert 0 < bitsep.expected_accuracy(d, rows=[1000], samples=2).recall <= 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rows": [0]}, "rows: must be an integer of at least 1, got 0"),
        ({"samples": 0}, "samples: must be an integer of at least 1, got 0"),
        ({"seed": -1}, "seed: must be an integer of at least 0, got -1"),
    ],
)
def test_bad_arguments(arguments: dict[str, Any], message: str, rows: Any) -> None:
    with pytest.raises(ArgumentError, match=message):
        bitsep.expected_accuracy(bitsep.discover(rows), **arguments)


@pytest.mark.parametrize("numbers", [1000, "1000", 1.5])
def test_rows_that_are_not_a_list(numbers: Any, rows: Any) -> None:
    with pytest.raises(UnsupportedTypeError, match="rows: must be a list of integers, got"):
        bitsep.expected_accuracy(bitsep.discover(rows), rows=numbers)


def test_fewer_rows_than_variables(rows: Any) -> None:
    e = bitsep.expected_accuracy(bitsep.discover(rows.head(4), bootstrap=20), samples=2)
    assert e.recall == 0
    assert all(0 <= shd <= 28 for shd in e.frame["shd"])


def test_no_edges(rows: Any) -> None:
    noise = {name: np.random.default_rng(i).integers(3, size=300) for i, name in enumerate("abcdef")}
    e = bitsep.expected_accuracy(bitsep.discover(noise, bootstrap=20), samples=2)
    assert e.edges == 0
    assert str(e).startswith("No edge was found, and ")
    with pytest.raises(ArgumentError, match="d: must be found by a search that can add edges, got max_parents=0"):
        bitsep.expected_accuracy(bitsep.boss(rows, max_parents=0))


def test_a_report_of_a_graph_without_a_network(tmp_path: Path) -> None:
    a = ["x", "y", "x", "y", None, None, None, None] * 50
    b = [None, None, None, None, "x", "y", "x", "y"] * 50
    d = bitsep.boss({"a": a, "b": b}, knowledge=Knowledge(required=[("a", "b")]), bootstrap=5)
    with pytest.raises(DataError, match="no row has a value in all of 'b', 'a'"):
        bitsep.expected_accuracy(d)
    d.save_report(tmp_path / "page.html")


def test_bad_discoveries(rows: Any) -> None:
    with pytest.raises(UnsupportedTypeError, match=r"d: must be a bitsep\.Discovery, got DAG"):
        bitsep.expected_accuracy(bitsep.load_network("asia").dag)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="d: must be found in data"):
        bitsep.expected_accuracy(bitsep.pc_stable(bitsep.Oracle(bitsep.load_network("asia"))))
    with pytest.raises(UnknownColumnError):
        bitsep.expected_accuracy(bitsep.discover(rows), rows.rename(columns={"asia": "other"}))


def test_a_test_in_python_cannot_be_repeated(rows: Any) -> None:
    class Own:
        name = "own"

        def judge(self, counts: bitsep.Counts) -> bitsep.Judgment:
            return bitsep.Judgment(score_bits=-1.0)

    with pytest.raises(BitsepError, match="d: must be found with a test or a score of bitsep, got the test 'own'"):
        bitsep.expected_accuracy(bitsep.pc_stable(rows[["asia", "tub"]], Own()))
