"""`bitsep.check`: true graphs fit, changed ones do not, and the result says why; bad input."""

from __future__ import annotations

import copy
import json
import math
import pickle
from itertools import combinations

import numpy as np
import pytest

import bitsep
from bitsep.checking import GraphCheck
from bitsep.errors import ArgumentError, DataError, UnknownColumnError, UnknownMethodError, UnsupportedTypeError
from bitsep.graphs import DAG, PAG, PDAG

ASIA = bitsep.load_network("asia")
ROWS = ASIA.sample(2000, seed=1)


@pytest.mark.parametrize("name", ["alarm", "asia", "cancer", "child", "insurance", "sachs"])
def test_true_graphs_fit(name: str) -> None:
    network = bitsep.load_network(name)
    checks = [bitsep.check(network, network.sample(1000, seed=seed)) for seed in range(10)]
    assert sum(check.fits for check in checks) >= 8
    shares = [check.share_below_alpha for check in checks]
    assert np.mean(shares) < 0.08


def test_a_removed_edge_is_named_first() -> None:
    check = bitsep.check(DAG(ASIA.variables, ASIA.edges - {("smoke", "bronc")}), ROWS)
    assert not check.fits
    first = check.violations[0]
    assert (first.x, first.y, first.given) == ("bronc", "smoke", ())
    assert check.p_value == first.adjusted_p_value == pytest.approx(first.p_value * len(check.independences))
    assert "bronc and smoke should be independent, but are not" in first.explain()
    assert "no open path connects them" in first.explain()
    assert first.explain() in check.explain()


def test_a_reversed_edge_of_a_v_structure_does_not_fit() -> None:
    changed = DAG(ASIA.variables, ASIA.edges - {("bronc", "dysp")} | {("dysp", "bronc")})
    check = bitsep.check(changed, ROWS)
    assert not check.fits
    assert all(one.violated for one in check.violations)
    assert check.violations == tuple(sorted(check.violations, key=lambda one: -one.result.score_bits))


def test_an_edge_too_many_is_not_supported() -> None:
    check = bitsep.check(DAG(ASIA.variables, ASIA.edges | {("asia", "smoke")}), ROWS)
    assert ("asia", "smoke") in [(edge.a, edge.b) for edge in check.unsupported]
    assert "asia and smoke have an edge that no test supports" in check.explain()


def test_a_dependence_that_only_both_parents_show() -> None:
    # c is the exclusive or of a and b: marginally it depends on neither
    draw = np.random.default_rng(1)
    a, b = draw.integers(0, 2, (2, 500))
    check = bitsep.check(DAG(["a", "b", "c"], [("a", "c"), ("b", "c")]), {"a": a, "b": b, "c": a ^ b})
    assert check.fits
    assert not check.unsupported
    assert [len(edge.results) for edge in check.edges] == [2, 2]


def test_graphs_of_every_kind() -> None:
    dag = bitsep.check(ASIA.dag, ROWS)
    assert repr(bitsep.check(ASIA, ROWS)) == repr(dag)
    cpdag = bitsep.check(ASIA.cpdag, ROWS)
    assert cpdag.graph == ASIA.cpdag
    assert {edge.sign for edge in cpdag.edges} == {"→", "—"}
    assert {frozenset((one.x, one.y)) for one in cpdag.independences} == {
        frozenset((one.x, one.y)) for one in dag.independences
    }
    found = bitsep.discover(ROWS)
    check = bitsep.check(found)
    assert check.graph == found.graph
    assert "The graph was found in these rows, so it fits them better than other rows." in check.notes
    assert not bitsep.check(found, ASIA.sample(2000, seed=2)).notes


def test_it_does_not_depend_on_order_and_threads() -> None:
    expected = bitsep.check(ASIA, ROWS, threads=1).to_json()
    shuffled = ROWS.sample(frac=1, random_state=1)[list(reversed(ROWS.columns))]
    assert bitsep.check(ASIA, shuffled, threads=2).to_json() == expected


