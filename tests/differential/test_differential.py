"""The comparison with the twins itself: a few tables of each kind, cases that once differed, and that it notices."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from differential import backends, memory
from differential.questions import TESTS, differences, expected_test, rounding
from differential.shrink import shrink
from differential.tables import KINDS, Case, random_case

FOUND = sorted((Path(__file__).parent / "found").glob("*.json"))


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"many_levels"}))
def test_tables_of_each_kind_agree_with_the_twins(kind: str) -> None:
    compared, asked, wrong = memory.compare(random_case(Random(3), (kind,)))
    assert wrong == []
    assert compared > asked > 100


@pytest.mark.skipif(not FOUND, reason="none was found so far")
@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.stem)
def test_cases_that_once_differed(path: Path) -> None:
    assert memory.compare(Case.from_dict(json.loads(path.read_text())))[2] == []


def test_many_equal_terms_are_rounded_in_the_same_direction() -> None:
    """65,536 levels with one row each: the twin has the exact X²; 2^-41 per term are 3e-8, which a p-value shows."""
    case = random_case(Random(315759361), ("many_levels",))
    case.queries, case.families = [(0, 1, (2, 3))], []
    test = next(i for i, test in enumerate(TESTS) if test.method == "x2_calibrated")
    allowed = rounding(case, case.queries[0], TESTS[test])
    assert 1e-8 < allowed < 5e-8
    assert memory.compare_tests(case, memory.Encoded(case), test)[2] == []
    wanted = expected_test(case, case.queries[0], TESTS[test])
    assert wanted is not None
    assert wanted["p_value"] == pytest.approx(0.86678333478809570497, abs=1e-11)  # mpmath, 60 digits
    assert differences({**wanted, "p_value": wanted["p_value"] + 6e-8}, wanted, allowed) != []


def test_a_table_on_the_stream_agrees_with_the_twins() -> None:
    compared, _, wrong = backends.compare(random_case(Random(4), ("small",)), backends.stream)
    assert wrong == []
    assert compared > 100


def test_a_difference_is_noticed_and_made_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    def off_by_a_bit(case, family, name, sample_size):
        bits, rows = right(case, family, name, sample_size)
        return bits + (rows > 3), rows

    right = memory.expected_score
    monkeypatch.setattr(memory, "expected_score", off_by_a_bit)
    case = random_case(Random(5), ("longer",))
    assert memory.compare(case)[2] != []
    case.queries, case.families = [], case.families[:2]
    smaller = shrink(case, lambda one: memory.compare(one)[2] != [])
    assert smaller.rows == 4
    assert len(smaller.families) == 1
