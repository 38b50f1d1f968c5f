"""Explanations are templates with values; text and JSON are made from them."""

import json

import pytest

import bitsep
from bitsep import Counts, Discovery
from bitsep.discovery import Explanation
from bitsep.errors import FormatError


@pytest.mark.parametrize(
    ("names", "text"),
    [((), "nothing"), (("a",), "a"), (("a", 7), "a and 7"), (("a", "b c", ""), "a, 'b c' and ''")],
)
def test_variables_are_listed_as_sentences_list_them(names: tuple[object, ...], text: str) -> None:
    assert str(Explanation("given {}.", (names,))) == f"given {text}."


def test_values_are_shown_as_they_are_whatever_they_contain() -> None:
    assert str(Explanation("{} and {}", ("{}", ("{0}",)))) == "{} and '{0}'"


def test_an_explanation_within_another_becomes_part_of_its_template() -> None:
    inner = Explanation("{} bits", ("3",))
    assert Explanation.of("{}: {}.", ("a",), inner) == Explanation("{}: {} bits.", (("a",), "3"))
    assert Explanation.lines(inner, inner) == Explanation("{} bits\n{} bits", ("3", "3"))


class Braces:
    name = "my {} test"

    def judge(self, counts: Counts) -> bitsep.Judgment:
        return bitsep.Judgment(-1.0)


def test_a_test_may_have_braces_in_its_name() -> None:
    d = bitsep.pc_stable({"a": [0, 1] * 20, "b": [0, 0, 1, 1] * 10}, method=Braces())
    assert "where my {} test demands" in d.explain("a", "b")


def test_explanations_in_json_must_fit_their_template() -> None:
    d = bitsep.pc_stable(bitsep.load_network("asia").sample(500, seed=1))
    content = json.loads(d.to_json())
    assert content["edges"][0]["orientation"].keys() == {"template", "values"}
    content["edges"][0]["orientation"]["template"] += " {}"
    with pytest.raises(FormatError):
        Discovery.from_json(json.dumps(content))
