"""The levels of the columns of a Spark data frame, by aggregation on the cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bitsep.errors import DataError
from bitsep.naming import Name
from bitsep.tables.arrow import code_arrow
from bitsep.tables.encode import MAX_LEVELS, Rules, encode, nested_error
from bitsep.tables.levels import Level

_NESTED = ("array", "map", "struct", "variant")
_UNCERTAIN = 1.2  # approx_count_distinct errs by five per cent, rarely by more than thrice that


@dataclass(frozen=True, slots=True)
class ColumnLevels:
    """The levels of a column in canonical order, and the code of every value met in it that is not missing."""

    levels: tuple[Level, ...]
    place: dict[Any, int]


def column_of(name: Name) -> Any:
    """A column by its name, whatever characters it has."""
    from pyspark.sql import functions as fn

    return fn.col("`" + str(name).replace("`", "``") + "`")


def find_levels(frame: Any, names: Sequence[Name], rules: Rules, *, text: bool) -> list[ColumnLevels]:
    """The levels of some columns, by the rules of `bitsep.Table`: its encoder sees one row per distinct value."""
    from pyspark.sql import functions as fn

    for name in names:
        kind = frame.schema[str(name)].dataType.typeName()
        if kind in _NESTED:
            raise nested_error(name, kind)
    # Counting comes first: a column of row numbers would bring the whole table to the driver.
    about = frame.agg(*(fn.approx_count_distinct(column_of(name)).alias(str(i)) for i, name in enumerate(names)))
    for name, (count,) in zip(names, (column.to_pylist() for column in about.toArrow().columns), strict=True):
        if count > _UNCERTAIN * MAX_LEVELS:
            raise DataError(
                f"Column {name!r} has about {count:,} levels; at most {MAX_LEVELS:,} are possible. "
                "Leave it out with columns=, or group its values."
            )
    sets = frame.agg(*(fn.collect_set(column_of(name)).alias(str(i)) for i, name in enumerate(names))).toArrow()
    found = []
    for i, name in enumerate(names):
        values = sets.column(i).chunk(0)[0].values
        column = encode(name, code_arrow(name, values, text=text), rules)
        codes = column.codes.tolist()
        place = {value: code for value, code in zip(values.to_pylist(), codes, strict=True) if code >= 0}
        found.append(ColumnLevels(column.levels, place))
    return found


def check_weights(frame: Any, weights: Name) -> None:
    """Raise unless every weight is a whole number from 0 up."""
    from pyspark.sql import functions as fn

    kind = frame.schema[str(weights)].dataType.typeName()
    label = f"weights: column {weights!r}"
    if kind not in ("byte", "short", "integer", "long", "float", "double", "decimal"):
        raise DataError(f"{label} holds {kind} values. Weights count rows: give whole numbers, 0 or more.")
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
        raise DataError(f"{label} is missing in {row['absent']:,} row(s); use 0 or drop them.")
    if row["bad"]:
        raise DataError(
            f"{label} holds {row['example']!r} and {row['bad'] - 1:,} more that are negative or not whole. "
            "Weights count rows: give whole numbers, 0 or more."
        )
    if row["total"] is not None and row["total"] >= 2.0**63:
        raise DataError(f"{label} sums to {row['total']:.4g}, beyond 64-bit integers. Scale the weights down.")
