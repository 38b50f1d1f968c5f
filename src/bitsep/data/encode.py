"""The last step for every source: values with provisional codes become codes of canonical levels.

A reader numbers the distinct values of a column in the way that is fastest for it (`Coded`); this module removes values
that no row has, finds missing values, converts values to their canonical form, sorts them, and rewrites the codes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress
from operator import is_
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bitsep import _native
from bitsep.checks import integer
from bitsep.data.level_order import sorted_levels
from bitsep.data.levels import MISSING_LEVEL, Level, Missing, canonical, has_mixed_numbers
from bitsep.data.text import PLAIN_NUMBERS, NumberFormat, mixed_decimals, typed_texts
from bitsep.errors import DataError, UnsupportedTypeError, cause
from bitsep.naming import Name

Codes = NDArray[np.signedinteger[Any]]
"""Signed integer codes, −1 for a missing value."""

MAX_LEVELS = 10**6
"""The largest domain size of a column."""

DEFAULT_MAX_FLOAT_LEVELS = 50
"""A column with more distinct fractional numbers than this looks continuous; tests and searches refuse it."""

_MAX_CACHED_VALUES = 64  # of a column whose order is cached
_MAX_OTHER_SHARE = 0.05  # of text among numbers; with more it is a column of codes, such as 250.1 and V57


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """A column as a reader returns it: row i has ``values[codes[i]]``, or a missing value if the code is −1.

    `values` can be in any order, and can contain duplicates, values that no row has, and missing values. `codes` can be
    memory that others write to, and can contain invalid codes: `encode` copies and checks them. If `text`, the values
    are fields of a CSV file, whose types are not known yet. If `ordered`, the values are ordered categories,
    in their order.
    """

    codes: Codes
    values: Sequence[Any]
    text: bool = False
    ordered: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """An encoded column: its own copy of the codes, its levels in canonical order, and the number of missing values.

    `display` has the codes of ordered categories in their order; None if that is the canonical order.
    """

    native: _native.Codes
    levels: tuple[Level, ...]
    missing: int
    display: tuple[int, ...] | None = None

    @classmethod
    def of(
        cls, codes: Codes, levels: tuple[Level, ...], missing: int, display: tuple[int, ...] | None = None
    ) -> Column:
        """A column with a copy of these codes."""
        return cls(_native.Codes(codes), levels, missing, display)

    def recoded(self, recode: Codes, levels: tuple[Level, ...]) -> Column:
        """The column with other levels: the code of each level, and −1 for missing values at the end."""
        return Column.of(recode_codes(self.codes, recode), levels, self.missing)

    def with_missing_level(self) -> Column:
        """The column with missing values as its last level."""
        last = len(self.levels)
        codes = recode_codes(self.codes, recode_missing(None, last))
        return Column.of(codes, (*self.levels, MISSING_LEVEL), 0, with_last_code(self.display, last))

    @property
    def codes(self) -> Codes:
        """The codes, read-only."""
        return self.native.array

    @property
    def displayed_levels(self) -> tuple[Level, ...]:
        """The levels in the order of tables and plots."""
        return self.levels if self.display is None else tuple(self.levels[code] for code in self.display)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Column.of, (self.codes, self.levels, self.missing, self.display))


@dataclass(frozen=True, slots=True, eq=False)
class EncodingRules:
    """The choices of the caller: which values are missing, the limits on levels, and how CSV files write numbers.

    Unless `complete`, the values are a part of a column, whose types are not final.
    """

    missing: Missing
    max_float_levels: int | None = DEFAULT_MAX_FLOAT_LEVELS
    max_levels: int | None = MAX_LEVELS
    numbers: NumberFormat = PLAIN_NUMBERS
    complete: bool = True


def float_limit(limit: object) -> int | None:
    """`max_float_levels` after a check."""
    return None if limit is None else integer("max_float_levels", limit, at_least=0)


def code_type(n_levels: int) -> type[np.signedinteger[Any]]:
    """The smallest of int8, int16 and int32 that can represent the codes of this many levels."""
    if n_levels <= 128:
        return np.int8
    return np.int16 if n_levels <= 32768 else np.int32


def with_last_code(display: tuple[int, ...] | None, code: int) -> tuple[int, ...] | None:
    """The order of display with one more code at the end; None stands for the canonical order."""
    return None if display is None else (*display, code)


def encode(name: Name, coded: Coded, rules: EncodingRules, keep: NDArray[np.bool_] | None = None) -> Column:
    """Encode the rows of one column that are in `keep` (None: all rows).

    >>> column = encode("x", Coded(np.array([0, 1, 2, -1], np.int8), ["b", "?", "a"]), EncodingRules(Missing()))
    >>> column.codes.tolist(), column.levels, column.missing
    ([1, -1, 0, -1], ('a', 'b'), 2)
    """
    codes = coded.codes if keep is None else coded.codes[keep]
    native, counts = owned_codes(name, codes, len(coded.values))
    missing = counts.pop()
    all_occur = 0 not in counts
    order = _order_of(name, coded.values if all_occur else list(compress(coded.values, counts)), coded.text, rules)
    if not all_occur or order.recode is not None:
        recode = order.recode if all_occur else _with_unused_values(order, counts)
        assert recode is not None
        if order.has_missing:
            missing += sum(count for count, code in zip(counts, recode.tolist(), strict=False) if code < 0)
        native = _native.Codes(recode_codes(native.array, recode))
    if coded.text and rules.complete:
        _check_texts(name, order.levels, rules)
    check_limits(name, order.levels, rules)
    return Column(native, order.levels, missing, order.display() if coded.ordered else None)


def owned_codes(name: Name, codes: Codes, n_values: int) -> tuple[_native.Codes, list[int]]:
    """A checked copy of provisional codes, and the count of each code, with −1 last.

    The type is the smallest for this number of values (Arrow uses 32 bits for three levels) and can represent the codes
    of all values (Arrow can combine 8-bit codes with a longer dictionary), which the native count requires.
    """
    narrow = np.dtype(code_type(n_values))
    # Conversion to a smaller type could turn an invalid code into a valid one.
    if codes.dtype.itemsize > narrow.itemsize and len(codes) and not -1 <= codes.min() <= codes.max() < n_values:
        raise _codes_error(name, n_values)
    # Copied before they are checked, because the source could be changed in between.
    native = _native.Codes(np.ascontiguousarray(codes, dtype=narrow))
    try:
        return native, _native.level_counts(native.array, n_values).tolist()
    except ValueError:
        raise _codes_error(name, n_values) from None


def recode_codes(codes: Codes, recode: Codes) -> Codes:
    """The code ``recode[c]`` for each code c; the last entry of `recode` is for missing values, code −1."""
    if codes.dtype == recode.dtype == np.int8 and recode[-1] == -1:
        return _native.recoded(codes, recode[:-1])
    return recode.take(codes)


def recode_missing(recode: Codes | None, n_levels: int) -> Codes:
    """The same codes with a last level for missing values; None stands for codes that do not change.

    >>> recode_missing(np.array([1, -1, 0, -1]), 2).tolist(), recode_missing(None, 2).tolist()
    ([1, 2, 0, 2], [0, 1, 2])
    """
    known = np.arange(n_levels + 1) if recode is None else np.where(recode < 0, n_levels, recode)
    return known.astype(code_type(n_levels + 1))


@dataclass(frozen=True, slots=True, eq=False)
class _Order:
    """The levels of some values, in canonical order.

    recode : the code of each value, −1 for a missing value, and −1 at the end, for codes that are −1 already; None if
        the values are the levels in canonical order.
    has_missing : whether some of the values are missing.
    """

    levels: tuple[Level, ...]
    recode: Codes | None
    has_missing: bool

    @classmethod
    def of(cls, forms: Sequence[Any]) -> _Order:
        levels = sorted_levels(forms)
        # Identity is enough, since levels are taken from forms; comparing huge numbers could take minutes.
        if len(levels) == len(forms) and all(map(is_, levels, forms)):
            return cls(tuple(levels), None, has_missing=False)
        code_of: dict[Any, int] = {level: code for code, level in enumerate(levels)}
        codes = [code_of.get(form, -1) for form in forms]
        return cls(tuple(levels), np.array([*codes, -1], dtype=code_type(len(levels))), has_missing=-1 in codes)

    def display(self) -> tuple[int, ...] | None:
        """The codes in the order of the values; None if that is the canonical order."""
        if self.recode is None:
            return None
        codes = tuple(dict.fromkeys(code for code in self.recode.tolist() if code >= 0))
        return None if codes == tuple(range(len(codes))) else codes


def _order_of(name: Name, values: Sequence[Any], text: bool, rules: EncodingRules) -> _Order:
    if not text and len(values) <= _MAX_CACHED_VALUES and set(map(type, values)) == {str}:
        return _order_of_texts(tuple(values), rules.missing.texts)
    return _Order.of(_forms(name, list(values), text, rules))


@lru_cache(maxsize=256)
def _order_of_texts(values: tuple[str, ...], missing: frozenset[str]) -> _Order:
    # Cached, because columns of one table often have the same levels, which saves time if columns are short.
    return _Order.of([None if value in missing else value for value in values])


def _with_unused_values(order: _Order, counts: list[int]) -> Codes:
    """The codes of all values, with −1 for those that no row has."""
    recode = np.full(len(counts) + 1, -1, dtype=code_type(len(order.levels)))
    used = np.flatnonzero(counts)
    recode[used] = np.arange(len(used)) if order.recode is None else order.recode[:-1]
    return recode


def _forms(name: Name, values: list[Any], text: bool, rules: EncodingRules) -> list[Any]:
    """The canonical form of each value, None for missing values."""
    if text:
        values = typed_texts([None if value in rules.missing.texts else value for value in values], rules.numbers)
    kinds = set(map(type, values))
    if kinds == {str}:
        texts = rules.missing.texts
        return values if texts.isdisjoint(values) else [None if value in texts else value for value in values]
    if kinds <= {bool} or (kinds == {int} and not rules.missing.numbers):
        return values
    try:
        forms = _canonical_forms(values, rules.missing)
        # Only values that are not missing matter: truth values with NaN are not numbers.
        if has_mixed_numbers(map(type, forms)):
            forms = _canonical_forms(values, rules.missing, mixed_numbers=True)
        hash(tuple(forms))
    except (TypeError, ValueError, OverflowError) as error:
        raise UnsupportedTypeError(
            f"data: column {name!r} has values that cannot be levels: {cause(error)}."
        ) from error
    if any(isinstance(form, complex) for form in forms):
        raise complex_error(name)
    return forms


def _canonical_forms(values: list[Any], missing: Missing, *, mixed_numbers: bool = False) -> list[Any]:
    forms = [canonical(value, mixed_numbers=mixed_numbers) for value in values]
    return [None if form is None or missing.matches(form) else form for form in forms]


def check_limits(name: Name, levels: Sequence[Level], rules: EncodingRules) -> None:
    if rules.max_levels is not None and len(levels) > rules.max_levels:
        raise too_many_levels(name, rules.max_levels, f"{len(levels):,}")


def _check_texts(name: Name, levels: Sequence[Any], rules: EncodingRules) -> None:
    """Raise an error if a column of a CSV file has text only because a few of its fields are not numbers."""
    if not levels or not isinstance(levels[0], str):
        return
    if mixed := mixed_decimals(levels, rules.numbers):
        raise DataError(
            f"data: column {name!r} has numbers of two styles, such as {mixed[0]!r} and {mixed[1]!r}.",
            hint="Name the separators of the file with decimal= and thousands= (--decimal and --thousands in the "
            "shell), correct the fields, or leave the column out (columns=, --exclude).",
        )
    limit = rules.max_float_levels
    if limit is None or len(levels) <= limit:
        return
    others = [level for level in levels if not rules.numbers.is_number(level)]
    if len(others) > _MAX_OTHER_SHARE * len(levels):
        return
    fractional = sum(rules.numbers.is_number(level) and not rules.numbers.is_integer(level) for level in levels)
    if fractional > limit:
        raise DataError(
            f"data: column {name!r} changes from numbers to text; {len(levels) - len(others):,} of its {len(levels):,} "
            f"different fields are numbers, {others[0]!r} is text.",
            hint="If it means a missing value, name it with missing= (--missing in the shell); otherwise correct the "
            "field, or leave the column out (columns=, --exclude).",
        )


def too_many_levels(name: Name, limit: int, got: str) -> DataError:
    """The error for a column with too many levels."""
    return DataError(
        f"data: column {name!r} has too many levels; at most {limit:,} are possible, got {got}.",
        hint="Leave it out (columns=, or --exclude in the shell), or group its values.",
    )


def _codes_error(name: Name, n_values: int) -> DataError:
    return DataError(
        f"data: column {name!r} has codes without a value; each must be missing or below {n_values:,}, the number of "
        "its values.",
        hint="Encode the column again, or give its values.",
    )


def complex_error(name: Name) -> UnsupportedTypeError:
    """The error for complex numbers, which have no order."""
    return UnsupportedTypeError(
        f"data: column {name!r} has complex numbers, which cannot be levels.",
        hint="Turn them into real numbers or text.",
    )


def nested_error(name: Name, kind: str) -> UnsupportedTypeError:
    """The error for values that contain values."""
    return UnsupportedTypeError(
        f"data: column {name!r} has {kind} values, which cannot be levels.",
        hint="Split them into columns, or turn them into text or tuples.",
    )
