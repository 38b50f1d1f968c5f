"""The levels of one column, merged over the batches of a stream."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bitsep.data.encode import MAX_LEVELS, Coded, Codes, EncodingRules, code_type, encode, owned_codes
from bitsep.data.levels import Level
from bitsep.naming import Name

_EXTRA_VALUES = 1000  # values that may mean a missing value, or be equal to another value, and so are not levels


class Dictionary:
    """Numbers the distinct values of a column in the order of their first rows; `levels` has the canonical order.

    Missing values, equality and order are defined as in `bitsep.Table`: at the end, its encoder is called with one row
    per distinct value.
    """

    def __init__(self, name: Name, rules: EncodingRules, *, text: bool) -> None:
        self._name = name
        self._rules = rules
        self._text = text
        self._codes: dict[Any, int] = {}
        self._categories: dict[Any, None] = {}  # ordered categories, in their order
        self._check_at = MAX_LEVELS + _EXTRA_VALUES

    def __len__(self) -> int:
        return len(self._codes)

    def codes(self, coded: Coded) -> Codes:
        """The provisional codes of a batch."""
        native, counts = owned_codes(self._name, coded.codes, len(coded.values))
        used = np.flatnonzero(counts[:-1]).tolist()
        if coded.ordered:
            self._categories.update(dict.fromkeys(coded.values))
        if not self._codes:
            self._begin([coded.values[code] for code in used])
        codes = self._codes
        recode = np.full(len(coded.values) + 1, -1, np.int32)
        recode[used] = [codes.setdefault(coded.values[code], len(codes)) for code in used]
        if len(codes) > self._check_at:
            self._final()  # raises an error, unless many of the values are equal or missing
            self._check_at = 2 * len(codes)
        return recode.astype(code_type(len(codes))).take(native.array)

    def levels(self) -> tuple[tuple[Level, ...], Codes | None]:
        """The levels in canonical order, and the final code of each provisional code (None: they are the same).

        The last entry of the latter is for missing values, −1.
        """
        levels, final = self._final()
        if np.array_equal(final, np.arange(len(final))):
            return levels, None
        return levels, np.append(final, final.dtype.type(-1))

    def display(self) -> tuple[int, ...] | None:
        """The codes of ordered categories in their order; None if that is the canonical order."""
        if not self._categories:
            return None
        # Values that are not categories, if only some batches have them, come last.
        values = [value for value in dict.fromkeys([*self._categories, *self._codes]) if value in self._codes]
        coded = Coded(np.arange(len(values), dtype=np.int32), values, text=self._text, ordered=True)
        return encode(self._name, coded, self._rules).display

    def _begin(self, values: list[Any]) -> None:
        """Number the first values in canonical order: if there are no others, the codes are final."""
        coded = Coded(np.arange(len(values), dtype=np.int32), values, text=self._text)
        # CSV fields can look continuous in the first batch although the column has text.
        lenient = (
            replace(self._rules, max_float_levels=None, max_levels=None, complete=False) if self._text else self._rules
        )
        final = encode(self._name, coded, lenient).codes
        order = sorted(range(len(values)), key=lambda i: (final[i] < 0, final[i]))
        self._codes = {}
        for i in order:
            self._codes.setdefault(values[i], len(self._codes))

    def _final(self) -> tuple[tuple[Level, ...], Codes]:
        values: Sequence[Any] = list(self._codes)
        coded = Coded(np.arange(len(values), dtype=np.int32), values, text=self._text)
        column = encode(self._name, coded, self._rules)
        return column.levels, column.codes
