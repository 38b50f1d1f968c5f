"""The native module refuses arguments that would make it read or write outside its arrays, and owns what it keeps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bitsep import _native

NONE = np.zeros(0, np.int32)


def indices(*values: int) -> np.ndarray:
    return np.array(values, np.int32)


def longs(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


def table(weights: np.ndarray | None = None) -> _native.Table:
    column = np.array([0, 1, 1, 0], np.int8)
    return _native.Table([column] * 3, [2] * 3, 4, weights)


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int32])
def test_a_table_keeps_a_copy_of_its_codes(kind: type) -> None:
    column = np.array([0, 1, 1, 0] * 100, kind)
    native = _native.Table([column, column], [2, 2], 400, None)
    column[:] = 100
    assert [part.tolist() for part in native.counts(0, 1, NONE)] == [[0, 0], [0, 1], [0, 1], [200, 200]]


def test_a_table_keeps_a_copy_of_its_weights() -> None:
    weights = longs(1, 2, 3, 4)
    native = table(weights)
    weights[:] = -1
    assert native.counts(0, 1, NONE)[3].tolist() == [5, 5]


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int32])
@pytest.mark.parametrize("bad", [-2, 2, 100])
def test_codes_out_of_range_are_refused(kind: type, bad: int) -> None:
    with pytest.raises(ValueError, match="code"):
        _native.Table([np.array([0, bad], kind)], [2], 2, None)


@pytest.mark.parametrize("weights", [longs(1, 2, 3), longs(1, 2, 3, -1), longs(2**62, 2**62, 0, 0), longs()])
def test_bad_weights_are_refused(weights: np.ndarray) -> None:
    with pytest.raises(ValueError, match="weights"):
        table(weights)


@pytest.mark.parametrize(
    ("x", "y", "z"), [(0, 3, ()), (7, 1, ()), (1, 1, ()), (0, 1, (3,)), (0, 1, (-1,)), (0, 1, (1,)), (0, 1, (2, 2))]
)
def test_variables_that_a_test_cannot_have_are_refused(x: int, y: int, z: tuple[int, ...]) -> None:
    native, given = table(), indices(*z)
    for ask in (native.counts, native.way, lambda *query: _native.Test("sci_f").on(native, *query)):
        with pytest.raises(ValueError, match=r"variable|given"):
            ask(x, y, given)


def test_cells_outside_the_array_are_refused() -> None:
    cells = np.zeros(2, np.int64)
    with pytest.raises(ValueError, match="offsets"):
        table().add_dense_counts(indices(0), indices(1), (longs(0, 0), NONE), longs(-2, 2), cells, 1)


@pytest.mark.parametrize(
    ("stratum", "x", "y", "count"),
    [
        (longs(0), longs(2), longs(0), longs(1)),
        (longs(0), longs(0), longs(2), longs(1)),
        (longs(0), longs(0), longs(-1), longs(1)),
        (longs(0), longs(0), longs(0), longs(-1)),
        (longs(0, 0), longs(0, 1), longs(0, 1), longs(2**62, 2**62)),
        (longs(0), longs(0, 1), longs(0), longs(1)),
        (longs(0), longs(0), longs(0), longs(1, 1)),
    ],
)
def test_counts_that_cannot_be_are_refused(
    stratum: np.ndarray, x: np.ndarray, y: np.ndarray, count: np.ndarray
) -> None:
    with pytest.raises(ValueError, match=r"code|counts|length"):
        _native.Test("sci_f").of_counts(2, 2, 1.0, stratum, x, y, count)


@pytest.mark.parametrize(("kx", "ky"), [(0, 2), (2, 0), (2**62, 2**62), (3, 1)])
def test_dense_counts_of_other_domains_are_refused(kx: int, ky: int) -> None:
    with pytest.raises(ValueError, match="domain sizes"):
        _native.Test("sci_f").of_dense_counts(kx, ky, 1.0, longs(1, 2, 3, 4))


def no_parents() -> list[list[int]]:
    return [[], [], []]


def arguments_of(name: str) -> dict[str, Any]:
    """Arguments that both forms of a search take."""
    own = {
        "search_orders": {"starts": 2, "seed": 0, "domain_sizes": None},
        "climb": {"start": no_parents(), "tabu": 3},
    }[name]
    return {
        "structure_bits": np.arange(3.0),
        "forbidden": None,
        "required": no_parents(),
        "min_effect": 0.0,
        "progress": None,
        **own,
    }


def search(name: str, native: _native.Table, **changed: Any) -> Any:
    """The answer of a search in a table, with some arguments changed."""
    return getattr(native, name)(score=_native.Score("fnml"), threads=1, **arguments_of(name) | changed)


@pytest.mark.parametrize("name", ["search_orders", "climb"])
@pytest.mark.parametrize(
    "changed",
    [
        {"structure_bits": np.arange(0.0)},
        {"structure_bits": np.arange(4.0)},
        {"forbidden": np.zeros(8, np.uint8)},
        {"required": [[], []]},
        {"required": [[0], [], []]},
        {"required": [[3], [], []]},
        {"required": [[-1], [], []]},
        {"required": [[2, 1], [], []]},
        {"required": [[1], [0], []]},
        {"min_effect": -1.0},
        {"min_effect": float("inf")},
    ],
)
def test_rules_that_a_search_cannot_have_are_refused(name: str, changed: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"structure_bits|forbidden|required|min_effect|cycle"):
        search(name, table(), **changed)


@pytest.mark.parametrize(
    "changed",
    [
        {"start": [[], []]},
        {"start": [[3], [], []]},
        {"start": [[1], [0], []]},
        {"required": [[1], [], []]},
        {"start": [[1, 2], [], []], "structure_bits": np.arange(2.0)},
        {"start": [[1], [], []], "forbidden": np.ones(9, np.uint8)},
    ],
)
def test_a_start_that_breaks_the_rules_is_refused(changed: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"start|cycle"):
        search("climb", table(), **changed)


def test_no_starts_are_refused() -> None:
    with pytest.raises(ValueError, match="starts"):
        search("search_orders", table(), starts=0)


def test_domain_sizes_must_be_those_of_all_variables() -> None:
    with pytest.raises(ValueError, match="domain_sizes"):
        search("search_orders", table(), domain_sizes=np.ones(2))


@pytest.mark.parametrize("name", ["search_orders", "climb"])
def test_searches_take_scores_from_python(name: str) -> None:
    native, score = table(longs(1, 2, 3, 4)), _native.Score("fnml")

    def answer(variables: np.ndarray, offsets: np.ndarray, parents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return native.score(score, variables, (offsets, parents), 1, None)

    run, arguments = getattr(_native, name), {"variables": 3, "rows": 10, **arguments_of(name)}
    found = run(score=answer, **arguments)
    assert found == search(name, native)
    assert sum(map(len, found[0])) == 2  # three copies of one column
    with pytest.raises(ZeroDivisionError):
        run(score=lambda *_: 1 / 0, **arguments)
    with pytest.raises(ValueError, match="score"):
        run(score=lambda *_: (np.zeros(1), longs(10)), **arguments)
