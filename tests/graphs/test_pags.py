"""MAGs and PAGs against twins that enumerate paths, separators and graphs; legality; comparison."""

from __future__ import annotations

import copy
import pickle
import random
from collections import defaultdict
from itertools import combinations, permutations

import pytest

import bitsep
from bitsep.errors import ArgumentError, UnknownColumnError, UnsupportedTypeError
from bitsep.graphs import DAG, MAG, PAG, PDAG, PagComparison, compare
from bitsep.graphs.ancestral import flaw
from bitsep.graphs.end_marks import EndMarks
from bitsep.markup import html_table
from discovery.hidden_cases import marks, random_case
from twins import pags

DIAMOND = DAG(["A", "B", "C", "D", "L"], [("A", "B"), ("L", "B"), ("L", "C"), ("D", "C")])


def graph_of(variables: str, found: pags.Marks, kind: type[MAG] | type[PAG]) -> MAG | PAG:
    shown = {"-": ("-", "-"), ">": ("<", ">"), "o": ("o", "o")}
    edges = [(a, f"{shown[found[b, a]][0]}-{shown[there][1]}", b) for (a, b), there in found.items() if a < b]
    signs = {"-->": "->", "<--": "<-", "---": "--"}
    return kind(list(variables), [(a, signs.get(sign, sign), b) for a, sign, b in edges])


def test_random_dags_with_hidden_and_selection_variables() -> None:
    rng = random.Random(0)
    for _ in range(500):
        dag, hidden, selection = random_case(rng, 6)
        observed = [v for v in dag.variables if v not in hidden and v not in selection]
        mag = dag.mag(hidden, selection)
        assert marks(mag) == pags.mag_of_dag(dag.edges, observed, selection)
        found = pags.separators_of_dag(dag.edges, observed, selection)
        pag = dag.pag(hidden, selection)
        assert marks(pag) == pags.pag(observed, found, selection=True)
        assert pag.is_legal, pag.illegal_because
        assert pag.mag().pag() == pag
        x, y, *others = rng.sample(observed, len(observed))
        given = rng.sample(others, rng.randint(0, len(others)))
        expected = pags.separated(pags.of_dag(dag.edges), x, y, frozenset((*given, *selection)))
        assert mag.m_separated(x, y, given) == pag.m_separated(x, y, given) == expected


def test_the_pag_of_a_large_grid_of_selected_variables() -> None:
    """No cycle has the edge that leads out of the grid; to try all paths for one would take years."""
    size = 12
    edges = [((i, j), "--", to) for i in range(size) for j in range(size) for to in ((i + 1, j), (i, j + 1))]
    inside = [(f"{a[0]},{a[1]}", sign, f"{b[0]},{b[1]}") for a, sign, b in edges if max(b) < size]
    mag = MAG({v for a, _, b in inside for v in (a, b)} | {"out"}, [*inside, ("0,0", "--", "out")])
    assert mag.pag() == PAG(mag.variables, [*inside, ("0,0", "--o", "out")])


@pytest.mark.parametrize("signs", ["→↔", "—", "→↔—"])
def test_random_mags_of_five_variables(signs: str) -> None:
    rng = random.Random(7)
    names, number = list("ABCDE"), 0
    while number < 60:
        pairs = [rng.sample(pair, 2) for pair in combinations(range(5), 2) if rng.random() < 0.6]
        edges = [(i, rng.choice(signs), j) for i, j in pairs]
        if flaw(EndMarks.of(5, edges)) is not None:
            continue
        number += 1
        _check_pag(MAG(names, [(names[i], sign, names[j]) for i, sign, j in edges]))


def test_a_path_is_discriminating_only_if_its_ends_are_not_adjacent() -> None:
    arrows = [("A", "B"), ("A", "C"), ("C", "B"), ("D", "B"), ("F", "C")]
    both = [("A", "D"), ("A", "E"), ("B", "E")]
    rng = random.Random(8)
    for _ in range(20):
        name = dict(zip("ABCDEF", rng.sample("ABCDEF", 6), strict=True))
        edges = [(name[a], sign, name[b]) for pairs, sign in ((arrows, "→"), (both, "↔")) for a, b in pairs]
        _check_pag(MAG(list("ABCDEF"), edges))


def _check_pag(mag: MAG) -> None:
    """The PAG of the rules of the twin, from separators found among all sets."""
    separators = {}
    for a, b in combinations(mag.variables, 2):
        for given in pags.subsets(set(mag.variables) - {a, b}):
            if not mag.adjacent(a, b) and pags.separated(marks(mag), a, b, given):
                separators[frozenset((a, b))] = given
                break
    assert marks(mag.pag()) == pags.pag(mag.variables, separators, selection=True)


