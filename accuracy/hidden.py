"""Measure `bitsep.fci` on networks of which some variables are hidden, beside PC and, if installed, causal-learn's FCI.

python -m accuracy.hidden                     # runs what is missing, then prints the tables of docs/hidden-causes.md
python -m accuracy.hidden --peer              # also causal-learn's FCI, on the cells that PEER_CELLS names
python -m accuracy.hidden --pathfinder        # also pathfinder, with rfci and with fci, max_given=3
python -m accuracy.hidden --speed             # only the speed

Every run is a line of accuracy/results/hidden.jsonl at once: a run that was stopped continues where it was. In each
sample a random share of the variables is hidden. The truth is the PAG of the network with these variables hidden; an
undirected edge of PC counts as o—o.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pandas as pd

import bitsep
from bitsep import PAG, Network
from bitsep.graphs import compare, random_dag

RESULTS = Path(__file__).parent / "results" / "hidden.jsonl"
PATHFINDER = Path(__file__).parent / "networks" / "pathfinder.bif.gz"
SHARES, SIZES, SAMPLES = (0.05, 0.1, 0.2), (500, 2_000, 10_000), 3
PEER_CELLS = [(name, 0.1, n) for name in ("asia", "sachs", "child", "insurance", "alarm") for n in (500, 2_000, 10_000)]
PEER_SECONDS = 120
FIGURES = ("precision", "recall", "mark_precision", "mark_recall", "shd")


def peer(frame: pd.DataFrame) -> Any:
    """causal-learn's FCI with the G² test."""
    from causallearn.search.ConstraintBased.FCI import fci

    codes = np.column_stack([frame[name].astype("category").cat.codes for name in frame.columns])
    graph, _ = fci(codes, independence_test_method="gsq", alpha=0.05, verbose=False, show_progress=False)
    return PAG.from_causallearn(graph.graph, list(frame.columns))


def _bitsep(search: Callable[..., Any], frame: pd.DataFrame, **options: Any) -> Any:
    return search(frame, keep=list(frame.columns), threads=1, **options).graph


SEARCHES: dict[str, Callable[[pd.DataFrame], Any]] = {
    "fci": partial(_bitsep, bitsep.fci),
    "rfci": partial(_bitsep, bitsep.fci, variant="rfci"),
    "fci, g2_adjusted, max_given=4": partial(_bitsep, bitsep.fci, method="g2_adjusted", max_given=4),
    "pc_stable": partial(_bitsep, bitsep.pc_stable),
}
LIMITED: dict[str, Callable[[pd.DataFrame], Any]] = {
    "rfci": SEARCHES["rfci"],
    "fci, max_given=3": partial(_bitsep, bitsep.fci, max_given=3),
}


def sample(network: Network, share: float, rows: int, seed: int) -> tuple[pd.DataFrame, list[Any]]:
    """Rows without the hidden variables, and these variables."""
    names = sorted(network.variables, key=str)
    hidden = random.Random(f"{share} {seed}").sample(names, max(1, round(share * len(names))))
    return network.sample(rows, seed=seed).drop(columns=hidden), hidden


def measure(
    network: Network, share: float, rows: int, seed: int, search: Callable[[pd.DataFrame], Any]
) -> dict[str, Any]:
    """The figures of one run."""
    frame, hidden = sample(network, share, rows, seed)
    if search is peer:
        import causallearn.search.ConstraintBased.FCI  # noqa: F401  # so that its import is not measured
    started = time.perf_counter()
    graph = search(frame)
    seconds = time.perf_counter() - started
    compared = compare(graph, network.dag.pag(hidden=hidden)).to_dict()
    legal = graph.is_legal if isinstance(graph, PAG) else None
    return {"seconds": round(seconds, 4), "legal": legal, **{name: round(compared[name], 4) for name in FIGURES}}


