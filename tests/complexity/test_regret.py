"""`log2_regret` against golden values, against its twin, and the theorems the paper builds on."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bitsep
import golden
import twins
from twins.strategies import thorough

sizes = st.one_of(st.integers(0, 60), st.integers(0, 5_000))
domains = st.one_of(st.integers(1, 12), st.integers(1, 2_000))


@pytest.mark.parametrize("entry", golden.exact_regrets(), ids=lambda e: f"n{e[0]}-k{e[1]}")
def test_exact_fractions(entry: tuple[int, int, int, int, float]) -> None:
    n, k, numerator, denominator, _ = entry
    assert bitsep.log2_regret(n, k) == pytest.approx(math.log2(numerator) - math.log2(denominator), rel=1e-12)


@pytest.mark.parametrize("entry", golden.precise_regrets(), ids=lambda e: f"n{e[0]}-k{e[1]}")
def test_precise_values(entry: tuple[int, int, float]) -> None:
    n, k, log2 = entry
    assert bitsep.log2_regret(n, k) == pytest.approx(log2, rel=1e-12)


@pytest.mark.parametrize("n", [10**5, 10**6, 10**7])
@pytest.mark.parametrize("k", [2, 3, 1_000, 10_000])
def test_promised_range_to_its_corner(n: int, k: int) -> None:
    assert bitsep.log2_regret(n, k) == pytest.approx(twins.log2_regret_precise(n, k), rel=1e-12)


@pytest.mark.parametrize(
    ("n", "k"),
    [(5, 10**12), (500, 10**12), (10**4, 10**5), (10**5, 10**5), (10**5, 10**9), (10**5, 10**12), (9_999, 10**6)],
)
def test_large_domains_while_the_smaller_of_n_and_k_is_moderate(n: int, k: int) -> None:
    assert bitsep.log2_regret(n, k) == pytest.approx(twins.log2_regret_precise(n, k), rel=1e-12)


@pytest.mark.parametrize(
    ("n", "k"),
    [
        (100_000, 150_000),
        (100_001, 150_000),
        (2 * 10**5, 10**9),
        (3 * 10**5, 10**12),
        (10**6, 2 * 10**5),
        (10**6, 10**6),
    ],
)
def test_documented_error_where_n_and_k_are_both_huge(n: int, k: int) -> None:
    # Both sides of the seam at min(n, k) = 100,000; the docstring promises 1e-8 bits beyond it.
    assert bitsep.log2_regret(n, k) == pytest.approx(twins.log2_regret_precise(n, k), abs=1e-8, rel=0)


@pytest.mark.parametrize(
    ("n", "k", "log2"),
    [
        (10**12, 150_000, 1808358.293589294220974),
        (10**15, 100_001, 1733098.780391285270022),
        (3_870_280_929_771_521, 143_360, 2587255.831688468469101),
    ],
)
def test_many_more_rows_than_levels(n: int, k: int, log2: float) -> None:
    """Values of the recurrence in k, in 50 digits (mpmath 1.4), from the asymptotic series of C(n, 2)."""
    assert bitsep.log2_regret(n, k) == pytest.approx(log2, abs=1e-8, rel=0)


def test_linear_domain_would_overflow_here() -> None:
    assert bitsep.log2_regret(707, 1_000) == pytest.approx(twins.log2_regret(707, 1_000), rel=1e-12)
    assert bitsep.log2_regret(62_000_000, 100) > 1_000


@given(sizes, domains)
@thorough
def test_equals_the_textbook_twin(n: int, k: int) -> None:
    assert bitsep.log2_regret(n, k) == pytest.approx(twins.log2_regret(n, k), rel=1e-12)


@given(st.integers(0, 10**9), st.integers(1, 10**12))
@thorough
def test_regret_is_one_without_rows_or_without_choice(n: int, k: int) -> None:
    assert bitsep.log2_regret(0, k) == 0.0
    assert bitsep.log2_regret(n, 1) == 0.0


@given(st.integers(1, 10**12))
@thorough
def test_regret_of_one_row_is_the_domain_size(k: int) -> None:
    assert bitsep.log2_regret(1, k) == pytest.approx(math.log2(k), rel=1e-13)


@given(st.integers(1, 10**6))
@thorough
def test_regret_of_two_rows_is_not_what_the_paper_prints(k: int) -> None:
    # The proof of lemma 1 prints C(2, L) = L + L(L-1)/2; the definition gives L + L(L-1)/4.
    assert bitsep.log2_regret(2, k) == pytest.approx(math.log2(k + k * (k - 1) / 4), rel=1e-13)


@given(st.integers(1, 3_000), st.integers(2, 500))
@thorough
def test_log_concave_in_n(n: int, k: int) -> None:
    before, here, after = (bitsep.log2_regret(m, k) for m in (n - 1, n, n + 1))
    assert 2 * here - before - after >= -1e-12 * here


@given(st.integers(0, 2_000), st.integers(0, 2_000), st.integers(1, 300))
@thorough
def test_subadditive_in_n(m: int, n: int, k: int) -> None:
    together = bitsep.log2_regret(m + n, k)
    assert together <= (bitsep.log2_regret(m, k) + bitsep.log2_regret(n, k)) * (1 + 1e-12)


@given(st.integers(1, 5_000), st.integers(2, 3_000))
@thorough
def test_monotone_in_n_and_k(n: int, k: int) -> None:
    assert bitsep.log2_regret(n, k) < bitsep.log2_regret(n + 1, k)
    assert bitsep.log2_regret(n, k) < bitsep.log2_regret(n, k + 1)


@given(st.integers(1, 2_000), st.integers(1, 30), st.integers(1, 30), st.integers(1, 30))
@thorough
def test_theorem_for_qnml(n: int, k: int, p: int, q: int) -> None:
    # Theorem 6 (appendix): P_q(X | Z) <= P_q(X | Z, Y) with |X| = k, |Y| = p, |Z| = q.
    def penalty(size: int) -> float:
        return bitsep.log2_regret(n, k * size) - bitsep.log2_regret(n, size)

    assert penalty(q) <= penalty(p * q) + 1e-9


@pytest.mark.parametrize("k", [2, 4, 100, 1_000, 10_000, 10**5, 10**6])
def test_smooth_where_the_method_of_computation_changes(k: int) -> None:
    # A seam between two ways to compute would show as a jump in the second difference.
    for center in (20, 100, 1_000, 10_000, 65_536, 100_000):
        values = [twins.log2_regret(n, k) - bitsep.log2_regret(n, k) for n in range(center - 2, center + 3)]
        assert max(map(abs, values)) <= 1e-12 * max(1.0, bitsep.log2_regret(center, k))


def test_vectorised_over_arrays() -> None:
    n = np.array([0, 1, 2, 30, 1_000])
    k = np.array([[1], [2], [3], [700]])
    found = bitsep.log2_regret(n, k)
    assert found.shape == (4, 5)
    for row, domain in enumerate(k[:, 0]):
        for column, size in enumerate(n):
            assert found[row, column] == bitsep.log2_regret(int(size), int(domain))


@pytest.mark.parametrize(("n", "k", "argument"), [(-1, 2, "n"), (3, 0, "k"), (3, -5, "k")])
def test_refuses_sizes_that_make_no_sense(n: int, k: int, argument: str) -> None:
    with pytest.raises(ValueError, match=rf"\b{argument}\b") as caught:
        bitsep.log2_regret(n, k)
    assert isinstance(caught.value, bitsep.BitsepError)


def test_one_number_is_a_float_and_an_array_keeps_its_shape() -> None:
    assert type(bitsep.log2_regret(2, 2)) is float
    for shape in ((1,), (3,), (1, 1), (0,), (2, 0)):
        assert np.shape(bitsep.log2_regret(np.full(shape, 2), 2)) == shape


@pytest.mark.parametrize("two", [2.0, np.float32(2), Fraction(2), Decimal(2), np.uint8(2), [2, Fraction(2)], [2.0, 2]])
def test_whole_numbers_of_every_type(two: Any) -> None:
    assert bitsep.log2_regret(two, 2) == pytest.approx(math.log2(2.5), rel=1e-13)
    assert bitsep.log2_regret(2, two) == pytest.approx(math.log2(2.5), rel=1e-13)


@pytest.mark.parametrize("number", [1.5, [2, 2.5], Fraction(3, 2), None, "2", math.nan, [2, None], 1j])
def test_refuses_what_is_not_a_whole_number(number: Any) -> None:
    with pytest.raises(bitsep.BitsepError, match="n: must be integers, got"):
        bitsep.log2_regret(number, 2)
    with pytest.raises(bitsep.BitsepError, match="k: must be integers, got"):
        bitsep.log2_regret(2, number)


def test_the_largest_numbers() -> None:
    assert bitsep.log2_regret(1, 2**53) == 53
    assert bitsep.log2_regret(2**53, 2) > bitsep.log2_regret(2**52, 2)
    for n, k in ((2**53 + 1, 2), (2, 2**53 + 1), (2**70, 2), (2, 2**70)):
        with pytest.raises(bitsep.BitsepError, match=r"must lie between . and 2\^53, got"):
            bitsep.log2_regret(n, k)
