"""Searches by score: BOSS of bitsep alone, and hill climbing against pyAgrum."""

from __future__ import annotations

from typing import Any

from benchmarks.peers.lab import Entry, Lab
from benchmarks.peers.text import count, ratio, seconds, table

TITLE = "Searches by score"
OURS, TABU, PEER = "bitsep", "bitsep, tabu=100", "pyAgrum"
LABELS = (OURS, TABU, PEER)
SCORES = ("bic", "bdeu")


def measure(lab: Lab) -> dict[str, Any]:
    boss = {}
    for name, n in lab.settings.searched:
        lab.dismiss("bitsep")  # a new process, so that its memory is that of this search
        frame = lab.frames.of_network(name, n, n)
        boss[f"{name}, {n:,}"] = lab.turns(f"BOSS, {name}, {n:,} rows", frame, [Entry(OURS, "bitsep", "boss")])[OURS]
    climbing = {}
    for name, n in lab.settings.climbed:
        frame = lab.frames.of_network(name, n, n)
        for score in SCORES:
            entries = [
                Entry(OURS, "bitsep", "hill_climb", {"score": score}),
                Entry(TABU, "bitsep", "hill_climb", {"score": score, "tabu": 100}),
                Entry(PEER, "pyagrum", "hill_climb", {"score": score}),
            ]
            found = lab.turns(f"hill climbing, {name}, {n:,} rows, {score}", frame, entries)
            climbing[f"{name}, {n:,}, {score}"] = found
    return {"boss": boss, "climbing": climbing}


def pages(found: dict[str, Any]) -> list[str]:
    return [
        "BOSS with its default settings, from the data frame to the graph, one thread:",
        "",
        *table(
            ["network, rows", "time", "edges", "memory"],
            [
                [name, seconds(one["median"]), count(one["outcome"]["edges"]), f"{one['extra_mb']:,.0f} MB"]
                for name, one in found["boss"].items()
            ],
        ),
        "",
        "Greedy hill climbing, from the data frame to the DAG, one thread, with the same score and "
        "without the structure code. *BIC* is the score of the DAG found, in bits, by bitsep: lower is better.",
        "",
        *table(
            ["network, rows, score", *LABELS, f"{PEER} / {OURS}", *(f"BIC, {label}" for label in LABELS)],
            [
                [
                    name,
                    *(_seconds(one[label]) for label in LABELS),
                    ratio(one[PEER], one[OURS]),
                    *(count(one[label]["outcome"]["bic"]) if "outcome" in one[label] else "–" for label in LABELS),
                ]
                for name, one in found["climbing"].items()
            ],
        ),
    ]


def _seconds(one: dict[str, Any]) -> str:
    return seconds(one["median"]) if "median" in one else str(one["left_out"])
