"""How good calibrated probabilities and consensus graphs are, from the runs of `accuracy.confidence_runs`.

python -m accuracy.confidence               # tables, and docs/images/confidence-reliability.svg and .png
python -m accuracy.confidence --fit         # also the coefficients that fit these runs best
python -m accuracy.confidence --bootstrap 10    # as if each search had only so many bootstrap samples

*Fitted* figures are those of the coefficients in bitsep. For the *left out* figures, the coefficients were fitted to
all networks but the one that is measured, and but the tables with few edges that have its columns.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from accuracy.confidence_pairs import Floats, Run, load
from accuracy.confidence_runs import BACKWARD, COPIES, FORWARD, HELD_OUT, SEARCHES, SIZES
from bitsep.assessment.expected import recall_estimate, recall_features
from bitsep.discovery.calibration import BY_SCORE, BY_TESTS, Coefficients
from bitsep.discovery.consensus import Agreement, agreed, is_chosen

Figures = tuple[float, float, float, float]

FIGURE = Path(__file__).parents[1] / "docs" / "images" / "confidence-reliability"
LOWEST = 0.05
"""Pairs with a lower probability are not part of the calibration error."""
BINS = 10
MIN_PAIRS = 200
THRESHOLD = 0.5
NEAR = 0.05
"""The error of precision or recall that counts as small."""

_TINY_PENALTY = 1e-4
_LARGEST = 500.0  # its exponential is finite
_LONGEST_STEP = 5.0
_MARKS = {1: "→", 2: "←", 3: "—", 0: ""}


def probabilities(run: Run, coefficients: npt.ArrayLike) -> Floats:
    """The probability of each line of a run."""
    return np.asarray(1 / (1 + np.exp(-run.features @ np.asarray(coefficients)))) / run.alike


def fit(runs: Sequence[Run]) -> Floats:
    """The coefficients: that of few edges, the last, from all runs, after the others, from those with many edges."""
    many = [run for run in runs if not run.has_few_edges]
    found = _regression(many, [run.features[:, :-1] for run in many], [np.zeros(1)] * len(many))
    offsets = [run.features[:, :-1] @ found for run in runs]
    return np.append(found, _regression(runs, [run.features[:, -1:] for run in runs], offsets))


def _regression(runs: Sequence[Run], features: Sequence[Floats], offsets: Sequence[Floats]) -> Floats:
    """Logistic regression, by Newton's method, in which every network has the same weight; without pairs of copies."""
    seen: dict[str, int] = {}
    for run in runs:  # independent variables: hardly any pair is seen
        seen[run.network] = seen.get(run.network, 0) + max(run.seen, run.variables * run.has_few_edges)
    x = np.concatenate(features)
    y = np.concatenate([run.true for run in runs])
    w = np.concatenate([(run.alike == 1) * run.weights * 1_000 / seen[run.network] for run in runs])
    offset = np.concatenate([np.broadcast_to(o, run.weights.shape) for o, run in zip(offsets, runs, strict=True)])
    return newton(x, y, w, offset)


def newton(x: Floats, y: Floats, w: Floats, offset: Floats, penalty: float = _TINY_PENALTY) -> Floats:
    """The coefficients of a weighted logistic regression with an offset and a penalty on their squares."""
    b = np.zeros(x.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(np.minimum(-offset - x @ b, _LARGEST)))
        gradient = x.T @ (w * (y - p)) - penalty * b
        curvature = (x * (w * p * (1 - p))[:, None]).T @ x + penalty * np.eye(len(b))
        step = np.linalg.solve(curvature, gradient)
        step *= _LONGEST_STEP / max(_LONGEST_STEP, np.abs(step).max())
        b += step
        if np.abs(step).max() < 1e-9:
            break
    return b


@dataclass(frozen=True)
class Calibration:
    """Sums over the pairs in each of ten bins of probabilities: their number, their probabilities, the true edges."""

    pairs: Floats
    expected: Floats
    true: Floats

    @classmethod
    def of(cls, runs: Sequence[Run], probability: Callable[[Run], Floats]) -> Calibration:
        sums = np.zeros((3, BINS))
        for run in runs:
            p = probability(run)
            kept = p >= LOWEST
            places = np.minimum((p[kept] * BINS).astype(int), BINS - 1)
            weights = run.weights[kept]
            for row, values in zip(sums, (weights, weights * p[kept], weights * run.true[kept]), strict=True):
                np.add.at(row, places, values)
        return cls(*sums)

    @property
    def error(self) -> float:
        """The expected calibration error."""
        return float(np.abs(self.expected - self.true).sum() / max(self.pairs.sum(), 1))


def shd(run: Run, marks: dict[tuple[int, int], str]) -> int:
    """The structural Hamming distance of a graph to the true CPDAG."""
    true = {(pair[0], pair[1]): _MARKS[pair[6]] for pair in run.pairs if pair[6]}
    return sum(marks.get(pair, "") != true.get(pair, "") for pair in marks.keys() | true.keys())


