"""The structural intervention distance, SID (Peters & Bühlmann, Neural Computation 27, 2015).

SID(G, H) counts the ordered pairs (i, j) for which H leads to a wrong effect of setting i on j, when effects are
computed by adjusting for the parents of i in H, and the data come from G. For a pair (i, j), with Z the parents of i in
H:

- if j is in Z, H claims "no effect": wrong iff j is a descendant of i in G;
- otherwise right iff Z is a valid adjustment set in G: no member of Z descends from a variable (other than i) on a
  directed path from i to j, and Z blocks all other paths between i and j.

So the SID depends on H only by its parent sets, and is a sum over i of the cost of the parent set of i. A graph H with
undirected edges represents several DAGs, and their smallest and largest SID are the bounds. Undirected edges in
different components are directed independently of each other, so each component is enumerated separately.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from bitsep.graphs.closure import close
from bitsep.graphs.equivalence import components, extend, members
from bitsep.graphs.marks import Marks, bits, mask_of, reachable, union

MAX_MEMBERS = 10_000
"""The largest number of orientations of a component that are enumerated; with more, each variable is bounded alone."""

MAX_ARROWS = 2_000_000
"""The same limit for large components: the number of edges in all enumerated orientations together."""

MAX_PARENT_SETS = 1_000
"""The largest number of parent sets of a variable in that case; with more, its bounds are 0 and all other variables."""


@dataclass(frozen=True)
class SidBounds:
    """The structural intervention distance of an estimate, which can have undirected edges.

    Attributes
    ----------
    lower, upper : int
        The smallest and the largest distance of a DAG that the estimate represents; equal if it is a DAG.
    exact : bool
        Whether both are attained. False if a component of undirected edges has too many orientations to enumerate, or
        the estimate does not represent any DAG; the bounds are then sums of the bounds of single variables, which are
        valid for every DAG, but can be too wide.
    """

    lower: int
    upper: int
    exact: bool = True


class ParentSetCost:
    """The number of wrong effects of a variable in the true DAG, for a given set of estimated parents."""

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
        """The variables for which the effect of i is wrong after adjusting for `claimed`."""
        below = self._below[i]
        if claimed == self._truth.parents[i]:  # the true parents are always valid
            return 0
        # Claimed parents and their ancestors: colliders in this set are open.
        towards = claimed | union(self._above, claimed)
        # Adjusting for a variable on a directed path from i to a claimed parent is wrong for all its descendants.
        biased = (below & towards) | union(self._below, below & towards)
        outside = (biased | self._reached_otherwise(i, claimed, towards)) & ~claimed
        return (outside | (claimed & below)) & ~(1 << i)

    def _reached_otherwise(self, i: int, claimed: int, open_colliders: int) -> int:
        """The variables that an open path connects with i, other than a directed path from i.

        A walk that can repeat variables gives the same result: if it reaches j but no such path does, it has a collider
        below i, and then j is one of the biased variables.
        """
        dag = self._truth
        here = ~(1 << i)
        causal = dag.children[i]  # reached by a directed path from i
        upwards, downwards = dag.parents[i], 0
        been_causal = been_up = been_down = 0
        while causal or upwards or downwards:
            been_causal |= causal
            been_up |= upwards
            been_down |= downwards
            turning = (upwards & ~claimed) | ((causal | downwards) & open_colliders)
            passing = (upwards | downwards) & ~claimed
            causal = union(dag.children, causal & ~claimed) & here & ~been_causal
            upwards = union(dag.parents, turning) & here & ~been_up
            downwards = union(dag.children, passing) & here & ~been_down
        return been_up | been_down


def sid_bounds(truth: Marks, estimate: Marks) -> SidBounds:
    """The SID of an estimate, with or without undirected edges, to a true DAG.

    An estimate that is not a CPDAG represents its consistent extensions. If it has none (contradictory directions), the
    parents of a variable are its parents in the estimate, together with any set of undirected neighbors that are
    adjacent to each other and to all these parents.
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
    """The bounds of the total cost of the variables in one component, and whether they are attained."""
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
    """The smallest and the largest cost of all orientations; None if there are too many.

    The edges of a component can be directed independently of the rest of the graph: a variable outside that is a parent
    of one variable of the component is a parent of all of them, or Meek's rules would have directed another edge.
    """
    variables = list(bits(group))
    inner = estimate.within(variables)
    outer = [estimate.parents[i] & ~group for i in variables]
    lines = sum(mask.bit_count() for mask in inner.undirected) // 2
    limit = min(MAX_MEMBERS, MAX_ARROWS // lines)
    lower, upper = len(estimate) ** 2, 0
    for count, dag in enumerate(members(inner)):
        if count == limit:
            return None
        total = sum(
            cost(i, outer[k] | mask_of(variables[parent] for parent in bits(dag.parents[k])))
            for k, i in enumerate(variables)
        )
        lower, upper = min(lower, total), max(upper, total)
    return lower, upper


def _parent_sets(estimate: Marks, i: int) -> Iterator[int]:
    """All sets of parents of i without a new v-structure at i."""
    fixed = estimate.parents[i]
    candidates = [j for j in bits(estimate.undirected[i]) if not fixed & ~estimate.adjacent(j)]

    def grow(chosen: int, start: int) -> Iterator[int]:
        yield fixed | chosen
        for k in range(start, len(candidates)):
            j = candidates[k]
            if not chosen & ~estimate.adjacent(j):
                yield from grow(chosen | 1 << j, k + 1)

    return grow(0, 0)
