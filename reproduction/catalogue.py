"""The experiments by name, in the order of the paper."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from bitsep.errors import UnknownMethodError, UnsupportedTypeError
from reproduction.experiment import Experiment

EXPERIMENTS: dict[str, str] = {
    "thresholds": "Thresholds for conditional mutual information",
    "error": "Error on independent data",
    "sample-complexity": "Rows needed against domain sizes",
    "d-separation": "Identifying d-separation",
    "domain-size": "Changing the domain size",
    "parents": "Identifying the parents",
    "pc-alarm": "PC-stable on Alarm",
    "pcmb-alarm": "Markov blankets of Alarm with PCMB",
}
"""Name and title of every experiment. Each lives in the module of its name."""


def experiment_named(name: str) -> Experiment:
    """The experiment of this name."""
    if name not in EXPERIMENTS:
        raise UnknownMethodError(f"names: no such experiment; one of {', '.join(EXPERIMENTS)}, got {name!r}.")
    experiment: Experiment = import_module(f"reproduction.{name.replace('-', '_')}").EXPERIMENT
    return experiment


def chosen(names: Sequence[str]) -> list[Experiment]:
    """The experiments asked for, each once, in the order of the paper; all of them if none is named."""
    if isinstance(names, str) or not all(isinstance(name, str) for name in names):
        raise UnsupportedTypeError(f"names has to be a list of names of experiments, not {names!r}")
    wanted = {experiment_named(name).name for name in names} or set(EXPERIMENTS)
    return [experiment_named(name) for name in EXPERIMENTS if name in wanted]
