"""What is measured: searches, networks, sizes, samples, and when a cell is given up.

A *cell* is a search on samples of one size from one network; a *series* has the cells of all sizes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from accuracy.runs import Run
from accuracy.samples import network_names
from accuracy.searches import Search, parse

DEFAULT = "discover"
"""The recommended search."""

SIZES = (200, 500, 1_000, 2_000, 5_000, 10_000, 20_000)
MORE_SIZES = (100, 100_000)
"""Sizes at which only the default is measured."""

SAMPLES = 10

LARGE_NETWORKS = ("andes", "pigs")
LARGE_SEARCHES = (DEFAULT, "hill_climb")
LARGE_SAMPLES = 3

LIMIT = 120.0
PEER_LIMIT = 300.0
"""Seconds after which a run is stopped."""

MAX_TIME_OUTS = 2
"""After so many time-outs in a cell the rest of it and the cells of larger samples are skipped."""

SLOW = 30.0
SLOW_SAMPLES = 3
"""The number of samples of another library in a cell where one run takes more than `SLOW` seconds."""

TESTS = (
    "sci_f",
    "sci_q",
    "sci_fs",
    "jic",
    "g2",
    "g2_adjusted",
    "x2",
    "x2_calibrated",
    "u_calibrated",
    "cmi_gamma",
    "cmi_gamma_halved",
)
ORIENTATIONS = ("evidence", "majority", "conservative", "standard")
SCORES = ("fnml", "qnml", "bdeu", "bic")
TESTS_WITHOUT_THRESHOLD = ("cmi",)
"""Only exact independence counts, so almost nothing is separated; one orientation rule is enough."""

PEER_SEARCHES = (
    "pyagrum.hill_climb:score=bdeu",
    "pyagrum.hill_climb:score=bic",
    "pyagrum.tabu:score=bdeu",
    "pyagrum.tabu:score=bic",
    "pyagrum.miic",
    "causallearn.pc",
    "causallearn.ges",
    "pgmpy.hill_climb:score=bic",
    "pgmpy.hill_climb:score=bdeu",
    "pgmpy.ges:score=bic",
    "pgmpy.ges:score=bdeu",
)
"""With both scores where a library has them, because neither is better on all networks; the fast libraries first."""


@dataclass(frozen=True)
class Series:
    """A search on samples of one network, by increasing size; the samples are numbered from `first`."""

    search: Search
    network: str
    sizes: tuple[int, ...]
    samples: int
    first: int = 0

    @property
    def limit(self) -> float:
        """Seconds after which a run is stopped."""
        return PEER_LIMIT if self.search.is_peer else LIMIT

    def next_sample(self, done: Sequence[Run]) -> int | None:
        """The number of the next sample in a cell with these runs; None if the cell is finished or given up."""
        wanted = self.samples
        if self.search.is_peer and any(run.seconds > SLOW for run in done):
            wanted = min(wanted, SLOW_SAMPLES)
        left = sorted(set(range(self.first, self.first + wanted)) - {run.sample for run in done})
        return None if is_given_up(done) or not left else left[0]


def is_given_up(done: Iterable[Run]) -> bool:
    """Whether the rest of a cell with these runs and the cells of larger samples are skipped."""
    return sum(run.outcome == "time-out" for run in done) >= MAX_TIME_OUTS


def full_searches() -> tuple[str, ...]:
    """All searches of the benchmark."""
    tests = [f"pc_stable:method={test},orientation={rule}" for test in TESTS for rule in ORIENTATIONS]
    tests += [f"pc_stable:method={test}" for test in TESTS_WITHOUT_THRESHOLD]
    scores = [f"{search}:score={score}" for search in ("boss", "hill_climb") for score in SCORES]
    return (DEFAULT, "hill_climb", *scores, *tests, *PEER_SEARCHES)


def full_plan() -> list[Series]:
    """The series of the whole benchmark, those of the default first."""
    return [series for search in full_searches() for network in network_names() if (series := _series(search, network))]


def _series(search: str, network: str) -> Series | None:
    large = network in LARGE_NETWORKS
    if large and search not in LARGE_SEARCHES:
        return None
    sizes = sorted((*SIZES, *MORE_SIZES)) if search == DEFAULT else SIZES
    return Series(parse(search), network, tuple(sizes), LARGE_SAMPLES if large else SAMPLES)
