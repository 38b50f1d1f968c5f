"""FCI and RFCI: a causal graph from tests of conditional independence if variables may be hidden."""

from __future__ import annotations

import os
from types import MappingProxyType
from typing import Any, Literal, get_args

import numpy as np

from bitsep import __version__
from bitsep.checks import integer
from bitsep.data.load import encoded
from bitsep.data.origin import origin_of
from bitsep.discovery.arguments import checked_knowledge, engine_for, one_of, plain_value
from bitsep.discovery.bootstrap import resample
from bitsep.discovery.columns import ColumnChoice
from bitsep.discovery.data_warnings import warnings_of_tests
from bitsep.discovery.knowledge import Knowledge, Masks
from bitsep.discovery.limits import DEFAULT_MIN_ROWS_SHARE, Limits
from bitsep.discovery.mark_claims import Path, accept_paths, accept_triples, by_evidence, open_paths, weigh_paths
from bitsep.discovery.mark_orientation import Marked, complete
from bitsep.discovery.pag_trace import PagTrace
from bitsep.discovery.possible_d_sep import remove_by_possible_d_sep
from bitsep.discovery.result import Discovery
from bitsep.discovery.rfci import remove_by_path, remove_by_triples
from bitsep.discovery.skeleton import RefinedSkeleton, masks_of
from bitsep.discovery.triple_evidence import Tests, weigh_triples
from bitsep.errors import ArgumentError
from bitsep.independence import Oracle
from bitsep.independence.engines.base import Engine
from bitsep.independence.engines.checkpoint import CheckpointEngine
from bitsep.independence.engines.skeleton import SkeletonQuery
from bitsep.progress import SILENT, ProgressCallback, Reporter, reporter

Variant = Literal["fci", "rfci"]


