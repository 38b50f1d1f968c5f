"""Hill climbing with a tabu list: the graph with the shortest code, by changes of single edges."""

from __future__ import annotations

import os
from itertools import chain, permutations
from typing import Any

from bitsep.checks import integer
from bitsep.discovery.arguments import checked_knowledge
from bitsep.discovery.graph_search import LARGEST, ScoreArguments
from bitsep.discovery.knowledge import Knowledge
from bitsep.discovery.limits import DEFAULT_MIN_ROWS_SHARE
from bitsep.discovery.result import Discovery
from bitsep.errors import ArgumentError
from bitsep.graphs import DAG, PDAG
from bitsep.graphs.dags import dag_of
from bitsep.graphs.marks import Marks
from bitsep.graphs.meek import orient
from bitsep.naming import plain_name, unknown_column
from bitsep.progress import ProgressCallback, Reporter
from bitsep.scores.engine import FoundDag, GraphRules, ScoreEngine

DEFAULT_TABU = 100


def hill_climb(
    data: Any,
    score: str | None = None,
    structure: bool = True,
    tabu: int = DEFAULT_TABU,
    start: Any = None,
    max_parents: int | None = None,
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
    """Find a graph with a short code, by adding, removing and reversing single edges.

    Parameters
    ----------
    data : table, path, Table, scan, Spark data frame
        Any data that `independence_test` accepts.
    score : {"sparse_qnml", "fnml", "qnml", "bdeu", "bic"}, optional
        The score; see `score` for formulas and the default.
    structure : bool
        Whether the structure code is added: the bits to say which variables are the parents.
    tabu : int
        Beyond a local optimum the search goes on until this number of changes found nothing better; it does not return
        to any of this number of graphs that it had before. 0 is plain hill climbing, which ends at the first local
        optimum.
    start : DAG, PDAG or Network, optional
        The graph to start from, over variables of the data; default: no edges. Edges that the knowledge requires are
        added; edges of constant columns, and from columns that `min_rows_share` excludes as parents, are left out. Of
        a PDAG a DAG is used that agrees with the knowledge.
    max_parents : int, optional
        The largest number of parents of a variable; default: no limit.
    seed : int
        The seed for bootstrap resampling; the search itself has no random choices.
    knowledge : Knowledge, optional
        Required and forbidden edges, and tiers.
    threads : int, optional
        The number of threads; default: all cores. The result does not depend on it.
    progress : bool or callable
        True shows a progress bar in a terminal or a notebook; a callable is called with (stage, finished, total).
    bootstrap : int
        The number of bootstrap samples, in which the occurrences of each edge and each direction are counted.
    checkpoint : path, optional
        A folder for the scores of finished steps; see `boss`.
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
        The CPDAG of the best DAG found, and the evidence; see `boss`.

    Raises
    ------
    ArgumentError
        If the start graph has a directed cycle together with the required edges, an edge that the knowledge forbids,
        or more parents than allowed; for other arguments see `boss`.
    UnknownColumnError
        If the start graph has a variable that the data do not have.

    Examples
    --------
    >>> import bitsep
    >>> asia = bitsep.load_network("asia")
    >>> d = bitsep.hill_climb(asia.sample(5000, seed=1), start=asia)
    >>> d.compare(asia).shd
    0
    """
    tabu = integer("tabu", tabu, at_least=0, at_most=LARGEST)
    dag = None if start is None else dag_of("start", _directed_by(checked_knowledge(knowledge), start))
    arguments = ScoreArguments(
        data,
        score,
        structure,
        max_parents,
        knowledge,
        threads,
        progress,
        bootstrap,
        seed,
        checkpoint,
        keep,
        exclude,
        min_rows_share,
        min_effect,
        missing_as_level,
        discretize,
        options,
        () if dag is None else dag.variables,
    )

    def search(engine: ScoreEngine, rules: GraphRules, report: Reporter) -> FoundDag:
        return engine.climb(rules, _start(dag, engine, rules), tabu, report.stage("changes"))

    edges = None if dag is None else [[plain_name(a), plain_name(b)] for a, _, b in dag.edge_lines()]
    return arguments.discover("hill_climb", {"tabu": tabu, "start": edges}, search)


def _directed_by(knowledge: Knowledge | None, start: Any) -> Any:
    """The start graph with the directions that the knowledge gives to its undirected edges."""
    if knowledge is None or not isinstance(start, PDAG):
        return start
    required = [edge for edge in knowledge.required if frozenset(edge) in start.undirected]
    forbidden = [
        (a, b) for a, b, *_ in chain.from_iterable(map(permutations, start.undirected)) if knowledge.forbids(a, b)
    ]
    return orient(start.variables, start.directed, start.undirected, required=required, forbidden=forbidden).graph


def _start(dag: DAG | None, engine: ScoreEngine, rules: GraphRules) -> list[list[int]]:
    """The parents of each variable in the start graph, without those that no search uses, with the required ones."""
    variables = engine.variables
    found = [set(parents) for parents in rules.required]
    if dag is not None:
        for name in dag.variables:
            if name not in variables:
                raise unknown_column("start", name, variables)
        index = {name: i for i, name in enumerate(variables)}
        for a, b in dag.edges:
            constant = min(engine.n_levels(index[a]), engine.n_levels(index[b])) < 2
            if constant or index[a] in rules.not_parents:
                continue
            if rules.forbidden is not None and rules.forbidden[index[a], index[b]]:
                raise ArgumentError(f"start: the knowledge forbids its edge {a!r} → {b!r}.", hint="Leave the edge out.")
            found[index[b]].add(index[a])
    for y, parents in enumerate(found):
        if len(parents) >= len(rules.structure_bits):
            raise ArgumentError(
                f"start: the number of parents of {variables[y]!r}, with the required ones, must be at most "
                f"max_parents, {len(rules.structure_bits) - 1}, got {len(parents)}."
            )
    if not Marks.of_parents(found).is_acyclic:
        raise ArgumentError("start: its edges and the required ones form a directed cycle.")
    return [sorted(parents) for parents in found]
