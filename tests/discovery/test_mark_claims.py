"""Which decisions are accepted beside knowledge, compared with all MAGs of small graphs."""

from __future__ import annotations

import random
from itertools import combinations, product

import numpy as np
import pytest

from bitsep import PAG, fci
from bitsep.discovery.knowledge import Masks
from bitsep.discovery.mark_claims import Ranked, accept_triples
from bitsep.graphs import mag_search
from bitsep.graphs.ancestral import flaw
from bitsep.graphs.end_marks import EndMarks
from bitsep.graphs.mag_search import find_mag
from bitsep.graphs.marks import reachable
from discovery.hidden_cases import random_knowledge, random_table


def all_mags(skeleton: EndMarks) -> list[EndMarks]:
    """All MAGs without undirected edges that have these neighbors."""
    pairs = list(skeleton.pairs())
    found = []
    for signs in product("→←↔", repeat=len(pairs)):
        edges = [(j, "→", i) if sign == "←" else (i, sign, j) for (i, j), sign in zip(pairs, signs, strict=True)]
        graph = EndMarks.of(len(skeleton), edges)
        if flaw(graph) is None:
            found.append(graph)
    return found


def random_masks(rng: random.Random, skeleton: EndMarks) -> Masks:
    n = len(skeleton)
    order = rng.sample(range(n), n)
    required, forbidden = np.zeros((n, n), bool), np.zeros((n, n), bool)
    for i, j in skeleton.pairs():
        if rng.random() < 0.35:
            early, late = sorted((i, j), key=order.index)
            required[early, late] = True
    for i, j in combinations(range(n), 2):
        early, late = sorted((i, j), key=order.index)
        forbidden[late, early] = rng.random() < 0.4
        forbidden[early, late] = rng.random() < 0.2 and not required[early, late]
    return Masks(required, forbidden | required.T)


def kept(mags: list[EndMarks], knowledge: Masks, strengths: dict[tuple[int, int], float]) -> list[EndMarks]:
    """The MAGs that obey knowledge; where pieces of it contradict each other, the ones with more strength."""
    mags = [m for m in mags if all(m.children(i) >> j & 1 for i, j in np.argwhere(knowledge.required).tolist())]
    for i, j in sorted(np.argwhere(knowledge.forbidden).tolist(), key=lambda p: -strengths[min(p), max(p)]):
        mags = [m for m in mags if not reachable([m.children(v) for v in range(len(m))])[i] >> j & 1] or mags
    return mags


def test_accepted_decisions_are_those_of_a_search_through_all_mags() -> None:
    rng = random.Random(1)
    contradicted = overruled = 0
    for _ in range(400):
        n = rng.randint(4, 5)
        pairs = list(combinations(range(n), 2))
        skeleton = EndMarks.of(n, [(i, "o—o", j) for i, j in rng.sample(pairs, rng.randint(3, 6))])
        knowledge, strengths = random_masks(rng, skeleton), {pair: rng.random() for pair in pairs}
        ranked: Ranked = [(triple, rng.uniform(-5, 5)) for triple in skeleton.unshielded()]
        ranked.sort(key=lambda entry: -abs(entry[1]))
        mags = everything = kept(all_mags(skeleton), knowledge, strengths)
        for triple, weight in ranked:
            mags = [m for m in mags if m.is_collider(*triple) == (weight > 0)] or mags
            overruled += mags[0].is_collider(*triple) != (weight > 0)
        claims = accept_triples(skeleton.adjacent, ranked, knowledge, selection=False, strengths=strengths)
        mag = find_mag(claims)
        assert mag in mags
        for one, other in skeleton.pairs():
            for i, j in ((one, other), (other, one)):
                assert claims.ends.mark(i, j) in ("circle", *{m.mark(i, j) for m in mags})
                assert claims.ends.mark(i, j) == "circle" or len({m.mark(i, j) for m in mags}) == 1
        below = reachable([everything[0].children(v) for v in range(n)])
        contradicted += any(below[i] >> j & 1 for i, j in np.argwhere(knowledge.forbidden).tolist())
    assert contradicted > 10
    assert overruled > 30


def test_marks_of_knowledge_are_kept_if_the_search_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mag_search, "_MOST_TRIALS", -1_000)
    kept_marks = 0
    for seed in range(30):
        data = random_table(seed)
        knowledge = random_knowledge(seed, list(data.columns))
        found = fci(data, knowledge=knowledge, keep=list(data.columns), threads=1)
        assert isinstance(found.graph, PAG)
        refused = {frozenset(c.edge) for c in found.conflicts if c.kind == "knowledge" and c.bits is None}
        for pair in found.graph.skeleton - refused:
            for a, b in (tuple(pair), tuple(pair)[::-1]):
                if knowledge.forbids(a, b):
                    assert found.graph.mark(a, b) == "arrow"
                    kept_marks += 1
    assert kept_marks > 10
