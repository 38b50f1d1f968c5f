"""Builds the view that the page shows from a discovery and the data it was learned from."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, groupby
from typing import Any

from bitsep.data.contract import EncodedData
from bitsep.data.load import encoded
from bitsep.data.origin import file_name
from bitsep.data.prepared import with_missing_level_like
from bitsep.discovery import Discovery
from bitsep.discovery.doubts import doubts_about
from bitsep.discovery.evidence import EdgeCost, EdgeEvidence, EdgeSaving, LazyEvidence, Pair, Support
from bitsep.discovery.explanation import Explanation
from bitsep.discovery.extension import decisions_shown
from bitsep.discovery.pair_explanations import rests_on_few_rows
from bitsep.errors import DataError
from bitsep.figures import shown_per_row
from bitsep.independence import IndependenceResult, Separation
from bitsep.naming import Name, name_key, unknown_column
from bitsep.report.assumptions import meaning_of_arrows
from bitsep.report.contingency import Stratum, Tabulator
from bitsep.report.expected import expected_view
from bitsep.report.fit import fit_view
from bitsep.report.labels import quoted_label, unique_labels
from bitsep.report.layout import HEIGHT, Layout, lay_out
from bitsep.report.marks import end_marks
from bitsep.report.parts import parts_of
from bitsep.report.profile import data_view
from bitsep.report.repeat import facts, settings, snippet
from bitsep.report.thinning import strengths
from bitsep.report.view import (
    EdgeView,
    ExplanationView,
    NoteView,
    SeparationView,
    StratumView,
    SupportView,
    VariableView,
    View,
)

MAX_SEPARATIONS = 3_500
"""Maximum number of pairs without an edge that a page explains; if there are more, those nearest to an edge."""

_MAX_RANKED = 20_000  # pairs whose evidence is compared; of more pairs, those with a common neighbor

MAX_EDGES = 5_000
"""Maximum number of edges that a page explains; if there are more, the strongest."""

MAX_NOTES = 200
"""Maximum number of conflicts, ambiguous triples and decisions on a page, each; only the number of others is shown."""

_MAX_NUMBERS = 400_000  # in all contingency tables: about a megabyte of page
_TESTS_PER_PASS = 1_000  # tests whose tables are counted in one pass; some may not fit into the page
_MAX_ROWS_COUNTED = 200_000_000  # rows times tables: about two seconds of counting


def build_view(discovery: Discovery, data: Any = None, title: str | None = None, command: str | None = None) -> View:
    """The contents of a report.

    Parameters
    ----------
    discovery : Discovery
    data : table-like, optional
        The data it was learned from; default: the data that the discovery refers to (``discovery.data``), if any.
        Without data there are no levels and no contingency tables.
    title : str, optional
    command : str, optional
        The command line that produced the discovery.

    Raises
    ------
    DataError, UnknownColumnError
        If the data are not those of the discovery.
    """
    if data is None:
        return _Builder(discovery, discovery.data, discovery.source).view(title, command)  # None if read from JSON
    source = encoded(data)
    used = with_missing_level_like(discovery, source)
    return _Builder(discovery, _checked(discovery, used), source).view(title, command)


def _checked(discovery: Discovery, data: EncodedData) -> EncodedData:
    for name in discovery.variables:
        if name not in data.names:
            raise unknown_column("data", name, data.names)
    n = discovery.settings["n"]
    if data.n != n:
        raise DataError(f"data: must have the {n:,} rows that the graph was learned from, got {data.n:,}.")
    known = {column.column for column in data.discretized}
    cuts = [column for column in discovery.discretized if column.column not in known]
    return data.cut(cuts) if cuts else data


class _Builder:
    """State shared by the parts of one view."""

    def __init__(self, discovery: Discovery, data: EncodedData | None, source: EncodedData | None) -> None:
        self.discovery = discovery
        self.data = data
        self.source = source  # with the columns that the search left out
        self.tabulator = None if data is None else Tabulator(data)
        self.index = {name: i for i, name in enumerate(discovery.variables)}
        self.labels = unique_labels(discovery.variables)
        self.templates: dict[str, int] = {}  # thousands of explanations share a few templates
        self.numbers_left = _MAX_NUMBERS
        self.rows_left = _MAX_ROWS_COUNTED

    def view(self, title: str | None, command: str | None) -> View:
        strength = strengths(self.discovery)
        layout = lay_out(self.discovery.graph, self.labels, strength)
        edges = self._edges(layout, strength)  # before the separations: tables of edges have priority
        separations = self._separations()
        return View(
            title=title or file_name(self.discovery.origin) or "Causal graph",
            facts=facts(self.discovery),
            settings=settings(self.discovery, self.data),
            snippet=snippet(self.discovery, self.data),
            command=command,
            profile=data_view(self.source, self.discovery, self.index, shell=command is not None),
            width=round(layout.width, 1),
            height=round(layout.height, 1),
            box_height=HEIGHT,
            rows=self.discovery.settings["n"],
            has_data=self.data is not None,
            by_score=self.discovery.by_score,
            assumed=meaning_of_arrows(self.discovery),
            variables=self._variables(layout),
            parts=parts_of(self.discovery.graph),
            edges=edges,
            edges_drawn=len(layout.routes),
            edges_left_out=len(strength) - len(edges),
            separations=separations,
            separations_left_out=len(self.discovery.separations) + len(self.discovery.excluded) - len(separations),
            notes=self._notes(),
            notes_left_out=sum(max(0, len(group) - MAX_NOTES) for group in self._note_groups()),
            fit=fit_view(self.discovery, self.data, self._note),
            expected=expected_view(self.discovery, self.data),
            templates=tuple(self.templates),
        )

    def _variables(self, layout: Layout) -> tuple[VariableView, ...]:
        graph = self.discovery.graph
        parents_of = {name: graph.parents(name) for name in graph.variables}
        found = []
        for name, label, box in zip(graph.variables, self.labels, layout.boxes, strict=True):
            parents, children = parents_of[name], graph.children(name)
            parents_of_children = frozenset[Name]().union(*(parents_of[child] for child in children))
            spouses = parents_of_children - graph.neighbors(name) - {name}
            found.append(
                VariableView(
                    label, box.x, box.y, box.width,
                    self._indices(parents), self._indices(children),
                    self._indices(graph.neighbors(name) - parents - children), self._indices(spouses),
                    quoted=None if (quoted := quoted_label(name, label)) == label else quoted,
                    **self._column(name),
                )
            )  # fmt: skip
        return tuple(found)

    def _column(self, name: Name) -> dict[str, Any]:
        if self.data is None or self.tabulator is None:
            return {}
        return {
            "n_levels": self.data.n_levels(name),
            "missing": self.tabulator.missing(name),
            "levels": self.tabulator.level_counts(name),
            "pooled": self.tabulator.axis(name).pooled,
        }

    def _edges(self, layout: Layout, strength: dict[Pair, float]) -> tuple[EdgeView, ...]:
        """The edges in canonical order; if there are too many, those in the drawing and the strongest others."""
        contested = {frozenset(conflict.edge) for conflict in self.discovery.conflicts}
        lines = self.discovery.graph.edge_lines()
        routes = [layout.route(self.index[a], self.index[b]) for a, _, b in lines]
        order = sorted(
            range(len(lines)), key=lambda k: (not routes[k], -strength[frozenset((lines[k][0], lines[k][2]))])
        )
        found, tests = [], []
        for k in sorted(order[: max(MAX_EDGES, len(layout.routes))]):
            a, sign, b = lines[k]
            evidence = self.discovery.edges[frozenset((a, b))]
            found.append(
                EdgeView(
                    self.index[a], self.index[b], *end_marks(sign), frozenset((a, b)) in contested, routes[k],
                    **_edge_numbers(evidence),
                    given=self._indices(evidence.given),
                    rows=evidence.rows,
                    support=_support(evidence.support, forward=name_key(a) < name_key(b)),
                    probability=self._probability(frozenset((a, b))),
                    doubtful=next((doubt.kind for doubt in doubts_about(self.discovery, frozenset((a, b)))), None),
                    explanation=self._explained(self.discovery.explanation(a, b)),
                    strata=(),
                )
            )  # fmt: skip
            tests.append((None if evidence.margin_bits is None else evidence.given, a, b))
        return tuple(replace(edge, strata=strata) for edge, strata in zip(found, self._strata(tests), strict=True))

    def _separations(self) -> tuple[SeparationView, ...]:
        """Pairs without an edge in canonical order; if there are too many, those nearest to an edge."""
        found = self.discovery.separations
        pairs: list[Pair] = [*found, *self.discovery.excluded]
        if len(pairs) > _MAX_RANKED:
            pairs = self._with_common_neighbor(found)[:_MAX_RANKED]
        if isinstance(found, LazyEvidence):
            found.load(pair for pair in pairs if pair in found)
        nearest = sorted(pairs, key=lambda pair: (found[pair].margin_bits if pair in found else 0, self._key(pair)))
        shown = nearest[:MAX_SEPARATIONS]
        tests = [(found[pair].given if pair in found else None, *self._ordered(pair)) for pair in shown]
        views = [
            replace(self._separation(pair), strata=strata)
            for pair, strata in zip(shown, self._strata(tests), strict=True)
        ]
        return tuple(sorted(views, key=lambda view: (view.a, view.b)))

    def _with_common_neighbor(self, found: Mapping[Pair, Separation | EdgeCost]) -> list[Pair]:
        """The pairs without an edge that have a common neighbor, those with the strongest edges to it first."""
        strength = strengths(self.discovery)
        best: dict[Pair, float] = {}
        for center in self.discovery.variables:
            around = sorted(self.discovery.graph.neighbors(center), key=lambda name: self.index[name])
            bits = {name: strength[frozenset((name, center))] for name in around}
            for a, b in combinations(around, 2):
                pair = frozenset((a, b))
                best[pair] = max(best.get(pair, -math.inf), min(bits[a], bits[b]))
        return sorted((pair for pair in best if pair in found), key=lambda pair: (-best[pair], self._key(pair)))

    def _separation(self, pair: Pair) -> SeparationView:
        a, b = self._ordered(pair)
        i, j = self.index[a], self.index[b]
        evidence = self.discovery.separations.get(pair)
        explanation = self._explained(self.discovery.explanation(a, b))
        if evidence is None:
            return SeparationView(i, j, None, None, None, None, 0, False, 0, None, None, explanation, ())
        support = None
        if self.discovery.settings["bootstrap"]:
            counted = self.discovery.support.get(pair)
            support = 0.0 if counted is None else _rounded(counted.edge)
        return SeparationView(
            i, j, self._indices(evidence.given),
            **_missing_numbers(evidence),
            few_rows=rests_on_few_rows(evidence, self.discovery.rows_share),
            support=support,
            probability=self._probability(pair),
            explanation=explanation,
            strata=(),
        )  # fmt: skip

    def _probability(self, pair: Pair) -> float | None:
        probability = self.discovery.probability.get(pair)
        return None if probability is None else _rounded(probability)

    def _strata(self, tests: Sequence[tuple[tuple[Name, ...] | None, Name, Name]]) -> Iterator[tuple[StratumView, ...]]:
        """The tables given the variables of each entry, with rows for a and columns for b, until the page is full."""
        for start in range(0, len(tests), _TESTS_PER_PASS):
            part = tests[start : start + _TESTS_PER_PASS]
            queries = [(a, b, given) for given, a, b in part if given is not None]
            counted = iter(()) if self.tabulator is None or self._full else self.tabulator.strata_many(queries)
            for given, _, _ in part:
                yield () if given is None or self._full else self._stratum_views(next(counted, ()))

    @property
    def _full(self) -> bool:
        return self.numbers_left <= 0 or self.rows_left <= 0

    def _stratum_views(self, strata: Sequence[Stratum]) -> tuple[StratumView, ...]:
        views = tuple(map(_stratum, strata))
        self.rows_left -= 0 if self.data is None else self.data.n_rows
        self.numbers_left -= sum(len(view.cells) + len(view.expected or ()) for view in views)
        return views

    def _note_groups(self) -> tuple[list[tuple[str, Explanation, Sequence[Name]]], ...]:
        """Warnings, doubts, conflicts, ambiguous triples and decisions, each with its kind, its text and any edge.

        Decisions about undirected edges are no news: the graph shows these edges, and the summary counts them.
        """
        return (
            [("warning", Explanation("{}", (text,)), ()) for text in self.discovery.warnings],
            [("doubtful", doubt.reason, doubt.pair) for doubt in self.discovery.doubts],
            [("conflict", conflict.reason, conflict.edge) for conflict in self.discovery.conflicts],
            [("ambiguous", triple.reason, ()) for triple in self.discovery.ambiguous],
            [("decision", d.reason, d.edge) for d in decisions_shown(self.discovery) or () if d.kind != "undirected"],
        )

    def _notes(self) -> tuple[NoteView, ...]:
        return tuple(self._note(*note) for group in self._note_groups() for note in group[:MAX_NOTES])

    def _note(self, kind: str, explanation: Explanation, edge: Sequence[Name]) -> NoteView:
        return NoteView(kind, self._explained(explanation), tuple(self.index[name] for name in edge) or None)

    def _explained(self, explanation: Explanation) -> ExplanationView:
        template = self.templates.setdefault(explanation.template, len(self.templates))
        values = (v if isinstance(v, str) else tuple(self.index[name] for name in v) for v in explanation.values)
        return (template, *(v[0] if len(v) == 1 and not isinstance(v, str) else v for v in values))

    def _indices(self, names: Iterable[Name]) -> tuple[int, ...]:
        return tuple(sorted(self.index[name] for name in names))

    def _ordered(self, pair: Pair) -> tuple[Name, Name]:
        a, b = sorted(pair, key=lambda name: self.index[name])
        return a, b

    def _key(self, pair: Pair) -> list[int]:
        return sorted(self.index[name] for name in pair)


def _support(support: Support | None, *, forward: bool) -> SupportView | None:
    """Bootstrap support of an edge in the direction drawn: `forward` if it starts at the first variable by name."""
    if support is None:
        return None
    along, against = (support.forward, support.backward) if forward else (support.backward, support.forward)
    return SupportView(_rounded(support.edge), _rounded(along), _rounded(against))


def _bits(result: IndependenceResult | None) -> dict[str, float | None]:
    if result is None or result.n == 0:
        return {"strength": None, "threshold": None}
    by_p_value = result.decides_by_p_value
    strength = result.score_bits + result.threshold_bits if by_p_value else result.n * result.cmi_bits
    return {"strength": _finite(strength), "threshold": _finite(result.threshold_bits)}


def _edge_numbers(evidence: EdgeEvidence | EdgeSaving) -> dict[str, Any]:
    per_row, share = evidence.bits_per_row, evidence.entropy_share
    effect = {
        "per_row": None if per_row is None else float(shown_per_row(per_row)),
        "entropy_share": None if share is None else _rounded(share),
    }
    margin = None if evidence.margin_bits is None else _finite(evidence.margin_bits)
    if isinstance(evidence, EdgeSaving):
        return {"strength": _finite(evidence.saved_bits), **effect, "threshold": None, "margin": margin, "tests": 0}
    return {**_bits(evidence.weakest), **effect, "margin": margin, "tests": evidence.tests_run}


def _missing_numbers(evidence: Separation | EdgeCost) -> dict[str, Any]:
    if isinstance(evidence, EdgeCost):
        cost = _finite(-evidence.margin_bits)
        return {"score": cost, "strength": None, "threshold": None, "rows": evidence.rows, "tests": 0}
    result = evidence.result
    return {
        "score": _finite(result.score_bits), **_bits(result), "rows": result.n, "tests": evidence.tests_run
    }  # fmt: skip


def _stratum(stratum: Stratum) -> StratumView:
    expected = tuple(_rounded(value) for value in stratum.expected.ravel().tolist()) if stratum.pooled else None
    return StratumView(stratum.labels, stratum.pooled, _packed(stratum.observed.ravel().tolist()), expected)


def _packed(cells: Sequence[int]) -> tuple[int, ...]:
    """The cells with each run of zeros as one negative number.

    >>> _packed([3, 0, 0, 1, 0])
    (3, -2, 1, -1)
    """
    packed: list[int] = []
    for empty, run in groupby(cells, key=lambda count: count == 0):
        counts = list(run)
        packed += [-len(counts)] if empty else counts
    return tuple(packed)


def _finite(value: float) -> float | None:
    """Bits, rounded as they are shown, so that the page cannot round them differently."""
    return float(f"{value:.2f}") if math.isfinite(value) else None


def _rounded(value: float) -> float:
    return float(f"{value:.4g}")
