"""What a graph says about pairs of variables, and the tests of it: independences without an edge, edges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bitsep.discovery.explanation import Explanation
from bitsep.figures import shown_p, shown_per_row
from bitsep.independence import IndependenceResult
from bitsep.naming import Name, plain_name

_REASONS = (
    "An edge between them, other directions of edges near them, or a common cause that is not in the data would "
    "explain it."
)


@dataclass(frozen=True, slots=True)
class ImpliedIndependence:
    """An independence that a graph implies, and its test.

    Attributes
    ----------
    result : IndependenceResult
        The test; its verdict and `adjusted_p_value` are adjusted for the number of implied independences.
    n_tests : int
        The number of implied independences.
    """

    result: IndependenceResult
    n_tests: int

    @property
    def x(self) -> Name:
        """The first variable."""
        return self.result.x

    @property
    def y(self) -> Name:
        """The second variable."""
        return self.result.y

    @property
    def given(self) -> tuple[Name, ...]:
        """The set given which they should be independent."""
        return self.result.given

    @property
    def p_value(self) -> float:
        """The p-value of this test alone."""
        return 1.0 if self.result.p_value is None else self.result.p_value

    @property
    def adjusted_p_value(self) -> float:
        """The p-value adjusted for the number of implied independences."""
        return 1.0 if self.result.adjusted_p_value is None else self.result.adjusted_p_value

    @property
    def testable(self) -> bool:
        """Whether the rows can contradict it; they cannot if every stratum has one row or one level of a variable."""
        return bool(self.result.n and self.result.df)

    @property
    def violated(self) -> bool:
        """Whether the data contradict it."""
        return not self.result.independent

    def explanation(self) -> Explanation:
        """The text of `explain` as a template with values."""
        given = Explanation(" given {}", (self.given,)) if self.given else Explanation("")
        say = "{} should be independent{}, " + ("but are not: {}." if self.violated else "and the data agree: {}.")
        first = Explanation.of(say, (self.x, self.y), given, _numbers(self))
        if not self.violated:
            return first
        paths = Explanation(
            "In the graph "
            + ("every path between them is blocked by {}." if self.given else "no open path connects them."),
            (self.given,) if self.given else (),
        )
        return Explanation.lines(first, paths, Explanation(_REASONS))

    def explain(self) -> str:
        """What the graph says about the two variables, and what the data say."""
        return str(self.explanation())

    def to_dict(self) -> dict[str, Any]:
        """The attributes as values that JSON can represent."""
        return {
            **_plain(self.result),
            "adjusted_p_value": self.adjusted_p_value,
            "violated": self.violated,
        }


@dataclass(frozen=True, slots=True)
class EdgeCheck:
    """An edge of a graph, and the tests whether its variables are dependent.

    Attributes
    ----------
    a, b : names
        The variables; a directed edge is from a to b.
    sign : str
        ``"→"`` or ``"—"``, in a PAG or MAG also the other signs of `PAG`.
    results : tuple of IndependenceResult
        The tests: given a smallest set that would separate them without the edge, and, except in a PAG or MAG, given
        the other parents of the child, unless that is the same set.
    alpha : float
        The significance level.
    """

    a: Name
    sign: str
    b: Name
    results: tuple[IndependenceResult, ...]
    alpha: float

    @property
    def p_value(self) -> float:
        """The smallest p-value of the tests, times their number."""
        found = [1.0 if result.p_value is None else result.p_value for result in self.results]
        return min(1.0, len(found) * min(found))

    @property
    def supported(self) -> bool:
        """Whether a test finds a dependence."""
        return self.p_value <= self.alpha

    def explanation(self) -> Explanation:
        """The text of `explain` as a template with values."""
        best = min(self.results, key=lambda result: 1.0 if result.p_value is None else result.p_value)
        say = "{} have an edge" + (", and a test supports it" if self.supported else " that no test supports")
        given = Explanation("given {} ", (best.given,)) if best.given else Explanation("")
        return Explanation.of(say + ": {}their test has p = {}.", (self.a, self.b), given, shown_p(self.p_value))

    def explain(self) -> str:
        """Whether the data support the edge."""
        return str(self.explanation())

    def to_dict(self) -> dict[str, Any]:
        """The attributes as values that JSON can represent."""
        return {
            "from": plain_name(self.a),
            "to": plain_name(self.b),
            "sign": self.sign,
            "directed": self.sign == "→",
            "p_value": self.p_value,
            "supported": self.supported,
            "tests": [_plain(result) for result in self.results],
        }


def _numbers(one: ImpliedIndependence) -> Explanation:
    result = one.result
    size = result.effect_size if one.violated else None
    return Explanation(
        "p = {}, {} after adjustment for {} tests; they share {} bits per row in {} rows"
        + ("" if size is None else "{}"),
        (
            shown_p(one.p_value),
            shown_p(one.adjusted_p_value),
            f"{one.n_tests:,}",
            shown_per_row(result.cmi_bits),
            f"{result.n:,}",
            *(() if size is None else (f" (Cramér's V {size:.2f})",)),
        ),
    )


def _plain(result: IndependenceResult) -> dict[str, Any]:
    return {
        "x": plain_name(result.x),
        "y": plain_name(result.y),
        "given": [plain_name(name) for name in result.given],
        "p_value": 1.0 if result.p_value is None else result.p_value,
        "cmi_bits": result.cmi_bits,
        "n": result.n,
    }
