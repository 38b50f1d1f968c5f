"""Names in sentences and lists: whatever a column is called, a reader sees where its name begins and ends."""

from __future__ import annotations

import ast
import re
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bitsep
from bitsep.naming import shown_name, shown_names
from bitsep.report.build import build_view

ODD = ["", " ", "a, b", "two words", "none", "x → y", "it's", "line\nbreak", "\x1b[31m"]
"""Names that would disappear, or run into the text around them."""


@pytest.mark.parametrize("name", ["smoke", "Größe", "x.1", "a-b", "100%", "A/B", "_", "😀", "№", "C++", 7, -1, 2.5])
def test_plain_words_and_numbers_stay_as_they_are(name: object) -> None:
    assert shown_name(name) == str(name)


@pytest.mark.parametrize("name", [*ODD, "a;b", "(x)", "<b>", "and", "nothing", '"', "tab\t", "\ud800", "back\\slash "])
def test_odd_names_are_quoted_on_one_line(name: str) -> None:
    shown = shown_name(name)
    assert shown[0] == shown[-1]
    assert shown[0] in "'\""
    assert shown.isprintable()
    assert ast.literal_eval(shown) == name


@given(st.lists(st.one_of(st.text(), st.sampled_from(ODD)), max_size=4))
def test_a_list_of_names_can_be_taken_apart_again(names: list[str]) -> None:
    quoted = r"'(?:[^'\\]|\\.)*'" + "|" + r'"(?:[^"\\]|\\.)*"'
    parts = re.findall(rf"{quoted}|[^,\s]+", shown_names(names, ""))
    assert [ast.literal_eval(part) if part[0] in "'\"" else part for part in parts] == names


def odd_data(name: str) -> dict[str, np.ndarray]:
    """A v-structure whose common effect, and one of whose causes, have odd names; and a column beside it."""
    rng = np.random.default_rng(1)
    first, second = rng.integers(0, 2, (2, 2000))
    effect = np.where(rng.random(2000) < 0.1, rng.integers(0, 4, 2000), 2 * first + second)
    return {name: effect, "plain": first, f"{name},": second, f"{name};": rng.integers(0, 2, 2000)}


@pytest.mark.parametrize("name", ODD)
def test_every_text_about_a_discovery_quotes_odd_names(name: str) -> None:
    quoted = shown_name(name)
    data = odd_data(name)
    d = bitsep.pc_stable(data, bootstrap=2)
    assert f"plain → {quoted}" in str(d)
    assert quoted in d.explain("plain", name).splitlines()[0]
    assert f"plain → {quoted} ← {shown_name(name + ',')}" in d.explain("plain", name)
    assert f"as {quoted} → plain" in d.explain("plain", name) or f"as plain → {quoted}" in d.explain("plain", name)
    assert shown_name(f"{name};") in re.sub(
        "&#x27;|&quot;", lambda m: "'" if "27" in m[0] else '"', d.graph._repr_html_()
    )
    assert quoted in repr(bitsep.Table(data))
    for a, b in combinations(d.variables, 2):
        assert f"{shown_name(a)} and {shown_name(b)} have" in d.explain(a, b)


@pytest.mark.parametrize("name", ODD)
def test_every_text_about_a_blanket_quotes_odd_names(name: str) -> None:
    found = bitsep.markov_blanket(odd_data(name), "plain")
    assert found.neighbors == (name,)
    assert f"  neighbors  {shown_name(name)}\n" in str(found)
    assert found.explain(name).startswith(f"{shown_name(name)} is a neighbor of plain")
    other = bitsep.markov_blanket(odd_data(name), name)
    assert str(other).startswith(f"Markov blanket of {shown_name(name)}\n")


@pytest.mark.parametrize("name", ODD)
def test_a_question_quotes_odd_names(name: str) -> None:
    result = bitsep.independence_test(odd_data(name), "plain", [name, f"{name},"], given=f"{name};")
    pair = f"({shown_name(name)}, {shown_name(name + ',')})"
    assert str(result).splitlines()[0] == f"plain ⊥ {pair} | {shown_name(name + ';')}"


def test_conflicts_quote_odd_names() -> None:
    """Two v-structures that ask for both directions of an edge between odd names."""
    for seed in range(50):
        graph = bitsep.graphs.random_dag(6, mean_degree=3, seed=seed)
        network = bitsep.networks.random_network(graph, levels=2, seed=seed)
        frame = network.sample(300, seed=seed)
        frame.columns = ODD[:6]
        d = bitsep.pc_stable(frame, orientation="standard")
        if d.conflicts:
            break
    assert d.conflicts
    for conflict in d.conflicts:
        assert f"{shown_name(conflict.edge[0])} — {shown_name(conflict.edge[1])} " in str(conflict.reason)


def test_the_report_shows_an_empty_name_in_quotes() -> None:
    d = bitsep.pc_stable(odd_data(""))
    assert build_view(d).variables[0].label == "''"


def test_the_report_quotes_odd_names_in_sentences_and_lists() -> None:
    d = bitsep.pc_stable(odd_data(""))
    for name, variable in zip(d.variables, build_view(d).variables, strict=True):
        assert (variable.quoted or variable.label) == shown_name(name)
