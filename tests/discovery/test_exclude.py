"""`exclude` leaves columns out of every search, as if the table did not have them."""

from __future__ import annotations

from typing import Any

import pytest

import bitsep
from bitsep import Knowledge, Oracle
from bitsep.discovery.blankets.api import neighbors
from bitsep.errors import ArgumentError, UnknownColumnError, UnsupportedTypeError
from bitsep.report.repeat import snippet

SEARCHES = [bitsep.discover, bitsep.boss, bitsep.hill_climb, bitsep.pc_stable, bitsep.fci]
ASIA = bitsep.load_network("asia").sample(1000, seed=1)


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("exclude", ["smoke", ["smoke"], ("smoke", "smoke")])
def test_searches(search: Any, exclude: Any) -> None:
    found, without = search(ASIA, exclude=exclude), search(ASIA.drop(columns="smoke"))
    assert found.graph == without.graph
    assert found.edges == without.edges
    assert found.settings["exclude"] == ["smoke"]
    assert bitsep.Discovery.from_json(found.to_json()).settings["exclude"] == ["smoke"]
    assert "    exclude=['smoke']," in snippet(found, None)


def test_blankets_and_pairs() -> None:
    table = ASIA.drop(columns="smoke")
    assert bitsep.markov_blanket(ASIA, "lung", exclude="smoke") == bitsep.markov_blanket(table, "lung")
    assert bitsep.markov_blankets(ASIA, exclude="smoke") == bitsep.markov_blankets(table)
    assert neighbors(ASIA, "lung", exclude="smoke") == neighbors(table, "lung")
    assert bitsep.pairwise(ASIA, exclude="smoke").variables == bitsep.pairwise(table).variables


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"exclude": "smok"}, UnknownColumnError, "exclude: no column 'smok'. Did you mean 'smoke'?"),
        ({"exclude": ["smoke"], "keep": "smoke"}, ArgumentError, "exclude: must not have columns of keep"),
        ({"exclude": list(ASIA.columns)}, ArgumentError, "exclude: must leave at least one column, got all of them."),
        (
            {"exclude": "smoke", "knowledge": Knowledge(required=[("smoke", "lung")])},
            ArgumentError,
            "exclude: must not have columns that other arguments name, got 'smoke'.",
        ),
        ({"exclude": [["smoke"]]}, UnsupportedTypeError, "exclude: must have names of columns"),
    ],
)
def test_bad_input(search: Any, arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message.replace("?", r"\?")):
        search(ASIA, **arguments)


def test_targets_and_oracles() -> None:
    with pytest.raises(ArgumentError, match="exclude: must not have columns that other arguments name, got 'lung'"):
        bitsep.markov_blanket(ASIA, "lung", exclude="lung")
    with pytest.raises(ArgumentError, match="exclude: must not be given with an engine or an oracle"):
        bitsep.pc_stable(Oracle(bitsep.load_network("asia")), exclude="smoke")
