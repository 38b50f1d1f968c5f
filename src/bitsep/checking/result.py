"""The result of checking a graph."""

from __future__ import annotations

import html
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from bitsep.checking.statements import EdgeCheck, ImpliedIndependence
from bitsep.figures import shown_p, shown_per_row
from bitsep.graphs import DAG, MAG, PAG, PDAG
from bitsep.lazy import cached_property
from bitsep.markup import html_list, html_table
from bitsep.naming import plain_name, shown_name, shown_names

SCHEMA, VERSION = "bitsep.check", 1

_SHOWN = 10


AnyGraph = DAG | PDAG | PAG | MAG


@dataclass(frozen=True, repr=False)
class GraphCheck:
    """Whether a graph fits data.

    Attributes
    ----------
    graph : DAG, PDAG, PAG or MAG
        The graph.
    independences : tuple of ImpliedIndependence
        The independences that the graph implies, one for every pair without an edge, each with its test.
    edges : tuple of EdgeCheck
        The edges, each with the tests of its variables.
    alpha : float
        The significance level.
    method : str
        The test.
    n : int
        The number of rows (a sum of weights).
    settings : mapping
        The other arguments: missing_as_level, discretize, and the options of the test.
    notes : tuple of str
        What limits the meaning of the result.
    """

    graph: AnyGraph
    independences: tuple[ImpliedIndependence, ...]
    edges: tuple[EdgeCheck, ...]
    alpha: float
    method: str
    n: int
    settings: Mapping[str, Any]
    notes: tuple[str, ...]

    @cached_property
    def p_value(self) -> float:
        """The smallest adjusted p-value of the implied independences; 1 if there are none."""
        return min((one.adjusted_p_value for one in self.independences), default=1.0)

    @property
    def mostly_tested(self) -> bool:
        """Whether the rows can test at least half of the implied independences; otherwise `fits` says little."""
        return 2 * sum(one.testable for one in self.independences) >= len(self.independences)

    @property
    def fits(self) -> bool:
        """Whether the data do not refute the graph: the p-value is above alpha."""
        return self.p_value > self.alpha

    @cached_property
    def violations(self) -> tuple[ImpliedIndependence, ...]:
        """The implied independences that the data contradict, the clearest first."""
        found = (one for one in self.independences if one.violated)
        return tuple(sorted(found, key=lambda one: -one.result.score_bits))

    @cached_property
    def unsupported(self) -> tuple[EdgeCheck, ...]:
        """The edges that no test supports, the largest p-value first."""
        return tuple(sorted((one for one in self.edges if not one.supported), key=lambda one: -one.p_value))

    @property
    def share_below_alpha(self) -> float:
        """The share of the p-values, before adjustment, that are at most alpha; about alpha if the graph is true."""
        return sum(one.p_value <= self.alpha for one in self.independences) / max(1, len(self.independences))

    @cached_property
    def uniformity_p_value(self) -> float:
        """The p-value of the hypothesis that no more of the p-values are small than of uniform ones.

        If k of m p-values are at most p, that is as unlikely as m p / k; the smallest such number, times 1 + 1/2 + … +
        1/m, is a p-value for any dependence between the tests (Hommel, Tests of the overall hypothesis for arbitrary
        dependence structures, Biometrical Journal 25, 1983).
        """
        ordered = sorted(one.p_value for one in self.independences)
        m = len(ordered)
        if not m:
            return 1.0
        smallest = min(m * p / k for k, p in enumerate(ordered, 1))
        return min(1.0, smallest * math.fsum(1 / k for k in range(1, m + 1)))

    def explain(self) -> str:
        """The result in sentences: the verdict, every violated independence, every edge without support."""
        parts = [
            self.verdict,
            *(one.explain() for one in self.violations),
            *(one.explain() for one in self.unsupported),
        ]
        return "\n".join([*parts, *self.notes])

    def to_dict(self) -> dict[str, Any]:
        """The attributes as values that JSON can represent."""
        return {
            "p_value": self.p_value,
            "fits": self.fits,
            "alpha": self.alpha,
            "method": self.method,
            "n": self.n,
            "settings": dict(self.settings),
            "share_below_alpha": self.share_below_alpha,
            "uniformity_p_value": self.uniformity_p_value,
            "variables": [plain_name(name) for name in self.graph.variables],
            "violations": [{**one.to_dict(), "explanation": one.explain()} for one in self.violations],
            "independences": [one.to_dict() for one in self.independences],
            "edges": [one.to_dict() for one in self.edges],
            "notes": list(self.notes),
        }

    def to_json(self, indent: int | None = None) -> str:
        """The same as JSON text."""
        content = {"schema": SCHEMA, "schema_version": VERSION, **self.to_dict()}
        return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=indent, default=str)

    @property
    def verdict(self) -> str:
        """Whether the graph fits, in one sentence."""
        if not self.independences:
            return "The graph implies no independences that data could contradict."
        what = "fits" if self.fits else "does not fit"
        statements = f"{len(self.independences):,} implied independence{'s' * (len(self.independences) != 1)}"
        if self.fits and not self.mostly_tested:
            testable = sum(one.testable for one in self.independences)
            return (
                f"These rows can test only {testable:,} of {statements}, and do not refute the graph: "
                f"p = {shown_p(self.p_value)} ({self.method}, {self.n:,} rows)."
            )
        return (
            f"The graph {what} the data: p = {shown_p(self.p_value)} ({statements}, {len(self.violations):,} violated; "
            f"{self.method}, {self.n:,} rows)."
        )

    @property
    def uniformity(self) -> tuple[str, ...]:
        """A sentence about the share of small p-values; none without implied independences."""
        if not self.independences:
            return ()
        return (
            f"{self.share_below_alpha:.1%} of the p-values are at most {self.alpha:g}; if the graph is true, about "
            f"{self.alpha:.0%} are (test of uniformity: p = {shown_p(self.uniformity_p_value)}).",
        )

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "settings": dict(self.settings)}  # a read-only mapping cannot be pickled

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, settings=MappingProxyType(state["settings"]))

    def _violation_rows(self) -> list[tuple[str, str, str, str]]:
        return [
            (
                f"{shown_name(one.x)} ⊥ {shown_name(one.y)}",
                shown_names(one.given, "nothing"),
                shown_p(one.adjusted_p_value),
                shown_per_row(one.result.cmi_bits),
            )
            for one in self.violations[:_SHOWN]
        ]

    def _lines_after(self) -> list[str]:
        """What follows the table of violations."""
        lines = []
        if len(self.violations) > _SHOWN:
            lines.append(f"… and {len(self.violations) - _SHOWN:,} more")
        lines += self.uniformity
        shown = [f"{shown_name(one.a)} {one.sign} {shown_name(one.b)}" for one in self.unsupported[:_SHOWN]]
        if shown:
            more = len(self.unsupported) - len(shown)
            lines.append(
                f"No test supports {len(self.unsupported):,} of {len(self.edges):,} edges: {', '.join(shown)}"
                + (f" and {more:,} more" if more else "")
                + "."
            )
        elif self.edges:
            lines.append("Tests support every edge.")
        return lines + list(self.notes)

    def __repr__(self) -> str:
        return (
            f"<GraphCheck: {'fits' if self.fits else 'does not fit'}, p = {shown_p(self.p_value)}, "
            f"{len(self.independences):,} implied independences, {len(self.violations):,} violated, "
            f"{len(self.unsupported):,} of {len(self.edges):,} edges without support>"
        )

    def __str__(self) -> str:
        rows = self._violation_rows()
        lines = [self.verdict]
        if rows:
            table = [("violated", "given", "adjusted p", "bits per row"), *rows]
            widths = [max(map(len, cells)) for cells in zip(*table, strict=True)]
            for row in table:
                cells = [f"{cell:<{width}}" for cell, width in zip(row[:2], widths[:2], strict=True)]
                cells += [f"{cell:>{width}}" for cell, width in zip(row[2:], widths[2:], strict=True)]
                lines.append("  " + "  ".join(cells))
        return "\n".join([*lines, *(f"  {line}" for line in self._lines_after())])

    def _repr_html_(self) -> str:
        rows = self._violation_rows()
        head = ("violated", "given", "adjusted p", "bits per row")
        table = html_table("", head, rows, numbers=(2, 3)) if rows else ""
        return f"<p>{html.escape(self.verdict)}</p>{table}{html_list(self._lines_after())}"
