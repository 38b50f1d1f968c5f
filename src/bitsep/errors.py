"""The errors of bitsep.

::

    BitsepError
    ├── ArgumentError (ValueError)          an argument has a value that is not allowed
    │   ├── UnknownMethodError              a test, algorithm or network does not exist
    │   └── KnowledgeError                  required and forbidden edges contradict each other
    ├── UnknownColumnError (KeyError)       the data do not have a variable
    ├── UnsupportedTypeError (TypeError)    data or values have a type that is not supported
    ├── DataError (ValueError)              the data cannot be used: empty, ragged, continuous, bad weights …
    │   └── FormatError                     a file is not valid; the message has line and column if known
    ├── ReadError (OSError)                 a file cannot be opened or read
    ├── WriteError (OSError)                a file cannot be written; an existing file is unchanged
    └── MissingDependencyError (ImportError)  an optional library is missing; the hint has the command to install it

Each also derives from the built-in class in brackets, so `except ValueError` works. A message is one sentence,
"argument: what is wrong; what is allowed, got what."; the hint says how to correct it.
`tests/test_messages.py` checks their form; `tests/documented_errors` has a call for each documented error.
"""

from __future__ import annotations

_LONGEST, _LAST = 4000, 500  # characters of a message, and how many of them are its end


class BitsepError(Exception):
    """The base class of all errors of bitsep.

    Attributes
    ----------
    message : str
        What is wrong, in one sentence that begins with the argument or the position in the data. Of a very long one,
        with a value of many megabytes for instance, the middle is left out.
    hint : str or None
        How to correct it.

    Examples
    --------
    >>> error = ArgumentError("alpha: must lie between 0 and 1, got 2.", hint="Leave it out for 0.05.")
    >>> print(error)
    alpha: must lie between 0 and 1, got 2. Leave it out for 0.05.
    """

    def __init__(self, message: str, hint: str | None = None) -> None:
        if len(message) > _LONGEST:
            message = f"{message[: _LONGEST - _LAST - 3]} … {message[-_LAST:]}"
        super().__init__(message)
        self.message = message
        self.hint = hint or None

    def __str__(self) -> str:
        return self.message if self.hint is None else f"{self.message} {self.hint}"


def cause(error: Exception) -> str:
    """The message of an error of another library, as the end of a sentence."""
    text = (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
    return " ".join(text.split("\n")).strip().rstrip(".")


class ArgumentError(BitsepError, ValueError):
    """An argument has a value that is not allowed."""


class UnknownMethodError(ArgumentError):
    """A test, algorithm or network does not exist."""


class KnowledgeError(ArgumentError):
    """The background knowledge contradicts itself."""


class UnknownColumnError(BitsepError, KeyError):
    """The data do not have a variable."""


class UnsupportedTypeError(BitsepError, TypeError):
    """The data, or values in them, have a type that is not supported."""


class DataError(BitsepError, ValueError):
    """The data cannot be used: empty, ragged, continuous, bad weights."""


class FormatError(DataError):
    """A file is not valid."""


class ReadError(BitsepError, OSError):
    """A file cannot be opened or read."""


class WriteError(BitsepError, OSError):
    """A file cannot be written; an existing file is unchanged."""


class MissingDependencyError(BitsepError, ImportError):
    """An optional library is missing; the hint has the command to install it."""
