"""Compare estimates of conditional probabilities by the code length of other rows.

python -m accuracy.estimates                        # the bundled networks, 500, 2,000 and 10,000 rows, 5 samples
python -m accuracy.estimates --networks asia child --rows 500 --samples 2 --all

Every estimate is made for the true graph and for the graph that `bitsep.discover` finds in the sample. The figures are
bits per row, on rows that were not used, beyond those of the true network with its own probabilities: the lower, the
better. They are means over networks and samples; the last line has the geometric mean of the ratios to `prior=1`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

import bitsep
from bitsep import DAG, Network, Table

Counts = npt.NDArray[np.float64]
Codes = dict[Any, npt.NDArray[np.signedinteger[Any]]]

OTHER_ROWS = 20_000
SEED_OF_OTHER_ROWS = 1_000_000


def per_cell(counts: Counts) -> Counts:
    """One row more in every cell."""
    return counts + 1


def per_table(counts: Counts) -> Counts:
    """One row more in the whole table, spread evenly over its cells, as in the BDeu score."""
    return counts + 1 / counts.size


def predictive_nml(counts: Counts) -> Counts:
    """Sequential normalized maximum likelihood: (N + 1) (1 + 1 / N)^N."""
    return (counts + 1) * (1 + 1 / np.maximum(counts, 1)) ** counts


def to_margin(counts: Counts) -> Counts:
    """One row more in every stratum, spread over the levels like all rows (with half a row more in each level)."""
    margin: Counts = counts.sum(axis=0) + 0.5
    return counts + margin / float(margin.sum())


PRIORS = (1.0, 0.5, 2.0)
OTHERS: dict[str, Callable[[Counts], Counts]] = {
    "1 per cell": per_cell,
    "1 per table": per_table,
    "predictive NML": predictive_nml,
    "1 per stratum, to margin": to_margin,
}
COLUMNS = (*(f"`prior={prior:g}`" for prior in PRIORS), *OTHERS)


def excess_bits(network: Network, dag: DAG, rows: int, seed: int, other: Table, other_codes: Codes) -> list[float]:
    """The excess of each estimate, in the order of `COLUMNS`."""
    levels = {name: network.levels(name) for name in network.variables}
    sample = Table(network.sample(rows, seed=seed))
    bits = [-Network.fit(dag, sample, prior, levels=levels).log2_likelihood(other) for prior in PRIORS]
    codes = network.sample_codes(rows, seed=seed)
    families = [_family(network, dag, name, codes, other_codes) for name in network.variables]
    bits += [
        sum(_length(estimate(counts), to_encode) for counts, to_encode in families) for estimate in OTHERS.values()
    ]
    shortest = -network.log2_likelihood(other)
    return [(length - shortest) / OTHER_ROWS for length in bits]


def _family(network: Network, dag: DAG, name: Any, *samples: Codes) -> list[Counts]:
    """The counts of a variable in the strata of its parents, for each sample."""
    parts = (*dag.parents(name), name)
    sizes = [len(network.levels(part)) for part in parts]
    cells = [np.ravel_multi_index([codes[part] for part in parts], sizes) for codes in samples]
    return [np.bincount(some, minlength=int(np.prod(sizes))).reshape(-1, sizes[-1]).astype(float) for some in cells]


def _length(weights: Counts, counts: Counts) -> float:
    shares = weights / weights.sum(axis=1, keepdims=True)
    occurs = counts > 0
    return float(-(counts[occurs] * np.log2(shares[occurs])).sum())


def _found(network: Network, rows: int, seed: int) -> DAG:
    """The DAG that the recommended search finds; variables that it leaves out have no edges."""
    return DAG(network.variables, bitsep.discover(network.sample(rows, seed=seed)).to_dag().edges)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--networks", nargs="+", default=list(bitsep.network_names()), metavar="NETWORK")
    parser.add_argument("--rows", nargs="+", type=int, default=[500, 2_000, 10_000], metavar="N")
    parser.add_argument("--samples", type=int, default=5, metavar="N")
    parser.add_argument("--all", action="store_true", help="also print a line per network")
    asked = parser.parse_args(arguments)
    print(f"| graph | rows | {' | '.join(COLUMNS)} |\n| --- | ---: |{' ---: |' * len(COLUMNS)}", flush=True)
    ratios = []
    for graph in ("true", "found"):
        for rows in asked.rows:
            means = []
            for name in asked.networks:
                network = bitsep.load_network(name)
                other = Table(network.sample(OTHER_ROWS, seed=SEED_OF_OTHER_ROWS))
                other_codes = network.sample_codes(OTHER_ROWS, seed=SEED_OF_OTHER_ROWS)
                results = []
                for seed in range(asked.samples):
                    dag = network.dag if graph == "true" else _found(network, rows, seed)
                    results.append(excess_bits(network, dag, rows, seed, other, other_codes))
                means.append(np.mean(results, axis=0))
                if asked.all:
                    _print_line(f"{graph}, {name}", f"{rows:,}", means[-1])
            _print_line(graph, f"{rows:,}", np.mean(means, axis=0))
            ratios += [mean / mean[0] for mean in means]
    _print_line("ratio", "", np.exp(np.mean(np.log(ratios), axis=0)))
    return 0


def _print_line(graph: str, rows: str, figures: npt.NDArray[np.float64]) -> None:
    print(f"| {graph} | {rows} | {' | '.join(f'{figure:.3f}' for figure in figures)} |", flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
