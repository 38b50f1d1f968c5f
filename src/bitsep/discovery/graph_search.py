"""What searches by score share: their arguments, and the discovery made from the best DAG."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from bitsep import __version__
from bitsep.checks import integer
from bitsep.data.load import encoded
from bitsep.data.origin import origin_of
from bitsep.discovery.arguments import checked_knowledge, plain_value, usable_data
from bitsep.discovery.bootstrap import resample
from bitsep.discovery.columns import ColumnChoice
from bitsep.discovery.data_warnings import copies, warnings_of_scores
from bitsep.discovery.knowledge import Knowledge, Masks
from bitsep.discovery.limits import Limits
from bitsep.discovery.result import Discovery
from bitsep.discovery.score_trace import ScoreTrace, represented
from bitsep.errors import ArgumentError, DataError
from bitsep.graphs.marks import Marks
from bitsep.naming import Name
from bitsep.progress import SILENT, ProgressCallback, Reporter, reporter
from bitsep.scores.engine import FoundDag, GraphRules, ScoreEngine
from bitsep.scores.registry import resolve_score
from bitsep.scores.structure import structure_bits

LARGEST = 2**63 - 1
"""The largest number that native searches accept as an argument."""

_MAX_VARIABLES = 65_535  # the native searches store variables in two bytes

Search = Callable[[ScoreEngine, GraphRules, Reporter], FoundDag]


@dataclass(frozen=True)
class ScoreArguments:
    """The arguments that all searches by score have, as the user gave them."""

    data: Any
    score: str | None
    structure: bool
    max_parents: int | None
    knowledge: Knowledge | None
    threads: int | None
    progress: bool | ProgressCallback
    bootstrap: int
    seed: int
    checkpoint: str | os.PathLike[str] | None
    keep: Any
    exclude: Any
    min_rows_share: float
    min_effect: float
    missing_as_level: Any
    discretize: Any
    options: Mapping[str, Any]
    named: Iterable[Name] = ()
    """Columns that other arguments of the search name, which are therefore kept."""

    def discover(
        self, algorithm: str, own: Mapping[str, Any], search: Search, of_samples: Search | None = None
    ) -> Discovery:
        """Check the arguments, search, and collect the evidence.

        Parameters
        ----------
        algorithm : str
            The name of the search.
        own : mapping
            The settings that only this search has, checked.
        search : callable
            The search.
        of_samples : callable, optional
            The search of bootstrap samples; default: the same.
        """
        of_samples = search if of_samples is None else of_samples
        bootstrap = integer("bootstrap", self.bootstrap, at_least=0)
        seed = integer("seed", self.seed, at_least=0, at_most=LARGEST)
        if self.threads is not None:
            integer("threads", self.threads, at_least=1)
        max_parents = None if self.max_parents is None else integer("max_parents", self.max_parents, at_least=0)
        if not isinstance(self.structure, bool | np.bool_):
            raise ArgumentError(f"structure: must be True or False, got {self.structure!r}.")
        knowledge = checked_knowledge(self.knowledge)
        score = resolve_score(self.score, self.options)
        limits = Limits.of(self.min_rows_share, self.min_effect, self.missing_as_level)
        named = [*self.named, *limits.named, *(name for name, _ in (knowledge.named() if knowledge else ()))]
        columns = ColumnChoice.of(self.keep, self.exclude)
        source = encoded(self.data)
        data, done = usable_data(source, self.discretize, columns, named, self.threads)
        data = limits.applied(data)
        restricted = limits.restricted(data, "scores")
        engine = ScoreEngine.of(data, score, self.threads, self.checkpoint)
        masks = knowledge.on(engine.variables) if knowledge else None
        constant = frozenset(v for v in range(len(engine.variables)) if engine.n_levels(v) < 2)
        not_parents = frozenset(engine.variables.index(alert.column) for alert in restricted)
        rules = self._rules(engine, masks, constant, not_parents, limits.min_effect, max_parents)
        with reporter(self.progress) as report:
            found = search(engine, rules, report)
            resamples = None
            if bootstrap:

                def marks_of(sample: ScoreEngine) -> Marks:
                    return represented(Marks.of_parents(of_samples(sample, rules, SILENT).parents), masks)

                resamples = resample(engine, bootstrap, seed, marks_of, report)
        trace = ScoreTrace(engine, found.parents, masks, self.structure, constant, rules, resamples)
        settings = {
            "algorithm": algorithm,
            "score": score.method.name,
            "structure": bool(self.structure),
            "max_parents": max_parents,
            **own,
            "knowledge": knowledge.to_dict() if knowledge else None,
            "bootstrap": bootstrap,
            "seed": seed,
            **columns.settings,
            **limits.settings,
            "discretize": done.discretize,
            "options": {name: plain_value(self.options[name]) for name in sorted(self.options)},
            "n": engine.n,
            "bitsep_version": __version__,
        }
        return Discovery(
            variables=engine.variables,
            separations=trace.missing(),
            edges=trace.edges(),
            excluded=trace.excluded(),
            scores_computed=found.scores,
            support=trace.support(),
            settings=MappingProxyType(settings),
            _make_graph=trace.graph,
            _best_dag=trace.best_dag,
            _find_warnings=lambda: warnings_of_scores(trace, self.threads, limits.min_rows_share),
            _find_copies=(lambda: copies(trace, self.threads)) if bootstrap else tuple,
            left_out=done.left_out,
            restricted=restricted,
            discretized=done.discretized,
            data=engine.data,
            source=source,
            origin=origin_of(self.data),
        )

    def _rules(
        self,
        engine: ScoreEngine,
        masks: Masks | None,
        constant: frozenset[int],
        not_parents: frozenset[int],
        min_effect: float,
        max_parents: int | None,
    ) -> GraphRules:
        p = len(engine.variables)
        if p > _MAX_VARIABLES:
            raise DataError(f"data: searches by score take at most {_MAX_VARIABLES:,} columns, got {p:,}.")
        most = p - 1 if max_parents is None else min(max_parents, p - 1)
        required: list[list[int]] = (
            [[] for _ in range(p)] if masks is None else [np.flatnonzero(row).tolist() for row in masks.required.T]
        )
        for y, parents in enumerate(required):
            if len(parents) > most:
                raise ArgumentError(
                    f"max_parents: the knowledge requires {len(parents)} parents of {engine.variables[y]!r}, "
                    f"got {max_parents}."
                )
        bits = [structure_bits(p, k) if self.structure else 0.0 for k in range(most + 1)]
        # The code of a constant is empty in any case, but the structure code can become shorter with one parent more.
        useless = np.isin(np.arange(p), list(constant))
        unusable = useless | np.isin(np.arange(p), list(not_parents))
        forbidden = unusable[:, None] | useless[None, :]
        if masks is not None:
            forbidden = masks.forbidden | (forbidden & ~masks.required)
        return GraphRules(np.array(bits), forbidden if forbidden.any() else None, required, min_effect, not_parents)
