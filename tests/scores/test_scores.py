"""Scores against their slow twins, their properties, and bad input."""

from __future__ import annotations

import json
import math
import pickle
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bitsep
from bitsep.scores import SCORES
from bitsep.scores.families import Lengths, flat_families, observed_rows, score_families
from bitsep.scores.registry import resolve_score
from twins.scores import FORMULAS, local_score, total_score
from twins.strategies import quick, tables, thorough

names = st.sampled_from(sorted(SCORES))


def test_every_score_has_a_twin():
    assert set(SCORES) == set(FORMULAS)


def usable(columns: dict[str, list[Any]]) -> bool:
    return all(any(value is not None for value in column) for column in columns.values())


@given(tables(missing=True), names, st.integers(0, 4), st.booleans(), st.sampled_from([0.1, 1.0, 10.0]), st.randoms())
@thorough
def test_a_local_score_is_that_of_its_twin(columns, name, size, weighted, sample_size, rng):
    weights = [rng.randrange(4) for _ in columns["x"]] if weighted else None
    if weights is not None and not any(weights):
        weights[0] = 1
    parents = rng.sample(sorted(set(columns) - {"y"}), size)
    frame = columns | ({"times": weights} if weighted else {})
    table = bitsep.Table(frame, weights="times" if weighted else None)
    counter = table.counter()
    options = {"sample_size": sample_size} if name == "bdeu" else {}
    family = (counter.places["y"], tuple(sorted(counter.places[parent] for parent in parents)))
    lengths = score_families(counter, resolve_score(name, options).score, [family])
    bits, rows = local_score(name, columns["y"], [columns[p] for p in parents], weights, sample_size)
    assert lengths.rows[0] == rows
    assert lengths.bits[0] == pytest.approx(bits, rel=1e-12, abs=1e-9)


@pytest.mark.parametrize("sample_size", [1e3, 4e3, 1e4, 1e6, 1e9])
def test_a_large_equivalent_sample_size(sample_size):
    """Factor by factor: differences of logarithms of the gamma function would leave few digits."""
    counts = np.array([[1, 20, 300_000], [7, 0, 16]])

    def rising(a, count):
        return math.fsum(np.log2(a + np.arange(count)))

    strata = math.fsum(rising(sample_size / 2, n) for n in counts.sum(1))
    cells = math.fsum(rising(sample_size / 6, n) for n in counts.ravel())
    x, y = np.indices(counts.shape)
    table = bitsep.Table({"x": x.ravel(), "y": y.ravel(), "n": counts.ravel()}, weights="n")
    graph = bitsep.DAG(["x", "y"], [("x", "y")])
    found = bitsep.score(table, graph, "bdeu", structure=False, sample_size=sample_size)
    assert found.bits["y"] == pytest.approx(strata - cells, rel=1e-12, abs=1e-8)


@given(tables(names="wxyz", missing=True).filter(usable), names, st.booleans(), st.randoms())
@quick
def test_a_total_is_that_of_its_twin(columns, name, structure, rng):
    order = rng.sample(sorted(columns), 4)
    parents = {v: [p for p in order[:i] if rng.random() < 0.6] for i, v in enumerate(order)}
    graph = bitsep.DAG(order, [(p, v) for v, chosen in parents.items() for p in chosen])
    try:
        found = bitsep.score(columns, graph, score=name, structure=structure)
    except bitsep.errors.DataError:  # no complete row
        return
    assert found.total_bits == pytest.approx(total_score(name, columns, parents, structure), rel=1e-12, abs=1e-9)
    assert found.n == len(columns["x"])


@given(tables(names="wxyz"), st.sampled_from(sorted(name for name in SCORES if SCORES[name].equivalent)))
@quick
def test_equivalent_dags_have_the_same_total(columns, name):
    # All complete DAGs are equivalent, and so are the chain and the fork.
    complete = [
        bitsep.DAG(order, [(a, b) for i, a in enumerate(order) for b in order[i + 1 :]])
        for order in permutations("wxyz")
    ]
    chains = [
        bitsep.DAG(list("wxyz"), edges)
        for edges in ([("w", "x"), ("x", "y")], [("y", "x"), ("x", "w")], [("x", "w"), ("x", "y")])
    ]
    for graphs in (complete, chains):
        totals = [bitsep.score(columns, graph, score=name, structure=False).total_bits for graph in graphs]
        assert totals == pytest.approx([totals[0]] * len(totals), rel=1e-12, abs=1e-8)


def test_fnml_is_the_sum_of_stochastic_complexities():
    asia = bitsep.load_network("asia")
    data = asia.sample(500, seed=3)
    found = bitsep.score(data, asia, "fnml", structure=False)
    for name, bits in found.bits.items():
        given = sorted(asia.dag.parents(name))
        assert bits == pytest.approx(bitsep.stochastic_complexity(data, name, given=given), abs=1e-9)


