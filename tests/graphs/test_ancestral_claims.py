"""Claims about marks: what follows from them is true, and there is always a MAG in the end."""

from __future__ import annotations

import random
from itertools import combinations, permutations, product

from bitsep.graphs.ancestral import flaw
from bitsep.graphs.ancestral_claims import AncestralClaims
from bitsep.graphs.end_marks import EndMarks
from bitsep.graphs.mag_completion import Known, complete_to_mag, mag_with_marks
from bitsep.graphs.mag_search import close, find_mag
from bitsep.graphs.pag_classes import illegal, pag_of_mag
from discovery.hidden_cases import random_case
from twins import pags

Decision = tuple[int, int, int, bool]


def random_claims(rng: random.Random, n: int) -> tuple[AncestralClaims, list[Decision], list[Decision]]:
    """A random skeleton, random decisions about its unshielded triples, and those that were accepted."""
    adjacent = [0] * n
    for i, j in combinations(range(n), 2):
        if rng.random() < 0.6:
            adjacent[i] |= 1 << j
            adjacent[j] |= 1 << i
    claims = AncestralClaims(adjacent)
    decisions = [(*triple, rng.random() < 0.4) for triple in claims.ends.unshielded()]
    rng.shuffle(decisions)
    accepted = []
    for a, c, b, is_collider in decisions:
        if (claims.collider if is_collider else claims.no_collider)(a, c, b):
            accepted.append((a, c, b, is_collider))
    return claims, decisions, accepted


def test_any_decisions_lead_to_a_mag_with_the_same_neighbors() -> None:
    rng = random.Random(1)
    exact = 0
    for _ in range(400):
        claims, decisions, accepted = random_claims(rng, rng.randint(3, 9))
        mag = complete_to_mag(claims.ends, [], decisions)
        assert flaw(mag) is None
        assert mag.adjacent == claims.ends.adjacent
        assert illegal(pag_of_mag(mag)) is None
        exact += all(mag.is_collider(a, c, b) == is_collider for a, c, b, is_collider in accepted)
    assert exact > 300  # in most graphs the MAG has all that was accepted


def test_what_follows_holds_in_all_mags_that_satisfy_the_claims() -> None:
    rng = random.Random(2)
    for _ in range(40):
        claims, decisions, accepted = random_claims(rng, 4)
        mags = list(_mags(claims.ends))
        fitting = [mag for mag in mags if all(mag.is_collider(*d[:3]) == d[3] for d in accepted)]
        for mag in fitting:
            for i, j in claims.ends.pairs():
                for here, there in ((i, j), (j, i)):
                    assert claims.ends.mark(here, there) in ("circle", mag.mark(here, there))
        for refused in set(decisions) - set(accepted):
            assert not any(mag.is_collider(*refused[:3]) == refused[3] for mag in fitting)


def _mags(skeleton: EndMarks) -> list[EndMarks]:
    """All MAGs without undirected edges that have these neighbors."""
    pairs, found = list(skeleton.pairs()), []
    for signs in product(("→", "←", "↔"), repeat=len(pairs)):
        edges = [(j, "→", i) if sign == "←" else (i, sign, j) for (i, j), sign in zip(pairs, signs, strict=True)]
        graph = EndMarks.of(len(skeleton), edges)
        if flaw(graph) is None:
            found.append(graph)
    return found


def test_flaw_agrees_with_the_definition() -> None:
    rng = random.Random(3)
    for _ in range(300):
        signs = [(i, rng.choice(["→", "↔", "↔", "—"]), j) for i, j in combinations(range(5), 2) if rng.random() < 0.6]
        edges = [(j, sign, i) if rng.random() < 0.3 else (i, sign, j) for i, sign, j in signs]
        graph = EndMarks.of(5, edges)
        letters = {"tail": "-", "arrow": ">"}
        marks = {(str(i), str(j)): letters[graph.mark(j, i)] for x, y in graph.pairs() for i, j in ((x, y), (y, x))}
        assert (flaw(graph) is None) == pags.is_mag("01234", marks)


def test_an_inducing_path_is_found_in_every_order_of_the_variables() -> None:
    """The variables between the first and the last are colliders and parents of one of these."""
    short = [(0, "↔", 1), (1, "↔", 2), (2, "↔", 3), (1, "→", 3), (2, "→", 0)]
    long = [(0, "↔", 1), (1, "↔", 2), (2, "↔", 3), (3, "↔", 4), (1, "→", 4), (2, "→", 0), (3, "→", 0)]
    for n, edges in ((4, short), (5, long)):
        for order in permutations(range(n)):
            graph = EndMarks.of(n, [(order[i], sign, order[j]) for i, sign, j in edges])
            assert "not maximal" in str(flaw(graph))
            ends = (order[0], order[-1])
            assert flaw(EndMarks.of(n, [*graph.edges(), (min(ends), "↔", max(ends))])) is None


