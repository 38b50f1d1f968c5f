"""The parts of the page, as lines of Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median

from calibration.cells import ALPHAS, MARGINS, POWER_ALPHA, Sizes, all_cells
from calibration.figures import HIGHEST, LOST_POWER, LOWEST, Share, failures, levels, power_difference, shares
from calibration.results import Result
from calibration.simulate import REFERENCE, WITH_LEVEL, WITHOUT_LEVEL, Counted

TESTS = ("x2_calibrated", REFERENCE, *WITH_LEVEL[1:], *WITHOUT_LEVEL)
TITLES = {REFERENCE: "permutation test of X²", "g2": "`g2`, `cmi_gamma`"}
IN_TABLE = ("x2", "g2", "g2_adjusted", "sci_f", "sci_fs")


def introduction(results: Sequence[Result], sizes: Sizes, cells: str) -> list[str]:
    """What was measured, and where all figures are."""
    wrong = [sentence for result in results for sentence in failures(result)]
    return [
        "# Calibration",
        "",
        "This page is written by `make calibration`; do not edit it. Does a test with a significance level of 5% "
        "call 5% of all independent pairs dependent, and does it find "
        "those that are dependent? Data sets are drawn from known distributions, from tables with hundreds of rows "
        "per cell to tables with more cells than rows, and every "
        "test sees the same data sets.",
        "",
        f"- **Cells** {len(results)} of {len(all_cells())}: numbers of levels of X and Y, numbers of strata, rows, and "
        "uniform, skewed or real margins",
        f"- **Data sets** {sizes.runs:,} per cell with X and Y independent given Z, and as many with a dependence; "
        f"the permutation test of X² ({sizes.permutations} tables) sees {sizes.permutation_runs:,} of each",
        f"- **Measured** {_dates(results)}",
        "- **`x2_calibrated`** "
        + (
            "keeps its level and its power in all of these cells"
            if not wrong
            else f"fails {len(wrong)} of the checks below"
        ),
        f"- [All figures with 99.9% intervals]({cells}), and [how it is measured](#how-it-is-measured)",
        "",
    ]


def kept(results: Sequence[Result]) -> list[str]:
    """What `x2_calibrated` has to keep, and whether it does."""
    lines = [
        "## What `x2_calibrated` keeps",
        "",
        f"In every admissible cell, the 99.9% interval of the type I error must meet [{LOWEST}, {HIGHEST}] · alpha, "
        f"and the power at {POWER_ALPHA} must be at least that of the "
        f"permutation test of X² on the same data, less {LOST_POWER}. A cell is admissible at some alpha if the "
        f"permutation test can reach 90% of alpha there: in the "
        "others X² has too few different values.",
        "",
    ]
    head = ["margins", "alpha", "cells", "admissible", "type I error / alpha in these", "kept"]
    body = []
    for margins in MARGINS:
        found = [levels(result) for result in results if result.cell.margins == margins]
        for i, alpha in enumerate(ALPHAS):
            at = [one[i] for one in found if one[i].is_admissible]
            ratios = [one.share.value / one.alpha for one in at]
            kept = f"{sum(one.is_kept for one in at)} of {len(at)}"
            body.append([margins, f"{alpha}", f"{len(found)}", f"{len(at)}", _range(ratios), kept])
    lines += [*_table(head, body), ""]
    differences = [power_difference(result) for result in results]
    lines += [
        f"The power of `x2_calibrated` less that of the permutation test on the same data lies between "
        f"{_signed(min(differences))} and {_signed(max(differences))}; "
        f"the mean is {_signed(sum(differences) / len(differences))}.",
        "",
    ]
    wrong = [sentence for result in results for sentence in failures(result)]
    return [*lines, *(f"- Not kept: {sentence}" for sentence in wrong), *([""] if wrong else [])]


def every_test(results: Sequence[Result]) -> list[str]:
    """The lowest, middle and highest type I error of every test, and its power."""
    place = ALPHAS.index(POWER_ALPHA)
    body = []
    for test in TESTS:
        line = [TITLES.get(test, f"`{test}`")]
        for margins in MARGINS:
            chosen = [result for result in results if result.cell.margins == margins]
            errors = [_at(result.independent, test, place).value for result in chosen]
            line += [_range(errors, percent=True)]
        line.append(f"{median(_at(result.dependent, test, 0).value for result in results):.0%}")
        body.append(line)
    return [
        "## Every test",
        "",
        f"The lowest, median and highest type I error over the cells, at a significance level of {POWER_ALPHA:.0%} "
        f"or, for tests without one, with their own threshold; and the "
        "median of the power. Power tells little about a test that does not keep its level.",
        "",
        *_table(["test", *(f"{margins} margins" for margins in MARGINS), "power"], body),
        "",
    ]


def reading() -> list[str]:
    """What the plot shows."""
    return [
        f"Each point is a cell; the gray band is [{LOWEST}, {HIGHEST}] times 5%. Points at the bottom stand for "
        f"errors below 0.02%.",
        "",
    ]


def every_cell(results: Sequence[Result]) -> list[str]:
    """All cells, folded away."""
    place = ALPHAS.index(POWER_ALPHA)
    head = [
        "levels, strata, rows",
        *(f"`x2_calibrated` at {alpha}" for alpha in ALPHAS),
        *(f"permutation at {alpha}" for alpha in ALPHAS),
        *(f"`{test}`" for test in IN_TABLE),
        "power",
        "of permutation",
    ]
    lines = [
        "## Every cell",
        "",
        f"Type I errors; those of the other tests at {POWER_ALPHA} or with their own threshold. In parentheses: not "
        f"admissible. The columns of the permutation test have the estimate that admissibility "
        "rests on.",
        "",
    ]
    for margins in MARGINS:
        body = []
        for result in (one for one in results if one.cell.margins == margins):
            cell, found = result.cell, levels(result)
            power = [_at(result.dependent, test, 0).value for test in ("x2_calibrated", REFERENCE)]
            body.append(
                [
                    f"{cell.levels}, {cell.strata}, {cell.rows:,}",
                    *(f"{one.share.value:.4f}" if one.is_admissible else f"({one.share.value:.4f})" for one in found),
                    *(f"{one.reference:.3f}" for one in found),
                    *(f"{_at(result.independent, test, place).value:.3f}" for test in IN_TABLE),
                    *(f"{share:.3f}" for share in power),
                ]
            )
        lines += [f'??? note "{margins.capitalize()} margins"', "", *(f"    {line}" for line in _table(head, body)), ""]
    return lines


def sources(results: Sequence[Result]) -> list[str]:
    """Where the real margins come from."""
    body = [[f"{one.cell.levels}, {one.cell.strata}, {one.cell.rows:,}", one.source] for one in results if one.source]
    return [
        '??? note "Where the real margins come from"',
        "",
        *(f"    {line}" for line in _table(["levels, strata, rows", "network: X ⊥ Y given Z"], body)),
        "",
    ]


def rules(sizes: Sizes) -> list[str]:
    """Everything that was fixed before anything was measured."""
    return [
        "## How it is measured",
        "",
        "- **Margins.** *Uniform*: strata and levels are equally probable. *Skewed*: each level of X and of Y has "
        "40% of the probability of the one before, and the probabilities of the strata "
        "are proportional to 1, 1/2, 1/3, …. *Real*: the strata, and the distributions of X and of Y in each of "
        "them, are those of 50,000 rows of a bundled network. The network and "
        "its variables are chosen at random in each cell; variables are combined where one has too few levels, and "
        "the most frequent combinations are kept. Nothing about `x2_calibrated` was "
        "chosen by cells with real margins.",
        "- **Independence.** X and Y are drawn independently given Z, with the margins of the stratum.",
        f"- **Dependence.** In a share of the rows, X and Y are coupled: both take the level at the same quantile of "
        f"their distributions, so that the margins do not change. The share is that for which the "
        f"noncentral chi-square distribution promises X² a power of one half at {POWER_ALPHA}, at most 1.",
        f"- **Permutation test.** X² with {sizes.permutations} tables with the same margins in every stratum, "
        f"stopped early if p is above {max(ALPHAS)} (above {POWER_ALPHA} under dependence) for certain.",
        "- **Intervals** have a confidence of 99.9% (Clopper & Pearson).",
        f"- **Admissible.** The permutation test sees {sizes.permutation_runs:,} data sets, too few for a type I "
        f"error of 1%. Its error is estimated by that of `x2_calibrated` in all data sets plus the difference "
        f"between the two "
        "tests where both were made, which is small. A cell is admissible unless the 99.9% interval of that estimate "
        "lies below 90% of alpha. Where a check fails with so few permutation tests, all data sets are tested by "
        "permutation, and the cell is judged by these.",
        "",
        "The command is `make calibration`; a run that was stopped continues. `make calibration-quick` checks a few "
        "cells with fewer data sets and is part of `make test-all`.",
        "",
    ]


def _dates(results: Sequence[Result]) -> str:
    days = sorted({result.date for result in results})
    return days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"


def _at(counted: Counted, test: str, place: int) -> Share:
    """At one alpha, or that of a test without a significance level."""
    found = shares(counted, test)
    return found[place] if len(found) > 1 else found[0]


def _signed(value: float) -> str:
    return f"{value:+.3f}".replace("-", "−")


def _range(values: Sequence[float], *, percent: bool = False) -> str:
    if not values:
        return "–"
    if percent:
        return f"{min(values):.1%}, {median(values):.1%}, {max(values):.1%}"
    return f"{min(values):.2f} to {max(values):.2f}"


def _table(head: Sequence[str], body: Iterable[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(line)} |" for line in (head, ["---"] * len(head), *body)]
