"""Explanations why two variables have an edge, or why they do not."""

from __future__ import annotations

from bitsep.discovery.evidence import EdgeEvidence, Support
from bitsep.discovery.explanation import Explanation, shown_bits
from bitsep.independence import Separation
from bitsep.independence.result import IndependenceResult
from bitsep.naming import Name


def explain_exclusion(a: Name, b: Name) -> Explanation:
    """Why a and b have no edge if knowledge forbids it."""
    return Explanation(
        "{} have no edge: the knowledge given forbids it in both directions, so it was not considered.", ((a, b),)
    )


def explain_separation(a: Name, b: Name, evidence: Separation, support: Support | None = None) -> Explanation:
    """Why a and b have no edge; `support` is the bootstrap support of the edge, if there were bootstrap samples."""
    result = evidence.result
    lines = [
        Explanation("{} have no edge: given {} they are independent.", ((a, b), evidence.given)),
        _shortfall(result),
        _tests(evidence),
    ]
    if result.small_sample:
        lines.append(_small(result))
    if support is not None:
        lines.append(support_of_missing_edge(support))
    return Explanation.lines(*lines)


def explain_edge(a: Name, b: Name, evidence: EdgeEvidence) -> Explanation:
    """Why a and b have an edge, and why it has its direction."""
    result = evidence.weakest
    pair = (a, b)
    if result is None:
        lines = [Explanation("{} have an edge: the knowledge given requires it, so it was not tested.", (pair,))]
    else:
        lines = [
            Explanation("{} have an edge: the only test made does not separate them.", (pair,))
            if evidence.tests_run == 1
            else Explanation(
                "{} have an edge: none of the {} tests made separates them.", (pair, f"{evidence.tests_run:,}")
            ),
            Explanation.of(
                "They came closest to independence given {}: {}, so the edge survives by {}.",
                result.given, _numbers(result), in_bits(result.score_bits),
            ),
        ]  # fmt: skip
        if result.small_sample:
            lines.append(_small(result))
    lines.append(evidence.orientation)
    if evidence.support is not None:
        lines.append(support_of_edge(a, b, evidence.support))
    return Explanation.lines(*lines)


def _numbers(result: IndependenceResult, they: str = "they", the: str = "the") -> Explanation:
    """Information and threshold of a test, as the beginning of a sentence."""
    method = _literal(result.method)
    if result.n == 0:
        return Explanation.of(the + " {} oracle says " + result.verdict, method)
    shared = Explanation.of(
        they + " share {} of information in {} rows", in_bits(result.n * result.cmi_bits), f"{result.n:,}"
    )
    if result.too_few_rows:
        text = "{}, but these are fewer than {} requires for {} df"
        return Explanation.of(text, shared, method, f"{result.df:,}")
    return Explanation.of("{}, where {} demands {}", shared, method, in_bits(result.threshold_bits))


def _shortfall(result: IndependenceResult) -> Explanation:
    numbers = _numbers(result, they="They", the="The")
    if result.too_few_rows:
        return Explanation.of("{}, so they count as independent whatever they share.", numbers)
    return Explanation.of("{}, so the edge falls short by {}.", numbers, in_bits(-result.score_bits))


def _tests(evidence: Separation) -> Explanation:
    number, other = evidence.tests_run, evidence.runner_up
    made = Explanation(
        "{} test was made for this pair" if number == 1 else "{} tests were made for this pair", (f"{number:,}",)
    )
    if other is None:
        return Explanation.of("{}.", made)
    verdict = "would separate them too" if other.independent else "does not separate them"
    score = Explanation("score {} bits", (shown_bits(other.score_bits, "+"),))
    return Explanation.of(
        "{}; the runner-up, given {}, " + verdict + " ({}).",
        made, other.given, Explanation("too few rows") if other.too_few_rows else score,
    )  # fmt: skip


def _small(result: IndependenceResult) -> Explanation:
    return Explanation(
        "Careful: {} rows are fewer than the paper's bound for these domain sizes; "
        "a verdict of dependence is unreliable there.",
        (f"{result.n:,}",),
    )


def support_of_missing_edge(support: Support) -> Explanation:
    """In how many bootstrap samples an edge appears that the graph does not have."""
    return Explanation("The edge appears in {} of the bootstrap samples.", (f"{support.edge:.0%}",))


def support_of_edge(a: Name, b: Name, support: Support) -> Explanation:
    """In how many bootstrap samples an edge appears, by direction."""
    shares = (support.edge, support.forward, support.backward, support.edge - support.forward - support.backward)
    edge, forward, backward, undirected = (f"{max(0.0, share):.0%}" for share in shares)
    return Explanation(
        "The edge appears in {} of the bootstrap samples: {} as {} → {}, {} as {} → {}, {} without a direction.",
        (edge, forward, (a,), (b,), backward, (b,), (a,), undirected),
    )


def in_bits(value: float) -> Explanation:
    """A number of bits with its unit."""
    number = shown_bits(value)
    return Explanation("{} bit" if number == "1" else "{} bits", (number,))


def _literal(text: str) -> Explanation:
    """Text as part of the template, since many explanations share it."""
    return Explanation("{}", (text,)) if "{}" in text else Explanation(text)
