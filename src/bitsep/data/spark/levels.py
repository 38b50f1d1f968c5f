"""The levels of the columns of a Spark data frame, from the distinct values that its partitions have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bitsep.data.encode import MAX_LEVELS, EncodingRules, encode, nested_error, too_many_levels
from bitsep.data.levels import Level
from bitsep.data.readers.arrow import code_arrow
from bitsep.data.spark.encoding import MAX_VALUES, VALUES_SCHEMA, lookup_keys, merge_values, unpacked
from bitsep.data.weights import LARGEST_SUM, WHOLE_HINT
from bitsep.errors import DataError, UnsupportedTypeError
from bitsep.naming import Name

_NESTED = ("array", "map", "struct", "variant")
_NOT_IN_ARROW = ("interval", "yearmonthinterval")


@dataclass(frozen=True, slots=True)
class ColumnLevels:
    """The levels of a column in canonical order, and the code of every value (by `lookup_keys`) that is not missing."""

    levels: tuple[Level, ...]
    code_of: dict[Any, int]


def column_of(name: Name) -> Any:
    """A column by its name, which can contain any character."""
    from pyspark.sql import functions as fn

    return fn.col("`" + str(name).replace("`", "``") + "`")


def check_types(frame: Any, names: Sequence[Name]) -> None:
    """Raise an error if a column has nested values, or values that cannot be sent to Python."""
    for name in names:
        kind = frame.schema[str(name)].dataType.typeName()
        if kind in _NESTED:
            raise nested_error(name, kind)
        if kind in _NOT_IN_ARROW:
            raise UnsupportedTypeError(
                f"data: column {name!r} has {kind} values, which Spark does not pass to Python.",
                hint="Turn them into text.",
            )


def find_levels(numbered: Any, names: Sequence[Name], rules: EncodingRules, *, text: bool) -> list[ColumnLevels]:
    """The levels of numbered chunks, by the encoder of `bitsep.Table`, which gets one row per distinct value."""
    from pyspark.sql import functions as fn

    # Merged on the cluster, because the values of all partitions can be too many for the driver.
    new_values = numbered.select(fn.posexplode("new_values").alias("variable", "values")).where("values is not null")
    merged = new_values.repartition("variable").mapInArrow(merge_values, VALUES_SCHEMA)
    table = merged.toArrow()
    found = dict(zip(table["variable"].to_pylist(), table["values"], strict=True))
    for i, name in enumerate(names):
        if i in found and not found[i].is_valid:
            raise too_many_levels(name, MAX_LEVELS, f"more than {MAX_VALUES:,}")
    return [_levels(name, found.get(i), rules, text=text) for i, name in enumerate(names)]


def _levels(name: Name, data: Any, rules: EncodingRules, *, text: bool) -> ColumnLevels:
    if data is None:
        return ColumnLevels((), {})
    values = unpacked(data.as_buffer())
    column = encode(name, code_arrow(name, values, text=text), rules)
    coded = zip(lookup_keys(values), column.codes.tolist(), strict=True)
    return ColumnLevels(column.levels, {key: code for key, code in coded if code >= 0})


def check_weights(frame: Any, weights: Name) -> None:
    """Raise an error unless every weight is an integer of at least 0."""
    from pyspark.sql import functions as fn

    kind = frame.schema[str(weights)].dataType.typeName()
    label = f"column {weights!r}"
    if kind not in ("byte", "short", "integer", "long", "float", "double", "decimal"):
        raise DataError(f"weights: {label} must have integers of at least 0, got {kind} values.")
    weight = column_of(weights)
    absent = weight.isNull() | fn.isnan(weight.cast("double"))
    bad = (weight < 0) | (weight != fn.floor(weight))
    row = frame.agg(
        fn.count(fn.when(absent, 1)).alias("absent"),
        fn.count(fn.when(~absent & bad, 1)).alias("bad"),
        fn.min(fn.when(~absent & bad, weight)).alias("example"),
        fn.sum(weight.cast("double")).alias("total"),
    ).toArrow().to_pylist()[0]  # fmt: skip
    if row["absent"]:
        raise DataError(
            f"weights: {label} has missing values in {row['absent']:,} row(s).",
            hint="Set them to 0, or leave out these rows.",
        )
    if row["bad"]:
        raise DataError(
            f"weights: {label} must have integers of at least 0, got {row['example']!r} and {row['bad'] - 1:,} more.",
            hint=WHOLE_HINT,
        )
    if row["total"] is not None and row["total"] > LARGEST_SUM:
        raise DataError(
            f"weights: {label} sums to more than 2^56, got {row['total']:.4g}.", hint="Scale the weights down."
        )
