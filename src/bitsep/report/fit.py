"""The section of the page that says whether the graph fits the data."""

from __future__ import annotations

from collections.abc import Callable

from bitsep.checking import check
from bitsep.data.contract import EncodedData
from bitsep.discovery import Discovery
from bitsep.discovery.explanation import Explanation
from bitsep.discovery.extension import decisions_shown
from bitsep.graphs import PAG
from bitsep.naming import Name
from bitsep.report.view import FitView, NoteView

MAX_NOTES = 50
"""Maximum number of violated independences and of edges without support, each; only the number of others is shown."""

_MAX_VARIABLES = 500
_MAX_ROWS_COUNTED = 1_000_000_000  # rows times tests: some seconds of counting

_SAME_ROWS = (
    "The graph was found in these rows, so it fits them better than other rows: a violation is a strong hint here, a "
    "good fit a weak one."
)


def fit_view(
    discovery: Discovery,
    data: EncodedData | None,
    note: Callable[[str, Explanation, tuple[Name, Name]], NoteView],
) -> FitView | None:
    """The section about the fit; None without data, or if the check would take long.

    Parameters
    ----------
    discovery : Discovery
        The graph.
    data : EncodedData, optional
        The rows that it was found in.
    note : callable
        Makes a note from a kind, an explanation and a pair of variables.
    """
    variables = len(discovery.variables)
    if data is None or variables > _MAX_VARIABLES or data.n_rows * variables**2 > _MAX_ROWS_COUNTED:
        return None
    if decisions_shown(discovery) is None:  # the DAG of so many edges may take a minute
        return None
    if isinstance(discovery.graph, PAG):
        if not discovery.graph.is_legal:  # with knowledge
            return None
        found = check(discovery.graph, data)
    else:
        found = check(discovery.to_dag(), data)
    notes = [note("violated", one.explanation(), (one.x, one.y)) for one in found.violations[:MAX_NOTES]]
    notes += [note("no support", one.explanation(), (one.a, one.b)) for one in found.unsupported[:MAX_NOTES]]
    return FitView(
        verdict=found.verdict,
        lines=(*found.uniformity, *found.notes, *((_SAME_ROWS,) if found.independences else ())),
        notes=tuple(notes),
        notes_left_out=len(found.violations) + len(found.unsupported) - len(notes),
    )
