"""Every message has one form: "argument: what is wrong; what is allowed, got what.", and a hint of its own."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import bitsep
from bitsep import errors

SOURCES = Path(bitsep.errors.__file__).parent
CLASSES = {
    name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, errors.BitsepError)
}

# What a message begins with, {} for a value: arguments, an option of the shell, or a place in a text.
SUBJECT = re.compile(r"(--[a-z-]+(, --[a-z-]+)*|[a-z_]+(, [a-z_]+)*( \{\})?|\{\}|line \{\}(, column \{\})?): ")
NEXT_SENTENCE = re.compile(r"[.!?] ")
FORBIDDEN = re.compile(
    r"\bis no\b|\bthere (is|are)\b|\bis there\b|\bhas to\b|\bhave to\b|\bmend\b|\bnobody\b|\bwhole number|\bnot \{\}\.|"
    r"\bfound \{\}\.|\bholds?\b|\bproper\b|\bplease\b|\bsorry\b|!",
    re.IGNORECASE,
)


def calls() -> Iterator[tuple[str, ast.Call]]:
    """Every place in the sources that makes an error, raised there or returned by a helper.

    The methods called `error` of readers take what is wrong at a place in a text, without the place and the full stop.
    """
    for path in sorted(SOURCES.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
                if name in CLASSES or (name == "error" and isinstance(node.args[0], ast.Constant | ast.JoinedStr)):
                    yield f"{path.relative_to(SOURCES)}:{node.lineno}", node


def texts(node: ast.expr) -> list[str]:
    """What an expression may say, with {} for each value; the message of another error is taken as it is."""
    if isinstance(node, ast.IfExp):
        return texts(node.body) + texts(node.orelse)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.Attribute) and node.attr == "message":
        return ["other: a message."]
    if isinstance(node, ast.JoinedStr):
        whole = ""
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                nested = isinstance(part.value, ast.Attribute) and part.value.attr == "message"
                whole += "other: a message." if nested else "{}"
            else:
                whole += str(ast.literal_eval(part))
        return [whole]
    raise AssertionError("write the message out where the error is made")


CALLS = dict(calls())


@pytest.mark.parametrize("place", CALLS)
def test_a_message_has_the_form_of_all_others(place: str) -> None:
    call = CALLS[place]
    assert len(call.args) == 1, "the message is the only positional argument"
    assert {keyword.arg for keyword in call.keywords} <= {"hint"}
    at_place = isinstance(call.func, ast.Attribute) and call.func.attr == "error"
    for said in texts(call.args[0]):
        text = f"line {{}}: {said}." if at_place else said
        assert SUBJECT.match(text), f"begins with an argument or a place and a colon: {text}"
        assert text.endswith("."), f"ends with a full stop: {text}"
        assert not NEXT_SENTENCE.search(text), f"one sentence; what to do is the hint: {text}"
        assert not FORBIDDEN.search(text), f"plain words: {text}"


@pytest.mark.parametrize("place", [place for place, call in CALLS.items() if call.keywords])
def test_a_hint_is_a_sentence(place: str) -> None:
    hint = CALLS[place].keywords[0].value
    if isinstance(hint, ast.Call | ast.Attribute | ast.Name):  # made elsewhere: `did_you_mean`, or of another error
        return
    for text in texts(hint):
        assert text[0].isupper(), f"begins like a sentence: {text}"
        assert text.endswith((".", "?")), f"ends like a sentence: {text}"
        assert not FORBIDDEN.search(text), f"plain words: {text}"


def test_all_errors_are_looked_at() -> None:
    assert len(CALLS) > 200


@pytest.mark.parametrize(
    "text",
    [
        "No column 'a'.",
        "alpha must lie between 0 and 1, got {}",
        "tiers: {} is there twice.",
        "data: {} is not JSON. Mend it there.",
        "max_given: must be a whole number, not {}.",
    ],
)
def test_other_forms_are_noticed(text: str) -> None:
    good = SUBJECT.match(text) and text.endswith(".") and not NEXT_SENTENCE.search(text) and not FORBIDDEN.search(text)
    assert not good


NATIVE = sorted((Path(__file__).parents[1] / "native").glob("[bis]*/**/*.[ch]pp"))
THROWN = re.compile(r"\b(?:std|nb)::\w+_(?:argument|error)\(((?:std::string\(\w+\) \+ )?\".*?)\);", re.DOTALL)


@pytest.mark.parametrize("path", [path for path in NATIVE if THROWN.search(path.read_text(encoding="utf-8"))], ids=str)
def test_native_messages_have_the_same_form(path: Path) -> None:
    for words in THROWN.findall(path.read_text(encoding="utf-8")):
        text = "{}".join(re.findall(r"\"((?:[^\"\\]|\\.)*)\"", words))
        if not words.startswith('"'):
            text = "{}" + text
        assert SUBJECT.match(text), text
        assert text.endswith("."), text
        assert not FORBIDDEN.search(text), text