def test_lines_beside_a_ring_in_every_order() -> None:
    """The ring A — B — C — D has no DAG, so its edges are lines; the triangle B, C, E and E — F have one."""
    edges = [("A", "B"), ("B", "C"), ("C", "D"), ("A", "D"), ("B", "E"), ("C", "E"), ("E", "F")]
    known = {"AB", "BA", "BC", "CB", "CD", "DC", "AD", "DA", "BE", "CE", "EF"}  # tail at the first, on the edge of both
    for order in permutations("ABCDEF"):
        name = dict(zip("ABCDEF", order, strict=True))
        pag = MAG(list("ABCDEF"), [(name[a], "—", name[b]) for a, b in edges]).pag()
        for a, b in (*edges, *((b, a) for a, b in edges)):
            assert pag.mark(name[a], name[b]) == ("tail" if a + b in known else "circle")


def _check_all_mags(variables: str, *, lines: bool) -> int:
    classes = defaultdict(list)
    for mag in pags.all_mags(variables, lines=lines):
        classes[pags.independences(variables, mag)].append(mag)
    for members in classes.values():
        expected = pags.common_marks(members)
        for mag in members:
            graph = graph_of(variables, mag, MAG)
            assert isinstance(graph, MAG)
            assert marks(graph.pag()) == expected
    return len(classes)


@pytest.mark.parametrize("lines", [False, True], ids=["hidden", "selection"])
def test_the_pag_has_the_common_marks_of_all_mags_of_three_variables(lines: bool) -> None:
    assert _check_all_mags("ABC", lines=lines) == 11


@pytest.mark.slow
@pytest.mark.parametrize("lines", [False, True], ids=["hidden", "selection"])
def test_the_pag_has_the_common_marks_of_all_mags_of_four_variables(lines: bool) -> None:
    assert _check_all_mags("ABCD", lines=lines) > 185


def test_a_mag_is_ancestral_and_maximal() -> None:
    for edges, words in (
        ([("A", "->", "B"), ("B", "->", "C"), ("C", "->", "A")], "a directed cycle"),
        ([("A", "->", "B"), ("B", "->", "C"), ("A", "<->", "C")], "an ancestor of it"),
        ([("A", "--", "B"), ("C", "->", "B")], "an undirected edge at a variable with an arrowhead"),
        ([("A", "<->", "B"), ("B", "<->", "C"), ("C", "<->", "D"), ("B", "->", "D"), ("C", "->", "A")], "not maximal"),
        ([("A", "o->", "B")], "it has circles"),
    ):
        with pytest.raises(ArgumentError, match=words):
            MAG(list("ABCD"), edges)


@pytest.mark.parametrize(
    ("edges", "words"),
    [
        ([("A", "o-o", "B"), ("B", "o-o", "C"), ("C", "o-o", "D"), ("D", "o-o", "A")], "o—o cannot be directed"),
        ([("A", "o->", "B")], "not implied"),
        ([("A", "o->", "B"), ("B", "o-o", "C"), ("D", "o->", "B")], "not implied"),
        ([("A", "->", "B"), ("B", "->", "C"), ("A", "<->", "C")], "is not a MAG"),
    ],
)
def test_graphs_that_are_not_the_pag_of_any_mag(edges: list[tuple[str, str, str]], words: str) -> None:
    graph = PAG(list("ABCD"), edges)
    assert not graph.is_legal
    assert words in str(graph.illegal_because)
    if "MAG" in words:
        with pytest.raises(ArgumentError):
            graph.mag()


def test_values() -> None:
    pag = DIAMOND.pag(hidden="L")
    assert pag == PAG(list("DCBA"), [("B", "<-o", "A"), ("C", "↔", "B"), ("D", "o→", "C")])
    assert pag != DIAMOND.mag(hidden="L")
    for graph in (pag, DIAMOND.mag(hidden="L")):
        assert pickle.loads(pickle.dumps(graph)) == graph == copy.deepcopy(graph)
        assert hash(graph) == hash(copy.deepcopy(graph))
    assert repr(pag) == "PAG(4 variables, 3 edges: 'A' o→ 'B', 'B' ↔ 'C', 'D' o→ 'C')"
    assert pag.bidirected == {frozenset("BC")}
    assert pag.directed == pag.undirected == frozenset()
    assert (pag.mark("A", "B"), pag.mark("B", "A"), pag.mark("A", "D")) == ("circle", "arrow", None)
    assert pag.v_structures == {("A", "B", "C"), ("B", "C", "D")}
    assert (pag.parents("B"), pag.children("B"), pag.spouses("B")) == (frozenset(), frozenset(), {"C"})
    assert "<table>" in pag._repr_html_()
    with pytest.raises(AttributeError, match="frozen"):
        pag.variables = ()  # type: ignore[misc]


