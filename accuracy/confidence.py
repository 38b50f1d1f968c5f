"""How good calibrated probabilities and consensus graphs are, from the runs of `accuracy.confidence_runs`.

python -m accuracy.confidence               # tables, and docs/images/confidence-reliability.svg and .png
python -m accuracy.confidence --fit         # also the coefficients that fit these runs best
python -m accuracy.confidence --bootstrap 10    # as if each search had only so many bootstrap samples

*Fitted* figures are those of the coefficients in bitsep. For the *left out* figures, the coefficients were fitted to
all networks but the one that is measured, and but the tables with few edges that have its columns.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from accuracy.confidence_runs import BACKWARD, COPIES, FEW_EDGES, FORWARD, HELD_OUT, SEARCHES, SIZES, results
from bitsep.discovery.calibration import BY_SCORE, BY_TESTS, Coefficients, PairSupport, features
from bitsep.discovery.consensus import Agreement, agreed, is_chosen

Floats = npt.NDArray[np.float64]

FIGURE = Path(__file__).parents[1] / "docs" / "images" / "confidence-reliability"
LOWEST = 0.05
"""Pairs with a lower probability are not part of the calibration error."""
BINS = 10
MIN_PAIRS = 200
THRESHOLD = 0.5

_TINY_PENALTY = 1e-4
_SUPPORT, _DETERMINED_SUPPORT = (
    [field.name for field in fields(Coefficients)].index(name) for name in ("support", "determined_support")
)
_LARGEST = 500.0  # its exponential is finite
_LONGEST_STEP = 5.0
_MARKS = {1: "→", 2: "←", 3: "—", 0: ""}


@dataclass(frozen=True)
class Run:
    """A search of one sample. The last line of `features` stands for all pairs that no graph has (`others`)."""

    network: str
    rows: int
    pairs: list[list[Any]]
    variables: int
    others: int
    features: Floats

    @cached_property
    def weights(self) -> Floats:
        return np.array([1.0] * len(self.pairs) + [self.others])

    @cached_property
    def true(self) -> Floats:
        return np.array([float(pair[6] > 0) for pair in self.pairs] + [0.0])

    @cached_property
    def drawn(self) -> npt.NDArray[np.bool_]:
        return np.array([pair[5] > 0 for pair in self.pairs] + [False])

    @property
    def has_few_edges(self) -> bool:
        """Whether few edges can be found: of permuted columns, or because there are few rows."""
        return self.network in FEW_EDGES or self.rows not in SIZES

    @property
    def seen(self) -> int:
        """The number of pairs that are adjacent in some bootstrap sample."""
        return sum(pair[2] > 0 for pair in self.pairs)


def load(search: str, bootstrap: int | None = None) -> list[Run]:
    """All runs of a search; `bootstrap` keeps so many of the bootstrap samples, drawn at random for each pair."""
    found = []
    rng = np.random.default_rng(0)
    for one in results():
        if one["search"] != search:
            continue
        total, variables = one["bootstrap"], one["variables"]
        if bootstrap is not None:
            one["pairs"] = [_thinned(pair, total, bootstrap, rng) for pair in one["pairs"]]
            total = bootstrap
        edges = sum(pair[2] for pair in one["pairs"]) / total
        determined = set(one["determined"])
        about = [
            PairSupport(count, total, mark > 0, variables, edges, i in determined or j in determined)
            for i, j, count, _, _, mark, _, _ in one["pairs"]
        ]
        about.append(PairSupport(0, total, False, variables, edges, False))
        numbers = np.array([features(pair) for pair in about])
        others = sum(one["others"].values())
        found.append(Run(one["network"], one["rows"], one["pairs"], variables, others, numbers))
    return found


def _thinned(pair: list[Any], total: int, bootstrap: int, rng: np.random.Generator) -> list[Any]:
    """The line of a pair as it would be with fewer bootstrap samples."""
    i, j, count, forward, backward, *rest = pair
    kinds = [forward, backward, count - forward - backward, total - count]
    ahead, back, undirected, _ = rng.multivariate_hypergeometric(kinds, bootstrap).tolist()
    return [i, j, ahead + back + undirected, ahead, back, *rest]


def probabilities(run: Run, coefficients: npt.ArrayLike) -> Floats:
    """The probability of each line of a run."""
    return np.asarray(1 / (1 + np.exp(-run.features @ np.asarray(coefficients))))


def fit(runs: Sequence[Run]) -> Floats:
    """The coefficients: that of few edges, the last, from all runs, after the others, from those with many edges."""
    many = [run for run in runs if not run.has_few_edges]
    numbers, none = [run.features[:, :-1].copy() for run in many], [np.zeros(1)] * len(many)
    found = _regression(many, numbers, none)
    if found[_SUPPORT] + found[_DETERMINED_SUPPORT] < 0:
        # More support must not make an edge of a determined variable less probable: let it say nothing there.
        for some in numbers:
            some[:, _SUPPORT] -= some[:, _DETERMINED_SUPPORT]
            some[:, _DETERMINED_SUPPORT] = 0
        found = _regression(many, numbers, none)
        found[_DETERMINED_SUPPORT] = -found[_SUPPORT]
    offsets = [run.features[:, :-1] @ found for run in runs]
    return np.append(found, _regression(runs, [run.features[:, -1:] for run in runs], offsets))


def _regression(runs: Sequence[Run], features: Sequence[Floats], offsets: Sequence[Floats]) -> Floats:
    """Logistic regression, by Newton's method, in which every network has the same weight."""
    seen: dict[str, int] = {}
    for run in runs:  # independent variables: hardly any pair is seen
        seen[run.network] = seen.get(run.network, 0) + max(run.seen, run.variables * run.has_few_edges)
    x = np.concatenate(features)
    y = np.concatenate([run.true for run in runs])
    w = np.concatenate([run.weights * 1_000 / seen[run.network] for run in runs])
    offset = np.concatenate([np.broadcast_to(o, run.weights.shape) for o, run in zip(offsets, runs, strict=True)])
    used = np.abs(x).max(axis=0) > 0  # searches by tests have no determined variables
    b = np.zeros(int(used.sum()))
    for _ in range(50 if len(b) else 0):
        p = 1 / (1 + np.exp(np.minimum(-offset - x[:, used] @ b, _LARGEST)))
        gradient = x[:, used].T @ (w * (y - p)) - _TINY_PENALTY * b
        curvature = (x[:, used] * (w * p * (1 - p))[:, None]).T @ x[:, used] + _TINY_PENALTY * np.eye(len(b))
        step = np.linalg.solve(curvature, gradient)
        step *= _LONGEST_STEP / max(_LONGEST_STEP, np.abs(step).max())
        b += step
        if np.abs(step).max() < 1e-9:
            break
    found = np.zeros(x.shape[1])
    found[used] = b
    return found


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
        return float(np.abs(self.expected - self.true).sum() / self.pairs.sum())


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
    """The marks of the consensus graph; `is_kept` says whether it has an edge, given whether the graph has it."""
    edges = {}
    for p, (i, j, count, forward, backward, mark, _, _) in zip(probability, run.pairs, strict=False):
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
            print(f"{search}: {[round(float(value), 3) for value in fit(runs)]}\n")
        curves[search] = _report(search, runs, shipped)
    _draw(curves, asked.figure)
    return 0


