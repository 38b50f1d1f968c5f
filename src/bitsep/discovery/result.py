"""The result of a search for a graph: the graph, and the evidence for every edge and every missing edge."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bitsep.data.discretization import CutColumn
from bitsep.data.origin import UNKNOWN, Origin
from bitsep.data.profile import Alert
from bitsep.data.profile.display import left_out_line, restricted_line
from bitsep.discovery import serialize
from bitsep.discovery.confidence import Confidence
from bitsep.discovery.evidence import (
    AmbiguousTriple,
    Conflict,
    Decision,
    EdgeCost,
    EdgeEvidence,
    EdgeSaving,
    Pair,
    Support,
)
from bitsep.discovery.explaining import explain_pair
from bitsep.discovery.explanation import Explanation
from bitsep.discovery.extension import Extension, extend
from bitsep.discovery.frames import edges_frame, separations_frame
from bitsep.discovery.outputs import Outputs
from bitsep.discovery.pair_explanations import RowsShare
from bitsep.discovery.weight_warnings import weight_warnings
from bitsep.figures import shown_count
from bitsep.graphs import PAG, PDAG
from bitsep.independence import Separation
from bitsep.lazy import cached_property
from bitsep.naming import Name, shown_name

if TYPE_CHECKING:
    import pandas as pd

    from bitsep.data.contract import EncodedData
    from bitsep.graphs import DAG, GraphComparison, PagComparison


@dataclass(frozen=True, eq=False, repr=False)
class Discovery(Confidence, Outputs):
    """A causal graph and the evidence behind it, from a search or `from_json`; it cannot be changed.

    Attributes
    ----------
    variables : tuple of names
        The variables in canonical order.
    separations : mapping from pairs to Separation or EdgeCost
        For every pair without an edge: its separator and the tests or, in a search by score, the bits that the edge
        would cost. Keys are frozensets of two names.
    excluded : frozenset of pairs
        The pairs without an edge because knowledge forbids both directions; they were not tested.
    edges : mapping from pairs to EdgeEvidence or EdgeSaving
        For every edge the reason for its direction, and the test that came closest to separating its variables or, in a
        search by score, the bits that the edge saves.
    tests_run, scores_computed : int
        The number of tests made or of scores computed, without those of bootstrap samples and of the evidence.
    support : mapping from pairs to Support
        The bootstrap support of every pair that is adjacent here or in some sample, and of no other pair; empty without
        bootstrap.
    left_out : tuple of Alert
        The columns that were left out because they cannot serve in a search, each with the reason.
    restricted : tuple of Alert
        The columns that are missing in too many rows to be conditioning variables, or parents in a search by score (see
        `min_rows_share`), each with its share; they can have edges.
    discretized : tuple of CutColumn
        The columns that were divided into intervals, each with its cut points.
    settings : mapping
        All settings: algorithm (the name of the function), its arguments, options (of the test or the score),
        n (sum of the weights), bitsep_version.
    data : EncodedData or None
        The data, for contingency tables of the report; None after `from_json`.
    source : EncodedData or None
        The same data with the columns that were left out, for the profile in the report; None after `from_json`.
    origin : Origin
        Python code that creates the data. JSON, equality and pickle ignore it, as they ignore the data.

    Examples
    --------
    >>> import bitsep
    >>> d = bitsep.pc_stable(bitsep.load_network("earthquake").sample(5000, seed=1))
    >>> sorted(d.graph.parents("Alarm")), d.tests_run
    (['Burglary', 'Earthquake'], 65)
    >>> d.separations[frozenset({"JohnCalls", "MaryCalls"})].given
    ('Alarm',)
    """

    variables: tuple[Name, ...]
    separations: Mapping[Pair, Separation | EdgeCost]
    edges: Mapping[Pair, EdgeEvidence | EdgeSaving]
    excluded: frozenset[Pair]
    support: Mapping[Pair, Support]
    settings: Mapping[str, Any]
    _make_graph: Callable[[], PDAG | PAG]
    _find_warnings: Callable[[], tuple[str, ...]]
    _find_conflicts: Callable[[], tuple[Conflict, ...]] = tuple
    _find_ambiguous: Callable[[], tuple[AmbiguousTriple, ...]] = tuple
    _find_copies: Callable[[], tuple[tuple[Name, ...], ...]] = tuple
    _best_dag: Callable[[], DAG] | None = None
    tests_run: int = 0
    scores_computed: int = 0
    left_out: tuple[Alert, ...] = ()
    restricted: tuple[Alert, ...] = ()
    discretized: tuple[CutColumn, ...] = ()
    data: EncodedData | None = None
    source: EncodedData | None = None
    origin: Origin = UNKNOWN

    @cached_property
    def graph(self) -> PDAG | PAG:
        """The graph: a PAG in a search that allows for hidden variables (`fci`); a CPDAG in a search by score, and in
        `pc_stable` with the rule "evidence" or if all verdicts are consistent (``graph.is_cpdag``). With knowledge it
        also has the marks that follow from it.

        With the other rules it may not represent any DAG: ``graph.consistent_extension()`` is then None. `conflicts`
        and `ambiguous` list contradictions that were noticed while edges were oriented; both can be empty in this case.
        """
        return self._make_graph()

    @property
    def by_score(self) -> bool:
        """Whether the graph was found by score, and not by tests of independence."""
        return "score" in self.settings

    @cached_property
    def skeleton(self) -> frozenset[Pair]:
        """The pairs of adjacent variables."""
        return frozenset(self.edges)

    @cached_property
    def conflicts(self) -> tuple[Conflict, ...]:
        """Edges whose direction is contradictory, in the data or between data and knowledge.

        With the rule "evidence" these are all decisions that were overruled, each with its bits. With the other rules
        the list need not contain every reason why a graph does not represent a DAG: ambiguous triples, and separators
        that disagree about different edges, cause such graphs without a conflict, most often with the conservative and
        majority rules.
        """
        return self._find_conflicts()

    @cached_property
    def ambiguous(self) -> tuple[AmbiguousTriple, ...]:
        """Triples that may or may not be v-structures (with the conservative and majority rules, and for pairs whose
        edge is forbidden by knowledge). No direction follows from them."""
        return self._find_ambiguous()

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """Properties of the data that make the graph less reliable, in sentences: constant or duplicate columns,
        deterministic relations, missing values, samples that are too small, weights that look like those of a survey.
        Computed lazily."""
        return (*weight_warnings(self.data), *self._find_warnings())

    def to_dag(self) -> DAG:
        """A DAG: in a search by score the best one; otherwise one that the graph represents, or if there is none, the
        nearest one by evidence.

        If the graph represents no DAG, its v-structures and its other triples a — c — b are kept in the order of their
        evidence (the bits by which a and b are separated), each if a DAG satisfies it together with those kept before.
        Knowledge always holds. `decisions` lists what had to be decided.

        Raises
        ------
        ArgumentError
            If the graph is a PAG: no DAG of the observed variables alone need have its independences.

        Examples
        --------
        >>> import bitsep
        >>> d = bitsep.pc_stable(bitsep.Oracle(bitsep.load_network("cancer")))
        >>> d.to_dag()
        DAG(5 variables, 4 edges: 'Cancer' → 'Dyspnoea', 'Cancer' → 'Xray', 'Pollution' → 'Cancer', 'Smoker' → 'Cancer')
        >>> d.decisions
        ()
        """
        return self._extension.dag

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The edges that have another mark in `to_dag` than in the graph, each with the reason; none for a PAG.

        If the graph represents DAGs, these are its undirected edges. Otherwise they include edges that make a new
        v-structure, reversed edges, and edges that were left out because of the knowledge.
        """
        return () if isinstance(self.graph, PAG) else self._extension.decisions

    @cached_property
    def _extension(self) -> Extension:
        return extend(self)

    def explain(self, a: Name, b: Name) -> str:
        """Why two variables have an edge, or why they do not, in sentences.

        Raises
        ------
        UnknownColumnError
            If one of them is not a variable of the graph.
        """
        return str(self.explanation(a, b))

    def explanation(self, a: Name, b: Name) -> Explanation:
        """The text of `explain` as a template with values."""
        return explain_pair(self, a, b)

    @property
    def rows_share(self) -> RowsShare:
        """Which missing edges rest on few rows."""
        return RowsShare(self.settings["n"], self.settings["min_rows_share"])

    def edges_frame(self) -> pd.DataFrame:
        """One line per edge: its ends and mark, the bits, their size as an effect, and the evidence.

        Returns
        -------
        pandas.DataFrame
            Columns ``from``, ``mark`` (→ or —; in a PAG also ↔, o→, o—o, —o), ``to``; ``bits`` (`strength_bits` of the
            evidence), ``bits_per_row``, ``entropy_share``, ``margin_bits``, ``rows``, ``given`` (the conditioning set
            of the weakest test, or the other parents), ``required`` (by knowledge); ``support``, ``support_forward``
            and ``support_backward``: bootstrap shares of the edge and of both directions, in a PAG of an arrowhead at
            ``to`` and at ``from``; ``probability`` of the edge. Unknown numbers are
            NaN. The strongest effect comes first.

        Examples
        --------
        >>> import bitsep
        >>> d = bitsep.boss(bitsep.load_network("cancer").sample(10_000, seed=1))
        >>> d.edges_frame()[["from", "mark", "to", "bits_per_row", "entropy_share"]].round(4)
                from mark        to  bits_per_row  entropy_share
        0     Cancer    →      Xray        0.0198         0.2110
        1     Smoker    →    Cancer        0.0123         0.1307
        2     Cancer    →  Dyspnoea        0.0034         0.0363
        3  Pollution    →    Cancer        0.0031         0.0335
        """
        return edges_frame(self)

    def separations_frame(self) -> pd.DataFrame:
        """One line per missing edge that knowledge does not exclude.

        Returns
        -------
        pandas.DataFrame
            Columns ``a``, ``b``; ``given`` (the separator, or the parents of the better child); ``bits`` (the
            information that a and b share given it; in a search by score the bits that the edge would save),
            ``bits_per_row``, ``margin_bits`` (by how much the edge falls short), ``rows``, ``rows_share`` (of all
            rows), ``few_rows`` (less than `min_rows_share`); ``support``: the bootstrap share of the edge, and
            its ``probability``. Unknown numbers are NaN. The pair nearest to an edge comes first.
        """
        return separations_frame(self)

    def compare(self, truth: Any) -> GraphComparison | PagComparison:
        """Compare the graph with a known graph: a network, DAG or PDAG; for a PAG also a PAG or MAG, and the variables
        of a DAG that the data do not have are hidden. Columns that were left out count as variables without edges. See
        `bitsep.graphs.compare`."""
        from bitsep.graphs import compare

        graph = self.graph
        if isinstance(graph, PDAG):
            known = getattr(getattr(truth, "dag", truth), "variables", ())
            left_out = {alert.column for alert in self.left_out} & set(known)
            graph = PDAG([*graph.variables, *left_out], graph.directed, graph.undirected) if left_out else graph
        compared: GraphComparison | PagComparison = compare(graph, truth)
        return compared

    def to_json(self, indent: int | None = None) -> str:
        """The discovery as canonical JSON: the same result gives the same bytes."""
        return serialize.to_json(self, indent)

    @classmethod
    def from_json(cls, text: str) -> Discovery:
        """A discovery from the text that `to_json` returned.

        Raises
        ------
        FormatError
            If the text is not a discovery, or its parts contradict each other.
        """
        return cls(**serialize.from_json(text))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Discovery):
            return NotImplemented
        return self.graph == other.graph and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash(self.graph)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Discovery.from_json, (self.to_json(),))  # the engine behind lazy evidence is not pickled

    def counts(self) -> list[tuple[str, str]]:
        """The summary in numbers: labels and values."""
        rows = self.settings["n"]
        return [
            ("variables", f"{len(self.variables):,}" + (f", {shown_count(rows, 'row')}" if rows else "")),
            ("edges", f"{len(self.skeleton):,}, {self.edges_summary()}"),
            *self._work(),
            *((("ambiguous", shown_count(len(self.ambiguous), "triple")),) if self.ambiguous else ()),
        ]

    def edges_summary(self) -> str:
        """How many edges have which marks, in words."""
        directed = len(self.graph.directed)
        if not isinstance(self.graph, PAG):
            return f"{directed:,} of them directed"
        both = f"{directed:,} of them →, {len(self.graph.bidirected):,} ↔"
        if not self.settings["selection"]:
            return f"{both} (a hidden common cause)"
        return f"{both} (no cause in either direction), {len(self.graph.undirected):,} — (causes of the selection)"

    def _work(self) -> list[tuple[str, str]]:
        if self.by_score:
            return [
                ("search", self.settings["algorithm"]),
                ("score", self.settings["score"]),
                ("scores", f"{self.scores_computed:,} computed"),
            ]
        return [
            ("test", f"{self.settings['method']}" + _shown_alpha(self.settings["alpha"])),
            ("tests run", f"{self.tests_run:,}"),
            ("conflicts", f"{len(self.conflicts):,}"),
        ]

    def column_notes(self) -> list[str]:
        """What was done to columns."""
        return [
            *(f"left out: {left_out_line(alert)}" for alert in self.left_out),
            *(f"restricted: {restricted_line(alert)}" for alert in self.restricted),
            *(f"discretized: {column}" for column in self.discretized),
        ]

    def __repr__(self) -> str:
        by = f"{self.settings['algorithm']}, " + self.settings["score" if self.by_score else "method"]
        variables, edges = shown_count(len(self.variables), "variable"), shown_count(len(self.skeleton), "edge")
        return f"<Discovery: {variables}, {edges}, {by}>"

    def __str__(self) -> str:
        lines = ["Discovery", *(f"  {label:<9}  {value}" for label, value in self.counts())]
        lines += [f"  {shown_name(a)} {sign} {shown_name(b)}" for a, sign, b in self.graph.edge_lines()]
        lines += [f"  {note}" for note in self.column_notes()]
        lines += [f"  doubtful: {doubt.reason}" for doubt in self.doubts]
        lines += [f"  conflict: {conflict.reason}" for conflict in self.conflicts]
        lines += [f"  warning: {warning}" for warning in self.warnings]
        return "\n".join(lines)


def _shown_alpha(alpha: float | None) -> str:
    return "" if alpha is None else f", alpha {alpha:g}"
