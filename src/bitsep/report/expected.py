"""The section of the page that says how accurate the graph is expected to be."""

from __future__ import annotations

from bitsep.assessment import expected_accuracy
from bitsep.assessment.again import can_search_again
from bitsep.data.contract import EncodedData
from bitsep.discovery import Discovery
from bitsep.discovery.extension import decisions_shown
from bitsep.errors import ArgumentError, DataError
from bitsep.graphs import PAG
from bitsep.report.view import ExpectedView

_SAMPLES = 5
_MAX_CELLS = 500_000  # rows times variables: some seconds of searches
_MAX_VARIABLES = 100


def expected_view(discovery: Discovery, data: EncodedData | None) -> ExpectedView | None:
    """The section; None without data or bootstrap samples, for a PAG, or if the simulation would take long or is not
    possible."""
    variables = len(discovery.variables)
    if data is None or not discovery.settings["bootstrap"] or not can_search_again(discovery):
        return None
    if isinstance(discovery.graph, PAG):
        return None
    if variables > _MAX_VARIABLES or data.n * variables > _MAX_CELLS or decisions_shown(discovery) is None:
        return None
    try:
        found = expected_accuracy(discovery, data, samples=_SAMPLES)
    except (ArgumentError, DataError):  # no network can be fitted to the graph: see Network.fit
        return None
    points = tuple((one.rows, round(one.precision, 4), round(one.recall, 4)) for one in found.expectations)
    return ExpectedView(found.sentence, points)
