"""The tail and the quantile of χ² as the tests use them, against SciPy, far beyond the usual significance levels."""

from __future__ import annotations

import math
from functools import cache

import pytest
from scipy import special

import bitsep


@cache
def grid(kx: int, ky: int) -> bitsep.Table:
    """Every pair of levels once: degrees of freedom (kx - 1)(ky - 1)."""
    return bitsep.Table({"x": [i // ky for i in range(kx * ky)], "y": [i % ky for i in range(kx * ky)]})


@pytest.mark.parametrize(("kx", "ky"), [(2, 2), (3, 2), (3, 3), (5, 5), (11, 11), (31, 31), (101, 101)])
@pytest.mark.parametrize("alpha", [1 - 1e-9, 0.999, 0.9, 0.5, 0.05, 0.001, 1e-6, 1e-12, 1e-50, 1e-120, 1e-200, 1e-300])
def test_threshold_is_the_quantile(kx: int, ky: int, alpha: float) -> None:
    df = (kx - 1) * (ky - 1)
    expected = 2 * special.gammainccinv(df / 2, alpha)
    for method in ("g2", "x2", "cmi_gamma"):
        result = bitsep.independence_test(grid(kx, ky), "x", "y", method=method, alpha=alpha)
        assert result.threshold_bits * 2 * math.log(2) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("method", ["g2", "x2"])
@pytest.mark.parametrize("k", [2, 3, 6])
@pytest.mark.parametrize("copies", [1, 3, 10, 30, 60])
def test_p_value_is_the_tail_also_where_it_is_tiny(method: str, k: int, copies: int) -> None:
    # Half of the rows copy X into Y, half are spread evenly, so the statistic grows with the copies.
    rows = [(i, i) for i in range(k) for _ in range(2 * copies)] + [(i, j) for i in range(k) for j in range(k)] * copies
    result = bitsep.independence_test({"x": [x for x, _ in rows], "y": [y for _, y in rows]}, "x", "y", method=method)
    assert result.statistic is not None
    assert result.df == (k - 1) ** 2
    expected = special.gammaincc(result.df / 2, result.statistic / 2)
    assert result.p_value == pytest.approx(expected, rel=1e-9, abs=0)


@pytest.mark.parametrize("alpha", [0.9, 0.05, 1e-6, 1e-20, 1e-100, 1e-250])
def test_verdict_and_p_value_agree_at_every_level(alpha: float) -> None:
    for copies in range(1, 120, 7):
        columns = {"x": [0, 1] * 3 * copies + [0, 0, 1, 1] * copies, "y": [0, 1] * 3 * copies + [0, 1, 0, 1] * copies}
        result = bitsep.independence_test(columns, "x", "y", method="g2", alpha=alpha)
        assert result.p_value is not None
        assert result.independent == (result.p_value >= alpha)
