"""bitsep: tests of conditional independence, causal graphs and Markov blankets for categorical data.

Public names are imported lazily, so that ``import bitsep`` is fast.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# public name -> module that defines it
_MODULES = {
    "BitsepError": "bitsep.errors",
    "DAG": "bitsep.graphs",
    "MAG": "bitsep.graphs",
    "PAG": "bitsep.graphs",
    "PDAG": "bitsep.graphs",
    "Counts": "bitsep.counting",
    "Discovery": "bitsep.discovery",
    "IndependenceCriterion": "bitsep.independence",
    "IndependenceResult": "bitsep.independence",
    "Judgment": "bitsep.independence",
    "Knowledge": "bitsep.discovery",
    "MarkovBlanket": "bitsep.discovery",
    "Network": "bitsep.networks",
    "OddsRatio": "bitsep.independence",
    "Oracle": "bitsep.independence",
    "Pairwise": "bitsep.discovery",
    "Power": "bitsep.independence",
    "Separation": "bitsep.independence",
    "StratumEffect": "bitsep.independence",
    "Table": "bitsep.data",
    "boss": "bitsep.discovery",
    "check": "bitsep.checking",
    "compare_settings": "bitsep.assessment",
    "describe": "bitsep.data.profile",
    "discover": "bitsep.discovery",
    "discretize": "bitsep.data.discretization.api",
    "evaluate": "bitsep.independence",
    "fci": "bitsep.discovery",
    "expected_accuracy": "bitsep.assessment",
    "hill_climb": "bitsep.discovery",
    "independence_test": "bitsep.independence",
    "load_network": "bitsep.networks",
    "log2_regret": "bitsep.complexity",
    "markov_blanket": "bitsep.discovery",
    "markov_blankets": "bitsep.discovery",
    "network_names": "bitsep.networks",
    "pairwise": "bitsep.discovery",
    "pc_stable": "bitsep.discovery",
    "power": "bitsep.independence",
    "read_bif": "bitsep.networks",
    "sample_size_bound": "bitsep.independence",
    "scan": "bitsep.data.scan",
    "scan_parquet": "bitsep.data.scan",
    "scan_spark": "bitsep.data.spark",
    "score": "bitsep.scores",
    "separate": "bitsep.independence",
    "stochastic_complexity": "bitsep.independence",
}
_PACKAGES = ("adapters", "errors", "graphs", "networks", "report")

__all__ = [
    "DAG",
    "MAG",
    "PAG",
    "PDAG",
    "BitsepError",
    "Counts",
    "Discovery",
    "IndependenceCriterion",
    "IndependenceResult",
    "Judgment",
    "Knowledge",
    "MarkovBlanket",
    "Network",
    "OddsRatio",
    "Oracle",
    "Pairwise",
    "Power",
    "Separation",
    "StratumEffect",
    "Table",
    "__version__",
    "boss",
    "check",
    "compare_settings",
    "describe",
    "discover",
    "discretize",
    "evaluate",
    "expected_accuracy",
    "fci",
    "hill_climb",
    "independence_test",
    "load_network",
    "log2_regret",
    "markov_blanket",
    "markov_blankets",
    "network_names",
    "pairwise",
    "pc_stable",
    "power",
    "read_bif",
    "sample_size_bound",
    "scan",
    "scan_parquet",
    "scan_spark",
    "score",
    "separate",
    "stochastic_complexity",
]

if TYPE_CHECKING:
    from bitsep.assessment import compare_settings, expected_accuracy
    from bitsep.checking import check
    from bitsep.complexity import log2_regret
    from bitsep.counting import Counts
    from bitsep.data import Table
    from bitsep.data.discretization.api import discretize
    from bitsep.data.profile import describe
    from bitsep.data.scan import scan, scan_parquet
    from bitsep.data.spark import scan_spark
    from bitsep.discovery import (
        Discovery,
        Knowledge,
        MarkovBlanket,
        Pairwise,
        boss,
        discover,
        fci,
        hill_climb,
        markov_blanket,
        markov_blankets,
        pairwise,
        pc_stable,
    )
    from bitsep.errors import BitsepError
    from bitsep.graphs import DAG, MAG, PAG, PDAG
    from bitsep.independence import (
        IndependenceCriterion,
        IndependenceResult,
        Judgment,
        OddsRatio,
        Oracle,
        Power,
        Separation,
        StratumEffect,
        evaluate,
        independence_test,
        power,
        sample_size_bound,
        separate,
        stochastic_complexity,
    )
    from bitsep.networks import Network, load_network, network_names, read_bif
    from bitsep.scores import score


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        value = getattr(importlib.import_module(_MODULES[name]), name)
    elif name in _PACKAGES:
        value = importlib.import_module(f"bitsep.{name}")
    else:
        raise AttributeError(f"module 'bitsep' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, *_PACKAGES])
