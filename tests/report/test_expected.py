"""Doubts on the page, and the section about the accuracy to expect."""

from __future__ import annotations

import bitsep
from bitsep.report.build import build_view
from bitsep.report.render import save_report


def test_the_section_has_the_sentence_and_the_points() -> None:
    rows = bitsep.load_network("asia").sample(500, seed=1)
    d = bitsep.discover(rows, bootstrap=20)
    view = build_view(d).expected
    assert view is not None
    assert view.sentence == bitsep.expected_accuracy(d, samples=5).sentence
    assert [point[0] for point in view.points] == [500, 1000, 2500]
    assert build_view(bitsep.Discovery.from_json(d.to_json()), rows).expected == view


def test_there_is_no_section_without_samples_or_data() -> None:
    rows = bitsep.load_network("asia").sample(300, seed=1)
    assert build_view(bitsep.discover(rows)).expected is None
    d = bitsep.discover(rows, bootstrap=5)
    assert build_view(bitsep.Discovery.from_json(d.to_json())).expected is None


def test_doubts_are_notes_and_mark_edges(tmp_path: object) -> None:
    d = bitsep.discover(bitsep.load_network("asia").sample(500, seed=1), bootstrap=50)
    view = build_view(d)
    assert sum(note.kind == "doubtful" for note in view.notes) == len(d.doubts) > 0
    marked = {frozenset((d.variables[edge.a], d.variables[edge.b])) for edge in view.edges if edge.doubtful}
    assert marked == {frozenset(doubt.pair) for doubt in d.doubts if doubt.kind != "missing edge"}
    assert all(edge.probability is not None for edge in view.edges)
    assert all(pair.probability is not None for pair in view.separations)


def test_the_page_contains_the_plot(tmp_path: object) -> None:
    from pathlib import Path

    path = Path(str(tmp_path)) / "page.html"
    save_report(bitsep.discover(bitsep.load_network("asia").sample(300, seed=1), bootstrap=5), path)
    assert "expectedPlot" in path.read_text(encoding="utf-8")
