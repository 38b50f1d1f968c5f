"""PAGs by definition: slow, plain, and on its own.

A graph is a dictionary: ``marks[i, j]`` is the mark at j of the edge between i and j: "-" (tail), ">" (arrowhead) or
"o" (circle). Paths are enumerated, separators are searched among all subsets, and the rules R1 to R10 are written as
in Zhang, On the completeness of orientation rules for causal discovery in the presence of latent confounders and
selection bias, Artificial Intelligence 172 (2008).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise, permutations, product

Node = str
Marks = dict[tuple[Node, Node], str]
Separators = dict[frozenset[Node], frozenset[Node]]


def subsets(items: Iterable[Node]) -> Iterator[frozenset[Node]]:
    ordered = sorted(items)
    for size in range(len(ordered) + 1):
        yield from map(frozenset, combinations(ordered, size))


def neighbors(marks: Marks, v: Node) -> list[Node]:
    return sorted(b for a, b in marks if a == v)


def paths(marks: Marks, a: Node, b: Node) -> Iterator[tuple[Node, ...]]:
    """All paths from a to b, without repeated variables."""
    waiting: list[tuple[Node, ...]] = [(a,)]
    while waiting:
        path = waiting.pop()
        if path[-1] == b:
            yield path
            continue
        waiting += [(*path, v) for v in neighbors(marks, path[-1]) if v not in path]


def ancestors(marks: Marks, of: Iterable[Node]) -> set[Node]:
    """The variables with a directed path to one of these, and these."""
    found = set(of)
    while more := {a for (a, b), m in marks.items() if b in found and m == ">" and marks[b, a] == "-"} - found:
        found |= more
    return found


def separated(
    marks: Marks, a: Node, b: Node, given: frozenset[Node], between: Iterable[tuple[Node, ...]] | None = None
) -> bool:
    """m-separation in a graph without circles; d-separation in a DAG. `between` has the paths, if they are known."""
    open_colliders = ancestors(marks, given)
    for path in paths(marks, a, b) if between is None else between:
        for u, v, w in zip(path, path[1:], path[2:], strict=False):
            collider = marks[u, v] == ">" and marks[w, v] == ">"
            if (v not in open_colliders) if collider else (v in given):
                break
        else:
            return False
    return True


def of_dag(edges: Iterable[tuple[Node, Node]]) -> Marks:
    marks = {}
    for a, b in edges:
        marks[a, b], marks[b, a] = ">", "-"
    return marks


def separators_of_dag(
    edges: Iterable[tuple[Node, Node]], observed: Iterable[Node], selection: Iterable[Node]
) -> Separators:
    """A separator for each pair of observed variables that has one, given selection."""
    marks, chosen, found = of_dag(edges), frozenset(selection), {}
    variables = sorted(observed)
    for a, b in combinations(variables, 2):
        between = list(paths(marks, a, b))
        for given in subsets(set(variables) - {a, b}):
            if separated(marks, a, b, given | chosen, between):
                found[frozenset((a, b))] = given
                break
    return found


def mag_of_dag(edges: Iterable[tuple[Node, Node]], observed: Iterable[Node], selection: Iterable[Node]) -> Marks:
    """The MAG: an edge for each pair without a separator; a tail at causes of the other end or of selection."""
    edges = list(edges)
    dag, found = of_dag(edges), separators_of_dag(edges, observed, selection)
    marks = {}
    for a, b in permutations(sorted(observed), 2):
        if frozenset((a, b)) not in found:
            marks[a, b] = "-" if b in ancestors(dag, {a, *selection}) else ">"
    return marks


def is_mag(variables: Iterable[Node], marks: Marks) -> bool:
    """Whether a graph without circles is ancestral and maximal."""
    for (a, b), m in marks.items():
        back = marks[b, a]
        if m == ">" and (b in ancestors(marks, {a})):
            return False  # a directed cycle, or a ↔ b with b an ancestor of a
        if m == "-" and back == "-" and any(marks[c, b] == ">" for c in neighbors(marks, b)):
            return False
    return all(
        any(separated(marks, a, b, given) for given in subsets(set(variables) - {a, b}))
        for a, b in combinations(sorted(variables), 2)
        if (a, b) not in marks
    )


def independences(variables: Iterable[Node], marks: Marks) -> frozenset[tuple[Node, Node, frozenset[Node]]]:
    names = sorted(variables)
    return frozenset(
        (a, b, given)
        for a, b in combinations(names, 2)
        for given in subsets(set(names) - {a, b})
        if separated(marks, a, b, given)
    )


def all_mags(variables: Iterable[Node], *, lines: bool) -> Iterator[Marks]:
    """All MAGs over these variables; with undirected edges if `lines`."""
    pairs = list(combinations(sorted(variables), 2))
    kinds = [("", ""), (">", "-"), ("-", ">"), (">", ">"), *([("-", "-")] if lines else [])]
    for chosen in product(kinds, repeat=len(pairs)):
        marks = {}
        for (a, b), (there, back) in zip(pairs, chosen, strict=True):
            if there:
                marks[a, b], marks[b, a] = there, back
        if is_mag(variables, marks):
            yield marks


def common_marks(mags: list[Marks]) -> Marks:
    """The marks that all these MAGs have, and circles where they differ."""
    return {end: m if all(other[end] == m for other in mags) else "o" for end, m in mags[0].items()}


def pag(variables: Iterable[Node], found: Separators, *, selection: bool) -> Marks:
    """The PAG from one separator of each pair that has one: R0, then R1 to R4, R5 to R7, R8 to R10."""
    names = sorted(variables)
    marks = {(a, b): "o" for a, b in permutations(names, 2) if frozenset((a, b)) not in found}
    for a, b in combinations(names, 2):
        for c in names:
            if (a, b) not in marks and (a, c) in marks and (b, c) in marks and c not in found[frozenset((a, b))]:
                marks[a, c] = marks[b, c] = ">"
    stages = [(_rule_1, _rule_2, _rule_3, _rule_4), (_rule_5, _rule_6, _rule_7), (_rule_8, _rule_9, _rule_10)]
    for stage in stages if selection else stages[::2]:
        before = None
        while before != marks:
            before = marks.copy()
            for rule in stage:
                rule(names, marks, found)
    return marks


def _rule_1(names: list[Node], marks: Marks, found: Separators) -> None:
    for a, b, c in permutations(names, 3):
        if marks.get((a, b)) == ">" and marks.get((c, b)) == "o" and (a, c) not in marks:
            marks[c, b], marks[b, c] = "-", ">"


def _rule_2(names: list[Node], marks: Marks, found: Separators) -> None:
    for a, b, c in permutations(names, 3):
        into_c = marks.get((a, b)) == marks.get((b, c)) == ">" and "-" in (marks[b, a], marks[c, b])
        if into_c and marks.get((a, c)) == "o":
            marks[a, c] = ">"


def _rule_3(names: list[Node], marks: Marks, found: Separators) -> None:
    for a, b, c, d in permutations(names, 4):
        if (a, c) in marks or not marks.get((a, b)) == marks.get((c, b)) == ">":
            continue
        if marks.get((a, d)) == marks.get((c, d)) == "o" == marks.get((d, b)):
            marks[d, b] = ">"


def _rule_4(names: list[Node], marks: Marks, found: Separators) -> None:
    for d, c in permutations(names, 2):
        if (d, c) in marks:
            continue
        for path in sorted(paths(marks, d, c), key=len):
            if len(path) < 4 or marks[c, path[-2]] != "o":
                continue
            inner, b = path[1:-2], path[-2]
            if all(
                marks[u, v] == ">" == marks[w, v] and marks.get((v, c)) == ">" and marks[c, v] == "-"
                for u, v, w in zip(path, inner, path[2:], strict=False)
            ):
                if b in found[frozenset((d, c))]:
                    marks[c, b], marks[b, c] = "-", ">"
                else:
                    marks[path[-3], b] = marks[b, path[-3]] = marks[c, b] = marks[b, c] = ">"


def _uncovered(marks: Marks, path: tuple[Node, ...]) -> bool:
    return all((u, w) not in marks for u, w in zip(path, path[2:], strict=False))


def _possibly_directed(marks: Marks, path: tuple[Node, ...]) -> bool:
    return all(marks[v, u] != ">" and marks[u, v] != "-" for u, v in pairwise(path))


def _rule_5(names: list[Node], marks: Marks, found: Separators) -> None:
    for a, b in permutations(names, 2):
        if not marks.get((a, b)) == marks.get((b, a)) == "o":
            continue
        for path in list(paths(marks, a, b)):
            steps = list(pairwise(path))
            if len(path) < 4 or (a, path[-2]) in marks or (b, path[1]) in marks or not _uncovered(marks, path):
                continue
            if all(marks[u, v] == "o" == marks[v, u] for u, v in steps):
                for u, v in [*steps, (a, b)]:
                    marks[u, v] = marks[v, u] = "-"


def _rule_6(names: list[Node], marks: Marks, found: Separators) -> None:
    for a, b, c in permutations(names, 3):
        if marks.get((a, b)) == marks.get((b, a)) == "-" and marks.get((c, b)) == "o":
            marks[c, b] = "-"


def _rule_7(names: list[Node], marks: Marks, found: Separators) -> None:
    for a, b, c in permutations(names, 3):
        if marks.get((b, a)) == "-" and marks.get((a, b)) == "o" == marks.get((c, b)) and (a, c) not in marks:
            marks[c, b] = "-"


def _rule_8(names: list[Node], marks: Marks, found: Separators) -> None:
    for a, b, c in permutations(names, 3):
        through_b = marks.get((b, c)) == ">" and marks[c, b] == "-" == marks.get((b, a)) and marks[a, b] in (">", "o")
        if through_b and marks.get((a, c)) == ">" and marks[c, a] == "o":
            marks[c, a] = "-"


def _rule_9(names: list[Node], marks: Marks, found: Separators) -> None:
    for a, c in permutations(names, 2):
        if marks.get((a, c)) != ">" or marks[c, a] != "o":
            continue
        for path in list(paths(marks, a, c)):
            apart = len(path) > 3 and (path[1], c) not in marks
            if apart and _uncovered(marks, path) and _possibly_directed(marks, path):
                marks[c, a] = "-"


def _rule_10(names: list[Node], marks: Marks, found: Separators) -> None:
    for a, c in permutations(names, 2):
        if marks.get((a, c)) != ">" or marks[c, a] != "o":
            continue
        parents = [b for b in names if marks.get((b, c)) == ">" and marks[c, b] == "-"]
        for b, d in combinations(parents, 2):
            if a in (b, d):
                continue
            good = [
                {
                    path[1]
                    for path in paths(marks, a, end)
                    if c not in path and _uncovered(marks, path) and _possibly_directed(marks, path)
                }
                for end in (b, d)
            ]
            if any(u != w and (u, w) not in marks for u, w in product(*good)):
                marks[c, a] = "-"
