"""PC-stable: a causal graph from tests of conditional independence (Colombo & Maathuis 2014)."""

from __future__ import annotations

import os
from collections.abc import Callable
from types import MappingProxyType
from typing import Any, get_args

from bitsep import __version__
from bitsep.checks import integer, real_number
from bitsep.data.origin import origin_of
from bitsep.discovery.arguments import engine_for, one_of
from bitsep.discovery.bootstrap import resample
from bitsep.discovery.data_warnings import find_warnings
from bitsep.discovery.knowledge import Knowledge, Masks
from bitsep.discovery.orientation import Oriented, orient_edges
from bitsep.discovery.result import Discovery
from bitsep.discovery.skeleton import Skeleton, find_skeleton
from bitsep.discovery.trace import Trace
from bitsep.discovery.v_structures import OrientationRule, judge_triples
from bitsep.errors import UnsupportedTypeError
from bitsep.independence.engines.base import Engine
from bitsep.independence.engines.checkpoint import CheckpointEngine
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
    orientation: OrientationRule = "standard",
    checkpoint: str | os.PathLike[str] | None = None,
    **options: Any,
) -> Discovery:
    """Learn a causal graph, with the evidence for every edge and for every missing one.

    Parameters
    ----------
    data : table, path, Table, Oracle
        Anything `independence_test` takes, or an `Oracle` that answers from a known graph.
    method : str or test object
        The test of independence.
    alpha : float, optional
        Its significance level; for SCI tests an explicit alpha asks for -log2(alpha) bits more.
    max_given : int, optional
        Largest conditioning set; without it, as large as the graph allows.
    knowledge : Knowledge, optional
        Required and forbidden arrows, and tiers. A variable that cannot be a parent of x, by knowledge, is kept out
        of the sets drawn from the neighbors of x.
    threads : int, optional
        All cores without it. The result does not depend on it.
    progress : bool or callable
        True draws a bar where stderr is a terminal; a callable gets (stage, finished, total).
    bootstrap : int
        Resample the rows this many times and count how often each edge and each direction comes back.
    seed : int
        Of the resampling.
    orientation : {"standard", "conservative", "majority"}
        How v-structures are told: by the one separator found, by all separators if they agree, or by most of them.
    checkpoint : path, optional
        A folder for the answers of finished levels: a search that was interrupted and is started again with the same
        data and settings resumes after the last of them, with the same result. The folder of other data, another test
        or another version is refused; a test of your own needs an attribute `identity` (see `IndependenceCriterion`).
    **options
        Of the test.

    Returns
    -------
    Discovery
        With one variable only, a graph without edges.

    Raises
    ------
    ArgumentError
        max_given or bootstrap below 0, threads below 1, an unknown orientation rule; a checkpoint of other data, of
        another test, or of a test without an identity.
    KnowledgeError
        Knowledge about variables the data do not have.

    Notes
    -----
    Pairs are tested given sets of growing size, drawn from the neighbors either variable had when the size began; a
    pair goes at its first separator. v-structures come from the separators, more arrows from Meek's four rules. Where
    v-structures contradict each other the edge stays undirected and `conflicts` says why.

    Verdicts of tests on a sample need not fit together, so the graph may stand for no DAG, under every orientation
    rule and also where `conflicts` is empty; ``graph.consistent_extension()`` is then None.

    References
    ----------
    Colombo & Maathuis, Order-independent constraint-based causal structure learning, JMLR 15 (2014).

    Examples
    --------
    >>> import bitsep
    >>> d = bitsep.pc_stable(bitsep.load_network("asia").sample(5000, seed=1))
    >>> print(d.explain("lung", "bronc").splitlines()[0])
    bronc and lung have no edge: given smoke they are independent.
    >>> d.warnings[0]
    "'either' is a function of 'lung', 'tub' in these data: relations without noise hide edges around them."
    """
    if max_given is not None:
        max_given = integer("max_given", max_given, at_least=0)
    bootstrap = integer("bootstrap", bootstrap, at_least=0)
    seed = integer("seed", seed, at_least=0)
    one_of("orientation", orientation, get_args(OrientationRule))
    if knowledge is not None and not isinstance(knowledge, Knowledge):
        raise UnsupportedTypeError(f"knowledge: must be a bitsep.Knowledge, got {type(knowledge).__name__}.")
    engine = engine_for(data, method, alpha, threads, options)
    if checkpoint is not None:
        engine = CheckpointEngine(engine, checkpoint)
    masks = knowledge.on(engine.variables) if knowledge else None
    with reporter(progress) as report:
        skeleton, orient, judging = _search(engine, max_given, masks, orientation, report)
        resamples = None
        if bootstrap:
            resamples = resample(
                engine, bootstrap, seed,
                lambda other: _search(other, max_given, masks, orientation, SILENT)[1]().marks, report,
            )  # fmt: skip
    trace = Trace(engine, skeleton, orient, resamples)
    settings = {
        "method": engine.method,
        "alpha": engine.alpha,
        "max_given": max_given,
        "orientation": orientation,
        "knowledge": knowledge.to_dict() if knowledge else None,
        "bootstrap": bootstrap,
        "seed": seed,
        "options": {name: _plain(options[name]) for name in sorted(options)},
        "n": engine.n,
        "bitsep_version": __version__,
    }
    return Discovery(
        variables=engine.variables,
        separations=trace.separations(),
        edges=trace.edges,
        excluded=trace.excluded(),
        tests_run=skeleton.tests + judging,
        support=trace.support(),
        settings=MappingProxyType(settings),
        _make_graph=trace.graph,
        _find_conflicts=trace.conflicts,
        _find_ambiguous=trace.ambiguous,
        _find_warnings=lambda: find_warnings(trace),
        data=engine.data,
        origin=origin_of(data),
    )


def _search(
    engine: Engine, max_given: int | None, knowledge: Masks | None, rule: OrientationRule, report: Reporter
) -> tuple[Skeleton, Callable[[], Oriented], int]:
    """Skeleton, directions when they are asked for, and the tests that judging v-structures took."""
    skeleton = find_skeleton(engine, max_given, knowledge, report)
    if rule == "standard":  # takes no test: the separators are known

        def orient() -> Oriented:
            known = judge_triples(engine, skeleton, rule, max_given, SILENT)
            return orient_edges(skeleton.adjacent, known, knowledge)

        return skeleton, orient, 0
    triples = judge_triples(engine, skeleton, rule, max_given, report)
    return skeleton, lambda: orient_edges(skeleton.adjacent, triples, knowledge), triples.tests


def _plain(value: Any) -> Any:
    """An option as JSON can hold it."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    number = real_number(value)
    return repr(value) if number is None else number
