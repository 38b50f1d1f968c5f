"""d-separation by walking the open paths: plain Python, the twin of the native oracle."""

from __future__ import annotations

from bitsep.graphs.marks import Marks, bits


def connected(dag: Marks, sources: int, given: int) -> int:
    """Every variable outside `given` that an open path joins to one of the sources (the sources included).

    A path is open unless `given` holds a variable on it where arrows do not collide, or misses one where they do
    together with all its descendants. So a walk that comes to a variable against an arrow may leave it any way if it
    is not given; one that comes along an arrow may go on along arrows if it is not given, and turn back up if it or a
    descendant is given.
    """
    open_colliders = ancestors_of(dag, given)
    upwards, downwards = sources, 0  # to be visited, having come against an arrow or along one
    been_up = been_down = 0
    while upwards or downwards:
        been_up |= upwards
        been_down |= downwards
        passing = (upwards | downwards) & ~given
        turning = downwards & open_colliders
        next_up = next_down = 0
        for i in bits((upwards & ~given) | turning):
            next_up |= dag.parents[i]
        for i in bits(passing):
            next_down |= dag.children[i]
        upwards = next_up & ~been_up
        downwards = next_down & ~been_down
    return (been_up | been_down) & ~given


def ancestors_of(dag: Marks, targets: int) -> int:
    """The targets and everything with a directed path into one of them."""
    found = frontier = targets
    while frontier:
        step = 0
        for i in bits(frontier):
            step |= dag.parents[i]
        frontier = step & ~found
        found |= frontier
    return found
