"""Drawings: nothing overlaps, arrows run down, and the same graph is drawn the same way."""

from itertools import combinations, pairwise

import pytest

import bitsep
from bitsep.graphs import DAG, PDAG, random_dag
from bitsep.report.layout import HEIGHT, Box, Layout, lay_out


def overlap(one: Box, two: Box) -> bool:
    return abs(one.y - two.y) < HEIGHT and abs(one.x - two.x) < (one.width + two.width) / 2


def draw(graph: PDAG) -> Layout:
    return lay_out(graph, [f"{name}{'long' * (i % 5)}" for i, name in enumerate(graph.variables)])


@pytest.mark.parametrize("size", [5, 8, 20, 40, 80])
@pytest.mark.parametrize("mean_degree", [0.0, 1.0, 3.0])
def test_boxes_do_not_overlap(size: int, mean_degree: float) -> None:
    for seed in range(3):
        layout = draw(random_dag(size, mean_degree=mean_degree, seed=seed).cpdag())
        assert not [pair for pair in combinations(layout.boxes, 2) if overlap(*pair)]
        for box in layout.boxes:
            assert 0 <= box.x - box.width / 2 <= box.x + box.width / 2 <= layout.width + 0.1
            assert 0 <= box.y - HEIGHT / 2 <= box.y + HEIGHT / 2 <= layout.height + 0.1


def test_arrows_run_from_box_to_box_and_down() -> None:
    graph = random_dag(40, mean_degree=2, seed=1).cpdag()
    layout = draw(graph)
    index = {name: i for i, name in enumerate(graph.variables)}
    assert len(layout.routes) == len(graph.skeleton)
    for a, b in graph.directed:
        route = layout.routes[index[a], index[b]]
        start, end = layout.boxes[index[a]], layout.boxes[index[b]]
        assert abs(route[0][1] - (start.y + HEIGHT / 2)) < 0.11
        assert abs(route[-1][1] - (end.y - HEIGHT / 2)) < 0.11
        assert abs(route[0][0] - start.x) <= start.width / 2
        assert abs(route[-1][0] - end.x) <= end.width / 2
        assert all(above[1] <= below[1] for above, below in pairwise(route))
        assert len(route) % 3 == 1


def test_undirected_edges_suggest_no_direction() -> None:
    graph = random_dag(40, mean_degree=2, seed=1).cpdag()
    layout = draw(graph)
    index = {name: i for i, name in enumerate(graph.variables)}
    assert len(graph.undirected) > 5
    for a, b in map(tuple, graph.undirected):
        assert layout.boxes[index[a]].y == layout.boxes[index[b]].y


def test_edges_pass_beside_the_boxes_of_the_rows_they_cross() -> None:
    graph = random_dag(30, mean_degree=2, seed=2).cpdag()
    layout = draw(graph)
    for route in layout.routes.values():
        for (x, top), (_, bottom) in zip(route[3:-1:6], route[6:-1:6], strict=False):
            inside = [b for b in layout.boxes if top <= b.y <= bottom and abs(b.x - x) < b.width / 2]
            assert not inside


@pytest.mark.parametrize("name", ["asia", "sachs", "child", "insurance", "alarm"])
def test_drawings_of_up_to_forty_variables_are_narrow(name: str) -> None:
    """A label of 13 pixels then has at least 12 pixels beside the panel of the report."""
    network = bitsep.load_network(name)
    graph = network.dag.cpdag()
    assert len(graph.variables) <= 40
    layout = lay_out(graph, [str(variable) for variable in graph.variables])
    assert layout.width <= 940
    assert layout.height <= 1000


def test_large_graphs_are_packed_into_a_rectangle() -> None:
    graph = random_dag(200, mean_degree=2, seed=3).cpdag()
    layout = draw(graph)
    assert 0.7 < layout.width / layout.height < 3
    assert len(layout.routes) == len(graph.skeleton)


def test_long_names_of_an_undirected_tree_keep_apart() -> None:
    star = PDAG(
        [f"{'name ' * 8}{i}" for i in range(12)],
        undirected=[("name " * 8 + "0", f"{'name ' * 8}{i}") for i in range(1, 12)],
    )
    layout = lay_out(star, [str(name) for name in star.variables])
    assert not [pair for pair in combinations(layout.boxes, 2) if overlap(*pair)]
    assert len(layout.routes) == 11


def test_a_graph_without_a_consistent_extension_is_drawn_too() -> None:
    ring = PDAG(list("ABCD"), undirected=[("A", "B"), ("B", "C"), ("C", "D"), ("A", "D")])
    assert ring.consistent_extension() is None
    assert len(draw(ring).routes) == 4


def test_graphs_without_edges_or_variables() -> None:
    assert draw(PDAG([])).boxes == ()
    assert len(draw(PDAG(["A"])).boxes) == 1


def test_the_drawing_does_not_depend_on_the_order_of_edges() -> None:
    edges = [("A", "B"), ("B", "C"), ("A", "D"), ("D", "C"), ("A", "C")]
    assert draw(DAG(list("ABCD"), edges).cpdag()) == draw(DAG(list("DCBA"), edges[::-1]).cpdag())
