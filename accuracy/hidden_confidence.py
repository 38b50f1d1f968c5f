"""How good the probabilities of `bitsep.fci` are on networks of which some variables are hidden.

python -m accuracy.hidden_confidence           # runs what is missing, then prints the table of docs/confidence.md
python -m accuracy.hidden_confidence --fit     # also the coefficients that fit these runs best

Each run is one line of accuracy/results/hidden-confidence.jsonl.gz, written at once: a command that was stopped
continues where it was. A pair is true if it is adjacent in the PAG of the network with the hidden variables. *Shipped*
figures are those of the coefficients in bitsep; for *left out*, coefficients were fitted to the runs of all other
networks.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any

import numpy as np

import bitsep
from accuracy.confidence import MIN_PAIRS, Calibration, fit, probabilities
from accuracy.confidence_pairs import Floats, Run
from accuracy.confidence_runs import BOOTSTRAP, results
from accuracy.hidden import SHARES, SIZES, sample
from bitsep import Network
from bitsep.discovery.calibration import BY_TESTS, PairSupport, features

RESULTS = Path(__file__).parent / "results" / "hidden-confidence.jsonl.gz"
SAMPLES = 2


def run(network: Network, share: float, rows: int, seed: int) -> dict[str, Any]:
    """Search one sample.

    `pairs` has a line for each pair with support, with an edge, or with an edge in the truth: the number of bootstrap
    samples with the edge, whether the graph has it, and whether the true PAG has it. `others` counts the other pairs.
    """
    frame, hidden = sample(network, share, rows, seed)
    begin = time.process_time()
    found = bitsep.fci(frame, keep=list(frame.columns), bootstrap=BOOTSTRAP, seed=seed, threads=1)
    seconds = time.process_time() - begin
    truth = network.dag.pag(hidden=hidden).skeleton
    seen = sorted({*found.support, *found.edges, *truth}, key=sorted)
    shares = [found.support[pair].edge if pair in found.support else 0.0 for pair in seen]
    pairs = [
        [round(BOOTSTRAP * share), int(pair in found.edges), int(pair in truth)]
        for pair, share in zip(seen, shares, strict=True)
    ]
    variables = len(found.variables)
    others = variables * (variables - 1) // 2 - len(pairs)
    return {"variables": variables, "seconds": round(seconds, 3), "pairs": pairs, "others": others}


def make_runs(samples: int) -> None:
    """Make the runs that are missing."""
    done = {(one["network"], one["share"], one["rows"], one["sample"]) for one in results(RESULTS)}
    for seed in range(1, samples + 1):
        for name in bitsep.network_names():
            network = bitsep.load_network(name)
            for share in SHARES:
                for rows in SIZES:
                    if (name, share, rows, seed) in done:
                        continue
                    line = {"network": name, "share": share, "rows": rows, "sample": seed}
                    line |= run(network, share, rows, seed)
                    with gzip.open(RESULTS, "at") as file:
                        file.write(json.dumps(line, separators=(",", ":")) + "\n")
                    print(f"{name}, {share:.0%} hidden, {rows:,} rows, sample {seed}: {line['seconds']} s", flush=True)


def load() -> list[Run]:
    """All runs, as `accuracy.confidence` has them."""
    found = []
    for one in results(RESULTS):
        edges = sum(count for count, _, _ in one["pairs"]) / BOOTSTRAP
        about = [PairSupport(c, BOOTSTRAP, bool(d), one["variables"], edges) for c, d, _ in one["pairs"]]
        about.append(PairSupport(0, BOOTSTRAP, False, one["variables"], edges))
        pairs = [[0, 0, count, 0, 0, drawn, true, None] for count, drawn, true in one["pairs"]]
        one_each = np.ones(len(about))
        found.append(
            Run(
                one["network"],
                one["rows"],
                pairs,
                one["variables"],
                one["others"],
                features=np.array([features(pair) for pair in about]),
                alike=one_each,
                chosen=one_each > 0,
                shares=np.array([pair.count / BOOTSTRAP for pair in about]),
            )
        )
    return found


def table(runs: Sequence[Run]) -> str:
    """Calibration errors by network and by rows."""
    networks = sorted({run.network for run in runs})
    others = {name: fit([run for run in runs if run.network != name]) for name in networks}

    def shipped(run: Run) -> Floats:
        return probabilities(run, astuple(BY_TESTS))

    def left_out(run: Run) -> Floats:
        return probabilities(run, others[run.network])

    groups = [(name, [run for run in runs if run.network == name]) for name in networks]
    groups += [(f"{rows:,} rows", [run for run in runs if run.rows == rows]) for rows in SIZES]
    lines = ["| runs of | runs | pairs | shipped | left out |", "| --- | --: | --: | --: | --: |"]
    for name, some in [*groups, ("**all**", list(runs))]:
        one, other = Calibration.of(some, shipped), Calibration.of(some, left_out)
        few = "" if one.pairs.sum() >= MIN_PAIRS else " (few)"
        lines.append(f"| {name} | {len(some)} | {int(one.pairs.sum()):,}{few} | {one.error:.3f} | {other.error:.3f} |")
    found = Calibration.of(runs, shipped)
    lines += [
        "",
        "| probability, shipped | pairs | mean probability | share of true edges |",
        "| --- " + "| --: " * 3 + "|",
    ]
    for k, pairs in enumerate(found.pairs):
        if pairs:
            means = f"{found.expected[k] / pairs:.2f} | {found.true[k] / pairs:.2f}"
            lines.append(f"| {10 * k}% to {10 * k + 10}% | {int(pairs):,} | {means} |")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fit", action="store_true", help="print the coefficients that fit these runs best")
    parser.add_argument("--samples", type=int, default=SAMPLES, metavar="N", help="samples of each network and size")
    asked = parser.parse_args(arguments)
    make_runs(asked.samples)
    runs = load()
    if asked.fit:
        print(f"{[round(float(value), 3) for value in fit(runs)]}\n")
    print(table(runs))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
