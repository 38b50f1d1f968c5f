"""The power of a test: how many rows it needs for an effect, or which effects it finds with the rows there are."""

from __future__ import annotations

import html
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from bitsep import _native
from bitsep.checks import integer, real_number, shown
from bitsep.errors import ArgumentError
from bitsep.figures import shown_count
from bitsep.independence.records import rows_needed
from bitsep.independence.tests import NativeMethod, resolve_method

_CHI_SQUARE = ("x2", "x2_calibrated", "u_calibrated")
"""The tests whose statistic is like X²; that of the others is like G²."""

_ENOUGH_PER_CELL = 5
_USUAL_POWER = 0.8
_MAX_CELLS = 10**6
_MAX_ROWS = 10**12


@dataclass(frozen=True, slots=True)
class Power:
    """How often a test calls dependent variables dependent.

    Attributes
    ----------
    effect_size : float or None
        Cramér's V in every stratum; None if even the largest effect is not found with this power.
    rows : int
        The number of rows.
    power : float
        The probability of the verdict "dependent".
    x_levels, y_levels, strata : int
        The domain sizes of X and Y, and the number of strata.
    method : str
        The test.
    alpha : float or None
        Its significance level, if it has one.

    Examples
    --------
    >>> import bitsep
    >>> found = bitsep.power(2, 2, rows=200)
    >>> round(found.effect_size, 3), found.power
    (0.198, 0.8)
    """

    effect_size: float | None
    rows: int
    power: float
    x_levels: int
    y_levels: int
    strata: int
    method: str
    alpha: float | None

    @property
    def rows_per_cell(self) -> float:
        """The mean number of rows in a cell; below five the power is only a rough approximation."""
        return self.rows / (self.x_levels * self.y_levels * self.strata)

    def to_dict(self) -> dict[str, Any]:
        """The attributes as values that JSON can represent."""
        return {name: getattr(self, name) for name in self.__slots__}

    def __str__(self) -> str:
        alpha = "" if self.alpha is None else f", alpha = {self.alpha:g}"
        size = f"{self.x_levels} × {self.y_levels} levels"
        if self.strata > 1:
            size += f" in {self.strata:,} strata"
        rows = shown_count(self.rows, "row")
        which = f"({size}; {self.method}{alpha})"
        if self.effect_size is None:
            return f"{rows}: no effect is found with {self.power:.0%} power {which}"
        rough = "" if self.rows_per_cell >= _ENOUGH_PER_CELL else "; a rough approximation, with few rows per cell"
        return f"{rows}, effect size {self.effect_size:.3g}: {self.power:.0%} power {which}{rough}"

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(str(self))}</p>"


