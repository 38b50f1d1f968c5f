"""What is missing, what is the same level, and the order of levels."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import bitsep
from bitsep.data import DEFAULT_MAX_FLOAT_LEVELS, MAX_LEVELS, Table
from bitsep.errors import ArgumentError, DataError, UnsupportedTypeError


def levels(values: Any, **options: Any) -> tuple[Any, ...]:
    return Table({"x": values}, **options).levels("x")


class TestMissing:
    @pytest.mark.parametrize(
        "absent", [None, float("nan"), np.nan, pd.NA, pd.NaT, np.datetime64("NaT", "s"), Decimal("NaN")]
    )
    def test_values_of_no_value(self, absent: Any) -> None:
        table = Table({"x": ["a", absent, "b", absent]})
        assert table.codes("x").tolist() == [0, -1, 1, -1]
        assert table.missing("x") == 2

    @pytest.mark.parametrize("text", ["", "NA", "NaN", "null", "?"])
    def test_texts_that_mean_missing_do_so_in_every_source(self, text: str, tmp_path: Path) -> None:
        path = tmp_path / "f.csv"
        path.write_text(f"x,y\na,1\n{text},2\nb,3\n")
        column = ["a", text, "b"]
        sources = [path, {"x": column}, pd.DataFrame({"x": column}), pd.DataFrame({"x": pd.Categorical(column)})]
        sources += [{"x": pa.array(column).dictionary_encode()}, {"x": np.array(column)}]
        for data in sources:
            assert Table(data).codes("x").tolist() == [0, -1, 1]

    def test_numbers_and_texts_named_missing_match_in_files_and_in_memory(self, tmp_path: Path) -> None:
        path = tmp_path / "f.csv"
        path.write_text("x,y\n-9,u\n1,-9\n2,v\n")
        for missing in (["-9"], [-9], "-9", -9, [np.int64(-9)], [-9.0]):
            for data in (path, pd.read_csv(path), pd.read_csv(path).astype({"x": float})):
                table = Table(data, missing=missing)
                assert table.levels("x") == (1, 2)
                assert table.codes("x").tolist() == [-1, 0, 1]
                assert table.missing("y") == 1

    def test_naming_others_replaces_the_default_but_not_the_empty_text(self) -> None:
        assert levels(["NA", "", "x", "none"], missing=["none"]) == ("NA", "x")
        assert levels(["NA", "", "x"], missing=()) == levels(["NA", "", "x"], missing=None) == ("NA", "x")

    def test_a_number_named_missing_is_not_a_truth_value(self) -> None:
        assert levels([True, False], missing=[1]) == (False, True)

    def test_other_text_is_not_missing(self) -> None:
        assert levels(["na", "N/A", " ", "None"]) == (" ", "N/A", "None", "na")

    def test_nan_as_python_writes_it_is_missing_in_every_source(self, tmp_path: Path) -> None:
        texts = pd.DataFrame({"x": ["1", "nan", "2", "NaN"], "y": ["a", "b", "nan", "a"]})
        texts.to_csv(tmp_path / "f.csv", index=False)
        texts.to_feather(tmp_path / "f.feather")
        texts.to_json(tmp_path / "f.jsonl", orient="records", lines=True)
        assert bitsep.Table(tmp_path / "f.csv").levels("x") == bitsep.scan(tmp_path / "f.csv").levels("x") == (1, 2)
        for data in (texts, tmp_path / "f.csv", tmp_path / "f.feather", tmp_path / "f.jsonl"):
            table = bitsep.Table(data)
            assert [table.n_missing(name) for name in table.names] == [2, 1]

    @pytest.mark.parametrize("missing", [[True], [["NA"]], [dt.date(2024, 1, 1)], object()])
    def test_strange_entries_are_refused(self, missing: Any) -> None:
        with pytest.raises(ArgumentError, match="missing"):
            Table({"x": [1]}, missing=missing)

    @pytest.mark.parametrize("column", [[None, None], [float("nan")], ["?", ""], pd.Series([pd.NaT]), pa.nulls(2)])
    def test_a_column_of_nothing_is_kept(self, column: Any) -> None:
        table = Table({"x": column, "y": [1] * len(column)})
        assert table.levels("x") == ()
        assert table.missing("x") == len(column)
        assert set(table.codes("x").tolist()) == {-1}

    @pytest.mark.parametrize("kind", ["int64", "float64", "bool", "string", "timestamp[us]"])
    def test_an_arrow_column_of_nulls(self, kind: str) -> None:
        assert Table({"x": pa.nulls(3).cast(kind)}).missing("x") == 3


class TestSameLevel:
    def test_equal_in_python_is_one_level_in_either_order(self) -> None:
        one = [1, 1.0, True, Decimal("1.00"), Fraction(1), np.int8(1), np.float32(1)]
        for values in (one, one[::-1]):
            table = Table({"x": [*values, 0]})
            assert table.levels("x") == (0, 1)
            assert set(map(type, table.levels("x"))) == {int}
            assert table.codes("x").tolist() == [1] * len(one) + [0]

    def test_truth_values_stay_so_unless_mixed_with_numbers(self) -> None:
        assert list(map(type, levels([True, False]))) == [bool, bool]
        assert list(map(type, levels([True, "a"]))) == [bool, str]
        assert list(map(type, levels([True, False, 2]))) == [int, int, int]
        assert list(map(type, levels([True, float("nan")]))) == [bool]

    def test_text_is_never_a_number(self) -> None:
        assert levels(["1", 1]) == (1, "1")

    def test_negative_zero_is_zero(self) -> None:
        for values in ([-0.0, 0.0, 0], np.array([-0.0, 0.0, 0.0]), np.array([-0.0, 0.0, 0.5])):
            assert levels(values)[0] == 0
            assert len(set(Table({"x": values}).codes("x").tolist())) == len(set(values))

    def test_a_half_is_a_half(self) -> None:
        for values in ([0.5, Decimal("0.5"), Fraction(1, 2)], [Fraction(1, 2), Decimal("0.50"), 0.5]):
            assert levels(values) == (0.5,)
            assert type(levels(values)[0]) is float

    def test_decimals_and_instants_have_one_form(self) -> None:
        assert str(levels([Decimal("1.10"), Decimal("1.1")])[0]) == "1.1"
        assert str(levels([Decimal("1.1000000000000000000000000000000000001")])[0]).endswith("0001")
        zone = dt.timezone(dt.timedelta(hours=2))
        noon = dt.datetime(2024, 1, 1, 12, tzinfo=dt.UTC)
        assert levels([noon.astimezone(zone), noon]) == levels([noon, noon.astimezone(zone)])
        assert str(levels([noon.astimezone(zone)])[0]).endswith("+00:00")

    def test_categories_no_row_has_are_no_levels(self) -> None:
        column = pd.Categorical(["b", "b"], categories=["a", "b", "c"])
        assert levels(column) == ("b",)
        assert Table({"x": column}).codes("x").tolist() == [0, 0]


class TestOrder:
    def test_numbers_by_value_and_kinds_by_name(self) -> None:
        values = ["b", 10, 9.5, "a", b"z", (2, "x"), (1, "y"), dt.date(2024, 1, 1), frozenset({1}), Decimal("9.75")]
        expected = (b"z", dt.date(2024, 1, 1), frozenset({1}), 9.5, Decimal("9.75"), 10, "a", "b", (1, "y"), (2, "x"))
        assert levels(values) == levels(values[::-1]) == expected

    def test_times_with_and_without_zone_can_stand_in_one_column(self) -> None:
        plain, zoned = dt.datetime(2024, 1, 1), dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
        assert levels([zoned, plain]) == levels([plain, zoned]) == (plain, zoned)

    def test_sets_have_no_order_of_their_own(self) -> None:
        values = [frozenset({1}), frozenset({2}), frozenset({1, 2})]
        assert levels(values) == levels(values[::-1])

    def test_periods_of_different_length(self) -> None:
        values = [pd.Period("2024", "Y"), pd.Period("2024-01", "M")]
        assert levels(values) == levels(values[::-1])

    def test_a_class_of_the_users_named_like_one_of_pandas_has_no_order_of_its_own(self) -> None:
        class Interval(frozenset[int]):
            """Ordered by inclusion, and so only in part."""

        class NAType(str):
            """Not missing."""

        values = [Interval({i, i + 1}) for i in range(20)]
        assert levels(values) == tuple(sorted(values, key=repr))
        assert levels([NAType("a"), NAType("b")]) == ("a", "b")

    def test_fractions_beside_decimals(self) -> None:
        values = [Fraction(1, 3), Decimal("0.1"), 2]
        assert levels(values) == levels(values[::-1])


def refuse(x: Any, **options: Any) -> None:
    """Use a column in a test."""
    bitsep.independence_test(Table({"x": x, "y": np.arange(len(x)) % 2}, **options), "x", "y")


class TestContinuous:
    def test_many_fractional_numbers_are_refused(self) -> None:
        fine = np.repeat(np.arange(DEFAULT_MAX_FLOAT_LEVELS) + 0.5, 60)
        refuse(fine)
        many = np.append(fine, 0.25)
        for variant in (
            many,
            list(many),
            pd.Series(many),
            pd.Categorical(many),
            pa.array(many),
            [Decimal(v) for v in many],
        ):
            with pytest.raises(
                DataError, match=r"'x' \(51 levels\) looks continuous.*discretize.*max_float_levels=None"
            ):
                refuse(variant)
            assert len(levels(variant)) == 51
            refuse(variant, max_float_levels=None)
            refuse(variant, max_float_levels=51)

    def test_few_rows_support_fewer_numbers(self) -> None:
        refuse(np.arange(12) + 0.5)
        refuse(np.repeat(np.arange(20) + 0.5, 20))
        with pytest.raises(DataError, match="at most 12 fractional numbers are possible as levels of 13 rows"):
            refuse(np.arange(13) + 0.5)
        with pytest.raises(DataError, match="at most 19 fractional"):
            refuse(np.repeat(np.arange(20) + 0.5, 19))

    def test_the_limit_holds_for_files(self, tmp_path: Path) -> None:
        pd.DataFrame({"x": np.linspace(0, 1, 60), "y": 1}).to_csv(tmp_path / "f.csv", index=False)
        for use in (bitsep.pc_stable, bitsep.boss, bitsep.markov_blankets):
            with pytest.raises(DataError, match=r"'x' .* looks continuous"):
                use(tmp_path / "f.csv")

    def test_whole_numbers_are_never_refused(self) -> None:
        refuse(range(500))
        assert levels(np.arange(500.0)) == tuple(range(500))
        assert set(map(type, levels(np.arange(500.0)))) == {int}
        assert len(levels(np.arange(500) * 1e15)) == 500

    @pytest.mark.parametrize("limit", [-1, 2.5, "many", True])
    def test_strange_limits(self, limit: Any) -> None:
        with pytest.raises(ArgumentError, match="max_float_levels"):
            Table({"x": [1]}, max_float_levels=limit)


def test_a_million_levels_and_no_more() -> None:
    most = np.arange(MAX_LEVELS)
    assert Table({"x": most}).n_levels("x") == MAX_LEVELS
    with pytest.raises(DataError, match=r"'x' has too many levels.*got 1,000,001.*columns="):
        Table({"x": np.arange(MAX_LEVELS + 1)})


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([[1], [2]], "list"),
        ([{"a": 1}], "dict"),
        ([{1}, {2}], "set"),
        (pa.array([[1], [2]]), "list"),
        (pa.array([{"a": 1}]), "struct"),
        (pd.Series([[1], [2]]), "list"),
        ([1j, 2.0], "complex"),
        (np.array([1j]), "complex"),
        (np.zeros(2, dtype=[("a", int)]), "structured"),
        ([([1],)], "tuple"),
        ([Decimal("sNaN")], "Decimal"),
        (np.array([2**62], "M8[Y]"), "cannot be levels"),
    ],
)
def test_values_that_cannot_be_levels(values: Any, words: str) -> None:
    with pytest.raises(UnsupportedTypeError, match=f"'x'.*{words}"):
        levels(values)
    assert Table({"x": values, "y": [0] * len(values)}, columns=["y"]).names == ("y",)
