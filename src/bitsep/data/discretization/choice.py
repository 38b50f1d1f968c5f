"""Which columns are discretized, and where."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from bitsep.data.contract import EncodedData
from bitsep.data.discretization.automatic import automatic_points
from bitsep.data.discretization.column import CutColumn, values_of
from bitsep.data.discretization.continuous import is_measurement, is_numeric, refuse_continuous
from bitsep.data.discretization.mdl import mdl_cuts
from bitsep.data.discretization.points import equal_frequency, equal_width, separating
from bitsep.data.discretization.request import (
    AUTO,
    EQUAL_FREQUENCY,
    EQUAL_WIDTH,
    MDL,
    NONE,
    Discretization,
    Rule,
    target_in,
)
from bitsep.data.profile.kinds import facts_of
from bitsep.errors import ArgumentError, DataError
from bitsep.naming import Name

Rules = dict[Name, Rule]


def rules_of(
    data: EncodedData, wanted: Discretization, columns: Iterable[Name] | None = None, threads: int | None = None
) -> Rules:
    """The rule of each column that the request mentions or, without being mentioned, applies to.

    Parameters
    ----------
    data : EncodedData
        The data.
    wanted : Discretization
        The request.
    columns : iterable of names, optional
        The columns that are used; default: all. Others in the request are ignored.
    threads : int, optional
        The number of threads for a scan.
    """
    used = data.names if columns is None else tuple(dict.fromkeys(columns))
    rules = wanted.named_in(used, partial=columns is not None)
    for name, rule in rules.items():
        if rule.method == MDL and str(name) == rule.target:
            raise ArgumentError(f"discretize: {name!r} is the target, which is not discretized.", hint="Leave it out.")
        if rule.method != NONE and not is_numeric(data, name):
            raise DataError(
                f"discretize: column {name!r} is not numeric, so it has no intervals.", hint="Leave it out."
            )
    targets = {_target(data, target) for target in wanted.targets}
    others = wanted.others
    if others is None or others.method == NONE:
        return rules
    rest = [name for name in used if name not in rules and name not in targets and data.n_levels(name) > others.bins]
    numeric = [name for name in rest if is_numeric(data, name)]
    limit = data.max_float_levels
    found = [column.name for column in facts_of(data, threads, numeric) if is_measurement(column, limit)]
    return rules | dict.fromkeys(found, others)


def discretized(data: EncodedData, rules: Rules, threads: int | None = None) -> EncodedData:
    """The data with intervals in the columns that have a rule."""
    wanted = {name: rule for name, rule in rules.items() if rule.method != NONE}
    automatic = [name for name, rule in wanted.items() if rule.method == AUTO]
    points = automatic_points(data, automatic, threads) if automatic else {}
    cuts = [_cut(data, name, wanted[name], points.get(name, ()), threads) for name in data.names if name in wanted]
    return data.cut(cuts) if cuts else data


def accepted(data: EncodedData, rules: Rules, columns: Iterable[Name] | None = None) -> EncodedData:
    """The discretized data for tests and searches, after a check that their columns do not look continuous.

    Columns with the rule "none" are accepted with every number as a level, also by later uses of the data.

    Parameters
    ----------
    data : EncodedData
        The data, discretized.
    rules : dict
        The rules of their columns.
    columns : iterable of names, optional
        The columns that are used; default: all.
    """
    as_they_are = {name for name, rule in rules.items() if rule.method == NONE}
    refuse_continuous(data, [name for name in (data.names if columns is None else columns) if name not in as_they_are])
    return data.without_float_limit() if as_they_are else data


def _cut(data: EncodedData, name: Name, rule: Rule, automatic: Sequence[float], threads: int | None) -> CutColumn:
    levels = data.levels(name)
    values = values_of(levels)
    points: Sequence[float]
    if rule.method == AUTO:
        points = automatic
    elif rule.method == EQUAL_FREQUENCY:
        points = equal_frequency(values, _level_counts(data, name, threads), rule.bins)
    elif rule.method == EQUAL_WIDTH:
        points = equal_width(name, values, rule.bins)
    elif rule.method == MDL:
        points = mdl_cuts(values, _joint_counts(data, name, target_in(data.names, rule.target), threads))
    else:
        points = rule.points
    return CutColumn(name, rule.title, separating(points, values, exact=not rule.method), len(levels))


def _target(data: EncodedData, text: str) -> Name:
    target = target_in(data.names, text)
    if data.n_levels(target) < 2:
        raise DataError(
            f"discretize: the target {target!r} must have at least 2 levels, got {data.n_levels(target)}.",
            hint="Name another target.",
        )
    refuse_continuous(data, [target])
    return target


def _level_counts(data: EncodedData, name: Name, threads: int | None) -> NDArray[np.int64]:
    counter = data.counter(threads)
    return counter.level_counts(counter.places[name]).astype(np.int64)


def _joint_counts(data: EncodedData, name: Name, target: Name, threads: int | None) -> NDArray[np.int64]:
    """How often each level of a column occurs with each level of the target."""
    counter = data.counter(threads)
    pair = counter.places[name], counter.places[target]
    [joint] = counter.joint_counts([tuple(sorted(pair))])
    codes, count = joint.occupied()
    counts = np.zeros((data.n_levels(name), data.n_levels(target)), dtype=np.int64)
    counts[tuple(codes[joint.variables.index(variable)] for variable in pair)] = count
    return counts
