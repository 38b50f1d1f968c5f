"""The lines that show the result of a test, in a terminal and in a notebook."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from bitsep.figures import shown_bits, shown_count, shown_p, shown_per_row
from bitsep.naming import one_line, shown_name

if TYPE_CHECKING:
    from bitsep.independence.effects import StratumEffect
    from bitsep.independence.result import IndependenceResult

_SHOWN_STRATA = 4


def rows(result: IndependenceResult) -> list[tuple[str, str]]:
    """Labels and values."""
    lines = [
        ("verdict", _verdict(result)),
        ("score", _score(result)),
        (
            "information",
            f"{_bits(result.n * result.cmi_bits)} in {shown_count(result.n, 'row')} "
            f"({shown_per_row(result.cmi_bits)} per row)",
        ),
        ("threshold", _threshold(result)),
    ]
    if result.p_value is not None:
        detail = [] if result.statistic is None else [f"statistic {result.statistic:,.4g}"]
        detail += [] if result.df is None else [f"df {result.df:,}"]
        detail += [] if result.permutations is None else [shown_count(result.permutations, "permutation")]
        lines.append(("p-value", shown_p(result.p_value) + (f"  ({', '.join(detail)})" if detail else "")))
    if result.adjusted_p_value is not None:
        lines.append(("adjusted", f"p-value {shown_p(result.adjusted_p_value)}, which decides the verdict"))
    if result.no_hypercompression_bound is not None and not result.independent:
        bound = _small(result.no_hypercompression_bound)
        lines.append(("bound", f"{bound}  (no-hypercompression; not a p-value)"))
    lines += _effect(result)
    kx, ky, kz = result.domain_sizes
    lines.append(("domain sizes", f"|X| = {kx:,}, |Y| = {ky:,}, |Z| = {kz:,} observed"))
    lines += [("note", note) for note in _notes(result)]
    lines += [("warning", warning) for warning in result.warnings]
    return lines


def _verdict(result: IndependenceResult) -> str:
    if not result.undecided:
        return f"{result.verdict}  ({result.method})"
    return f"undecided  ({result.method} says dependent, which is not reliable with so few rows)"


def _score(result: IndependenceResult) -> str:
    if result.too_few_rows:
        return "none: too few rows for a decision"
    return f"{_bits(result.score_bits, '+')}  ({'≤ 0: independent' if result.independent else '> 0: dependent'})"


def _threshold(result: IndependenceResult) -> str:
    if result.too_few_rows:
        return f"none: {shown_count(result.n, 'row')}, too few for {result.df:,} df (min_rows_per_df)"
    text = _bits(result.threshold_bits)
    if result.decides_by_p_value:
        return f"{text}: −log2 of alpha = {result.alpha:g}, for −log2 of the p-value"
    if result.alpha is not None and result.no_hypercompression_bound is not None:
        demand = -math.log2(result.alpha)
        own, more = shown_bits(result.threshold_bits - demand), shown_bits(demand)
        text += f": {own}, and {more} more for alpha = {result.alpha:g}"
    level = result.implied_alpha
    return text if level is None else f"{text}; as strict as g2_adjusted at alpha = {_small(level)} here"


def _effect(result: IndependenceResult) -> list[tuple[str, str]]:
    if result.effect_size is None or result.cmi_corrected_bits is None or result.cmi_interval is None:
        return []
    strata = result.domain_sizes[2]
    over = f", mean over {strata:,} strata" if strata > 1 else ""
    low, high = result.cmi_interval
    lines = [
        ("effect size", f"{result.effect_size:.2f}  (Cramér's V, corrected for bias{over})"),
        (
            "corrected",
            f"{shown_per_row(result.cmi_corrected_bits)} bits per row "
            f"(95% interval {shown_per_row(low)} to {shown_per_row(high)})",
        ),
    ]
    ratio = result.odds_ratio
    if ratio is not None:
        low, high = ratio.interval
        lines.append(
            (
                "odds ratio",
                f"{ratio.ratio:.3g} (95% interval {low:.3g} to {high:.3g}; "
                f"Mantel-Haenszel p = {shown_p(ratio.p_value)})",
            )
        )
        if ratio.x_levels and ratio.y_levels:
            x, y = shown_name(result.x), shown_name(result.y)
            (x0, x1), (y0, y1) = ratio.x_levels, ratio.y_levels
            lines.append(("", one_line(f"odds of {y} = {y0} against {y1}, for {x} = {x0} over {x1}")))
    if strata > 1:
        lines += [("stratum", _stratum(stratum, result)) for stratum in (result.strata or ())[:_SHOWN_STRATA]]
        if strata > _SHOWN_STRATA:
            lines.append(("", f"and {strata - _SHOWN_STRATA:,} strata with less information"))
    return lines


def _stratum(stratum: StratumEffect, result: IndependenceResult) -> str:
    named = zip(result.given, stratum.levels, strict=False)
    where = ", ".join(f"{shown_name(name)} = {one_line(level)}" for name, level in named)
    ratio = "" if stratum.odds_ratio is None else f", odds ratio {stratum.odds_ratio:.3g}"
    size = f"effect size {stratum.effect_size:.2f}"
    return f"{where}: {_bits(stratum.information_bits)} in {shown_count(stratum.n, 'row')}, {size}{ratio}"


def _notes(result: IndependenceResult) -> list[str]:
    if not result.small_sample:
        return []
    return ["fewer rows than the paper's bound for these domain sizes (sample_size_bound)"]


def _small(probability: float) -> str:
    """A probability, which can be too small for a float."""
    return f"{probability:.2g}" if probability > 0 else "below 1e-300"


def _bits(value: float, sign: str = "") -> str:
    return f"{shown_bits(value, sign)} bits"