@pytest.mark.parametrize("name", ["asia", "alarm"])
def test_it_does_not_depend_on_names(name: str) -> None:
    network = bitsep.load_network(name)
    rows, columns = network.sample(500, seed=2), list(network.variables)
    names = np.random.default_rng(0).permutation([f"v{i:02}" for i in range(len(columns))]).tolist()
    new = dict(zip(columns, names, strict=True))
    pag = network.dag.pag(hidden=columns[::6])
    other_pag = PAG([new[v] for v in pag.variables], [(new[a], sign, new[b]) for a, sign, b in pag.edge_lines()])
    other_dag = DAG(names, [(new[a], new[b]) for a, b in network.edges])
    for graph, renamed in ((network.dag, other_dag), (pag, other_pag)):
        one, other = bitsep.check(graph, rows), bitsep.check(renamed, rows.rename(columns=new))
        assert one.p_value == other.p_value
        assert {
            (frozenset((new[i.x], new[i.y])), frozenset(new[z] for z in i.given), i.p_value) for i in one.independences
        } == {(frozenset((i.x, i.y)), frozenset(i.given), i.p_value) for i in other.independences}
        assert {(frozenset((new[e.a], new[e.b])), e.p_value) for e in one.edges} == {
            (frozenset((e.a, e.b)), e.p_value) for e in other.edges
        }


def test_json_text_and_html() -> None:
    check = bitsep.check(DAG(ASIA.variables, ASIA.edges - {("smoke", "bronc")} | {("asia", "smoke")}), ROWS)
    content = json.loads(check.to_json())
    assert content["schema"] == "bitsep.check"
    assert content["p_value"] == check.p_value
    assert content["fits"] is False
    assert len(content["independences"]) == 20
    assert [one["x"] for one in content["violations"]] == [one.x for one in check.violations]
    assert content["edges"][0].keys() == {"from", "to", "sign", "directed", "p_value", "supported", "tests"}
    text = str(check)
    assert text.startswith("The graph does not fit the data: p = ")
    assert "bronc ⊥ smoke" in text
    assert "No test supports" in text
    assert ">bronc ⊥ smoke</td>" in check._repr_html_()
    named = {"a<b": [0, 0, 1, 1] * 30, "c": [0, 0, 1, 1] * 30}
    assert "&lt;b" in bitsep.check(DAG(named), named)._repr_html_()


def test_graphs_and_tables_at_the_edge() -> None:
    complete = bitsep.check(DAG(["a", "b"], [("a", "b")]), {"a": [0, 1, 0, 1] * 20, "b": [0, 1, 0, 1] * 20})
    assert (complete.p_value, complete.fits, complete.independences) == (1.0, True, ())
    assert "implies no independences" in str(complete)
    few = bitsep.check(bitsep.load_network("alarm"), bitsep.load_network("alarm").sample(20, seed=1))
    assert few.fits
    assert "The data have fewer rows (20) than variables (37)." in few.notes
    constant = bitsep.check(DAG(["a", "b"]), {"a": ["x"] * 50, "b": ["x", "y"] * 25})
    assert constant.p_value == 1
    assert "1 of 1 implied independences cannot be tested with these rows." in constant.notes
    assert constant.verdict == (
        "These rows can test only 0 of 1 implied independence, and do not refute the graph: p = 1 "
        "(x2_calibrated, 50 rows)."
    )
    assert not constant.mostly_tested
    nothing = bitsep.check(DAG(["a", "b"]), {"a": ["x", None, "y", None], "b": [None, "x", None, "y"]})
    assert nothing.p_value == 1
    alone = bitsep.check(DAG(["a"]), {"a": ["x", "y"]})
    assert "implies no independences" in str(alone)


def test_weights_count_rows() -> None:
    grouped = ROWS.groupby(list(ROWS.columns), observed=True).size().rename("weight").reset_index()
    weighted = bitsep.check(ASIA, bitsep.Table(grouped, weights="weight"))
    assert weighted.to_json() == bitsep.check(ASIA, ROWS).to_json()


