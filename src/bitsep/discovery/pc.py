"""PC-stable: a causal graph from tests of conditional independence (Colombo & Maathuis 2014)."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from functools import partial
from types import MappingProxyType
from typing import Any, Literal, get_args

from bitsep import __version__
from bitsep.checks import integer
from bitsep.data.load import encoded
from bitsep.data.origin import origin_of
from bitsep.discovery.arguments import checked_knowledge, engine_for, one_of, plain_value
from bitsep.discovery.bootstrap import resample
from bitsep.discovery.columns import ColumnChoice
from bitsep.discovery.data_warnings import warnings_of_tests
from bitsep.discovery.false_discovery import checked_rate, largest_level
from bitsep.discovery.knowledge import Knowledge, Masks
from bitsep.discovery.limits import DEFAULT_MIN_ROWS_SHARE, Limits
from bitsep.discovery.orientation import Oriented, orient_by_evidence, orient_edges
from bitsep.discovery.result import Discovery
from bitsep.discovery.skeleton import Skeleton, find_skeleton
from bitsep.discovery.trace import Trace
from bitsep.discovery.triple_evidence import weigh_triples
from bitsep.discovery.v_structures import OrientationRule, decide_triples
from bitsep.independence import Oracle, open_engine
from bitsep.independence.engines.base import Engine
from bitsep.independence.engines.checkpoint import CheckpointEngine
from bitsep.independence.engines.skeleton import Mask
from bitsep.progress import SILENT, ProgressCallback, Reporter, reporter


def pc_stable(
    data: Any,
    method: Any = "sci_f",
    alpha: float | None = None,
    max_given: int | None = None,
    knowledge: Knowledge | None = None,
    threads: int | None = None,
    progress: bool | ProgressCallback = False,
    bootstrap: int = 0,
    seed: int = 0,
    orientation: OrientationRule = "evidence",
    checkpoint: str | os.PathLike[str] | None = None,
    keep: Any = None,
    exclude: Any = None,
    fdr: float | None = None,
    min_rows_share: float = DEFAULT_MIN_ROWS_SHARE,
    min_effect: float = 0.0,
    missing_as_level: Any = False,
    discretize: Any = None,
    **options: Any,
) -> Discovery:
    """Learn a causal graph, with the evidence for every edge and every missing edge.

    Parameters
    ----------
    data : table, path, Table, Oracle
        Any data that `independence_test` accepts, or an `Oracle` that answers from a known graph.
    method : str or test object
        The test of independence.
    alpha : float, optional
        The significance level of the test; for SCI tests an explicit alpha adds -log2(alpha) bits to the threshold.
    max_given : int, optional
        The largest size of conditioning sets; default: no limit.
    knowledge : Knowledge, optional
        Required and forbidden edges, and tiers. A variable that cannot be a parent of x according to the knowledge is
        not used in conditioning sets chosen from the neighbors of x.
    threads : int, optional
        The number of threads; default: all cores. The result does not depend on it.
    progress : bool or callable
        True shows a progress bar in a terminal or a notebook; a callable is called with (stage, finished, total).
    bootstrap : int
        The number of bootstrap samples, in which the occurrences of each edge and each direction are counted.
    seed : int
        The seed for bootstrap resampling.
    orientation : {"evidence", "majority", "conservative", "standard"}
        How v-structures are decided: by the evidence of separators in bits, which also settles contradictions; by the
        majority of all separators; by all separators if they agree; or by the one separator found. See Notes.
    checkpoint : path, optional
        A folder for the results of finished sizes of conditioning sets: if a search is interrupted and started again
        with the same data and settings, it resumes after the last finished size, with the same result. A folder of
        other data, another test or another version is refused; a test written in Python needs an attribute `identity`
        (see `IndependenceCriterion`).
    keep : name or names, optional
        Columns to use even if they cannot serve: identifiers, dates, free text and similar columns are left out
        (`Discovery.left_out`), unless they are kept or the knowledge mentions them. See `describe`.
    exclude : name or names, optional
        Columns not to use.
    fdr : float, optional
        The false discovery rate of the edges, instead of `alpha`: the significance level is chosen such that on average
        at most this share of the edges is false; ``settings["alpha"]`` has it. Needs a test with p-values. See Notes.
    min_rows_share : float
        A column that has values in a smaller share of the rows is not used as a conditioning variable, since a test
        given it would use only these rows (`Discovery.restricted`); it can still have edges. Missing edges that rest on
        a smaller share of the rows are reported in `warnings`. 0 for no restriction.
    min_effect : float
        The bits per row that an edge needs besides the threshold: each test demands n · min_effect bits more.
    missing_as_level : bool, name or names
        Columns whose missing values are a level of their own, shown as ⟨missing⟩: True for all.
    discretize : str or mapping, optional
        How numeric columns are divided into intervals: ``"auto"`` or another method of `bitsep.discretize`, for all
        columns that look continuous or by column. By default such columns are an error. `Discovery.discretized` has the
        cut points.
    **options
        Options of the test.

    Returns
    -------
    Discovery
        The graph and its evidence; with only one variable, a graph without edges.

    Raises
    ------
    ArgumentError
        If max_given or bootstrap is below 0, threads is below 1, the orientation rule is unknown, the checkpoint
        belongs to other data, to another test or to a test without an identity, or fdr is not between 0 and 1 or used
        with alpha, a checkpoint, or a test without p-values.
    KnowledgeError
        If the knowledge contains variables that the data do not have.

    Notes
    -----
    Pairs are tested given conditioning sets of increasing size, chosen from the neighbors that either variable had
    before the first set of that size was tested; a separator removes the edge. v-structures follow from the separators,
    further directions from Meek's four rules.

    With the rule "evidence", all smallest separators S of a and b decide about a triple a — c — b without an edge
    between a and b: each with the bits by which the score of a and b rises if c is put into S, or is taken out of it.
    The decisions are accepted in the order of their bits, each if some DAG satisfies it together with those accepted
    before; `conflicts` has the others. So the graph always represents DAGs (unless the directions that knowledge allows
    form a cycle). All sets of the size of a separator are tested, and the one with the lowest score is reported. So
    graph, separators and bits do not depend on the names of the variables, except between exactly equal scores. This
    takes about twice as many tests as the rule "standard", which uses the first separator found.

    With the other rules an edge stays undirected if v-structures contradict each other, and `conflicts` has the reason.
    Such a graph may not represent any DAG, even if `conflicts` is empty; ``graph.consistent_extension()`` is then None.
    `Discovery.to_dag` always returns a DAG.

    With `fdr`, the p-value of an edge is the largest of all its tests, and the significance level is the largest one at
    which the rule of Benjamini & Yekutieli accepts all edges that it keeps; the search is repeated until the two agree.
    The rate holds if the p-values of the test do (``x2_calibrated``), and if a pair without an edge was tested given a
    separator. It says nothing about missing edges or about directions.

    References
    ----------
    Colombo & Maathuis, Order-independent constraint-based causal structure learning, JMLR 15 (2014).

    Benjamini & Yekutieli, The control of the false discovery rate in multiple testing under dependency, Annals of
    Statistics 29 (2001).

    Examples
    --------
    >>> import bitsep
    >>> d = bitsep.pc_stable(bitsep.load_network("asia").sample(5000, seed=1))
    >>> print(d.explain("lung", "bronc").splitlines()[0])
    bronc and lung have no edge: given smoke they are independent.
    >>> d.warnings[0]
    "'either' is a function of 'lung', 'tub' in these data: deterministic relations hide edges around them."
    """
    if max_given is not None:
        max_given = integer("max_given", max_given, at_least=0)
    bootstrap = integer("bootstrap", bootstrap, at_least=0)
    seed = integer("seed", seed, at_least=0)
    one_of("orientation", orientation, get_args(OrientationRule))
    knowledge = checked_knowledge(knowledge)
    named = () if knowledge is None else [name for name, _ in knowledge.named()]
    columns = ColumnChoice.of(keep, exclude)
    rate = checked_rate(fdr, data, method, alpha, checkpoint)
    limits = Limits.of(min_rows_share, min_effect, missing_as_level)
    source = data if isinstance(data, Engine | Oracle) else encoded(data)
    engine, done = engine_for(source, method, alpha, threads, options, limits, discretize, columns, named)
    restricted = limits.restricted(engine.data, "tests")
    if checkpoint is not None:
        engine = CheckpointEngine(engine, checkpoint)
    masks = knowledge.on(engine.variables) if knowledge else None
    never_given = tuple(sorted(engine.places[alert.column] for alert in restricted))
    with reporter(progress) as report:
        if rate is not None:
            at_level = partial(
                open_engine, engine.data, method, threads=threads, min_effect=limits.min_effect, **options
            )
            engine = _with_rate(engine, rate, at_level, max_given, masks, never_given, report)
        skeleton, orient, orientation_tests = _search(engine, max_given, masks, never_given, orientation, report)
        resamples = None
        if bootstrap:
            resamples = resample(
                engine, bootstrap, seed,
                lambda other: _search(other, max_given, masks, never_given, orientation, SILENT)[1]().marks, report,
            )  # fmt: skip
    trace = Trace(engine, skeleton, orient, resamples)
    settings = {
        "algorithm": "pc_stable",
        "method": engine.method,
        "alpha": engine.alpha,
        "fdr": rate,
        "max_given": max_given,
        "orientation": orientation,
        "knowledge": knowledge.to_dict() if knowledge else None,
        "bootstrap": bootstrap,
        "seed": seed,
        **columns.settings,
        **limits.settings,
        "discretize": done.discretize,
        "options": {name: plain_value(options[name]) for name in sorted(options)},
        "n": engine.n,
        "bitsep_version": __version__,
    }
    return Discovery(
        variables=engine.variables,
        separations=trace.separations(),
        edges=trace.edges,
        excluded=trace.excluded(),
        tests_run=skeleton.tests + orientation_tests,
        support=trace.support(),
        settings=MappingProxyType(settings),
        _make_graph=trace.graph,
        _find_conflicts=trace.conflicts,
        _find_ambiguous=trace.ambiguous,
        _find_warnings=lambda: warnings_of_tests(trace, limits.min_rows_share),
        left_out=done.left_out,
        restricted=restricted,
        discretized=done.discretized,
        data=engine.data,
        source=engine.data if isinstance(source, Engine | Oracle) else source,
        origin=origin_of(data),
    )


def _with_rate(
    engine: Engine,
    rate: float,
    at_level: Callable[..., Engine],
    max_given: int | None,
    knowledge: Masks | None,
    never_given: tuple[int, ...],
    report: Reporter,
) -> Engine:
    """The engine at the significance level that keeps a false discovery rate."""
    required, excluded = (0, 0) if knowledge is None else (_edges(knowledge.kept), _edges(knowledge.excluded))
    pairs = math.comb(len(engine.variables), 2) - required - excluded

    def edges_at(alpha: float) -> int:
        skeleton = find_skeleton(at_level(alpha=alpha), max_given, knowledge, never_given, "first", report)
        return _edges(skeleton.adjacent) - required

    return at_level(alpha=largest_level(rate, pairs, edges_at)) if pairs else engine


def _edges(adjacent: Mask) -> int:
    return int(adjacent.sum()) // 2


def _search(
    engine: Engine,
    max_given: int | None,
    knowledge: Masks | None,
    never_given: tuple[int, ...],
    rule: OrientationRule,
    report: Reporter,
) -> tuple[Skeleton, Callable[[], Oriented], int]:
    """The skeleton, a function that orients its edges, and the number of tests used to decide v-structures."""
    # Only the rule "evidence" has to choose separators by their scores, which takes more tests.
    stop: Literal["first", "never"] = "never" if rule == "evidence" else "first"
    skeleton = find_skeleton(engine, max_given, knowledge, never_given, stop, report)
    if rule == "evidence":
        weighed = weigh_triples(engine, skeleton, max_given, report)
        return skeleton, lambda: orient_by_evidence(skeleton.adjacent, weighed, knowledge), weighed.tests
    if rule == "standard":  # needs no tests: the separators are known

        def orient() -> Oriented:
            known = decide_triples(engine, skeleton, rule, max_given, SILENT)
            return orient_edges(skeleton.adjacent, known, knowledge)

        return skeleton, orient, 0
    triples = decide_triples(engine, skeleton, rule, max_given, report)
    return skeleton, lambda: orient_edges(skeleton.adjacent, triples, knowledge), triples.tests
