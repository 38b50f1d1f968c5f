"""The native chi-square distribution against SciPy's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2

from bitsep import _native

DEGREES = np.array([1, 2, 3, 4, 5, 8, 16, 50, 144, 1000, 12345, 1e6])


@pytest.mark.parametrize("share", [0.01, 0.3, 0.9, 1.0, 1.1, 1.5, 3.0])
def test_tail(share):
    x = DEGREES * share
    ours, theirs = _native.chi_square_tail(x, DEGREES), chi2.sf(x, DEGREES)
    np.testing.assert_allclose(ours, theirs, rtol=1e-10, atol=1e-290)


@pytest.mark.parametrize("alpha", [1e-12, 1e-3, 0.01, 0.05, 0.5, 0.9, 0.999])
def test_quantile(alpha):
    ours = _native.chi_square_quantile(np.full(len(DEGREES), alpha), DEGREES)
    np.testing.assert_allclose(ours, chi2.isf(alpha, DEGREES), rtol=1e-12)


def test_no_degrees_of_freedom():
    assert _native.chi_square_tail(np.array([0.0]), np.array([0.0]))[0] == 1.0
    assert _native.chi_square_quantile(np.array([0.05]), np.array([0.0]))[0] == 0.0
