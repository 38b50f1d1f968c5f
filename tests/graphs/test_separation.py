"""d-separation against the moral graph of the ancestral set."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitsep.errors import ArgumentError, UnknownColumnError
from bitsep.graphs import DAG
from graphs.naive import dags, fixed, moral_separated

COLLIDER = DAG(list("abcd"), [("a", "c"), ("b", "c"), ("c", "d")])


@given(dags(min_size=2, max_size=8), st.data())
@settings(fixed, max_examples=500)
def test_against_moralisation(dag: DAG, data: st.DataObject) -> None:
    place = data.draw(st.lists(st.sampled_from("xyz-"), min_size=len(dag.variables), max_size=len(dag.variables)))
    x, y, given = ({v for v, p in zip(dag.variables, place, strict=True) if p == part} for part in "xyz")
    if not x or not y:
        return
    expected = moral_separated(dag, x, y, given)  # type: ignore[arg-type]
    assert dag.d_separated(list(x), list(y), given) == expected
    assert dag.d_separated(list(y), list(x), tuple(given)) == expected


@given(dags(min_size=2, max_size=8))
@settings(fixed, max_examples=100)
def test_blanket_and_parents_separate(dag: DAG) -> None:
    for v in dag.variables:
        blanket = dag.markov_blanket(v)
        rest = [u for u in dag.variables if u != v and u not in blanket]
        assert not rest or dag.d_separated(v, rest, blanket)
        strangers = [u for u in dag.variables if u != v and u not in dag.parents(v) | dag.descendants(v)]
        assert not strangers or dag.d_separated(v, strangers, dag.parents(v))


def test_given_may_be_one_name() -> None:
    assert COLLIDER.d_separated("a", "b")
    assert not COLLIDER.d_separated("a", "b", given="d")
    assert COLLIDER.d_separated("a", "d", given="c")
    assert DAG([("t", 1), "u"]).d_separated(("t", 1), "u")  # a tuple can be a name


def test_bad_questions() -> None:
    with pytest.raises(ArgumentError, match="x: 'a' is also in y"):
        COLLIDER.d_separated("a", "a")
    with pytest.raises(ArgumentError, match="x: 'a' is also in given"):
        COLLIDER.d_separated("a", "b", ["a"])
    with pytest.raises(ArgumentError, match="x: must name at least one variable"):
        COLLIDER.d_separated([], "b")
    with pytest.raises(UnknownColumnError, match="no variable 'e'"):
        COLLIDER.d_separated("a", "b", ["e"])
