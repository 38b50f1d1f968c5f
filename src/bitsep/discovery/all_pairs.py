"""All pairs of variables: a first overview of a table."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from bitsep.counting import Counts
from bitsep.data.contract import EncodedData
from bitsep.data.discretization import CutColumn
from bitsep.data.missing_level import checked_missing_as_level, with_missing_level
from bitsep.data.profile import Alert
from bitsep.discovery.arguments import usable_data
from bitsep.discovery.columns import ColumnChoice
from bitsep.errors import ArgumentError
from bitsep.figures import shown_bits, shown_count, shown_p, shown_per_row
from bitsep.independence import IndependenceResult, evaluate
from bitsep.independence.adjustment import TITLES, Adjustment, checked_adjustment
from bitsep.independence.effects.effect import mean_effect_size
from bitsep.lazy import cached_property
from bitsep.markup import html_list, html_table
from bitsep.naming import Name, plain_name, shown_name, sorted_names, unknown_column
from bitsep.progress import ProgressCallback

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

SCHEMA = "bitsep.pairwise"
VERSION = 1

_MAX_PAIRS = 500_000
_SHOWN_PAIRS = 30
_DEFAULT = "sci_f"
_DEFAULT_ADJUSTED = "x2_calibrated"


@dataclass(frozen=True, eq=False, repr=False)
class Pairwise:
    """The tests of all pairs of variables; iterate over it, or take a pair by ``pairs[a, b]``.

    Attributes
    ----------
    variables : tuple of names
        The variables in canonical order.
    results : tuple of IndependenceResult
        The results; the pairs are in canonical order of their names.
    method : str
        The test.
    adjust : str or None
        How p-values were adjusted.
    left_out : tuple of Alert
        The columns that were left out because they cannot serve, each with the reason.
    discretized : tuple of CutColumn
        The columns that were divided into intervals, each with its cut points.

    Examples
    --------
    >>> import bitsep
    >>> pairs = bitsep.pairwise(bitsep.load_network("cancer").sample(5000, seed=1))
    >>> len(pairs), pairs["Cancer", "Xray"].verdict
    (10, 'dependent')
    >>> round(float(pairs.matrix.loc["Cancer", "Xray"]), 2)
    0.18
    """

    variables: tuple[Name, ...]
    results: tuple[IndependenceResult, ...]
    method: str
    adjust: Adjustment | None
    left_out: tuple[Alert, ...]
    discretized: tuple[CutColumn, ...]
    _data: EncodedData
    _threads: int | None

    def __len__(self) -> int:
        return len(self.results)

    def __iter__(self) -> Iterator[IndependenceResult]:
        return iter(self.results)

    def __getitem__(self, pair: tuple[Name, Name]) -> IndependenceResult:
        if not isinstance(pair, tuple) or len(pair) != 2 or pair[0] == pair[1]:
            raise ArgumentError(f"pair: must be two different variables, as in pairs['a', 'b'], got {pair!r}.")
        places = {name: place for place, name in enumerate(self.variables)}
        for name in pair:
            if name not in places:
                raise unknown_column("pair", name, self.variables, "variable")
        i, j = sorted(places[name] for name in pair)
        n = len(self.variables)
        return self.results[i * (2 * n - i - 1) // 2 + j - i - 1]

    @cached_property
    def effect_sizes(self) -> tuple[float, ...]:
        """Cramér's V of each pair, corrected for bias, in the order of the results; computed when first used, from one
        request for the counts of all pairs."""
        counter = self._data.counter(self._threads)
        places = [counter.places[name] for name in self.variables]
        counted = counter.counts_many([(i, j, ()) for i, j in combinations(places, 2)])
        return tuple(mean_effect_size(c if isinstance(c, Counts) else c.sparse()) for c in counted)

    @property
    def matrix(self) -> pd.DataFrame:
        """The effect sizes as a square table with the names of the variables; 1 on the diagonal."""
        import pandas as pd

        n = len(self.variables)
        values = np.eye(n)
        values[np.triu_indices(n, 1)] = self.effect_sizes
        values = np.maximum(values, values.T)
        names = pd.Index(list(self.variables), dtype=object)
        return pd.DataFrame(values, index=names, columns=names)

    def to_pandas(self) -> pd.DataFrame:
        """The pairs as a table: x, y, n, effect_size, cmi_bits, score_bits, p_value, adjusted_p_value, independent and
        verdict, which can be "undecided".

        The columns of p-values exist if the test has them.
        """
        import pandas as pd

        results = self.results
        columns: dict[str, Any] = {
            "x": pd.Series([r.x for r in results], dtype=object),
            "y": pd.Series([r.y for r in results], dtype=object),
            "n": [r.n for r in results],
            "effect_size": list(self.effect_sizes),
            "cmi_bits": [r.cmi_bits for r in results],
            "score_bits": [r.score_bits for r in results],
        }
        for name in self._p_values:
            columns[name] = pd.Series([getattr(r, name) for r in results], dtype="float64")
        columns["independent"] = [r.independent for r in results]
        columns["verdict"] = pd.Series([_verdict(r) for r in results], dtype=object)
        return pd.DataFrame(columns)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the effect sizes as a heat map; returns the axes.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            The axes to draw in; default: those of a new figure.
        """
        from bitsep.report import plot_pairwise

        return plot_pairwise(self, ax)

    def to_dict(self) -> dict[str, Any]:
        """The attributes as values that JSON can represent; the results without their effects but for the size."""
        return {
            "variables": [plain_name(name) for name in self.variables],
            "method": self.method,
            "adjust": self.adjust,
            "pairs": [
                {**result.to_dict(effect=False), "effect_size": size}
                for result, size in zip(self.results, self.effect_sizes, strict=True)
            ],
            "left_out": [alert.to_dict() for alert in self.left_out],
            "discretized": [column.to_dict() for column in self.discretized],
        }

    def to_json(self, indent: int | None = None) -> str:
        """The same as canonical JSON text."""
        content = {"schema": SCHEMA, "schema_version": VERSION, **self.to_dict()}
        return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=indent)

    @property
    def title(self) -> str:
        """The numbers in one line."""
        undecided = sum(result.undecided for result in self.results)
        dependent = sum(not result.independent for result in self.results) - undecided
        adjusted = f", p-values adjusted by {TITLES[self.adjust]}" if self.adjust else ""
        pairs = f"{shown_count(len(self), 'pair')} of {shown_count(len(self.variables), 'variable')}"
        more = f", {undecided:,} undecided" if undecided else ""
        return f"{pairs}, {dependent:,} dependent{more} ({self.method}{adjusted})"

    @property
    def _p_values(self) -> tuple[str, ...]:
        names = ("p_value", "adjusted_p_value")
        return tuple(name for name in names if any(getattr(result, name) is not None for result in self.results))

    def _table(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """The head, and the strongest pairs."""
        named = {"p_value": "p-value", "adjusted_p_value": "adjusted"}
        head = ("x", "y", "effect size", "bits per row", "score", *(named[name] for name in self._p_values), "verdict")
        order = sorted(range(len(self)), key=lambda i: (-self.effect_sizes[i], i))[:_SHOWN_PAIRS]
        rows = []
        for i in order:
            result = self.results[i]
            p_values = [getattr(result, name) for name in self._p_values]
            rows.append(
                (
                    shown_name(result.x),
                    shown_name(result.y),
                    f"{self.effect_sizes[i]:.2f}",
                    shown_per_row(result.cmi_bits),
                    shown_bits(result.score_bits, "+") if math.isfinite(result.score_bits) else "",
                    *("" if p is None else shown_p(p) for p in p_values),
                    _verdict(result),
                )
            )
        return head, rows

    def _notes(self) -> list[str]:
        more = len(self) - _SHOWN_PAIRS
        lines = [f"… and {more:,} weaker pairs"] if more > 0 else []
        lines += [f"left out: {alert.message}" for alert in self.left_out]
        return lines + [f"discretized: {column}" for column in self.discretized]

    def __repr__(self) -> str:
        return f"<Pairwise: {self.title}>"

    def __str__(self) -> str:
        head, rows = self._table()
        widths = [max(map(len, cells)) for cells in zip(head, *rows, strict=True)]
        lines = [self.title]
        for row in (head, *rows):
            cells = [
                f"{cell:>{width}}" if 1 < place < len(head) - 1 else f"{cell:<{width}}"
                for place, (cell, width) in enumerate(zip(row, widths, strict=True))
            ]
            lines.append("  " + "  ".join(cells).rstrip())
        return "\n".join([*lines, *(f"  {note}" for note in self._notes())])

    def _repr_html_(self) -> str:
        head, rows = self._table()
        return html_table(self.title, head, rows, numbers=range(2, len(head) - 1)) + html_list(self._notes())


def _verdict(result: IndependenceResult) -> str:
    return "undecided" if result.undecided else result.verdict


def pairwise(
    data: Any,
    method: Any = None,
    adjust: Adjustment | None = None,
    alpha: float | None = None,
    threads: int | None = None,
    progress: bool | ProgressCallback = False,
    keep: Any = None,
    exclude: Any = None,
    missing_as_level: Any = False,
    discretize: Any = None,
    **options: Any,
) -> Pairwise:
    """Test all pairs of variables, without conditioning: a first overview of a table.

    Parameters
    ----------
    data : table-like
        The data, as for `independence_test`.
    method : str or IndependenceCriterion, optional
        The test; default: sci_f, and x2_calibrated with `adjust`, which needs p-values.
    adjust : {"bh", "by", "holm"}, optional
        Adjust the p-values for the number of pairs, as `evaluate` does; the adjusted p-values decide the verdicts.
    alpha : float, optional
        The significance level, as for `independence_test`; with "bh" and "by" the false discovery rate.
    threads : int, optional
        The number of threads; default: all cores.
    progress : bool or callable
        As for `evaluate`.
    keep : name or names, optional
        Columns to use even if they look like identifiers, dates or free text, which are left out.
    exclude : name or names, optional
        Columns not to use.
    missing_as_level : bool, name or names
        Columns whose missing values are a level of their own, shown as ⟨missing⟩: True for all.
    discretize : str or mapping, optional
        How numeric columns are divided into intervals, as for `independence_test`.
    **options
        Options of the test.

    Returns
    -------
    Pairwise
        The results, with effect sizes as a table, a matrix and a heat map.

    Raises
    ------
    ArgumentError
        If `adjust` is unknown or used with a test without p-values, or there are too many pairs.

    Examples
    --------
    >>> import bitsep
    >>> print(bitsep.pairwise(bitsep.load_network("cancer").sample(5000, seed=1), adjust="by"))  # doctest: +ELLIPSIS
    10 pairs of 5 variables, 4 dependent (x2_calibrated, p-values adjusted by Benjamini-Yekutieli)
      x          y          effect size  bits per row   score   p-value  adjusted  verdict
      Cancer     Xray              0.18        0.0175  +80.77  8.26e-28  2.42e-26  dependent
      Cancer     Smoker            0.14        0.0121  +54.80  1.09e-19  1.59e-18  dependent
      Cancer     Dyspnoea          0.08        0.0045  +17.83   2.2e-08  2.14e-07  dependent
      Cancer     Pollution         0.05        0.0013   +1.69   0.00212    0.0155  dependent
      Dyspnoea   Smoker            0.01       0.00026   -4.32     0.176         1  independent
    ...
    """
    chosen = method if method is not None else _DEFAULT_ADJUSTED if adjust is not None else _DEFAULT
    checked_adjustment(adjust, chosen)
    levels = checked_missing_as_level(missing_as_level)
    used, done = usable_data(
        data, discretize, ColumnChoice.of(keep, exclude), () if isinstance(levels, bool) else levels, threads
    )
    used = with_missing_level(used, levels)
    variables = sorted_names(used.names)
    pairs = len(variables) * (len(variables) - 1) // 2
    if pairs > _MAX_PAIRS:
        raise ArgumentError(
            f"data: too many pairs of columns; at most {_MAX_PAIRS:,} are possible, got {pairs:,}.",
            hint="Select columns, as in data[['a', 'b']] (--columns in the shell).",
        )
    queries = [(x, y, ()) for x, y in combinations(variables, 2)]
    results = evaluate(used, queries, chosen, alpha, threads, progress, adjust, **options)
    name = chosen if isinstance(chosen, str) else chosen.name
    return Pairwise(variables, tuple(results), name, adjust, done.left_out, done.discretized, used, threads)
