"""The numbers of the project's fact sheet on Alarm: means of 10 runs of an independent implementation, 2026-11."""

from __future__ import annotations

from statistics import mean

import pandas as pd
import pytest

from bitsep import load_network, markov_blankets, pc_stable

ALARM = load_network("alarm")

# F1 of the skeleton of PC-stable at n rows, alpha .05 where a test has one; spread: standard deviation over runs
F1 = {
    "sci_f": {100: 0.59, 500: 0.84, 1000: 0.90, 5000: 0.95, 20000: 0.96},
    "sci_q": {100: 0.33, 500: 0.48, 1000: 0.55, 5000: 0.77, 20000: 0.85},
    "jic": {100: 0.10, 500: 0.38, 1000: 0.47, 5000: 0.64, 20000: 0.82},
    "g2": {100: 0.28, 500: 0.52, 1000: 0.68, 5000: 0.84, 20000: 0.93},
    "g2_adjusted": {100: 0.56, 500: 0.83, 1000: 0.90, 5000: 0.96, 20000: 0.97},
}
F1_SPREAD = {100: 0.05, 500: 0.03, 1000: 0.015, 5000: 0.015, 20000: 0.015}

# micro precision and recall of PCMB over all 37 blankets
PCMB = {
    "sci_f": {500: (0.96, 0.63), 2000: (1.0, 0.80), 20000: (1.0, 0.85)},
    "sci_q": {500: (0.94, 0.33), 2000: (0.99, 0.48), 20000: (1.0, 0.72)},
    "jic": {500: (0.90, 0.24), 2000: (0.97, 0.35), 20000: (1.0, 0.60)},
    "g2": {500: (0.96, 0.38), 2000: (1.0, 0.56), 20000: (0.98, 0.83)},
    "g2_adjusted": {500: (0.97, 0.62), 2000: (0.98, 0.79), 20000: (0.98, 0.89)},
}
# The sheet gives the spread of recall as .04 at 500 and .02 beyond. At 2,000 it is wider: .032 for sci_f, and .02 to
# .033 for the others, over 40 runs (seeds 1000 to 1039), where the mean for sci_f is .786 against the sheet's .80. The
# ten runs below give .772 there, outside .02; their seeds stay as first written, and the measured spread is used.
PCMB_SPREAD = {500: 0.04, 2000: 0.032, 20000: 0.02}

_samples: dict[int, list[pd.DataFrame]] = {}


def samples(n: int) -> list[pd.DataFrame]:
    if n not in _samples:
        _samples[n] = [ALARM.sample(n, seed=100 + run) for run in range(10)]
    return _samples[n]


def check_f1(method: str, n: int) -> None:
    found = mean(pc_stable(data, method=method).compare(ALARM).f1 for data in samples(n))
    assert found == pytest.approx(F1[method][n], abs=F1_SPREAD[n] + 0.005)  # the sheet has two digits


def check_pcmb(method: str, n: int) -> None:
    precisions, recalls = [], []
    for data in samples(n):
        blankets = {v: set(m.members) for v, m in markov_blankets(data, method=method).items()}
        hits = sum(len(blankets[v] & set(ALARM.markov_blanket(v))) for v in blankets)
        precisions.append(hits / max(1, sum(map(len, blankets.values()))))
        recalls.append(hits / sum(len(ALARM.markov_blanket(v)) for v in blankets))
    precision, recall = PCMB[method][n]
    assert mean(precisions) == pytest.approx(precision, abs=PCMB_SPREAD[n] + 0.005)
    assert mean(recalls) == pytest.approx(recall, abs=PCMB_SPREAD[n] + 0.005)


@pytest.mark.parametrize("n", [500, 1000])
@pytest.mark.parametrize("method", F1)
def test_f1_of_pc_stable(method: str, n: int) -> None:
    check_f1(method, n)


@pytest.mark.slow
@pytest.mark.parametrize("n", [100, 5000, 20000])
@pytest.mark.parametrize("method", F1)
def test_f1_of_pc_stable_at_other_sizes(method: str, n: int) -> None:
    check_f1(method, n)


@pytest.mark.parametrize("method", PCMB)
def test_precision_and_recall_of_pcmb(method: str) -> None:
    check_pcmb(method, 500)


@pytest.mark.slow
@pytest.mark.parametrize("n", [2000, 20000])
@pytest.mark.parametrize("method", PCMB)
def test_precision_and_recall_of_pcmb_at_other_sizes(method: str, n: int) -> None:
    check_pcmb(method, n)
