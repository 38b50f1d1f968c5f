"""The comparison with the twins itself: a few tables of each kind, cases that once differed, and that it notices."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from differential import backends, memory
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
