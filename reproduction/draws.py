"""The paper's synthetic data, column by column."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.signedinteger[Any]]
Generator = np.random.Generator

DISTRIBUTIONS = ("uniform", "geometric", "hypergeometric", "poisson")


def noisy(rng: Generator, codes: Codes, levels: int, noise: float) -> Codes:
    """Each entry replaced by a uniform draw with probability `noise`."""
    return np.where(rng.random(len(codes)) < noise, rng.integers(0, levels, len(codes)), codes)


def d_separation(rng: Generator, n: int, levels: int, noise: float) -> tuple[Codes, Codes, Codes, Codes]:
    """F → D, F → E, (D, E) → T by random functions, with noise on D, E and T (paper, Fig. 1 and Sec. 5.1)."""
    of_d, of_e = rng.integers(0, levels, (2, levels))
    of_t = rng.integers(0, levels, levels * levels)
    f = rng.integers(0, levels, n)
    d = noisy(rng, of_d[f], levels, noise)
    e = noisy(rng, of_e[f], levels, noise)
    t = noisy(rng, of_t[d * levels + e], levels, noise)
    return f, d, e, t


def independent_uniform(rng: Generator, n: int, kx: int, ky: int, kz: int) -> tuple[Codes, Codes, Codes]:
    """X, Y and Z uniform over all combinations (paper, Sec. 4.4)."""
    cell = rng.integers(0, kx * ky * kz, n)
    xy, z = np.divmod(cell, kz)
    x, y = np.divmod(xy, ky)
    return x, y, z


def cause(rng: Generator, n: int, distribution: str) -> Codes:
    """A variable as appendix B.2 draws its parents."""
    if distribution == "uniform":
        return rng.integers(0, rng.integers(2, 6), n)
    if distribution == "geometric":
        return rng.geometric(rng.uniform(0.6, 0.8), n) - 1
    if distribution == "hypergeometric":
        successes = int(rng.integers(4, 7))
        return rng.hypergeometric(successes, 10 - successes, 4, n)
    return rng.poisson(rng.uniform(1, 2), n)


def effect(rng: Generator, causes: list[Codes], noise: float) -> Codes:
    """A random function of the causes onto 2 to 5 levels, with noise."""
    levels = int(rng.integers(2, 6))
    cell = np.zeros(len(causes[0]), dtype=np.int64)
    for column in causes:
        cell = cell * (int(column.max()) + 1) + column
    _, cell = np.unique(cell, return_inverse=True)
    function = rng.integers(0, levels, int(cell.max()) + 1)
    return noisy(rng, function[cell], levels, noise)
