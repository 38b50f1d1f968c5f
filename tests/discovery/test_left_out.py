"""Columns that cannot serve are left out of every search, with a reason, unless the user names them."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import bitsep
from bitsep.discovery.blankets.api import neighbors
from bitsep.errors import DataError, UnknownColumnError

SEARCHES = [bitsep.discover, bitsep.boss, bitsep.hill_climb, bitsep.pc_stable]
N = 5000


def chain() -> dict[str, Any]:
    draw = np.random.default_rng(0)
    x = draw.integers(0, 2, N)
    y = np.where(draw.random(N) < 0.85, x, 1 - x)
    return {"x": x, "y": y, "z": np.where(draw.random(N) < 0.85, y, 1 - y)}


def with_id() -> dict[str, Any]:
    return {**chain(), "id": range(N)}


@pytest.mark.parametrize("search", SEARCHES)
def test_the_chain_keeps_its_edges(search: Any) -> None:
    found = search(with_id())
    assert found.skeleton == {frozenset("xy"), frozenset("yz")}
    assert found.variables == ("x", "y", "z")
    assert found.data is not None
    assert found.data.names == ("x", "y", "z")
    assert [(alert.column, alert.kind) for alert in found.left_out] == [("id", "identifier")]
    plain = search(chain())
    assert plain.left_out == ()
    assert plain.edges == found.edges
    assert found.data.fingerprint() == plain.data.fingerprint()


@pytest.mark.parametrize("search", SEARCHES)
def test_json_pickle_and_text(search: Any) -> None:
    found = search(with_id())
    for again in (bitsep.Discovery.from_json(found.to_json()), pickle.loads(pickle.dumps(found))):
        assert again == found
        assert again.left_out == found.left_out
        assert again.settings["keep"] == []
    line = "id looks like an identifier: 5,000 different values in 5,000 rows. Searches leave it out; "
    assert line in str(found)
    assert line in found._repr_html_()


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("keep", ["id", ["id"], ("id", "x"), {"id"}])
def test_keep(search: Any, keep: Any) -> None:
    found = search(with_id(), keep=keep)
    assert "id" in found.variables
    assert found.left_out == ()
    assert "id" in found.settings["keep"]


@pytest.mark.parametrize("search", SEARCHES)
def test_knowledge_keeps_the_columns_that_it_names(search: Any) -> None:
    for knowledge in (
        bitsep.Knowledge(forbidden=[("x", "id")]),
        bitsep.Knowledge(required=[("id", "x")]),
        bitsep.Knowledge(tiers=[["id"], ["x", "y", "z"]]),
    ):
        assert "id" in search(with_id(), knowledge=knowledge).variables
    assert "id" not in search(with_id(), knowledge=bitsep.Knowledge(required=[("x", "y")])).variables


def test_a_start_graph_keeps_its_variables() -> None:
    start = bitsep.DAG(["id", "x"], [("id", "x")])
    assert "id" in bitsep.hill_climb(with_id(), start=start).variables


def test_blankets() -> None:
    data = with_id()
    found = bitsep.markov_blanket(data, "y")
    assert found.members == ("x", "z")
    assert [alert.column for alert in found.left_out] == ["id"]
    assert "left out   id" in str(found)
    assert bitsep.MarkovBlanket.from_json(found.to_json()) == found
    assert list(bitsep.markov_blankets(data)) == ["x", "y", "z"]
    assert list(bitsep.markov_blankets(data, keep=["id"])) == ["id", "x", "y", "z"]
    assert bitsep.markov_blanket(data, "id").target == "id"  # a target is never left out
    assert neighbors(data, "y") == ("x", "z")


@pytest.mark.parametrize("search", [bitsep.boss, bitsep.pc_stable])
def test_memory_and_stream(search: Any) -> None:
    data = {**with_id(), "day": np.datetime64("2020-01-01") + np.arange(N)}
    scan = bitsep.scan(pa.table(data).to_reader(max_chunksize=700), memory="64MB")
    found = search(scan, bootstrap=2)
    assert found.to_json() == search(data, bootstrap=2).to_json()
    assert [alert.column for alert in found.left_out] == ["id", "day"]


def test_checkpoint(tmp_path: Any) -> None:
    for search in (bitsep.boss, bitsep.pc_stable):
        folder = tmp_path / search.__name__
        first = search(with_id(), checkpoint=folder)
        assert search(with_id(), checkpoint=folder).to_json() == first.to_json()
        assert search(chain(), checkpoint=folder).edges == first.edges  # the same data are searched


def test_report(tmp_path: Any) -> None:
    found = bitsep.boss(with_id(), keep=["x"])
    page = found.save_report(tmp_path / "graph.html").read_text(encoding="utf-8")
    assert "looks like an identifier" in page
    assert "keep=['x']" in page


@pytest.mark.parametrize("search", SEARCHES)
def test_bad_input(search: Any) -> None:
    with pytest.raises(UnknownColumnError, match="keep: no column 'ID'"):
        search(with_id(), keep=["ID"])
    with pytest.raises(DataError, match="no column can serve in a search; id looks like an identifier"):
        search({"id": range(N)})


def test_an_oracle_has_no_columns_to_leave_out() -> None:
    assert bitsep.pc_stable(bitsep.Oracle(bitsep.load_network("asia"))).left_out == ()
