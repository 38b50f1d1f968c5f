"""Where bootstrap samples speak against a graph: improbable edges and directions, probable edges that are missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from bitsep.discovery.evidence import Pair
from bitsep.discovery.explanation import Explanation
from bitsep.graphs import PAG
from bitsep.naming import Name, name_key

if TYPE_CHECKING:
    from bitsep.discovery.result import Discovery

DoubtKind = Literal["edge", "missing edge", "direction"]

LIMIT = 0.5


@dataclass(frozen=True, slots=True)
class Doubt:
    """A pair about which the bootstrap samples disagree with the graph.

    kind : "edge" (its probability is below 50%), "missing edge" (its probability is above 50%) or "direction" (fewer
        than 50% of the bootstrap samples have it, or an arrowhead of a PAG). Missing edges and directions count
        together for variables that are copies of each other.
    pair : the two variables; of a directed edge from its beginning to its end (of an arrowhead, it is at the second),
        otherwise in canonical order.
    share : the probability of the edge, or the share of the samples with the direction.
    reason : the doubt as a sentence; ``str`` returns it.
    """

    kind: DoubtKind
    pair: tuple[Name, Name]
    share: float
    reason: Explanation


def find_doubts(discovery: Discovery) -> tuple[Doubt, ...]:
    """All doubts, the gravest first: missing edges and edges by their probability, directions, and then edges that are
    probable together with those at copies."""

    def order(doubt: Doubt) -> tuple[bool, bool, float]:
        shared = doubt.kind == "edge" and discovery.probability.counted(frozenset(doubt.pair)) >= LIMIT
        return shared, doubt.kind == "direction", -abs(doubt.share - LIMIT)

    return tuple(sorted((one for pair in discovery.support for one in doubts_about(discovery, pair)), key=order))


def doubts_about(discovery: Discovery, pair: Pair) -> tuple[Doubt, ...]:
    """The doubts about one pair of variables; none without bootstrap samples."""
    if pair not in discovery.support:
        return ()
    a, b = sorted(pair, key=name_key)
    probability = discovery.probability[pair]
    shown = f"{probability:.0%}"
    apart = discovery.probability.apart(pair)
    if pair not in discovery.edges:
        probability = discovery.probability.counted(pair)
        if probability <= LIMIT:
            return ()
        if apart:
            text = "Careful: no edge between {} and {}, or copies of them, was found, but one is probable ({})"
        else:
            text = "Careful: the edge {} — {} is missing, but it is probable ({})"
        reason = with_copies(text, ((a,), (b,), f"{probability:.0%}"), apart)
        return (Doubt("missing edge", (a, b), probability, reason),)
    found = []
    support, graph = discovery.probability.support(pair), discovery.graph
    if isinstance(graph, PAG):
        if probability < LIMIT:
            text = "Careful: the edge between {} is improbable ({})."
            found.append(Doubt("edge", (a, b), probability, Explanation(text, ((a, b), shown))))
        for start, end, share in ((a, b, support.forward), (b, a, support.backward)):
            if graph.mark(end, start) == "arrow" and share < LIMIT:
                text = "Careful: {} of the bootstrap samples have the arrowhead at {} of the edge between {}."
                reason = Explanation(text, (f"{share:.0%}", (end,), (a, b)))
                found.append(Doubt("direction", (start, end), share, reason))
        return tuple(found)
    if (b, a) in graph.directed:
        a, b = b, a
        along, against = support.backward, support.forward
    else:
        along, against = support.forward, support.backward
    directed = (a, b) in graph.directed
    if probability < LIMIT:
        edge = "the edge {} " + ("→" if directed else "—") + " {}"
        together = discovery.probability.counted(pair)
        if together < LIMIT:
            reason = Explanation(f"Careful: {edge} is improbable ({{}}).", ((a,), (b,), shown))
        else:
            text = f"Careful: {edge}, or one at a copy in its place, is probable ({{}}), this one less ({{}})"
            reason = with_copies(text, ((a,), (b,), f"{together:.0%}", shown), apart)
        found.append(Doubt("edge", (a, b), probability, reason))
    if directed and along < LIMIT:
        text = "Careful: {} of the bootstrap samples have {} → {}, {} have the opposite direction"
        shares = (f"{along:.0%}", (a,), (b,), f"{against:.0%}")
        found.append(Doubt("direction", (a, b), along, with_copies(text, shares, apart)))
    return tuple(found)


def with_copies(text: str, values: tuple[Any, ...], apart: Sequence[tuple[Name, ...]]) -> Explanation:
    """A sentence that also says which variables the data cannot tell apart."""
    if not apart:
        return Explanation(f"{text}.", values)
    return Explanation(f"{text}: these data cannot tell {', or '.join(['{}'] * len(apart))} apart.", (*values, *apart))