def test_bad_input() -> None:
    with pytest.raises(UnknownColumnError, match="graph: no column 'Cancer'"):
        bitsep.check(bitsep.load_network("cancer"), ROWS)
    with pytest.raises(
        UnsupportedTypeError, match=r"graph: must be a bitsep\.DAG, PDAG, PAG, MAG, Network or Discovery, got str"
    ):
        bitsep.check("asia", ROWS)
    with pytest.raises(ArgumentError, match="graph: must represent a DAG"):
        bitsep.check(PDAG(["a", "b", "c", "d"], [], [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]), ROWS)
    with pytest.raises(ArgumentError, match="data: must be given"):
        bitsep.check(ASIA)
    for method in ("sci_f", "jic", "cmi"):
        with pytest.raises(ArgumentError, match="method: must be a test with p-values"):
            bitsep.check(ASIA, ROWS, method)
    with pytest.raises(UnknownMethodError):
        bitsep.check(ASIA, ROWS, "g3")
    for alpha in (0, 1, math.nan, "0.05", None):
        with pytest.raises(ArgumentError, match="alpha: must lie between 0 and 1"):
            bitsep.check(ASIA, ROWS, alpha=alpha)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="threads"):
        bitsep.check(ASIA, ROWS, threads=0)


def test_p_values_of_a_true_graph_are_uniform() -> None:
    network = bitsep.load_network("alarm")
    p = [
        one.p_value for seed in range(3) for one in bitsep.check(network, network.sample(5000, seed=seed)).independences
    ]
    for level in (0.01, 0.05, 0.25, 0.5):
        assert np.mean(np.array(p) <= level) == pytest.approx(level, abs=0.02 + 0.1 * level)
    assert isinstance(bitsep.check(network, network.sample(100)), GraphCheck)
    assert len(list(combinations(network.variables, 2))) == len(p) // 3 + len(network.edges)


def test_numbers_missing_values_and_other_columns() -> None:
    draw = np.random.default_rng(3)
    x = draw.normal(size=800)
    rows = {
        "x": x,
        "y": (x + draw.normal(size=800) > 0).astype(int),
        "z": np.where(draw.random(800) < 0.3, None, "a"),
        "other": draw.normal(size=800),
    }
    with pytest.raises(DataError, match=r"'x' .* looks continuous"):
        bitsep.check(DAG(["x", "y"]), rows)
    check = bitsep.check(DAG(["x", "y", "z"]), rows, discretize="auto", missing_as_level=["z"])
    assert [(one.x, one.y) for one in check.violations] == [("x", "y")]
    assert not [note for note in check.notes if "cannot be tested" in note]
    assert json.loads(check.to_json())["settings"] == {"missing_as_level": ["z"], "discretize": "auto"}


@pytest.mark.parametrize("name", ["asia", "child", "sachs"])
def test_all_dags_of_a_class_get_the_same_result(name: str) -> None:
    network = bitsep.load_network(name)
    table = bitsep.Table(network.sample(500, seed=2))
    cpdag = network.dag.cpdag()
    expected = bitsep.check(cpdag, table)
    extension = cpdag.consistent_extension()
    assert extension is not None
    for dag in (network.dag, extension):
        found = bitsep.check(dag, table)
        assert [one.to_dict() for one in found.independences] == [one.to_dict() for one in expected.independences]
        assert found.p_value == expected.p_value


def test_uniformity_against_the_formula() -> None:
    network = bitsep.load_network("asia")
    rows = network.sample(1000, seed=3)
    for graph in (network.dag, bitsep.DAG(network.variables, network.edges - {("smoke", "lung")})):
        c = bitsep.check(graph, rows)
        ordered = sorted(one.p_value for one in c.independences)
        m = len(ordered)
        harmonic = sum(1 / k for k in range(1, m + 1))
        expected = min(1.0, harmonic * min(m * p / (k + 1) for k, p in enumerate(ordered)))
        assert c.uniformity_p_value == pytest.approx(expected)
        assert c.to_dict()["uniformity_p_value"] == c.uniformity_p_value
    assert c.uniformity_p_value < 0.05


def test_a_complete_graph_has_uniform_p_values() -> None:
    data = bitsep.load_network("asia").sample(100, seed=1)[["asia", "tub"]]
    assert bitsep.check(bitsep.DAG(["asia", "tub"], [("asia", "tub")]), data).uniformity_p_value == 1


def test_a_check_survives_pickle_and_copies() -> None:
    check = bitsep.check(ASIA.cpdag, ROWS, missing_as_level=["smoke"])
    for again in (pickle.loads(pickle.dumps(check)), copy.deepcopy(check)):
        assert again.to_json() == check.to_json()
        assert again.explain() == check.explain()
        with pytest.raises(TypeError):
            again.settings["n"] = 1
