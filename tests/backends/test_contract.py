"""One body for every backend: the same question about the same file has the same answer, to the last byte."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import bitsep
from bitsep.data.load import encoded
from bitsep.report.build import build_view

Opener = Callable[..., Any]

QUERIES = [
    ("cause", "text", ()),
    ("cause", "shop", ()),
    ("shop", "till", ("text",)),
    ("number", "yes", ("cause", "half")),
    ("shop", "till", ("cause", "text", "number", "half", "yes", "same")),
    ("same", "cause", ("text",)),
    ("empty", "cause", ()),
    ("cause", "text", ("empty",)),
]


@pytest.mark.parametrize("method", ["sci_f", "g2_adjusted"])
def test_discovery_on_alarm(opened: Opener, alarm: Path, method: str) -> None:
    found = bitsep.pc_stable(opened(alarm), method=method)
    expected = bitsep.pc_stable(bitsep.Table(alarm), method=method)
    assert found.to_json() == expected.to_json()
    assert found.tests_run == expected.tests_run
    assert found.warnings == expected.warnings


@pytest.mark.parametrize("weights", [None, "weight"])
def test_discovery_with_missing_values_and_many_levels(opened: Opener, awkward: Path, weights: str | None) -> None:
    options = {"columns": ["cause", "shop", "till", "text", "number", "half", "yes", "same"], "weights": weights}
    found = bitsep.pc_stable(opened(awkward, **options), max_given=2)
    assert found.to_json() == bitsep.pc_stable(bitsep.Table(awkward, **options), max_given=2).to_json()


@pytest.mark.parametrize("variant", ["fci", "rfci"])
def test_discovery_with_hidden_variables(opened: Opener, alarm: Path, variant: str) -> None:
    columns = ["STROKEVOLUME", "CO", "BP", "TPR", "HR"]
    found = bitsep.fci(opened(alarm, columns=columns), variant=variant)
    expected = bitsep.fci(bitsep.Table(alarm, columns=columns), variant=variant)
    assert found.graph == expected.graph
    assert found.to_json() == expected.to_json()


@pytest.mark.parametrize("method", ["sci_f", "sci_q", "jic", "x2", "g2"])
def test_single_tests(opened: Opener, awkward: Path, method: str) -> None:
    found = bitsep.evaluate(opened(awkward, weights="weight"), QUERIES, method=method)
    assert repr(found) == repr(bitsep.evaluate(bitsep.Table(awkward, weights="weight"), QUERIES, method=method))


def test_options_of_methods(opened: Opener, awkward: Path) -> None:
    options = {"method": "sci_fs", "xy_size": "observed", "alpha": 0.01}
    found = bitsep.evaluate(opened(awkward), QUERIES, **options)
    assert repr(found) == repr(bitsep.evaluate(bitsep.Table(awkward), QUERIES, **options))


def test_several_columns_as_one(opened: Opener, awkward: Path) -> None:
    data = opened(awkward)
    asked = [
        (["text", "half"], "yes", ["number"]),
        ("cause", ["yes", "number"], []),
        (["shop", "text"], ["till", "half"], ["yes"]),
    ]
    for x, y, given in asked:
        expected = bitsep.independence_test(bitsep.Table(awkward), x, y, given)
        assert repr(bitsep.independence_test(data, x, y, given)) == repr(expected)


def test_one_test_reads_one_file(opened: Opener, alarm: Path) -> None:
    found = bitsep.independence_test(opened(alarm), "CVP", "PCWP", given=["LVEDVOLUME"])
    assert repr(found) == repr(bitsep.independence_test(bitsep.Table(alarm), "CVP", "PCWP", given=["LVEDVOLUME"]))


def test_separators(opened: Opener, alarm: Path) -> None:
    pool = ("HISTORY", "LVEDVOLUME", "LVFAILURE", "HYPOVOLEMIA", "STROKEVOLUME")
    tasks = [("CVP", "PCWP", pool), ("CVP", "HR", pool), ("CO", "BP", pool), ("CO", "HREKG", ())]
    found = bitsep.separate(opened(alarm), tasks)
    assert repr(found) == repr(bitsep.separate(bitsep.Table(alarm), tasks))


def test_markov_blankets(opened: Opener, alarm: Path) -> None:
    columns = ["CVP", "PCWP", "HISTORY", "LVEDVOLUME", "LVFAILURE", "HYPOVOLEMIA", "STROKEVOLUME", "CO", "HR"]
    table = bitsep.Table(alarm, columns=columns)
    data = opened(alarm, columns=columns)
    assert bitsep.markov_blanket(data, "LVEDVOLUME") == bitsep.markov_blanket(table, "LVEDVOLUME")
    assert bitsep.markov_blankets(data, algorithm="iamb") == bitsep.markov_blankets(table, algorithm="iamb")


@pytest.mark.parametrize("weights", [None, "weight"])
def test_bootstrap(opened: Opener, awkward: Path, weights: str | None) -> None:
    options = {"columns": ["cause", "text", "number", "yes", "half"], "weights": weights}
    found = bitsep.pc_stable(opened(awkward, **options), bootstrap=2, seed=3)
    assert found.to_json() == bitsep.pc_stable(bitsep.Table(awkward, **options), bootstrap=2, seed=3).to_json()


class Lenient:
    """Dependent if X tells more than a twentieth of a bit per row; notes which tables it was shown."""

    name = "lenient"

    def __init__(self) -> None:
        self.judged = 0

    def judge(self, counts: bitsep.Counts) -> Any:
        self.judged += 1
        return bitsep.Judgment(threshold_bits=0.05 * counts.n, statistic=float(counts.kz))


def test_a_test_of_ones_own(opened: Opener, awkward: Path) -> None:
    columns = ["cause", "text", "number", "yes", "half"]
    mine, theirs = Lenient(), Lenient()
    found = bitsep.pc_stable(opened(awkward, columns=columns), method=mine)
    expected = bitsep.pc_stable(bitsep.Table(awkward, columns=columns), method=theirs)
    assert mine.judged == theirs.judged  # sets asked for ahead of time are counted, not judged
    assert found.to_json() == expected.to_json()


def test_levels_and_rows(opened: Opener, awkward: Path) -> None:
    data, table = opened(awkward, weights="weight"), bitsep.Table(awkward, weights="weight")
    assert data.n == table.n
    for name in table.names:
        assert data.levels(name) == table.levels(name)
        assert [type(level) for level in data.levels(name)] == [type(level) for level in table.levels(name)]


@pytest.mark.parametrize("weights", [None, "weight"])
def test_the_fingerprint_is_that_of_the_table(opened: Opener, awkward: Path, weights: str | None) -> None:
    columns = ["cause", "shop", "till", "text", "number", "half", "yes", "same", "empty"]
    table = bitsep.Table(awkward, columns=columns, weights=weights)
    assert opened(awkward, columns=columns, weights=weights).fingerprint() == table.fingerprint()
    assert opened(awkward, columns=columns[1:], weights=weights).fingerprint() != table.fingerprint()


def test_warnings_of_near_functions(opened: Opener, tmp_path: Path) -> None:
    """Warnings that need the counts of single columns are the same sentences."""
    draw = np.random.default_rng(5)
    x = draw.integers(0, 4, 2000)
    y = np.where(draw.random(2000) < 0.001, draw.integers(0, 4, 2000), x)
    weight = draw.integers(1, 5, 2000)
    pq.write_table(pa.table({"x": x, "y": y, "z": draw.integers(0, 3, 2000), "w": weight}), tmp_path / "data.parquet")
    for options in ({"weights": "w"}, {"columns": ["x", "y", "z"]}):
        expected = bitsep.pc_stable(bitsep.Table(tmp_path / "data.parquet", **options))
        found = bitsep.pc_stable(opened(tmp_path / "data.parquet", **options))
        assert any("nearly a function" in warning for warning in expected.warnings)
        assert found.to_json() == expected.to_json()


def test_reports_show_the_same_levels_and_contingency_tables(opened: Opener, awkward: Path) -> None:
    options = {"columns": ["cause", "text", "number", "yes", "shop"], "weights": "weight"}
    expected = build_view(bitsep.pc_stable(bitsep.Table(awkward, **options)))
    view = build_view(bitsep.pc_stable(opened(awkward, **options)))
    assert view.has_data
    assert any(pair.strata for pair in view.separations)
    assert (view.variables, view.edges, view.separations) == (expected.variables, expected.edges, expected.separations)


@pytest.mark.parametrize("weights", [None, "weight"])
def test_selected_columns(opened: Opener, awkward: Path, weights: str | None) -> None:
    whole = encoded(opened(awkward, weights=weights))
    names = ["yes", "text", "cause", "half"]
    selected, expected = whole.select(names), bitsep.Table(awkward, weights=weights, columns=names)
    assert selected.names == expected.names
    assert (selected.n_rows, selected.n) == (expected.n_rows, expected.n)
    assert [selected.levels(name) for name in names] == [expected.levels(name) for name in names]
    assert selected.fingerprint() == expected.fingerprint()
    assert whole.fingerprint() == bitsep.Table(awkward, weights=weights).fingerprint()
    found = bitsep.pc_stable(selected, bootstrap=2)
    assert found.to_json() == bitsep.pc_stable(expected, bootstrap=2).to_json()
    assert selected.select(["half"]).level_counts("half").tolist() == whole.level_counts("half").tolist()
    for unknown in (["shop"], ["yes", "weight"]):
        with pytest.raises(bitsep.BitsepError, match="no column"):
            selected.select(unknown)


@pytest.mark.parametrize("weights", [None, "weight"])
def test_parameters_and_likelihood(opened: Opener, awkward: Path, weights: str | None) -> None:
    graph = bitsep.DAG(["cause", "text", "number", "yes"], [("cause", "text"), ("cause", "yes"), ("number", "yes")])
    data, table = opened(awkward, weights=weights), bitsep.Table(awkward, weights=weights)
    fitted = bitsep.Network.fit(graph, table)
    assert bitsep.Network.fit(graph, data) == fitted
    assert fitted.log2_likelihood(data) == fitted.log2_likelihood(table)


def test_the_check_of_a_graph(opened: Opener, awkward: Path) -> None:
    graph = bitsep.DAG(["cause", "text", "number", "yes"], [("cause", "text"), ("cause", "yes")])
    found = bitsep.check(graph, opened(awkward, weights="weight"))
    assert found.to_json() == bitsep.check(graph, bitsep.Table(awkward, weights="weight")).to_json()
