"""The tests by name, and their options, as registered in the native core (`native/src/tests`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from bitsep import _native
from bitsep.checks import real_number, shown
from bitsep.errors import ArgumentError, UnknownMethodError
from bitsep.independence.permutations import Permutations
from bitsep.naming import did_you_mean
from bitsep.options import Option, Value, checked_options, options_of


@dataclass(frozen=True, slots=True)
class Method:
    """A test: its name, its title, its family, and its options besides `alpha`."""

    name: str
    title: str
    family: str  # "sci", "significance" (has a p-value, compared with alpha) or "information" (does not use alpha)
    options: Mapping[str, Option] = field(default_factory=dict)


METHODS: dict[str, Method] = {
    test.name: Method(
        test.name,
        test.title,
        test.family,
        options_of(test.options),
    )
    for test in _native.tests()
}


@dataclass(frozen=True, slots=True)
class NativeMethod:
    """A named test with checked options, for the native core.

    alpha : the significance level used; None if the test does not use one.
    identity : the name, alpha and the values of all options, including defaults.
    """

    method: Method
    alpha: float | None
    test: _native.Test
    identity: str


# What other libraries call these tests.
_OTHER_NAMES = {
    **dict.fromkeys(("chi2", "chisq", "chi_square", "chi-square", "chisquare", "pearson"), "x2"),
    **dict.fromkeys(("g", "gsq", "g_sq", "gsquare", "gsquared", "g_square", "gtest", "log-likelihood"), "g2"),
    **dict.fromkeys(("mi", "mutual_information"), "cmi"),
}


def resolve_method(
    name: object,
    alpha: float | None,
    options: dict[str, Any],
    min_effect: float = 0.0,
    permutations: Permutations | None = None,
) -> NativeMethod:
    """The test of this name with these options, or its permutation test.

    `min_effect` raises its threshold by so many bits per row; a permutation test has no such threshold.
    """
    if not isinstance(name, str):
        raise ArgumentError(
            "method: must be the name of a test or an object with `name` and `judge(counts)`, got "
            f"{type(name).__name__}."
        )
    method = METHODS.get(name)
    if method is None:
        known = _OTHER_NAMES.get(name.casefold())
        hint = did_you_mean(name, METHODS) if known is None else f"Did you mean {known!r}?"
        raise UnknownMethodError(f"method: unknown test {name!r}.", hint=hint)
    checked = checked_options(name, method.options, options, "no options but alpha")
    level = checked_alpha(alpha)
    return _native_method(name, level, checked, min_effect, permutations)


@lru_cache(maxsize=64)  # a test caches chi-square thresholds, and most users use one or two tests
def _native_method(
    name: str,
    alpha: float | None,
    given: tuple[tuple[str, Value], ...],
    min_effect: float,
    permutations: Permutations | None,
) -> NativeMethod:
    method = METHODS[name]
    options = {option.name: option.default for option in method.options.values()} | dict(given)
    if permutations is None:
        test = _native.Test(name, alpha, options, min_effect)
        demanded: dict[str, Any] = {"min_effect": min_effect} if min_effect else {}
    else:
        drawn = permutations.draws, permutations.seed, permutations.sequential
        test = _native.Test.by_permutation(name, alpha, options, *drawn)
        demanded = {"permutations": permutations}
    shown_options = [f"{option}={value!r}" for option, value in {**options, **demanded}.items()]
    return NativeMethod(method, test.alpha, test, " ".join([name, f"alpha={test.alpha!r}", *shown_options]))


def checked_alpha(alpha: Any) -> float | None:
    """A significance level, checked."""
    if alpha is None:
        return None
    number = real_number(alpha)
    if number is None or not 0 < number < 1:
        raise ArgumentError(f"alpha: must lie between 0 and 1, both excluded, got {shown(alpha)}.")
    return number
