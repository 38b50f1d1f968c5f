"""PC-stable: from a data frame to the graph, with the G² test at α = .05, on known networks."""

from __future__ import annotations

from typing import Any

from benchmarks.peers.lab import Entry, Lab
from benchmarks.peers.quoted import PYAGRUM_MILLION, QUOTED
from benchmarks.peers.text import count, ratio, seconds, table

ALPHA = 0.05
PEERS = {"pyAgrum": "pyagrum", "causal-learn": "causallearn", "pgmpy": "pgmpy"}
SAME_RULE = "causal-learn"  # its df rule is that of g2_adjusted
G2, SCI = "bitsep g2_adjusted", "bitsep sci_f"
PREDICT_FROM = 10_000  # times for fewer rows do not predict those for more
RULE_SECONDS = 5.0  # a slower rule leads to too many tests to be tried
RULE_ROWS = 10_000  # rules in Python are slow, and 10,000 rows are enough to compare
TITLE = "Graphs: PC-stable"


def measure(lab: Lab) -> list[dict[str, Any]]:
    rows = []
    for network, sizes in lab.settings.networks.items():
        before: dict[str, Any] = {}
        truth = lab.worker("bitsep").call("truth", network=network)
        for n in sizes:
            frame = lab.frames.of_network(network, n, max(sizes))
            budget = lab.settings.budgets[network]
            entries = [
                Entry(G2, "bitsep", "graph", {"method": "g2_adjusted", "alpha": ALPHA}),
                Entry(SCI, "bitsep", "graph", {"method": "sci_f"}),
            ]
            left_out = {}
            for label, library in PEERS.items():
                reason = _too_long(before.get(label), n, budget)
                if reason is None:
                    entries.append(Entry(label, library, "graph", {"alpha": ALPHA}, budget=budget))
                else:
                    left_out[label] = {"left_out": reason}
            measured = lab.turns(f"PC-stable, {network}, {n:,} rows", frame, entries) | left_out
            under = _under_their_rules(lab, frame, n, measured)
            rows.append({"network": network, "n": n, "measured": _compared(measured, truth, under)})
            before = {label: {"n": n, **one} for label, one in measured.items()}
    return rows


def _too_long(before: dict[str, Any] | None, n: int, budget: float) -> str | None:
    """Why a library is not run: it exceeded its time limit with fewer rows, or would if time grew like the rows."""
    if before is None:
        return None
    if "left_out" in before:
        return (
            str(before["left_out"]) if "rows" in before["left_out"] else f"{before['left_out']} at {before['n']:,} rows"
        )
    if before["n"] < PREDICT_FROM:
        return None
    expected = before["median"] * n / before["n"]
    return f"about {expected:.0f} s expected from {before['n']:,} rows" if expected > budget else None


def _under_their_rules(lab: Lab, frame: Any, n: int, measured: dict[str, Any]) -> dict[str, Any]:
    """What bitsep finds under the peers' own rules."""
    found = {}
    for label in ("pyAgrum", "pgmpy"):
        if n <= RULE_ROWS and measured[label].get("median", RULE_SECONDS) < RULE_SECONDS:
            outcome = lab.worker("bitsep").run("graph_under", frame, rule=label, alpha=ALPHA).outcome
            found[label] = outcome
    if "seconds" in measured[SAME_RULE]:
        found[SAME_RULE] = measured[G2]["outcome"]
    return found


def _compared(measured: dict[str, Any], truth: list[Any], under: dict[str, Any]) -> dict[str, Any]:
    """Outcomes as numbers: F1, and by how many edges it differs from g2_adjusted and from the same rule."""
    real, ours = set(map(tuple, truth)), set(measured[G2]["outcome"]["edges"])
    result = {}
    for label, one in measured.items():
        entry = dict(one)
        outcome = entry.pop("outcome", None)
        if outcome:
            edges = set(outcome["edges"])
            entry["edges"] = len(edges)
            entry["f1"] = 2 * len(edges & real) / (len(edges) + len(real))
            entry["other_than_g2_adjusted"] = len(edges ^ ours)
            entry["tests"] = outcome.get("tests")
            if label in under:
                entry["other_than_same_rule"] = len(edges ^ set(under[label]["edges"]))
                entry["tests_under_rule"] = under[label]["tests"]
        result[label] = entry
    return result


