"""Searches against slow reference implementations, on random tables: few rows, so that tests contradict each other."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import bitsep
from bitsep.scores.families import score_families
from bitsep.scores.registry import SCORES, resolve_score
from bitsep.scores.structure import structure_bits
from graphs.naive import agreement, orientations
from twins import blankets, pc
from twins.answers import Answers
from twins.best_dag import Parents, _acyclic, shortest_total, subsets
from twins.climbing import climb, grow_shrink

FEW_AND_MANY = [25, pytest.param(200, marks=pytest.mark.slow)]
ALGORITHMS = ("grow_shrink", "iamb", "inter_iamb", "fast_iamb", "mmmb", "hiton_mb", "pcmb")
METHODS = ("sci_f", "g2", "x2_calibrated", "sci_q", "g2_adjusted")


def random_table(rng: np.random.Generator, sizes: tuple[int, int] = (3, 6), rows: int = 300) -> bitsep.Table:
    """A table of a random DAG with random probabilities, with missing values now and then, and no constant column."""
    names = list("abcdefgh")[: rng.integers(*sizes)]
    n = int(rng.integers(20, rows))
    columns: dict[str, np.ndarray] = {}
    for name in rng.permutation(names):
        levels = int(rng.integers(2, 4))
        stratum = np.zeros(n, int)
        for parent in columns:
            if rng.random() < 0.5:
                stratum = stratum * 4 + columns[parent]
        laws = {s: rng.dirichlet([0.6] * levels) for s in set(stratum.tolist())}
        columns[name] = np.array([rng.choice(levels, p=laws[s]) for s in stratum.tolist()])
        if len(set(columns[name].tolist())) < 2:
            columns[name] = np.arange(n) % 2
    holes = rng.random(n) < (0.1 if rng.random() < 0.2 else 0)
    lists = {name: [None if hole else int(v) for v, hole in zip(column, holes, strict=True)] if k == 0
             else column.tolist() for k, (name, column) in enumerate(columns.items())}  # fmt: skip
    return bitsep.Table(lists)


@pytest.mark.parametrize("tables", FEW_AND_MANY)
@pytest.mark.parametrize("rule", ["standard", "conservative", "majority", "evidence"])
def test_pc_stable(rule: str, tables: int) -> None:
    rng = np.random.default_rng(1)
    settled = 0
    for number in range(tables):
        table, method = random_table(rng), METHODS[number % len(METHODS)]
        answers = Answers(table, method)
        found = bitsep.pc_stable(table, method, orientation=rule, min_rows_share=0, threads=1)
        edges, separators = pc.skeleton(answers, best=rule == "evidence")
        assert found.skeleton == edges
        assert {pair: set(s.given) for pair, s in found.separations.items()} == {
            pair: set(given) for pair, given in separators.items()
        }
        if rule == "evidence":
            assert found.graph == by_evidence(answers, edges, separators)
            continue
        colliders, undecided = pc.v_structures(answers, edges, separators, rule)
        assert {(t.a, t.center, t.b) for t in found.ambiguous} == undecided
        if not undecided and not found.conflicts:  # otherwise the textbook depends on the order of the rules
            arrows = pc.meek(answers.names, edges, {(x, c) for a, c, b in colliders for x in (a, b)})
            assert found.graph.directed == arrows
            settled += 1
    assert rule == "evidence" or settled > tables / 3


def by_evidence(answers: Answers, edges: set[pc.Pair], separators: dict[pc.Pair, tuple[str, ...]]) -> bitsep.PDAG:
    """What all DAGs of the skeleton agree on that satisfy the decisions with the most bits."""
    weighed = [(pc.evidence(answers, edges, separators, t), t) for t in pc.unshielded(answers.names, edges)]
    left = set(orientations(answers.names, edges))
    for bits, (a, c, b) in sorted(weighed, key=lambda entry: (-abs(entry[0]), entry[1])):
        kept = {arrows for arrows in left if ({(a, c), (b, c)} <= arrows) == (bits > 0)}
        left = kept or left
    return agreement(answers.names, left)


@pytest.mark.parametrize("tables", FEW_AND_MANY)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_blankets(algorithm: str, tables: int) -> None:
    rng = np.random.default_rng(2)
    for number in range(tables):
        table, method = random_table(rng), METHODS[number % len(METHODS)]
        answers = Answers(table, method)
        found = bitsep.markov_blankets(table, algorithm, method, min_rows_share=0, threads=1)
        for target in answers.names:
            neighbors, spouses = blankets.blanket(answers, target, algorithm)
            assert (set(found[target].neighbors), set(found[target].spouses)) == (neighbors, spouses), (number, target)


def family_costs(table: bitsep.Table, score: str, structure: bool) -> tuple[list[str], dict[tuple[str, Parents], int]]:
    """Every family, as the searches count it: multiples of 2⁻³⁰ bits, which suffices for a few hundred rows."""
    names = sorted(map(str, table.names))
    families = [(v, parents) for v in names for parents in subsets([u for u in names if u != v])]
    counter = table.counter(1)
    numbered = [(counter.places[v], tuple(sorted(counter.places[u] for u in parents))) for v, parents in families]
    lengths = score_families(counter, resolve_score(score, {}).score, numbered, 1).bits.tolist()
    extra = [structure_bits(len(names), len(parents)) if structure else 0.0 for _, parents in families]
    rounded = [round((bits + more) * 2**30) for bits, more in zip(lengths, extra, strict=True)]
    return names, dict(zip(families, rounded, strict=True))


def without_missing(rng: np.random.Generator, sizes: tuple[int, int]) -> bitsep.Table:
    while True:
        table = random_table(rng, sizes)
        if all((np.asarray(table.codes(name)) >= 0).all() for name in table.names):
            return table


def total(dag: bitsep.DAG, costs: dict[tuple[str, Parents], int]) -> int:
    return sum(costs[str(v), frozenset(map(str, dag.parents(v)))] for v in dag.variables)


@pytest.mark.parametrize("tables", FEW_AND_MANY)
def test_hill_climbing_takes_the_same_steps(tables: int) -> None:
    rng = np.random.default_rng(3)
    for number in range(tables):
        table = without_missing(rng, (2, 6))
        score, structure, tabu = list(SCORES)[number % len(SCORES)], number % 3 != 0, number % 4
        names, costs = family_costs(table, score, structure)
        found = bitsep.hill_climb(table, score, structure, tabu=tabu, threads=1).to_dag()
        by_the_book = climb(names, costs, tabu)
        edges = {(p, v) for v, parents in by_the_book.items() for p in parents}
        book = bitsep.DAG(names, edges)
        assert total(found, costs) == total(book, costs), (number, score)
        assert found.cpdag() == book.cpdag(), (number, score)


@pytest.mark.parametrize("tables", [10, pytest.param(60, marks=pytest.mark.slow)])
def test_boss_is_exact_and_never_worse_than_grow_shrink(tables: int) -> None:
    """Up to 8 variables the best of all DAGs, so never worse than grow-shrink over any order."""
    rng = np.random.default_rng(4)
    for number in range(tables):
        table = without_missing(rng, (5, 9) if tables > 10 else (3, 7))
        score = list(SCORES)[number % len(SCORES)]
        names, costs = family_costs(table, score, True)
        found = bitsep.boss(table, score, threads=1).to_dag()
        assert total(found, costs) == shortest_total(names, costs)
        graph = grow_shrink([str(v) for v in found.topological_order], costs)
        assert total(found, costs) <= sum(costs[v, parents] for v, parents in graph.items())


def test_the_twins_of_searches_are_right_on_a_known_graph() -> None:
    """With many rows of a → c ← b — d all references find it."""
    rng = np.random.default_rng(5)
    a, b = rng.integers(0, 2, 20_000), rng.integers(0, 2, 20_000)
    c = np.where(rng.random(20_000) < 0.1, rng.integers(0, 2, 20_000), a ^ b | (a & b))
    d = np.where(rng.random(20_000) < 0.2, rng.integers(0, 2, 20_000), b)
    table = bitsep.Table({"a": a, "b": b, "c": c, "d": d})
    answers = Answers(table, "g2")
    edges, separators = pc.skeleton(answers)
    assert edges == {frozenset("ac"), frozenset("bc"), frozenset("bd")}
    assert pc.v_structures(answers, edges, separators, "standard")[0] == {("a", "c", "b")}
    assert pc.meek(answers.names, edges, {("a", "c"), ("b", "c")}) == {("a", "c"), ("b", "c")}
    for algorithm in ALGORITHMS:
        assert blankets.blanket(answers, "b", algorithm) == ({"c", "d"}, {"a"})
    names, costs = family_costs(table, "bdeu", False)
    assert _acyclic(climb(names, costs, 10))
    assert {frozenset((p, v)) for v, s in climb(names, costs, 10).items() for p in s} >= edges
    assert len(list(combinations(names, 2))) == 6
