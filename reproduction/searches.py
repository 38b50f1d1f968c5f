"""How many rows it takes until an estimate of zero is close to zero, most of the time (paper, Sec. 4.4 and B.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import numpy as np

from bitsep.independence.engine import Queries
from reproduction.draws import Codes, independent_uniform
from reproduction.trials import Trial, queries

Domain = tuple[int, int, int]
Draw = Callable[[int], Iterator[tuple[Codes, Codes, Codes]]]


@cache
def x_y_given_z() -> Queries:
    return queries([(0, 1, [2])])


def estimate(statistic: str, columns: tuple[Codes, Codes, Codes]) -> float:
    """SCI_f cut at 0, or the plug-in CMI; in bits per row."""
    record = Trial(columns).ask("sci_f", x_y_given_z())[0]
    bits = max(record["score_bits"], 0.0) if statistic == "sci_f" else record["information_bits"]
    return float(bits) / len(columns[0])


def fresh(rng: np.random.Generator, domain: Domain, sets: int) -> Draw:
    """New data sets for every number of rows."""

    def draw(n: int) -> Iterator[tuple[Codes, Codes, Codes]]:
        return (independent_uniform(rng, n, *domain) for _ in range(sets))

    return draw


def nested(rng: np.random.Generator, domain: Domain, sets: int) -> Draw:
    """The same data sets for every number of rows, each grown by new rows."""
    grown: list[tuple[Codes, Codes, Codes]] = []

    def draw(n: int) -> Iterator[tuple[Codes, Codes, Codes]]:
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
        exceeding = 0
        for columns in draw(n):
            exceeding += estimate(statistic, columns) >= epsilon
            if exceeding > allowed:  # more data sets cannot change the answer
                break
        else:
            return n
        n += min(domain)
