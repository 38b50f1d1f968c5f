"""A case in every setting in memory: kernels, ways of counting, numbers of threads, counts made elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from bitsep import _native
from bitsep.independence.engines.base import RECORD
from differential.questions import (
    SCORES,
    TESTS,
    TestOf,
    close,
    complete,
    differences,
    expected_score,
    expected_test,
    native_score,
    rounding,
)
from differential.tables import Case
from twins.large import significance_floor

THREADS = (1, 2, 5)
NATIVE_TESTS = [test.native() for test in TESTS]
NATIVE_SCORES = [native_score(*score) for score in SCORES]
MOST_DENSE = 1 << 16


class Encoded:
    """The columns of a case as codes. Levels that occur only in rows of weight 0 are missing values."""

    def __init__(self, case: Case) -> None:
        self.codes: list[npt.NDArray[Any]] = []
        self.levels: list[int] = []
        for place, column in enumerate(case.columns):
            names = {name: i for i, name in enumerate(sorted({column[i] for i in complete(case, (place,))}))}
            kind = np.int8 if len(names) < 128 else np.int16 if len(names) < 1 << 15 else np.int32
            self.codes.append(np.array([-1 if v is None else names.get(v, -1) for v in column], kind))
            self.levels.append(len(names))
        self.rows = case.rows
        self.weights = None if case.weights is None else np.array(case.weights, np.int64)

    def table(self) -> _native.Table:
        """A new native table."""
        return _native.Table(self.codes, self.levels, self.rows, self.weights)

    def ways(self, variables: tuple[int, ...]) -> tuple[str, ...]:
        """The ways of counting that can be asked for."""
        levels = [self.levels[v] for v in variables]
        cells = float(np.prod([k + 1.0 for k in levels]))
        ways = ["sort", "automatic"]
        if cells <= MOST_DENSE and min(levels) > 0:
            ways.insert(0, "row_scan")
            if self.weights is None and max(levels) <= 32:
                ways[:0] = ["bitmaps", "margins"]
        return tuple(ways)


def ragged(rows: list[tuple[int, ...]]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """Rows of different lengths as offsets and items."""
    offsets = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    return offsets, np.array([item for row in rows for item in row], np.int32)


def records(case: Case, encoded: Encoded, number: int) -> Iterator[tuple[int, str, bytes]]:
    """The record of each query by each setting, with the setting."""
    test = NATIVE_TESTS[number]
    x = np.array([query[0] for query in case.queries], np.int32)
    y = np.array([query[1] for query in case.queries], np.int32)
    given = ragged([query[2] for query in case.queries])
    for kernel in _native.available_kernels():
        _native.force_kernel(kernel)
        table = encoded.table()
        for i, query in enumerate(case.queries):
            z = np.array(query[2], np.int32)
            for way in encoded.ways((query[0], query[1], *query[2])):
                yield i, f"{kernel}, {way}", test.on(table, query[0], query[1], z, way).tobytes()
        for threads in THREADS:
            answers = encoded.table().evaluate(test, x, y, given, threads, None).view(RECORD)
            for i in range(len(case.queries)):
                yield i, f"{kernel}, {threads} threads", answers[i : i + 1].tobytes()
    for i, query in enumerate(case.queries):
        yield from counted_elsewhere(encoded, table, query, test, i)


def counted_elsewhere(
    encoded: Encoded, table: _native.Table, query: tuple[int, int, tuple[int, ...]], test: _native.Test, i: int
) -> Iterator[tuple[int, str, bytes]]:
    """The records of occupied cells and of dense counts, as streams and Spark hand them over."""
    kx, ky, *kz = (encoded.levels[v] for v in (query[0], query[1], *query[2]))
    if min(kx, ky, *kz, 1) == 0:
        return
    product = _native.domain_product(kz)
    stratum, xs, ys, count = table.counts(query[0], query[1], np.array(query[2], np.int32))
    if len(count):
        yield i, "occupied cells", test.of_counts(kx, ky, product, stratum, xs, ys, count).tobytes()
    if kx * ky * product <= MOST_DENSE:
        cells = np.zeros(int(kx * ky * product), np.int64)
        offsets = np.array([0, len(cells)], np.int64)
        given = (np.array([0, len(kz)], np.int64), np.array(query[2], np.int32))
        table.add_dense_counts(np.array([query[0]], np.int32), np.array([query[1]], np.int32), given, offsets, cells, 1)
        yield i, "dense counts", test.of_dense_counts(kx, ky, product, cells).tobytes()


def fields(record: bytes, test: _native.Test) -> dict[str, Any]:
    """The fields of a record, with the p-value and the bound."""
    values = np.frombuffer(record, RECORD)[0]
    p_value, bound = test.evidence(record)
    return {name: values[name].item() for name in RECORD.names or ()} | {
        "p_value": p_value, "no_hypercompression_bound": bound,
    }  # fmt: skip


def compare_tests(case: Case, encoded: Encoded, number: int) -> tuple[int, int, list[str]]:
    """The comparisons made, the twins asked, and what differs."""
    first: dict[int, tuple[str, bytes]] = {}
    wrong, compared, test = [], 0, TESTS[number]
    try:
        for i, setting, record in records(case, encoded, number):
            compared += 1
            if i not in first:
                first[i] = setting, record
            elif record != first[i][1]:
                wrong.append(f"{test} of {case.queries[i]}: {setting} differs from {first[i][0]}")
    finally:
        _native.force_kernel("")
    for i, (setting, record) in first.items():
        wanted = expected_test(case, case.queries[i], test)
        found = fields(record, NATIVE_TESTS[number])
        if wanted is None:
            if not complete(case, (case.queries[i][0], case.queries[i][1], *case.queries[i][2])) and found["n"] != 0:
                wrong.append(f"{test} of {case.queries[i]}: rows where none is complete")
            continue
        rounded = rounding(case, case.queries[i], test)
        wrong += [f"{test} of {case.queries[i]}: {setting}: {one}" for one in differences(found, wanted, rounded)]
    return compared, len(first), wrong


def compare_scores(case: Case, encoded: Encoded, number: int) -> tuple[int, int, list[str]]:
    """The same for a score."""
    if not case.families:
        return 0, 0, []
    score, (name, sample_size) = NATIVE_SCORES[number], SCORES[number]
    variables = np.array([family[0] for family in case.families], np.int32)
    parents = ragged([family[1] for family in case.families])
    answers: list[tuple[str, Any]] = []
    try:
        for kernel in _native.available_kernels():
            _native.force_kernel(kernel)
            answers += [
                (f"{kernel}, {threads} threads", encoded.table().score(score, variables, parents, threads, None))
                for threads in THREADS
            ]
            alone = [
                encoded.table().score(score, variables[i : i + 1], ragged([family[1]]), 1, None)
                for i, family in enumerate(case.families)
            ]
            answers.append((f"{kernel}, alone", tuple(np.concatenate(part) for part in zip(*alone, strict=True))))
    finally:
        _native.force_kernel("")
    wrong = []
    bits, rows = answers[0][1]
    for setting, (other_bits, other_rows) in answers[1:]:
        if other_bits.tobytes() != bits.tobytes() or other_rows.tobytes() != rows.tobytes():
            wrong.append(f"{name}: {setting} differs from {answers[0][0]}")
    for i, family in enumerate(case.families):
        wanted = expected_score(case, family, name, sample_size)
        slack = max(2e-9, 4 * significance_floor(int(rows[i])) if rows[i] > 1 << 20 else 0.0)
        if wanted is not None and (rows[i] != wanted[1] or not close(float(bits[i]), wanted[0], slack)):
            wrong.append(f"{name} of {family}: {bits[i]!r}, {rows[i]} rows, twin {wanted}")
    return len(answers) * len(case.families), len(case.families), wrong


def compare(case: Case) -> tuple[int, int, list[str]]:
    """All tests and scores of a case."""
    encoded, compared, asked = Encoded(case), 0, 0
    wrong: list[str] = []
    for numbers, one in ((range(len(TESTS)), compare_tests), (range(len(SCORES)), compare_scores)):
        for number in numbers:
            more, twins, differing = one(case, encoded, number)
            compared, asked, wrong = compared + more, asked + twins, wrong + differing
    return compared, asked, wrong


__all__ = ["Encoded", "TestOf", "compare"]
