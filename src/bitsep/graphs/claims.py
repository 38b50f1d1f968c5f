"""Claims about directions, and which of them hold together in one DAG.

A claim says that an edge has a direction, or that a triple a — c — b without an edge between a and b is a v-structure,
or that it is not one. A DAG can be emptied by removing sinks one by one, and for each of these claims the member that
is removed first decides whether it holds: i → j holds if j is removed before i, a → c ← b if c is removed first.

So claims hold together in some DAG if and only if all variables can be removed one by one without breaking a claim.
The order of removal does not matter: a variable that can be removed now can also be removed later, because claims about
removed variables no longer restrict the others. Dor & Tarsi (1992) extend a graph in this way; here the claims need not
agree.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bitsep.graphs.marks import bits, mask_of

_MAX_WORK = 200_000  # claims times contradictions that do not follow by propagation


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim about directions: it fails if one of `breakers` is the first of `members` to be removed (bit sets)."""

    members: int
    breakers: int

    @classmethod
    def arrow(cls, i: int, j: int) -> Claim:
        """i → j."""
        return cls(mask_of((i, j)), 1 << i)

    @classmethod
    def collider(cls, a: int, c: int, b: int) -> Claim:
        """a → c ← b."""
        return cls(mask_of((a, c, b)), mask_of((a, b)))

    @classmethod
    def no_collider(cls, a: int, c: int, b: int) -> Claim:
        """Not a → c ← b."""
        return cls(mask_of((a, c, b)), 1 << c)

    @property
    def opposite(self) -> Claim:
        """The claim that holds in a DAG exactly if this one does not."""
        return Claim(self.members, self.members & ~self.breakers)


def overruled(claims: Sequence[Claim]) -> list[int]:
    """The positions of the claims that contradict earlier ones, ascending.

    Claims are accepted in their order, each if some DAG satisfies it together with all claims accepted before. What
    such a DAG says about an overruled claim follows from the accepted ones: the opposite. If there are so many claims
    and contradictions that this would take minutes, the last claims are settled by one order of removal, which keeps
    early claims rather than late ones.

    Examples
    --------
    >>> overruled([Claim.arrow(0, 1), Claim.arrow(1, 2), Claim.arrow(2, 0), Claim.no_collider(0, 1, 3)])
    [2]
    """
    hidden: set[int] = set()  # contradictions that do not follow by propagation
    while True:
        lost = _propagate(claims, hidden)
        order = _removal_order(claims, [k for k in range(len(claims)) if k not in lost])
        place = {v: position for position, v in enumerate(order)}
        broken = [k for k, c in enumerate(claims) if c.breakers >> min(bits(c.members), key=place.__getitem__) & 1]
        first = min((k for k in broken if k not in lost), default=None)
        if first is None or len(hidden) * len(claims) > _MAX_WORK:
            return broken
        # The claims before this one are decided, because they hold together; those after it are decided again.
        hidden.add(first)


def _propagate(claims: Sequence[Claim], hidden: set[int]) -> set[int]:
    """The claims overruled because earlier ones, or the opposites of overruled ones, imply the opposite."""
    order = _RemovalOrder(max((claim.members for claim in claims), default=0).bit_length())
    lost = set()
    for k, claim in enumerate(claims):
        if k in hidden or not order.accept(claim):
            lost.add(k)
            order.accept(claim.opposite)
    return lost


class _RemovalOrder:
    """What accepted claims say about the order of removal.

    before, after : for each variable, those that must be removed before it, and after it (bit sets).
    choices : for each variable, the pairs of which one must be removed before it.
    """

    def __init__(self, n: int) -> None:
        self.before = [0] * n
        self.after = [0] * n
        self.choices: list[list[tuple[int, int]]] = [[] for _ in range(n)]

    def accept(self, claim: Claim) -> bool:
        """Add a claim, or change nothing and return False if it is contradicted."""
        first, *others = bits(claim.members & ~claim.breakers)
        if not others:
            return self._put(first, bits(claim.breakers))
        (second,) = others
        (center,) = bits(claim.breakers)
        for one, other in ((first, second), (second, first)):
            if self.after[center] >> one & 1 and not self._put(other, (center,)):
                return False
        self.choices[center].append((first, second))
        return True

    def _put(self, first: int, others: Iterable[int]) -> bool:
        """Put a variable before others, with all that follows; False if that is contradicted."""
        waiting = [(first, other) for other in others if not self.before[other] >> first & 1]
        if not waiting or any(self.before[first] >> other & 1 for _, other in waiting):
            return not waiting
        saved = self.before.copy(), self.after.copy()
        while waiting:
            early, late = waiting.pop()
            if self.before[late] >> early & 1:
                continue
            if self.before[early] >> late & 1:
                self.before, self.after = saved
                return False
            earlier, later = self.before[early] | 1 << early, self.after[late] | 1 << late
            for v in bits(later):
                self.before[v] |= earlier
            for v in bits(earlier):
                new = later & ~self.after[v]
                self.after[v] |= later
                for one, other in self.choices[v]:  # if one of them is removed after v, the other must be before it
                    if new >> one & 1:
                        waiting.append((other, v))
                    if new >> other & 1:
                        waiting.append((one, v))
        return True


def _removal_order(claims: Sequence[Claim], accepted: Sequence[int]) -> list[int]:
    """An order in which to remove all variables that breaks none of the accepted claims, if that is possible.

    Each time a variable is removed for which the earliest claim it breaks is as late as possible. The claims before
    the earliest one that is ever broken hold together, and that one contradicts them: removing a variable never adds
    to the claims that another variable breaks, so no other order spares it.
    """
    last = len(claims)
    breaks: dict[int, list[int]] = {}  # for each variable, the claims that its removal may break, latest first
    members: dict[int, list[int]] = {v: [] for claim in claims for v in bits(claim.members)}
    for k in reversed(accepted):
        for v in bits(claims[k].breakers):
            breaks.setdefault(v, []).append(k)
        for v in bits(claims[k].members):
            members[v].append(k)
    rest = mask_of(members)

    def earliest(v: int) -> int:
        """The earliest claim that the removal of v breaks now."""
        queue = breaks.get(v, [])
        while queue and claims[queue[-1]].members & ~rest:
            queue.pop()
        return queue[-1] if queue else last

    current = {v: earliest(v) for v in members}
    heap = [(-k, v) for v, k in current.items()]
    heapq.heapify(heap)
    order = []
    while heap:
        key, v = heapq.heappop(heap)
        if not rest >> v & 1 or -key != current[v]:
            continue
        order.append(v)
        rest &= ~(1 << v)
        affected = 0
        for k in members[v]:
            affected |= claims[k].breakers
        for u in bits(affected & rest):
            if (later := earliest(u)) != current[u]:
                current[u] = later
                heapq.heappush(heap, (-later, u))
    return order
