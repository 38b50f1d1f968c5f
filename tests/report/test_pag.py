"""A PAG in the report and in plots: every mark is drawn, and the page does not speak of DAGs."""

from __future__ import annotations

from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
from matplotlib.patches import Circle

import bitsep
from bitsep import DAG, Discovery, Knowledge, Oracle
from bitsep.report import plot_discovery
from bitsep.report.build import build_view

CONFOUNDED = DAG(list("ABCDEL"), [("A", "B"), ("L", "B"), ("L", "C"), ("D", "C"), ("D", "E")])


def found() -> Discovery:
    return bitsep.fci(Oracle(CONFOUNDED, hidden="L"))


def test_a_plot_has_circles_and_arrowheads() -> None:
    matplotlib.use("Agg")
    discovery = found()
    ax = plot_discovery(discovery)
    circles = sum(isinstance(patch, Circle) for patch in ax.patches)
    assert circles == sum(sign.count("o") for _, sign, _ in discovery.graph.edge_lines()) == 4
    assert len(ax.patches) == len(discovery.skeleton) + len(discovery.variables) + circles
    ax.figure.canvas.draw()
    plt.close("all")


def test_the_view_has_the_signs() -> None:
    view = build_view(found())
    names = [variable.label for variable in view.variables]
    marks = {(names[edge.a], edge.start, edge.end, names[edge.b]) for edge in view.edges}
    assert marks == {
        ("A", "circle", "arrow", "B"),
        ("B", "arrow", "arrow", "C"),
        ("D", "circle", "arrow", "C"),
        ("D", "circle", "circle", "E"),
    }
    assert all(edge.route for edge in view.edges)
    facts = {fact.label: fact.value for fact in view.facts}
    assert facts["with a hidden common cause"] == "1"
    assert "decided for a DAG" not in facts
    assert view.fit is None
    assert "bitsep.fci(" in view.snippet
    assert "variant='fci'" in view.snippet


def test_the_meaning_of_marks_depends_on_selection() -> None:
    square = ["AS", "BS", "BT", "CT", "CU", "DU", "DV", "AV"]  # A — B — C — D — A if S, T, U and V select the rows
    dag = DAG(list("ABCDSTUV"), [(edge[0], edge[1]) for edge in square])
    selected = build_view(bitsep.fci(Oracle(dag, selection=list("STUV")), selection=True))
    labels = {fact.label: fact.value for fact in selected.facts}
    assert (labels["with no cause in either direction"], labels["undirected"]) == ("0", "4")
    assert "both causes of what selects the rows" in selected.assumed
    plain = build_view(bitsep.fci(Oracle(dag)))
    assert "the rows were not selected by effects of the variables" in plain.assumed


def test_the_page_is_written_with_data_and_with_knowledge(tmp_path: Path) -> None:
    data = bitsep.load_network("asia").sample(2000, seed=1).drop(columns="smoke")
    knowledge = Knowledge(tiers=[["asia"], ["tub", "xray"]])
    discovery = bitsep.fci(data, knowledge=knowledge, bootstrap=2)
    text = discovery.save_report(tmp_path / "graph.html").read_text(encoding="utf-8")
    assert "o→" in text
    assert Discovery.from_json(discovery.to_json()).save_report(tmp_path / "again.html").exists()
