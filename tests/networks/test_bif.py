"""BIF: all bundled files, the whole grammar, and errors that name their place."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bitsep.errors import ArgumentError, FormatError, ReadError, UnsupportedTypeError, WriteError
from bitsep.graphs import DAG
from bitsep.networks import Network, load_network, network_names, random_network, read_bif


def parse(text: str) -> Network:
    return read_bif(io.StringIO(text))


def written(network: Network) -> str:
    stream = io.StringIO()
    network.to_bif(stream)
    return stream.getvalue()


@pytest.mark.parametrize("name", network_names())
@pytest.mark.parametrize("ending", ["bif", "bif.gz"])
def test_bundled_networks_survive(tmp_path: Path, name: str, ending: str) -> None:
    network = load_network(name)
    path = tmp_path / f"{name}.{ending}"
    network.to_bif(path)
    assert read_bif(path) == network
    assert read_bif(str(path)) == network
    assert parse(written(network)) == network


EVERYTHING = """
// comments may come first
network "a test" { property author somebody; property "date 1/2" ; }
/* over
   lines */
variable rain { property "position = (1, 2)" ; type discrete[2] { no, yes }; property x ; }
variable "wet grass" { type discrete [ 3 ] { <5, 5-12, "12 +" }; }
variable c{type discrete[2]{Asy/Patch,Transp.};}
variable d { type discrete [ 2 ] { t f }; }
probability ( d | rain, c ) { default 0.5 0.5; (yes, Transp.) 1.0, 0.0; property z ; }
probability(c|rain){table 0.1,0.2 , 0.9 0.8;}
probability ( rain ) { table 2e-1, .8; } // behind
probability ( "wet grass" | rain ) {
  (yes) 0.1, 0.2, 0.7;
  (no) 1, 0, 0;
}
"""


def test_the_whole_grammar() -> None:
    network = parse(EVERYTHING)
    assert network.name == "a test"
    assert network.variables == ("c", "d", "rain", "wet grass")
    assert network.levels("wet grass") == ("<5", "5-12", "12 +")
    assert network.levels("c") == ("Asy/Patch", "Transp.")
    assert network.parents("d") == ("rain", "c")
    assert network.cpt("rain").tolist() == [0.2, 0.8]
    assert network.cpt("wet grass").tolist() == [[1, 0, 0], [0.1, 0.2, 0.7]]
    assert network.cpt("c").tolist() == [[0.1, 0.9], [0.2, 0.8]]  # in a table the child's level changes slowest
    assert network.cpt("d").tolist() == [[[0.5, 0.5], [0.5, 0.5]], [[0.5, 0.5], [1, 0]]]
    assert parse(written(network)) == network


words = st.text(max_size=5) | st.sampled_from(
    [
        "",
        "a b",
        'q"',
        "\\",
        "a\\",
        "//",
        "/*",
        "a//b",
        "a/b",
        "{",
        "|",
        "\n",
        "\r",
        "\t",
        "ü",
        "🦆",
        "table",
        ";",
        "default",
    ]
)


@given(
    st.lists(words, unique=True, min_size=2, max_size=4), st.lists(words, unique=True, min_size=1, max_size=4), words
)
@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_any_names_and_levels_survive(names: list[str], levels: list[str], title: str) -> None:
    shape = random_network(DAG(range(len(names)), [(0, i) for i in range(1, len(names))]), levels=len(levels), seed=3)
    network = Network(
        dict.fromkeys(names, levels),
        {name: [names[0]] for name in names[1:]},
        {name: shape.cpt(i) for i, name in enumerate(names)},
        name=title,
    )
    assert parse(written(network)) == network


def test_probabilities_survive_to_the_last_bit() -> None:
    for seed in range(20):
        network = random_network(DAG(["a", "b", "c"], [("a", "c"), ("b", "c")]), levels=5, seed=seed)
        network = Network({v: network.levels(v) for v in "abc"}, {"c": ["a", "b"]}, {v: network.cpt(v) for v in "abc"})
        back = parse(written(network))
        assert all(np.array_equal(back.cpt(v), network.cpt(v)) for v in "abc")


HEAD = "network n { }\nvariable a { type discrete [ 2 ] { x, y }; }\nvariable b { type discrete [ 2 ] { u, v }; }\n"
A = "probability ( a ) { table 0.5, 0.5; }\n"
B = "probability ( b | a ) { (x) 0.5, 0.5; (y) 0.5, 0.5; }\n"

MALFORMED = [
    ("", "line 1, column 1: expected 'network', got the end of the file"),
    ("netwrk n { }", "line 1, column 1: expected 'network', got 'netwrk'"),
    ("network { }", "line 1, column 9: expected the network's name, got '{'"),
    ("network n {", "line 1, column 12: expected 'property' or '}', got the end of the file"),
    ("network n { property x }", "line 1, column 13: this property is not closed"),
    ("network n { }\nvariabel a { }", "line 2, column 1: expected 'variable' or 'probability', got 'variabel'"),
    ("network n { } network m { }", "line 1, column 15: expected 'variable' or 'probability'"),
    ("network n { } variable a { }", "line 1, column 24: the variable 'a' has no type"),
    ("network n { } variable a { type real; }", "column 33: expected 'discrete', the only type supported, got 'real'"),
    ("network n { } variable a { type discrete { x }; }", r"column 42: expected '\[', got '{'"),
    (
        "network n { } variable a { type discrete [ 3 ] { x, y }; }",
        "column 44: expected 2, the number of levels listed, got '3'",
    ),
    ("network n { } variable a { type discrete [ two ] { x, y }; }", "expected 2.*got 'two'"),
    ("network n { } variable a { type discrete [ 0 ] { }; }", "at least one level"),
    ("network n { } variable a { type discrete [ 2 ] { x, x }; }", "column 53: the level 'x' occurs twice"),
    ("network n { } variable a { type discrete [ 1 ] { x } }", "column 54: expected ';', got '}'"),
    ("network n { } variable a { kind x; }", "column 28: expected 'type', 'property' or '}'"),
    ("network n { } variable a { type discrete [1] {x}; type discrete [1] {x}; }", "second type"),
    (HEAD + "variable a { type discrete [ 1 ] { x }; }", "line 4, column 10: the variable 'a' is declared twice"),
    (HEAD + A, "line 3, column 10: the variable 'b' has no probability block"),
    (HEAD + A + A + B, "line 5, column 15: the variable 'a' has a second probability block"),
    (HEAD + A + "probability ( b | c ) { (x) 1, 0; }", "line 5, column 19: no variable 'c'"),
    (HEAD + A + B + "probability ( c ) { table 1; }", "line 6, column 15: no variable 'c'"),
    (HEAD + A + "probability ( b | a a ) { }", "column 21: 'a' occurs twice"),
    (HEAD + A + "probability ( b | b ) { }", "column 19: 'b' occurs twice"),
    (HEAD + A + "probability ( b | a { }", r"column 21: expected a parent or '\)', got '{'"),
    (HEAD + A + "probability ( b | a ) { (x) 0.5, 0.5; }", r"column 15: the block of 'b' has no row for \(y\)"),
    (HEAD + A + "probability ( b | a ) { (x) 1, 0; (x) 1, 0; }", r"column 35: a second row for \(x\)"),
    (HEAD + A + "probability ( b | a ) { (z) 1, 0; }", "column 26: 'a' has no level 'z'. Known: 'x', 'y'"),
    (HEAD + A + "probability ( b | a ) { (x, y) 1, 0; }", "column 25: expected 1 levels, one per parent, got 2"),
    (HEAD + A + "probability ( b | a ) { (x) 1; }", "column 25: expected 2 probabilities of 'b' here, got 1"),
    (
        HEAD + A + "probability ( b | a ) { (x) 0.5, 0.4; }",
        "column 25: probabilities of 'b': must sum to 1 in each row, got 0.9",
    ),
    (HEAD + A + "probability ( b | a ) { (x) 1.5, -0.5; }", "column 29: expected a probability between 0 and 1"),
    (HEAD + A + "probability ( b | a ) { (x) nan, 1; }", "column 29: expected a probability"),
    (HEAD + A + "probability ( b | a ) { (x) half, 1; }", "got 'half'"),
    (HEAD + A + "probability ( b | a ) { (x) 1_0, 1; }", "got '1_0'"),
    (HEAD + A + "probability ( b | a ) { table 1, 0; }", "column 25: expected 4 probabilities of 'b' here, got 2"),
    (HEAD + A + "probability ( b | a ) { table .1,.9,.1,.9; }", "must sum to 1 in each row, got 0.2"),
    (HEAD + A + "probability ( b | a ) { table 1,1,0,0; (x) 1,0; }", "only one of them is allowed"),
    (HEAD + A + "probability ( b | a ) { default 1,0; default 1,0; }", "a second 'default'"),
    (HEAD + A + "probability ( b | a ) { default 1; }", "expected 2 probabilities"),
    (
        HEAD + A + "probability ( b | a ) { rows 1; }",
        r"column 25: expected '\(', 'table', 'default', 'property' or '}'",
    ),
    (HEAD + A + "probability ( b ) { }", "column 15: the block of 'b' has no 'table'"),
    (HEAD + A + "probability ( b | a ) { (x) 0.5, 0.5", "expected a number or ';', got the end of the file"),
    (HEAD + "probability ( a | b ) { default 1, 0; }\nprobability ( b | a ) { default 1, 0; }", "'a'"),
    (HEAD + '"open', "line 4, column 1: this quoted text is not closed"),
    (HEAD + "  /* open", "line 4, column 3: this comment is not closed"),
]


@pytest.mark.parametrize(("text", "words"), MALFORMED)
def test_malformed(text: str, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        parse(text)


def test_a_cycle_is_named() -> None:
    three = HEAD + "variable c { type discrete [ 1 ] { x }; }\n"
    for child, parent in (("a", "b"), ("b", "c"), ("c", "a")):
        size = 1 if child == "c" else 2
        three += f"probability ( {child} | {parent} ) {{ default {', '.join(['1'] + ['0'] * (size - 1))}; }}\n"
    with pytest.raises(FormatError, match="'a' → 'c' → 'b' → 'a'"):
        parse(three)


@settings(max_examples=300, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_damaged_files_raise_nothing_but_format_errors(data: st.DataObject) -> None:
    """Cut, doubled or overwritten somewhere, a file is read or refused; nothing else happens."""
    place = data.draw(st.integers(0, len(EVERYTHING) - 1))
    piece = data.draw(st.sampled_from(["", "}", "{", ";", '"', "(", "|", "1", "/*", "x", "type", "0.5,", "\x00"]))
    gap = data.draw(st.integers(0, 6))
    try:
        network = parse(EVERYTHING[:place] + piece + EVERYTHING[place + gap :])
    except FormatError:
        return
    assert parse(written(network)) == network


def test_sources_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"missing.bif' cannot be read"):
        read_bif(tmp_path / "missing.bif")
    with pytest.raises(ReadError, match="cannot be read"):
        read_bif(tmp_path)
    with pytest.raises(UnsupportedTypeError, match="text mode"):
        read_bif(io.BytesIO(b"network n { }"))  # type: ignore[arg-type]
    with pytest.raises(UnsupportedTypeError, match="path or a text stream"):
        read_bif(7)  # type: ignore[arg-type]
    with pytest.raises(ReadError):
        read_bif("a\0b")
    (tmp_path / "latin.bif").write_bytes("network é { }".encode("latin-1"))
    with pytest.raises(FormatError, match="UTF-8"):
        read_bif(tmp_path / "latin.bif")
    (tmp_path / "cut.bif.gz").write_bytes(gzip.compress(EVERYTHING.encode())[:-20])
    with pytest.raises(FormatError, match="damaged"):
        read_bif(tmp_path / "cut.bif.gz")


def test_a_byte_order_mark_is_read_over(tmp_path: Path) -> None:
    (tmp_path / "bom.bif").write_bytes(b"\xef\xbb\xbf" + EVERYTHING.encode())
    assert read_bif(tmp_path / "bom.bif") == parse(EVERYTHING)


def test_networks_that_cannot_be_written(tmp_path: Path) -> None:
    network = parse(EVERYTHING)
    with pytest.raises(WriteError, match="cannot be written"):
        network.to_bif(tmp_path / "nowhere" / "a.bif")
    with pytest.raises(WriteError, match="is a directory"):
        network.to_bif(tmp_path)
    with pytest.raises(ArgumentError, match="variables: must differ as text in BIF, got 7 and '7'"):
        Network({7: ["x"], "7": ["x"]}, {}, {7: [1], "7": [1]}).to_bif(tmp_path / "a.bif")
    with pytest.raises(ArgumentError, match="levels of 'a': must differ as text in BIF, got 0 and '0'"):
        Network({"a": [0, "0"]}, {}, {"a": [0.5, 0.5]}).to_bif(tmp_path / "a.bif")
    with pytest.raises(UnsupportedTypeError, match="surrogate"):
        Network({"\ud800": ["x"]}, {}, {"\ud800": [1]}).to_bif(tmp_path / "a.bif")
    assert not (tmp_path / "a.bif").exists()


def test_equal_networks_give_equal_files(tmp_path: Path) -> None:
    for name in ("one.bif.gz", "two.bif.gz"):
        load_network("asia").to_bif(tmp_path / name)
    assert (tmp_path / "one.bif.gz").read_bytes() == (tmp_path / "two.bif.gz").read_bytes()


def test_names_and_levels_that_are_not_text_become_text() -> None:
    tables = {0: [0.5, 0.5], 1: [[0.25, 0.75], [1, 0]]}
    network = Network({0: [True, False], 1: [2.5, 7]}, {1: [0]}, tables, name="numbers")
    as_text = {"0": tables[0], "1": tables[1]}
    assert parse(written(network)) == Network(
        {"0": ["True", "False"], "1": ["2.5", "7"]}, {"1": ["0"]}, as_text, name="numbers"
    )


def test_plain_names_and_levels() -> None:
    levels = {"age (years)": ["(1, 2]", "(2, 3]", "_1__2_"], "2nd": ["1", "1.5", "-1"], "ok": ["a b", "a-b", "a_b"]}
    network = Network(
        levels, {"ok": ["2nd"]}, {"age (years)": [1, 0, 0], "2nd": [0, 1, 0], "ok": np.eye(3)}, name="a b"
    )
    stream = io.StringIO()
    network.to_bif(stream, plain=True)
    plain = parse(stream.getvalue())
    assert plain.name == "a_b"
    assert plain.variables == ("_2nd", "age__years_", "ok")
    assert plain.levels("age__years_") == ("_1__2__2", "_2__3_", "_1__2_")
    assert plain.levels("_2nd") == ("1", "_1_5", "_1")
    assert plain.levels("ok") == ("a_b_2", "a_b_3", "a_b")
    assert np.array_equal(plain.cpt("ok"), network.cpt("ok"))
    assert '"' not in stream.getvalue()


def test_plain_words_stay(tmp_path: Path) -> None:
    for plain in (False, True):
        load_network("asia").to_bif(tmp_path / "asia.bif", plain=plain)
        assert read_bif(tmp_path / "asia.bif") == load_network("asia")
