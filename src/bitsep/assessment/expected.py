"""`bitsep.expected_accuracy`: how close to the truth a found graph is, and would be with more rows."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bitsep.assessment.again import data_of, search_again
from bitsep.checks import integer, shown
from bitsep.data.table import Table
from bitsep.discovery import Discovery
from bitsep.discovery.calibration import Probabilities
from bitsep.discovery.evidence import Pair
from bitsep.errors import ArgumentError, UnsupportedTypeError
from bitsep.graphs import DAG, PAG, compare
from bitsep.networks import Network
from bitsep.progress import ProgressCallback, Step, reporter

if TYPE_CHECKING:
    import pandas as pd

BOOTSTRAP = 100
"""The bootstrap samples that are drawn if the discovery has none."""

RECALL_GROWTH = 0.3
"""By how much the logit of recall grows if rows double, at least: the median over known networks."""

RECALL = (-1.169, 0.371, -0.922)
"""What the numbers of `recall_features` are multiplied with to give the logit of recall, in searches by score (`python
-m accuracy.confidence --fit`)."""

_SURE = 0.02  # added to the share of samples that lack an edge, whose logarithm is finite then
_EDGE = 0.005  # shares are kept at least this far from 0 and 1, where logits are infinite


@dataclass(frozen=True, slots=True)
class Expectation:
    """What to expect of a search in tables with this number of rows: means of the skeleton's precision and recall, and
    of the structural Hamming distance between CPDAGs."""

    rows: int
    precision: float
    recall: float
    shd: float


@dataclass(frozen=True, repr=False)
class ExpectedAccuracy:
    """The accuracy to expect of a graph.

    Attributes
    ----------
    precision : float
        The share of the edges found that are expected to be true.
    recall : float
        The share of the true edges that are expected to be found.
    shd : float
        The expected structural Hamming distance to the true CPDAG.
    rows : int
        The number of rows of the data.
    edges : int
        The number of edges found.
    expectations : tuple of Expectation
        The same for other numbers of rows.
    """

    precision: float
    recall: float
    shd: float
    rows: int
    edges: int
    expectations: tuple[Expectation, ...]

    @property
    def frame(self) -> pd.DataFrame:
        """One line per number of rows: rows, precision, recall, shd."""
        import pandas as pd

        names = ("rows", "precision", "recall", "shd")
        return pd.DataFrame(
            [[getattr(one, name) for name in names] for one in self.expectations], columns=pd.Index(names)
        )

    @property
    def sentence(self) -> str:
        """The result in one or two sentences."""
        if not self.edges:
            missing = f"about {self.shd:.1f} are" if self.shd >= 0.05 else "none is"
            return f"No edge was found, and {missing} expected to be missing ({self.rows:,} rows)."
        text = (
            f"About {self.precision:.0%} of the edges found are expected to be true, and about {self.recall:.0%} of "
            f"the true edges to be found (SHD {self.shd:.1f}, {self.rows:,} rows)."
        )
        more = [one for one in self.expectations if one.rows > self.rows]
        if not more:
            return text
        most = max(more, key=lambda one: one.rows)
        return f"{text} With {most.rows:,} rows: {most.precision:.0%} and {most.recall:.0%} (SHD {most.shd:.1f})."

    def to_dict(self) -> dict[str, Any]:
        """The attributes as values that JSON can represent."""
        return {
            "precision": self.precision,
            "recall": self.recall,
            "shd": self.shd,
            "rows": self.rows,
            "edges": self.edges,
            "expectations": [
                {"rows": one.rows, "precision": one.precision, "recall": one.recall, "shd": one.shd}
                for one in self.expectations
            ],
        }

    def __repr__(self) -> str:
        return (
            f"<ExpectedAccuracy: precision {self.precision:.2f}, recall {self.recall:.2f}, SHD {self.shd:.1f}, "
            f"{self.rows:,} rows>"
        )

    def __str__(self) -> str:
        return self.sentence


def expected_accuracy(
    d: Discovery,
    data: Any = None,
    rows: Iterable[int] | None = None,
    samples: int = 20,
    seed: int = 0,
    threads: int | None = None,
    progress: bool | ProgressCallback = False,
) -> ExpectedAccuracy:
    """How close to the truth a graph is expected to be, and would be with more rows.

    Parameters
    ----------
    d : Discovery
        The graph, found in data. If the search had no bootstrap samples, 100 are drawn now.
    data : table, optional
        The data in which it was found; needed if the discovery was read from JSON.
    rows : iterable of int, optional
        Numbers of rows; default: n, 2 n and 5 n.
    samples : int
        The number of simulated tables for each number of rows.
    seed : int
        The seed of the simulation and, if they are drawn now, of the bootstrap samples.
    threads : int, optional
        The number of threads; default: all cores. The result does not depend on it.
    progress : bool or callable
        True shows a progress bar if stderr is a terminal; a callable is called with (stage, finished, total).

    Returns
    -------
    ExpectedAccuracy
        Precision, recall and SHD at the present number of rows; `frame` has a line for every number of rows.

    Raises
    ------
    ArgumentError
        If the graph is a PAG, the discovery has no rows (an oracle) or no data, it used a test written in Python or
        max_parents=0, or rows or samples is below 1.
    UnsupportedTypeError
        If d is not a discovery, or rows not a list of integers.
    UnknownColumnError
        If the data do not have a variable of the graph.

    Notes
    -----
    At the present number of rows, precision and recall follow from the calibrated probabilities
    (`Discovery.probability`): the expected number of true edges is their sum over all pairs, the expected number of
    those found their sum over the edges of the graph. In searches by score this recall is corrected, by a map that was
    fitted to known networks: where bootstrap samples lack many edges of the graph, more of the true ones are missing.

    For other numbers of rows, tables are drawn from a Bayesian network that is fitted to the graph, and searched with
    the same settings. In this network only edges that were found exist, so it is easier to learn than the truth;
    only the *change* of precision and recall with the number of rows is taken from it, as a difference of logits. With
    more rows the logit of recall grows by at least 0.3 for each doubling, as it does on known networks in the median:
    the edges that are still missing are not in the simulation. The share of edges with a wrong direction, for the SHD,
    is that of the simulation.

    Knowledge counts as true: pairs that it keeps apart have no true edges.

    Weak edges that no sample shows are hardly visible in the data: recall is less certain than precision. See the
    page on confidence for measurements.

    Examples
    --------
    >>> import bitsep
    >>> d = bitsep.discover(bitsep.load_network("asia").sample(2000, seed=1), bootstrap=100)
    >>> e = bitsep.expected_accuracy(d, samples=5)
    >>> 0.8 < e.precision <= 1, list(e.frame["rows"])
    (True, [2000, 4000, 10000])
    """
    if not isinstance(d, Discovery):
        raise UnsupportedTypeError(f"d: must be a bitsep.Discovery, got {type(d).__name__}.")
    if isinstance(d.graph, PAG):
        raise ArgumentError("d: must be a graph without hidden variables, got a PAG.")
    present = int(d.settings["n"])
    if not present:
        raise ArgumentError("d: must be found in data, got a discovery of an oracle or without rows.")
    if d.settings.get("max_parents") == 0:
        raise ArgumentError("d: must be found by a search that can add edges, got max_parents=0.")
    sizes = [present, 2 * present, 5 * present] if rows is None else _checked_rows(rows)
    samples = integer("samples", samples, at_least=1)
    seed = integer("seed", seed, at_least=0)
    dag = d.to_dag()
    source = data_of(d, data)
    network = Network.fit(dag, source, threads=threads)
    with reporter(progress) as report:
        known = d
        if not d.settings["bootstrap"]:
            known = search_again(d, source, threads, BOOTSTRAP, seed)
        now = _present(known.probability, d.edges, d.by_score, len(d.separations))
        wanted = sorted({present, *sizes})
        step = report.stage("simulating")
        simulated = {
            n: _simulate(d, network, n, samples, seed, threads, step, (k, len(wanted))) for k, n in enumerate(wanted)
        }
    found = {}
    for n, one in simulated.items():
        correct = now.told * _shifted(now.precision, one[0], simulated[present][0])
        grown = RECALL_GROWTH * math.log2(n / present) if n > present else -math.inf
        complete = now.told * _shifted(now.recall, one[1], simulated[present][1], at_least=grown)
        shd = min(_shd(correct, complete, now.true_edges, one[2]), float(math.comb(len(d.variables), 2)))
        found[n] = Expectation(n, correct, complete, shd)
    first = found[present]
    return ExpectedAccuracy(
        first.precision, first.recall, first.shd, present, len(d.edges), tuple(found[n] for n in sizes)
    )


class _Present(NamedTuple):
    """What to expect with the rows of the data, if an edge counts as true that is true for a copy of its variables.

    precision, recall : the shares of the edges found that are true, and of the true edges that are found.
    told : the share of the true edges found that are at the right one of several copies: more rows do not change it.
    true_edges : the number of true edges.
    """

    precision: float
    recall: float
    told: float
    true_edges: float


def _present(probability: Probabilities, edges: Collection[Pair], by_score: bool, separations: int) -> _Present:
    true_edges = math.fsum(probability.values())
    exactly = math.fsum(probability[pair] for pair in edges)
    free = [pair for pair in edges if probability.decided(pair) is None]
    if not free:
        return _Present(1.0, len(edges) / true_edges if true_edges else 1.0, 1.0, true_edges)
    required = len(edges) - len(free)
    alike = [probability.alike(pair) for pair in free]
    found = math.fsum(one.probability for pair, one in zip(free, alike, strict=True) if pair == one.chosen)
    if by_score:
        lacking = 1 - math.fsum(one.support.edge for one in alike) / len(free)
        recall = recall_estimate(found / (true_edges - required), lacking)
        true_edges = required + found / max(recall, found / (found + separations))
    found += required
    return _Present(found / len(edges), found / true_edges, exactly / found, true_edges)


def recall_estimate(by_probability: float, lacking: float) -> float:
    """The share of the true edges that a search by score finds, from the numbers of `recall_features`."""
    numbers = recall_features(by_probability, lacking)
    return 1 / (1 + math.exp(-sum(a * b for a, b in zip(RECALL, numbers, strict=True))))


def recall_features(by_probability: float, lacking: float) -> tuple[float, float, float]:
    """The numbers of which the logit of recall is a linear function.

    They are 1, the logit of what the probabilities say, and the logarithm of the mean share of bootstrap samples that
    lack an edge of the graph: where edges found are in few samples, more of the true ones are not found at all.
    """
    return 1.0, _logit(by_probability), math.log(lacking + _SURE)


def _checked_rows(rows: Any) -> list[int]:
    if isinstance(rows, str) or not isinstance(rows, Iterable):
        raise UnsupportedTypeError(f"rows: must be a list of integers, got {shown(rows)}.", hint="Write rows=[1000].")
    return [integer("rows", n, at_least=1) for n in rows]


def _simulate(
    d: Discovery,
    network: Network,
    rows: int,
    samples: int,
    seed: int,
    threads: int | None,
    step: Step | None,
    stage: tuple[int, int],
) -> tuple[float, float, float]:
    """Mean precision, recall, and share of the common edges that have another mark, in tables of this many rows."""
    found = []
    number, stages = stage
    for k in range(samples):
        if step is not None:
            step(number * samples + k, stages * samples)
        child = int(np.random.SeedSequence([seed, rows, k]).generate_state(1, np.uint32)[0])
        again = search_again(d, Table(network.sample(rows, seed=child)), threads)
        found.append(_compared(again, network.dag))
    precision, recall, other = (math.fsum(column) / samples for column in zip(*found, strict=True))
    return precision, recall, other


def _compared(found: Discovery, truth: DAG) -> tuple[float, float, float]:
    comparison = compare(found.graph, truth)
    common = len(found.graph.skeleton) - len(comparison.extra)
    other = comparison.shd - len(comparison.extra) - len(comparison.missing)
    return comparison.precision, comparison.recall, other / common if common else 0.0


def _shifted(share: float, simulated: float, simulated_now: float, at_least: float = -math.inf) -> float:
    """The share with other rows: its logit changes as in the simulation, or by a larger number."""
    change = max(_logit(simulated) - _logit(simulated_now), at_least)
    if not change:
        return share
    shifted = 1 / (1 + math.exp(-(_logit(share) + change)))
    return max(share, shifted) if change > 0 else min(share, shifted)  # a share near 0 or 1 moves the right way, too


def _logit(share: float) -> float:
    kept = min(max(share, _EDGE), 1 - _EDGE)
    return math.log(kept / (1 - kept))


def _shd(precision: float, recall: float, true_edges: float, other_marks: float) -> float:
    """Edges too many, edges missing, and edges with another mark."""
    common = true_edges * recall
    return common * (1 / precision - 1) + (true_edges - common) + common * other_marks
