"""Single tests by size of Z (0 to 3), number of rows and domain size."""

from __future__ import annotations

from typing import Any

from benchmarks.peers.lab import Entry, Lab
from benchmarks.peers.text import count, ratio, seconds, table

TITLE = "Single tests"
PEERS = {"pyAgrum": "pyagrum", "causal-learn": "causallearn", "pgmpy": "pgmpy"}
ONE, BATCH = "bitsep, one call each", "bitsep, one call for all"
SAME_RULE = "causal-learn"
QUERIES = {1_000: 40, 10_000: 20, 100_000: 8, 1_000_000: 2}
REPETITIONS_OF_LARGE = 3  # from 100,000 rows on, where some libraries need seconds to encode a table


def measure(lab: Lab) -> list[dict[str, Any]]:
    cases = [(3, given, n) for n in lab.settings.test_rows for given in lab.settings.test_given]
    cases += [(levels, given, 10_000) for levels in lab.settings.test_levels for given in lab.settings.test_given[:3]]
    rows = []
    for levels, given, n in dict.fromkeys(cases):
        queries = QUERIES[n]
        repetitions = REPETITIONS_OF_LARGE if n >= 100_000 else None
        frame, asked = lab.frames.of_queries(queries, given, levels, n)
        entries = [
            Entry(ONE, "bitsep", "single_tests", {"queries": asked, "batch": False}),
            Entry(BATCH, "bitsep", "single_tests", {"queries": asked, "batch": True}),
            *(Entry(label, library, "single_tests", {"queries": asked}) for label, library in PEERS.items()),
        ]
        measured = lab.turns(
            f"{queries} tests, {levels} levels, |Z| = {given}, {n:,} rows", frame, entries, repetitions
        )
        ours, theirs = measured[ONE]["outcome"], measured[SAME_RULE].get("outcome", measured[ONE]["outcome"])
        rows.append(
            {
                "levels": levels,
                "given": given,
                "n": n,
                "queries": queries,
                "largest_p_difference": max(abs(a - b) for a, b in zip(ours, theirs, strict=True)),
                "measured": {
                    label: {"seconds": one["seconds"], "median": one["median"] / queries} if "median" in one else one
                    for label, one in measured.items()
                },
            }
        )
        frame.unlink()
    return rows


TEXT = """
The time per test of the G² test of X and Y given |Z| variables, all of the same domain size. The data are encoded
beforehand in every library (in bitsep including the bitmaps). The tests share no column, so no test can reuse the
counts of another. bitsep is measured with one call per test, as the other libraries are, and with one call for all
tests, as in a search. One call per test takes tens of microseconds in Python, which is noticeable below 10,000
rows.
"""


def pages(rows: list[dict[str, Any]]) -> list[str]:
    worst = max(row["largest_p_difference"] for row in rows)
    lines = [TEXT.strip(), ""]
    lines.append(
        f"Largest difference between the p-values of bitsep and {SAME_RULE}, which has the same rule: {worst:.1g}."
    )
    for title, chosen in (
        ("Three levels", [row for row in rows if row["levels"] == 3]),
        ("Domain sizes, 10,000 rows", [row for row in rows if row["n"] == 10_000 and row["given"] <= 2]),
    ):
        lines += ["", f"### {title}", ""]
        lines += table(
            ["levels", "|Z|", "rows", BATCH, ONE, *PEERS, *(f"{label} / one call each" for label in PEERS)],
            [
                [
                    str(row["levels"]),
                    str(row["given"]),
                    count(row["n"]),
                    *(_cell(row["measured"][label]) for label in (BATCH, ONE, *PEERS)),
                    *(ratio(row["measured"][label], row["measured"][ONE]) for label in PEERS),
                ]
                for row in sorted(chosen, key=lambda row: (row["levels"], row["n"], row["given"]))
            ],
        )
    return [line.replace("|Z|", "\\|Z\\|") if line.startswith("|") else line for line in lines]


def _cell(one: dict[str, Any]) -> str:
    return seconds(one["median"]) if "median" in one else "–"
