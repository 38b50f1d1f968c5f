"""The searches by name, and graphs of other libraries."""

from __future__ import annotations

import pytest

from accuracy.searches import parse
from accuracy.searches.graphs import partly_directed
from bitsep import PDAG, Discovery
from bitsep.errors import ArgumentError
from bitsep.networks import load_network


def test_names_and_options() -> None:
    search = parse("boss:score=fnml,starts=5,structure=False,alpha=0.01")
    assert (search.library, search.function, search.is_peer) == ("bitsep", "boss", False)
    assert search.options == {"score": "fnml", "starts": 5, "structure": False, "alpha": 0.01}
    peer = parse("pyagrum.tabu:score=bic")
    assert (peer.library, peer.function, peer.is_peer) == ("pyagrum", "tabu", True)
    own = parse("package.module.function")
    assert (own.library, own.function, own.is_peer) == ("package.module", "function", False)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bos", "unknown search 'bos'; must be one of 'discover', 'boss'"),
        ("pyagrum.k2", "unknown search 'pyagrum.k2'; must be one of 'pyagrum.hill_climb'"),
        ("boss:fnml", "options must be written name=value, got 'fnml'"),
    ],
)
def test_bad_names(text: str, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        parse(text)


def test_a_search_that_does_not_exist_is_listed_and_fails_clearly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accuracy.searches.SEARCHES_OF_BITSEP", ("future",))
    future = parse("future")
    assert future.missing == "bitsep has no function 'future'."
    with pytest.raises(ArgumentError, match=r"'future' cannot run; bitsep has no function 'future'\."):
        future.prepare()
    assert parse("absent_library.search").missing == "absent_library is not installed."


def test_a_search_of_bitsep() -> None:
    frame = load_network("earthquake").sample(2000, seed=1)
    found = parse("pc_stable:method=g2,orientation=majority").prepare()(frame)
    assert isinstance(found, Discovery)
    assert found.settings["method"] == "g2"
    assert found.settings["orientation"] == "majority"


def test_marks_of_other_libraries() -> None:
    found = partly_directed([*"abcd"], [("a", "b"), ("b", "a"), ("c", "d")], [("b", "c")])
    assert found == PDAG([*"abcd"], directed=[("c", "d")], undirected=[("a", "b"), ("b", "c")])


def test_a_directed_cycle_loses_its_directions() -> None:
    found = partly_directed([*"abcde"], [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e")], [])
    assert found == PDAG([*"abcde"], directed=[("c", "d"), ("d", "e")], undirected=[("a", "b"), ("b", "c"), ("a", "c")])
