"""How much faster the PC algorithm of a host library is with a test of bitsep instead of its own.

Same search, same data (Alarm, 5,000 rows), the host's G² against bitsep's `g2_adjusted` and `sci_f`, in turns in one
process, by processor time, the best of several rounds. Needs the hosts (``pip install "bitsep[hosts]"``). Run with::

    python benchmarks/bench_adapters.py [--rounds 5] [--output build/bench_adapters.json]

It fails if causal-learn gains less than tenfold or finds another graph.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import platform
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import bitsep

ROWS = 5000
ALPHA = 0.05
WANTED_GAIN = 10.0
Search = Callable[[], Any]


def causal_learn(codes: np.ndarray) -> dict[str, Search]:
    from causallearn.search.ConstraintBased.PC import pc

    bitsep.adapters.causallearn.register()
    return {
        name: lambda name=name: pc(codes, ALPHA, name, show_progress=False).G.graph
        for name in ("gsq", "g2_adjusted", "sci_f")
    }


def pgmpy(frame: pd.DataFrame) -> dict[str, Search]:
    from pgmpy.causal_discovery import PC

    def run(make_test: Callable[[], Any]) -> Any:
        found = PC(variant="stable", ci_test=make_test(), significance_level=ALPHA, show_progress=False).fit(frame)
        return found.adjacency_matrix_.to_numpy()

    make = bitsep.adapters.pgmpy.BitsepTest
    return {
        "g_sq": lambda: run(lambda: "g_sq"),
        "g2_adjusted": lambda: run(lambda: make(frame, "g2_adjusted")),
        "sci_f": lambda: run(lambda: make(frame)),
    }


def tigramite(codes: np.ndarray) -> dict[str, Search]:
    from tigramite.data_processing import DataFrame
    from tigramite.independence_tests.gsquared import Gsquared
    from tigramite.pcmci import PCMCI

    def run(test: Any) -> Any:
        search = PCMCI(DataFrame(codes.astype(float)), cond_ind_test=test, verbosity=0)
        # Not the default rule for colliders, which tests every subset of neighbors: it takes minutes with any test.
        return search.run_pcalg_non_timeseries_data(pc_alpha=ALPHA, contemp_collider_rule="none")["graph"]

    make = bitsep.adapters.tigramite.BitsepTest
    return {
        "Gsquared": lambda: run(Gsquared()),
        "g2_adjusted": lambda: run(make("g2_adjusted")),
        "sci_f": lambda: run(make()),
    }


def measure(searches: dict[str, Search], rounds: int) -> dict[str, Any]:
    """Best seconds of each, the ratio to the first (the test of the host), and whether G² found the same graph."""
    seconds = dict.fromkeys(searches, float("inf"))
    graphs = {}
    for _ in range(rounds):
        for name, search in searches.items():
            start = time.process_time()
            graphs[name] = search()
            seconds[name] = min(seconds[name], time.process_time() - start)
    own = next(iter(searches))
    return {
        "host_test": own,
        "seconds": {name: round(value, 4) for name, value in seconds.items()},
        "gain": {name: round(seconds[own] / value, 2) for name, value in seconds.items() if name != own},
        "same_graph_as_g2_adjusted": bool(np.array_equal(graphs[own], graphs["g2_adjusted"])),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--output", type=Path, default=Path("build/bench_adapters.json"))
    parser.add_argument("--hosts", nargs="+", default=["causal-learn", "pgmpy", "tigramite"])
    arguments = parser.parse_args()
    frame = bitsep.load_network("alarm").sample(ROWS, seed=1)
    codes = np.column_stack([frame[name].cat.codes for name in frame]).astype(np.int64)
    hosts = {
        "causal-learn": lambda: measure(causal_learn(codes), arguments.rounds),
        "pgmpy": lambda: measure(pgmpy(frame), arguments.rounds),
        "tigramite": lambda: measure(tigramite(codes), 1),
    }
    results: dict[str, Any] = {"rows": ROWS, "python": platform.python_version(), "hosts": {}}
    for host in arguments.hosts:
        results["hosts"][host] = {"version": importlib.metadata.version(host), **hosts[host]()}
        print(host, json.dumps(results["hosts"][host]))
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    outcome = results["hosts"].get("causal-learn")
    if outcome is None:
        return 0
    return 0 if outcome["gain"]["g2_adjusted"] >= WANTED_GAIN and outcome["same_graph_as_g2_adjusted"] else 1


if __name__ == "__main__":
    raise SystemExit(main())
