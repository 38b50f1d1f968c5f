"""Every format gives back what was written, whatever the names; what is malformed is refused with its place."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitsep.errors import ArgumentError, BitsepError, FormatError, ReadError, UnsupportedTypeError, WriteError
from bitsep.graphs import DAG, MAG, PAG, PDAG
from bitsep.graphs.end_marks import SIGNS
from graphs.naive import fixed

HOSTILE = [
    "plain", "two words", 'quo"te', "back\\slash", "trailing\\", "new\nline", "cr\r\n", "tab\t", "Übermut", "🦆",
    "<script>", "&amp;", "", " ", "a -> b", "a -- b", "[x|y:z]", "node", "digraph", "Node", "n0", "n1", "//comment",
    "/* c */", "# hash", "'", "`", "{}", "null", "true", "1", "-3", 1, -3, 10**20, "\x00", "\x1f\x7f", "\ud800",
    "\u2028", "a;b", "a,b", "]]>", "<!--", "é", "e\u0301", '"quoted"', '"3"', "%5B", "\\n", "\\N", "alone",
]  # fmt: skip
FORMATS = ["networkx", "igraph", "dot", "graphml", "edge_list", "json"]


def round_trip(graph: DAG | PDAG | PAG, form: str) -> DAG | PDAG | PAG:
    written = getattr(graph, f"to_{form}")()
    result: DAG | PDAG | PAG = getattr(type(graph), f"from_{form}")(written)
    return result


@pytest.mark.parametrize("form", FORMATS)
def test_hostile_names(form: str) -> None:
    chain = list(pairwise(HOSTILE[:-1]))
    dag = DAG(HOSTILE, chain)
    pdag = PDAG(HOSTILE, chain[::2], chain[1::2])
    pag = PAG(HOSTILE, [(a, list(SIGNS)[k % len(SIGNS)], b) for k, (a, b) in enumerate(chain)])
    for graph in (dag, pdag, pag):
        back = round_trip(graph, form)
        assert back == graph
        assert [type(v) for v in back.variables] == [type(v) for v in graph.variables]


names = st.one_of(st.text(max_size=6), st.integers(-(10**6), 10**6), st.sampled_from(HOSTILE))


@pytest.mark.parametrize("form", FORMATS)
@given(st.lists(names, unique=True, max_size=6), st.data())
@settings(fixed, max_examples=60)
def test_any_names(form: str, variables: list[str | int], data: st.DataObject) -> None:
    pairs = [(a, b) for i, a in enumerate(variables) for b in variables[i + 1 :]]
    kinds = data.draw(st.lists(st.sampled_from("→— "), min_size=len(pairs), max_size=len(pairs)))
    arrows = [pair for pair, kind in zip(pairs, kinds, strict=True) if kind == "→"]
    lines = [pair for pair, kind in zip(pairs, kinds, strict=True) if kind == "—"]
    graph = PDAG(variables, arrows, lines)
    assert round_trip(graph, form) == graph
    assert round_trip(DAG(variables, arrows), form) == DAG(variables, arrows)
    signs = data.draw(st.lists(st.sampled_from([*SIGNS, ""]), min_size=len(pairs), max_size=len(pairs)))
    pag = PAG(variables, [(a, sign, b) for (a, b), sign in zip(pairs, signs, strict=True) if sign])
    assert round_trip(pag, form) == pag


@pytest.mark.parametrize("form", FORMATS)
def test_a_dag_reads_as_a_pdag_but_not_the_other_way(form: str) -> None:
    dag = DAG(list("abc"), [("a", "b")])
    assert getattr(PDAG, f"from_{form}")(getattr(dag, f"to_{form}")()) == PDAG(list("abc"), [("a", "b")])
    open_ended = PDAG(list("abc"), undirected=[("a", "b")])
    with pytest.raises(ArgumentError if form.endswith("graph") or form == "networkx" else FormatError, match="PDAG"):
        getattr(DAG, f"from_{form}")(getattr(open_ended, f"to_{form}")())


EVERY_SIGN = PAG(
    list("abcdefgo"),
    [("a", "->", "b"), ("b", "<->", "c"), ("c", "--", "d"), ("d", "o->", "e"), ("e", "o-o", "f"), ("f", "--o", "o")],
)


@pytest.mark.parametrize("form", [*FORMATS, "tetrad", "dagitty"])
def test_every_mark_survives_and_is_refused_by_a_pdag(form: str) -> None:
    assert round_trip(EVERY_SIGN, form) == EVERY_SIGN
    with pytest.raises(ArgumentError if form.endswith("graph") or form == "networkx" else FormatError, match="PAG"):
        getattr(PDAG, f"from_{form}")(getattr(EVERY_SIGN, f"to_{form}")())
    mag = MAG(list("abc"), [("a", "->", "b"), ("b", "<->", "c")])
    assert getattr(MAG, f"from_{form}")(getattr(mag, f"to_{form}")()) == mag


def test_the_matrix_of_causal_learn() -> None:
    matrix = EVERY_SIGN.to_causallearn()
    assert (matrix[0, 1], matrix[1, 0]) == (-1, 1)  # a → b
    assert (matrix[3, 4], matrix[4, 3]) == (2, 1)  # d o→ e
    assert PAG.from_causallearn(matrix, EVERY_SIGN.variables) == EVERY_SIGN
    assert PAG.from_causallearn(matrix.tolist(), EVERY_SIGN.variables) == EVERY_SIGN
    with pytest.raises(ArgumentError, match="a row per variable, 2 by 2"):
        PAG.from_causallearn(matrix, ["a", "b"])
    with pytest.raises(ArgumentError, match=r"got \[1, 0\]"):
        PAG.from_causallearn([[0, 1], [0, 0]], ["a", "b"])


def test_texts_of_tetrad_and_dagitty() -> None:
    text = "Graph Nodes:\nA,B,C\n\nGraph Edges:\n1. A <-- B dd nl\n2. C <-o B\n\nGraph Attributes:\n"
    assert PAG.from_tetrad(text.split("Graph Attributes")[0]) == PAG(list("ABC"), [("B", "->", "A"), ("B", "o->", "C")])
    drawn = 'pag {\n"two words" [pos="1,2"]\nA @-> B <-> "two words" ; C @-@ A\n}'
    edges = [("A", "o->", "B"), ("B", "<->", "two words"), ("C", "o-o", "A")]
    assert PAG.from_dagitty(drawn) == PAG(["A", "B", "C", "two words"], edges)
    for form, name in (("tetrad", "two words"), ("tetrad", 3), ("dagitty", 'quo"te')):
        with pytest.raises(UnsupportedTypeError, match="a name in"):
            getattr(PAG([name]), f"to_{form}")()


@pytest.mark.parametrize("form", ["dot", "graphml", "edge_list", "json"])
def test_equal_graphs_give_equal_text(form: str) -> None:
    one = PDAG(["b", "a", 2, "c"], [("a", "b")], [("b", 2)])
    other = PDAG(["c", 2, "a", "b"], [("a", "b")], [(2, "b")])
    assert getattr(one, f"to_{form}")() == getattr(other, f"to_{form}")()


@pytest.mark.parametrize("form", ["dot", "graphml", "edge_list", "json"])
def test_names_that_are_neither_text_nor_integer_are_refused(form: str) -> None:
    for name in (("a", 1), 1.5, None, True):
        with pytest.raises(UnsupportedTypeError, match="text or an integer"):
            getattr(DAG([name, "b"]), f"to_{form}")()
    assert round_trip(DAG([("a", 1), "b"]), "networkx") == DAG([("a", 1), "b"])


@pytest.mark.parametrize("form", ["dot", "graphml", "edge_list", "json"])
def test_letters_of_all_languages_are_readable_and_other_signs_are_escaped(form: str) -> None:
    names = ["Größe", "日本", "😀", "a\u200eb", "c\u2028d", "e\ud800f", "g\x7fh", "i\ufffej"]
    graph = PDAG(names, [("Größe", "日本")])
    text = getattr(graph, f"to_{form}")()
    assert getattr(PDAG, f"from_{form}")(text) == graph
    assert all(name in text for name in names[:3])
    assert "\\u00f6" not in text
    text.encode()
    if form != "graphml":  # which has the names as labels, too
        assert all(sign.isprintable() or sign == "\n" for sign in text)


@pytest.mark.parametrize("form", ["dot", "graphml", "edge_list", "json", "tetrad", "dagitty", "modelstring"])
def test_texts_may_be_bytes_with_a_byte_order_mark_and_nothing_else(form: str) -> None:
    dag = DAG(["a", "b"], [("a", "b")])
    text = getattr(dag, f"to_{form}")()
    read = getattr(DAG, f"from_{form}")
    for source in (text, "\ufeff" + text, text.encode(), text.encode("utf-8-sig")):
        assert read(source) == dag
    for other in (None, 3, [text]):
        with pytest.raises(UnsupportedTypeError, match=r"text: must be text, got"):
            read(other)
    with pytest.raises(FormatError, match=r"text: must be text, or bytes in UTF-8"):
        read(b"\xff")


def test_model_string() -> None:
    dag = DAG(["A", "B", "C D", "é"], [("A", "B"), ("C D", "B")])
    assert dag.to_modelstring() == "[A][C D][B|A:C D][é]"
    assert DAG.from_modelstring(dag.to_modelstring()) == dag
    assert DAG.from_modelstring("[B|A][A]") == DAG(["A", "B"], [("A", "B")])
    assert DAG.from_modelstring("") == DAG([])
    for name in ("a:b", "a|b", "[", "]", "", 3):
        with pytest.raises(UnsupportedTypeError, match="model string"):
            DAG([name]).to_modelstring()
    for text in ("A", "[A", "[A|]", "[]", "[A]x", "[A|B|C]", "[A|B::C][B][C]"):
        with pytest.raises(FormatError, match="column"):
            DAG.from_modelstring(text)


def test_dot_of_others() -> None:
    text = """
    // made by hand
    strict digraph "my graph" {
      rankdir=LR; node [shape=box, color="red"]
      a -> b -> "c d" [weight=2];  /* a chain */
      b -> e [dir=none] e -> f [dir=back]
      7; "#"
# a preprocessor line
    }"""
    assert PDAG.from_dot(text) == PDAG(
        ["a", "b", "c d", "e", "f", "7", "#"], [("a", "b"), ("b", "c d"), ("f", "e")], [("b", "e")]
    )
    assert PDAG.from_dot("graph { a -- b }") == PDAG(["a", "b"], undirected=[("a", "b")])


def test_graphml_and_networkx_of_others() -> None:
    import networkx

    graph = networkx.DiGraph([("a", "b"), ("b", "c"), ("c", "b")])
    expected = PDAG(list("abc"), [("a", "b")], [("b", "c")])
    assert PDAG.from_networkx(graph) == expected
    assert PDAG.from_networkx(networkx.Graph([("a", "b")])).undirected == {frozenset("ab")}
    plain = "\n".join(networkx.generate_graphml(networkx.DiGraph([("a", "b")])))
    assert DAG.from_graphml(plain) == DAG(list("ab"), [("a", "b")])
    undirected = "\n".join(networkx.generate_graphml(networkx.Graph([("a", "b")])))
    assert PDAG.from_graphml(undirected).undirected == {frozenset("ab")}


def test_other_programs_read_our_graphml() -> None:
    import io

    import networkx

    text = PDAG(["a b", "<c>"], [("a b", "<c>")]).to_graphml()
    read = networkx.read_graphml(io.BytesIO(text.encode()))
    assert sorted(data["label"] for _, data in read.nodes(data=True)) == ["<c>", "a b"]


def test_igraph_of_others() -> None:
    import igraph

    assert DAG.from_igraph(igraph.Graph([(0, 1)], directed=True)) == DAG([0, 1], [(0, 1)])
    named = igraph.Graph([(0, 1)], directed=False)
    named.vs["name"] = ["x", "y"]
    assert PDAG.from_igraph(named) == PDAG(["x", "y"], undirected=[("x", "y")])


MALFORMED: list[tuple[Callable[[str], object], str, str]] = [
    (PDAG.from_dot, "digraph { a -> }", "line 1, column 16: expected a name"),
    (PDAG.from_dot, "digraph {\n a -- b }", "line 2, column 4: expected '->'"),
    (PDAG.from_dot, "digraph { a", "the end of the file"),
    (PDAG.from_dot, "digraph { subgraph s { a } }", "subgraphs"),
    (PDAG.from_dot, "digraph { { a } }", "subgraphs"),
    (PDAG.from_dot, "graf { }", "expected 'graph' or 'digraph'"),
    (PDAG.from_dot, "digraph { a:port -> b }", "column 12"),
    (PDAG.from_dot, "digraph { <b>x</b> }", "cannot read"),
    (PDAG.from_dot, "digraph { a -> b [dir=both] }", "a PDAG has directed and undirected edges only, got 'a' ↔ 'b'"),
    (PAG.from_tetrad, "A;B", "line 1: expected 'Graph Nodes:'"),
    (PAG.from_tetrad, "", "an empty text"),
    (PAG.from_tetrad, "Graph Nodes:\nA;B\n\nGraph Edges:\n1. A => B", "line 5: expected an edge such as"),
    (PAG.from_dagitty, "A -> B", "expected dag, pdag, mag or pag"),
    (PAG.from_dagitty, "pag A", "expected '{'"),
    (PAG.from_dagitty, "pag { A -> }", "expected a name"),
    (PAG.from_dagitty, "pag { A } B", "expected the end of the text"),
    (PAG.from_json, '{"schema": "bitsep.graph", "schema_version": 1, "variables": ["a"], "edges": [["a"]]}', "a sign"),
    (MAG.from_edge_list, "a -> b\nb -> c\nc -> a", "a directed cycle"),
    (PDAG.from_dot, "digraph { a -> b [dir=up] }", "dir must be forward, back, both or none, got up"),
    (PDAG.from_dot, "digraph { a } x", "end of the file"),
    (PDAG.from_dot, "digraph { a -> b; b -> a }", "one edge"),
    (PDAG.from_dot, 'digraph { a [name="[1]"] }', "name"),
    (PDAG.from_dot, "", "expected"),
    (DAG.from_dot, "digraph { a -> b -> c -> a }", "cycle"),
    (PDAG.from_graphml, "<graphml", "line 1"),
    (PDAG.from_graphml, "<html/>", "graphml"),
    (PDAG.from_graphml, "<graphml/>", "one <graph>"),
    (PDAG.from_graphml, "<graphml><graph><node/></graph></graphml>", "no 'id'"),
    (PDAG.from_graphml, "<graphml><graph><node id='a'/><node id='a'/></graph></graphml>", "twice"),
    (PDAG.from_graphml, "<graphml><graph><node id='a'/><edge source='a'/></graph></graphml>", "no 'target'"),
    (PDAG.from_graphml, "<graphml><graph><edge source='a' target='b'/></graph></graphml>", "must be a node"),
    (PDAG.from_graphml, "<!DOCTYPE x [<!ENTITY a 'b'>]><graphml/>", "document type"),
    (PDAG.from_edge_list, "a -> b\na => b\n", "line 2, column 2"),
    (PDAG.from_edge_list, "a b", "line 1"),
    (PDAG.from_edge_list, "a b c", "expected '->' or '--'"),
    (PDAG.from_edge_list, "b -> c\na ->", "line 2: a name is missing after '->', got 'a ->'"),
    (PDAG.from_edge_list, "-> b", "line 1: a name is missing before '->'"),
    (PDAG.from_edge_list, "a -> b -> c", "line 1"),
    (PDAG.from_edge_list, '"a\\q" -> b', "double quotes"),
    (PDAG.from_edge_list, "a -> a", "itself"),
    (PDAG.from_json, "{", "not JSON"),
    (PDAG.from_json, "[]", "schema"),
    (PDAG.from_json, "[" * 100_000, "JSON"),
    (PDAG.from_json, '{"schema": "bitsep.graph", "schema_version": 2}', "version"),
    (PDAG.from_json, '{"schema": "bitsep.graph", "schema_version": 1}', "variables"),
    (PDAG.from_json, '{"schema": "bitsep.graph", "schema_version": 1, "variables": [1.5]}', "1.5"),
]


@pytest.mark.parametrize(("read", "text", "words"), MALFORMED)
def test_malformed(read: Callable[[str], object], text: str, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        read(text)


@pytest.mark.parametrize("edges", [[["a"]], ["ab"], [["a", None]], 7])
def test_malformed_json_edges(edges: object) -> None:
    document = {"schema": "bitsep.graph", "schema_version": 1, "variables": ["a", "b"], "undirected": []}
    document["directed"] = edges
    with pytest.raises(FormatError):
        PDAG.from_json(json.dumps(document))


def test_unknown_ends_in_files() -> None:
    document = {"schema": "bitsep.graph", "schema_version": 1, "variables": ["a"], "undirected": []}
    document["directed"] = [["a", "b"]]
    with pytest.raises(BitsepError, match="no variable 'b'"):
        PDAG.from_json(json.dumps(document))


def test_things_that_are_no_graph() -> None:
    for read in (PDAG.from_networkx, PDAG.from_igraph):
        with pytest.raises(UnsupportedTypeError, match=r"must be an? (networkx|igraph) graph"):
            read([("a", "b")])


@pytest.mark.parametrize("ending", ["json", "dot", "gv", "graphml", "txt", "edges", "JSON"])
def test_save_and_load(tmp_path: Path, ending: str) -> None:
    graph = PDAG(["ä", "b c", 3], [("ä", 3)], [("b c", 3)])
    path = tmp_path / f"graph.{ending}"
    graph.save(path)
    assert PDAG.load(str(path)) == graph


def test_files_that_cannot_be(tmp_path: Path) -> None:
    graph = DAG(["a"])
    with pytest.raises(ArgumentError, match="must end in"):
        graph.save(tmp_path / "graph.png")
    with pytest.raises(WriteError, match="cannot be written"):
        graph.save(tmp_path / "nowhere" / "graph.dot")
    with pytest.raises(ReadError, match="cannot be read"):
        DAG.load(tmp_path / "missing.dot")
    (tmp_path / "folder.dot").mkdir()
    with pytest.raises(ReadError, match="cannot be read"):
        DAG.load(tmp_path / "folder.dot")
    (tmp_path / "latin.dot").write_bytes(b"digraph { \xff }")
    with pytest.raises(FormatError, match="UTF-8"):
        DAG.load(tmp_path / "latin.dot")
