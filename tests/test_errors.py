"""Errors have a message and a hint, in every process."""

import copy
import pickle

import pytest

from bitsep import BitsepError, errors

CLASSES = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, BitsepError)]


@pytest.mark.parametrize("kind", CLASSES)
@pytest.mark.parametrize("hint", [None, "Do that."])
@pytest.mark.parametrize("again", [lambda e: e, copy.copy, copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))])
def test_message_and_hint(kind: type[BitsepError], hint: str | None, again) -> None:
    error = again(kind("data: wrong.", hint=hint))
    assert type(error) is kind
    assert (error.message, error.hint) == ("data: wrong.", hint)
    assert str(error) == ("data: wrong." if hint is None else "data: wrong. Do that.")


def test_an_empty_hint_is_none() -> None:
    assert errors.DataError("data: wrong.", hint="").hint is None


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError("Two\nlines."), "Two lines"),
        (PermissionError(13, "Permission denied", "file.csv"), "Permission denied"),
        (OSError("no number"), "no number"),
        (EOFError(), "EOFError"),
    ],
)
def test_the_cause_ends_a_sentence(error: Exception, text: str) -> None:
    assert errors.cause(error) == text
