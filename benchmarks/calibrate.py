"""Calibrates the cost model: fits its constants to the times of each way of counting and evaluates its choices.

Run by hand, on a quiet machine::

    python -m benchmarks.calibrate             # measures (about a minute), fits, judges
    python -m benchmarks.calibrate ways.json   # fits and judges what was measured earlier

It prints the constants of `native/src/counting/cost_model.hpp`, by name, as fitted on this machine, and how much longer
than the fastest way the way chosen takes, with the constants in the file and with those just fitted.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.native_programs import ROOT, output_of
from scipy.optimize import least_squares

MODEL = ROOT / "native" / "src" / "counting" / "cost_model.hpp"
ROWS_PER_VECTOR = 512

Constants = dict[str, float]


# The formulas of cost_model.hpp, for variables that all have k levels.


def counting(c: Constants, rows: int, cells: int, ns_per_vector: float) -> float:
    return min(rows / ROWS_PER_VECTOR * cells * ns_per_vector, rows * c["walk_ns_per_row"])


def margins(c: Constants, rows: int, k: int, given: int) -> float:
    cells, inner = k ** (given + 2), (k - 1) ** (given + 2)
    return c["margins_ns"] + cells * c["margins_ns_per_cell"] + counting(c, rows, inner, c["margins_ns_per_vector"])


def bitmaps(c: Constants, rows: int, k: int, given: int) -> float:
    strata, cells = k**given, k ** (given + 2)
    return (
        c["bitmaps_ns"]
        + strata * c["bitmaps_ns_per_stratum"]
        + cells * c["bitmaps_ns_per_cell"]
        + counting(c, rows, cells, c["bitmaps_ns_per_vector"])
    )


def row_scan(c: Constants, rows: int, k: int, given: int) -> float:
    return (
        c["scan_ns"]
        + rows * (c["scan_ns_per_row"] + given * c["scan_ns_per_row_and_given"])
        + k ** (given + 2) * c["scan_ns_per_cell"]
    )


def sort(c: Constants, rows: int, k: int, given: int) -> float:
    return c["sort_ns"] + rows * (c["sort_ns_per_row"] + given * c["sort_ns_per_row_and_given"])


WAYS: dict[str, Callable[[Constants, int, int, int], float]] = {
    "margins": margins,
    "bitmaps": bitmaps,
    "row_scan": row_scan,
    "sort": sort,
}


def measure() -> list[dict[str, Any]]:
    measured: list[dict[str, Any]] = json.loads(output_of("ways"))
    return measured


def cost(constants: Constants, one: Mapping[str, Any]) -> float:
    return WAYS[one["way"]](constants, one["rows"], one["levels"], one["given"])


def fit(measured: list[dict[str, Any]], start: Constants) -> Constants:
    """Fits ratios, not differences, so that short tests count as much as long ones."""
    ours = [one for one in measured if one["way"] in WAYS]
    times = np.log([one["seconds"] * 1e9 for one in ours])

    def errors(logs: Any) -> Any:
        constants = dict(zip(start, np.exp(logs).tolist(), strict=True))
        return np.log([cost(constants, one) for one in ours]) - times

    found = least_squares(errors, np.log(list(start.values())), loss="soft_l1", f_scale=0.2)
    print(f"the model is off by a factor of {np.exp(np.sqrt(np.mean(errors(found.x) ** 2))):.2f} (root mean square)\n")
    return dict(zip(start, np.exp(found.x).tolist(), strict=True))


def in_the_file() -> Constants:
    lines = re.findall(r"constexpr double (\w+) = ([\d.]+);", MODEL.read_text())
    return {name: float(value) for name, value in lines}


def judge(measured: list[dict[str, Any]], constants: Constants) -> tuple[list[float], list[str]]:
    """For each test the time of the chosen way divided by that of the fastest, and a text on the worst cases."""
    losses, worst = [], []
    key = lambda one: (one["rows"], one["levels"], one["given"])  # noqa: E731
    for question, group in groupby(sorted(measured, key=key), key):
        known = [one for one in group if one["way"] in WAYS]
        chosen = min(known, key=lambda one: cost(constants, one))
        fastest = min(known, key=lambda one: one["seconds"])
        losses.append(chosen["seconds"] / fastest["seconds"])
        if losses[-1] > 1.5:
            rows, levels, given = question
            worst.append(
                f"{rows:,} rows, {levels} levels, {given} given: {chosen['way']} {chosen['seconds'] * 1e6:.2f} µs, "
                f"{fastest['way']} {fastest['seconds'] * 1e6:.2f} µs"
            )
    return losses, worst


def main() -> None:
    measured = json.loads(Path(sys.argv[1]).read_text()) if len(sys.argv) > 1 else measure()
    present = in_the_file()
    fitted = fit(measured, present)
    for name, value in fitted.items():
        print(f"constexpr double {name} = {value:.3g};".ljust(60), f"// in the file: {present[name]}")
    for title, constants in (("in the file", present), ("fitted", fitted)):
        losses, worst = judge(measured, constants)
        print(
            f"\nconstants {title}: over {len(losses)} questions the way chosen takes {np.mean(losses):.3f} times the "
            f"fastest one on average, {max(losses):.2f} at worst"
        )
        print(*worst, sep="\n")


if __name__ == "__main__":
    main()
