"""The result of one test whether X and Y are independent given Z."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bitsep.errors import FormatError
from bitsep.naming import Name, plain_name, shown_name, shown_names


@dataclass(frozen=True, slots=True)
class IndependenceResult:
    """The result of a test, in bits.

    ``score_bits`` is ``n * cmi_bits - threshold_bits`` (for ``x2``: on the same scale, from X²). For every method,
    above zero means dependent, otherwise independent; negative values are kept.

    Attributes
    ----------
    independent : bool
        The verdict.
    score_bits : float
        By how much the evidence for dependence exceeds the threshold of the test.
    cmi_bits : float
        Plug-in conditional mutual information per row.
    threshold_bits : float
        The value that ``n * cmi_bits`` must exceed for a verdict "dependent".
    n : int
        The number of rows used (the sum of their weights): those without a missing value in X, Y and Z.
    method : str
        Name of the test.
    x, y : name or tuple of names
        The variables; a tuple if several columns were merged into one variable.
    given : tuple of names
        The conditioning variables.
    alpha : float or None
        The significance level, or the paper's sparsification for SCI tests; None if there is none.
    statistic, df, p_value : float or None
        The statistic, degrees of freedom and p-value of tests that have them; None for SCI tests, JIC and CMI.
    no_hypercompression_bound : float or None
        For SCI tests, ``min(1, 2**-score)`` without the bits added by `alpha`. It bounds the probability that data
        from an ideal code of the null hypothesis compress this much better under the alternative; SCI uses estimated
        codes, so the bound is an approximation and not a p-value.
    small_sample : bool
        Whether `n` is below the paper's bound on the sample size, 35 + 2|X||Y|^(2/3)(|Z|+1): a verdict "dependent" of
        a SCI test is then unreliable.
    domain_sizes : tuple of three int
        |X|, |Y| and the number of observed joint values of Z.
    warnings : tuple of str
        Why the verdict may mean little: columns that look like identifiers, dates or free text. Only
        `independence_test` gives them.

    Examples
    --------
    >>> import bitsep
    >>> data = bitsep.load_network("asia").sample(2000, seed=1)
    >>> r = bitsep.independence_test(data, "xray", "smoke")
    >>> r.verdict, round(r.score_bits, 2), r.n, r.domain_sizes
    ('dependent', 15.76, 2000, (2, 2, 1))
    """

    independent: bool
    score_bits: float
    cmi_bits: float
    threshold_bits: float
    n: int
    method: str
    x: Name
    y: Name
    given: tuple[Name, ...]
    alpha: float | None = None
    statistic: float | None = None
    df: int | None = None
    p_value: float | None = None
    no_hypercompression_bound: float | None = None
    small_sample: bool = False
    domain_sizes: tuple[int, int, int] = (0, 0, 0)
    warnings: tuple[str, ...] = ()

    @property
    def question(self) -> str:
        """The null hypothesis in one line, as in ``X ⊥ Y | Z1, Z2``."""
        given = f" | {shown_names(self.given, '')}" if self.given else ""
        return f"{shown_name(self.x)} ⊥ {shown_name(self.y)}{given}"

    @property
    def verdict(self) -> str:
        """``"independent"`` or ``"dependent"``."""
        return "independent" if self.independent else "dependent"

    @property
    def too_few_rows(self) -> bool:
        """Whether there are fewer rows than ``min_rows_per_df`` requires; the verdict is then "independent"."""
        return self.threshold_bits == math.inf and self.df is not None

    def to_dict(self) -> dict[str, Any]:
        """The attributes as values that JSON can represent.

        Infinite numbers become None; names that are neither text nor integers become text.
        """
        fields = {name: getattr(self, name) for name in self.__slots__}
        fields["x"], fields["y"] = (_plain(v) for v in (self.x, self.y))
        fields["given"] = [plain_name(v) for v in self.given]
        fields["domain_sizes"] = list(self.domain_sizes)
        fields["warnings"] = list(self.warnings)
        return {k: None if isinstance(v, float) and not math.isfinite(v) else v for k, v in fields.items()}

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> IndependenceResult:
        """A result from the dictionary that `to_dict` returned, also after conversion to JSON and back.

        Raises
        ------
        FormatError
            If a field is missing or of the wrong type.
        """
        try:
            plain = dict(fields)
            plain["x"], plain["y"] = (tuple(v) if isinstance(v, list) else v for v in (plain["x"], plain["y"]))
            plain["given"], plain["domain_sizes"] = tuple(plain["given"]), tuple(plain["domain_sizes"])
            plain["warnings"] = tuple(plain["warnings"])
            # The sign of an infinite value follows from the verdict.
            infinite = -math.inf if plain["independent"] else math.inf
            plain["score_bits"] = infinite if plain["score_bits"] is None else plain["score_bits"]
            plain["threshold_bits"] = -infinite if plain["threshold_bits"] is None else plain["threshold_bits"]
            return cls(**plain)
        except (KeyError, TypeError, ValueError) as error:
            raise FormatError(f"fields: not what IndependenceResult.to_dict() returns: {error!r}.") from None

    def plot(self, data: Any) -> Any:
        """Plot observed counts and those expected under independence, in a panel per stratum; returns the figure.

        Parameters
        ----------
        data : table-like
            The data that the result was computed from; a result does not contain counts.
        """
        from bitsep.report import plot_result

        return plot_result(self, data)

    def _rows(self) -> list[tuple[str, str]]:
        rows = [
            ("verdict", f"{self.verdict}  ({self.method})"),
            (
                "score",
                f"{self.score_bits:+.4g} bits  ({'> 0: dependent' if not self.independent else '≤ 0: independent'})",
            ),
            ("information", f"{self.n * self.cmi_bits:.4g} bits in {self.n:,} rows ({self.cmi_bits:.4g} per row)"),
            (
                "threshold",
                f"{self.threshold_bits:.4g} bits" + (f": too few rows for {self.df:,} df" if self.too_few_rows else ""),
            ),
        ]
        if self.p_value is not None:
            rows.append(("p-value", f"{self.p_value:.4g}  (statistic {self.statistic:.4g}, df {self.df:,})"))
        kx, ky, kz = self.domain_sizes
        rows.append(("domain sizes", f"|X| = {kx:,}, |Y| = {ky:,}, |Z| = {kz:,} observed"))
        if self.small_sample:
            rows.append(("note", "fewer rows than the paper's bound for these domain sizes: read with care"))
        rows += [("warning", warning) for warning in self.warnings]
        return rows

    def __str__(self) -> str:
        rows = self._rows()
        width = max(len(label) for label, _ in rows)
        return "\n".join([self.question, *(f"  {label:<{width}}  {value}" for label, value in rows)])

    def _repr_html_(self) -> str:
        body = "".join(
            f"<tr><th style='text-align:left'>{html.escape(label)}</th><td style='text-align:left'>{html.escape(value)}"
            "</td></tr>"
            for label, value in self._rows()
        )
        return f"<table><caption>{html.escape(self.question)}</caption>{body}</table>"


def _plain(name: Name) -> Any:
    return [plain_name(v) for v in name] if isinstance(name, tuple) else plain_name(name)
