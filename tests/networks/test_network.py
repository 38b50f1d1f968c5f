"""Network as a value, and sampling from it."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from itertools import product

import numpy as np
import pandas as pd
import pytest

from bitsep.errors import ArgumentError, BitsepError, UnknownColumnError, UnknownMethodError, UnsupportedTypeError
from bitsep.graphs import DAG, compare, random_dag
from bitsep.networks import Network, load_network, network_names, random_network

LEVELS = {"a": ["x", "y"], "b": ["u", "v", "w"]}
PARENTS = {"b": ["a"]}
CPTS = {"a": [0.25, 0.75], "b": [[0.2, 0.3, 0.5], [1, 0, 0]]}
SMALL = Network(LEVELS, PARENTS, CPTS)

SIZES = {  # variables, edges: the sizes these networks are known by
    "alarm": (37, 46),
    "asia": (8, 8),
    "cancer": (5, 4),
    "child": (20, 25),
    "earthquake": (5, 4),
    "hailfinder": (56, 66),
    "hepar2": (70, 123),
    "insurance": (27, 52),
    "sachs": (11, 17),
    "survey": (6, 6),
    "win95pts": (76, 112),
}


def test_bundled_networks() -> None:
    assert network_names() == tuple(SIZES)
    for name, (variables, edges) in SIZES.items():
        network = load_network(name)
        assert (network.name, len(network.variables), len(network.edges)) == (name, variables, edges)
        assert network.cpdag.is_cpdag
        for v in network.variables:
            assert network.dag.parents(v) == set(network.parents(v))
            np.testing.assert_allclose(network.cpt(v).sum(axis=-1), 1, rtol=0, atol=1e-12)


def test_unknown_network() -> None:
    with pytest.raises(UnknownMethodError, match="Did you mean 'alarm'"):
        load_network("alarn")
    with pytest.raises(UnknownMethodError):
        load_network("../network")
    with pytest.raises(UnknownMethodError):
        load_network("Alarm")


def test_the_license_travels_with_the_data() -> None:
    from importlib import resources

    text = (resources.files("bitsep.networks") / "data" / "LICENSE").read_text()
    assert "CC BY-SA 3.0" in text
    assert all(name in text for name in SIZES)


def test_parts() -> None:
    assert SMALL.variables == ("a", "b")
    assert SMALL.edges == {("a", "b")}
    assert SMALL.dag == DAG(["a", "b"], [("a", "b")])
    assert SMALL.levels("b") == ("u", "v", "w")
    assert SMALL.parents("b") == ("a",)
    assert SMALL.cpt("b").shape == (2, 3)
    assert SMALL.markov_blanket("a") == {"b"}
    assert SMALL.n_parameters == 5
    assert repr(SMALL) == "Network('unknown', 2 variables, 1 edge, 5 parameters)"
    assert compare(SMALL.cpdag, SMALL).shd == 0


def test_frozen_and_equal_by_value() -> None:
    same = Network(dict(reversed(LEVELS.items())), PARENTS, CPTS)
    assert same == SMALL
    assert hash(same) == hash(SMALL)
    assert pickle.loads(pickle.dumps(SMALL)) == SMALL
    assert copy.deepcopy(SMALL) == SMALL
    assert Network(LEVELS, PARENTS, {**CPTS, "a": [0.75, 0.25]}) != SMALL
    assert SMALL.renamed("other") != SMALL
    assert SMALL != "network"
    with pytest.raises(AttributeError, match="frozen"):
        SMALL.name = "other"
    with pytest.raises(ValueError, match="read-only"):
        SMALL.cpt("a")[0] = 1.0


def test_html_escapes() -> None:
    html = Network({"<b>": ["<i>"]}, {}, {"<b>": [1]})._repr_html_()
    assert "<b>" not in html
    assert "&lt;i&gt;" in html


def test_rounding_is_taken_out_and_more_is_refused() -> None:
    table = Network({"a": list("xyz")}, {}, {"a": [0.33, 0.33, 0.33]}).cpt("a")
    np.testing.assert_allclose(table, 1 / 3)
    with pytest.raises(ArgumentError, match=r"cpts of 'a': must sum to 1 in each row, got 0.98"):
        Network({"a": ["x", "y"]}, {}, {"a": [0.49, 0.49]})


REFUSED: list[tuple[Callable[[], object], type[BitsepError], str]] = [
    (lambda: Network(LEVELS, {"b": ["c"]}, CPTS), UnknownColumnError, "no variable 'c'"),
    (lambda: Network(LEVELS, {"c": ["a"]}, CPTS), ArgumentError, "parents: 'c'"),
    (lambda: Network(LEVELS, PARENTS, {**CPTS, "c": [1]}), ArgumentError, "cpts: 'c'"),
    (lambda: Network(LEVELS, PARENTS, {"a": [0.5, 0.5]}), ArgumentError, "'b' has no table"),
    (lambda: Network(LEVELS, {"a": ["b"], "b": ["a"]}, CPTS), ArgumentError, "each pair can have one edge"),
    (lambda: Network(LEVELS, {"a": ["a"]}, CPTS), ArgumentError, "itself"),
    (lambda: Network(LEVELS, {}, CPTS), ArgumentError, r"must have shape \(3,\).*got \(2, 3\)"),
    (lambda: Network({"a": []}, {}, {"a": []}), ArgumentError, "at least one"),
    (lambda: Network({"a": ["x", "x"]}, {}, {"a": [0.5, 0.5]}), ArgumentError, "twice"),
    (lambda: Network({"a": "xy"}, {}, {"a": [0.5, 0.5]}), UnsupportedTypeError, "must be a list"),
    (lambda: Network({"a": ["x", "y"]}, {}, {"a": [1.5, -0.5]}), ArgumentError, "at least 0, got -0.5"),
    (lambda: Network({"a": ["x", "y"]}, {}, {"a": [np.nan, 1]}), ArgumentError, "at least 0, got nan"),
    (lambda: Network({"a": ["x", "y"]}, {}, {"a": ["p", "q"]}), UnsupportedTypeError, "numbers"),
    (lambda: SMALL.levels("c"), UnknownColumnError, "no variable 'c'"),
    (lambda: SMALL.cpt("c"), UnknownColumnError, "no variable 'c'"),
    (lambda: SMALL.parents("c"), UnknownColumnError, "no variable 'c'"),
    (lambda: SMALL.markov_blanket("c"), UnknownColumnError, "no variable 'c'"),
    (lambda: SMALL.sample(-1), ArgumentError, "n: must be an integer of at least 0, got -1"),
    (lambda: SMALL.sample(1.5), ArgumentError, "n: must be an integer of at least 0, got 1.5"),  # type: ignore[arg-type]
    (lambda: SMALL.sample(True), ArgumentError, "n: must be an integer of at least 0, got True"),
    (lambda: SMALL.sample("5"), ArgumentError, "n: must be an integer of at least 0, got '5'"),  # type: ignore[arg-type]
    (lambda: SMALL.sample(5, seed=-1), ArgumentError, "seed: must be an integer of at least 0, got -1"),
    (lambda: SMALL.sample(5, seed=None), ArgumentError, "seed: must be an integer of at least 0, got None"),  # type: ignore[arg-type]
    (lambda: SMALL.sample(5, seed=1.0), ArgumentError, "seed: must be an integer of at least 0, got 1.0"),  # type: ignore[arg-type]
    (lambda: random_network(DAG(["a"]), levels=0), ArgumentError, "at least 1"),
    (lambda: random_network(DAG(["a"]), seed=-1), ArgumentError, "seed"),
]


@pytest.mark.parametrize(("make", "error", "words"), REFUSED)
def test_refused(make: Callable[[], object], error: type[BitsepError], words: str) -> None:
    with pytest.raises(error, match=words):
        make()


def test_sample_is_a_frame_of_categoricals() -> None:
    alarm = load_network("alarm")
    sample = alarm.sample(500, seed=1)
    assert isinstance(sample, pd.DataFrame)
    assert sample.shape == (500, 37)
    assert tuple(sample.columns) == alarm.variables
    assert sample.equals(alarm.sample(500, seed=1))
    assert not sample.equals(alarm.sample(500, seed=2))
    for v in alarm.variables:
        assert tuple(sample[v].cat.categories) == alarm.levels(v)
        assert not sample[v].isna().any()
    codes = alarm.sample_codes(500, seed=1)
    assert all(np.array_equal(sample[v].cat.codes, codes[v]) for v in alarm.variables)


def test_the_rows_of_a_seed_never_change() -> None:
    """Golden, made by this code on 2026-11-15 (numpy 2.4, x86-64): a seed means the same rows on any machine."""
    codes = load_network("asia").sample_codes(40_000, seed=7)
    assert {v: int(codes[v].sum()) for v in codes} == {
        "asia": 39631,
        "bronc": 22068,
        "dysp": 22572,
        "either": 37435,
        "lung": 37824,
        "smoke": 19905,
        "tub": 39588,
        "xray": 35662,
    }
    assert "".join(map(str, codes["smoke"][:32])) == "10001010000000000010011100000010"


@pytest.mark.parametrize("n", [0, 1, 7])
def test_few_rows(n: int) -> None:
    assert SMALL.sample(np.int64(n), seed=np.uint8(3)).shape == (n, 2)  # type: ignore[arg-type]
    assert Network({}, {}, {}).sample(n).shape == (n, 0)


def test_sample_does_not_depend_on_the_order_of_declaration() -> None:
    turned = Network(dict(reversed(LEVELS.items())), PARENTS, CPTS)
    assert turned.sample(100, seed=5).equals(SMALL.sample(100, seed=5))


@pytest.mark.parametrize("name", ["asia", "child", "insurance"])
def test_frequencies_follow_the_tables(name: str) -> None:
    network = load_network(name)
    n = 200_000
    codes = network.sample_codes(n, seed=11)
    for v in network.variables:
        parents = network.parents(v)
        for stratum in product(*(range(len(network.levels(p))) for p in parents)):
            rows = np.ones(n, dtype=bool)
            for parent, level in zip(parents, stratum, strict=True):
                rows &= codes[parent] == level
            if rows.sum() < 100:
                continue
            wanted = network.cpt(v)[stratum]
            found = np.bincount(codes[v][rows], minlength=len(wanted)) / rows.sum()
            assert np.all(found[wanted == 0] == 0)
            assert np.all(np.abs(found - wanted) <= 5.5 * np.sqrt(wanted * (1 - wanted) / rows.sum()) + 1e-9)


def test_an_impossible_level_is_never_drawn() -> None:
    """Ten times 0.1 sums to less than 1 in floating point; the level behind it must not catch the rest."""
    network = Network({"a": [str(i) for i in range(11)]}, {}, {"a": [0.1] * 10 + [0]})
    assert network.sample_codes(100_000, seed=1)["a"].max() == 9


def test_many_levels_take_a_wider_type() -> None:
    sizes = {"a": 128, "b": 129, "c": 40_000}
    network = Network({v: range(k) for v, k in sizes.items()}, {}, {v: np.full(k, 1 / k) for v, k in sizes.items()})
    codes = network.sample_codes(1000, seed=1)
    assert [codes[v].dtype for v in "abc"] == [np.int8, np.int16, np.int32]
    assert codes["c"].max() > 30_000


def test_random_network() -> None:
    dag = random_dag(30, mean_degree=3, seed=2)
    network = random_network(dag, levels=3, seed=4)
    assert network == random_network(dag, levels=3, seed=4)
    assert network != random_network(dag, levels=3, seed=5)
    assert network.dag == dag
    mixed = random_network(DAG(["a", 7], [("a", 7)]), levels={"a": 2, 7: 5})
    assert mixed.cpt(7).shape == (2, 5)
    assert mixed.sample(10).shape == (10, 2)
