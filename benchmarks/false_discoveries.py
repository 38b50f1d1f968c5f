"""The share of false edges that PC-stable finds with a false discovery rate, and with a significance level.

Usage: python -m benchmarks.false_discoveries [--samples N]     prints the table of docs/one-test.md in some minutes

Samples of bundled networks; an edge is false if the network has none between the two variables. The share of an empty
graph is 0.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

import numpy as np

import bitsep

NETWORKS = ("asia", "child", "insurance", "alarm", "hepar2")
ROWS = (500, 2000, 10_000)
SETTINGS: tuple[Mapping[str, Any], ...] = ({"alpha": 0.05}, {"fdr": 0.05}, {"fdr": 0.2})
METHOD = "x2_calibrated"
SAMPLES = 50


def shares(network: bitsep.Network, rows: int, samples: int, settings: Mapping[str, Any]) -> tuple[float, float]:
    """The mean share of false edges, and of true edges found."""
    truth = {frozenset(edge) for edge in network.edges}
    false, found = [], []
    for seed in range(samples):
        edges = bitsep.pc_stable(network.sample(rows, seed=seed), METHOD, orientation="standard", **settings).skeleton
        false.append(len(edges - truth) / max(1, len(edges)))
        found.append(len(edges & truth) / len(truth))
    return float(np.mean(false)), float(np.mean(found))


def main() -> None:
    parser = argparse.ArgumentParser(description="The share of false edges of PC-stable.")
    parser.add_argument("--samples", type=int, default=SAMPLES, help=f"samples per cell (default {SAMPLES})")
    samples = parser.parse_args().samples
    titles = [f"`{name}={value:g}`" for setting in SETTINGS for name, value in setting.items()]
    print(f"| network | rows | {' | '.join(titles)} |")
    print("| --- | --- |" + " --- |" * len(titles))
    for name in NETWORKS:
        network = bitsep.load_network(name)
        for rows in ROWS:
            cells = [shares(network, rows, samples, settings) for settings in SETTINGS]
            line = " | ".join(f"{false:.1%} ({found:.0%})" for false, found in cells)
            print(f"| {name} | {rows:,} | {line} |", flush=True)


if __name__ == "__main__":
    main()
