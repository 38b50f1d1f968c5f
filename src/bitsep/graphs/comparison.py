"""Comparison of an estimated graph with the truth."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass, field
from typing import Any, overload

from bitsep.errors import ArgumentError, UnsupportedTypeError
from bitsep.graphs.base import Pair
from bitsep.graphs.dag import DAG
from bitsep.graphs.intervention import SidBounds, sid_bounds
from bitsep.graphs.mag import MAG
from bitsep.graphs.pag import PAG
from bitsep.graphs.pag_comparison import PagComparison, compare_pags
from bitsep.graphs.pdag import PDAG
from bitsep.lazy import cached_property
from bitsep.markup import html_table
from bitsep.naming import Name, sorted_names


@dataclass(frozen=True)
class GraphComparison:
    """The comparison of an estimate with the truth; made by `compare`.

    If a ratio would be 0/0, it is 1: precision if the estimate has no edges, recall if the truth has none, F1 if
    neither has any.

    Attributes
    ----------
    precision, recall, f1 : float
        Scores of the skeleton, which ignore directions. F1 is 2·TP / (2·TP + FP + FN).
    arrow_precision, arrow_recall, arrow_f1 : float
        Scores of directed edges a → b, compared with those of the *CPDAG* of the truth (other directions cannot be
        learned from independences). A directed edge of the CPDAG is found only if the estimate has a → b, not if the
        edge is reversed, undirected or missing; a directed edge of the estimate is wrong if the CPDAG has no edge, an
        undirected edge or the opposite direction.
    shd : int
        The structural Hamming distance between CPDAGs: the number of pairs of variables whose mark differs (none, →, ←
        or —). So a missing edge counts 1, and so does a reversed or an undirected edge.
    missing, extra : frozenset of pairs
        Edges of the truth that the estimate does not have, and edges of the estimate that the truth does not have.
    """

    precision: float
    recall: float
    f1: float
    arrow_precision: float
    arrow_recall: float
    arrow_f1: float
    shd: int
    missing: frozenset[Pair] = field(repr=False)
    extra: frozenset[Pair] = field(repr=False)
    _estimated: DAG | PDAG = field(repr=False)
    _truth: DAG | PDAG = field(repr=False)

    @cached_property
    def sid(self) -> SidBounds:
        """The structural intervention distance, with its bounds over the DAGs that the estimate represents.

        Computed lazily. A DAG has equal bounds. A PDAG represents its consistent extensions (for a CPDAG: its
        equivalence class); if it has none, or too many to enumerate, `exact` is false and the bounds are sums of the
        bounds of single variables (see `SidBounds`).

        Raises
        ------
        ArgumentError
            If the truth is a PDAG: effects of interventions need the true DAG.
        """
        if not isinstance(self._truth, DAG):
            raise ArgumentError("truth: sid needs a DAG or a network, got a PDAG.")
        return sid_bounds(self._truth._marks, self._estimated._marks)

    def to_dict(self) -> dict[str, Any]:
        """The numbers by name, including `sid` if the truth is a DAG."""
        names = ("precision", "recall", "f1", "arrow_precision", "arrow_recall", "arrow_f1", "shd")
        numbers: dict[str, Any] = {name: getattr(self, name) for name in names}
        if isinstance(self._truth, DAG):
            numbers["sid"] = {"lower": self.sid.lower, "upper": self.sid.upper, "exact": self.sid.exact}
        return numbers

    def __str__(self) -> str:
        return "\n".join(
            [
                f"edges   precision {self.precision:.3f}  recall {self.recall:.3f}  F1 {self.f1:.3f}",
                f"arrows  precision {self.arrow_precision:.3f}  recall {self.arrow_recall:.3f}  F1 {self.arrow_f1:.3f}",
                f"SHD {self.shd}  ({_edges(self.missing)} missing, {len(self.extra)} too many)",
            ]
        )

    def _repr_html_(self) -> str:
        rows = [
            ("edges", *(f"{value:.3f}" for value in (self.precision, self.recall, self.f1))),
            ("arrows", *(f"{value:.3f}" for value in (self.arrow_precision, self.arrow_recall, self.arrow_f1))),
        ]
        distance = f"SHD {self.shd} ({_edges(self.missing)} missing, {len(self.extra)} too many)"
        return html_table(distance, ("", "precision", "recall", "F1"), rows, numbers=(1, 2, 3))


@overload
def compare(estimated: DAG | PDAG, truth: DAG | PDAG) -> GraphComparison: ...
@overload
def compare(estimated: PAG | MAG, truth: Any) -> PagComparison: ...
@overload
def compare(estimated: DAG | PDAG, truth: PAG | MAG) -> PagComparison: ...
@overload
def compare(estimated: DAG | PDAG, truth: Any) -> GraphComparison: ...
def compare(estimated: DAG | PDAG | PAG | MAG, truth: Any) -> GraphComparison | PagComparison:
    """Compare an estimated graph with the true graph.

    Parameters
    ----------
    estimated : PDAG, DAG, PAG or MAG
        The estimate. The CPDAG of a DAG is compared, except for `sid`. The marks of a PDAG are compared even if it is
        not the CPDAG of any DAG (because of contradictory data).
    truth : DAG, PDAG, PAG, MAG, or an object with a `dag` (a network)
        The truth. The CPDAG of a DAG is compared. A PDAG is used as the true CPDAG; `sid` is then not available. For an
        estimated PAG or MAG the truth can be a PAG, a MAG, whose PAG is compared, or a DAG: its variables that the
        estimate lacks are then hidden. A PDAG is compared with a PAG as one in which undirected edges are o—o.

    Returns
    -------
    GraphComparison
        Or a PagComparison, if one of the graphs is a PAG or a MAG.

    Raises
    ------
    ArgumentError
        If the graphs do not have the same variables.

    Examples
    --------
    >>> truth = DAG(["A", "B", "C"], [("A", "C"), ("B", "C")])
    >>> c = compare(PDAG(["A", "B", "C"], undirected=[("A", "C"), ("A", "B")]), truth)
    >>> c.precision, c.recall, c.shd
    (0.5, 0.5, 3)
    >>> c.sid
    SidBounds(lower=1, upper=4, exact=True)
    """
    truth = getattr(truth, "dag", truth)
    for argument, graph in (("estimated", estimated), ("truth", truth)):
        if not isinstance(graph, DAG | PDAG | PAG | MAG):
            raise UnsupportedTypeError(f"{argument}: must be a DAG, PDAG, PAG or MAG, got {type(graph).__name__}.")
    if isinstance(estimated, PAG | MAG) or isinstance(truth, PAG | MAG):
        return _compare_mixed(estimated, truth)
    _check_same_variables(estimated.variables, truth.variables)
    claim, fact = _pattern(estimated), _pattern(truth)
    marks = {pair: _mark(claim, pair) for pair in claim.skeleton}
    true_marks = {pair: _mark(fact, pair) for pair in fact.skeleton}
    edges = _scores(claim.skeleton, fact.skeleton)
    arrows = _scores(claim.directed, fact.directed)
    return GraphComparison(
        *edges,
        *arrows,
        shd=sum(marks.get(pair) != true_marks.get(pair) for pair in marks.keys() | true_marks.keys()),
        missing=fact.skeleton - claim.skeleton,
        extra=claim.skeleton - fact.skeleton,
        _estimated=estimated,
        _truth=truth,
    )


def _compare_mixed(estimated: DAG | PDAG | PAG | MAG, truth: DAG | PDAG | PAG | MAG) -> PagComparison:
    if isinstance(truth, PDAG):
        raise UnsupportedTypeError(
            "truth: must be a DAG, PAG or MAG if the estimate is a PAG, got PDAG.",
            hint="Give the DAG: its variables that the estimate lacks are hidden.",
        )
    if isinstance(truth, DAG):
        truth = truth.pag(hidden=set(truth.variables) - set(estimated.variables))
    _check_same_variables(estimated.variables, truth.variables)
    claim, fact = (graph.pag() if isinstance(graph, MAG) else graph for graph in (estimated, truth))
    return compare_pags(claim.cpdag() if isinstance(claim, DAG) else claim, fact)


def _pattern(graph: DAG | PDAG) -> PDAG:
    return graph.cpdag() if isinstance(graph, DAG) else graph


def _mark(graph: PDAG, pair: Pair) -> tuple[Name, Name] | str:
    """The direction of the edge of a pair, or "—"."""
    a, b = pair
    return "—" if pair in graph.undirected else (a, b) if (a, b) in graph.directed else (b, a)


def _scores(claimed: frozenset[Any], true: frozenset[Any]) -> tuple[float, float, float]:
    hits = len(claimed & true)
    return (
        hits / len(claimed) if claimed else 1.0,
        hits / len(true) if true else 1.0,
        2 * hits / (len(claimed) + len(true)) if claimed or true else 1.0,
    )


def _check_same_variables(estimated: tuple[Name, ...], truth: tuple[Name, ...]) -> None:
    lacking = sorted_names(set(truth) - set(estimated))
    foreign = sorted_names(set(estimated) - set(truth))
    if lacking or foreign:
        parts = [f"the estimate lacks {', '.join(map(repr, lacking[:5]))}"] if lacking else []
        parts += [f"the truth lacks {', '.join(map(repr, foreign[:5]))}"] if foreign else []
        raise ArgumentError(f"truth: both graphs must have the same variables, but {' and '.join(parts)}.")


def _edges(missing: Sized) -> str:
    return "1 edge" if len(missing) == 1 else f"{len(missing)} edges"