def _limited(seconds: float, *arguments: Any) -> dict[str, Any]:
    """`measure` in a process of its own, which ends after the time limit."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        try:
            return pool.apply_async(measure, arguments).get(seconds)
        except multiprocessing.TimeoutError:
            return {"seconds": None, "legal": None}
        except Exception as error:  # whatever another library raises
            return {"seconds": None, "legal": None, "error": f"{type(error).__name__}: {error}"[:200]}


def plan(with_peer: bool, with_pathfinder: bool) -> Iterator[tuple[str, float, int, int, str]]:
    """All runs: network, share of hidden variables, rows, sample, search."""
    for name in bitsep.network_names():
        for share in SHARES:
            for rows in SIZES:
                for seed in range(1, SAMPLES + 1):
                    for search in SEARCHES:
                        yield name, share, rows, seed, search
    if with_pathfinder:
        for share in SHARES:
            for rows in SIZES:
                for search in LIMITED:
                    yield "pathfinder", share, rows, 1, search
    if with_peer:
        for name, share, rows in PEER_CELLS:
            yield name, share, rows, 1, "causal-learn fci"


def run(with_peer: bool, with_pathfinder: bool) -> list[dict[str, Any]]:
    """Make the runs that are missing; all results."""
    done = results()
    known = {(r["network"], r["share"], r["rows"], r["seed"], r["search"]) for r in done}
    loaded: dict[str, Network] = {}
    for key in plan(with_peer, with_pathfinder):
        if key in known:
            continue
        name, share, rows, seed, search = key
        if name not in loaded:
            loaded = {name: bitsep.read_bif(PATHFINDER) if name == "pathfinder" else bitsep.load_network(name)}
        if search == "causal-learn fci":
            found = _limited(PEER_SECONDS, loaded[name], share, rows, seed, peer)
        else:
            searches = LIMITED if name == "pathfinder" else SEARCHES
            found = measure(loaded[name], share, rows, seed, searches[search])
        line = {"network": name, "share": share, "rows": rows, "seed": seed, "search": search, **found}
        with RESULTS.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        done.append(line)
    return done


def tables(runs: list[dict[str, Any]]) -> str:
    """The tables of the page."""
    own = [r for r in runs if r["network"] != "pathfinder"]
    lines = ["{:,} of {:,} graphs of fci are legal PAGs.".format(*legal_counts(runs)), ""]
    lines += [
        "| rows | hidden | search | edges P | edges R | marks P | marks R | SHD |",
        "| --: " * 2 + "| --- " + "| --: " * 5 + "|",
    ]
    for rows in SIZES:
        for share in SHARES:
            for search in SEARCHES:
                cell = [r for r in own if (r["rows"], r["share"], r["search"]) == (rows, share, search)]
                lines.append(f"| {rows:,} | {share:.0%} | {search} | {_means(cell)} |")
    lines += ["", *peer_table(runs)]
    lines += ["", "| rows | hidden | search on pathfinder | edges P | edges R | marks P | marks R | SHD | seconds |"]
    lines += ["| --: " * 2 + "| --- " + "| --: " * 6 + "|"]
    for r in runs:
        if r["network"] == "pathfinder":
            lines.append(f"| {r['rows']:,} | {r['share']:.0%} | {r['search']} | {_means([r])} | {r['seconds']:.2f} |")
    return "\n".join(lines)


def results() -> list[dict[str, Any]]:
    """All runs so far."""
    return [json.loads(line) for line in RESULTS.read_text().splitlines()] if RESULTS.exists() else []


def short_table(runs: list[dict[str, Any]]) -> list[str]:
    """The means over the networks and the shares of hidden variables."""
    lines = [
        "| rows | search | runs | edges P | edges R | marks P | marks R | SHD |",
        "| --: | --- " + "| --: " * 6 + "|",
    ]
    for rows in SIZES:
        for search in SEARCHES:
            cell = [r for r in runs if (r["rows"], r["search"]) == (rows, search) and r["network"] != "pathfinder"]
            if cell:
                lines.append(f"| {rows:,} | {search} | {len(cell)} | {_means(cell)} |")
    return lines


def peer_table(runs: list[dict[str, Any]]) -> list[str]:
    """The means over the cells on which causal-learn's FCI was run."""
    own = [r for r in runs if r["network"] != "pathfinder"]
    lines = ["| search | cells | edges P | edges R | marks P | marks R | SHD |", "| --- " + "| --: " * 6 + "|"]
    peers = {(r["network"], r["share"], r["rows"]): r for r in own if r["search"] == "causal-learn fci"}
    finished = {key for key, r in peers.items() if r["seconds"] is not None}
    for search in [*SEARCHES, *(["causal-learn fci"] if peers else [])]:
        cell = [
            r
            for r in own
            if r["search"] == search and r["seed"] == 1 and (r["network"], r["share"], r["rows"]) in finished
        ]
        if cell:
            lines.append(f"| {search} | {len(cell)} of {len(peers)} | {_means(cell)} |")
    return lines