def test_a_saving_of_fnml_is_the_evidence_of_sci():
    # SCI_f is the larger of the bits that x saves of y, and y of x (Marx & Vreeken 2019, section 4.1).
    data = bitsep.load_network("asia").sample(500, seed=3)

    def bits(y: str, *parents: str) -> float:
        graph = bitsep.DAG(["xray", "smoke", "either"], [(parent, y) for parent in parents])
        return bitsep.score(data, graph, "fnml", structure=False).bits[y]

    saved = max(bits(y, "either") - bits(y, "either", x) for x, y in (("xray", "smoke"), ("smoke", "xray")))
    result = bitsep.independence_test(data, "xray", "smoke", given=["either"])
    assert saved == pytest.approx(result.score_bits, abs=1e-8)


@pytest.mark.parametrize("name", sorted(SCORES))
def test_every_backend_and_any_number_of_threads_give_the_same_bits(name, tmp_path: Path):
    rng = np.random.default_rng(5)
    frame = bitsep.load_network("child").sample(700, seed=2)
    frame = frame.mask(rng.random(frame.shape) < 0.02)
    graph = bitsep.load_network("child").dag
    path = tmp_path / "child.parquet"
    pq.write_table(pa.Table.from_pandas(frame, preserve_index=False), path, row_group_size=100)
    found = bitsep.score(frame, graph, score=name, threads=1)
    for data, threads in ((frame, 2), (bitsep.scan_parquet(path), 1), (bitsep.Table(frame), 3)):
        assert bitsep.score(data, graph, score=name, threads=threads) == found
    shuffled = frame.sample(frac=1, random_state=1)[rng.permutation(frame.columns)]
    assert bitsep.score(shuffled, graph, score=name) == found
    assert min(found.rows.values()) < len(frame)


def test_missing_values_do_not_make_a_parent_cheap():
    # The rows in which the useless parent has a value are a tenth; unscaled bits would prefer it.
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 2000)
    useless = np.where(rng.random(2000) < 0.1, rng.integers(0, 2, 2000).astype(object), None)
    data = {"y": y, "useless": useless}
    without, with_it = (bitsep.score(data, bitsep.DAG(["y", "useless"], e)) for e in ([], [("useless", "y")]))
    assert with_it.rows["y"] < 300
    assert with_it.bits["y"] > without.bits["y"]


def test_bits_are_scaled_to_the_rows_of_the_variable_and_missing_rows_are_charged():
    lengths = Lengths(np.array([50.0, 60.0, 7.0, 0.0, 0.0]), np.array([25, 100, 1, 0, 0]))
    observed = np.array([100, 100, 4, 1, 0])
    # 50 · 100/25 and 4 √(100 · 75/25); no row is missing; 7 · 4/1 and 4 √(4 · 3/1); 64 bits for each of 20 rows
    # and 2 parents
    expected = [200 + 4 * math.sqrt(300), 60.0, 28 + 4 * math.sqrt(12), 64.0 * 20 * 2, 0.0]
    assert lengths.scaled(observed, np.full(5, 2), 20).tolist() == pytest.approx(expected, rel=1e-15)


def test_families_are_scored_from_the_counts_of_passes(tmp_path: Path):
    path = tmp_path / "table.parquet"
    columns = {"a": [0, 1, 1, 0, 1, 2], "b": [0, 1, 0, 0, None, 1], "empty": [None] * 6}
    pq.write_table(pa.table(columns | {"empty": pa.array([None] * 6, pa.string())}), path)
    counters = bitsep.Table(columns).counter(), bitsep.scan_parquet(path).counter()
    families = [(0, ()), (1, (0,)), (2, ()), (0, (2,)), (0, (1,)), (1, ())]
    score = resolve_score("fnml", {}).score
    steps: list[tuple[int, int]] = []
    memory, passes = (
        score_families(counter, score, families, 1, lambda *done: steps.append(done)) for counter in counters
    )
    assert passes.bits.tolist() == memory.bits.tolist()
    assert passes.rows.tolist() == memory.rows.tolist() == [6, 5, 0, 0, 5, 5]
    assert steps[-1] == (6, 6)
    assert [observed_rows(counter).tolist() for counter in counters] == [[6, 5, 0]] * 2
    assert [array.tolist() for array in flat_families(families)] == [
        [0, 1, 2, 0, 0, 1],
        [0, 0, 1, 1, 2, 3, 3],
        [0, 2, 1],
    ]


