"""The levels of one column, merged over the batches of a stream."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bitsep.data.encode import MAX_LEVELS, Coded, Codes, Rules, code_type, encode, owned_codes
from bitsep.data.levels import Level
from bitsep.naming import Name

_SLACK = 1000  # spellings of missing values, and of equal numbers, that are no levels of their own


class Dictionary:
    """Numbers the distinct values of a column in the order of meeting them; `levels` then puts them in canonical order.

    The rules (what is missing, what is equal, the order) are those of `bitsep.Table`: at the end its own encoder is
    given one row per distinct value.
    """

    def __init__(self, name: Name, rules: Rules, *, text: bool) -> None:
        self._name = name
        self._rules = rules
        self._text = text
        self._place: dict[Any, int] = {}
        self._check_at = MAX_LEVELS + _SLACK

    def __len__(self) -> int:
        return len(self._place)

    def codes(self, coded: Coded) -> Codes:
        """The provisional codes of a batch."""
        native, counts = owned_codes(self._name, coded.codes, len(coded.values))
        seen = np.flatnonzero(counts[:-1]).tolist()
        if not self._place:
            self._begin([coded.values[code] for code in seen])
        place = self._place
        recode = np.full(len(coded.values) + 1, -1, np.int32)
        recode[seen] = [place.setdefault(coded.values[code], len(place)) for code in seen]
        if len(place) > self._check_at:
            self._final()  # raises, unless thousands of spellings mean the same few levels
            self._check_at = 2 * len(place)
        return recode.astype(code_type(len(place))).take(native.array)

    def levels(self) -> tuple[tuple[Level, ...], Codes | None]:
        """The levels in canonical order, and the final code of each provisional one (None: they are the same).

        The last entry of the latter serves the missing value, −1.
        """
        levels, final = self._final()
        if np.array_equal(final, np.arange(len(final))):
            return levels, None
        return levels, np.append(final, final.dtype.type(-1))

    def _begin(self, values: list[Any]) -> None:
        """Number the first values in canonical order: with luck there are no others, and the codes are final."""
        coded = Coded(np.arange(len(values), dtype=np.int32), values, text=self._text)
        # A column of text fields may look continuous now and turn out to be text.
        lenient = Rules(self._rules.missing, None, None) if self._text else self._rules
        final = encode(self._name, coded, lenient).codes
        order = sorted(range(len(values)), key=lambda i: (final[i] < 0, final[i]))
        self._place = {}
        for i in order:
            self._place.setdefault(values[i], len(self._place))

    def _final(self) -> tuple[tuple[Level, ...], Codes]:
        values: Sequence[Any] = list(self._place)
        coded = Coded(np.arange(len(values), dtype=np.int32), values, text=self._text)
        column = encode(self._name, coded, self._rules)
        return column.levels, column.codes
