"""Warnings about Markov blankets: do they separate the target from all other variables, as they should?

Algorithms that search for neighbors with small conditioning sets need not find such a set, above all if variables
determine each other. So each blanket is tested as a whole: the target and every variable that is not a member, given
the members.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from bitsep.discovery.data_warnings import ZERO_BITS
from bitsep.figures import shown_bits
from bitsep.independence.engines.base import Engine, Queries, Ragged, Records
from bitsep.independence.result import IndependenceResult
from bitsep.naming import shown_name, shown_names

_MAX_TESTS = 100_000  # in one batch, to limit the memory


def warnings_of_blankets(engine: Engine, blankets: Mapping[int, Sequence[int]]) -> dict[int, tuple[str, ...]]:
    """The warnings about each blanket, given as target and members in ascending order; none for an oracle."""
    if engine.n == 0:
        return {}
    others = {t: sorted(set(range(len(engine.variables))) - {t, *members}) for t, members in blankets.items()}
    found = dict(_evaluated(engine, others, blankets))
    determined = [t for t, records in found.items() if blankets[t] and _is_zero(records).all()]
    alone = dict(_evaluated(engine, {t: others[t] for t in determined}, {}))
    warnings: dict[int, tuple[str, ...]] = {}
    for t, records in found.items():
        rest = ~records["independent"]
        if rest.any():
            warnings[t] = (_incomplete(engine, t, others[t], records, bool(blankets[t])),)
        elif t in alone and not _is_zero(alone[t]).all():
            warnings[t] = (_determined(engine, t, blankets[t]),)
    return warnings


def small_sample_warnings(results: Iterable[IndependenceResult]) -> tuple[str, ...]:
    """A warning if tests that the members rest on had few rows."""
    small = [result.small_sample for result in results]
    if not any(small):
        return ()
    return (
        f"{sum(small):,} of {len(small):,} members rest on a test with fewer rows than the paper's bound for its "
        "domain sizes; such a verdict of dependence is unreliable.",
    )


def _evaluated(
    engine: Engine, others: Mapping[int, Sequence[int]], given: Mapping[int, Sequence[int]]
) -> Iterable[tuple[int, Records]]:
    """The tests of each target and its others, given its set."""
    batch: list[int] = []
    size = 0
    for place, (t, variables) in enumerate(others.items(), 1):
        batch.append(t)
        size += len(variables)
        if size < _MAX_TESTS and place < len(others):
            continue
        pairs = np.array([sorted((t, v)) for t in batch for v in others[t]], np.int32).reshape(-1, 2)
        x, y = np.ascontiguousarray(pairs.T)
        records = engine.evaluate(Queries(x, y, Ragged.of([given.get(t, ()) for t in batch for _ in others[t]])))
        ends = np.cumsum([len(others[t]) for t in batch])
        yield from zip(batch, np.split(records, ends[:-1]), strict=True)
        batch, size = [], 0


def _is_zero(records: Records) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Whether each pair shares exactly no information; never so by chance, if both vary."""
    return np.asarray(records["information_bits"] <= ZERO_BITS * np.maximum(records["n"], 1))


def _incomplete(engine: Engine, t: int, others: Sequence[int], records: Records, has_members: bool) -> str:
    rest = ~records["independent"]
    most = int(np.argmax(np.where(rest, records["score_bits"], -np.inf)))
    target, strongest = shown_name(engine.variables[t]), shown_name(engine.variables[others[most]])
    bits = f"score {shown_bits(float(records['score_bits'][most]), '+')} bits"
    count = int(rest.sum())
    given = "given its members, " if has_members else "it is empty, but "
    who = f"{strongest} still depends on {target} ({bits})"
    if count > 1:
        who = f"{count:,} other variables still depend on {target}, most of all {strongest} ({bits})"
    reason = "Variables determine each other, the tests had too few rows, or it is chance, as in some of many tests."
    return f"The blanket is incomplete: {given}{who}. {reason}"


def _determined(engine: Engine, t: int, members: Sequence[int]) -> str:
    names = shown_names((engine.variables[v] for v in members), "nothing")
    return (
        f"{shown_name(engine.variables[t])} is a function of {names} in these data: given the members, all other "
        "variables are independent of it for that reason alone, so children and parents of it may be missing."
    )