def fci(
    data: Any,
    method: Any = "sci_f",
    alpha: float | None = None,
    max_given: int | None = None,
    variant: Variant = "fci",
    selection: bool = False,
    knowledge: Knowledge | None = None,
    threads: int | None = None,
    progress: bool | ProgressCallback = False,
    bootstrap: int = 0,
    seed: int = 0,
    checkpoint: str | os.PathLike[str] | None = None,
    keep: Any = None,
    exclude: Any = None,
    min_rows_share: float = DEFAULT_MIN_ROWS_SHARE,
    min_effect: float = 0.0,
    missing_as_level: Any = False,
    discretize: Any = None,
    **options: Any,
) -> Discovery:
    """Learn a causal graph of variables that may have hidden common causes.

    Parameters
    ----------
    data : table, path, Table, Oracle
        Any data that `independence_test` accepts, or an `Oracle` that answers from a known graph.
    method : str or test object
        The test of independence.
    alpha : float, optional
        The significance level of the test; for SCI tests an explicit alpha adds -log2(alpha) bits to the threshold.
    max_given : int, optional
        The largest size of conditioning sets; default: no limit. With a limit, edges may remain that larger sets would
        remove; arrowheads and tails are then less certain.
    variant : {"fci", "rfci"}
        "fci" also tests sets of variables that are not neighbors (Possible-D-Sep); "rfci" does not, and checks the
        edges instead on which it bases a conclusion: it is faster, and may keep more edges.
    selection : bool
        Whether the rows may be selected by variables that the data do not show, such as survival or an answer.
        Undirected edges are possible only then.
    knowledge : Knowledge, optional
        Required and forbidden edges, and tiers, as statements about causes; see Notes.
    threads : int, optional
        The number of threads; default: all cores. The result does not depend on it.
    progress : bool or callable
        True shows a progress bar in a terminal or a notebook; a callable is called with (stage, finished, total).
    bootstrap : int
        The number of bootstrap samples, in which the occurrences of each edge and each direction are counted.
    seed : int
        The seed for bootstrap resampling.
    checkpoint : path, optional
        A folder for the results of finished batches of tests, from which an interrupted search resumes; see
        `pc_stable`.
    keep : name or names, optional
        Columns to use even if they cannot serve; see `pc_stable`.
    exclude : name or names, optional
        Columns not to use.
    min_rows_share : float
        A column that has values in a smaller share of the rows is not used as a conditioning variable; see
        `pc_stable`.
    min_effect : float
        The bits per row that an edge needs besides the threshold: each test demands n · min_effect bits more.
    missing_as_level : bool, name or names
        Columns whose missing values are a level of their own, shown as ⟨missing⟩: True for all.
    discretize : str or mapping, optional
        How numeric columns are divided into intervals; see `pc_stable`.
    **options
        Options of the test.

    Returns
    -------
    Discovery
        The graph is a `PAG`; without knowledge it is always the PAG of some MAG (``graph.is_legal``). `to_dag` is an
        error, since a PAG represents graphs with hidden variables.

    Raises
    ------
    ArgumentError
        If max_given or bootstrap is below 0, threads is below 1, the variant is unknown, the checkpoint belongs to
        other data or to another test, or knowledge is combined with selection.
    KnowledgeError
        If the knowledge contains variables that the data do not have.

    Notes
    -----
    The skeleton is found as by `pc_stable`. With variant "fci", pairs are then also tested given subsets of
    Possible-D-Sep. Unshielded triples are decided by the evidence of their separators in bits, as by `pc_stable` with
    the rule "evidence"; discriminating paths in the same way. Decisions are accepted in the order of their bits, each
    unless it contradicts those accepted before; `conflicts` has the others. The marks accepted are completed to a MAG,
    whose PAG is the result; it has all marks that follow by Zhang's rules R1 to R10.

    Knowledge says less than for `pc_stable`, because an edge of a PAG need not be a cause. A forbidden edge a → b, and
    tiers with a after b, say that a is not a cause of b: if they have an edge, it has an arrowhead at a; if not, no
    chain of arrows leads from a to b. The other end stays open, since a hidden common cause remains possible; if both
    directions are forbidden, an edge is a ↔ b. A required edge a → b says that a is a cause of b; the pair is not
    tested. Decisions that no MAG can have beside the knowledge and the decisions with more bits are `conflicts`. With
    knowledge, the graph can have more marks than the PAG of any MAG.

    References
    ----------
    Spirtes, Glymour & Scheines, Causation, Prediction, and Search, MIT Press (2000).

    Zhang, On the completeness of orientation rules for causal discovery in the presence of latent confounders and
    selection bias, Artificial Intelligence 172 (2008).

    Colombo, Maathuis, Kalisch & Richardson, Learning high-dimensional directed acyclic graphs with latent and selection
    variables, Annals of Statistics 40 (2012).

    Examples
    --------
    >>> import bitsep
    >>> asia = bitsep.load_network("asia")
    >>> d = bitsep.fci(bitsep.Oracle(asia, hidden="smoke"))
    >>> d.graph == asia.dag.pag(hidden="smoke")
    True
    """
    if max_given is not None:
        max_given = integer("max_given", max_given, at_least=0)
    bootstrap = integer("bootstrap", bootstrap, at_least=0)
    seed = integer("seed", seed, at_least=0)
    one_of("variant", variant, get_args(Variant))
    knowledge = checked_knowledge(knowledge)
    if selection and knowledge:
        raise ArgumentError(
            "knowledge: must not be given with selection=True; it says nothing about causes of selection.",
            hint="Leave out one of them.",
        )
    named = () if knowledge is None else [name for name, _ in knowledge.named()]
    columns = ColumnChoice.of(keep, exclude)
    limits = Limits.of(min_rows_share, min_effect, missing_as_level)
    source = data if isinstance(data, Engine | Oracle) else encoded(data)
    engine, done = engine_for(source, method, alpha, threads, options, limits, discretize, columns, named)
    restricted = limits.restricted(engine.data, "tests")
    if checkpoint is not None:
        engine = CheckpointEngine(engine, checkpoint)
    masks = knowledge.on(engine.variables) if knowledge else None
    never_given = tuple(sorted(engine.places[alert.column] for alert in restricted))
    search = _Search(variant, bool(selection), max_given, masks, never_given)
    with reporter(progress) as report:
        skeleton, marked, tests = search.run(engine, report)
        resamples = None
        if bootstrap:
            resamples = resample(engine, bootstrap, seed, lambda other: search.run(other, SILENT)[1], report)
    trace = PagTrace(engine, skeleton, marked, resamples)
    settings = {
        "algorithm": "fci",
        "method": engine.method,
        "alpha": engine.alpha,
        "max_given": max_given,
        "variant": variant,
        "selection": bool(selection),
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
        excluded=frozenset(),
        tests_run=tests,
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


class _Search:
    """The search with its settings, for the data and for bootstrap samples."""

    def __init__(
        self,
        variant: Variant,
        selection: bool,
        max_given: int | None,
        knowledge: Masks | None,
        never_given: tuple[int, ...],
    ) -> None:
        self.variant = variant
        self.selection = selection
        self.max_given = max_given
        self.knowledge = knowledge
        self.never_given = never_given

    def run(self, engine: Engine, report: Reporter) -> tuple[RefinedSkeleton, Marked, int]:
        """The skeleton, the marks, and the number of tests made."""
        skeleton, tests = self._skeleton(engine, report)
        while True:
            triples = weigh_triples(engine, skeleton, self.max_given, report)
            tests += triples.tests
            adjacent = masks_of(skeleton.adjacent)
            ranked, strengths = by_evidence(triples), skeleton.strengths if self.knowledge is not None else {}
            claims = accept_triples(adjacent, ranked, self.knowledge, self.selection, strengths)
            weighed: dict[Path, float] = {}
            path_tests = Tests(engine, report, "weighing discriminating paths")
            smaller = skeleton
            while paths := open_paths(claims, weighed):
                if self.variant == "rfci":
                    smaller = remove_by_path(engine, skeleton, paths, self.max_given, report)
                    if smaller.edges < skeleton.edges:
                        break
                found = weigh_paths(path_tests, skeleton, paths, self.max_given)
                weighed |= found
                accept_paths(claims, found, self.knowledge)
            tests += path_tests.made
            if smaller is skeleton or smaller.edges == skeleton.edges:
                marked = complete(claims, triples, weighed, self.knowledge, self.selection)
                return smaller, marked, tests + smaller.tests
            skeleton, more = remove_by_triples(engine, smaller, self.max_given, report)
            tests += more

    def _skeleton(self, engine: Engine, report: Reporter) -> tuple[RefinedSkeleton, int]:
        """The skeleton, and the number of tests that its batches do not have."""
        query = SkeletonQuery(self.max_given, stop="never", never_given=self.never_given)
        if self.knowledge is not None:
            kept = self.knowledge.kept
            query = SkeletonQuery(
                self.max_given, required=kept, excluded=np.zeros_like(kept), stop="never", never_given=self.never_given
            )
        skeleton = RefinedSkeleton.of(engine.find_skeleton(query, report.stages("sets of size {}")))
        if self.variant == "rfci":
            return remove_by_triples(engine, skeleton, self.max_given, report)
        triples = weigh_triples(engine, skeleton, self.max_given, report)
        colliders = [triple for triple, bits in zip(triples.rows, triples.bits, strict=True) if bits >= 0]
        return remove_by_possible_d_sep(engine, skeleton, colliders, self.max_given, report), triples.tests
