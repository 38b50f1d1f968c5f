"""Runs the search of a discovery again, with the same settings, on other data."""

from __future__ import annotations

from typing import Any

from bitsep.data.contract import EncodedData
from bitsep.discovery import Discovery, Knowledge
from bitsep.discovery.recommended import ALGORITHMS
from bitsep.errors import ArgumentError
from bitsep.graphs import DAG
from bitsep.independence import METHODS
from bitsep.networks.fitting import data_for

_OWN = {
    "pc_stable": ("method", "alpha", "max_given", "orientation"),
    "boss": ("score", "structure", "max_parents", "starts"),
    "hill_climb": ("score", "structure", "max_parents", "tabu"),
}


def data_of(discovery: Discovery, data: Any) -> EncodedData:
    """The data of a discovery: its variables, with intervals and levels for missing values as in the search.

    `data` are needed if the discovery was read from JSON.
    """
    if data is None:
        return data_for(discovery, None, discovery.to_dag())
    return data_for(discovery, data, discovery.to_dag(), "data").select(discovery.variables)


def can_search_again(discovery: Discovery) -> bool:
    """Whether the search can be repeated: not with a test written in Python or an oracle."""
    return discovery.by_score or discovery.settings["method"] in METHODS


def search_again(discovery: Discovery, data: Any, threads: int | None, bootstrap: int = 0, seed: int = 0) -> Discovery:
    """Search other data with the settings of a discovery.

    Parameters
    ----------
    discovery : Discovery
        The discovery.
    data : table
        Data with the same variables, discretized, and with missing values as levels where that is wanted.
    threads, bootstrap, seed
        Arguments of the search, of which the accuracy does not depend on.

    Raises
    ------
    ArgumentError
        If the search cannot be repeated, because it used a test written in Python or an oracle.
    """
    used = discovery.settings
    own = {name: used[name] for name in _OWN[used["algorithm"]]}
    if not can_search_again(discovery):
        raise ArgumentError(
            f"d: must be found with a test or a score of bitsep, got the test {used['method']!r}.",
            hint="Search with one of the tests that `bitsep info` lists.",
        )
    if used.get("fdr") is not None:
        own = {**own, "alpha": None, "fdr": used["fdr"]}
    if used.get("start"):
        own["start"] = DAG(discovery.variables, [(a, b) for a, b in used["start"]])
    if used["knowledge"]:
        own["knowledge"] = Knowledge(**used["knowledge"])
    return ALGORITHMS[used["algorithm"]](
        data,
        threads=threads,
        bootstrap=bootstrap,
        seed=seed,
        keep=discovery.variables,
        min_rows_share=used["min_rows_share"],
        min_effect=used["min_effect"],
        **own,
        **used["options"],
    )