def _report(search: str, runs: Sequence[Run], shipped: Coefficients) -> dict[str, Calibration]:
    """Print the tables of one search; the pooled calibrations."""
    names = sorted({_source(run) for run in runs})
    others = {name: fit([run for run in runs if _source(run) != name]) for name in names}

    def fitted(run: Run) -> Floats:
        return probabilities(run, astuple(shipped))

    def left_out(run: Run) -> Floats:
        return probabilities(run, others[_source(run)])

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
    _print_expected(bundled, fitted)
    print(f"The logit of recall grows by {_growth(known):.2f} if rows double (median).\n")
    return {"fitted": Calibration.of(bundled, fitted), "left out": Calibration.of(known, left_out)}


def _source(run: Run) -> str:
    """The network of which a table has the columns."""
    return run.network.rpartition(" ")[2]


def _print_expected(runs: Sequence[Run], probability: Callable[[Run], Floats]) -> None:
    print("| network | " + " | ".join(f"precision, {n:,} | recall, {n:,}" for n in SIZES) + " |")
    print("| --- |" + " ---: |" * 2 * len(SIZES))
    near, cells = np.zeros(2, int), 0
    errors = []
    for name in sorted({run.network for run in runs}):
        line = [name]
        for rows in SIZES:
            some = [run for run in runs if run.network == name and run.rows == rows]
            if not some:
                continue
            figures = np.mean([accuracy_of(run, probability(run)) for run in some], axis=0)
            cells += 1
            line += [f"{figures[k]:.2f} / {figures[k + 2]:.2f}" for k in range(2)]
            error = np.abs(figures[:2] - figures[2:])
            errors.append(error)
            near += error <= 0.05
        print(f"| {' | '.join(line)} |")
    mean = np.mean(errors, axis=0)
    print(
        f"\nWithin .05: precision {near[0]} of {cells} cells, recall {near[1]}; mean error {mean[0]:.3f} and "
        f"{mean[1]:.3f}.\n"
    )


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


def accuracy_of(run: Run, p: Floats) -> tuple[float, float, float, float]:
    """Expected precision and recall, true precision and recall."""
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