@pytest.mark.parametrize(
    ("edges", "error", "words"),
    [
        ([("A", "=>", "B")], ArgumentError, "with a sign of →, ↔, —, o→, o—o, —o"),
        ([("A", "B")], ArgumentError, "with a sign of"),
        (["A->B"], UnsupportedTypeError, "an edge must be"),
        ([("A", "->", "A")], ArgumentError, "with itself"),
        ([("A", "->", "B"), ("B", "o-o", "A")], ArgumentError, "each pair can have one edge"),
        ([("A", "->", "X")], UnknownColumnError, "no variable 'X'"),
    ],
)
def test_bad_edges(edges: list[tuple[str, str, str]], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        PAG(list("AB"), edges)


def test_bad_sets_of_variables() -> None:
    with pytest.raises(ArgumentError, match="hidden: 'L' is also in selection"):
        DIAMOND.pag(hidden="L", selection=["L"])
    with pytest.raises(UnknownColumnError):
        DIAMOND.mag(hidden="X")
    with pytest.raises(ArgumentError, match="y: must name at least one"):
        DIAMOND.mag().m_separated("A", [])


def test_compare_with_a_dag_with_hidden_variables() -> None:
    truth = DIAMOND.pag(hidden="L")
    perfect = compare(truth, DIAMOND)
    assert isinstance(perfect, PagComparison)
    assert (perfect.f1, perfect.mark_f1, perfect.shd, perfect.mark_shd) == (1, 1, 0, 0)
    assert compare(truth, DIAMOND.mag(hidden="L")) == perfect == compare(DIAMOND.mag(hidden="L"), truth)
    found = PAG(list("ABCD"), [("A", "->", "B"), ("B", "<->", "C"), ("A", "o-o", "C")])
    c = compare(found, truth)
    assert (c.precision, c.recall) == (2 / 3, 2 / 3)
    assert (c.mark_precision, c.mark_recall) == (3 / 4, 3 / 4)
    assert (c.arrow_precision, c.tail_precision, c.tail_recall) == (1, 0, 1)
    assert (c.shd, c.mark_shd) == (3, 5)
    assert (c.missing, c.extra) == ({frozenset("CD")}, {frozenset("AC")})
    assert str(c) == (
        "edges   precision 0.667  recall 0.667  F1 0.667\n"
        "marks   precision 0.750  recall 0.750  F1 0.750\n"
        "arrows  precision 1.000  recall 0.750\n"
        "tails   precision 0.000  recall 1.000\n"
        "SHD 3  (1 edge missing, 1 too many; 5 marks differ)"
    )
    rows = [
        ("edges", "0.667", "0.667", "0.667"),
        ("marks", "0.750", "0.750", "0.750"),
        ("arrows", "1.000", "0.750", ""),
        ("tails", "0.000", "1.000", ""),
    ]
    caption = "SHD 3 (1 edge missing, 1 too many; 5 marks differ)"
    assert c._repr_html_() == html_table(caption, ("", "precision", "recall", "F1"), rows, numbers=(1, 2, 3))
    assert "0 edges missing, 0 too many" in str(perfect)
    assert "missing" not in repr(c)
    assert "extra" not in repr(c)
    assert c.to_dict()["mark_shd"] == 5


def test_compare_graphs_without_edges_or_marks() -> None:
    empty, circles, arrow = PAG(list("AB")), PAG(list("AB"), [("A", "o-o", "B")]), PAG(list("AB"), [("A", "->", "B")])
    for found, truth, skeleton, marks_found, arrows, tails in (
        (empty, empty, (1, 1, 1), (1, 1, 1), (1, 1), (1, 1)),
        (empty, arrow, (1, 0, 0), (1, 0, 0), (1, 0), (1, 0)),
        (arrow, circles, (1, 1, 1), (0, 1, 0), (0, 1), (0, 1)),
        (circles, arrow, (1, 1, 1), (1, 0, 0), (1, 0), (1, 0)),
    ):
        c = compare(found, truth)
        assert isinstance(c, PagComparison)
        assert (c.precision, c.recall, c.f1) == skeleton
        assert (c.mark_precision, c.mark_recall, c.mark_f1) == marks_found
        assert (c.arrow_precision, c.arrow_recall) == arrows
        assert (c.tail_precision, c.tail_recall) == tails


def test_compare_a_pdag_with_a_pag() -> None:
    truth = DIAMOND.pag(hidden="L")
    found = PDAG(list("ABCD"), [("A", "B"), ("C", "B")], [("C", "D")])
    c = compare(found, truth)
    assert isinstance(c, PagComparison)
    assert (c.mark_precision, c.mark_recall) == (2 / 4, 2 / 4)
    with pytest.raises(UnsupportedTypeError, match="must be a DAG, PAG or MAG"):
        compare(truth, found)


def test_public_names() -> None:
    assert bitsep.PAG is PAG
