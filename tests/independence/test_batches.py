"""`evaluate` and `separate`: the same answers as asking one by one, whatever the batch, the order and the threads."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bitsep
import golden
import twins
from twins.strategies import Columns, methods, quick, tables

Query = tuple[str, str, tuple[str, ...]]


def all_queries(names: str, largest: int) -> list[Query]:
    queries = []
    for x, y in combinations(names, 2):
        rest = [name for name in names if name not in (x, y)]
        queries += [(x, y, given) for size in range(largest + 1) for given in combinations(rest, size)]
    return queries


def one_test(*arguments: Any, **options: Any) -> bitsep.IndependenceResult:
    """A single test, without its warnings, which batches do not have."""
    return replace(bitsep.independence_test(*arguments, **options), warnings=())


@given(tables(), methods)
@quick
def test_evaluate_equals_one_by_one_exactly(columns: Columns, method: str) -> None:
    table = bitsep.Table(columns)
    queries = all_queries("xyabc", 3)
    for (x, y, z), found in zip(queries, bitsep.evaluate(table, queries, method=method), strict=True):
        assert found == one_test(table, x, y, given=z, method=method)


@given(tables(), methods, st.randoms(use_true_random=False))
@quick
def test_evaluate_keeps_the_order_asked(columns: Columns, method: str, rng: random.Random) -> None:
    table = bitsep.Table(columns)
    queries = all_queries("xyabc", 2)
    expected = dict(zip(queries, bitsep.evaluate(table, queries, method=method), strict=True))
    rng.shuffle(queries)
    assert bitsep.evaluate(table, queries, method=method) == [expected[query] for query in queries]


@given(tables(missing=True), methods)
@quick
def test_evaluate_leaves_rows_out_query_by_query(columns: Columns, method: str) -> None:
    table = bitsep.Table(columns)
    queries = [
        query
        for query in all_queries("xyabc", 2)
        if any(None not in row for row in zip(*(columns[n] for n in (*query[:2], *query[2])), strict=True))
    ]
    for (x, y, z), found in zip(queries, bitsep.evaluate(table, queries, method=method), strict=True):
        assert found == one_test(table, x, y, given=z, method=method)


@pytest.mark.parametrize("method", twins.METHODS)
def test_evaluate_on_alarm(method: str) -> None:
    columns = golden.r_table("data/alarm_1000.csv")
    names = sorted(columns)
    rng = random.Random(7)
    queries: list[Query] = []
    for size in (0, 1, 2, 3, 6):
        for _ in range(12):
            x, y, *rest = rng.sample(names, size + 2)
            queries.append((x, y, tuple(rest)))
    results = bitsep.evaluate(columns, queries, method=method)
    for (x, y, z), found in zip(queries, results, strict=True):
        expected = twins.evaluate([columns[x]], [columns[y]], [columns[name] for name in z], method)
        assert found.score_bits == pytest.approx(expected["score_bits"], rel=1e-10, abs=1e-9)
        assert found.independent == expected["independent"]
        assert (found.x, found.y, set(found.given)) == (x, y, set(z))


def test_evaluate_nothing() -> None:
    assert bitsep.evaluate({"x": [0, 1], "y": [1, 0]}, []) == []


def test_evaluate_takes_options() -> None:
    columns = {"x": [0, 1] * 9, "y": [0, 1, 1] * 6, "z": [0, 0, 1, 2, 1, 2] * 3, "w": [0, 1, 2] * 6}
    query = ("x", "y", ("w", "z"))
    for options in ({"method": "g2", "alpha": 0.3, "z_size": "product"}, {"method": "cmi", "threshold": 0.2}):
        (found,) = bitsep.evaluate(columns, [query], **options)
        assert found == one_test(columns, "x", "y", given=["w", "z"], **options)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_change_nothing_at_all(threads: int) -> None:
    columns = golden.r_table("data/alarm_1000.csv")
    names = sorted(columns)[:12]
    queries = [(x, y, (z,)) for x, y in combinations(names, 2) for z in names if z not in (x, y)]
    one = bitsep.evaluate(columns, queries, threads=1)
    assert bitsep.evaluate(columns, queries, threads=threads) == one
    tasks = [(x, y, tuple(n for n in names[:7] if n not in (x, y))) for x, y in combinations(names, 2)]
    alone = bitsep.separate(columns, tasks, max_given=2, threads=1)
    assert bitsep.separate(columns, tasks, max_given=2, threads=threads) == alone


# --- separate ---------------------------------------------------------------------------------------------------------


def by_twin(columns: Columns, x: str, y: str, pool: tuple[str, ...], max_given: int | None, method: str) -> object:
    def independent(given_names: tuple[str, ...]) -> bool:
        verdict = twins.evaluate([columns[x]], [columns[y]], [columns[name] for name in given_names], method)
        return bool(verdict["independent"])

    return twins.first_separator(independent, pool, max_given)[0]


@given(tables(names="uvwxyz", max_rows=60), methods, st.sampled_from([None, 0, 1, 2, 4]))
@quick
def test_separate_equals_a_brute_force_search(columns: Columns, method: str, max_given: int | None) -> None:
    tasks = [(x, y, tuple(n for n in "uvwxyz" if n not in (x, y))) for x, y in (("x", "y"), ("u", "z"), ("w", "v"))]
    found = bitsep.separate(columns, tasks, max_given=max_given, method=method)
    for task, separation in zip(tasks, found, strict=True):
        expected = by_twin(columns, *task, max_given, method)
        if expected is None:
            assert separation is None
            continue
        assert separation is not None
        assert tuple(separation.given) == expected
        assert separation.result.independent
        result = separation.result
        assert {result.x, result.y} == set(task[:2])
        assert result == one_test(columns, result.x, result.y, given=expected, method=method)


@given(tables(names="uvwxy"), st.permutations(["u", "v", "w"]))
@quick
def test_separate_does_not_depend_on_the_order_of_the_pool(columns: Columns, pool: list[str]) -> None:
    assert bitsep.separate(columns, [("x", "y", tuple(pool))]) == bitsep.separate(
        columns, [("x", "y", ("u", "v", "w"))]
    )


def test_separate_alarm_like_brute_force() -> None:
    columns = golden.r_table("data/alarm_1000.csv")
    names = sorted(columns)[:9]
    tasks = [(x, y, tuple(n for n in names if n not in (x, y))) for x, y in combinations(names, 2)]
    found = bitsep.separate(columns, tasks, max_given=2)
    assert any(found)
    assert not all(found)
    for (x, y, pool), separation in zip(tasks, found, strict=True):
        expected = by_twin(columns, x, y, pool, 2, "sci_f")
        assert (separation and tuple(separation.given)) == expected


def test_separate_with_an_empty_pool_tests_once() -> None:
    columns = {"x": [0, 1] * 50, "y": [0, 0, 1, 1] * 25, "z": [0, 1] * 50}
    independent, dependent = bitsep.separate(columns, [("x", "y", ()), ("x", "z", ())])
    assert independent is not None
    assert independent.given == ()
    assert dependent is None


def test_the_separator_of_figure_1_is_found() -> None:
    columns = golden.dsep_columns(5, 2_000, 4, 0.2)
    ft, dt = bitsep.separate(columns, [("F", "T", ("D", "E")), ("D", "T", ("E", "F"))])
    assert ft is not None
    assert ft.given == ("D", "E")
    assert dt is None