def power(
    x_levels: int,
    y_levels: int,
    strata: int = 1,
    effect_size: float | None = None,
    rows: int | None = None,
    power: float | None = None,
    method: str = "x2_calibrated",
    alpha: float | None = None,
    **options: Any,
) -> Power:
    """The rows a test needs to find an effect, its power with given rows, or the smallest effect that it finds.

    Give `effect_size` for the rows needed, `rows` for the smallest effect, and both for the power.

    Parameters
    ----------
    x_levels, y_levels : int
        The domain sizes of X and Y.
    strata : int
        The number of strata: the joint levels of the conditioning variables.
    effect_size : float, optional
        Cramér's V in every stratum, from 0 to 1, as in `IndependenceResult.effect_size`; of two variables with two
        levels each, 0.1 is a weak dependence, 0.3 a medium one and 0.5 a strong one (Cohen 1988).
    rows : int, optional
        The number of rows.
    power : float, optional
        The probability of the verdict "dependent" that is wanted; default: 0.8. Not with both `effect_size` and `rows`.
    method : str
        The name of a built-in test.
    alpha : float, optional
        The significance level, as for `independence_test`.
    **options
        Options of the test.

    Returns
    -------
    Power
        The three numbers, one of them computed.

    Raises
    ------
    ArgumentError
        If neither `effect_size` nor `rows` is given, or all three are, or a number is out of range.

    Notes
    -----
    With all levels equally frequent, n rows and effect size V, the statistic of a test is about a noncentral chi-square
    variable with (x_levels − 1)(y_levels − 1) · strata degrees of freedom. For tests based on X² the noncentrality is
    n V² (k − 1), where k is the smaller number of levels; for all others it is 2 ln 2 · n times the information (in
    bits) that X and Y share if the levels of Y are those of X with probability V and drawn independently otherwise. For
    tests without a significance level, such as ``sci_f``, the threshold is that of an evenly spread table, and rows
    below `sample_size_bound` are not considered. The approximation is good from about five rows per cell on;
    docs/one-test.md compares it with simulations.

    References
    ----------
    Cohen, Statistical power analysis for the behavioral sciences (1988).

    Examples
    --------
    >>> import bitsep
    >>> bitsep.power(2, 2, effect_size=0.2).rows
    197
    >>> print(bitsep.power(3, 3, strata=4, effect_size=0.2, rows=500))
    500 rows, effect size 0.2: 99% power (3 × 3 levels in 4 strata; x2_calibrated, alpha = 0.05)
    """
    sizes = (
        integer("x_levels", x_levels, at_least=2),
        integer("y_levels", y_levels, at_least=2),
        integer("strata", strata, at_least=1),
    )
    if math.prod(sizes) > _MAX_CELLS:
        raise ArgumentError(f"strata: too many cells; at most {_MAX_CELLS:,} are possible, got {math.prod(sizes):,}.")
    effect = None if effect_size is None else _number("effect_size", effect_size, included=True)
    n = None if rows is None else integer("rows", rows, at_least=1, at_most=_MAX_ROWS)
    wanted = None if power is None else _number("power", power, included=False)
    test = _PowerOfTest(sizes, resolve_method(method, alpha, options), float(options.get("min_rows_per_df", 0)))
    if effect is not None and n is not None:
        if wanted is not None:
            raise ArgumentError("effect_size, rows, power: at most two can be given, got all three.")
        return test.answer(effect, n, test.power(effect, n))
    wanted = _USUAL_POWER if wanted is None else wanted
    if effect is not None:
        needed = test.rows(effect, wanted)
        return test.answer(effect, needed, test.power(effect, needed))
    if n is not None:
        return test.answer(test.effect(n, wanted), n, wanted)
    raise ArgumentError("effect_size, rows: at least one must be given, got none.")


def _number(argument: str, value: Any, included: bool) -> float:
    number = real_number(value)
    if number is None or not (0 < number < 1 or (included and number == 1)):
        limits = "above 0 and at most 1" if included else "between 0 and 1, both excluded"
        raise ArgumentError(f"{argument}: must be a number {limits}, got {shown(value)}.")
    return number


