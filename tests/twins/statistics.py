"""Every test statistic of the paper, and the classical ones, from rows."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from scipy import special

from twins import u_statistic
from twins.calibrated import Margins, exact_tail, log_p_value
from twins.counts import Columns, complete_rows, conditional_entropy, domain_size, groups
from twins.regret import log2_regret


@dataclass(frozen=True)
class Sample:
    """The rows of one test as three lists, with the domain sizes the formulas ask for."""

    x: list[Hashable]
    y: list[Hashable]
    z: list[Hashable]
    kx: int
    ky: int
    kz_observed: int
    kz_product: int

    @property
    def n(self) -> int:
        return len(self.x)

    @property
    def xz(self) -> list[Hashable]:
        return list(zip(self.x, self.z, strict=True))

    @property
    def yz(self) -> list[Hashable]:
        return list(zip(self.y, self.z, strict=True))

    def kz(self, z_size: str) -> int:
        return self.kz_observed if z_size == "observed" else self.kz_product

    @property
    def kxy_observed(self) -> int:
        return len(set(zip(self.x, self.y, strict=True)))

    @property
    def strata(self) -> list[list[tuple[Hashable, Hashable]]]:
        """The (x, y) pairs, one list per observed value of Z."""
        return [list(pairs) for pairs in groups(zip(self.x, self.y, strict=True), self.z).values()]  # type: ignore[arg-type]


def sample(x: Columns, y: Columns, z: Columns, weights: Sequence[int] | None = None) -> Sample:
    """Test-wise deletion. |X|, |Y| and the sizes of Z's columns come from the whole table, |Z| from the rows used."""
    rows = complete_rows(x, y, z, weights)
    xs, ys, zs = ([row[i] for row in rows] for i in range(3))
    product = math.prod(domain_size([column], weights) for column in z)
    return Sample(xs, ys, zs, domain_size(x, weights), domain_size(y, weights), len(set(zs)), product)


# --- section 3: stochastic complexity ---------------------------------------------------------------------------------


def penalty_f(values: Sequence[Hashable], by: Sequence[Hashable], k: int) -> float:
    """P_f(X | Z) = Σ_z log C(|z|, |X|), section 3.1."""
    return math.fsum(log2_regret(size, k) for size in Counter(by).values())


def penalty_q(n: int, k: int, k_by: int) -> float:
    """P_q(X | Z) = log C(n, |X||Z|) / C(n, |Z|), appendix "Quotient SCI"."""
    return log2_regret(n, k * k_by) - log2_regret(n, k_by)


def sc_f(values: Sequence[Hashable], by: Sequence[Hashable], k: int) -> float:
    """SC_f(X | Z), section 3.1."""
    return conditional_entropy(values, by) + penalty_f(values, by, k)


def stochastic_complexity(x: Columns, z: Columns, code: str) -> float:
    """SC(X | Z) in bits, fNML or qNML; |Z| is the number of observed joint values."""
    s = sample(x, x, z)
    bits = conditional_entropy(s.x, s.z)
    return bits + (penalty_f(s.x, s.z, s.kx) if code == "fnml" else penalty_q(s.n, s.kx, s.kz_observed))


# --- section 4 and appendix: what n·I(X;Y|Z) has to exceed ------------------------------------------------------------


def information(s: Sample) -> float:
    """n·Î(X;Y|Z) = n·Ĥ(X|Z) - n·Ĥ(X|Z,Y), the definition in section 2."""
    return conditional_entropy(s.x, s.z) - conditional_entropy(s.x, s.yz)


def threshold_sci_f(s: Sample) -> float:
    """SCI_f is the larger direction, so its threshold is the smaller of the two (section 4.1)."""
    forward = penalty_f(s.x, s.yz, s.kx) - penalty_f(s.x, s.z, s.kx)
    backward = penalty_f(s.y, s.xz, s.ky) - penalty_f(s.y, s.z, s.ky)
    return min(forward, backward)


def threshold_sci_q(s: Sample, z_size: str = "observed") -> float:
    """P_q(X | Z, Y) - P_q(X | Z) with |(Z, Y)| = |Z||Y| (appendix "Quotient SCI")."""
    kz = s.kz(z_size)
    return penalty_q(s.n, s.kx, s.ky * kz) - penalty_q(s.n, s.kx, kz)


def threshold_sci_fs(s: Sample, xy_size: str = "product") -> float:
    """Σ_z log C(|z|,|XY|) - log C(|z|,|X|) - log C(|z|,|Y|) (appendix, alternative symmetry correction)."""
    kxy = s.kx * s.ky if xy_size == "product" else s.kxy_observed
    return penalty_f(s.x, s.z, kxy) - penalty_f(s.x, s.z, s.kx) - penalty_f(s.y, s.z, s.ky)


def threshold_cmi(s: Sample, threshold: float = 0.0) -> float:
    """A number of bits per row."""
    return s.n * threshold


