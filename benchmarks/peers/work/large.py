"""Large domains, and many variables: time and memory."""

from __future__ import annotations

from typing import Any

from benchmarks.peers.lab import Entry, Lab
from benchmarks.peers.text import count, ratio, seconds, table

TITLE = "Large domains, many variables"
SORTS = {"np.sort": "quicksort", "np.sort, stable": "stable"}
METHODS = ("sci_f", "g2_adjusted")
WIDE_ROWS = 5_000


def measure(lab: Lab) -> dict[str, Any]:
    n = lab.settings.large_rows
    lab.dismiss("bitsep")  # a new process, so that its memory is that of this work
    frame = lab.frames.of_large_domains(n)
    test = {"x": "x", "y": "y", "given": ["z"]}
    entries = [Entry(method, "bitsep", "one_test", {**test, "method": method}) for method in METHODS]
    entries += [Entry(label, "numpy", "sort_rows", {"kind": kind}) for label, kind in SORTS.items()]
    domains = lab.turns(f"one test with large domains, {n:,} rows", frame, entries)

    lab.dismiss("bitsep")
    variables = lab.settings.wide_variables
    frame = lab.frames.of_random_network(variables, 3, WIDE_ROWS, 2.0)
    entries = [Entry(str(t), "bitsep", "graph_with_progress", {"threads": t}) for t in (1, 2)]
    wide = lab.turns(f"{variables} variables, sci_f", frame, entries, repetitions=1)
    for one in wide.values():
        one["outcome"]["edges"] = len(one["outcome"]["edges"])
    return {"n": n, "domains": domains, "variables": variables, "wide": wide}


def pages(found: dict[str, Any]) -> list[str]:
    domains, wide = found["domains"], found["wide"]
    return [
        f"One test of X and Y with 1,000 levels each given Z with 10,000, on {count(found['n'])} rows, from a `Table` "
        "that is encoded, compared with one sort of the rows as 64-bit keys: stable, and by NumPy's default, which "
        "uses AVX-512 if available (`std::sort` is in the section *The innermost loop*). Memory is what a run needs in "
        "addition to the data.",
        "",
        *table(
            ["", "seconds", *(f"times {sort}" for sort in SORTS), "extra memory"],
            [
                [
                    label,
                    seconds(one["median"]),
                    *(ratio(one, domains[sort]) for sort in SORTS),
                    _memory(one["extra_mb"]),
                ]
                for label, one in domains.items()
            ],
        ),
        "",
        f"PC-stable with `sci_f` on {count(found['variables'])} variables with three levels, {count(WIDE_ROWS)} rows, "
        "sampled from a random network with two neighbors per variable on average; with a progress callback.",
        "",
        *table(
            [
                "threads",
                "seconds",
                "tests",
                "edges",
                "progress calls",
                "peak memory of the process",
                "in addition to the data",
            ],
            [
                [
                    threads,
                    seconds(one["median"]),
                    count(one["outcome"]["tests"]),
                    count(one["outcome"]["edges"]),
                    count(one["outcome"]["progress_calls"]),
                    _memory(one["peak_mb"]),
                    _memory(one["extra_mb"]),
                ]
                for threads, one in wide.items()
            ],
        ),
    ]


def _memory(megabytes: float | None) -> str:
    return "not known here" if megabytes is None else f"{megabytes:,.0f} MB"
