"""Plots: they say what the results say, and open no window."""

import math
import re
from collections.abc import Iterator
from itertools import pairwise

import matplotlib
import matplotlib.pyplot as plt
import pytest
from scipy.stats import chi2

import bitsep
from bitsep.errors import ArgumentError
from bitsep.report import plot_discovery, plot_result, plot_thresholds
from report.samples import asia, dense, hostile


@pytest.fixture(autouse=True)
def _clean() -> Iterator[None]:
    matplotlib.use("Agg")
    yield
    plt.close("all")


def test_a_graph_has_its_variables_and_edges() -> None:
    discovery, _ = asia()
    ax = plot_discovery(discovery)
    assert {text.get_text() for text in ax.texts} == set(discovery.variables)
    assert len(ax.patches) == len(discovery.skeleton) + len(discovery.variables)
    ax.figure.canvas.draw()


def test_a_graph_is_drawn_where_asked() -> None:
    _, axes = plt.subplots(1, 2)
    assert plot_discovery(asia()[0], ax=axes[1]) is axes[1]
    assert not axes[0].texts


def test_of_a_dense_graph_a_part_is_drawn_and_the_title_says_so() -> None:
    discovery, _ = dense(60)
    ax = plot_discovery(discovery)
    assert re.fullmatch(r"The strongest \d+ of 1,770 edges", ax.get_title())
    assert len(ax.texts) == 60


@pytest.mark.filterwarnings("ignore:Glyph:UserWarning")  # the default font has no emoji
def test_odd_names_are_drawn_as_they_are() -> None:
    discovery, table = hostile()
    plot_discovery(discovery).figure.canvas.draw()
    pair = sorted(table.names)[1:3]
    plot_result(bitsep.independence_test(table, *pair), table).canvas.draw()
    data = {"$x$": [0, 1] * 20, "$y": [0, 1, 1, 1] * 10}
    plot_result(bitsep.independence_test(data, "$x$", "$y"), data).canvas.draw()


def test_a_result_shows_observed_and_expected_per_stratum() -> None:
    data = {"x": [0, 0, 1, 1] * 10, "y": [0, 1, 1, 1] * 10, "z": ["a", "b"] * 20}
    figure = plot_result(bitsep.independence_test(data, "x", "y", given="z"), data)
    assert [ax.get_title() for ax in figure.axes] == ["z = a\n20 rows", "z = b\n20 rows"]
    assert [text.get_text() for text in figure.axes[0].texts] == ["10\n(5.0)", "0\n(5.0)", "0\n(5.0)", "10\n(5.0)"]
    assert figure.get_suptitle().startswith("x and y given z: dependent")
    assert figure.get_supxlabel().startswith("rows (in parentheses: expected under independence)")
    assert [ax.get_xlabel() for ax in figure.axes] == ["y", "y"]
    assert [ax.get_ylabel() for ax in figure.axes] == ["x", ""]


def test_titles_of_strata_have_a_line_for_each_long_value() -> None:
    data = {
        "x": [0, 1] * 40,
        "y": [0, 1, 1, 1] * 20,
        "variable": ["first level"] * 80,
        "another": ["second level"] * 80,
    }
    figure = plot_result(bitsep.independence_test(data, "x", "y", given=["variable", "another"]), data)
    assert figure.axes[0].get_title() == "variable = first level,\nanother = second level\n80 rows"


def test_joined_variables_have_a_plot() -> None:
    data = {"a": [0, 1] * 20, "b": [0, 0, 1, 1] * 10, "y": [0, 1, 1, 0] * 10}
    figure = plot_result(bitsep.independence_test(data, ["a", "b"], "y"), data)
    assert figure.axes[0].get_ylabel() == "(a, b)"


def test_no_rows_no_plot() -> None:
    result = bitsep.independence_test({"x": [0, 1] * 5, "y": [0, 1] * 5}, "x", "y")
    with pytest.raises(ArgumentError, match="too many strata to draw"):
        plot_result(result, {"x": [0, None], "y": [None, 1]})


def test_threshold_curves_are_the_thresholds_of_the_tests() -> None:
    figure = plot_thresholds(["sci_f", "g2"], kx=2, ky=2, kz=3, n=600)
    left, right = figure.axes
    assert [line.get_label() for line in left.lines] == ["sci_f", "g2"]
    g2 = left.lines[1].get_ydata()
    assert g2[-1] == pytest.approx(chi2.ppf(0.95, 3) / (2 * math.log(2)))
    sci = left.lines[0].get_ydata()
    assert all(early < late for early, late in pairwise(sci))
    assert right.lines[0].get_xdata()[0] == 1


@pytest.mark.parametrize(
    ("arguments", "message"), [({"methods": "g2"}, "methods"), ({"kx": 1}, "kx"), ({"n": 2}, "n:")]
)
def test_thresholds_refuse_nonsense(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        plot_thresholds(**arguments)
