"""Measure `bitsep.check`: how often true graphs pass, and how often changed graphs are told apart.

python -m accuracy.checks                                     # the bundled networks, 500, 2,000 and 10,000 rows
python -m accuracy.checks --networks asia --rows 500 --samples 20 --changed 20

For each sample the true graph is checked: the share that fits (p > .05), the share with uniform p-values (p > .05), and
the share of its edges that no test supports. Then, for some of the samples, the true graph with one random change: an
edge removed, or reversed so that the v-structures change (in both cases the share that does not fit), or an edge added
between two variables (the share in which no test supports it).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

import numpy as np

import bitsep
from bitsep import DAG, BitsepError, Network, Table

Change = Callable[[DAG, np.random.Generator], DAG | None]


def removed(dag: DAG, rng: np.random.Generator) -> DAG | None:
    """The graph without a random edge."""
    edges = sorted(dag.edges)
    del edges[rng.integers(len(edges))]
    return DAG(dag.variables, edges)


def reversed_(dag: DAG, rng: np.random.Generator) -> DAG | None:
    """The graph with a random edge reversed, so that it implies other independences; None if no edge allows it."""
    edges, cpdag = sorted(dag.edges), dag.cpdag()
    for i in rng.permutation(len(edges)):
        changed = _acyclic(dag, [*edges[:i], *edges[i + 1 :], edges[i][::-1]])
        if changed is not None and changed.cpdag() != cpdag:
            return changed
    return None


def added(dag: DAG, rng: np.random.Generator) -> DAG | None:
    """The graph with a random edge more, in a random direction that makes no cycle."""
    pairs = [(a, b) for a in dag.variables for b in dag.variables if a != b and not dag.adjacent(a, b)]
    for i in rng.permutation(len(pairs)):
        changed = _acyclic(dag, [*dag.edges, pairs[i]])
        if changed is not None:
            return changed
    return None


def _acyclic(dag: DAG, edges: Sequence[tuple[object, object]]) -> DAG | None:
    try:
        return DAG(dag.variables, edges)
    except BitsepError:
        return None


def cell(network: Network, rows: int, samples: int, changed: int, method: str) -> list[float]:
    """The six shares of one network and size; NaN where there is none."""
    fits: list[float] = []
    uniform: list[float] = []
    unsupported: list[float] = []
    found: dict[Change, list[float]] = {removed: [], reversed_: [], added: []}
    for seed in range(samples):
        table = Table(network.sample(rows, seed=seed))
        result = bitsep.check(network, table, method)
        fits.append(result.fits)
        uniform.append(result.uniformity_p_value > result.alpha)
        unsupported.append(len(result.unsupported) / len(result.edges))
        if seed >= changed:
            continue
        for change, shares in found.items():
            graph = change(network.dag, np.random.default_rng(seed))
            if graph is None:
                continue
            other = bitsep.check(graph, table, method)
            if change is added:
                [new] = graph.edges - network.edges
                shares.append(any((edge.a, edge.b) == new for edge in other.unsupported))
            else:
                shares.append(not other.fits)
    columns = [fits, uniform, unsupported, *found.values()]
    return [float(np.mean(shares)) if shares else float("nan") for shares in columns]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--networks", nargs="+", default=list(bitsep.network_names()), metavar="NETWORK")
    parser.add_argument("--rows", nargs="+", type=int, default=[500, 2_000, 10_000], metavar="N")
    parser.add_argument("--samples", type=int, default=200, metavar="N", help="samples of each network and size")
    parser.add_argument("--changed", type=int, default=50, metavar="N", help="those with a changed graph")
    parser.add_argument("--method", default="x2_calibrated", metavar="TEST")
    asked = parser.parse_args(arguments)
    print(
        "| network | rows | true graph fits | uniform p-values | edges without support | removed | reversed | added |"
    )
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |", flush=True)
    cells: dict[int, list[list[float]]] = {rows: [] for rows in asked.rows}
    for name in asked.networks:
        for rows, found in cells.items():
            found.append(cell(bitsep.load_network(name), rows, asked.samples, asked.changed, asked.method))
            _print_line(name, f"{rows:,}", found[-1])
    for rows, found in cells.items():
        _print_line("mean", f"{rows:,}", np.nanmean(found, axis=0).tolist())
    _print_line("mean", "all", np.nanmean(np.concatenate(list(cells.values())), axis=0).tolist())
    return 0


def _print_line(name: str, rows: str, shares: Sequence[float]) -> None:
    print(f"| {name} | {rows} | {' | '.join('' if np.isnan(s) else f'{s:.1%}' for s in shares)} |", flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
