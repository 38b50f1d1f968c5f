"""The networks, and samples of them whose columns are shuffled and renamed.

A search that breaks ties by the order or the names of the columns must not gain from the order in which somebody wrote
down a network.
"""

from __future__ import annotations

import hashlib
import os
import pickle
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

import bitsep
from bitsep import DAG, Network

FOLDER = Path(__file__).parent / "networks"
"""Networks that the package does not bundle."""

PICKLES = FOLDER.parents[1] / "build" / "accuracy-networks"

_EXTENSION = ".bif.gz"
_LETTERS = np.array(list("abcdefghijklmnopqrstuvwxyz"))
_NAME_LENGTH = 6


@dataclass(frozen=True)
class Sample:
    """A table drawn from a network, and the true graph over the same, new names."""

    frame: pd.DataFrame
    truth: DAG


def network_names() -> tuple[str, ...]:
    """All networks of the benchmark, in alphabetical order."""
    more = (file.name.removesuffix(_EXTENSION) for file in FOLDER.glob(f"*{_EXTENSION}"))
    return tuple(sorted({*bitsep.network_names(), *more}))


@cache
def load(name: str) -> Network:
    """A network by its name. Some files take seconds to read, so the networks of this folder are kept as pickles."""
    file = FOLDER / f"{name}{_EXTENSION}"
    if not file.exists():
        return bitsep.load_network(name)
    kept = PICKLES / f"{name}.pickle"
    if not kept.exists() or kept.stat().st_mtime < file.stat().st_mtime:
        kept.parent.mkdir(parents=True, exist_ok=True)
        draft = kept.with_suffix(f".{os.getpid()}")  # two processes can do this at the same time
        draft.write_bytes(pickle.dumps(bitsep.read_bif(file).renamed(name)))
        draft.replace(kept)
    network = pickle.loads(kept.read_bytes())
    assert isinstance(network, Network)
    return network


def draw(name: str, rows: int, number: int) -> Sample:
    """Draw a sample of a network: `number` 0, 1, … are independent samples, each the same at every call."""
    network = load(name)
    seed = _seed(name, rows, number)
    frame = network.sample(rows, seed=seed)
    rng = np.random.default_rng([seed, 1])  # not the stream of the rows
    new = dict(zip(network.variables, _random_names(rng, len(network.variables)), strict=True))
    order = rng.permutation(len(new))
    frame = frame.iloc[:, order].rename(columns=new)
    return Sample(frame, DAG(new.values(), ((new[a], new[b]) for a, b in network.edges)))


def _seed(name: str, rows: int, number: int) -> int:
    digest = hashlib.sha256(f"{name} {rows} {number}".encode()).digest()
    return int.from_bytes(digest[:6], "big")


def _random_names(rng: np.random.Generator, count: int) -> list[str]:
    names: dict[str, None] = {}
    while len(names) < count:
        names["".join(rng.choice(_LETTERS, _NAME_LENGTH))] = None
    return list(names)
