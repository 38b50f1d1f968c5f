"""The experiments by name, in the order of the paper."""

from __future__ import annotations

from collections.abc import Sequence

from bitsep.errors import UnknownMethodError
from reproduction import (
    d_separation,
    domain_size,
    error,
    parents,
    pc_alarm,
    pcmb_alarm,
    sample_complexity,
    thresholds,
)
from reproduction.experiment import Experiment

EXPERIMENTS: dict[str, Experiment] = {
    module.EXPERIMENT.name: module.EXPERIMENT
    for module in (
        thresholds,
        error,
        sample_complexity,
        d_separation,
        domain_size,
        parents,
        pc_alarm,
        pcmb_alarm,
    )
}


def chosen(names: Sequence[str]) -> list[Experiment]:
    """The experiments of these names, each once, in the order of the paper; all of them if none is named."""
    for name in names:
        if name not in EXPERIMENTS:
            raise UnknownMethodError(f"names: no such experiment; one of {', '.join(EXPERIMENTS)}, got {name!r}.")
    return [experiment for name, experiment in EXPERIMENTS.items() if name in names or not names]
