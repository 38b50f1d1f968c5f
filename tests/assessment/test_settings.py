"""The comparison of settings."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import bitsep
from bitsep.assessment.settings import _divided, _ranked
from bitsep.errors import ArgumentError, BitsepError, DataError, UnsupportedTypeError


@pytest.fixture(scope="module")
def rows() -> Any:
    return bitsep.load_network("asia").sample(1000, seed=1)


def test_the_candidate_with_the_shorter_code_is_best(rows: Any) -> None:
    weak = {"algorithm": "pc_stable", "max_given": 0, "alpha": 1e-30}
    c = bitsep.compare_settings(rows, {"good": "boss", "weak": weak})
    assert c.best == "good"
    assert c.tied == ("good",)
    good, bad = c.results
    assert good.difference == 0
    assert bad.difference == pytest.approx(bad.bits_per_row - good.bits_per_row)
    assert bad.difference > 2 * bad.error
    assert "good is best: it saves" in str(c)
    assert list(c.frame["label"]) == ["good", "weak"]


def test_equal_candidates_are_tied(rows: Any) -> None:
    c = bitsep.compare_settings(rows, {"one": "boss", "other": {"algorithm": "boss"}})
    assert set(c.tied) == {"one", "other"}
    assert "The data cannot tell the 2 candidates apart" in c.sentence
    assert all(0 <= one.stability <= 1 and 0 <= one.fits <= 1 for one in c.results)


def test_pure_noise_cannot_tell_scores_apart() -> None:
    rng = np.random.default_rng(1)
    data = {name: rng.integers(0, 3, 300).astype(str) for name in "abcd"}
    c = bitsep.compare_settings(data, [{"score": "bic"}, {"score": "sparse_qnml"}])
    assert len(c.tied) == 2
    assert {one.label for one in c.results} == {"discover (score=bic)", "discover (score=sparse_qnml)"}


def test_of_equally_stable_candidates_that_are_tied_the_shortest_code_is_first() -> None:
    bits = {"longer": [2.1, 2.0, 2.2], "shorter": [2.0, 2.0, 2.0]}
    graphs = {label: [bitsep.discover({"a": ["x", "y"] * 9, "b": ["y", "z"] * 9})] * 3 for label in bits}
    found = _ranked(bits, graphs, dict.fromkeys(bits, [True] * 3), 3)
    assert [(one.label, one.tied, one.stability) for one in found] == [("shorter", True, 1), ("longer", True, 1)]


def test_the_result_depends_neither_on_threads_nor_on_the_order_of_columns(rows: Any) -> None:
    candidates = ["boss", "pc_stable"]
    one = bitsep.compare_settings(rows, candidates, folds=3, threads=1)
    assert one == bitsep.compare_settings(rows.iloc[:, ::-1], candidates, folds=3, threads=2)


def test_weights_and_missing_values(rows: Any) -> None:
    frame = rows.astype(object).head(60)
    frame.iloc[::7, 0] = None
    frame["count"] = 20
    c = bitsep.compare_settings(bitsep.Table(frame, weights="count"), ["boss", "hill_climb"], folds=2)
    assert c.rows == 1200


def test_a_weight_stands_for_rows(rows: Any) -> None:
    counted = rows.value_counts().reset_index(name="count")
    weighted = bitsep.Table(counted, weights="count")
    candidates = {"good": "boss", "weak": {"max_parents": 0}}
    one, other = (bitsep.compare_settings(data, candidates) for data in (rows, weighted))
    for repeated, weight in zip(one.results, other.results, strict=True):
        assert weight.label == repeated.label
        assert weight.bits_per_row == pytest.approx(repeated.bits_per_row, rel=0.01)
    held_out = [one for _, one in _divided(weighted, 3, 0)]
    assert sum(held_out).tolist() == weighted.weights.tolist()
    assert [int(one.sum()) for one in held_out] == [334, 333, 333]


def test_weights_can_be_huge() -> None:
    counts = [10**12, 10**11, 10**11, 10**12]
    table = bitsep.Table({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "count": counts}, weights="count")
    assert bitsep.compare_settings(table, ["boss", {"max_parents": 0}], folds=2).best == "boss"
    held_out = [one for _, one in _divided(table, 3, 0)]
    assert sum(held_out).tolist() == table.weights.tolist()
    assert [int(one.sum()) for one in held_out] == pytest.approx([table.n / 3] * 3, rel=1e-4)


def test_graphs_to_which_no_network_can_be_fitted() -> None:
    rng = np.random.default_rng(0)
    data = {f"v{i}": rng.integers(300, size=600).astype(str) for i in range(4)}
    dense = {"knowledge": bitsep.Knowledge(required=[("v0", "v3"), ("v1", "v3"), ("v2", "v3")])}
    c = bitsep.compare_settings(data, {"sparse": "boss", "dense": dense})
    assert c.sentence == "sparse is best: no network can be fitted to the graphs of the others."
    assert c.results[1].bits_per_row == np.inf
    with pytest.raises(DataError, match="data: must allow to fit a network to the graphs of a candidate, got none"):
        bitsep.compare_settings(data, {"dense": dense})


@pytest.mark.parametrize(
    ("candidates", "error", "message"),
    [
        ([], ArgumentError, "candidates: must have at least one candidate, got none"),
        ("boss", UnsupportedTypeError, "candidates: must be a list or a mapping of candidates, got str"),
        ([3], UnsupportedTypeError, "candidates: each must be the name of a search or a mapping"),
        (["boss", "boss"], ArgumentError, "candidates: must be different"),
        ([{"bootstrap": 3}], ArgumentError, "candidates: must have arguments of a search only, got 'bootstrap'"),
        ([{"data": 3}], ArgumentError, "candidates: must have arguments of a search only, got 'data'"),
        (["fci"], ArgumentError, "candidates: must be searches without hidden variables, got 'fci'"),
        ([{"algorithm": "fci"}], ArgumentError, "candidates: must be searches without hidden variables, got 'fci'"),
        (["bos"], BitsepError, "algorithm: unknown value 'bos'"),
        ([{"algorithm": "boss", "alpha": 0.1}], BitsepError, "alpha"),
    ],
)
def test_bad_candidates(candidates: Any, error: type[Exception], message: str, rows: Any) -> None:
    with pytest.raises(error, match=message):
        bitsep.compare_settings(rows, candidates)


def test_the_hint_says_where_an_argument_belongs(rows: Any) -> None:
    for name, words in (("keep", "Prepare the data"), ("threads", "arguments threads and progress of its own")):
        with pytest.raises(ArgumentError) as caught:
            bitsep.compare_settings(rows, [{name: 1}])
        assert words in str(caught.value.hint)


def test_bad_folds_and_data(rows: Any) -> None:
    with pytest.raises(ArgumentError, match="folds: must be an integer of at least 2, got 1"):
        bitsep.compare_settings(rows, ["boss"], folds=1)
    with pytest.raises(DataError, match="data: must have at least 10 rows for 5 folds, got 8"):
        bitsep.compare_settings(rows.head(8), ["boss"])
    import pyarrow as pa

    with pytest.raises(DataError, match="data: must be in memory for a comparison of settings, got Scan"):
        bitsep.compare_settings(bitsep.scan(pa.Table.from_pandas(rows)), ["boss"])