def test_claims_show_inseparable_pairs() -> None:
    rng = random.Random(4)
    found = 0
    for _ in range(1_000):
        claims, _, _ = random_claims(rng, rng.randint(4, 6))
        while circles := _circles(claims.ends):
            i, j = rng.choice(circles)
            if not (claims.directed(i, j) if rng.random() < 0.3 else claims.bidirected(i, j)):
                break
        if not circles:
            assert claims.inseparable() == (flaw(claims.ends) is not None)
            found += claims.inseparable()
    assert found > 10


def test_closed_claims_leave_two_marks_possible_at_each_circle() -> None:
    rng = random.Random(5)
    put = 0
    for _ in range(300):
        claims, _, _ = random_claims(rng, rng.randint(4, 6))
        for i, j in permutations(range(len(claims.ends)), 2):
            if rng.random() < 0.2:
                claims.no_ancestor(i, j)
        before = _circles(claims.ends)
        if not close(claims):
            continue
        circles = _circles(claims.ends)
        put += len(before) - len(circles)
        for i, j in circles:
            arrow, tail = claims.copy(), claims.copy()
            assert arrow.arrow(j, i)
            assert tail.directed(i, j)
            assert not arrow.inseparable()
            assert not tail.inseparable()
    assert put > 10


def test_a_mag_is_found_beside_one_with_an_inseparable_pair() -> None:
    for order in permutations(range(4)):
        edges = [(order[i], "o—o", order[j]) for i, j in combinations(range(4), 2) if (i, j) != (0, 3)]
        claims = AncestralClaims(EndMarks.of(4, edges).adjacent)
        for i in range(3):
            assert claims.bidirected(order[i], order[i + 1])
        mag = find_mag(claims)
        assert mag is not None
        assert flaw(mag) is None


def _circles(ends: EndMarks) -> list[tuple[int, int]]:
    """(i, j) for each circle at i on the edge between i and j."""
    return [(i, j) for i, j in permutations(range(len(ends)), 2) if ends.circles_at(i) >> j & 1]


def partly_known(rng: random.Random, mag: EndMarks, extra: list[tuple[int, str, int]]) -> tuple[EndMarks, list[Known]]:
    """The neighbors of a MAG and more edges, and those of its marks that are known."""
    n = max((max(i, j) + 1 for i, _, j in extra), default=len(mag))
    ends = EndMarks.of(n, [*((i, "o—o", j) for i, j in mag.pairs()), *extra])
    known = []
    for x, y in mag.pairs():
        for i, j in ((x, y), (y, x)):
            if rng.random() < 0.4:
                known.append((i, j, mag.mark(j, i) == "tail"))
                if known[-1][2]:
                    known.append((j, i, False))
    for i, j, is_tail in known:
        ends.put(j, i, "tail" if is_tail else "arrow")
    return ends, known


def test_a_mag_is_found_for_some_marks_of_a_mag() -> None:
    rng = random.Random(5)
    found = 0
    for _ in range(300):
        dag, hidden, _ = random_case(rng, 6)
        true = dag.mag(hidden)._marks
        ends = EndMarks.circles(true.adjacent)
        for x, y in ends.pairs():
            for i, j in ((x, y), (y, x)):
                if rng.random() < 0.5:
                    ends.put(j, i, true.mark(j, i))
        mag = mag_with_marks(ends)
        if mag is not None:
            found += 1
            assert flaw(mag) is None
            assert all(
                ends.mark(i, j) in ("circle", mag.mark(i, j)) for x, y in ends.pairs() for i, j in ((x, y), (y, x))
            )
    assert found > 295  # there always is one, but the marks need not be closed under the rules


def test_known_marks_and_decisions_are_kept_beside_edges_that_fit_no_mag() -> None:
    """A cycle of four edges o—o has no DAG without a v-structure; the rest has the marks and triples of a MAG."""
    rng = random.Random(6)
    for _ in range(300):
        dag, hidden, _ = random_case(rng, 6)
        true = dag.mag(hidden)._marks
        a, b, c, d = range(len(true), len(true) + 4)
        ends, known = partly_known(rng, true, [(a, "o—o", b), (b, "o—o", c), (c, "o—o", d), (a, "o—o", d)])
        decisions = [(*triple, true.is_collider(*triple)) for triple in ends.unshielded() if max(triple) < a]
        mag = complete_to_mag(ends, known, decisions)
        assert flaw(mag) is None
        assert mag.adjacent == ends.adjacent
        assert all(mag.mark(j, i) == ("tail" if is_tail else "arrow") for i, j, is_tail in known)
        assert all(mag.is_collider(*decision[:3]) == decision[3] for decision in decisions)


def test_triples_without_a_decision_do_not_prevent_a_mag() -> None:
    """A cycle of four edges o—o has no DAG without a v-structure."""
    square = EndMarks.circles([0b1010, 0b0101, 0b1010, 0b0101])
    mag = complete_to_mag(square, [], [])
    assert flaw(mag) is None
    assert mag.adjacent == square.adjacent