class _PowerOfTest:
    """The power of one test in evenly spread tables of one size."""

    def __init__(self, sizes: tuple[int, int, int], method: NativeMethod, min_rows_per_df: float) -> None:
        self._sizes, self._method = sizes, method
        self._df = (sizes[0] - 1) * (sizes[1] - 1) * sizes[2]
        self._least_rows = min_rows_per_df * self._df  # with fewer the verdict is always "independent"
        self._per_row = _chi_square_per_row if method.method.name in _CHI_SQUARE else _information_per_row
        self._has_level = method.method.family == "significance" and method.alpha is not None
        self._threshold = self._quantile() if self._has_level else 0.0

    def answer(self, effect: float | None, rows: int, power: float) -> Power:
        return Power(effect, rows, power, *self._sizes, self._method.method.name, self._method.alpha)

    def power(self, effect: float, rows: int) -> float:
        if rows < self._least_rows:
            return 0.0
        return noncentral_tail(self._critical(rows), self._df, rows * self._per_row(min(self._sizes[:2]), effect))

    def rows(self, effect: float, power: float) -> int:
        """The smallest number of rows with this power.

        Tests without a significance level call everything dependent in very small samples; they need as many rows as
        the paper's bound says.
        """
        least = 1 if self._has_level else math.ceil(rows_needed(*self._sizes))
        low, high = least - 1, least
        while self.power(effect, high) < power:
            low, high = high, 2 * high
            if high > _MAX_ROWS:
                raise ArgumentError(f"effect_size: too small to be found with {_MAX_ROWS:,} rows, got {shown(effect)}.")
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.power(effect, middle) >= power else (middle, high)
        return high

    def effect(self, rows: int, power: float) -> float | None:
        """The smallest effect that is found with this power; None if there is none."""
        if self.power(1.0, rows) < power:
            return None
        low, high = 0.0, 1.0
        while high - low > 1e-9:
            middle = (low + high) / 2
            low, high = (low, middle) if self.power(middle, rows) >= power else (middle, high)
        return high

    def _critical(self, rows: int) -> float:
        """The value that the statistic must exceed."""
        if self._has_level:
            return self._threshold
        kx, ky, strata = self._sizes
        record = self._method.test.of_dense_counts(kx, ky, float(strata), _even_table(rows, kx, ky, strata))
        threshold = float(record.view(np.float64)[2])  # threshold_bits of the record
        return max(0.0, 2 * math.log(2) * threshold)

    def _quantile(self) -> float:
        assert self._method.alpha is not None
        quantile = float(_native.chi_square_quantile(np.array([self._method.alpha]), np.array([float(self._df)]))[0])
        return quantile / 2 if self._method.method.name == "cmi_gamma_halved" else quantile


def _chi_square_per_row(levels: int, effect: float) -> float:
    """X² per row of a table with this Cramér's V, whatever its shape."""
    return effect**2 * (levels - 1)


def _information_per_row(levels: int, effect: float) -> float:
    """G² per row if the levels of Y are those of X with probability V, and drawn independently otherwise."""
    more = effect * (levels - 1)  # by which share pairs of equal levels are more probable than under independence
    rest = (1 - effect) * (levels - 1) * math.log1p(-effect) if effect < 1 else 0.0
    return max(0.0, 2 * ((1 + more) * math.log1p(more) + rest) / levels)


def _even_table(rows: int, kx: int, ky: int, strata: int) -> Any:
    """A table [stratum][x][y] with rows spread as evenly as integers allow, also over the margins."""
    per_stratum = np.full(strata, rows // strata) + (np.arange(strata) < rows % strata)
    step, x = np.divmod(np.arange(kx * ky), kx)
    place = x * ky + (x + step) % ky  # along the diagonals, so that no level of x or y is preferred
    cells = np.empty((strata, kx * ky), np.int64)
    cells[:, place] = per_stratum[:, None] // (kx * ky) + (np.arange(kx * ky) < per_stratum[:, None] % (kx * ky))
    return cells.reshape(-1)


def noncentral_tail(value: float, df: int, noncentrality: float) -> float:
    """P(χ² > value) for a noncentral chi-square variable: a mean of central ones with df + 2j degrees of freedom, where
    j has the Poisson distribution with mean noncentrality/2.

    >>> round(noncentral_tail(3.841459, 1, 7.848861), 6)
    0.8
    """
    mean = noncentrality / 2
    if mean == 0:
        return float(_native.chi_square_tail(np.array([value]), np.array([float(df)]))[0])
    reach = 9 * math.sqrt(mean) + 40
    j = np.arange(max(0, math.floor(mean - reach)), math.ceil(mean + reach) + 1, dtype=np.float64)
    logarithm = j * math.log(mean) - mean - np.array([math.lgamma(k + 1) for k in j])
    weight = np.exp(logarithm - logarithm.max())
    tails = _native.chi_square_tail(np.full(len(j), value), df + 2 * j)
    return float(np.dot(weight, tails) / weight.sum())
