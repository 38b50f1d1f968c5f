"""Errors as two lines on stderr: what is wrong, and what to do about it."""

from __future__ import annotations

import os
import sys

from bitsep import errors
from bitsep.shell.terminal import one_line

_QUOTES = "'\"`"
# What to do in the words of the shell, where the message speaks Python.
_IN_THE_SHELL = (
    (" looks continuous", "Cut it into intervals with --discretize equal-frequency, or leave it out with --exclude."),
    (" text. Name the encoding", "Name the encoding it was written in, for instance --encoding latin-1."),
    (" levels; at most ", "Leave it out with --exclude, or group its values."),
)
# What to do where the message itself does not say; the first class that fits.
_ADVICE: tuple[tuple[type[Exception], str], ...] = (
    (errors.UnknownColumnError, "Check the spelling: the first line of the file has the names of its columns."),
    (errors.MissingDependencyError, "Install it and try again."),
    (errors.ReadError, "Check the path, and that you may read it."),
    (errors.WriteError, "Check the path, the space left on the disk, and that you may write there."),
    (OSError, "Check that the disk is not full, and that you may read and write there."),
    (errors.DataError, "Mend the data, or leave the column out with --exclude."),
)


def print_failure(error: Exception, command: str) -> None:
    """Two lines about an error of the library, or about a command line that cannot be read."""
    message = message_of(error)
    if not message:  # a command line without arguments: the help says it all
        return
    what, advice = in_two(message)
    advice = next((words for sign, words in _IN_THE_SHELL if sign in message), advice)
    if not advice:
        fallback = f"`{command} --help` shows what it takes, with examples."
        advice = next((words for kind, words in _ADVICE if isinstance(error, kind)), fallback)
    _print(what, advice)


def print_bug(error: Exception) -> None:
    """Two lines about an error nobody foresaw."""
    _print(
        f"{type(error).__name__}: {error}",
        "This is a fault in bitsep, not in your input. Run it again with --debug and report what that shows.",
    )


def _print(what: str, advice: str) -> None:
    print(_colored("error:", "31"), one_line(what), file=sys.stderr)
    print(_colored("hint: ", "36"), one_line(advice), file=sys.stderr)


def message_of(error: Exception) -> str:
    """The words of an error; those of typer have them in a method of their own."""
    words = getattr(error, "format_message", None)
    return str(words() if callable(words) else error).strip()


def in_two(message: str) -> tuple[str, str]:
    """What is wrong, and the rest: cut at the end of the first sentence, not inside quoted names.

    >>> in_two("No column 'a. b'. Did you mean 'a b'?")
    ("No column 'a. b'.", "Did you mean 'a b'?")
    >>> in_two("unknown method 'g3'; try 'g2'")
    ("unknown method 'g3'.", "Try 'g2'.")
    >>> in_two("there is nothing")
    ('there is nothing.', '')
    """
    quote = ""
    for place, character in enumerate(message):
        if quote:
            quote = "" if character == quote and message[place - 1] != "\\" else quote
        elif character in _QUOTES and not message[place - 1 : place].isalnum():  # not the apostrophe of a word
            quote = character
        elif character in ".;?!" and message[place + 1 : place + 2].isspace():
            end = "." if character == ";" else character
            return message[:place] + end, _sentence(message[place + 1 :].strip())
    return _sentence(message, capital=False), ""


def _sentence(words: str, *, capital: bool = True) -> str:
    if words and words[-1] not in ".?!":
        words += "."
    return words[:1].upper() + words[1:] if capital else words


def _colored(word: str, color: str) -> str:
    plain = not sys.stderr.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return word if plain else f"\x1b[1;{color}m{word}\x1b[0m"