def single(run: Run) -> dict[tuple[int, int], str]:
    """The marks of the graph of all rows."""
    return {(pair[0], pair[1]): _MARKS[pair[5]] for pair in run.pairs if pair[5]}


def consensus(
    run: Run,
    probability: Floats,
    is_kept: Callable[[float, bool], bool] = lambda p, drawn: is_chosen(p, drawn, THRESHOLD),
) -> dict[tuple[int, int], str]:
    """The marks of the consensus graph; `is_kept` says whether it has an edge, given whether the graph has it.

    Unlike in bitsep, directions at copies do not count together.
    """
    edges = {}
    counted = np.where(run.chosen, probability * run.alike, probability)
    for p, (i, j, count, forward, backward, mark, _, _) in zip(counted, run.pairs, strict=False):
        if is_kept(float(p), mark > 0):
            edges[i, j] = Agreement(p, forward / (count or 1), backward / (count or 1), _MARKS[mark])
    variables = 1 + max((j for _, j in edges), default=0)
    marks = agreed(variables, edges)
    found = {(min(i, j), max(i, j)): _MARKS[FORWARD if i < j else BACKWARD] for i, j in marks.directed_pairs()}
    return {**found, **dict.fromkeys(marks.undirected_pairs(), "—")}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fit", action="store_true", help="print the coefficients that fit these runs best")
    parser.add_argument("--bootstrap", type=int, metavar="N", help="keep so many bootstrap samples of each search")
    parser.add_argument("--searches", nargs="+", default=SEARCHES, metavar="SEARCH")
    parser.add_argument("--figure", type=Path, default=FIGURE, metavar="PATH", help="without its ending")
    asked = parser.parse_args(arguments)
    curves = {}
    for search in asked.searches:
        runs = load(search, asked.bootstrap)
        shipped = BY_TESTS if search.startswith("pc_stable") else BY_SCORE
        if asked.fit:
            print(f"{search}: {fit(runs).round(3).tolist()}")
            print(f"{search}, recall: {fit_recall(runs, astuple(shipped)).round(3).tolist()}\n")
        curves[search] = _report(search, runs, shipped)
    _draw(curves, asked.figure)
    return 0


