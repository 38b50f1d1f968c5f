"""BOSS: the graph with the shortest code, by a search over orders of the variables (Andrews et al. 2023)."""

from __future__ import annotations

import os
from typing import Any

from bitsep.checks import integer
from bitsep.discovery.graph_search import LARGEST, ScoreArguments
from bitsep.discovery.knowledge import Knowledge
from bitsep.discovery.limits import DEFAULT_MIN_ROWS_SHARE
from bitsep.discovery.result import Discovery
from bitsep.progress import ProgressCallback

SAMPLE_STARTS = 4
"""In bootstrap samples: about as many edges are found as with more, in less than half the time."""


def boss(
    data: Any,
    score: str | None = None,
    structure: bool = True,
    max_parents: int | None = None,
    starts: int | None = None,
    seed: int = 0,
    knowledge: Knowledge | None = None,
    threads: int | None = None,
    progress: bool | ProgressCallback = False,
    bootstrap: int = 0,
    checkpoint: str | os.PathLike[str] | None = None,
    keep: Any = None,
    exclude: Any = None,
    min_rows_share: float = DEFAULT_MIN_ROWS_SHARE,
    min_effect: float = 0.0,
    missing_as_level: Any = False,
    discretize: Any = None,
    **options: Any,
) -> Discovery:
    """Find the graph with the shortest code, by a search over orders of the variables.

    Parameters
    ----------
    data : table, path, Table, scan, Spark data frame
        Any data that `independence_test` accepts.
    score : {"sparse_qnml", "fnml", "qnml", "bdeu", "bic"}, optional
        The score; see `score` for formulas and the default.
    structure : bool
        Whether the structure code is added: the bits to say which variables are the parents.
    max_parents : int, optional
        The largest number of parents of a variable; default: no limit.
    starts : int, optional
        The largest number of local searches; default: 64, but no further ones begin after 8·10⁷ rows per variable
        have been counted in families whose domain is larger than 16,384 cells, which takes some seconds. Each starts
        from the best graph so far, the first from that of hill climbing. The search ends early when 12 in turn have
        found no better graph.
    seed : int
        The seed for random orders and for bootstrap resampling.
    knowledge : Knowledge, optional
        Required and forbidden edges, and tiers.
    threads : int, optional
        The number of threads; default: all cores. The result does not depend on it.
    progress : bool or callable
        True shows a progress bar in a terminal or a notebook; a callable is called with (stage, finished, total).
    bootstrap : int
        The number of bootstrap samples, in which the occurrences of each edge and each direction are counted; at most
        four starts in each.
    checkpoint : path, optional
        A folder for the scores of finished steps: if a search is interrupted and started again with the same data and
        settings, it resumes after the last finished step, with the same result. A folder of other data, another score
        or another version is refused.
    keep : name or names, optional
        Columns to use even if they cannot serve: identifiers, dates, free text and similar columns are left out
        (`Discovery.left_out`), unless they are kept or the knowledge mentions them. See `describe`.
    exclude : name or names, optional
        Columns not to use.
    min_rows_share : float
        A column that has values in a smaller share of the rows is not used as a parent, since a code given it would
        use only these rows (`Discovery.restricted`); it can still be a child, and a parent where the knowledge requires
        it. Missing edges that rest on a smaller share of the rows are reported in `warnings`. 0 for no restriction.
    min_effect : float
        The bits per row that an edge must save: every parent adds this cost for each row of its child.
    missing_as_level : bool, name or names
        Columns whose missing values are a level of their own, shown as ⟨missing⟩: True for all.
    discretize : str or mapping, optional
        How numeric columns are divided into intervals: ``"auto"`` or another method of `bitsep.discretize`, for all
        columns that look continuous or by column. By default such columns are an error. `Discovery.discretized` has the
        cut points.
    **options
        Options of the score.

    Returns
    -------
    Discovery
        The CPDAG of the best DAG found (``graph``; with knowledge also the directions that follow from it), the best
        DAG (``to_dag()``), the bits that every edge saves, and the bits that every missing edge would cost.

    Raises
    ------
    ArgumentError
        If the score or an option is unknown, max_parents or bootstrap is below 0, starts or threads is below 1, the
        knowledge requires more parents than max_parents, or the checkpoint belongs to other data or another score.
    KnowledgeError
        If the knowledge contains variables that the data do not have.

    Notes
    -----
    The parents of a variable are chosen among the variables that precede it in the order: one after the other the one
    that shortens its code most, then those whose removal shortens it are removed. A local search moves single variables
    to their best position until no move shortens the total code. Each starts from an order of a DAG equivalent to the
    best one so far, with four variables moved, in every fourth start as many as there are; the first DAG is that of
    hill climbing.

    Scores are rounded to a fixed small unit, and variables are numbered by their scores, so the result does not depend
    on the names or the order of the columns, unless two graphs have exactly the same code length.

    Missing values: see `score`. Streams and Spark count one batch of families per step of the search in one pass over
    the data.

    References
    ----------
    Andrews, Ramsey, Sánchez-Romero, Camchong & Kummerfeld, Fast scalable and accurate discovery of DAGs using the best
    order score search and grow-shrink trees, NeurIPS 2023.

    Examples
    --------
    >>> import bitsep
    >>> d = bitsep.boss(bitsep.load_network("asia").sample(5000, seed=1))
    >>> print(d.explain("either", "tub").splitlines()[0].partition(": ")[2])
    without tub as a parent besides lung, the code of either would be longer by 385.52 bits (5,000 rows, sparse_qnml).
    """
    starts = None if starts is None else integer("starts", starts, at_least=1, at_most=LARGEST)
    arguments = ScoreArguments(
        data, score, structure, max_parents, knowledge, threads, progress, bootstrap, seed, checkpoint, keep,
        exclude, min_rows_share, min_effect, missing_as_level, discretize, options,
    )  # fmt: skip
    return arguments.discover(
        "boss",
        {"starts": starts},
        lambda engine, rules, report: engine.search_orders(rules, starts, seed, report.stage("starts")),
        lambda engine, rules, _: engine.search_orders(rules, min(starts or SAMPLE_STARTS, SAMPLE_STARTS), seed),
    )
