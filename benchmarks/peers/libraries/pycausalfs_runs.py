"""pyCausalFS: Markov blankets in Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from benchmarks.peers.libraries import Job
from pyCausalFS.CBD.MBs.PCMB.PCMB import PCMB

PACKAGE = "pyCausalFS"


def blankets_one_by_one(frame: pd.DataFrame, targets: list[str], alpha: float) -> Job:
    """One call per target; pyCausalFS has no call for several."""
    names = list(frame.columns)
    codes = np.column_stack([frame[name].cat.codes for name in names]).astype(int)

    def run() -> list[Any]:
        return [PCMB(codes, names.index(target), alpha, True) for target in targets]

    def describe(found: list[Any]) -> dict[str, list[str]]:
        return {t: sorted(names[i] for i in members) for t, (members, _) in zip(targets, found, strict=True)}

    return Job(run, describe)


def warm_up(frame: pd.DataFrame) -> Job:
    return blankets_one_by_one(frame.iloc[:, :4], [str(frame.columns[0])], 0.05)
