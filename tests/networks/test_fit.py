"""`Network.fit` and `Network.log2_likelihood`: against the twin, on every kind of graph and data, and bad input."""

from __future__ import annotations

import math
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bitsep
from bitsep.errors import ArgumentError, DataError, UnknownColumnError, UnsupportedTypeError
from bitsep.graphs import DAG, PDAG
from bitsep.networks import Network, load_network, network_names, read_bif
from twins import parameters

PARENTS = {"a": (), "b": ("a",), "c": ("a", "b")}
GRAPH = DAG(["a", "b", "c"], [("a", "b"), ("a", "c"), ("b", "c")])


def columns(min_rows: int = 1) -> st.SearchStrategy[dict[str, list[Any]]]:
    row = st.tuples(*[st.sampled_from(["x", "y", "z", None])] * 3)
    first = st.just([("x", "y", "z"), ("z", "x", "y"), ("y", "z", "x")])
    rows = st.tuples(first, st.lists(row, min_size=min_rows, max_size=30)).map(lambda parts: parts[0] + parts[1])
    return rows.map(
        lambda rows: {name: list(values) for name, values in zip("abc", zip(*rows, strict=True), strict=True)}
    )


@settings(deadline=None, max_examples=60)
@given(columns(), columns(), st.sampled_from([0.5, 1.0, 7]))
def test_the_twin_agrees(rows: dict[str, list[Any]], other: dict[str, list[Any]], prior: float) -> None:
    network = Network.fit(GRAPH, rows, prior)
    for name, above in PARENTS.items():
        for place in product(range(3), repeat=len(above) + 1):
            *stratum, level = (network.levels(part)[i] for part, i in zip((*above, name), place, strict=True))
            expected = parameters.probability(
                rows, name, level, dict(zip(above, stratum, strict=True)), levels=3, prior=prior
            )
            assert network.cpt(name)[place] == pytest.approx(expected, rel=1e-14)
    expected = parameters.log2_likelihood(other, PARENTS, rows, dict.fromkeys("abc", 3), prior)
    assert network.log2_likelihood(other) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", network_names())
def test_many_rows_give_the_true_network(name: str) -> None:
    network = load_network(name)
    rows = network.sample(2000, seed=1)
    levels = {v: network.levels(v) for v in network.variables}
    fitted = Network.fit(network, rows, levels=levels)
    assert fitted.dag == network.dag
    assert all(fitted.levels(v) == network.levels(v) for v in network.variables)
    # The estimate without a prior has the greatest likelihood of all, on its own rows.
    own = [net.log2_likelihood(rows) for net in (Network.fit(network, rows, 0, levels=levels), fitted, network)]
    assert own == sorted(own, reverse=True)


def test_it_does_not_depend_on_order_weights_and_threads() -> None:
    alarm = load_network("alarm")
    rows = alarm.sample(3000, seed=2)
    fitted = Network.fit(alarm, rows)
    bits = fitted.log2_likelihood(rows)
    shuffled = rows.sample(frac=1, random_state=1)[list(reversed(rows.columns))]
    grouped = rows.groupby(list(rows.columns), observed=True).size().rename("weight").reset_index()
    for same in (shuffled, bitsep.Table(grouped, weights="weight")):
        assert Network.fit(alarm, same, threads=2) == fitted
        assert fitted.log2_likelihood(same, threads=2) == bits


def test_graphs_of_every_kind() -> None:
    rows = load_network("asia").sample(2000, seed=1)
    found = bitsep.discover(rows)
    fitted = Network.fit(found)  # on the data in which the graph was found
    assert fitted == Network.fit(found, rows) == Network.fit(found.to_dag(), rows)
    assert Network.fit(found.graph, rows).dag == found.graph.consistent_extension()
    assert Network.fit(fitted, rows) == fitted
    assert bitsep.score(rows, found).total_bits == bitsep.score(rows, found.to_dag()).total_bits
    with pytest.raises(ArgumentError, match="data: must be given"):
        Network.fit(bitsep.Discovery.from_json(found.to_json()))
    with pytest.raises(ArgumentError, match="data: must be given"):
        Network.fit(found.graph)


def test_levels_keep_their_labels(tmp_path: Path) -> None:
    rows = {"flag": [True, False, True, True], 7: [1, 2, 2, 1], "half": [0.5, 1.5, 0.5, 0.5]}
    network = Network.fit(DAG(["flag", 7, "half"], [("flag", 7), (7, "half")]), rows)
    assert network.levels("flag") == (False, True)
    assert network.levels(7) == (1, 2)
    assert network.levels("half") == (0.5, 1.5)
    assert set(network.sample(50)[7]) == {1, 2}
    network.to_bif(tmp_path / "numbers.bif")
    text = read_bif(tmp_path / "numbers.bif")
    assert text.levels("7") == ("1", "2")
    as_text = {str(name): values for name, values in rows.items()}
    assert text.log2_likelihood(as_text) == network.log2_likelihood(rows)  # numbers are found by their text
    with pytest.raises(DataError, match="data: the network must have all levels of 7 that occur, got 3"):
        network.log2_likelihood({**rows, 7: [1, 2, 3, 1]})


