"""Products of domain sizes beyond what a double holds, and memory that stays bounded whatever sizes are met."""

from __future__ import annotations

import math
import subprocess
import sys

import mpmath
import numpy as np
import pytest

import bitsep
from bitsep import _native
from bitsep.independence import METHODS


def wide_table(variables: int, levels: int = 50, rows: int = 300) -> dict[str, list[int]]:
    draw = np.random.default_rng(variables)
    x = draw.integers(0, 3, rows)
    table = {"x": x.tolist(), "y": ((x + draw.integers(0, 2, rows)) % 3).tolist()}
    return table | {f"z{i:03}": draw.integers(0, levels, rows).tolist() for i in range(variables)}


@pytest.mark.parametrize("method", [name for name, method in METHODS.items() if "z_size" in method.options])
@pytest.mark.parametrize("variables", [20, 50, 100, 200])
def test_a_product_of_many_domain_sizes_gives_finite_numbers(method: str, variables: int) -> None:
    table = wide_table(variables)
    given = [name for name in table if name.startswith("z")]
    result = bitsep.independence_test(table, "x", "y", given=given, method=method, z_size="product")
    assert math.isfinite(result.score_bits)
    assert math.isfinite(result.threshold_bits)
    assert result.independent  # every stratum has one row
    again = bitsep.independence_test(table, "y", "x", given=given[::-1], method=method, z_size="product")
    assert again.score_bits == result.score_bits
    assert bitsep.IndependenceResult.from_dict(result.to_dict()) == result


def exact_log2_regret(n: int, k: int) -> float:
    """Mononen & Myllymäki (2008) in exact arithmetic."""
    term = total = mpmath.mpf(1)
    with mpmath.workdps(400):
        for j in range(1, n + 1):
            term = term * (n - j + 1) * (mpmath.mpf(k) + j - 2) / (mpmath.mpf(n) * j)
            total += term
        return float(mpmath.log(total, 2))


@pytest.mark.parametrize("n", [1, 2, 3, 50, 1000])
@pytest.mark.parametrize("exponent", [6, 20, 30, 40, 60, 100, 250])
def test_the_regret_of_huge_domains_is_exact(n: int, exponent: int) -> None:
    ours = _native.log2_regret(np.array([n]), np.array([10.0**exponent]))[0]
    assert ours == pytest.approx(exact_log2_regret(n, int(10.0**exponent)), rel=1e-12)


def test_the_product_of_domain_sizes_does_not_depend_on_their_order() -> None:
    draw = np.random.default_rng(0)
    for _ in range(200):
        sizes = draw.integers(2, 1000, 40)
        assert _native.domain_product(sizes) == _native.domain_product(draw.permutation(sizes))
    assert _native.domain_product([10**6] * 100) == 1e280
    assert _native.domain_product([]) == 1
    assert _native.domain_product([3, 0, 10**9]) == 0


@pytest.mark.parametrize("method", ["x2_calibrated", "u_calibrated", "g2_adjusted"])
def test_two_columns_of_different_values(method: str) -> None:
    """With 10^5 levels each there is no time to look at all 10^10 cells."""
    draw = np.random.default_rng(3)
    columns = {name: draw.permutation(100_000).astype(str) for name in ("x", "y")}
    [result] = bitsep.evaluate(columns, [("x", "y", ())], method)
    assert result.independent
    assert result.p_value == 1


def test_tests_on_many_domain_sizes_keep_no_memory() -> None:
    """Pairs of 250 columns have thousands of products of sizes, for each of which regrets are needed."""
    code = """
import gc, resource
import numpy as np
import bitsep

def pairs(columns, seed):
    draw = np.random.default_rng(seed)
    data = {f"c{i:03}": draw.integers(0, 20 + 3 * i, 3000).tolist() for i in range(columns)}
    table = bitsep.Table(data)
    names = list(data)
    bitsep.evaluate(table, [(a, b, ()) for i, a in enumerate(names) for b in names[:i]], method="sci_fs")

pairs(10, 1)
gc.collect()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
pairs(250, 2)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 250_000  # kB; the table, its counts and the results are most of it
