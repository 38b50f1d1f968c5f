"""Every test statistic of the paper, and the classical ones, from rows."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from scipy import special

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


def threshold_sci_q(s: Sample, kz: int) -> float:
    """P_q(X | Z, Y) - P_q(X | Z) with |(Z, Y)| = |Z||Y| (appendix "Quotient SCI")."""
    return penalty_q(s.n, s.kx, s.ky * kz) - penalty_q(s.n, s.kx, kz)


def threshold_sci_fs(s: Sample, kxy: int) -> float:
    """Σ_z log C(|z|,|XY|) - log C(|z|,|X|) - log C(|z|,|Y|) (appendix, alternative symmetry correction)."""
    return penalty_f(s.x, s.z, kxy) - penalty_f(s.x, s.z, s.kx) - penalty_f(s.y, s.z, s.ky)


def threshold_jic(s: Sample, kz: int) -> float:
    """n times the penalty of JIC in the appendix: (|X|-1)(|Y|-1)|Z|/2 · log2 n."""
    return (s.kx - 1) * (s.ky - 1) * kz / 2 * math.log2(s.n)


def gamma_threshold(df: int, n: int, alpha: float) -> float:
    """Section 4.3: upper alpha quantile of Γ(df/2, scale 1/(n ln 2)), in bits per row."""
    return float(special.gammainccinv(df / 2, alpha)) / (n * math.log(2)) if df else 0.0


# --- the classical tests ----------------------------------------------------------------------------------------------


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


# --- one entry --------------------------------------------------------------------------------------------------------

LN2 = math.log(2)
METHODS = ("sci_f", "sci_q", "sci_fs", "cmi", "cmi_gamma", "cmi_gamma_halved", "jic", "g2", "g2_adjusted", "x2")
SCI = ("sci_f", "sci_q", "sci_fs")


def evaluate(
    x: Columns,
    y: Columns,
    z: Columns = (),
    method: str = "sci_f",
    *,
    alpha: float | None = None,
    threshold: float = 0.0,
    z_size: str = "observed",
    xy_size: str = "product",
    weights: Sequence[int] | None = None,
) -> dict[str, Any]:
    """The test of X (a list of columns) against Y given Z, as a dict of what an `IndependenceResult` holds."""
    s = sample(x, y, z, weights)
    kz = s.kz_observed if z_size == "observed" else s.kz_product
    df = (s.kx - 1) * (s.ky - 1) * kz
    level = 0.05 if alpha is None else alpha
    kxy = s.kx * s.ky if xy_size == "product" else s.kxy_observed
    thresholds: dict[str, Callable[[], float]] = {
        "sci_f": lambda: threshold_sci_f(s),
        "sci_q": lambda: threshold_sci_q(s, kz),
        "sci_fs": lambda: threshold_sci_fs(s, kxy),
        "cmi": lambda: s.n * threshold,
        "cmi_gamma": lambda: s.n * gamma_threshold(df, s.n, level),
        "cmi_gamma_halved": lambda: s.n * gamma_threshold(df, s.n, level) / 2,
        "jic": lambda: threshold_jic(s, kz),
        "g2": lambda: chi2_quantile(df, level) / (2 * LN2),
        "g2_adjusted": lambda: chi2_quantile(adjusted_df(s), level) / (2 * LN2),
        "x2": lambda: chi2_quantile(df, level) / (2 * LN2),
    }
    bits = information(s)
    limit = thresholds[method]()
    result: dict[str, Any] = {"statistic": None, "df": None, "p_value": None, "no_hypercompression_bound": None}
    if method in SCI:
        result["no_hypercompression_bound"] = min(1.0, 2.0 ** min(0.0, limit - bits))
        if alpha is not None:
            limit -= math.log2(alpha)  # the paper's sparsification, section 4.5
    score = bits - limit
    if method in {"cmi_gamma", "cmi_gamma_halved"}:
        # n·Î·2 ln 2 is G², and follows χ² with the plain degrees of freedom; halved, it is 2 G² that would.
        statistic = g2_statistic(s)
        factor = 1 if method == "cmi_gamma" else 2
        result |= {"statistic": statistic, "df": df, "p_value": chi2_p_value(factor * statistic, df)}
    if method in {"g2", "g2_adjusted", "x2"}:
        statistic = x2_statistic(s) if method == "x2" else g2_statistic(s)
        df = adjusted_df(s) if method == "g2_adjusted" else df
        result |= {"statistic": statistic, "df": df, "p_value": chi2_p_value(statistic, df)}
        if method == "x2":
            score = statistic / (2 * LN2) - limit
    larger, smaller = max(s.kx, s.ky), min(s.kx, s.ky)
    tolerance = max(1e-7, 8 * sys.float_info.epsilon * s.n * math.log2(s.n))
    return result | {
        "score_bits": score,
        "cmi_bits": bits / s.n,
        "threshold_bits": limit,
        "n": s.n,
        "independent": score <= tolerance,
        "small_sample": s.n < 35 + 2 * larger * smaller ** (2 / 3) * (s.kz_observed + 1),
    }
