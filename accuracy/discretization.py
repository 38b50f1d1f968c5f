"""How well graphs are found after discretization, by method: ``python -m accuracy.discretization``.

Each world draws a table with numeric columns from a known DAG: random DAGs with linear, nonlinear, skewed or partly
discrete variables, and bundled networks in which half of the variables are replaced by their number plus normal noise.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import lgamma, log
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

import bitsep
from accuracy.statistics import Mean
from bitsep import DAG

Floats = npt.NDArray[np.float64]
World = Callable[[np.random.Generator, int], tuple[pd.DataFrame, DAG]]
Method = Callable[[pd.DataFrame], Any]
"""Returns what `bitsep.discretize` returns."""

STARTS = 8  # local searches of boss, fewer than by default, so that the measurement takes minutes
SIZES = (200, 1_000, 5_000)
SAMPLES = 10
_VARIABLES, _EDGES = 12, 16
_BINS = (2, 3, 4, 5, 6, 8)
_CELLS, _MAX_BINS = 40, 12  # of histograms: the grid of possible cut points, and the largest number of intervals


def random_table(
    rng: np.random.Generator, rows: int, shape: str = "linear", discrete: float = 0.0
) -> tuple[pd.DataFrame, DAG]:
    """A sample of a random DAG, each variable a sum of functions of its parents and of noise.

    Parameters
    ----------
    rng : Generator
        The source of random numbers.
    rows : int
        The number of rows.
    shape : {"linear", "nonlinear", "skewed"}
        The functions: linear; linear, quadratic or sine; linear, with exponential noise, of which the table has the
        exponentials.
    discrete : float
        The share of variables that are divided at two to four random values, as in nature, not by a method.
    """
    order = rng.permutation(_VARIABLES)
    pairs = [(order[i], order[j]) for i in range(_VARIABLES) for j in range(i + 1, _VARIABLES)]
    edges = [pairs[i] for i in rng.choice(len(pairs), _EDGES, replace=False)]
    is_discrete = rng.random(_VARIABLES) < discrete
    columns: dict[int, npt.NDArray[np.generic]] = {}
    for v in order:
        total = np.zeros(rows)
        for parent in (a for a, b in edges if b == v):
            x = columns[parent].astype(float)
            x = (x - x.mean()) / (x.std() + 1e-9)
            if shape == "nonlinear":
                x = (x, (x**2 - 1) / 1.4, np.sin(2 * x) * 1.4)[rng.integers(3)]
            total += rng.uniform(0.5, 1.2) * rng.choice([-1, 1]) * x
        value = total + (rng.exponential(size=rows) - 1 if shape == "skewed" else rng.normal(size=rows))
        if is_discrete[v]:
            middle = np.sort(value)[rows // 10 : -rows // 10]
            cuts = np.sort(rng.choice(middle, rng.integers(1, 4), replace=False))
            columns[v] = np.searchsorted(cuts, value)
        else:
            columns[v] = value
    frame = pd.DataFrame({f"x{v}": columns[v] for v in range(_VARIABLES)})
    if shape == "skewed":
        frame = pd.DataFrame(np.exp(frame / frame.std()))
    return frame, DAG(list(frame), [(f"x{a}", f"x{b}") for a, b in edges])


def noisy_network(rng: np.random.Generator, rows: int, name: str, noise: float) -> tuple[pd.DataFrame, DAG]:
    """A sample of a network with half of its variables as numbers: that of the level plus normal noise."""
    network = bitsep.load_network(name)
    frame = network.sample(rows, seed=int(rng.integers(2**31)))
    for column in frame:
        codes = frame[column].astype("category").cat.codes
        frame[column] = codes + rng.normal(size=rows) * noise if rng.random() < 0.5 else codes
    return frame, network.dag


WORLDS: dict[str, World] = {
    "linear": random_table,
    "nonlinear": partial(random_table, shape="nonlinear"),
    "skewed": partial(random_table, shape="skewed"),
    "mixed": partial(random_table, discrete=0.5),
    **{
        f"{name}, noise {noise}": partial(noisy_network, name=name, noise=noise)
        for name in ("sachs", "child")
        for noise in (0.2, 0.5)
    },
}


def by_text(text: str) -> Method:
    """A method of `bitsep.discretize`, for all columns with fractional numbers."""
    return lambda frame: bitsep.discretize(frame, dict.fromkeys(numeric(frame), text))


def numeric(frame: pd.DataFrame) -> list[str]:
    """The columns with fractional numbers."""
    return [str(name) for name in frame if frame[name].dtype == float]


def by_description_length(frame: pd.DataFrame) -> Any:
    """Intervals of equal frequency, as many as give the shortest description of the data by the graph found.

    Numbers of intervals are comparable because the order of the rows within each interval is described as well: m rows
    have m! orders, so a column that is independent of all others has about the same length with every number.
    """
    names = numeric(frame)

    def length(data: Any) -> float:
        found = bitsep.hill_climb(data, threads=1)
        counts = np.concatenate([data.level_counts(name) for name in names] or [np.zeros(0)])
        return bitsep.score(data, found.to_dag(), threads=1).total_bits + sum(lgamma(m + 1) / log(2) for m in counts)

    return min((by_text(f"equal-frequency:{bins}")(frame) for bins in _BINS), key=length)


def by_histogram(frame: pd.DataFrame) -> Any:
    """For each column the histogram with the shortest description of its values, with intervals of any width."""
    cuts = {name: histogram_cuts(frame[name].to_numpy()) or "equal-frequency:2" for name in numeric(frame)}
    return bitsep.discretize(frame, cuts)


def histogram_cuts(values: Floats) -> list[float]:
    """The cut points of the best histogram on a grid of 40 cells: n log2 (n w / m) bits for each interval of m rows and
    width w, half of log2 n for each probability, and log2 40 for each cut point.

    >>> [round(cut, 2) for cut in histogram_cuts(np.concatenate([np.linspace(0, 1, 300), np.linspace(3, 4, 300)]))]
    [1.0, 3.0]
    """
    n = len(values)
    grid = np.linspace(values.min(), values.max(), _CELLS + 1)
    below = np.append(0, np.searchsorted(np.sort(values), grid[1:], side="right"))
    rows = below[None, :] - below[:, None]
    width = np.arange(_CELLS + 1)[None, :] - np.arange(_CELLS + 1)[:, None]
    used = np.maximum(rows, 1)
    bits = np.where(width > 0, -rows * np.log2(used / n / np.maximum(width, 1)), np.inf)
    # The best division of the first j cells into k intervals, for increasing k.
    best, divisions = bits[0], [[0] * (_CELLS + 1)]
    found: list[tuple[float, list[int]]] = [(float(best[-1]), [])]
    for k in range(2, _MAX_BINS + 1):
        candidates = best[:, None] + bits
        divisions.append(np.argmin(candidates, axis=0).tolist())
        best = np.min(candidates, axis=0)
        places = [_CELLS]
        for division in reversed(divisions[1:]):
            places.append(division[places[-1]])
        found.append((float(best[-1]) + (k - 1) * (log(_CELLS, 2) + log(n, 2) / 2), places[1:]))
    _, places = min(found, key=lambda one: one[0])
    return [float(grid[place]) for place in sorted(set(places) - {0})]


METHODS: dict[str, Method] = {
    "auto": by_text("auto"),
    **{f"equal-frequency:{bins}": by_text(f"equal-frequency:{bins}") for bins in (2, 3, 4, 5, 6)},
    "equal-width:5": by_text("equal-width:5"),
    "histogram": by_histogram,
    "description length": by_description_length,
}


def measure(world: str, rows: int, samples: int, methods: Sequence[str]) -> dict[str, tuple[Mean, Mean]]:
    """The mean skeleton F1 and SHD of each method over samples that are the same for all."""
    figures: dict[str, list[tuple[float, float]]] = {method: [] for method in methods}
    for sample in range(samples):
        frame, truth = WORLDS[world](np.random.default_rng([sample, rows, *world.encode()]), rows)
        for method, found in figures.items():
            comparison = bitsep.boss(METHODS[method](frame), threads=1, starts=STARTS).compare(truth)
            found.append((comparison.f1, comparison.shd))
    return {
        method: (Mean.of([f1 for f1, _ in found]), Mean.of([shd for _, shd in found]))
        for method, found in figures.items()
    }


def table(sizes: Sequence[int], samples: int, worlds: Sequence[str], methods: Sequence[str]) -> Iterator[str]:
    """The lines of a table of Markdown, with the means over all worlds for each number of rows."""
    yield f"| world | rows | {' | '.join(methods)} |"
    yield f"| --- | ---: | {' | '.join('---:' for _ in methods)} |"
    for rows in sizes:
        cells = {}
        for world in worlds:
            cells[world] = measure(world, rows, samples, methods)
            yield _line(world, rows, list(cells[world].values()))
        sums = [[Mean.sum_of(cells[world][method][i] for world in worlds) for i in (0, 1)] for method in methods]
        yield _line("**mean**", rows, [(_scaled(f1, worlds), _scaled(shd, worlds)) for f1, shd in sums])


def _scaled(total: Mean, worlds: Sequence[str]) -> Mean:
    return Mean(total.value / len(worlds), total.error / len(worlds), total.count)


def _line(world: str, rows: int, means: Sequence[tuple[Mean, Mean]]) -> str:
    cells = (f"{f1.value:.2f} ± {f1.error:.2f}, {shd.value:.1f} ± {shd.error:.1f}" for f1, shd in means)
    return f"| {world} | {rows:,} | {' | '.join(cells)} |"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m accuracy.discretization", description=__doc__)
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES, help="numbers of rows")
    parser.add_argument("--samples", type=int, default=SAMPLES, help="samples of each world and size")
    parser.add_argument("--worlds", nargs="+", choices=WORLDS, default=list(WORLDS))
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    options = parser.parse_args(arguments)
    for line in table(options.sizes, options.samples, options.worlds, options.methods):
        print(line, flush=True)


if __name__ == "__main__":
    main()
