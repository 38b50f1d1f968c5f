"""The tests by name, and what each of them takes."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from bitsep import _native
from bitsep.checks import real_number, shown
from bitsep.errors import ArgumentError, UnknownMethodError
from bitsep.naming import did_you_mean

DEFAULT_ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class Method:
    """A test: its name, a line about it, and the options it takes besides `alpha`."""

    name: str
    title: str
    family: str  # "sci", "significance" (a chi-square threshold at alpha) or "fixed" (a threshold without alpha)
    options: frozenset[str] = field(default_factory=frozenset)


METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method("sci_f", "SCI with factorized NML, the larger of both directions (the paper's test)", "sci"),
        Method("sci_q", "SCI with quotient NML", "sci", frozenset({"z_size"})),
        Method(
            "sci_fs", "SCI with factorized NML, symmetric by joint complexity (appendix)", "sci", frozenset({"xy_size"})
        ),
        Method(
            "cmi", "plug-in conditional mutual information above a fixed threshold", "fixed", frozenset({"threshold"})
        ),
        Method(
            "cmi_gamma",
            "plug-in CMI above its Gamma quantile (Goebel et al. 2005) as the paper prints it; equals g2",
            "significance",
            frozenset({"z_size", "min_rows_per_df"}),
        ),
        Method(
            "cmi_gamma_halved",
            "the same with half the threshold, which fits what the paper says about it",
            "significance",
            frozenset({"z_size", "min_rows_per_df"}),
        ),
        Method("jic", "plug-in CMI above the asymptotic complexity (Suzuki 2016)", "fixed", frozenset({"z_size"})),
        Method(
            "g2",
            "G² (likelihood ratio) with df (|X|−1)(|Y|−1)|Z|",
            "significance",
            frozenset({"z_size", "min_rows_per_df"}),
        ),
        Method(
            "g2_adjusted",
            "G² with df from the occupied rows and columns",
            "significance",
            frozenset({"min_rows_per_df"}),
        ),
        Method("x2", "Pearson's X²", "significance", frozenset({"z_size", "min_rows_per_df"})),
    )
}


@dataclass(frozen=True, slots=True)
class NativeMethod:
    """A named test with its options checked, ready for the native core.

    identity : name, significance level and all options as they are in force, defaults included.
    """

    method: Method
    alpha: float | None
    test: _native.Test
    identity: str

    def p_value(self, statistic: float, df: float, threshold_bits: float) -> float | None:
        """Upper tail of the statistic; 1 where a test refuses to decide on too few rows."""
        if self.method.family != "significance":
            return None
        if math.isinf(threshold_bits):
            return 1.0
        doubled = 2.0 if self.method.name == "cmi_gamma_halved" else 1.0
        return _native.chi_square_tail(statistic * doubled, df)


def resolve_method(name: object, alpha: float | None, options: dict[str, Any]) -> NativeMethod:
    """The test of this name; errors name the argument that does not fit."""
    if not isinstance(name, str):
        raise ArgumentError(
            f"method must be the name of a test or an object with `name` and `judge(counts)`, not {type(name).__name__}"
        )
    method = METHODS.get(name)
    if method is None:
        raise UnknownMethodError(f"unknown method {name!r}. {did_you_mean(name, METHODS)}")
    for option in options:
        if option not in method.options:
            allowed = ", ".join(sorted(method.options)) or "no options but alpha"
            raise ArgumentError(f"method {name!r} takes no option {option!r}; it takes {allowed}")
    level = _checked_alpha(alpha)
    threshold = _checked_number("threshold", options.get("threshold", 0.0))
    min_rows = _checked_number("min_rows_per_df", options.get("min_rows_per_df", 0.0))
    product_z = _choice("z_size", options.get("z_size", "observed"), "observed", "product") == "product"
    observed_xy = _choice("xy_size", options.get("xy_size", "product"), "product", "observed") == "observed"
    return _made(name, level, threshold, min_rows, product_z, observed_xy)


@lru_cache(maxsize=64)  # a test keeps the chi-square thresholds it has met, and most people use one or two tests
def _made(
    name: str, alpha: float | None, threshold: float, min_rows: float, product_z: bool, observed_xy: bool
) -> NativeMethod:
    method = METHODS[name]
    level = DEFAULT_ALPHA if alpha is None else alpha
    test = _native.Test(
        name,
        alpha=level,
        extra_bits=-math.log2(alpha) if method.family == "sci" and alpha is not None else 0.0,
        cmi_threshold=threshold,
        product_z=product_z,
        observed_xy=observed_xy,
        min_rows_per_df=min_rows,
    )
    in_force = {"significance": level, "sci": alpha, "fixed": None}[method.family]  # jic and cmi know no alpha
    identity = (
        f"{name} alpha={in_force!r} threshold={threshold!r} min_rows_per_df={min_rows!r} product_z={product_z} "
        f"observed_xy={observed_xy}"
    )
    return NativeMethod(method, in_force, test, identity)


def _checked_alpha(alpha: Any) -> float | None:
    if alpha is None:
        return None
    number = real_number(alpha)
    if number is None or not 0 < number < 1:
        raise ArgumentError(f"alpha must lie between 0 and 1, both excluded, not {shown(alpha)}")
    return number


def _checked_number(argument: str, value: Any) -> float:
    number = real_number(value)
    if number is None or not 0 <= number < math.inf:
        raise ArgumentError(f"{argument} must be a number of at least 0, not {shown(value)}")
    return number


def _choice(argument: str, value: Any, *allowed: str) -> str:
    if value not in allowed:
        raise ArgumentError(f"{argument} must be one of {', '.join(map(repr, allowed))}, not {value!r}")
    return str(value)
