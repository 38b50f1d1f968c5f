"""How the time of bitsep grows with variables, domain size and threads; graphs.py measures it for rows."""

from __future__ import annotations

from statistics import median
from typing import Any

from benchmarks.peers.lab import Entry, Lab
from benchmarks.peers.text import count, seconds, table, times

TITLE = "Growth of time"
METHODS = ("g2_adjusted", "sci_f")
# Numbers of runs: at most; on whole cores; at least for a median. Runs take milliseconds, and machines are noisy.
THREAD_TURNS, WHOLE, ENOUGH = 301, 21, 7


def measure(lab: Lab) -> dict[str, Any]:
    entries = [Entry(method, "bitsep", "graph", {"method": method}) for method in METHODS]
    variables, levels, threads = [], [], []
    for size in lab.settings.growth_variables:
        frame = lab.frames.of_random_network(size, 3, 5_000, 2.0)
        variables.append({"variables": size, "measured": lab.turns(f"{size} variables", frame, entries)})
    for size in lab.settings.growth_levels:
        frame = lab.frames.of_random_network(30, size, 10_000, 2.0)
        levels.append({"levels": size, "measured": lab.turns(f"{size} levels", frame, entries)})
    for network, n in lab.settings.thread_data:
        frame = lab.frames.of_network(network, n, n)
        for job in ("skeleton_from_table", "graph_from_table"):
            turns = [Entry(str(t), "bitsep", job, {"method": "g2_adjusted", "threads": t}) for t in (1, 2)]
            measured = lab.turns(f"threads, {job}, {network}, {n:,} rows", frame, turns, THREAD_TURNS, whole=WHOLE)
            threads.append({"network": network, "n": n, "job": job, "measured": measured})
    for row in (*variables, *levels):
        for one in row["measured"].values():
            one["tests"] = one.pop("outcome")["tests"]
    return {"variables": variables, "levels": levels, "threads": threads}


def pages(found: dict[str, Any]) -> list[str]:
    lines = [
        "PC-stable from the data frame, one thread, on random networks with two neighbors per variable on average.",
        "",
    ]
    for title, key, text in (
        ("Variables", "variables", "Three levels, 5,000 rows."),
        ("Domain size", "levels", "30 variables, 10,000 rows."),
    ):
        lines += [f"### {title}", "", text, ""]
        lines += table(
            [key, *(f"{m}{what}" for m in METHODS for what in ("", ", tests", ", per test"))],
            [[str(row[key]), *(cell for m in METHODS for cell in _cells(row["measured"][m]))] for row in found[key]],
        )
        lines.append("")
    lines += [
        "### Threads",
        "",
        "`g2_adjusted`, from an encoded `Table`: the skeleton alone, and with the graph; up to "
        f"{THREAD_TURNS} runs each, in turns. *Whole cores*: medians of the runs for which a short measurement on all "
        "cores, right before and after the run, found every core at full speed. On a shared machine other guests may "
        "use the same physical cores, and a second thread helps only while a second core is really available. The "
        f"measurement ends when {WHOLE} such runs of each are complete. With fewer than {ENOUGH} such runs, the "
        "times are the medians of all runs.",
        "",
    ]
    lines += table(
        ["network", "rows", "", "1 thread", "2 threads", "faster on whole cores", "runs counted", "in all runs"],
        [
            [
                row["network"],
                count(row["n"]),
                "skeleton" if row["job"] == "skeleton_from_table" else "with graph",
                *_threads(row["measured"]["1"], row["measured"]["2"]),
            ]
            for row in found["threads"]
        ],
    )
    return lines


def _cells(one: dict[str, Any]) -> list[str]:
    return [seconds(one["median"]), count(one["tests"]), seconds(one["median"] / one["tests"])]


def _threads(one: dict[str, Any], two: dict[str, Any]) -> list[str]:
    whole = [one["whole_seconds"], two["whole_seconds"]]
    enough = min(map(len, whole)) >= ENOUGH
    shown = [median(runs) if enough else each["median"] for runs, each in zip(whole, (one, two), strict=True)]
    return [
        *map(seconds, shown),
        times(shown[0] / shown[1]) if enough else "–",
        " and ".join(f"{len(runs)}" for runs in whole),
        times(one["median"] / two["median"]),
    ]
