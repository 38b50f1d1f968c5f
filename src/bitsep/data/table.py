"""`Table`: discrete data, encoded once and used by every test and search."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import FrozenInstanceError, asdict, fields
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from bitsep import _native
from bitsep.checks import integer
from bitsep.data.contract import EncodedData
from bitsep.data.discretization.column import CutColumn, merged_cuts
from bitsep.data.display import ColumnSummary, as_html, as_text
from bitsep.data.encode import DEFAULT_MAX_FLOAT_LEVELS, Codes, Column, EncodingRules, encode, float_limit
from bitsep.data.fingerprint import Fingerprint, fingerprint_of
from bitsep.data.levels import DEFAULT_MISSING, Level, Missing
from bitsep.data.origin import Origin, call_of, method_of, origin_of
from bitsep.data.readers.dialect import CsvDialect
from bitsep.data.readers.selection import Selection
from bitsep.data.readers.source import code_column, read_source
from bitsep.data.table_arguments import is_name, refuse_reencoding
from bitsep.data.to_frame import to_pandas
from bitsep.data.weights import read_weights
from bitsep.errors import ArgumentError, DataError
from bitsep.naming import Name, sorted_names

if TYPE_CHECKING:
    import pandas as pd

    from bitsep.counting.native import NativeCounter

_USUALLY_MISSING = Missing()


class Table(EncodedData):
    """Discrete data as columns of integer codes, encoded once and used many times; it cannot be changed.

    Parameters
    ----------
    data
        A pandas or polars data frame (or any other that narwhals supports), an Arrow table, batch, reader, dataset or
        stream (a DuckDB relation, for instance), a dict of columns, a 2-D NumPy array (columns named 0, 1, …), a
        structured array, or a path to a file: CSV (``.csv``, ``.tsv``, also compressed; ``"-"`` is the standard input),
        Parquet, Feather (``.feather``, ``.arrow``), JSON lines (``.jsonl``, ``.ndjson``) or Excel (``.xlsx``, its first
        sheet).
    weights
        Row weights, which say how often each row counts: the name of a column, or one non-negative integer per row.
        Rows of weight 0 are left out, and so are levels that only such rows have.
    missing
        Texts (or numbers) that mean a missing value, in all sources. None, NaN, NaT, pd.NA and the empty text always
        do. The default adds ``"NA"``, ``"NaN"``, ``"nan"``, ``"null"`` and ``"?"``.
    max_float_levels
        A column with more distinct fractional numbers than this, or than the root of the number of rows (at least 12),
        looks continuous: tests and searches refuse it unless it is discretized. None for no limit.
    columns
        The columns to read; None for all. Other columns are not converted.
    encoding
        The encoding of a CSV file.
    delimiter
        The delimiter of a CSV file, one character; default: the comma, semicolon, tab or vertical bar that fits the
        first lines (a tab if the name ends in ``.tsv``).
    decimal, thousands
        The separators in the numbers of a CSV file: ``"1.234,5"`` is a number with ``decimal=","`` and
        ``thousands="."``. By default there is a decimal point, and thousands are not separated.
    header
        Whether the first line of a CSV file has the names; otherwise they are ``column_1``, ``column_2``, ….
    comment
        The first character of lines of a CSV file that are comments, such as ``"#"``.

    Notes
    -----
    A table copies codes and weights, so the source can be changed afterwards.

    Levels are the values observed, sorted by value. They do not depend on the order of rows or on the categories of the
    source, so codes do not depend on the kind of source; but tables and plots show ordered categories in their order.
    Values that are equal in Python are one level: 1, 1.0 and ``Decimal(1)``, and also True and 1 if a column contains
    truth values and numbers. Whole numbers are `int`, whatever their type was.

    A column of a CSV file has numbers if every field is a number (without leading zeros), truth values if every field
    is true or false, and text otherwise.

    Examples
    --------
    >>> table = Table({"smoke": ["yes", "no", "yes", None], "age": [30, 40, 30, 50]})
    >>> table
    Table: 4 rows, 2 columns
      smoke  2 levels, 1 missing: 'no', 'yes'
      age    3 levels: 30, 40, 50
    >>> table.codes("smoke")
    array([ 1,  0,  1, -1], dtype=int8)

    A frequency table:

    >>> Table({"x": ["a", "b"], "count": [30, 12]}, weights="count").n
    42
    """

    # __weakref__: the cache of counters has weak references to tables
    __slots__ = (
        "__weakref__", "_columns", "_counter", "_discretized", "_fingerprint", "_max_float_levels", "_n", "_n_rows",
        "_origin", "_weights",
    )  # fmt: skip

    _columns: dict[Name, Column]
    _weights: NDArray[np.int64] | None
    _n_rows: int
    _n: int
    _counter: NativeCounter | None
    _fingerprint: Fingerprint | None
    _origin: Origin
    _max_float_levels: int | None
    _discretized: tuple[CutColumn, ...]

    def __init__(
        self,
        data: Any,
        *,
        weights: Any = None,
        missing: Any = DEFAULT_MISSING,
        max_float_levels: int | None = DEFAULT_MAX_FLOAT_LEVELS,
        columns: Iterable[Name] | None = None,
        encoding: str = "utf-8",
        delimiter: str | None = None,
        decimal: str = ".",
        thousands: str | None = None,
        header: bool = True,
        comment: str | None = None,
    ) -> None:
        chosen = chosen_columns(columns)
        dialect = CsvDialect(encoding, delimiter, decimal, thousands, header, comment)
        origin = call_of(
            "bitsep.Table", origin_of(data), columns=chosen, weights=weights, missing=missing,
            max_float_levels=max_float_levels, **asdict(dialect),
        )  # fmt: skip
        if isinstance(data, Table):
            refuse_reencoding(weights, missing, max_float_levels)
            dialect.refuse_for("a Table")
            names = Selection(chosen).pick(data.names)
            cut = tuple(one for one in data._discretized if one.column in names)
            kept = {name: data._columns[name] for name in names}
            self._fill(kept, data._weights, origin, data._max_float_levels, cut)
            return
        known = _USUALLY_MISSING if missing is DEFAULT_MISSING else Missing(missing)
        limit = float_limit(max_float_levels)
        rules = EncodingRules(known, limit, numbers=dialect.numbers())
        by_name = weights is not None and is_name(weights)
        coded = read_source(data, Selection(chosen, weights if by_name else None), dialect)
        counts = keep = None
        if weights is not None:
            if by_name:
                counts = read_weights(f"column {weights!r}", coded.pop(weights), dialect.numbers())
            else:
                counts = read_weights("the array", code_column("weights", weights))
                n_rows = len(next(iter(coded.values())).codes)
                if len(counts) != n_rows:
                    raise DataError(f"weights: one per row is needed, {n_rows:,} in all, got {len(counts):,}.")
            if not counts.all():
                keep = counts > 0
                counts = counts[keep]
                if not len(counts):
                    raise DataError("weights: every row has weight 0; at least one must count.")
        self._fill({name: encode(name, column, rules, keep) for name, column in coded.items()}, counts, origin, limit)

    def _fill(
        self,
        columns: dict[Name, Column],
        weights: NDArray[np.int64] | None,
        origin: Origin,
        max_float_levels: int | None,
        discretized: tuple[CutColumn, ...] = (),
    ) -> None:
        """Set the attributes; the array of weights must not be used elsewhere."""
        n_rows = len(next(iter(columns.values())).codes)
        if weights is not None:
            weights.setflags(write=False)
        state = {
            "_columns": columns,
            "_weights": weights,
            "_n_rows": n_rows,
            "_n": n_rows if weights is None else int(weights.sum()),
            "_counter": None,
            "_fingerprint": None,
            "_origin": origin,
            "_max_float_levels": max_float_levels,
            "_discretized": discretized,
        }
        for slot, value in state.items():
            object.__setattr__(self, slot, value)

    @classmethod
    def of(cls, data: Any, **options: Any) -> Table:
        """The data if they are a table, otherwise ``Table(data, **options)``.

        If the data are a table, `columns` must exist (the table can have more); the other options are refused.
        """
        if not isinstance(data, Table):
            return cls(data, **options)
        csv = {field.name for field in fields(CsvDialect)}
        unknown = options.keys() - {"weights", "missing", "max_float_levels", "columns"} - csv
        if unknown:
            raise ArgumentError(f"options: unknown option {sorted(unknown)[0]!r}.")
        refuse_reencoding(
            options.get("weights"),
            options.get("missing", DEFAULT_MISSING),
            options.get("max_float_levels", DEFAULT_MAX_FLOAT_LEVELS),
        )
        CsvDialect(**{name: options[name] for name in csv & options.keys()}).refuse_for("a Table")
        for name in chosen_columns(options.get("columns")) or ():
            data._column(name)
        return data

    @property
    def names(self) -> tuple[Name, ...]:
        """The columns in the order of the source, without the column of weights."""
        return tuple(self._columns)

    @property
    def n_rows(self) -> int:
        """The number of rows, without those of weight 0."""
        return self._n_rows

    @property
    def n(self) -> int:
        """The sum of the weights; without weights, the number of rows."""
        return self._n

    @property
    def weights(self) -> NDArray[np.int64] | None:
        """The weight of each row (read-only), or None."""
        # A view, because the array that owns the memory could be made writable again.
        return None if self._weights is None else self._weights.view()

    @property
    def origin(self) -> Origin:
        """Python code that creates the table."""
        return self._origin

    @property
    def max_float_levels(self) -> int | None:
        """The largest number of fractional numbers of a column that does not look continuous."""
        return self._max_float_levels

    @property
    def discretized(self) -> tuple[CutColumn, ...]:
        """The columns that were divided into intervals, and where."""
        return self._discretized

    def codes(self, name: Name) -> Codes:
        """The codes of a column: int8, int16 or int32, −1 for a missing value; contiguous and read-only."""
        return self._column(name).codes

    def native_codes(self, name: Name) -> _native.Codes:
        """The codes of a column for native code, without a copy."""
        return self._column(name).native

    def levels(self, name: Name) -> tuple[Level, ...]:
        """The levels of a column in canonical order: code i means ``levels[i]``."""
        return self._column(name).levels

    def display_order(self, name: Name) -> tuple[int, ...]:
        """The codes of the levels of a column in the order of tables and plots: that of ordered categories."""
        return self._column(name).display or super().display_order(name)

    def missing(self, name: Name) -> int:
        """The number of rows in which a column is missing."""
        return self._column(name).missing

    def fingerprints(self) -> Fingerprint:
        """The fingerprint, and one that depends on the order of the rows."""
        if self._fingerprint is None:
            codes = [self._columns[name].codes for name in sorted_names(self._columns)]
            found = fingerprint_of(
                self, lambda hasher: hasher.sums(codes, self._weights, 0), weighted=self._weights is not None
            )
            object.__setattr__(self, "_fingerprint", found)
        assert self._fingerprint is not None
        return self._fingerprint

    def counter(self, threads: int | None = 1) -> NativeCounter:
        """The counter of all columns, which is cached; the number of threads is set by the engine that uses it."""
        if threads is not None:
            integer("threads", threads, at_least=1)
        counter = self._counter
        if counter is None:
            from bitsep.counting.native import NativeCounter

            counter = NativeCounter.of(self)  # keeps bitmaps and counts for later calls
            object.__setattr__(self, "_counter", counter)
        return counter

    def select(self, names: Iterable[Name]) -> Table:
        """The same rows with these columns only, in the order of the source.

        >>> Table({"x": [1, 2], "y": [3, 4], "z": [5, 6]}).select(["z", "x"]).names
        ('x', 'z')
        """
        return Table(self, columns=names)

    def _with_missing_level(self, names: tuple[Name, ...]) -> Table:
        columns = {
            name: column.with_missing_level() if name in names else column for name, column in self._columns.items()
        }
        origin = method_of(self._origin, "with_missing_level", names)
        return restore_table(columns, self._weights, origin, self._max_float_levels, self._discretized)

    def n_missing(self, name: Name) -> int:
        """The number of rows in which a column has no value (a sum of weights)."""
        missing = self.missing(name)
        return missing if not missing or self._weights is None else super().n_missing(name)

    def cut(self, columns: Sequence[CutColumn]) -> Table:
        """The same rows with intervals as levels of these columns."""
        done = dict(self._columns)
        for one in columns:
            column = self._column(one.column)
            done[one.column] = column.recoded(one.recode(column.levels), one.intervals())
        cut = merged_cuts(self.names, self._discretized, columns)
        return restore_table(done, self._weights, self._origin, self._max_float_levels, cut)

    def without_float_limit(self) -> Table:
        """The same table, in which every number is a level."""
        return restore_table(self._columns, self._weights, self._origin, None, self._discretized)

    def made_by(self, origin: Origin) -> Table:
        """The same table with another origin."""
        return restore_table(self._columns, self._weights, origin, self._max_float_levels, self._discretized)

    def to_pandas(self, weights: Name = "weight") -> pd.DataFrame:
        """The table as a data frame of pandas, with categories; `weights` names the column of weights, if any.

        >>> Table({"x": ["b", "a", None]}).to_pandas()["x"].tolist()
        ['b', 'a', nan]
        """
        return to_pandas(self, weights)

    def summary(self) -> tuple[ColumnSummary, ...]:
        """The name, domain size, number of missing values and levels (in the order of display) of each column.

        >>> Table({"x": [1, 2, None]}).summary()
        (ColumnSummary(name='x', n_levels=2, missing=1, levels=(1, 2)),)
        """
        return tuple(
            ColumnSummary(name, len(column.levels), column.missing, column.displayed_levels)
            for name, column in self._columns.items()
        )

    def _column(self, name: Name) -> Column:
        try:
            return self._columns[name]
        except KeyError:
            raise self._unknown(name) from None
        except TypeError:
            raise ArgumentError(f"name: must be one column name such as {self.names[0]!r}, got {name!r}.") from None

    def __repr__(self) -> str:
        return as_text(self.n_rows, None if self._weights is None else self.n, self.summary())

    def _repr_html_(self) -> str:
        return as_html(self.n_rows, None if self._weights is None else self.n, self.summary())

    def __reduce__(self) -> tuple[Any, ...]:
        state = (self._columns, self._weights, self._origin, self._max_float_levels, self._discretized)
        return (restore_table, state)

    def __setattr__(self, attribute: str, value: object) -> NoReturn:
        raise FrozenInstanceError(f"a Table is frozen: {attribute!r} cannot be set; make a new one.")

    def __delattr__(self, attribute: str) -> NoReturn:
        raise FrozenInstanceError(f"a Table is frozen: {attribute!r} cannot be deleted.")


def restore_table(
    columns: dict[Name, Column],
    weights: NDArray[np.int64] | None,
    origin: Origin,
    max_float_levels: int | None,
    discretized: tuple[CutColumn, ...],
) -> Table:
    table = object.__new__(Table)
    # Copied, because an unpickled array can be a shared buffer.
    table._fill(columns, None if weights is None else weights.copy(), origin, max_float_levels, discretized)
    return table


def chosen_columns(columns: Iterable[Name] | None) -> tuple[Name, ...] | None:
    if columns is None:
        return None
    if isinstance(columns, str) or not isinstance(columns, Iterable):
        columns = (columns,)
    chosen = tuple(dict.fromkeys(columns))
    if not chosen:
        raise ArgumentError("columns: must name at least one column, got none.", hint="Leave it out for all columns.")
    return chosen