def test_strata_and_levels_without_rows() -> None:
    rows = {"a": ["x", "x", "y"], "b": ["u", "v", "u"]}
    graph = DAG(["a", "b"], [("a", "b")])
    assert Network.fit(graph, rows).cpt("b").tolist() == [[0.5, 0.5], [0.75, 0.25]]
    assert Network.fit(graph, rows, prior=0).cpt("b").tolist() == [[0.5, 0.5], [1, 0]]
    wider = Network.fit(graph, rows, prior=0, levels={"a": ["z", "y", "x"], "b": ["u", "v", "w"]})
    assert wider.cpt("a").tolist() == [0, 1 / 3, 2 / 3]
    assert wider.cpt("b")[0].tolist() == [1 / 3] * 3
    assert wider.log2_likelihood({"a": ["z"], "b": ["w"]}) == -math.inf
    assert wider.log2_likelihood({"a": ["y"], "b": ["u"]}) == math.log2(1 / 3)
    assert wider.log2_likelihood(pd.DataFrame({"a": ["y", "x"], "b": ["u", "v"]}).iloc[:1]) == math.log2(1 / 3)


def test_missing_values() -> None:
    rows = pd.DataFrame({"a": ["x", "y", "x", None], "b": ["u", "u", None, "v"]})
    network = Network.fit(DAG(["a", "b"], [("a", "b")]), rows, prior=0)
    assert network.cpt("a").tolist() == [2 / 3, 1 / 3]
    assert network.cpt("b").tolist() == [[1, 0], [1, 0]]
    # b has three values, two of them in rows where a has one; the average per row is 0 bits
    assert network.log2_likelihood(rows) == pytest.approx(2 * math.log2(2 / 3) + math.log2(1 / 3), rel=1e-15)
    never = {"a": ["x", None], "b": [None, "u"]}
    for call in (lambda: Network.fit(network, never), lambda: network.log2_likelihood(never)):
        with pytest.raises(DataError, match="no row has a value in all of 'b', 'a'"):
            call()
    with pytest.raises(DataError, match="'b' has no values"):
        Network.fit(network, {"a": ["x", "y"], "b": [None, None]})


def test_fewer_rows_than_variables() -> None:
    alarm = load_network("alarm")
    network = Network.fit(alarm, alarm.sample(3, seed=1))
    assert all(np.isfinite(network.cpt(v)).all() for v in network.variables)


def test_bad_input() -> None:
    rows = load_network("asia").sample(100, seed=1)
    for prior in (-1, math.nan, math.inf, "1", True, None):
        with pytest.raises(ArgumentError, match="prior: must be a number of rows of at least 0"):
            Network.fit(load_network("asia"), rows, prior)  # type: ignore[arg-type]
    with pytest.raises(UnknownColumnError, match="graph: no column 'Cancer'"):
        Network.fit(load_network("cancer"), rows)
    with pytest.raises(UnknownColumnError, match="data: no column"):
        load_network("cancer").log2_likelihood(rows)
    with pytest.raises(ArgumentError, match="graph: must represent a DAG"):
        Network.fit(PDAG(["a", "b", "c", "d"], [], [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]), rows)
    with pytest.raises(
        UnsupportedTypeError, match=r"graph: must be a bitsep\.DAG, PDAG, Network or Discovery, got list"
    ):
        Network.fit([("asia", "tub")], rows)
    with pytest.raises(ArgumentError, match="threads"):
        Network.fit(load_network("asia"), rows, threads=0)
    for levels, error, message in [
        ({"asia": ["yes"]}, DataError, "levels: must have all levels of 'asia' that occur, got none for 'no'"),
        ({"aisa": ["yes"]}, UnknownColumnError, r"levels: no variable 'aisa'\. Did you mean 'asia'"),
        ({"asia": ["yes", "yes"]}, ArgumentError, "must differ"),
        (["yes"], ArgumentError, "levels: must be a mapping"),
    ]:
        with pytest.raises(error, match=message):
            Network.fit(load_network("asia"), rows, levels=levels)  # type: ignore[arg-type]
    wide = {str(i): list(range(10)) for i in range(9)}
    with pytest.raises(ArgumentError, match=r"the table of '0' given its 8 parents must have at most 16,777,216 cells"):
        Network.fit(DAG(wide, [(str(i), "0") for i in range(1, 9)]), wide)
