"""Random DAGs with hidden and selection variables, random tables, and what `fci` must show on them.

    PYTHONPATH=tests python -m discovery.hidden_cases dags --most 6 --count 100000
    PYTHONPATH=tests python -m discovery.hidden_cases dags --most 12 --count 1000
    PYTHONPATH=tests python -m discovery.hidden_cases tables --count 10000
    PYTHONPATH=tests python -m discovery.hidden_cases consensus --count 10000
    PYTHONPATH=tests python -m discovery.hidden_cases knowledge --count 10000
    PYTHONPATH=tests python -m discovery.hidden_cases renaming --count 10000

Each block of cases is a line of build/hidden_cases.jsonl: the same command continues where it was stopped.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections import Counter
from collections.abc import Mapping
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

from bitsep import DAG, MAG, PAG, Discovery, Knowledge, Oracle, fci
from bitsep.errors import ArgumentError
from bitsep.graphs import random_dag
from bitsep.naming import Name
from twins import pags

LETTERS = {"tail": "-", "arrow": ">", "circle": "o"}
BLOCK = 100
OUT = Path(__file__).parents[2] / "build" / "hidden_cases.jsonl"


def marks(graph: MAG | PAG) -> pags.Marks:
    """The graph as the twin has it."""
    ends = [(a, b) for a, _, b in graph.edge_lines()]
    return {(a, b): LETTERS[str(graph.mark(b, a))] for x, y in ends for a, b in ((x, y), (y, x))}


def random_case(rng: random.Random, most: int) -> tuple[DAG, list[str], list[str]]:
    """A DAG of any density (sparser with more than six variables), hidden variables and selection variables."""
    names = [f"V{i:02}" for i in range(rng.randint(3 if most <= 6 else 7, most))]
    order = rng.sample(names, len(names))
    density = rng.uniform(0.2, 0.8) if most <= 6 else rng.uniform(1, 3.2) / (len(names) - 1)
    edges = [(a, b) for i, a in enumerate(order) for b in order[i + 1 :] if rng.random() < density]
    extra = rng.sample(names, rng.randint(0, (len(names) - 3 if most <= 6 else len(names) // 2)))
    hidden = [name for name in extra if rng.random() < 0.7]
    return DAG(names, edges), hidden, [name for name in extra if name not in hidden]


def check_exactness(dag: DAG, hidden: list[str], selection: list[str]) -> Counter[str]:
    """FCI gives the PAG of the slow reference; RFCI keeps all edges, and its marks are true."""
    observed = [v for v in dag.variables if v not in hidden and v not in selection]
    oracle = Oracle(dag, hidden, selection)
    found = fci(oracle, selection=bool(selection), threads=1)
    separators = pags.separators_of_dag(dag.edges, observed, selection)
    assert isinstance(found.graph, PAG)
    assert marks(found.graph) == pags.pag(observed, separators, selection=True), (dag, hidden, selection)
    assert not found.conflicts
    assert not found.ambiguous
    assert found.graph.is_legal
    quick = fci(oracle, selection=bool(selection), variant="rfci", threads=1)
    assert isinstance(quick.graph, PAG)
    assert quick.graph.is_legal
    assert found.skeleton <= quick.skeleton, (dag, hidden, selection)
    seen = Counter(cases=1, more_edges=found.skeleton < quick.skeleton, rfci_differs=quick.graph != found.graph)
    for (a, b), mark in marks(quick.graph).items():
        is_cause = any(b in dag.ancestors(other) for other in (a, *selection))
        true = mark == "o" or (mark == "-") == is_cause
        # Conflicts arise if the edges that RFCI keeps fit no MAG; its marks are then decided as on data.
        assert true or quick.conflicts, (dag, hidden, selection, a, b)
        seen["false_marks"] += not true
    seen["rfci_conflicts"] += bool(quick.conflicts)
    return seen


def random_table(seed: int) -> pd.DataFrame:
    """Rows of a random network, some of whose variables are left out."""
    rng = np.random.default_rng(seed)
    observed = int(rng.integers(2, 11))
    dag = random_dag(observed + int(rng.integers(0, 4)), mean_degree=float(rng.uniform(1, 5)), seed=seed)
    rows = int(rng.choice([20, 50, 100, 300, 1000]))
    columns: dict[object, np.ndarray] = {}
    for name in dag.topological_order:
        levels = int(rng.integers(2, 4))
        joint = np.zeros(rows, int)
        for parent in sorted(dag.parents(name), key=str):
            joint = joint * 4 + columns[parent]
        uniform, column = rng.random(rows), np.empty(rows, int)
        for value in np.unique(joint):
            own = joint == value
            cumulated = rng.dirichlet(np.full(levels, 0.5)).cumsum()
            column[own] = np.minimum(np.searchsorted(cumulated, uniform[own]), levels - 1)
        columns[name] = column
    names = rng.permutation(np.array(dag.variables, dtype=object))[:observed]
    return pd.DataFrame({name: columns[name].astype(str) for name in names})


def search(seed: int, data: pd.DataFrame | None = None, **options: object) -> Discovery:
    """The search of a random table, with one of the tests and one of the variants."""
    data = random_table(seed) if data is None else data
    method, variant = ("sci_f", "x2", "g2")[seed % 3], ("fci", "rfci")[seed % 2]
    return fci(data, method=method, variant=variant, keep=list(data.columns), threads=1, **options)  # type: ignore[arg-type]


def check_table(seed: int) -> Counter[str]:
    """Whatever the data, the graph is a legal PAG."""
    found = search(seed, selection=seed % 5 == 0)
    assert isinstance(found.graph, PAG)
    assert found.graph.is_legal, (seed, found.graph, found.graph.illegal_because)
    return Counter(cases=1, with_conflicts=bool(found.conflicts), conflicts=len(found.conflicts))


def check_consensus(seed: int) -> Counter[str]:
    """Whatever the bootstrap samples say, the consensus is a legal PAG of the probable edges."""
    found = search(seed, selection=seed % 5 == 0, bootstrap=5)
    differ = 0
    for threshold in (0.05, 0.3, 0.5, 0.9):
        graph = found.consensus(threshold)
        assert isinstance(graph, PAG)
        assert graph.is_legal, (seed, threshold, graph, graph.illegal_because)
        added = {pair for pair in found.support if pair not in found.edges}
        kept = {pair for pair in found.edges if found.probability[pair] >= threshold}
        kept |= {pair for pair in added if found.probability[pair] >= (1 + threshold) / 2}
        assert graph.skeleton == kept, (seed, threshold)
        differ += graph != found.graph
    return Counter(cases=1, graphs=4, differ=differ)


def random_knowledge(seed: int, names: list[str]) -> Knowledge:
    """Required and forbidden edges and tiers that hold together as statements about causes."""
    rng = random.Random(seed)
    order = rng.sample(names, len(names))
    share, required = rng.choice([0, 0.05, 0.15]), []
    causes = {name: {name} for name in names}  # with itself
    for k, b in enumerate(order):
        for a in order[:k]:
            if rng.random() < share:
                required.append((a, b))
                causes[b] |= causes[a]
    share = rng.choice([0, 0.1, 0.4, 0.8])
    pairs = [(a, b) for a in names for b in names if a not in causes[b] and rng.random() < share]
    first, last = sorted(rng.choices(range(len(order) + 1), k=2))
    tiers = [tier for tier in (order[:first], order[first:last], order[last:]) if tier and seed % 3 == 0]
    return Knowledge(required=required, forbidden=pairs, tiers=tiers)


def check_knowledge(seed: int) -> Counter[str]:
    """With knowledge the graph represents a MAG that obeys it: the MAG has all marks of the graph, and its PAG has no
    mark that the graph does not have. If no MAG with these edges obeys it, the pairs in question are conflicts."""
    knowledge = random_knowledge(seed, list(random_table(seed).columns))
    found = search(seed, knowledge=knowledge)
    graph = found.graph
    assert isinstance(graph, PAG)
    mag = graph.mag()
    shared = mag.pag()
    assert mag.skeleton == graph.skeleton == shared.skeleton
    refused = {frozenset(c.edge) for c in found.conflicts if c.kind == "knowledge" and c.bits is None}
    assert {frozenset(pair) for pair in disobeyed(mag, knowledge)} == refused, seed
    assert not refused or not obeying_mag_exists(graph, knowledge), seed
    for a, _, b in mag.edge_lines():
        for x, y in ((a, b), (b, a)):
            assert graph.mark(x, y) in ("circle", mag.mark(x, y)), (seed, x, y)
            assert shared.mark(x, y) in ("circle", graph.mark(x, y)), (seed, x, y)
            if frozenset((a, b)) in refused:
                continue
            if (x, y) in knowledge.required:
                assert (graph.mark(x, y), graph.mark(y, x)) == ("tail", "arrow"), (seed, x, y)
            elif knowledge.forbids(x, y):
                assert graph.mark(x, y) == "arrow", (seed, x, y)
    assert all(frozenset(edge) in graph.skeleton for edge in knowledge.required)
    return Counter(cases=1, known=bool(knowledge), legal=graph.is_legal, refused=bool(refused))


def obeying_mag_exists(graph: PAG, knowledge: Knowledge) -> bool:
    """Whether a MAG without undirected edges, with the edges of a graph, obeys knowledge: by enumeration."""
    choices = []
    for a, _, b in graph.edge_lines():
        signs = [(a, "->", b), (b, "->", a), (a, "<->", b)]
        if knowledge.forbids(a, b) or (b, a) in knowledge.required:
            signs.remove((a, "->", b))
        if knowledge.forbids(b, a) or (a, b) in knowledge.required:
            signs.remove((b, "->", a))
        if {(a, b), (b, a)} & set(knowledge.required):
            signs.remove((a, "<->", b))
        choices.append(signs)
    assert math.prod(map(len, choices)) <= 10**6
    for edges in product(*choices):
        try:
            mag = MAG(graph.variables, edges)
        except ArgumentError:
            continue
        if not disobeyed(mag, knowledge):
            return True
    return False


def disobeyed(mag: MAG, knowledge: Knowledge) -> set[tuple[Name, Name]]:
    """The arrows that knowledge forbids as statements about causes, or requires, and that the MAG has, or has not."""
    found = {arrow for arrow in knowledge.required if arrow not in mag.directed}
    for a in mag.variables:
        causes, waiting = {a}, [a]  # a and all that it causes
        while waiting:
            new = mag.children(waiting.pop()) - causes
            causes |= new
            waiting += new
        found |= {(a, b) for b in causes - {a} if knowledge.forbids(a, b) or (b, a) in knowledge.required}
    return found


def check_renaming(seed: int) -> Counter[str]:
    """Other names and another order of the columns change no mark and no conflict, but for exactly equal bits."""
    data, rng = random_table(seed), random.Random(seed)
    knowledge = random_knowledge(seed, list(data.columns))
    found = search(seed, knowledge=knowledge)
    if any(s.runner_up and s.runner_up.score_bits == s.result.score_bits for s in found.separations.values()):
        return Counter(cases=1, ties=1)
    numbers = rng.sample(range(len(data.columns)), len(data.columns))
    new: dict[Name, Name] = {name: f"N{i:02}" for name, i in zip(data.columns, numbers, strict=True)}
    renamed = data.rename(columns=new)[rng.sample(list(new.values()), len(new))]
    other = search(seed, renamed, knowledge=renamed_knowledge(knowledge, new))
    assert isinstance(found.graph, PAG)
    assert isinstance(other.graph, PAG)
    expected = {(new[a], new[b]): mark for (a, b), mark in marks(found.graph).items()}
    assert marks(other.graph) == expected, seed
    bits = [sorted((c.kind, c.bits or 0.0) for c in result.conflicts) for result in (found, other)]
    assert bits[0] == bits[1], seed
    return Counter(cases=1, known=bool(knowledge), with_conflicts=bool(found.conflicts))


def renamed_knowledge(knowledge: Knowledge, new: Mapping[Name, Name]) -> Knowledge:
    parts = knowledge.to_dict()
    return Knowledge(**{part: [[new[name] for name in names] for names in parts[part]] for part in parts})


CHECKS = {"tables": check_table, "consensus": check_consensus, "knowledge": check_knowledge, "renaming": check_renaming}


def run(kind: str, most: int, count: int) -> Counter[str]:
    """Check the cases that are not in the file yet, block by block."""
    OUT.parent.mkdir(exist_ok=True)
    done: Counter[str] = Counter()
    blocks = set()
    for line in OUT.read_text().splitlines() if OUT.exists() else ():
        row = json.loads(line)
        if (row["kind"], row["most"]) == (kind, most) and row["block"] < count // BLOCK:
            blocks.add(row["block"])
            done.update(row["seen"])
    for block in sorted(set(range(count // BLOCK)) - blocks):
        started, seen = time.perf_counter(), Counter[str]()
        for number in range(block * BLOCK, (block + 1) * BLOCK):
            if kind == "dags":
                seen += check_exactness(*random_case(random.Random(f"{most} {number}"), most))
            else:
                seen += CHECKS[kind](number)
        row = {"kind": kind, "most": most, "block": block, "seconds": round(time.perf_counter() - started, 2)}
        with OUT.open("a") as file:
            file.write(json.dumps({**row, "seen": seen}) + "\n")
        done.update(seen)
    return done


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=["dags", *CHECKS])
    parser.add_argument("--most", type=int, default=6, help="Largest number of variables of a DAG.")
    parser.add_argument("--count", type=int, required=True, help=f"Number of cases, a multiple of {BLOCK}.")
    asked = parser.parse_args()
    print(dict(run(asked.kind, asked.most, asked.count)))
