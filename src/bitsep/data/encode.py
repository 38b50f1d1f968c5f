"""The one step every source ends in: values with provisional codes become codes with canonical levels.

A reader only has to number the distinct values of a column in whatever way is fast for it (`Coded`); this module drops
levels that no row has, finds the missing ones, puts each value into its one form, sorts, and rewrites the codes.
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
from bitsep.data.level_order import sorted_levels
from bitsep.data.levels import Level, Missing, canonical, has_mixed_numbers, is_fractional
from bitsep.data.text import typed_texts
from bitsep.errors import DataError, UnsupportedTypeError, cause
from bitsep.naming import Name

Codes = NDArray[np.signedinteger[Any]]
"""Signed integer codes, −1 for a missing value."""

MAX_LEVELS = 10**6
"""The largest domain size of a column."""

DEFAULT_MAX_FLOAT_LEVELS = 50
"""A column with more distinct fractional numbers than this looks continuous and is refused."""

_REMEMBERED_VALUES = 64  # of a column whose order is remembered, at most


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """A column as a reader delivers it: row i holds ``values[codes[i]]``, or nothing where the code is −1.

    `values` may be in any order, repeat itself, hold values no row has, and hold missing ones. `codes` may be memory
    that others write to, and hold codes that no value has: `encode` copies and checks them. `text` says that the values
    are fields of a CSV file, whose types have yet to be read.
    """

    codes: Codes
    values: Sequence[Any]
    text: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """An encoded column: codes of its own, its levels in canonical order, and how many rows are missing."""

    native: _native.Codes
    levels: tuple[Level, ...]
    missing: int

    @classmethod
    def of(cls, codes: Codes, levels: tuple[Level, ...], missing: int) -> Column:
        """A column with a copy of these codes."""
        return cls(_native.Codes(codes), levels, missing)

    @property
    def codes(self) -> Codes:
        """The codes, read-only."""
        return self.native.array

    def __reduce__(self) -> tuple[Any, ...]:
        return (Column.of, (self.codes, self.levels, self.missing))


@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """What the caller decides about reading: which values are missing, and the limits on levels."""

    missing: Missing
    max_float_levels: int | None = DEFAULT_MAX_FLOAT_LEVELS
    max_levels: int | None = MAX_LEVELS


def code_type(n_levels: int) -> type[np.signedinteger[Any]]:
    """The smallest of int8, int16, int32 that holds the codes of so many levels."""
    if n_levels <= 128:
        return np.int8
    return np.int16 if n_levels <= 32768 else np.int32


def encode(name: Name, coded: Coded, rules: Rules, keep: NDArray[np.bool_] | None = None) -> Column:
    """Encode one column, of the rows in `keep` only (None: all of them).

    >>> column = encode("x", Coded(np.array([0, 1, 2, -1], np.int8), ["b", "?", "a"]), Rules(Missing()))
    >>> column.codes.tolist(), column.levels, column.missing
    ([1, -1, 0, -1], ('a', 'b'), 2)
    """
    codes = coded.codes if keep is None else coded.codes[keep]
    native, counts = owned_codes(name, codes, len(coded.values))
    missing = counts.pop()
    all_seen = 0 not in counts
    order = _order_of(name, coded.values if all_seen else list(compress(coded.values, counts)), coded.text, rules)
    if not all_seen or order.recode is not None:
        recode = order.recode if all_seen else _spread(order, counts)
        assert recode is not None
        if order.drops:
            missing += sum(count for count, code in zip(counts, recode.tolist(), strict=False) if code < 0)
        native = _native.Codes(recode_codes(native.array, recode))
    check_limits(name, order.levels, rules)
    return Column(native, order.levels, missing)


def owned_codes(name: Name, codes: Codes, n_values: int) -> tuple[_native.Codes, list[int]]:
    """A checked copy of provisional codes, and how often each of them occurs, −1 last.

    As narrow as the provisional levels allow (Arrow delivers 32 bits for three levels); never narrower than needed to
    reach them all (Arrow may pair 8-bit codes with a longer dictionary), which the native count relies on.
    """
    narrow = np.dtype(code_type(n_values))
    # Narrowing could turn a code that is out of range into one that is not.
    if codes.dtype.itemsize > narrow.itemsize and len(codes) and not -1 <= codes.min() <= codes.max() < n_values:
        raise _codes_error(name, n_values)
    # Copied before they are checked: whoever can write to the source could do so in between.
    native = _native.Codes(np.ascontiguousarray(codes, dtype=narrow))
    try:
        return native, _native.level_counts(native.array, n_values).tolist()
    except ValueError:
        raise _codes_error(name, n_values) from None


def recode_codes(codes: Codes, recode: Codes) -> Codes:
    """The codes replaced by what `recode` has for them; its last entry, −1, serves the missing ones."""
    if codes.dtype == recode.dtype == np.int8:
        return _native.recoded(codes, recode[:-1])
    return recode.take(codes)


@dataclass(frozen=True, slots=True, eq=False)
class _Order:
    """The levels among some values, in canonical order.

    recode : the code of each value, −1 for a missing one, and −1 at the end, for codes that are −1 already; None where
        the values are the levels as they stand.
    drops : whether values among them are missing.
    """

    levels: tuple[Level, ...]
    recode: Codes | None
    drops: bool

    @classmethod
    def of(cls, forms: Sequence[Any]) -> _Order:
        levels = sorted_levels(forms)
        # The levels are among the forms; and comparing huge numbers of different types could take minutes.
        if len(levels) == len(forms) and all(map(is_, levels, forms)):
            return cls(tuple(levels), None, drops=False)
        place: dict[Any, int] = {level: code for code, level in enumerate(levels)}
        codes = [place.get(form, -1) for form in forms]
        return cls(tuple(levels), np.array([*codes, -1], dtype=code_type(len(levels))), drops=-1 in codes)


def _order_of(name: Name, values: Sequence[Any], text: bool, rules: Rules) -> _Order:
    if not text and len(values) <= _REMEMBERED_VALUES and set(map(type, values)) == {str}:
        return _order_of_texts(tuple(values), rules.missing.texts)
    return _Order.of(_forms(name, list(values), text, rules))


@lru_cache(maxsize=256)
def _order_of_texts(values: tuple[str, ...], missing: frozenset[str]) -> _Order:
    # Remembered, because columns of one table often have the same levels, and every row of many short ones counts.
    return _Order.of([None if value in missing else value for value in values])


def _spread(order: _Order, counts: list[int]) -> Codes:
    """The codes of all values, those that no row has included: they get −1."""
    recode = np.full(len(counts) + 1, -1, dtype=code_type(len(order.levels)))
    seen = np.flatnonzero(counts)
    recode[seen] = np.arange(len(seen)) if order.recode is None else order.recode[:-1]
    return recode


def _forms(name: Name, values: list[Any], text: bool, rules: Rules) -> list[Any]:
    """The canonical form of each value, None where it is missing."""
    if text:
        values = typed_texts([None if value in rules.missing.texts else value for value in values])
    kinds = set(map(type, values))
    if kinds == {str}:
        texts = rules.missing.texts
        return values if texts.isdisjoint(values) else [None if value in texts else value for value in values]
    if kinds <= {bool} or (kinds == {int} and not rules.missing.numbers):
        return values
    try:
        forms = _canonical_forms(values, rules.missing)
        # Only what is not missing decides: NaN among truth values does not make numbers of them.
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


def check_limits(name: Name, levels: Sequence[Level], rules: Rules) -> None:
    if rules.max_levels is not None and len(levels) > rules.max_levels:
        raise too_many_levels(name, rules.max_levels, f"{len(levels):,}")
    limit = rules.max_float_levels
    if limit is not None and len(levels) > limit:
        fractional = sum(map(is_fractional, levels))
        if fractional > limit:
            raise DataError(
                f"data: column {name!r} looks continuous; max_float_levels allows {limit} distinct fractional numbers, "
                f"got {fractional:,}.",
                hint="Discretize it (bitsep.discretize, or --discretize in the shell), leave it out (columns=, "
                "--exclude), or pass max_float_levels=None to take every number as a level.",
            )


def too_many_levels(name: Name, limit: int, got: str) -> DataError:
    """The error for a column with more levels than the native core can number."""
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
