"""Comparison of an estimated PAG with the truth."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass, field
from typing import Any

from bitsep.graphs.base import Graph, Pair
from bitsep.graphs.end_marks import SIGNS, Mark
from bitsep.markup import html_table
from bitsep.naming import Name


@dataclass(frozen=True)
class PagComparison:
    """The comparison of an estimated PAG with the true PAG; made by `compare`.

    If a ratio would be 0/0, it is 1.

    Attributes
    ----------
    precision, recall, f1 : float
        Scores of the skeleton, which ignore marks. F1 is 2·TP / (2·TP + FP + FN).
    mark_precision, mark_recall, mark_f1 : float
        Scores of the arrowheads and tails. A mark of the estimate is right if the true PAG has the same mark at this
        end of this edge; it is wrong if the true PAG has another mark, a circle or no edge.
    arrow_precision, arrow_recall : float
        The same for arrowheads only.
    tail_precision, tail_recall : float
        The same for tails only.
    shd : int
        The number of pairs of variables whose edge differs: present in one graph only, or with another mark.
    mark_shd : int
        The number of ends of edges whose mark differs; an edge that only one graph has counts 2.
    missing, extra : frozenset of pairs
        Edges of the truth that the estimate does not have, and edges of the estimate that the truth does not have.
    """

    precision: float
    recall: float
    f1: float
    mark_precision: float
    mark_recall: float
    mark_f1: float
    arrow_precision: float
    arrow_recall: float
    tail_precision: float
    tail_recall: float
    shd: int
    mark_shd: int
    missing: frozenset[Pair] = field(repr=False)
    extra: frozenset[Pair] = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """The numbers by name."""
        return {name: value for name, value in vars(self).items() if name not in ("missing", "extra")}

    def __str__(self) -> str:
        return "\n".join(
            [
                f"edges   precision {self.precision:.3f}  recall {self.recall:.3f}  F1 {self.f1:.3f}",
                f"marks   precision {self.mark_precision:.3f}  recall {self.mark_recall:.3f}  F1 {self.mark_f1:.3f}",
                f"arrows  precision {self.arrow_precision:.3f}  recall {self.arrow_recall:.3f}",
                f"tails   precision {self.tail_precision:.3f}  recall {self.tail_recall:.3f}",
                f"SHD {self.shd}  ({_edges(self.missing)} missing, {len(self.extra)} too many; "
                f"{self.mark_shd} marks differ)",
            ]
        )

    def _repr_html_(self) -> str:
        rows = [
            ("edges", *(f"{value:.3f}" for value in (self.precision, self.recall, self.f1))),
            ("marks", *(f"{value:.3f}" for value in (self.mark_precision, self.mark_recall, self.mark_f1))),
            ("arrows", f"{self.arrow_precision:.3f}", f"{self.arrow_recall:.3f}", ""),
            ("tails", f"{self.tail_precision:.3f}", f"{self.tail_recall:.3f}", ""),
        ]
        missing = f"{_edges(self.missing)} missing, {len(self.extra)} too many; {self.mark_shd} marks differ"
        return html_table(f"SHD {self.shd} ({missing})", ("", "precision", "recall", "F1"), rows, numbers=(1, 2, 3))


def compare_pags(estimated: Graph, truth: Graph) -> PagComparison:
    """Compare two graphs with the same variables; an undirected edge of a PDAG counts as o—o."""
    claim, fact = _ends(estimated), _ends(truth)
    scores = [
        _scores(_of_kind(claim, kinds), _of_kind(fact, kinds)) for kinds in (("arrow", "tail"), ("arrow",), ("tail",))
    ]
    differing = {end for end in claim.keys() | fact.keys() if claim.get(end) != fact.get(end)}
    return PagComparison(
        *_scores(estimated.skeleton, truth.skeleton),
        *scores[0],
        *scores[1][:2],
        *scores[2][:2],
        shd=len({frozenset(end) for end in differing}),
        mark_shd=len(differing),
        missing=truth.skeleton - estimated.skeleton,
        extra=estimated.skeleton - truth.skeleton,
    )


def _ends(graph: Graph) -> dict[tuple[Name, Name], Mark]:
    """For every end (a, b) the mark at a of the edge between a and b."""
    found: dict[tuple[Name, Name], Mark] = {}
    for a, sign, b in graph.edge_lines():
        if sign == "—" and type(graph).__name__ == "PDAG":
            sign = "o—o"
        found[a, b], found[b, a] = SIGNS[sign]
    return found


def _of_kind(ends: dict[tuple[Name, Name], Mark], kinds: tuple[str, ...]) -> frozenset[Any]:
    return frozenset((end, mark) for end, mark in ends.items() if mark in kinds)


def _scores(claimed: frozenset[Any], true: frozenset[Any]) -> tuple[float, float, float]:
    hits = len(claimed & true)
    return (
        hits / len(claimed) if claimed else 1.0,
        hits / len(true) if true else 1.0,
        2 * hits / (len(claimed) + len(true)) if claimed or true else 1.0,
    )


def _edges(missing: Sized) -> str:
    return "1 edge" if len(missing) == 1 else f"{len(missing)} edges"
