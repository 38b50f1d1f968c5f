"""Other rows, prepared as those in which a graph was found; graphs that are no discoveries change nothing."""

from __future__ import annotations

from typing import Any

from bitsep.data.contract import EncodedData
from bitsep.data.discretization.discrete import with_cuts
from bitsep.data.missing_level import checked_missing_as_level


def cut_like(graph: Any, data: EncodedData) -> EncodedData:
    """The data with the intervals of a discovery."""
    return with_cuts(data, getattr(graph, "discretized", ()))


def with_missing_level_like(graph: Any, data: EncodedData) -> EncodedData:
    """The data with missing values as levels in the columns in which they are levels in a discovery."""
    wanted = checked_missing_as_level(getattr(graph, "settings", {}).get("missing_as_level"))
    names = graph.variables if wanted is True else wanted or ()
    return data.with_missing_level(name for name in names if name in data.names) if names else data
