"""How well recall can be estimated from data: `bitsep.expected_accuracy` beside other ideas.

python -m accuracy.recall                # samples=6: a table in a few minutes
python -m accuracy.recall --samples 2

Every idea estimates the share of the true edges that `discover` finds, without the truth; what an idea has to learn
is learned from the other networks and their sparse tables. The estimates are averaged over the samples of a network
and size and compared with the mean of the true shares. Bootstrap samples come from the runs of
`accuracy.confidence_runs`; the subsamples are searched here.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

import bitsep
from accuracy.confidence import NEAR, accuracy_of, fit, newton, probabilities
from accuracy.confidence_pairs import Run, load
from accuracy.confidence_runs import HELD_OUT, draw_any
from bitsep.assessment.expected import recall_features

Floats = npt.NDArray[np.float64]

HALVINGS = (1, 2, 3, 4)
"""Subsamples have 1/2, 1/4, 1/8 and 1/16 of the rows."""
REPETITIONS = 2
SIMULATIONS = 3
KINDS = ("bundled", "others", "sparse")
"""Networks in the package, others, and networks with permuted copies of their columns."""
_WEAK = 0.99
_LEVEL = 0.001
_PENALTY = 0.1
_USUAL_GROWTH, _SPREAD = 0.6, 0.2


@dataclass(frozen=True)
class Case:
    """One sample: its run with bootstrap samples, the shares of its edges that subsamples have, the recall in tables
    drawn from the network that was fitted to it, and the number of independences implied by its graph that are refuted
    at the level 0.1%."""

    run: Run
    shares: Floats
    simulated: float
    refuted: int

    @property
    def cell(self) -> tuple[str, int]:
        """Network and rows."""
        return self.run.network, self.run.rows

    @property
    def kind(self) -> str:
        """One of `KINDS`."""
        return "sparse" if self.run.has_few_edges else "others" if self.run.network in HELD_OUT else "bundled"

    @property
    def edges(self) -> int:
        """The number of edges found."""
        return int(self.run.drawn.sum())

    @property
    def lacking(self) -> float:
        """The mean share of bootstrap samples that lack an edge."""
        return self.run.lacking if self.edges else 1.0

    @property
    def recall(self) -> float:
        """The true recall."""
        return accuracy_of(self.run, self.run.weights)[3]

    @property
    def support(self) -> Floats:
        """Of the edges found."""
        return np.array([pair[2] / 100 for pair in self.run.pairs if pair[5]])


def cases(samples: int) -> list[Case]:
    """The first samples of every network and size, with their subsamples."""
    found = []
    seen: dict[tuple[str, int], int] = {}
    for run in load("discover"):
        if run.has_few_edges and not run.network.startswith("sparse "):
            continue
        sample = seen[run.network, run.rows] = seen.get((run.network, run.rows), -1) + 1
        if sample < samples:
            found.append(Case(run, *_searched_again(run.network, run.rows, sample)))
    return found


def _searched_again(network: str, rows: int, sample: int) -> tuple[Floats, float, int]:
    frame = draw_any(network, rows, sample).frame
    d = bitsep.discover(bitsep.Table(frame), threads=1)
    edges = set(d.edges)
    rng = np.random.default_rng(sample)
    shares = []
    for halvings in HALVINGS:
        kept = [frame.iloc[rng.choice(rows, rows >> halvings, replace=False)] for _ in range(REPETITIONS)]
        common = [len(edges & set(bitsep.discover(bitsep.Table(part), threads=1).edges)) for part in kept]
        shares.append((np.mean(common) + 0.25) / (len(edges) + 0.5))
    fitted = bitsep.Network.fit(d.to_dag(), bitsep.Table(frame))
    tables = [fitted.sample(rows, seed=seed) for seed in range(SIMULATIONS)]
    recalls = [bitsep.discover(bitsep.Table(table), threads=1).compare(fitted).recall for table in tables]
    implied = bitsep.check(d.to_dag(), bitsep.Table(frame), threads=1).independences
    refuted = sum(one.result.p_value is not None and one.result.p_value < _LEVEL for one in implied)
    return np.array(shares), float(np.mean(recalls)), refuted


def from_probabilities(known: Sequence[Case]) -> Callable[[Case], float]:
    """The probabilities of the edges found, divided by those of all pairs."""
    coefficients = fit([case.run for case in known])
    return lambda case: accuracy_of(case.run, probabilities(case.run, coefficients))[1]


def from_weak_edges(known: Sequence[Case]) -> Callable[[Case], float]:
    """As many edges are missed as a multiple of those found that some bootstrap sample lacks."""

    def weak(case: Case) -> float:
        return float((case.support < _WEAK).sum())

    missed = sum(case.edges * (1 / max(case.recall, 0.05) - 1) for case in known)
    factor = missed / sum(map(weak, known))
    return lambda case: case.edges / (case.edges + factor * weak(case)) if case.edges else 0.0


def from_learning_curve(known: Sequence[Case]) -> Callable[[Case], float]:
    """The logit of recall grows linearly with the logarithm of the rows; level and growth fit the subsamples best."""
    del known
    halvings = np.array(HALVINGS)

    def estimate(case: Case) -> float:
        levels = np.linspace(-3, 6, 91)[:, None, None]
        growth = np.linspace(0.1, 1.5, 57)[None, :, None]
        curve = (1 + np.exp(-levels)) / (1 + np.exp(-levels + growth * halvings))
        kept = np.clip(case.shares, 0.02, 0.98)
        deviation = np.sqrt(kept * (1 - kept) / (2 * max(case.edges, 1))) + 0.01
        misfit = (((curve - case.shares) / deviation) ** 2).sum(2)
        misfit += ((growth[:, :, 0] - _USUAL_GROWTH) / _SPREAD) ** 2 + ((levels[:, :, 0] - 1) / 2) ** 2
        place = np.unravel_index(int(misfit.argmin()), misfit.shape)
        return float(1 / (1 + math.exp(-levels[place[0], 0, 0])))

    return estimate


def from_simulation(known: Sequence[Case]) -> Callable[[Case], float]:
    """The recall in tables drawn from the network that was fitted to the graph found."""
    del known
    return lambda case: case.simulated


def from_regression(known: Sequence[Case]) -> Callable[[Case], float]:
    """Logistic regression of recall on variables, edges per variable and the share of weak edges."""

    def numbers(case: Case) -> Floats:
        variables, edges = case.run.variables, case.edges + 0.5
        weak = (case.support < 0.9).sum() + 0.3
        return np.array([1, math.log(variables / 20), math.log(edges / variables), math.log(weak / edges) + 2])

    return _regression(known, numbers)


def from_instability(known: Sequence[Case]) -> Callable[[Case], float]:
    """What bitsep does: logistic regression on the logit of what the probabilities say, and on instability."""
    estimate = from_probabilities(known)
    return _regression(known, lambda case: np.array(recall_features(estimate(case), case.lacking)))


def from_refuted(known: Sequence[Case]) -> Callable[[Case], float]:
    """The same, and on the independences implied by the graph that are refuted, per edge."""
    estimate = from_probabilities(known)

    def numbers(case: Case) -> Floats:
        refuted = math.log((case.refuted + 0.5) / (case.edges + 1))
        return np.array([*recall_features(estimate(case), case.lacking), refuted])

    return _regression(known, numbers)


def _regression(known: Sequence[Case], numbers: Callable[[Case], Floats]) -> Callable[[Case], float]:
    x, y = np.array([numbers(case) for case in known]), np.array([case.recall for case in known])
    b = newton(x, y, np.ones(len(y)), np.zeros(len(y)), _PENALTY)
    return lambda case: float(1 / (1 + np.exp(-numbers(case) @ b)))


IDEAS = {
    "probabilities": from_probabilities,
    "multiple of the weak edges": from_weak_edges,
    "learning curve of subsamples": from_learning_curve,
    "simulation": from_simulation,
    "regression": from_regression,
    "probabilities and instability (bitsep)": from_instability,
    "… and refuted independences": from_refuted,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=6, metavar="N", help="samples of each network and size")
    some = cases(parser.parse_args(arguments).samples)
    networks = sorted({case.run.source for case in some})
    estimates: dict[str, Floats] = {}
    for name, idea in IDEAS.items():
        learned = {left: idea([case for case in some if case.run.source != left]) for left in networks}
        estimates[name] = np.array([learned[case.run.source](case) for case in some])
    estimates["mean of all"] = np.mean(list(estimates.values()), axis=0)
    print(
        "| idea, learned from the other networks"
        + "".join(f" | {kind}: within .05 | mean error" for kind in KINDS)
        + " |"
    )
    print("| --- |" + " ---: | ---: |" * len(KINDS))
    for name, values in estimates.items():
        line = [name]
        for kind in KINDS:
            errors = []
            for cell in sorted({case.cell for case in some if case.kind == kind}):
                inside = [k for k, case in enumerate(some) if case.cell == cell]
                errors.append(abs(np.mean([values[k] - some[k].recall for k in inside])))
            if not errors:
                line += ["", ""]
                continue
            line += [f"{sum(error <= NEAR for error in errors)} of {len(errors)}"]
            line += [f"{np.mean(errors):.3f} ± {np.std(errors, ddof=1) / math.sqrt(len(errors)):.3f}"]
        print(f"| {' | '.join(line)} |")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