def threshold_jic(s: Sample, z_size: str = "observed") -> float:
    """n times the penalty of JIC in the appendix: (|X|-1)(|Y|-1)|Z|/2 · log2 n."""
    return (s.kx - 1) * (s.ky - 1) * s.kz(z_size) / 2 * math.log2(s.n)


def gamma_threshold(df: int, n: int, alpha: float) -> float:
    """Section 4.3: upper alpha quantile of Γ(df/2, scale 1/(n ln 2)), in bits per row."""
    return float(special.gammainccinv(df / 2, alpha)) / (n * math.log(2)) if df else 0.0


# --- the classical tests ----------------------------------------------------------------------------------------------


def plain_df(s: Sample, z_size: str = "observed") -> int:
    return (s.kx - 1) * (s.ky - 1) * s.kz(z_size)


def adjusted_df(s: Sample) -> int:
    """Σ over strata of (non-empty rows - 1)(non-empty columns - 1)."""
    return sum((len({a for a, _ in pairs}) - 1) * (len({b for _, b in pairs}) - 1) for pairs in s.strata)


def g2_statistic(s: Sample) -> float:
    """2 Σ O ln(O/E), summed stratum by stratum."""
    terms = []
    for pairs in s.strata:
        rows, columns = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
        for (a, b), seen in Counter(pairs).items():
            terms.append(2 * seen * math.log(seen * len(pairs) / (rows[a] * columns[b])))
    return math.fsum(terms)


def x2_statistic(s: Sample) -> float:
    """Σ (O - E)²/E over every cell of every stratum, empty ones too."""
    terms = []
    for pairs in s.strata:
        rows, columns = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
        seen = Counter(pairs)
        for a, in_row in rows.items():
            for b, in_column in columns.items():
                expected = in_row * in_column / len(pairs)
                terms.append((seen[a, b] - expected) ** 2 / expected)
    return math.fsum(terms)


def chi2_p_value(statistic: float, df: int) -> float:
    return float(special.gammaincc(df / 2, max(statistic, 0.0) / 2)) if df else 1.0


def chi2_quantile(df: int, alpha: float) -> float:
    """What the statistic has to exceed at level alpha."""
    return 2 * float(special.gammainccinv(df / 2, alpha)) if df else 0.0


def margins_of_strata(s: Sample) -> list[Margins]:
    """Row and column sums of the strata in which neither X nor Y is constant."""
    margins: list[Margins] = []
    for pairs in s.strata:
        rows, columns = (tuple(sorted(Counter(pair[i] for pair in pairs).values(), reverse=True)) for i in (0, 1))
        if len(rows) > 1 and len(columns) > 1:
            margins.append((rows, columns))
    return margins


def x2_exact(s: Sample) -> Fraction:
    """X² as a fraction."""
    total = Fraction(0)
    for pairs in s.strata:
        rows, columns = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
        total += len(pairs) * sum(
            Fraction(seen**2, rows[a] * columns[b]) for (a, b), seen in Counter(pairs).items()
        ) - len(pairs)
    return total


def u_exact(s: Sample) -> Fraction:
    """The sum of n U over the strata with at least four rows in which neither X nor Y is constant."""
    total = Fraction(0)
    for pairs in s.strata:
        xs, ys = ([*Counter(pair[i] for pair in pairs)] for i in (0, 1))
        cells = Counter(pairs)
        table = [[cells[x, y] for y in ys] for x in xs]
        if len(pairs) >= 4 and min(len(xs), len(ys)) > 1:
            margins = tuple(map(sum, table)), tuple(map(sum, zip(*table, strict=True)))
            total += u_statistic.statistic(margins, table, (s.kx, s.ky))
    return total


# --- the tests by name ------------------------------------------------------------------------------------------------

LN2 = math.log(2)


class Twin(Protocol):
    """What a test makes of a sample: a dict of what an `IndependenceResult` holds. Add a new test to `TWINS`."""

    def __call__(self, s: Sample, alpha: float | None, **options: Any) -> dict[str, Any]: ...


def sci(threshold: Callable[..., float]) -> Twin:
    def judge(s: Sample, alpha: float | None, **options: Any) -> dict[str, Any]:
        bits, limit = information(s), threshold(s, **options)
        demand = 0.0 if alpha is None else -math.log2(alpha)  # the paper's sparsification, section 4.5
        bound = min(1.0, 2.0 ** min(0.0, limit - bits))
        return {"threshold_bits": limit + demand, "no_hypercompression_bound": bound}

    return judge


def without_alpha(threshold: Callable[..., float]) -> Twin:
    def judge(s: Sample, alpha: float | None, **options: Any) -> dict[str, Any]:
        return {"threshold_bits": threshold(s, **options)}

    return judge


