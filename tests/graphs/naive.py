"""Textbook twins of the graph algorithms: slow, plain, by definition. Edges are sets of (from, to)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise, permutations, product

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from bitsep.graphs import DAG, PDAG

# Fixed examples from run to run: a red build must be red for everyone.
fixed = settings(deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))

Arrows = frozenset[tuple[str, str]]


@st.composite
def dags(draw: st.DrawFn, min_size: int = 1, max_size: int = 6) -> DAG:
    """Any DAG on up to `max_size` variables: an order, and a yes or no for each pair."""
    names = draw(st.permutations("ABCDEFGHIJ"[: draw(st.integers(min_size, max_size))]))
    pairs = list(combinations(names, 2))
    chosen = draw(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs)))
    return DAG(names, [pair for pair, taken in zip(pairs, chosen, strict=True) if taken])


@st.composite
def pdags(draw: st.DrawFn, max_size: int = 5) -> PDAG:
    """A DAG that has forgotten some directions; rarely a CPDAG, and not always extendable."""
    dag = draw(dags(max_size=max_size))
    edges = sorted(dag.edges)
    kept = draw(st.lists(st.booleans(), min_size=len(edges), max_size=len(edges)))
    directed = [edge for edge, keep in zip(edges, kept, strict=True) if keep]
    return PDAG(dag.variables, directed, [edge for edge in edges if edge not in directed])


def is_acyclic(variables: tuple[str, ...], arrows: Arrows) -> bool:
    left = set(variables)
    while left:
        sources = {v for v in left if not any((u, v) in arrows for u in left)}
        if not sources:
            return False
        left -= sources
    return True


def colliders(variables: tuple[str, ...], arrows: Arrows) -> frozenset[tuple[str, frozenset[str]]]:
    joined = {frozenset(arrow) for arrow in arrows}
    return frozenset(
        (c, frozenset((a, b)))
        for c in variables
        for a, b in combinations(variables, 2)
        if (a, c) in arrows and (b, c) in arrows and frozenset((a, b)) not in joined
    )


def orientations(variables: tuple[str, ...], skeleton: frozenset[frozenset[str]]) -> Iterator[Arrows]:
    """All DAGs with this skeleton."""
    pairs = [tuple(sorted(pair)) for pair in skeleton]
    for flips in product((False, True), repeat=len(pairs)):
        arrows = frozenset((b, a) if flip else (a, b) for (a, b), flip in zip(pairs, flips, strict=True))
        if is_acyclic(variables, arrows):
            yield arrows


def extensions(graph: PDAG) -> set[Arrows]:
    """All DAGs with the skeleton, the v-structures and the arrows of a PDAG."""
    joined = graph.skeleton
    wanted = frozenset(
        (c, frozenset((a, b)))
        for c in graph.variables
        for a, b in combinations(graph.variables, 2)
        if (a, c) in graph.directed and (b, c) in graph.directed and frozenset((a, b)) not in joined
    )
    return {
        arrows
        for arrows in orientations(graph.variables, joined)
        if graph.directed <= arrows and colliders(graph.variables, arrows) == wanted
    }


def agreement(variables: tuple[str, ...], family: set[Arrows]) -> PDAG:
    """The graph whose arrows are those that all DAGs of the family share."""
    shared = frozenset.intersection(*family)
    others = {frozenset(arrow) for arrows in family for arrow in arrows} - {frozenset(arrow) for arrow in shared}
    return PDAG(variables, shared, others)


def moral_separated(dag: DAG, x: set[str], y: set[str], given: set[str]) -> bool:
    """d-separation by Lauritzen's criterion: separation in the moral graph of the smallest ancestral set."""
    kept = set(x | y | given)
    while bigger := {a for a, b in dag.edges if b in kept} - kept:
        kept |= bigger
    links = {frozenset(edge) for edge in dag.edges if set(edge) <= kept}
    for a, b in combinations(sorted(kept), 2):
        if any((a, c) in dag.edges and (b, c) in dag.edges for c in kept):
            links.add(frozenset((a, b)))
    reached = set(x)
    while True:
        more = {v for link in links for v in link if link & reached and v not in reached and v not in given}
        if not more:
            return not reached & y
        reached |= more


def paths(dag: DAG, i: str, j: str) -> Iterator[tuple[str, ...]]:
    """All paths between i and j, whatever the directions."""
    inner = [v for v in dag.variables if v not in (i, j)]
    for length in range(len(inner) + 1):
        for middle in permutations(inner, length):
            path = (i, *middle, j)
            if all(frozenset(step) in dag.skeleton for step in pairwise(path)):
                yield path


def path_is_open(dag: DAG, path: tuple[str, ...], given: set[str]) -> bool:
    for a, v, b in zip(path, path[1:], path[2:], strict=False):
        if (a, v) in dag.edges and (b, v) in dag.edges:
            if v not in given and not dag.descendants(v) & given:
                return False
        elif v in given:
            return False
    return True


def sid(truth: DAG, estimate: DAG) -> int:
    """Peters & Bühlmann (2015), the graphical characterization, by going through all paths."""
    return sum(wrong_effects(truth, i, set(estimate.parents(i))) for i in truth.variables)


def wrong_effects(truth: DAG, i: str, z: set[str]) -> int:
    """The number of variables for which the effect of i is wrong after adjusting for z."""
    wrong = 0
    for j in truth.variables:
        if j == i:
            continue
        if j in z:
            wrong += j in truth.descendants(i)
            continue
        directed = [p for p in paths(truth, i, j) if all(s in truth.edges for s in pairwise(p))]
        on_the_way = {v for path in directed for v in path[1:]}
        spoiled = any({w, *truth.descendants(w)} & z for w in on_the_way)
        wrong += spoiled or any(path_is_open(truth, p, z) for p in paths(truth, i, j) if p not in directed)
    return wrong
