"""What the arrows of a graph mean, in one paragraph: part of every report and notebook."""

from __future__ import annotations

from bitsep.discovery import Discovery

_CPDAG = (
    "What the arrows mean: A → B says that A is a cause of B, if no variable outside the table affects two of its "
    "variables, the rows were not selected by effects of its variables, no variable is a cause of itself through "
    "others, and every independence follows from the graph. An undirected edge has a direction that these data cannot "
    "decide."
)
_PAG = (
    "What the marks mean: an arrowhead at B says that B is not a cause of A, a tail at A that A is a cause of B, "
    "perhaps through others, and a circle that the data do not decide; A ↔ B have a common cause outside the table. "
    "This holds if the rows were not selected by effects of the variables, no variable is a cause of itself through "
    "others, and every independence follows from the graph."
)
_PAG_IF_SELECTED = (
    "What the marks mean: an arrowhead at B says that B is a cause neither of A nor of what selects the rows, a tail "
    "at A that A is a cause of B or of what selects the rows, and a circle that the data do not decide; A — B are both "
    "causes of what selects the rows, and A ↔ B are connected by variables outside the table. This holds if no "
    "variable is a cause of itself through others and every independence follows from the graph."
)


def meaning_of_arrows(discovery: Discovery) -> str:
    """One paragraph for readers who have never heard of causal discovery."""
    if discovery.settings["algorithm"] != "fci":
        return _CPDAG
    return _PAG_IF_SELECTED if discovery.settings["selection"] else _PAG