def significance(
    statistic: Callable[[Sample], float], degrees: Callable[..., int], half_the_threshold: bool = False
) -> Twin:
    # n·Î·2 ln 2 is G², and follows χ² with the plain degrees of freedom; with half the threshold it is 2 G² that would.
    factor = 2 if half_the_threshold else 1

    def judge(s: Sample, alpha: float | None, min_rows_per_df: float = 0.0, **options: Any) -> dict[str, Any]:
        value, df = statistic(s), degrees(s, **options)
        limit = chi2_quantile(df, 0.05 if alpha is None else alpha) / factor
        p_value: float | None = chi2_p_value(factor * value, df)
        if s.n < min_rows_per_df * df:
            limit, p_value = math.inf, None
        return {
            "evidence_bits": value / (2 * LN2),
            "threshold_bits": limit / (2 * LN2),
            "statistic": value,
            "df": df,
            "p_value": p_value,
        }

    return judge


def calibrated(s: Sample, alpha: float | None) -> dict[str, Any]:
    x2, level = x2_exact(s), 0.05 if alpha is None else alpha
    bits = -log_p_value(margins_of_strata(s), x2) / LN2
    if abs(bits + math.log2(level)) < 1e-12:  # p = alpha is dependent
        bits = -math.log2(level) + 2e-7
    return {
        "evidence_bits": bits,
        "threshold_bits": -math.log2(level),
        "statistic": float(x2),
        "df": adjusted_df(s),
        "p_value": 2**-bits,
    }


def u_calibrated(s: Sample, alpha: float | None) -> dict[str, Any]:
    u, level = u_exact(s), 0.05 if alpha is None else alpha
    strata = [margins for margins in margins_of_strata(s) if sum(margins[0]) >= 4]
    bits = -u_statistic.log_p_value(strata, (s.kx, s.ky), u, len(s.x)) / LN2
    if abs(bits + math.log2(level)) < 1e-12:  # p = alpha is dependent
        bits = -math.log2(level) + 2e-7
    return {
        "evidence_bits": bits,
        "threshold_bits": -math.log2(level),
        "statistic": float(u),
        "df": None,
        "p_value": 2**-bits,
    }


def rounding_bits(s: Sample, method: str) -> float:
    """How far the evidence of a calibrated test moves where each term of its statistic is rounded to half of 2^-40."""
    strata, cells = margins_of_strata(s), sum(len(set(pairs)) for pairs in s.strata)
    if method == "x2_calibrated":
        value, half = x2_exact(s), Fraction(cells, 2**41)
        if not strata or exact_tail(strata, value) is not None:  # nearby values count as equal
            return 0.0
        logarithms = [log_p_value(strata, at) for at in (value - half, value + half)]
    else:
        value, half = u_exact(s), Fraction(2 * cells + len(strata), 2**41)
        levels, strata = (s.kx, s.ky), [margins for margins in strata if sum(margins[0]) >= 4]
        varying = [margins for margins in strata if u_statistic.cumulants(margins, levels)[0]]
        if not varying or u_statistic.exact_tail(varying, levels, value) is not None:
            return 0.0
        logarithms = [u_statistic.log_p_value(strata, levels, at, len(s.x)) for at in (value - half, value + half)]
    return (logarithms[0] - logarithms[1]) / LN2


TWINS: dict[str, Twin] = {
    "sci_f": sci(threshold_sci_f),
    "sci_q": sci(threshold_sci_q),
    "sci_fs": sci(threshold_sci_fs),
    "cmi": without_alpha(threshold_cmi),
    "jic": without_alpha(threshold_jic),
    "cmi_gamma": significance(g2_statistic, plain_df),
    "cmi_gamma_halved": significance(g2_statistic, plain_df, half_the_threshold=True),
    "g2": significance(g2_statistic, plain_df),
    "g2_adjusted": significance(g2_statistic, adjusted_df),
    "x2": significance(x2_statistic, plain_df),
    "x2_calibrated": calibrated,
    "u_calibrated": u_calibrated,
}
METHODS = tuple(TWINS)


def evaluate(
    x: Columns,
    y: Columns,
    z: Columns = (),
    method: str = "sci_f",
    *,
    alpha: float | None = None,
    weights: Sequence[int] | None = None,
    **options: Any,
) -> dict[str, Any]:
    """The test of X (a list of columns) against Y given Z, as a dict of what an `IndependenceResult` holds."""
    s = sample(x, y, z, weights)
    bits = information(s)
    result = {"evidence_bits": bits, "statistic": None, "df": None, "p_value": None, "no_hypercompression_bound": None}
    result |= TWINS[method](s, alpha, **options)
    score = result.pop("evidence_bits") - result["threshold_bits"]
    larger, smaller = max(s.kx, s.ky), min(s.kx, s.ky)
    tolerance = max(1e-7, 8 * sys.float_info.epsilon * s.n * math.log2(s.n))
    return result | {
        "score_bits": score,
        "cmi_bits": bits / s.n,
        "n": s.n,
        "independent": score <= tolerance,
        "small_sample": s.n < 35 + 2 * larger * smaller ** (2 / 3) * (s.kz_observed + 1),
    }
