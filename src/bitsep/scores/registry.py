"""The scores by name, and their options, as registered in the native core (`native/src/scores`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from bitsep import _native
from bitsep.errors import ArgumentError, UnknownMethodError
from bitsep.naming import did_you_mean
from bitsep.options import Option, Value, checked_options, options_of

DEFAULT_SCORE = "sparse_qnml"

_LARGEST_SAMPLE_SIZE = 10**9  # as in native/src/scores/bayesian.cpp


@dataclass(frozen=True, slots=True)
class ScoreMethod:
    """A score: its name, its title, and its options.

    equivalent : whether all DAGs of an equivalence class have the same total.
    """

    name: str
    title: str
    equivalent: bool
    options: Mapping[str, Option]


SCORES: dict[str, ScoreMethod] = {
    entry.name: ScoreMethod(entry.name, entry.title, entry.equivalent, options_of(entry.options))
    for entry in _native.scores()
}


@dataclass(frozen=True, slots=True)
class NativeScore:
    """A named score with checked options, for the native core.

    identity : the name and the values of all options, including defaults.
    """

    method: ScoreMethod
    score: _native.Score
    identity: str


def resolve_score(name: object, options: Mapping[str, Any]) -> NativeScore:
    """The score of this name with these options; None is the default score."""
    if name is None:
        name = DEFAULT_SCORE
    if not isinstance(name, str):
        raise ArgumentError(f"score: must be the name of a score, got {type(name).__name__}.")
    method = SCORES.get(name)
    if method is None:
        raise UnknownMethodError(f"score: unknown score {name!r}.", hint=did_you_mean(name, SCORES))
    return _native_score(name, checked_options(name, method.options, options, "no options"))


@lru_cache(maxsize=16)  # a score caches values of its formula
def _native_score(name: str, given: tuple[tuple[str, Value], ...]) -> NativeScore:
    method = SCORES[name]
    values = {option.name: option.default for option in method.options.values()} | dict(given)
    size = float(values.get("sample_size", 1))
    if not 0 < size <= _LARGEST_SAMPLE_SIZE:
        raise ArgumentError(f"sample_size: must be above 0 and at most {_LARGEST_SAMPLE_SIZE:,}, got {size:g}.")
    identity = " ".join([name, *(f"{option}={value!r}" for option, value in values.items())])
    return NativeScore(method, _native.Score(name, values), identity)