def test_parents_that_are_never_known_together_leave_no_row_to_score():
    rng = np.random.default_rng(1)
    columns = {name: rng.integers(2, size=400).tolist() for name in "abcdy"}
    for row in range(400):
        columns["ab"[row % 2]][row] = None
    counter = bitsep.Table(columns).counter()
    places = {name: counter.places[name] for name in columns}
    families = [
        (places["y"], tuple(sorted(places[name] for name in parents))) for parents in ("acd", "bcd", "abc", "abd")
    ]
    lengths = score_families(counter, resolve_score("bic", {}).score, families, 1)
    assert lengths.rows.tolist() == [200, 200, 0, 0]
    assert lengths.bits[2:].tolist() == [0, 0]


def test_large_domains_and_many_parents():
    rng = np.random.default_rng(2)
    data = {f"v{i:02}": rng.integers(0, 60, 300) for i in range(40)}
    order = sorted(data)
    graph = bitsep.DAG(order, [(p, order[-1]) for p in order[:-1]])
    for name in SCORES:
        found = bitsep.score(data, graph, score=name, structure=False)
        twin, _ = local_score(name, list(data[order[-1]]), [list(data[p]) for p in order[:-1]])
        assert math.isfinite(found.total_bits)
        if name != "qnml":  # its regret for 60^39 strata is beyond the twin
            assert found.bits[order[-1]] == pytest.approx(twin, rel=1e-9)


def test_a_result_prints_pickles_and_becomes_json():
    data = bitsep.load_network("asia").sample(200, seed=1)
    found = bitsep.score(data, bitsep.load_network("asia"), score="bdeu", sample_size=2)
    assert pickle.loads(pickle.dumps(found)) == found
    document = json.loads(json.dumps(found.to_dict()))
    assert document["schema"] == "bitsep/score"
    assert document["options"] == {"sample_size": 2}
    assert sum(each["bits"] for each in document["variables"]) == pytest.approx(document["total_bits"])
    assert "given bronc, either" in str(found)
    assert "bronc, either" in found._repr_html_()


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"score": "fnlm"}, ValueError, "score: unknown score 'fnlm'. Did you mean 'fnml'?"),
        ({"score": 3}, ValueError, "score: must be the name of a score, got int."),
        ({"score": "bic", "sample_size": 1}, ValueError, "options: 'bic' takes no options, got 'sample_size'."),
        (
            {"score": "bdeu", "sample_size": 0},
            ValueError,
            "sample_size: must be above 0 and at most 1,000,000,000, got",
        ),
        ({"score": "bdeu", "sample_size": 1e300}, ValueError, "above 0 and at most 1,000,000,000, got 1e+300."),
        ({"score": "bdeu", "sample_size": -1}, ValueError, "sample_size: must be a number of at least 0, got -1."),
        ({"threads": 0}, ValueError, "threads: must be an integer of at least 1, got 0."),
        ({"graph": "a → b"}, TypeError, "graph: must be a bitsep.DAG, PDAG, Network or Discovery, got str."),
        ({"graph": bitsep.DAG(["a", "bee"], [])}, KeyError, "graph: no column 'bee'"),
        ({"data": {"a": [None, 1], "b": [1, None]}}, ValueError, "data: no row has a value in all of 'b', 'a'."),
    ],
)
def test_bad_input(change, error, message):
    arguments: dict[str, Any] = {"data": {"a": [0, 1], "b": [0, 1]}, "graph": bitsep.DAG(["a", "b"], [("a", "b")])}
    with pytest.raises(error) as raised:
        bitsep.score(**(arguments | change))
    assert isinstance(raised.value, bitsep.BitsepError)
    assert message in str(raised.value)


def test_a_cpdag_is_scored_by_a_dag_of_its_class_and_others_are_refused():
    data = bitsep.load_network("asia").sample(200, seed=1)
    dag = bitsep.load_network("asia").dag
    both = [bitsep.score(data, graph, score="bic").total_bits for graph in (dag, dag.cpdag())]
    assert both[0] == pytest.approx(both[1], abs=1e-8)
    cycle = bitsep.PDAG(list("abcd"), undirected=[("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")])
    with pytest.raises(bitsep.BitsepError, match="no DAG has these directed edges"):
        bitsep.score({v: [0, 1] for v in "abcd"}, cycle)


def test_one_row_one_variable_and_a_constant_column():
    assert bitsep.score({"a": [1]}, bitsep.DAG(["a"], [])).total_bits == 0
    found = bitsep.score({"a": [1, 1, 1], "b": [0, 1, 0]}, bitsep.DAG(["a", "b"], [("a", "b")]), structure=False)
    assert found.bits["a"] == 0


@pytest.mark.parametrize(("levels", "n"), [(2, 1000), (20, 1000), (15, 300)])
def test_independent_variables_with_evenly_spread_levels_have_no_edges(levels: int, n: int) -> None:
    rng = np.random.default_rng(0)
    table = {f"v{i}": rng.integers(levels, size=n) for i in range(8)}
    assert not bitsep.discover(table).skeleton
