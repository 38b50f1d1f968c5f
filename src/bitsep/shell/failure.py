"""Errors as two lines on stderr: what is wrong, and a hint how to correct it."""

from __future__ import annotations

import os
import sys

from bitsep import errors
from bitsep.naming import one_line

# Hints for errors that have none; the first class that matches is used.
_HINTS: tuple[tuple[type[Exception], str], ...] = (
    (errors.UnknownColumnError, "Check the spelling: the first line of the file has the names of its columns."),
    (errors.MissingDependencyError, "Install it and try again."),
    (errors.ReadError, "Check the path, and that you may read it."),
    (errors.WriteError, "Check the path, the space left on the disk, and that you may write there."),
    (OSError, "Check that the disk is not full, and that you may read and write there."),
    (MemoryError, "Use --memory to read the data in passes, fewer rows, or a smaller --max-given."),
    (errors.DataError, "Correct the data, or leave the column out with --exclude."),
)


def print_failure(error: Exception, command: str) -> None:
    """Print two lines about an error of the library, or about a command line that cannot be parsed."""
    message = _message(error)
    if not message:  # a command line without arguments: the help has been printed
        return
    fallback = f"`{command} --help` shows what it takes, with examples."
    hint = next((hint for kind, hint in _HINTS if isinstance(error, kind)), fallback)
    _print(message, getattr(error, "hint", None) or hint)


def print_internal_error(error: Exception) -> None:
    """Print two lines about an internal error of bitsep."""
    _print(
        f"{type(error).__name__}: {error}",
        "This is a fault in bitsep, not in your input. Run it again with --debug and report what that shows.",
    )


def _print(message: str, hint: str) -> None:
    print(_colored("error:", "31"), one_line(message), file=sys.stderr)
    print(_colored("hint: ", "36"), one_line(hint), file=sys.stderr)


def _message(error: Exception) -> str:
    """The message of an error; errors of typer return it from a method."""
    if isinstance(error, MemoryError):
        return "memory: not enough of it is left for this command."
    if isinstance(error, errors.BitsepError):
        return error.message
    format_message = getattr(error, "format_message", None)
    return str(format_message() if callable(format_message) else error).strip()


def _colored(word: str, color: str) -> str:
    plain = not sys.stderr.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return word if plain else f"\x1b[1;{color}m{word}\x1b[0m"
