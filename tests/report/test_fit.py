"""The section of the page that says whether the graph fits the data."""

from __future__ import annotations

import bitsep
from bitsep.report.build import build_view


def test_a_graph_that_fits() -> None:
    rows = bitsep.load_network("asia").sample(2000, seed=1)
    found = bitsep.discover(rows)
    view = build_view(found).fit
    assert view is not None
    assert view.verdict == bitsep.check(found).verdict
    assert view.verdict.startswith("The graph fits the data: p = ")
    assert view.lines[-1].startswith("The graph was found in these rows")
    assert build_view(bitsep.Discovery.from_json(found.to_json()), rows).fit == view


def test_violations_and_edges_without_support() -> None:
    asia = bitsep.load_network("asia")
    rows = asia.sample(2000, seed=1)
    knowledge = bitsep.Knowledge(
        required=[("asia", "smoke")], forbidden=[("smoke", "bronc"), ("bronc", "smoke"), ("lung", "smoke")]
    )
    view = build_view(bitsep.discover(rows, knowledge=knowledge))
    assert view.fit is not None
    labels = [variable.label for variable in view.variables]
    kinds = {(note.kind, *(labels[i] for i in note.pair or ())) for note in view.fit.notes}
    assert ("violated", "bronc", "smoke") in kinds
    assert ("no support", "asia", "smoke") in kinds
    assert view.fit.verdict.startswith("The graph does not fit the data")
    assert view.fit.notes_left_out == 0


def test_without_rows_there_is_no_section() -> None:
    oracle = bitsep.pc_stable(bitsep.Oracle(bitsep.load_network("asia")))
    assert build_view(oracle).fit is None
    found = bitsep.discover(bitsep.load_network("asia").sample(500, seed=1))
    assert build_view(bitsep.Discovery.from_json(found.to_json())).fit is None
