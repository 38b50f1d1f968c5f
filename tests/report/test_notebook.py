"""What a notebook shows: executed by Jupyter, and looked at in a real browser."""

from html.parser import HTMLParser
from pathlib import Path

import nbformat
import pytest
from nbconvert import HTMLExporter
from nbconvert.preprocessors import ExecutePreprocessor

import bitsep
from bitsep.errors import ArgumentError
from report.browser import Visitor
from report.samples import alarm, asia, hostile

CELLS = [
    "import bitsep\nrows = bitsep.load_network('asia').sample(1000, seed=1)",
    "d = bitsep.discover(rows, bootstrap=20, progress=True)\nd",
    "d.show(height=700)",
    "bitsep.independence_test(rows, 'xray', 'smoke', given='either')",
    "bitsep.markov_blanket(rows, 'either')",
    "d.compare(bitsep.load_network('asia'))",
    "bitsep.describe(rows)",
    "bitsep.score(rows, d)",
    "bitsep.check(d, rows)",
    "bitsep.pairwise(rows)",
    "d.edges_frame()",
]


class Elements(HTMLParser):
    """Counts the elements of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)


def elements(page: str) -> list[str]:
    found = Elements()
    found.feed(page)
    return found.tags


def test_a_discovery_shows_its_drawing_and_its_evidence() -> None:
    discovery, _ = asia()
    page = discovery._repr_html_()
    tags = elements(page)
    assert tags.count("svg") == 1
    assert tags.count("tr") == 1 + len(discovery.skeleton)
    assert "no variable outside the table" in page
    assert f"<p><strong>{len(discovery.variables)}</strong> variables · <strong>" in page
    for a, _, b in discovery.graph.edge_lines():
        assert f">{a}</td>" in page
        assert f">{b}</td>" in page
    assert "<details><summary>4 conflicts</summary>" in alarm()[0]._repr_html_()


def test_hostile_names_are_text_in_a_notebook() -> None:
    discovery, table = hostile()
    for page in (discovery._repr_html_(), bitsep.pairwise(table)._repr_html_(), discovery.show()._repr_html_()):
        assert not {"script", "img", "object"} & set(elements(page))


def test_without_igraph_there_is_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bitsep.report.notebook.is_installed", lambda library: False)
    assert "svg" not in elements(asia()[0]._repr_html_())


def test_the_height_of_an_embedded_report_is_checked() -> None:
    with pytest.raises(ArgumentError, match="height: must be an integer of at least 100, got 5"):
        asia()[0].show(height=5)


@pytest.mark.slow
def test_a_notebook_is_executed_and_readable(visitor: Visitor, tmp_path: Path) -> None:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    ExecutePreprocessor(timeout=120, kernel_name="python3").preprocess(notebook, {"metadata": {"path": str(tmp_path)}})
    for cell in notebook.cells[1:]:
        assert any("text/html" in output.get("data", {}) for output in cell.outputs), cell.source
    exporter = HTMLExporter(template_name="classic")
    page, _ = exporter.from_notebook_node(notebook)
    (tmp_path / "notebook.html").write_text(page, encoding="utf-8")
    opened = visitor.visit(tmp_path / "notebook.html").page
    assert opened.locator("svg[role=img] rect.box").count() == 8
    opened.locator("iframe").scroll_into_view_if_needed()
    inside = opened.frame_locator("iframe")
    inside.locator("#drawing .node").first.wait_for()
    assert inside.locator("#drawing .node").count() == 8
    inside.locator("#edges .list tbody button").first.click()
    assert "have an edge" in inside.locator("#evidence").inner_text()
    assert opened.locator("progress").count() == 0  # the bar has disappeared
