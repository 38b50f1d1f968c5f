"""The structural intervention distance, SID (Peters & Bühlmann, Neural Computation 27, 2015).

SID(G, H) counts the ordered pairs (i, j) for which H leads to a wrong effect of setting i on j, when effects are
computed by adjusting for i's parents in H, and the data come from G. For the pair (i, j) and Z = parents of i in H:

- if j is in Z, H claims "no effect": wrong iff j is a descendant of i in G;
- otherwise right iff Z is a valid adjustment set in G: no member of Z descends from a variable (other than i) on a
  directed path from i to j, and Z blocks all other paths between i and j.

So H enters through its parent sets alone, and SID is a sum over i of a cost of i's parent set. A graph H that leaves
directions open stands for several DAGs, and their smallest and largest SID are the bounds. Undirected edges in
different components are directed independently of each other, so each component is enumerated on its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from bitsep.graphs.closure import close
from bitsep.graphs.equivalence import components, extend, members
from bitsep.graphs.marks import Marks, bits, mask_of, reachable

MAX_MEMBERS = 10_000
"""Directed versions of one component that are enumerated; with more, its variables are bounded one by one."""

MAX_ARROWS = 2_000_000
"""The same limit for large components: edges of all enumerated versions together."""

MAX_PARENT_SETS = 1_000
"""Parent sets of one variable that are tried in that case; with more, its bounds are 0 and all other variables."""


@dataclass(frozen=True)
class SidBounds:
    """The structural intervention distance of an estimate that may leave directions open.

    Attributes
    ----------
    lower, upper : int
        The smallest and the largest distance of a DAG the estimate stands for; equal where it is a DAG.
    exact : bool
        Whether both are attained. False where a component of undirected edges has more directed versions than are
        enumerated, or where the estimate stands for no DAG at all; the bounds are then taken variable by variable, so
        they still enclose every DAG, but may be too wide.
    """

    lower: int
    upper: int
    exact: bool = True


class ParentSetCost:
    """How many effects of each variable come out wrong, in a true DAG, for a given set of claimed parents."""

    def __init__(self, truth: Marks) -> None:
        self._truth = truth
        self._below = reachable(truth.children)
        self._above = reachable(truth.parents)
        self._known: dict[tuple[int, int], int] = {}

    def __call__(self, i: int, claimed: int) -> int:
        key = (i, claimed)
        if key not in self._known:
            self._known[key] = self.wrong(i, claimed).bit_count()
        return self._known[key]

    def wrong(self, i: int, claimed: int) -> int:
        """The variables whose response to i is wrong after adjusting for `claimed`."""
        below = self._below[i]
        if claimed == self._truth.parents[i]:  # the true parents are always valid
            return 0
        towards = claimed  # claimed parents and their ancestors: where colliders are open
        for z in bits(claimed):
            towards |= self._above[z]
        spoiled = below & towards  # on the way from i to a member of Z …
        for w in bits(spoiled):
            spoiled |= self._below[w]  # … so adjusting for it is wrong for all that lies further down
        outside = (spoiled | self._reached_otherwise(i, claimed, towards)) & ~claimed
        return (outside | (claimed & below)) & ~(1 << i)

    def _reached_otherwise(self, i: int, claimed: int, open_colliders: int) -> int:
        """What an open path joins to i that is not directed from i all the way.

        A walk that may repeat variables finds the same: where it reaches j but no such path does, it turned at a
        collider below i, and then j is among the spoiled ones.
        """
        dag = self._truth
        here = ~(1 << i)
        causal = dag.children[i]  # reached along arrows only, all the way from i
        upwards, downwards = dag.parents[i], 0
        been_causal = been_up = been_down = 0
        while causal or upwards or downwards:
            been_causal |= causal
            been_up |= upwards
            been_down |= downwards
            next_causal = next_up = next_down = 0
            for v in bits((upwards & ~claimed) | ((causal | downwards) & open_colliders)):
                next_up |= dag.parents[v]
            for v in bits((upwards | downwards) & ~claimed):
                next_down |= dag.children[v]
            for v in bits(causal & ~claimed):
                next_causal |= dag.children[v]
            causal = next_causal & here & ~been_causal
            upwards = next_up & here & ~been_up
            downwards = next_down & here & ~been_down
        return been_up | been_down


def sid_bounds(truth: Marks, estimate: Marks) -> SidBounds:
    """SID of an estimate with or without undirected edges to a true DAG.

    An estimate that is no CPDAG stands for its consistent extensions. If it has none (contradictory arrows), each
    variable's parents are its arrows' tails, joined with any set of undirected neighbors that are adjacent to each
    other and to all those tails.
    """
    cost = ParentSetCost(truth)
    extendable = extend(estimate) is not None
    if extendable:
        estimate = estimate.copy()
        close(estimate)
    lower = upper = 0
    exact = extendable
    for i, undirected in enumerate(estimate.undirected):
        if not undirected:
            value = cost(i, estimate.parents[i])
            lower, upper = lower + value, upper + value
    for group in components(estimate):
        low, high, attained = _component(cost, estimate, group, extendable)
        lower, upper = lower + low, upper + high
        exact = exact and attained
    return SidBounds(lower, upper, exact)


def _component(cost: ParentSetCost, estimate: Marks, group: int, extendable: bool) -> tuple[int, int, bool]:
    """Bounds of the summed cost of the variables in one component, and whether they are attained."""
    if extendable and (found := _enumerated(cost, estimate, group)):
        return (*found, True)
    lower = upper = 0
    for i in bits(group):
        sets = list(islice(_parent_sets(estimate, i), MAX_PARENT_SETS + 1))
        if len(sets) > MAX_PARENT_SETS:
            upper += len(estimate) - 1
        else:
            costs = [cost(i, parents) for parents in sets]
            lower, upper = lower + min(costs), upper + max(costs)
    return lower, upper, False


def _enumerated(cost: ParentSetCost, estimate: Marks, group: int) -> tuple[int, int] | None:
    """The smallest and the largest cost of all directed versions; None if there are too many.

    Inside a component arrows and lines can be directed as if nothing else existed: whatever has an arrow into one of
    its variables from outside has one into all of them, or Meek's rules would have directed an edge more.
    """
    place = list(bits(group))
    inner = estimate.within(place)
    outer = [estimate.parents[i] & ~group for i in place]
    lines = sum(mask.bit_count() for mask in inner.undirected) // 2
    limit = min(MAX_MEMBERS, MAX_ARROWS // lines)
    lower, upper = len(estimate) ** 2, 0
    for count, dag in enumerate(members(inner)):
        if count == limit:
            return None
        total = sum(
            cost(i, outer[k] | mask_of(place[parent] for parent in bits(dag.parents[k]))) for k, i in enumerate(place)
        )
        lower, upper = min(lower, total), max(upper, total)
    return lower, upper


def _parent_sets(estimate: Marks, i: int) -> Iterator[int]:
    """Every set of parents for i that makes no new v-structure at i."""
    fixed = estimate.parents[i]
    candidates = [j for j in bits(estimate.undirected[i]) if not fixed & ~estimate.adjacent(j)]

    def grow(chosen: int, start: int) -> Iterator[int]:
        yield fixed | chosen
        for place in range(start, len(candidates)):
            j = candidates[place]
            if not chosen & ~estimate.adjacent(j):
                yield from grow(chosen | 1 << j, place + 1)

    return grow(0, 0)