RULES_TEXT = """
The time from the data frame in memory to the graph (skeleton and directions), with one thread and one process per
library, in turns. Every run of bitsep encodes its table again. All libraries use the G² test with α = .05 and
PC-stable without a limit on the size of conditioning sets. Their degrees of freedom (df) differ and cannot be
chosen:

- **bitsep** `g2_adjusted`: per stratum (non-empty rows − 1)(non-empty columns − 1); independent if df = 0.
- **causal-learn** `gsq`: the same rule.
- **pyAgrum** `G2`: (|X|−1)(|Y|−1)·∏|Z| minus the cells whose expected count is zero, at least 1. This formula was
  found by experiment; it gave the p-value of pyAgrum in all of 1,200 random tests on Alarm.
- **pgmpy** `g_sq`: as bitsep, with Yates' correction in strata of 2 × 2; dependent if df = 0, or if a
  combination of the levels of Z never occurs (the statistic is then not a number).

`F1` compares the skeleton with the network from which the data were sampled. *Same rule* is the number of edges by
which a library differs from bitsep with the rule of that library (tried up to 10,000 rows). 0 means that both find
the same skeleton, not that they make the same number of tests: causal-learn continues to test a pair after its
first separator, bitsep stops there, and bitsep caches counts within a run. So the ratios compare whole searches,
not counting alone.
"""


def pages(rows: list[dict[str, Any]]) -> list[str]:
    """The ratios, then seconds with F1."""
    lines = [RULES_TEXT.strip(), ""]
    lines += [
        "### Ratios",
        "",
        "How many times as long as bitsep with `g2_adjusted` each library takes; for causal-learn also with `sci_f`.",
        "",
    ]
    lines += table(
        ["network", "rows", *(f"vs {label}" for label in PEERS), "sci_f vs causal-learn"],
        [
            [
                row["network"],
                count(row["n"]),
                *(ratio(row["measured"][label], row["measured"][G2]) for label in PEERS),
                ratio(row["measured"]["causal-learn"], row["measured"][SCI]),
            ]
            for row in rows
        ],
    )
    lines += ["", "### Seconds (F1)", ""]
    lines += table(
        ["network", "rows", "tests", G2, SCI, *PEERS],
        [
            [
                row["network"],
                count(row["n"]),
                count(row["measured"][G2]["tests"]),
                *(_cell(row["measured"][label]) for label in (G2, SCI, *PEERS)),
            ]
            for row in rows
        ],
    )
    lines += ["", "### Edges that differ", ""]
    lines += table(
        ["network", "rows", *(f"{label}: from g2_adjusted / same rule" for label in PEERS)],
        [
            [row["network"], count(row["n"]), *(_differences(row["measured"][label]) for label in PEERS)]
            for row in rows
            if any("seconds" in row["measured"][label] for label in PEERS)
        ],
    )
    lines += _quoted(rows)
    lines += _left_out(rows)
    return lines


def _cell(one: dict[str, Any]) -> str:
    return f"{seconds(one['median'])} ({one['f1']:.2f})" if "median" in one else "–"


def _differences(one: dict[str, Any]) -> str:
    if "median" not in one:
        return "–"
    same = one.get("other_than_same_rule")
    return f"{one['other_than_g2_adjusted']} / {'not tried' if same is None else same}"


def _quoted(rows: list[dict[str, Any]]) -> list[str]:
    alarm = {row["n"]: row["measured"] for row in rows if row["network"] == "alarm"}
    lines = ["", "### Quoted, not measured", ""]
    lines.append(
        "Libraries outside Python are not part of the run. These figures for Alarm were measured earlier, on one core "
        "of a 2-core machine and on other samples; they are only roughly comparable with this run."
    )
    lines.append("")
    quoted = {**QUOTED, "pyAgrum 3.3.1 at a million rows": {1_000_000: PYAGRUM_MILLION}}
    lines += table(
        ["library (quoted seconds, Alarm)", *(f"{count(n)} rows" for n in alarm)],
        [
            [label, *(f"{times[n]:g}" if n in times else "–" for n in alarm)]
            for label, times in quoted.items()
            if any(n in times for n in alarm)
        ]
        + [
            [f"{label}, this run" for label in (name,)] + [seconds(alarm[n][name]["median"]) for n in alarm]
            for name in (G2, SCI)
        ],
    )
    return lines


def _left_out(rows: list[dict[str, Any]]) -> list[str]:
    found = [
        f"- {label} on {row['network']} with {count(row['n'])} rows: {row['measured'][label]['left_out']}"
        for row in rows
        for label in PEERS
        if "left_out" in row["measured"][label]
    ]
    return ["", "Not measured, because the time limit of a run was or would be exceeded:", "", *found] if found else []
