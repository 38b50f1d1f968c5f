"""Every way of counting and every kernel gives the same bits, and what is forced is what runs."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitsep import _native
from bitsep.errors import ArgumentError
from bitsep.independence import METHODS

WAYS = ("margins", "bitmaps", "row_scan", "sort")


@pytest.fixture
def restore_kernel():
    yield
    _native.force_kernel(os.environ.get("BITSEP_FORCE_KERNEL", ""))


def make_table(seed: int, rows: int, levels: list[int], missing: float) -> _native.Table:
    rng = np.random.default_rng(seed)
    columns = []
    for k in levels:
        codes = rng.integers(0, k, rows).astype(np.int8)
        codes[rng.random(rows) < missing] = -1
        columns.append(codes)
    return _native.Table(columns, levels, rows, None)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    rows=st.sampled_from([1, 63, 64, 65, 511, 513, 3000, 20000]),
    levels=st.lists(st.integers(1, 7), min_size=5, max_size=5),
    missing=st.sampled_from([0.0, 0.2]),
    n_given=st.integers(0, 3),
    method=st.sampled_from(sorted(METHODS)),
)
def test_all_ways_give_the_same_bits(seed, rows, levels, missing, n_given, method):
    table, test = make_table(seed, rows, levels, missing), _native.Test(method)
    z = np.arange(2, 2 + n_given, dtype=np.int32)
    records = {test.on(table, 0, 1, z, way).tobytes() for way in (*WAYS, "automatic", "automatic")}
    assert len(records) == 1


@pytest.mark.parametrize("kernel", _native.available_kernels())
@pytest.mark.parametrize("levels", [[2, 2, 2], [3, 3, 3], [4, 5, 2], [1, 6, 3], [9, 2, 4], [32, 7, 2]])
def test_all_kernels_give_the_same_bits(kernel, levels, restore_kernel):
    test, z = _native.Test("sci_f"), np.array([2], dtype=np.int32)
    expected = test.on(make_table(5, 30001, levels, 0.05), 0, 1, z, "sort").tobytes()
    _native.force_kernel(kernel)
    assert _native.active_kernel() == kernel
    table = make_table(5, 30001, levels, 0.05)  # a new one: the kernel also makes the bitmaps
    assert test.on(table, 0, 1, z, "bitmaps").tobytes() == expected
    assert test.on(table, 0, 1, z, "margins").tobytes() == expected


@pytest.mark.parametrize("kernel", _native.available_kernels())
def test_the_environment_forces_a_kernel(kernel):
    code = "from bitsep import _native; print(_native.active_kernel())"
    environment = {**os.environ, "BITSEP_FORCE_KERNEL": kernel}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == kernel


def test_an_unknown_kernel_is_refused(restore_kernel):
    with pytest.raises(ArgumentError, match=r"there are .*portable"):
        _native.force_kernel("avx1024")


def test_an_unknown_kernel_in_the_environment_is_told_in_the_shell():
    command = [sys.executable, "-c", "import sys; from bitsep.cli import main; sys.exit(main())", "info"]
    environment = {**os.environ, "BITSEP_FORCE_KERNEL": "avx1024"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "BITSEP_FORCE_KERNEL: no kernel 'avx1024'" in done.stderr
    assert "Traceback" not in done.stderr


def test_remembered_counts_serve_every_role():
    """The test of x and y given z counts the same cells as that of x and z given y: the cache must not mix them up."""
    warm, test = make_table(11, 6000, [3, 4, 2, 5], 0.0), _native.Test("sci_f")
    roles = [(0, 1, [2]), (0, 2, [1]), (1, 2, [0]), (0, 1, [2, 3]), (2, 3, [0, 1]), (1, 3, [0, 2]), (0, 3, [])]
    for x, y, z in roles * 2:
        given_z = np.array(z, dtype=np.int32)
        fresh = make_table(11, 6000, [3, 4, 2, 5], 0.0)
        assert test.on(warm, x, y, given_z).tobytes() == test.on(fresh, x, y, given_z, "sort").tobytes()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("rows", [400, 1500, 5000])
def test_counts_are_in_canonical_order_for_any_domain_sizes(rows: int, missing: bool, weighted: bool):
    """Keys beyond 64 bits are ranked on the way, and the order stays lexicographic."""
    rng = np.random.default_rng(3)
    k, weights = 30000, rng.integers(0, 3, rows) if weighted else None
    columns = [rng.integers(0, k, rows).astype(np.int16) for _ in range(9)]
    if missing:
        columns[5][rng.random(rows) < 0.3] = -1
    table = _native.Table(columns, [k] * 9, rows, weights)
    stratum, x, y, count = table.counts(0, 1, np.arange(2, 9, dtype=np.int32))
    order = np.lexsort([columns[1], columns[0], *columns[:1:-1]])
    order = order[columns[5][order] >= 0]
    if weights is not None:
        order = order[weights[order] > 0]
    assert np.array_equal(count, np.ones(len(order)) if weights is None else weights[order])
    assert np.array_equal(x, columns[0][order])
    assert np.array_equal(y, columns[1][order])
    assert np.array_equal(stratum, np.arange(len(order)))


def test_bad_codes_are_refused():
    with pytest.raises(ValueError, match="number of a level"):
        _native.level_counts(np.array([0, 3], dtype=np.int8), 2)
    with pytest.raises(ValueError, match="number of a level"):
        _native.level_counts(np.array([0, 300], dtype=np.int16), 2)


def test_dense_counts_add_up_over_chunks():
    rng = np.random.default_rng(0)
    columns = [rng.integers(0, k, 5000).astype(np.int8) for k in (3, 2, 4)]
    levels, queries = [3, 2, 4], (np.array([0, 0], np.int32), np.array([1, 2], np.int32))
    given_rows = (np.array([0, 1, 1], np.int64), np.array([2], np.int32))
    offsets = np.array([0, 24, 36], np.int64)
    cells = np.zeros(36, np.int64)
    for begin in range(0, 5000, 700):
        chunk = [np.ascontiguousarray(column[begin : begin + 700]) for column in columns]
        _native.Table(chunk, levels, len(chunk[0]), None).add_dense_counts(*queries, given_rows, offsets, cells, 2)
    expected = np.zeros((4, 3, 2), np.int64)
    np.add.at(expected, (columns[2], columns[0], columns[1]), 1)
    assert np.array_equal(cells[:24].reshape(4, 3, 2), expected)
    whole, test = _native.Table(columns, levels, 5000, None), _native.Test("sci_f")
    record = test.on(whole, 0, 1, np.array([2], np.int32))
    assert test.of_dense_counts(3, 2, 4.0, cells[:24]).tobytes() == record.tobytes()


@pytest.mark.parametrize("kernel", _native.available_kernels())
@pytest.mark.parametrize("levels", [1, 3, 16, 17, 128])
@pytest.mark.parametrize("rows", [0, 1, 63, 64, 1000])
def test_codes_are_counted_and_recoded_alike_by_every_kernel(kernel, levels, rows, restore_kernel):
    rng = np.random.default_rng(levels)
    codes = rng.integers(-1, levels, rows).astype(np.int8)
    table = rng.integers(-1, 100, levels).astype(np.int8)
    _native.force_kernel(kernel)
    expected = [np.count_nonzero(codes == level) for level in [*range(levels), -1]]
    assert _native.level_counts(codes, levels).tolist() == expected
    assert _native.recoded(codes, table).tolist() == np.append(table, -1)[codes].tolist()


@pytest.mark.parametrize("levels", [3, 16, 17])
def test_a_code_beyond_the_levels_is_refused(levels):
    for code in (levels, 127, -2):
        codes = np.array([0] * 70 + [code], dtype=np.int8)
        with pytest.raises(ValueError, match="number of a level"):
            _native.level_counts(codes, levels)
