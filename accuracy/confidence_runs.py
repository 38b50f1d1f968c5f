"""Run searches with bootstrap samples on samples of known networks, and keep the support of every pair.

python -m accuracy.confidence_runs                   # the default and PC-stable, 20 samples of each network and size
python -m accuracy.confidence_runs --searches hill_climb --samples 3
python -m accuracy.confidence_runs --networks "sparse asia" "independent asia" --samples 3
python -m accuracy.confidence_runs --networks asia --rows 100 --samples 4

Each run is one line of accuracy/results/confidence.jsonl.gz, written at once: a command that was stopped continues
where it was. `accuracy.confidence` reads them.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import bitsep
from accuracy.samples import Sample, draw
from accuracy.searches import parse
from bitsep import DAG, PDAG, Discovery

RESULTS = Path(__file__).parent / "results" / "confidence.jsonl.gz"

SEARCHES = ("discover", "pc_stable")
HELD_OUT = ("barley", "mildew", "water")
"""Networks that the package does not bundle."""
COPIES = {"sparse": 3, "independent": 1}
"""Tables with few edges, or none: how often they have a permuted copy of each column of a network."""
FEW_EDGES = tuple(f"{kind} {name}" for kind in COPIES for name in ("asia", "cancer", "child", "sachs"))
SIZES = (500, 2_000, 10_000)
SAMPLES = 20
BOOTSTRAP = 100

NONE, FORWARD, BACKWARD, UNDIRECTED = range(4)
"""The mark of a pair in a graph."""

_LOWEST_BITS = -40


def run(search: str, network: str, rows: int, sample: int) -> dict[str, Any]:
    """Search one sample.

    `pairs` has a line for each pair with support, with an edge, or with an edge in the truth: both numbers, the numbers
    of bootstrap samples with the edge, with each direction, the mark in the graph, the mark in the true CPDAG, and the
    bits of the edge (negative: by which it falls short). `others` counts the other pairs by their bits, rounded down.
    """
    drawn = draw_any(network, rows, sample)
    table = bitsep.Table(drawn.frame)
    parsed = parse(search)
    begin = time.process_time()
    found = getattr(bitsep, parsed.function)(table, bootstrap=BOOTSTRAP, seed=sample, threads=1, **parsed.options)
    seconds = time.process_time() - begin
    truth = drawn.truth.cpdag()
    pairs: list[list[int | float | None]] = []
    others: dict[int, int] = {}
    names = found.variables
    for i, a in enumerate(names):
        for j in range(i + 1, len(names)):
            b = names[j]
            pair = frozenset((a, b))
            support = found.support.get(pair)
            drawn_mark, true_mark = mark(found.graph, a, b), mark(truth, a, b)
            bits = _bits(found, pair)
            if support is None and not drawn_mark and not true_mark:
                place = _LOWEST_BITS if bits is None else max(_LOWEST_BITS, math.floor(bits))
                others[place] = others.get(place, 0) + 1
                continue
            shares = (0.0, 0.0, 0.0) if support is None else (support.edge, support.forward, support.backward)
            pairs.append([i, j, *(round(BOOTSTRAP * share) for share in shares), drawn_mark, true_mark, bits])
    return {
        "search": search,
        "network": network,
        "rows": rows,
        "sample": sample,
        "bootstrap": BOOTSTRAP,
        "variables": len(names),
        "seconds": round(seconds, 3),
        "copies": [[names.index(name) for name in group] for group in found.copies],
        "pairs": pairs,
        "others": others,
    }


def draw_any(network: str, rows: int, sample: int) -> Sample:
    """A sample of a network, or of a table with few edges or none.

    "sparse asia" has the columns of asia and three permuted copies of each, "independent asia" one such copy of each.
    A permuted copy depends on no other column.
    """
    kind, _, name = network.rpartition(" ")
    drawn = draw(name, rows, sample)
    if not kind:
        return drawn
    rng = np.random.default_rng([rows, sample, len(drawn.frame.columns)])
    copies = {
        f"{column}{k}": rng.permutation(drawn.frame[column]) for k in range(COPIES[kind]) for column in drawn.frame
    }
    if kind == "independent":
        return Sample(pd.DataFrame(copies), DAG(copies, ()))
    frame = drawn.frame.assign(**copies)
    return Sample(frame, DAG(frame.columns, drawn.truth.edges))


def mark(graph: PDAG, a: Any, b: Any) -> int:
    """The mark of an edge, from a to b."""
    if (a, b) in graph.directed:
        return FORWARD
    if (b, a) in graph.directed:
        return BACKWARD
    return UNDIRECTED if frozenset((a, b)) in graph.undirected else NONE


def _bits(found: Discovery, pair: frozenset[Any]) -> float | None:
    evidence: Any = found.edges.get(pair)
    bits = -found.separations[pair].margin_bits if evidence is None else evidence.margin_bits
    return None if bits is None or not math.isfinite(bits) else round(bits, 2)


def results(path: Path | None = None) -> Iterator[dict[str, Any]]:
    """All runs so far."""
    path = path or RESULTS
    if path.exists():
        with gzip.open(path, "rt") as lines:
            yield from map(json.loads, lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--searches", nargs="+", default=SEARCHES, metavar="SEARCH")
    parser.add_argument(
        "--networks", nargs="+", default=[*bitsep.network_names(), *HELD_OUT, *FEW_EDGES], metavar="NETWORK"
    )
    parser.add_argument("--rows", nargs="+", type=int, default=SIZES, metavar="N")
    parser.add_argument("--samples", type=int, default=SAMPLES, metavar="N", help="samples of each network and size")
    asked = parser.parse_args(arguments)
    done = {(one["search"], one["network"], one["rows"], one["sample"]) for one in results()}
    for sample in range(asked.samples):
        for rows in asked.rows:
            for network in asked.networks:
                for search in asked.searches:
                    if (search, network, rows, sample) in done:
                        continue
                    finished = run(search, network, rows, sample)
                    with gzip.open(RESULTS, "at") as file:
                        file.write(json.dumps(finished, separators=(",", ":")) + "\n")
                    print(f"{network} {rows:,} sample {sample} {search}: {finished['seconds']} s", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
