"""The effect of a test, computed from its counts when it is first asked for: searches make thousands of tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from bitsep.counting import Counter
from bitsep.counting.joint_counts import DenseCounts, Joint
from bitsep.data.contract import EncodedData
from bitsep.data.levels import plain_text
from bitsep.independence.effects.effect import Effect, Labels, effect_of
from bitsep.naming import Name


class LazyEffect:
    """The effect of one test.

    Parameters
    ----------
    counter : Counter
        Counts the rows.
    x, y : int
        The indices of the variables.
    given : sequence of int
        The indices of the conditioning variables.
    data : EncodedData, optional
        The data, for the names of levels.
    """

    __slots__ = ("_effect", "_source")

    def __init__(self, counter: Counter, x: int, y: int, given: Sequence[int], data: EncodedData | None = None) -> None:
        self._source: tuple[Any, ...] | None = (counter, x, y, given, data)
        self._effect: Effect | None = None

    @classmethod
    def known(cls, effect: Effect | None) -> LazyEffect:
        """An effect that is already known, or cannot be computed."""
        lazy = object.__new__(cls)
        lazy._source, lazy._effect = None, effect
        return lazy

    def get(self) -> Effect | None:
        """The effect; None if it cannot be computed."""
        if self._source is not None:
            self._effect = _compute(*self._source)
            self._source = None
        return self._effect

    def __reduce__(self) -> tuple[Any, ...]:
        """Data are not pickled, only what was computed from them."""
        return LazyEffect.known, (self._effect,)


def _compute(counter: Counter, x: int, y: int, given: Sequence[int], data: EncodedData | None) -> Effect:
    [joint] = counter.joint_counts([tuple(sorted({x, y, *given}))])
    counts = joint.counts(x, y, given)
    if isinstance(counts, DenseCounts):
        counts = counts.sparse()
    if data is None:
        return effect_of(counts, Labels())
    names, codes = counter.variables, _strata_codes(joint, given)
    texts = [_text_of(data, names[z]) for z in given]

    def stratum(number: int) -> tuple[str, ...]:
        return tuple(text(code) for text, code in zip(texts, codes[number], strict=True) if text is not None)

    return effect_of(counts, Labels(_text_of(data, names[x]), _text_of(data, names[y]), stratum))


def _text_of(data: EncodedData, name: Name) -> Callable[[int], str] | None:
    """The text of a level by its code; None for merged columns."""
    if name not in data.names:
        return None
    levels = data.levels(name)
    return lambda code: plain_text(levels[code])


def _strata_codes(joint: Joint, given: Sequence[int]) -> list[tuple[int, ...]]:
    """The codes of the conditioning variables for each stratum, in the order in which counts number the strata."""
    if not given:
        return [()]
    codes, _ = joint.occupied()
    ascending = sorted(set(given))
    keys = np.stack([codes[joint.variables.index(z)] for z in ascending], axis=1)
    place = [ascending.index(z) for z in given]
    return [tuple(row[i] for i in place) for row in np.unique(keys, axis=0).tolist()]
