"""pgmpy: hill climbing and GES."""

from __future__ import annotations

import pandas as pd
from pgmpy.causal_discovery import GES, HillClimbSearch

from accuracy.searches.graphs import partly_directed
from bitsep import DAG, PDAG

_SCORES = {"bdeu": "bdeu", "bic": "bic-d"}


def hill_climb(frame: pd.DataFrame, score: str = "bdeu") -> DAG:
    """Hill climbing with a tabu list, with its default sizes."""
    search = HillClimbSearch(scoring_method=_SCORES[score], return_type="dag", show_progress=False)
    return DAG(frame.columns, search.fit(frame).causal_graph_.edges())


def ges(frame: pd.DataFrame, score: str = "bdeu") -> PDAG:
    """Greedy equivalence search, with turning."""
    found = GES(scoring_method=_SCORES[score]).fit(frame).causal_graph_
    return partly_directed(frame.columns, found.directed_edges, found.undirected_edges)