def _report(search: str, runs: Sequence[Run], shipped: Coefficients) -> dict[str, Calibration]:
    """Print the tables of one search; the pooled calibrations."""
    names = sorted({run.source for run in runs})
    others = {name: fit([run for run in runs if run.source != name]) for name in names}

    def fitted(run: Run) -> Floats:
        return probabilities(run, astuple(shipped))

    def left_out(run: Run) -> Floats:
        return probabilities(run, others[run.source])

    known = [run for run in runs if not run.has_few_edges]
    bundled = [run for run in known if run.network not in HELD_OUT]
    groups = [(name, [run for run in known if run.network == name]) for name in names]
    groups += [
        ("**bundled, pooled**", bundled),
        ("**not bundled, pooled**", [run for run in known if run.network in HELD_OUT]),
        *((f"**{kind} …, pooled**", [run for run in runs if run.network.startswith(f"{kind} ")]) for kind in COPIES),
        ("**100 rows, pooled**", [run for run in runs if run.rows not in SIZES]),
    ]
    print(f"{search}: {len(runs):,} runs\n")
    print("| network | samples | pairs | calibration error, fitted | left out | SHD single | SHD consensus |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name, some in groups:
        if not some:
            continue
        one, other = Calibration.of(some, fitted), Calibration.of(some, left_out)
        alone = np.mean([shd(run, single(run)) for run in some])
        together = np.mean([shd(run, consensus(run, fitted(run))) for run in some])
        few = "" if one.pairs.sum() >= MIN_PAIRS else " (few)"
        samples = f"{len(some):,}" if name.startswith("*") else f"{len(some) / len(SIZES):.0f} × {len(SIZES)}"
        print(
            f"| {name} | {samples} | {int(one.pairs.sum()):,}{few} | {one.error:.3f} | {other.error:.3f} | "
            f"{alone:.2f} | {together:.2f} |"
        )
    print(f"\n{search}, expected precision and recall: the mean over samples, expected / true\n")
    _print_expected(bundled, fitted, by_score=shipped is BY_SCORE)
    print(f"The logit of recall grows by {_growth(known):.2f} if rows double (median).\n")
    return {"fitted": Calibration.of(bundled, fitted), "left out": Calibration.of(known, left_out)}


def fit_recall(runs: Sequence[Run], coefficients: npt.ArrayLike) -> Floats:
    """The coefficients of recall, given those of probabilities, from all runs with edges, found and true.

    Every network has the same weight.
    """
    some = [run for run in runs if run.drawn.any() and run.true.any()]
    x, y = [], []
    for run in some:
        p = probabilities(run, coefficients)
        told = told_apart(run, p)
        _, by_probability, _, true = accuracy_of(run, p)
        x.append(recall_features(by_probability / told, run.lacking))
        y.append(min(true / told, 1.0))
    number = Counter(run.network for run in some)
    return newton(np.array(x), np.array(y), np.array([1 / number[run.network] for run in some]), np.zeros(len(some)))


def _print_expected(runs: Sequence[Run], probability: Callable[[Run], Floats], by_score: bool) -> None:
    print("| network | " + " | ".join(f"precision, {n:,} | recall, {n:,}" for n in SIZES) + " |")
    print("| --- |" + " ---: |" * 2 * len(SIZES))
    errors, uncorrected = [], []
    for name in sorted({run.network for run in runs}):
        line = [name]
        for rows in SIZES:
            some = [run for run in runs if run.network == name and run.rows == rows]
            if not some:
                continue
            figures = np.mean([_expected(run, probability(run), by_score) for run in some], axis=0)
            line += [f"{figures[k]:.2f} / {figures[k + 2]:.2f}" for k in range(2)]
            errors.append(np.abs(figures[:2] - figures[2:]))
            plain = np.mean([accuracy_of(run, probability(run)) for run in some], axis=0)
            uncorrected.append(abs(plain[1] - plain[3]))
        print(f"| {' | '.join(line)} |")
    near, mean = (np.array(errors) <= NEAR).sum(axis=0), np.mean(errors, axis=0)
    print(
        f"\nWithin .05: precision {near[0]} of {len(errors)} cells, recall {near[1]}; mean error {mean[0]:.3f} and "
        f"{mean[1]:.3f}."
    )
    if by_score:
        near_then = sum(error <= NEAR for error in uncorrected)
        print(f"Without the correction of recall: {near_then}, mean error {np.mean(uncorrected):.3f}.")
    print()


def _expected(run: Run, p: Floats, by_score: bool) -> Figures:
    """The figures of `accuracy_of`, with the recall that `bitsep.expected_accuracy` has."""
    precision, recall, *true = accuracy_of(run, p)
    if by_score and run.drawn.any():
        told = told_apart(run, p)
        recall = told * recall_estimate(recall / told, run.lacking)
    return precision, recall, true[0], true[1]


def told_apart(run: Run, p: Floats) -> float:
    """The share of the true edges found that are expected to be at the right one of several copies."""
    return float(p[run.drawn].sum() / (p * run.alike)[run.drawn & run.chosen].sum())


def _growth(runs: Sequence[Run]) -> float:
    """The median, over networks and steps from one size to the next, of the change of recall's logit per doubling."""
    changes = []
    for name in {run.network for run in runs}:
        recall = []
        for rows in SIZES:
            some = [accuracy_of(run, run.weights)[3] for run in runs if run.network == name and run.rows == rows]
            share = float(np.clip(np.mean(some), 0.005, 0.995))
            recall.append(np.log(share / (1 - share)))
        changes += (np.diff(recall) / np.diff(np.log2(SIZES))).tolist()
    return float(np.median(changes))


def accuracy_of(run: Run, p: Floats) -> Figures:
    """Expected precision and recall, as the probabilities say, and true precision and recall."""
    drawn, w = run.drawn, run.weights
    edges = drawn.sum()
    expected = float(p[drawn].sum())
    true = float(run.true[drawn].sum())
    all_true = run.true.sum()
    return (
        expected / edges if edges else 1.0,
        expected / float((w * p).sum()),
        true / edges if edges else 1.0,
        true / all_true if all_true else 1.0,
    )


def _draw(curves: dict[str, dict[str, Calibration]], path: Path) -> None:
    """The reliability diagrams."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, len(curves), figsize=(4.4 * len(curves), 4.2), squeeze=False, layout="constrained")
    for ax, (search, kinds) in zip(axes[0], curves.items(), strict=True):
        ax.plot([0, 1], [0, 1], color="#9aa5b1", linewidth=1, zorder=1)
        for (kind, found), color, marker in zip(kinds.items(), ("#1f5fbf", "#b35c00"), "os", strict=True):
            kept = found.pairs > 0
            x, y = found.expected[kept] / found.pairs[kept], found.true[kept] / found.pairs[kept]
            ax.plot(x, y, color=color, marker=marker, markersize=5, linewidth=1.2, label=f"{kind}: {found.error:.3f}")
        ax.set_xlim(0, 1)
        ax.set_ylim(0, 1)
        ax.set_aspect("equal")
        ax.set_title(search)
        ax.set_xlabel("probability")
        ax.set_ylabel("share of true edges")
        ax.legend(title="calibration error", frameon=False, loc="upper left")
    path.parent.mkdir(parents=True, exist_ok=True)
    for ending in ("svg", "png"):
        figure.savefig(path.with_suffix(f".{ending}"), dpi=110, metadata={"Date": None} if ending == "svg" else None)
    plt.close(figure)


if __name__ == "__main__":
    raise SystemExit(main())
