"""d-separation by a search along open paths, in Python; a twin of the native oracle."""

from __future__ import annotations

from bitsep.graphs.marks import Marks, spread, union


def connected(dag: Marks, sources: int, given: int) -> int:
    """All variables outside `given` that an open path connects with one of the sources, including the sources.

    A path is open if no non-collider on it is in `given`, and every collider on it is in `given` or has a descendant in
    `given`. So a search that reaches a variable from a child can continue to parents and children if the variable is
    not in `given`; one that reaches it from a parent can continue to children if the variable is not in `given`, and to
    parents if it or a descendant is in `given`.
    """
    open_colliders = spread(dag.parents, given)  # `given` and its ancestors
    upwards, downwards = sources, 0  # to be visited: reached from a child, and from a parent
    been_up = been_down = 0
    while upwards or downwards:
        been_up |= upwards
        been_down |= downwards
        passing = (upwards | downwards) & ~given
        turning = (upwards & ~given) | (downwards & open_colliders)
        upwards = union(dag.parents, turning) & ~been_up
        downwards = union(dag.children, passing) & ~been_down
    return (been_up | been_down) & ~given
