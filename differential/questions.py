"""The tests and scores that are compared, with their options, and what the twins say about them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bitsep import _native
from differential.tables import Case, Values
from twins import large
from twins.scores import local_score
from twins.statistics import evaluate, rounding_bits, sample


@dataclass(frozen=True)
class TestOf:
    """A test with its options."""

    method: str
    alpha: float | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    def native(self) -> _native.Test:
        """The test of the native core."""
        return _native.Test(self.method, self.alpha, dict(self.options))

    def __str__(self) -> str:
        return f"{self.method}(alpha={self.alpha}, {dict(self.options)})"


TESTS = [
    *(TestOf(entry.name) for entry in _native.tests()),
    *(TestOf(entry.name, 0.01) for entry in _native.tests() if entry.family != "information"),
    *(
        TestOf(entry.name, None, {option.name: value})
        for entry in _native.tests()
        for option in entry.options
        for value in option.choices[1:] or [0.5]
    ),
]
SCORES = [*((entry.name, 1.0) for entry in _native.scores()), ("bdeu", 0.1), ("bdeu", 50.0)]


def native_score(name: str, sample_size: float) -> _native.Score:
    """The score of the native core."""
    return _native.Score(name, {"sample_size": sample_size} if name == "bdeu" else {})


def complete(case: Case, variables: tuple[int, ...]) -> list[int]:
    """The rows with a positive weight that miss none of the variables."""
    weights = case.weights or [1] * case.rows
    return [i for i in range(case.rows) if weights[i] and all(case.columns[v][i] is not None for v in variables)]


def size(case: Case, variable: int) -> int:
    """The number of levels of a column, in rows with a positive weight."""
    return len({case.columns[variable][i] for i in complete(case, (variable,))})


def expected_test(case: Case, query: tuple[int, int, tuple[int, ...]], test: TestOf) -> dict[str, Any] | None:
    """What the twin says; None where no row is complete, or the twin cannot tell."""
    x, y, given = query
    used = complete(case, (x, y, *given))
    if not used:
        return None
    if case.large:
        if test.options:
            return None
        cells: Counter[Any] = Counter()
        for i in used:
            cells[case.columns[x][i], case.columns[y][i], tuple(case.columns[z][i] for z in given)] += case.weights[i]  # type: ignore[index]
        found = large.evaluate(cells, size(case, x), size(case, y), test.method)
        if "threshold_bits" in found and test.alpha is not None:
            found["threshold_bits"] -= math.log2(test.alpha)
        return found
    columns: list[Values] = case.columns
    zs = [columns[z] for z in given]
    found = evaluate(
        [columns[x]], [columns[y]], zs, test.method, alpha=test.alpha, weights=case.weights, **test.options
    )
    found["information_bits"] = found.pop("cmi_bits") * found["n"]
    found.pop("small_sample")
    return found


def expected_score(
    case: Case, family: tuple[int, tuple[int, ...]], name: str, sample_size: float
) -> tuple[float, int] | None:
    """The bits and rows by the twin; None where the twin cannot tell."""
    y, parents = family
    if not case.large:
        return local_score(name, case.columns[y], [case.columns[p] for p in parents], case.weights, sample_size)
    if sample_size != 1:
        return None
    cells: Counter[Any] = Counter()
    for i in complete(case, (y, *parents)):
        cells[tuple(case.columns[p][i] for p in parents), case.columns[y][i]] += case.weights[i]  # type: ignore[index]
    n = sum(cells.values())
    product = math.prod(size(case, p) for p in parents)
    return (large.local_score(name, cells, size(case, y), product) if n else 0.0), n


def rounding(case: Case, query: tuple[int, int, tuple[int, ...]], test: TestOf) -> float:
    """The bits by which the evidence may differ from the twin's, because a statistic of many terms is rounded.

    Terms are rounded to multiples of 2^-40 (`fixed_point.hpp`). In a margin of 65,536 levels with one row each, all of
    them are rounded in the same direction, and the statistic has a standard deviation of only 2.
    """
    x, y, given = query
    if not test.method.endswith("_calibrated") or case.large or case.rows < 1000:
        return 0.0
    zs = [case.columns[z] for z in given]
    return rounding_bits(sample([case.columns[x]], [case.columns[y]], zs, case.weights), test.method)


def close(found: float | None, wanted: float | None, slack: float) -> bool:
    """Whether two numbers agree, None and NaN being no number."""
    found = None if found is None or math.isnan(found) else found
    if found is None or wanted is None:
        return found is None and wanted is None
    return found == wanted or abs(found - wanted) <= slack + 1e-9 * abs(wanted)


def differences(found: Mapping[str, Any], wanted: Mapping[str, Any], rounded: float = 0.0) -> list[str]:
    """The fields of a test in which an answer differs from its twin; `rounded` is what `rounding` says."""
    n = wanted["n"]
    slack = max(2e-9, 4 * large.significance_floor(n) if n > 1 << 20 else 0.0)
    wrong = []
    for name, value in wanted.items():
        if name == "independent":
            if (
                abs(wanted["score_bits"] - large.significance_floor(n)) > 4 * slack + 2e-8 + rounded
                and bool(found[name]) != value
            ):
                wrong.append(name)
        elif name == "p_value" and value is None and found[name] == 1:
            continue  # the test refuses to decide on too few rows
        elif name == "p_value" and close(found["statistic"], 0, 1e-9) and value is not None:
            if not close(found[name], value, 1e-5):  # 1 - p goes with the root of the statistic, and that is rounding
                wrong.append(name)
        elif not close(found[name], value, slack + (rounded if name in ("p_value", "score_bits") else 0.0)):
            wrong.append(name)
    return [f"{name}: {found[name]!r}, twin {wanted[name]!r}" for name in wrong]
