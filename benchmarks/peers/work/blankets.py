"""PCMB: the Markov blankets of all variables of Alarm."""

from __future__ import annotations

from typing import Any

from benchmarks.peers.lab import Entry, Lab
from benchmarks.peers.text import count, ratio, seconds, table

TITLE = "Markov blankets: PCMB on Alarm"
ALPHA = 0.05
# pyCausalFS: G² with df over the product of all domain sizes, and at most three conditioning variables.
THEIR_RULE = {"method": "g2", "alpha": ALPHA, "z_size": "product", "max_given": 3}
PEER = "pyCausalFS"
SHARED, ALONE = "bitsep, their rule, one call", "bitsep, their rule, one call per variable"
N = 1_000


def measure(lab: Lab) -> dict[str, Any]:
    frame = lab.frames.of_network("alarm", N, N)
    everyone = sorted(lab.worker("bitsep").run("blankets", frame).outcome)
    targets = everyone[:: len(everyone) // lab.settings.blanket_targets] if lab.settings.blanket_targets else everyone
    targets = targets[: lab.settings.blanket_targets]
    entries = [
        Entry(SHARED, "bitsep", "blankets", THEIR_RULE),
        Entry(ALONE, "bitsep", "blankets_one_by_one", {"targets": everyone, **THEIR_RULE}),
        Entry(PEER, "pycausalfs", "blankets_one_by_one", {"targets": targets, "alpha": ALPHA}),
    ]
    measured = lab.turns(
        f"PCMB, alarm, {N:,} rows, {len(targets)} of {len(everyone)} targets in {PEER}", frame, entries
    )
    theirs, ours = measured[PEER]["outcome"], measured[SHARED]["outcome"]
    same = sum(theirs[target] == ours[target] for target in targets)
    alone = {}
    for n in (1_000, 5_000):
        frame = lab.frames.of_network("alarm", n, 5_000) if n == 5_000 else frame
        entries = [
            Entry("sci_f", "bitsep", "blankets", {"method": "sci_f"}),
            Entry("g2_adjusted", "bitsep", "blankets", {"method": "g2_adjusted", "alpha": ALPHA}),
        ]
        alone[n] = _without_outcome(lab.turns(f"PCMB, alarm, {n:,} rows", frame, entries))
    return {
        "variables": len(everyone),
        "targets": len(targets),
        "same": same,
        "measured": _without_outcome(measured),
        "alone": alone,
    }


def _without_outcome(measured: dict[str, Any]) -> dict[str, Any]:
    return {label: {k: v for k, v in one.items() if k != "outcome"} for label, one in measured.items()}


def pages(found: dict[str, Any]) -> list[str]:
    measured, share = found["measured"], found["variables"] / found["targets"]
    whole = {"median": measured[PEER]["median"] * share}
    label = PEER if share == 1 else f"{PEER}, extrapolated from {found['targets']} of {found['variables']} variables"
    return [
        f"All {found['variables']} blankets from {count(N)} rows, one thread. pyCausalFS uses the G² test with df = "
        "(|X|−1)(|Y|−1)·∏|Z|, α = .05, and at most three conditioning variables; bitsep uses the same test and limit "
        '(`method="g2", z_size="product", max_given=3`), with one call for all blankets, which share counts, and with '
        "one call per variable from the data frame, which shares nothing. pyCausalFS ranks candidates by G², "
        "bitsep by bits above the threshold, and pyCausalFS takes at most one spouse per neighbor: "
        f"{found['same']} of {found['targets']} blankets are the same.",
        "",
        *table(
            ["", "seconds", "times bitsep's one call", "times bitsep's call per variable"],
            [
                [label, seconds(whole["median"]), ratio(whole, measured[SHARED]), ratio(whole, measured[ALONE])],
                [ALONE, seconds(measured[ALONE]["median"]), ratio(measured[ALONE], measured[SHARED]), "1×"],
                [SHARED, seconds(measured[SHARED]["median"]), "1×", "–"],
            ],
        ),
        "",
        "PCMB as published, without a limit on the size of conditioning sets, bitsep alone:",
        "",
        *table(
            ["rows", "sci_f", "g2_adjusted"],
            [
                [count(int(n)), *(seconds(one[m]["median"]) for m in ("sci_f", "g2_adjusted"))]
                for n, one in found["alone"].items()
            ],
        ),
    ]
