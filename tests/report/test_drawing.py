"""The SVG picture of a graph: well-formed, complete, and safe with any name."""

from xml.etree import ElementTree

import bitsep
from bitsep.report.drawing import draw_svg
from bitsep.report.marks import end_marks
from report.samples import asia, dense, hostile

SPACE = "{http://www.w3.org/2000/svg}"


def texts(picture: str) -> list[str]:
    return [node.text or "" for node in ElementTree.fromstring(picture).iter(f"{SPACE}text")]


def test_the_picture_has_every_variable_and_edge() -> None:
    discovery, _ = asia()
    picture = draw_svg(discovery)
    assert texts(picture) == list(discovery.variables)
    lines = [node for node in ElementTree.fromstring(picture).iter(f"{SPACE}path") if node.get("fill") == "none"]
    heads = [node for node in ElementTree.fromstring(picture).iter(f"{SPACE}path") if node.get("fill") != "none"]
    assert len(lines) == len(discovery.skeleton)
    assert len(heads) == len(discovery.graph.directed)


def test_hostile_names_are_text() -> None:
    picture = draw_svg(hostile()[0])
    assert "<script>window.hacked=1</script>" in texts(picture)
    assert not list(ElementTree.fromstring(picture).iter(f"{SPACE}script"))


def test_a_dense_graph_says_what_is_drawn() -> None:
    title = next(ElementTree.fromstring(draw_svg(dense(60)[0])).iter(f"{SPACE}title"))
    assert title.text == "Graph of 60 variables and 1,770 edges, of which the 240 strongest are drawn"


def test_edges_without_support_look_doubtful() -> None:
    data = bitsep.load_network("asia").sample(300, seed=2)
    d = bitsep.discover(data, bootstrap=20, seed=1)
    picture = draw_svg(d)
    assert d.doubts
    assert picture.count('stroke-dasharray="2 4"') == sum(doubt.kind == "edge" for doubt in d.doubts)
    heads = {frozenset(doubt.pair) for doubt in d.doubts} & {frozenset(edge) for edge in d.graph.directed}
    assert picture.count('z" fill="white"') == len(heads)


def test_marks_of_every_sign() -> None:
    assert end_marks("↔") == ("arrow", "arrow")
    assert end_marks("o—o") == ("circle", "circle")
    assert end_marks("—o") == ("tail", "circle")
