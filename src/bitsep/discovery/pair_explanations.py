"""Explanations why two variables have an edge, or why they do not."""

from __future__ import annotations

from typing import NamedTuple

from bitsep.data.profile import percent
from bitsep.discovery.evidence import EdgeCost, EdgeEvidence, Support
from bitsep.discovery.explanation import Explanation
from bitsep.figures import shown_bits, shown_p, shown_per_row
from bitsep.independence import Separation
from bitsep.independence.result import IndependenceResult
from bitsep.naming import Name


class RowsShare(NamedTuple):
    """The number of all rows, and the share of them that a missing edge should rest on (`min_rows_share`)."""

    n: int
    smallest: float

    def is_small(self, rows: int) -> bool:
        """Whether a missing edge that rests on this number of rows is to be flagged."""
        return rows < self.smallest * self.n

    def caution(self, rows: int) -> list[Explanation]:
        """What to say about a missing edge that rests on few rows; nothing otherwise."""
        if not self.is_small(rows):
            return []
        text = "Careful: this rests on {} of the {} rows ({}), because values are missing in the others."
        return [Explanation(text, (f"{rows:,}", f"{self.n:,}", percent(rows / self.n)))]


def rests_on_few_rows(evidence: Separation | EdgeCost, share: RowsShare) -> bool:
    """Whether a missing edge is to be flagged; one that is not possible in any direction rests on no rows."""
    if isinstance(evidence, EdgeCost):
        return evidence.cost_bits is not None and share.is_small(evidence.rows)
    return share.is_small(evidence.result.n)


def explain_exclusion(a: Name, b: Name) -> Explanation:
    """Why a and b have no edge if knowledge forbids it."""
    return Explanation(
        "{} have no edge: the knowledge given forbids it in both directions, so it was not considered.", ((a, b),)
    )


def explain_separation(
    a: Name, b: Name, evidence: Separation, share: RowsShare, support: Support | None = None
) -> Explanation:
    """Why a and b have no edge; `support` is the bootstrap support of the edge, if there were bootstrap samples."""
    result = evidence.result
    if share.n and not result.n:  # an oracle has no rows at all
        text = "{} have no edge: no row has values in {}, so no test can show a dependence."
        lines = [Explanation(text, ((a, b), (a, b, *evidence.given)))]
    else:
        lines = [
            Explanation("{} have no edge: given {} they are independent.", ((a, b), evidence.given)),
            _shortfall(result),
        ]
    lines.append(_tests(evidence))
    if result.small_sample and result.n:
        lines.append(_small(result))
    lines += share.caution(result.n)
    if support is not None:
        lines.append(support_of_missing_edge(support))
    return Explanation.lines(*lines)


def explain_edge(a: Name, b: Name, evidence: EdgeEvidence, in_pag: bool = False) -> Explanation:
    """Why a and b have an edge, and why it has its direction, or its marks in a PAG."""
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
        if evidence.bits_per_row is not None:
            lines.append(effect_size(evidence.bits_per_row, evidence.entropy_share))
        if result.small_sample:
            lines.append(_small(result))
    lines.append(evidence.orientation)
    if evidence.support is not None:
        lines.append((support_of_marks if in_pag else support_of_edge)(a, b, evidence.support))
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
    if result.decides_by_p_value and result.p_value is not None:
        p_value, alpha = shown_p(result.p_value), f"{result.alpha:g}"
        return Explanation.of("{}, and {} has p-value {} with significance level {}", shared, method, p_value, alpha)
    return Explanation.of("{}, where {} demands {}", shared, method, in_bits(result.threshold_bits))


def _shortfall(result: IndependenceResult) -> Explanation:
    numbers = _numbers(result, they="They", the="The")
    if result.too_few_rows:
        return Explanation.of("{}, so they count as independent whatever they share.", numbers)
    return Explanation.of("{}, so the edge falls short by {}.", numbers, in_bits(0.0 - result.score_bits))


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


def support_of_marks(a: Name, b: Name, support: Support) -> Explanation:
    """In how many bootstrap samples an edge of a PAG appears, and with which arrowheads."""
    shares = (f"{share:.0%}" for share in (support.edge, support.forward, support.backward))
    edge, forward, backward = shares
    return Explanation(
        "The edge appears in {} of the bootstrap samples: {} have an arrowhead at {}, {} at {}.",
        (edge, forward, (b,), backward, (a,)),
    )


def effect_size(bits_per_row: float, share: float | None) -> Explanation:
    """The size of the effect, which does not depend on the number of rows."""
    per_row = Explanation("That is {} bits per row", (shown_per_row(bits_per_row),))
    if share is None:
        return Explanation.of("{}.", per_row)
    text = "{}, {} of the entropy of the variable that has less of it."
    return Explanation.of(text, per_row, f"{share:.1%}")


def in_bits(value: float) -> Explanation:
    """A number of bits with its unit."""
    return Explanation("{} bits", (shown_bits(value),))


def _literal(text: str) -> Explanation:
    """Text as part of the template, since many explanations share it."""
    return Explanation("{}", (text,)) if "{}" in text else Explanation(text)
