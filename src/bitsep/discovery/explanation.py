"""Evidence told in plain sentences."""

from __future__ import annotations

from collections.abc import Iterable

from bitsep.discovery.evidence import EdgeEvidence, Support
from bitsep.independence import Separation
from bitsep.independence.result import IndependenceResult
from bitsep.naming import Name, shown_name


def explain_exclusion(a: Name, b: Name) -> str:
    """Why a and b have no edge where knowledge took it away."""
    return f"{_pair(a, b)} have no edge: the knowledge given forbids it in both directions, so it was not tested."


def explain_separation(a: Name, b: Name, evidence: Separation, support: Support | None = None) -> str:
    """Why a and b have no edge. `support`: of the edge in bootstrap samples, if there were any."""
    result = evidence.result
    given = f"given {_names(evidence.given)}" if evidence.given else "given nothing"
    lines = [
        f"{_pair(a, b)} have no edge: {given} they are independent.",
        f"{_numbers(result)}, so {_shortfall(result)}.",
    ]
    tests = _count(evidence.tests_run, "test was", "tests were")
    if evidence.runner_up is None:
        lines.append(f"{tests} made for this pair.")
    else:
        other = evidence.runner_up
        condition = f"given {_names(other.given)}" if other.given else "given nothing"
        verdict = "would separate them too" if other.independent else "does not separate them"
        score = "too few rows" if other.too_few_rows else f"score {_signed(other.score_bits)}"
        lines.append(f"{tests} made for this pair; the runner-up, {condition}, {verdict} ({score}).")
    if result.small_sample:
        lines.append(_small(result))
    return "\n".join([*lines, *_support(a, b, support, kept=False)])


def explain_edge(a: Name, b: Name, evidence: EdgeEvidence) -> str:
    """Why a and b have an edge, and why it has its direction."""
    result = evidence.weakest
    if result is None:
        lines = [f"{_pair(a, b)} have an edge: the knowledge given requires it, so it was not tested."]
    else:
        condition = f"given {_names(result.given)}" if result.given else "given nothing"
        several = f"none of the {evidence.tests_run:,} tests made separates them"
        lines = [
            f"{_pair(a, b)} have an edge: "
            f"{'the only test made does not separate them' if evidence.tests_run == 1 else several}.",
            f"They came closest to independence {condition}: {_lower(_numbers(result))}, "
            f"so the edge survives by {_bits(result.score_bits)}.",
        ]
        if result.small_sample:
            lines.append(_small(result))
    lines.append(evidence.orientation)
    return "\n".join([*lines, *_support(a, b, evidence.support, kept=True)])


def _numbers(result: IndependenceResult) -> str:
    if result.n == 0:
        return f"The {result.method} oracle says {result.verdict}"
    shared = f"They share {_bits(result.n * result.cmi_bits)} of information in {result.n:,} rows"
    if result.too_few_rows:
        return f"{shared}, but these are fewer than {result.method} was told to ask for with {result.df:,} df"
    return f"{shared}, where {result.method} demands {_bits(result.threshold_bits)}"


def _shortfall(result: IndependenceResult) -> str:
    if result.too_few_rows:
        return "they count as independent whatever they share"
    return f"the edge falls short by {_bits(-result.score_bits)}"


def _small(result: IndependenceResult) -> str:
    return (
        f"Careful: {result.n:,} rows are fewer than the paper's bound for these domain sizes; "
        "a verdict of dependence is unreliable there."
    )


def _support(a: Name, b: Name, support: Support | None, *, kept: bool) -> list[str]:
    if support is None:
        return []
    if not kept:
        return [f"The edge appears in {support.edge:.0%} of the bootstrap samples."]
    open_share = max(0.0, support.edge - support.forward - support.backward)
    first, second = shown_name(a), shown_name(b)
    return [
        f"The edge appears in {support.edge:.0%} of the bootstrap samples: {support.forward:.0%} as {first} → {second}"
        f", {support.backward:.0%} as {second} → {first}, {open_share:.0%} without a direction."
    ]


def _pair(a: Name, b: Name) -> str:
    return f"{shown_name(a)} and {shown_name(b)}"


def _names(names: Iterable[Name]) -> str:
    shown = [shown_name(name) for name in names]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def _bits(value: float) -> str:
    return f"{value:.4g} bit" + ("" if f"{value:.4g}" == "1" else "s")


def _signed(value: float) -> str:
    return f"{value:+.4g} bits"


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def _lower(text: str) -> str:
    return text[0].lower() + text[1:]