def legal_counts(runs: list[dict[str, Any]]) -> tuple[int, int]:
    """How many graphs of bitsep's FCI are legal PAGs, and of how many."""
    checked = [r for r in runs if r["legal"] is not None and r["search"] != "causal-learn fci"]
    return sum(r["legal"] for r in checked), len(checked)


def _means(runs: list[dict[str, Any]]) -> str:
    means = [fmean(r[name] for r in runs) for name in FIGURES]
    return " | ".join([*(f"{mean:.2f}" for mean in means[:-1]), f"{means[-1]:.1f}"])


def ternary(variables: int, rows: int) -> pd.DataFrame:
    """Rows of a random network of variables with three levels, of mean degree 4; always the same."""
    dag, rng = random_dag(variables, mean_degree=4, seed=0), np.random.default_rng(0)
    columns: dict[Any, Any] = {}
    for name in dag.topological_order:
        joint = np.zeros(rows, int)
        for parent in sorted(dag.parents(name), key=str):
            joint = joint * 3 + columns[parent]
        uniform, column = rng.random(rows), np.empty(rows, int)
        for value in np.unique(joint):
            own = joint == value
            column[own] = np.minimum(np.searchsorted(rng.dirichlet(np.ones(3)).cumsum(), uniform[own]), 2)
        columns[name] = column
    return pd.DataFrame({name: columns[name].astype(str) for name in dag.variables})


def speed(with_peer: bool) -> str:
    """Processor time in one process with one thread: the median of 11 searches, and one of causal-learn."""
    lines = ["| data | search | seconds |", "| --- | --- | --: |"]
    cases = {
        "110 ternary variables, 500 rows": ternary(110, 500),
        "alarm, 10,000 rows": bitsep.load_network("alarm").sample(10_000, seed=1),
    }
    for title, frame in cases.items():
        data = bitsep.Table(frame)
        for variant in ("fci", "rfci"):
            seconds = []
            for _ in range(11):
                started = time.process_time()
                _ = bitsep.fci(data, variant=variant, keep=list(frame.columns), threads=1).graph
                seconds.append(time.process_time() - started)
            lines.append(f"| {title} | {variant} | {sorted(seconds)[5]:.3f} |")
        if with_peer and title.startswith("alarm"):
            peer(frame.head(100))  # imports
            started = time.process_time()
            peer(frame)
            lines.append(f"| {title} | causal-learn fci | {time.process_time() - started:.1f} |")
    return "\n".join(lines)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        "python -m accuracy.hidden", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--peer", action="store_true", help="Also run causal-learn's FCI.")
    parser.add_argument("--pathfinder", action="store_true", help="Also run pathfinder.")
    parser.add_argument("--speed", action="store_true", help="Only measure the speed.")
    asked = parser.parse_args()
    print(speed(asked.peer) if asked.speed else tables(run(asked.peer, asked.pathfinder)))


if __name__ == "__main__":
    main()
