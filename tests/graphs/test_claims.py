"""Which claims about directions hold together, against enumeration of all DAGs."""

from __future__ import annotations

import random
from itertools import combinations
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitsep.graphs.claims import Claim, _propagate, overruled
from graphs.naive import Arrows, fixed, orientations

Statement = tuple[str, tuple[str, ...]]


def as_claim(kind: str, members: tuple[str, ...]) -> Claim:
    make = {"arrow": Claim.arrow, "collider": Claim.collider, "no collider": Claim.no_collider}[kind]
    return make(*(ord(name) - ord("A") for name in members))


def holds(kind: str, members: tuple[str, ...], arrows: Arrows) -> bool:
    if kind == "arrow":
        return members in arrows
    a, c, b = members
    return ((a, c) in arrows and (b, c) in arrows) == (kind == "collider")


@st.composite
def statements(draw: st.DrawFn) -> tuple[tuple[str, ...], frozenset[frozenset[str]], list[Statement]]:
    """A skeleton and statements about it in random order, most of them contradictory."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    names = tuple("ABCDEF"[: rng.randint(2, 6)])
    edges = [pair for pair in combinations(names, 2) if rng.random() < 0.6][:9]
    skeleton = frozenset(map(frozenset, edges))
    triples = [
        (a, c, b)
        for a, b in combinations(names, 2)
        for c in names
        if {frozenset((a, c)), frozenset((b, c))} <= skeleton and frozenset((a, b)) not in skeleton
    ]
    found: list[Statement] = [(rng.choice(("collider", "no collider")), t) for t in triples if rng.random() < 0.9]
    found += [("arrow", pair if rng.random() < 0.5 else pair[::-1]) for pair in edges if rng.random() < 0.4]
    rng.shuffle(found)
    return names, skeleton, found


@given(statements())
@settings(fixed, max_examples=300)
def test_a_claim_is_accepted_if_some_dag_satisfies_it_with_those_before(
    case: tuple[tuple[str, ...], frozenset[frozenset[str]], list[Statement]],
) -> None:
    names, skeleton, wanted = case
    left = set(orientations(names, skeleton))
    lost = []
    for position, (kind, members) in enumerate(wanted):
        satisfied = {arrows for arrows in left if holds(kind, members, arrows)}
        if satisfied:
            left = satisfied
        else:
            lost.append(position)
    assert overruled([as_claim(kind, members) for kind, members in wanted]) == lost


def test_no_claims() -> None:
    assert overruled([]) == []


def test_a_ring_needs_a_v_structure_where_the_evidence_against_it_comes_last() -> None:
    corners = [(3, 0, 1), (0, 1, 2), (1, 2, 3), (2, 3, 0)]
    for last in range(4):
        order = [corner for k, corner in enumerate(corners) if k != last] + [corners[last]]
        assert overruled([Claim.no_collider(*corner) for corner in order]) == [3]


@pytest.mark.parametrize(
    "claims",
    [
        [Claim.arrow(0, 1), Claim.arrow(1, 0)],
        [Claim.arrow(0, 1), Claim.arrow(2, 3), Claim.arrow(1, 2), Claim.arrow(3, 0)],
        [Claim.collider(1, 0, 2), Claim.arrow(0, 1)],
        [Claim.collider(1, 0, 2), Claim.arrow(0, 2)],
        [Claim.arrow(1, 0), Claim.arrow(2, 0), Claim.no_collider(1, 0, 2)],
        [Claim.no_collider(1, 0, 2), Claim.arrow(1, 0), Claim.arrow(2, 0)],
        [Claim.no_collider(1, 0, 2), Claim.arrow(2, 0), Claim.arrow(1, 0)],
        [Claim.no_collider(0, 1, 2), Claim.no_collider(1, 2, 3), Claim.arrow(0, 1), Claim.arrow(3, 2)],
        [Claim.no_collider(2, 1, 0), Claim.no_collider(3, 2, 1), Claim.arrow(0, 1), Claim.arrow(3, 2)],
        # 0 and 5 have a parent each, so their other neighbors are children: a cycle through both.
        [
            *(Claim.no_collider(1, 0, 2), Claim.no_collider(3, 5, 4)),
            *(Claim.arrow(1, 0), Claim.arrow(3, 5), Claim.arrow(2, 5), Claim.arrow(4, 0)),
        ],
        [
            *(Claim.no_collider(1, 0, 2), Claim.no_collider(3, 5, 4)),
            *(Claim.arrow(2, 0), Claim.arrow(4, 5), Claim.arrow(1, 5), Claim.arrow(3, 0)),
        ],
    ],
)
def test_a_contradiction_that_follows_by_propagation(claims: list[Claim]) -> None:
    assert _propagate(claims, set()) == {len(claims) - 1}
    assert _propagate([*claims[:-1], claims[-1].opposite], set()) == set()
    assert overruled(claims) == [len(claims) - 1]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)).filter(lambda pair: pair[0] != pair[1]), max_size=20))
@settings(fixed, max_examples=100)
def test_contradictions_of_arrows_follow_by_propagation(arrows: list[tuple[int, int]]) -> None:
    below: dict[int, set[int]] = {v: {v} for v in range(6)}
    lost = []
    for position, (i, j) in enumerate(arrows):
        if i in below[j]:
            lost.append(position)
            i, j = j, i
        for v in range(6):
            if i in below[v]:
                below[v] |= below[j]
    claims = [Claim.arrow(i, j) for i, j in arrows]
    assert sorted(_propagate(claims, set())) == overruled(claims) == lost


def test_many_claims_take_little_time() -> None:
    """A star with 150 leaves has 11,175 triples; half of the claims contradict the others."""
    claims = []
    for k, (a, b) in enumerate(combinations(range(1, 151), 2)):
        claims.append((Claim.collider if k % 2 else Claim.no_collider)(a, 0, b))
    lost = set(overruled(claims))
    assert 0 < len(lost) < len(claims)
    accepted = [claim for k, claim in enumerate(claims) if k not in lost]
    assert overruled(accepted) == []


@given(statements())
@settings(fixed, max_examples=100)
def test_the_bound_on_the_work_leaves_claims_that_hold_together(
    case: tuple[tuple[str, ...], frozenset[frozenset[str]], list[Statement]],
) -> None:
    wanted = [as_claim(kind, members) for kind, members in case[2]]
    with mock.patch("bitsep.graphs.claims._MAX_WORK", -1):
        lost = overruled(wanted)
    settled = [claim.opposite if k in lost else claim for k, claim in enumerate(wanted)]
    assert overruled(settled) == []
    assert overruled(wanted)[:1] == lost[:1]  # the first contradiction is always exact
