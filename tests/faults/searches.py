"""Every search, as a function of data that returns its whole result as text."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import bitsep


def blankets(data: Any, **options: Any) -> str:
    found = bitsep.markov_blankets(data, **options)
    return json.dumps({str(name): blanket.to_json() for name, blanket in found.items()})


def check(data: Any, **options: Any) -> str:
    found = bitsep.check(bitsep.load_network("asia").dag, data, **options)
    return f"{found.p_value} {found}"


def expected(data: Any, **options: Any) -> str:
    found = bitsep.boss(data, bootstrap=10, **options)
    return str(bitsep.expected_accuracy(found, samples=2, **options))


SEARCHES: dict[str, Callable[..., str]] = {
    "pc_stable": lambda data, **options: bitsep.pc_stable(data, **options).to_json(),
    "fci": lambda data, **options: bitsep.fci(data, **options).to_json(),
    "boss": lambda data, **options: bitsep.boss(data, **options).to_json(),
    "hill_climb": lambda data, **options: bitsep.hill_climb(data, **options).to_json(),
    "discover": lambda data, **options: bitsep.discover(data, **options).to_json(),
    "bootstrap": lambda data, **options: bitsep.pc_stable(data, bootstrap=20, **options).to_json(),
    "blankets": blankets,
    "check": check,
    "expected_accuracy": expected,
    "pairwise": lambda data, **options: str(bitsep.pairwise(data, **options)),
}

CHECKPOINTED = ("pc_stable", "fci", "boss", "hill_climb", "discover", "bootstrap")
"""The searches that have a checkpoint."""


def asia(rows: int = 500, seed: int = 1) -> Any:
    return bitsep.load_network("asia").sample(rows, seed=seed)


def alarm(rows: int = 2000, seed: int = 1) -> Any:
    return bitsep.load_network("alarm").sample(rows, seed=seed)
