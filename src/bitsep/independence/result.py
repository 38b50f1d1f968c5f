"""The result of one test whether X and Y are independent given Z."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from bitsep import _native
from bitsep.checks import real_number
from bitsep.errors import FormatError
from bitsep.independence import display
from bitsep.independence.effects import Effect, LazyEffect, OddsRatio, StratumEffect
from bitsep.markup import html_table
from bitsep.naming import Name, plain_name, shown_name, shown_names

CALIBRATED = ("x2_calibrated", "u_calibrated")
"""Tests that compare a statistic with its own distribution; their score is log2 alpha − log2 p."""

_HOLDS_IN_SMALL_SAMPLES = ("x2", *CALIBRATED, "jic")  # see benchmarks/false_alarms.py


@dataclass(frozen=True, slots=True)
class IndependenceResult:
    """The result of a test, in bits.

    ``score_bits`` is ``n * cmi_bits - threshold_bits`` (for ``x2``: on the same scale, from X²; for calibrated
    and permutation tests: −log2 of the p-value − ``threshold_bits``). For every method, above zero means dependent,
    otherwise independent; negative values are kept.

    Attributes
    ----------
    independent : bool
        The verdict.
    score_bits : float
        By how much the evidence for dependence exceeds the threshold of the test.
    cmi_bits : float
        Plug-in conditional mutual information per row.
    threshold_bits : float
        The value that ``n * cmi_bits`` must exceed for a verdict "dependent"; −log2 alpha if `decides_by_p_value`.
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
        The statistic, degrees of freedom and p-value of tests that have them; None for SCI tests, JIC and CMI, except
        for the p-value of a permutation test.
    permutations : int or None
        The number of tables drawn by a permutation test; None for other tests.
    adjusted_p_value : float or None
        The p-value adjusted for the number of tests, by `evaluate` or `pairwise` with ``adjust=``. It then decides the
        verdict: ``score_bits`` is log2 of alpha less log2 of this value.
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
        Why the verdict may mean little: columns that look like identifiers, dates or free text, a variable with one
        level in the rows used, ``cmi`` without a threshold. Only
        `independence_test` gives them.

    Notes
    -----
    How strong the dependence is (`effect_size`, `cmi_corrected_bits`, `cmi_interval`, `odds_ratio`, `strata`,
    `implied_alpha`) is computed from the counts when it is first used. These properties are None if the counts are not
    available: for an oracle, and for results of a search that was read from JSON.

    Examples
    --------
    >>> import bitsep
    >>> data = bitsep.load_network("asia").sample(2000, seed=1)
    >>> r = bitsep.independence_test(data, "xray", "smoke")
    >>> r.verdict, round(r.score_bits, 2), r.n, r.domain_sizes
    ('dependent', 15.76, 2000, (2, 2, 1))
    >>> round(r.effect_size, 2), round(r.odds_ratio.ratio, 1)
    (0.11, 2.1)
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
    permutations: int | None = None
    adjusted_p_value: float | None = None
    no_hypercompression_bound: float | None = None
    small_sample: bool = False
    domain_sizes: tuple[int, int, int] = (0, 0, 0)
    warnings: tuple[str, ...] = ()
    _effect: LazyEffect | None = field(default=None, repr=False, compare=False)

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

    @property
    def decides_by_p_value(self) -> bool:
        """Whether the verdict compares a p-value with `alpha`, so that the score is in bits of probability."""
        by_permutation = self.permutations is not None
        return by_permutation or self.adjusted_p_value is not None or self.method in CALIBRATED

    @property
    def undecided(self) -> bool:
        """Whether a verdict "dependent" is not reliable, because the test makes too many false alarms with as few rows
        as here (`small_sample`). Tests whose significance level holds there are always decided."""
        holds = self.permutations is not None or self.method in _HOLDS_IN_SMALL_SAMPLES
        return self.small_sample and not self.independent and not holds

    @property
    def effect_size(self) -> float | None:
        """Cramér's V from 0 to 1, corrected for bias (Bergsma 2013).

        Given Z it is the mean over the strata, weighted by their rows.
        Strata in which X or Y has one level count as 0. In strata of a few rows V is still too large on average, since
        it is never negative; `cmi_corrected_bits` is not.
        """
        effect = self._known_effect
        return None if effect is None else effect.effect_size

    @property
    def cmi_corrected_bits(self) -> float | None:
        """The conditional mutual information per row, less its mean under independence with the same margins.

        It can be negative. Where strata have few rows and the dependence is strong, it is too low.
        """
        effect = self._known_effect
        return None if effect is None else effect.cmi_corrected_bits

    @property
    def cmi_interval(self) -> tuple[float, float] | None:
        """The limits of a 95% interval for the conditional mutual information per row, in bits."""
        effect = self._known_effect
        return None if effect is None else effect.cmi_interval

    @property
    def odds_ratio(self) -> OddsRatio | None:
        """The common odds ratio with its interval and the Mantel-Haenszel test; None unless X and Y have two levels
        each in the rows used."""
        effect = self._known_effect
        return None if effect is None else effect.odds_ratio

    @property
    def strata(self) -> tuple[StratumEffect, ...] | None:
        """What each stratum contributes; those with the most information first, at most 1,000."""
        effect = self._known_effect
        return None if effect is None else effect.strata

    @property
    def implied_alpha(self) -> float | None:
        """The significance level at which `g2_adjusted` has the same threshold here; None for tests that have a
        significance level, and where X or Y is constant in every stratum."""
        effect = self._known_effect
        df = 0 if effect is None else effect.adjusted_df
        if self.p_value is not None or not df or math.isinf(self.threshold_bits):
            return None
        statistic = np.array([max(0.0, 2 * math.log(2) * self.threshold_bits)])
        return float(_native.chi_square_tail(statistic, np.array([float(df)]))[0])

    @property
    def _known_effect(self) -> Effect | None:
        return None if self._effect is None else self._effect.get()

    def to_dict(self, effect: bool = True) -> dict[str, Any]:
        """The attributes as values that JSON can represent.

        Infinite numbers become None; names that are neither text nor integers become text.

        Parameters
        ----------
        effect : bool
            Whether to include how strong the dependence is, under the key "effect".
        """
        plain = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "_effect"}
        plain["x"], plain["y"] = (_plain(v) for v in (self.x, self.y))
        plain["given"] = [plain_name(v) for v in self.given]
        plain["domain_sizes"] = list(self.domain_sizes)
        plain["warnings"] = list(self.warnings)
        plain = {k: None if isinstance(v, float) and not math.isfinite(v) else v for k, v in plain.items()}
        if effect:
            known = self._known_effect
            plain["effect"] = None if known is None else known.to_dict()
        return plain

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> IndependenceResult:
        """A result from the dictionary that `to_dict` returned, also after conversion to JSON and back.

        Raises
        ------
        FormatError
            If a field is missing or of the wrong type.
        """
        try:
            plain = dict(content)
            plain["x"], plain["y"] = (tuple(v) if isinstance(v, list) else v for v in (plain["x"], plain["y"]))
            plain["given"], plain["domain_sizes"] = tuple(plain["given"]), tuple(plain["domain_sizes"])
            plain["warnings"] = tuple(plain["warnings"])
            # The sign of an infinite value follows from the verdict.
            infinite = -math.inf if plain["independent"] else math.inf
            plain["score_bits"] = infinite if plain["score_bits"] is None else plain["score_bits"]
            plain["threshold_bits"] = -infinite if plain["threshold_bits"] is None else plain["threshold_bits"]
            for name in _NUMBERS:
                value = plain.get(name)
                if real_number(value) is None and (value is not None or name in ("cmi_bits", "n")):
                    raise TypeError(f"{name} is {value!r}")
            effect = plain.pop("effect", None)
            known = None if effect is None else LazyEffect.known(Effect.from_dict(effect))
            return cls(**plain, _effect=known)
        except (KeyError, TypeError, ValueError, IndexError) as error:
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

    def __str__(self) -> str:
        rows = display.rows(self)
        width = max(len(label) for label, _ in rows)
        return "\n".join([self.question, *(f"  {label:<{width}}  {value}" for label, value in rows)])

    def _repr_html_(self) -> str:
        return html_table(self.question, (), display.rows(self))


_NUMBERS = (
    *("score_bits", "cmi_bits", "threshold_bits", "n", "alpha", "statistic", "df", "p_value", "permutations"),
    *("adjusted_p_value", "no_hypercompression_bound"),
)
"""The fields that are numbers, or None except `cmi_bits` and `n`."""


def _plain(name: Name) -> Any:
    return [plain_name(v) for v in name] if isinstance(name, tuple) else plain_name(name)
