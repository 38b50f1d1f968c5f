"""Bad input: the right class of error, and a message that names the argument or column and says what to do."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest

import bitsep
from bitsep.errors import ArgumentError, DataError, UnknownColumnError, UnknownMethodError, UnsupportedTypeError

COLUMNS = {"smoke": [0, 1, 0, 1], "lung": [0, 1, 1, 1], "asia": [0, 0, 1, 1], "age": [1, 2, 3, 4]}


def refused(kind: type[Exception], *says: str, data: object = COLUMNS, **arguments: Any) -> None:
    """The call fails with this class, a BitsepError, and a message that holds all of `says`."""
    call = {"x": "smoke", "y": "lung"} | arguments
    with pytest.raises(kind) as caught:
        bitsep.independence_test(data, call.pop("x"), call.pop("y"), **call)
    assert isinstance(caught.value, bitsep.BitsepError)
    for words in says:
        assert re.search(words, str(caught.value)), f"{words!r} is not in: {caught.value}"


@pytest.mark.parametrize(
    ("argument", "value"), [("x", "smoek"), ("y", "smoek"), ("given", ["smoek"]), ("given", "smoek")]
)
def test_unknown_column_offers_close_names(argument: str, value: object) -> None:
    call = {"x": "asia", "y": "lung"} | {argument: value}
    refused(UnknownColumnError, "'smoek'", "Did you mean 'smoke'", **call)
    refused(KeyError, "smoek", **call)


def test_unknown_column_in_a_joint_variable() -> None:
    refused(UnknownColumnError, "'agee'", "'age'", x=["smoke", "agee"])


def test_unknown_column_message_is_not_quoted_like_a_plain_key_error() -> None:
    with pytest.raises(UnknownColumnError) as caught:
        bitsep.independence_test(COLUMNS, "nothing like it", "lung")
    assert not str(caught.value).startswith(('"', "'"))


def test_integer_names_of_a_numpy_array() -> None:
    array = np.array([[0, 1], [1, 0], [1, 1]])
    assert bitsep.independence_test(array, 0, 1).n == 3
    refused(UnknownColumnError, "7", data=array, x=0, y=7)


def test_x_equals_y() -> None:
    refused(ArgumentError, "smoke", x="smoke", y="smoke")
    refused(ValueError, "smoke", x="smoke", y="smoke")


def test_x_and_y_share_a_column() -> None:
    refused(ArgumentError, "lung", x=["smoke", "lung"], y=["asia", "lung"])


@pytest.mark.parametrize("name", ["smoke", "lung"])
def test_x_or_y_in_given(name: str) -> None:
    refused(ArgumentError, name, "given", given=["asia", name])


def test_x_twice_in_itself() -> None:
    refused(ArgumentError, "smoke", x=["smoke", "smoke"])


def test_empty_x() -> None:
    refused(ArgumentError, r"\bx\b", x=[])


@pytest.mark.parametrize(("method", "meant"), [("sci_ff", "sci_f"), ("SCI-F", "sci_f"), ("g22", "g2"), ("jick", "jic")])
def test_unknown_method_offers_close_names(method: str, meant: str) -> None:
    refused(UnknownMethodError, re.escape(repr(method)), f"'{meant}'", method=method)
    refused(ValueError, "method", method=method)


@pytest.mark.parametrize("alpha", [0, 1, -0.1, 1.5, math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("method", ["sci_f", "g2", "cmi_gamma", "x2"])
def test_alpha_outside_zero_and_one(alpha: float, method: str) -> None:
    refused(ArgumentError, "alpha", alpha=alpha, method=method)


@pytest.mark.parametrize("alpha", ["0.05", [0.05], True])
def test_alpha_that_is_no_number(alpha: object) -> None:
    refused(Exception, "alpha", alpha=alpha, method="g2")


def test_all_rows_missing_for_this_test() -> None:
    columns = {"smoke": [0, 1, None, None], "lung": [None, None, 0, 1], "asia": [0, 1, 0, 1]}
    refused(DataError, "smoke", "lung", data=columns)
    refused(ValueError, "no row", data=columns)
    assert bitsep.independence_test(columns, "smoke", "asia").n == 2


def test_a_column_with_nothing_but_missing_values() -> None:
    refused(DataError, "lung", data={"smoke": [0, 1], "lung": [None, math.nan]})


def test_no_rows() -> None:
    refused(DataError, "row", data={"smoke": [], "lung": []})


@pytest.mark.parametrize("method", ["sci_f", "g2", "cmi"])
def test_unknown_option(method: str) -> None:
    refused(Exception, "min_row_per_df", method=method, min_row_per_df=10)


def test_option_of_another_test() -> None:
    refused(Exception, "threshold", method="sci_f", threshold=0.1)


@pytest.mark.parametrize("threshold", [-0.1, math.nan])
def test_negative_threshold(threshold: float) -> None:
    refused(ArgumentError, "threshold", method="cmi", threshold=threshold)


@pytest.mark.parametrize("value", ["seen", "", 3, None])
def test_sizes_other_than_the_two_words(value: object) -> None:
    refused(ArgumentError, "z_size", "observed", "product", method="sci_q", z_size=value)
    refused(ArgumentError, "xy_size", "observed", "product", method="sci_fs", xy_size=value)


@pytest.mark.parametrize("value", [-1, math.nan])
def test_negative_rows_per_df(value: float) -> None:
    refused(ArgumentError, "min_rows_per_df", method="g2", min_rows_per_df=value)


@pytest.mark.parametrize("value", [3.5, object()])
def test_given_that_is_no_list(value: object) -> None:
    refused(Exception, "given|3.5|object", given=value)


def test_data_that_is_no_table() -> None:
    refused(TypeError, "data|int", data=42)


def test_ragged_columns() -> None:
    refused(DataError, "lung|smoke|length", data={"smoke": [0, 1, 1], "lung": [0, 1]})


def test_a_column_of_lists() -> None:
    refused(TypeError, "lung", data={"smoke": [0, 1], "lung": [[0], [1, 2]]})


def test_a_failed_call_leaves_nothing_behind() -> None:
    table = bitsep.Table(COLUMNS)
    before = table.fingerprint()
    for wrong in ({"method": "nope"}, {"alpha": 7}, {"given": ["nope"]}):
        with pytest.raises(bitsep.BitsepError):
            bitsep.independence_test(table, "smoke", "lung", **wrong)
    assert table.fingerprint() == before
    assert bitsep.independence_test(table, "smoke", "lung") == bitsep.independence_test(COLUMNS, "smoke", "lung")


@pytest.mark.parametrize("function", ["evaluate", "separate"])
def test_batches_name_the_culprit_too(function: str) -> None:
    call = getattr(bitsep, function)
    with pytest.raises(UnknownColumnError, match="'agee'"):
        call(COLUMNS, [("smoke", "lung", ()), ("smoke", "lung", ("agee",))])
    with pytest.raises(ArgumentError, match="smoke"):
        call(COLUMNS, [("smoke", "smoke", ())])
    with pytest.raises(ArgumentError, match="smoke"):
        call(COLUMNS, [("smoke", "lung", ("smoke",))])
    with pytest.raises(UnknownMethodError, match="nope"):
        call(COLUMNS, [("smoke", "lung", ())], method="nope")
    with pytest.raises(bitsep.BitsepError):
        call(COLUMNS, [("smoke",)])


@pytest.mark.parametrize("max_given", [-1, 1.5])
def test_separate_refuses_a_limit_that_makes_no_sense(max_given: object) -> None:
    with pytest.raises(bitsep.BitsepError, match="max_given"):
        bitsep.separate(COLUMNS, [("smoke", "lung", ("asia",))], max_given=max_given)


@pytest.mark.parametrize(("sizes", "argument"), [((-2, 2, 2), "kx"), ((2, -1, 2), "ky"), ((2, 2, -4), "kz")])
def test_sample_size_bound_refuses_negative_domains(sizes: tuple[int, int, int], argument: str) -> None:
    with pytest.raises(ArgumentError, match=argument):
        bitsep.sample_size_bound(*sizes)


def test_given_as_one_name_and_as_tuple_are_legal() -> None:
    as_list = bitsep.independence_test(COLUMNS, "smoke", "lung", given=["asia"])
    assert bitsep.independence_test(COLUMNS, "smoke", "lung", given="asia") == as_list
    assert bitsep.independence_test(COLUMNS, "smoke", "lung", given=("asia",)) == as_list
    assert as_list.given == ("asia",)


@pytest.mark.parametrize("queries", [None, 3, "xy", object()])
def test_queries_that_are_no_list(queries: Any) -> None:
    with pytest.raises(UnsupportedTypeError, match="queries: must be a list of queries"):
        bitsep.evaluate(COLUMNS, queries)
    with pytest.raises(UnsupportedTypeError, match="tasks: must be a list of tasks"):
        bitsep.separate(COLUMNS, queries)


@pytest.mark.parametrize(("x", "given"), [({}, ()), ([[]], ()), ("smoke", [[]]), ("smoke", ([],)), ("smoke", [([],)])])
def test_names_that_cannot_be_looked_up(x: Any, given: Any) -> None:
    with pytest.raises(ArgumentError, match="data: a column name must be hashable"):
        bitsep.independence_test(COLUMNS, x, "lung", given)
