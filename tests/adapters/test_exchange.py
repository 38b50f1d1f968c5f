"""Results leave bitsep and come back: JSON with schema and version, networkx, igraph, DOT, bnlearn's model string."""

from __future__ import annotations

import json

import pytest

import bitsep
from bitsep.errors import FormatError


@pytest.fixture(scope="module")
def discovery():
    return bitsep.pc_stable(bitsep.load_network("sachs").sample(1000, seed=1), orientation="standard")


def test_discovery_to_json_and_back(discovery):
    content = json.loads(discovery.to_json())
    assert (content["schema"], content["schema_version"]) == ("bitsep.discovery", 1)
    again = bitsep.Discovery.from_json(discovery.to_json())
    assert again == discovery
    assert again.to_json() == discovery.to_json()


@pytest.mark.parametrize(
    ("change", "message"),
    [({"schema_version": 99}, "got 99"), ({"schema": "other"}, "bitsep.discovery"), ({"graph": None}, "field")],
)
def test_json_of_another_kind_is_refused(discovery, change, message):
    content = json.loads(discovery.to_json()) | change
    with pytest.raises(FormatError, match=message):
        bitsep.Discovery.from_json(json.dumps(content))


def test_graph_to_every_exchange_form_and_back(discovery):
    graph = discovery.graph
    assert bitsep.PDAG.from_networkx(graph.to_networkx()) == graph
    assert bitsep.PDAG.from_igraph(graph.to_igraph()) == graph
    assert bitsep.PDAG.from_dot(graph.to_dot()) == graph
    assert bitsep.PDAG.from_graphml(graph.to_graphml()) == graph
    assert bitsep.PDAG.from_json(graph.to_json()) == graph
    content = json.loads(graph.to_json())
    assert content["schema"] == "bitsep.graph"
    assert "schema_version" in content


def test_a_discovery_as_bnlearn_s_model_string():
    discovery = bitsep.pc_stable(bitsep.load_network("asia").sample(5000, seed=1))
    dag = discovery.graph.consistent_extension()
    text = dag.to_modelstring()
    assert bitsep.DAG.from_modelstring(text) == dag
    assert dag.skeleton == discovery.skeleton
    assert dag.cpdag() == discovery.graph


def test_a_graph_that_contradicts_itself_has_no_model_string(discovery):
    assert discovery.conflicts
    assert discovery.graph.consistent_extension() is None
    assert bitsep.PDAG.from_edge_list(discovery.graph.to_edge_list()) == discovery.graph
