"""How many rows it takes until an estimate of zero is close to zero, most of the time (paper, Sec. 4.4 and B.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

import numpy as np

import bitsep
from reproduction.draws import Codes, independent_uniform
from reproduction.trials import Trials

Domain = tuple[int, int, int]
DataSet = tuple[Codes, Codes, Codes]
Draw = Callable[[int], Iterator[DataSet]]


def x_y_given_z(data_sets: Sequence[DataSet]) -> list[bitsep.IndependenceResult]:
    """SCI_f of each data set (x, y, z)."""
    return [result for [result] in Trials(data_sets).ask("sci_f", [(0, 1, [2])])]


def estimate(statistic: str, result: bitsep.IndependenceResult) -> float:
    """SCI_f cut at 0, or the plug-in CMI; in bits per row."""
    return max(result.score_bits, 0.0) / result.n if statistic == "sci_f" else result.cmi_bits


def fresh(rng: np.random.Generator, domain: Domain, sets: int) -> Draw:
    """New data sets for every number of rows."""

    def draw(n: int) -> Iterator[DataSet]:
        return (independent_uniform(rng, n, *domain) for _ in range(sets))

    return draw


def nested(rng: np.random.Generator, domain: Domain, sets: int) -> Draw:
    """The same data sets for every number of rows, each grown by new rows."""
    grown: list[DataSet] = []

    def draw(n: int) -> Iterator[DataSet]:
        if not grown or len(grown[0][0]) < n:
            rows = 2 * n if not grown else n
            more = [independent_uniform(rng, rows, *domain) for _ in range(sets)]
            old = list(grown) or [(x[:0], y[:0], z[:0]) for x, y, z in more]
            grown[:] = [
                (np.append(a[0], b[0]), np.append(a[1], b[1]), np.append(a[2], b[2]))
                for a, b in zip(old, more, strict=True)
            ]
        return ((x[:n], y[:n], z[:n]) for x, y, z in grown)

    return draw


def first_rows(draw: Draw, domain: Domain, statistic: str, epsilon: float, delta: float, sets: int) -> int:
    """The first n at which a share of at most `delta` of the data sets has an estimate of `epsilon` or more.

    n grows by the smallest domain size, as in the paper. It starts at an eighth of all combinations and not below 4:
    at 2 rows nearly every estimate is 0 because nothing can be seen yet, and the search would sometimes end there.
    """
    n = max(4, domain[0] * domain[1] * domain[2] // 8)
    allowed = int(delta * sets)
    while True:
        data_sets, exceeding = draw(n), 0
        # More data sets than these cannot change the answer, and drawing them would change the random numbers.
        while exceeding <= allowed and (batch := list(islice(data_sets, allowed + 1 - exceeding))):
            exceeding += sum(estimate(statistic, result) >= epsilon for result in x_y_given_z(batch))
        if exceeding <= allowed:
            return n
        n += min(domain)
