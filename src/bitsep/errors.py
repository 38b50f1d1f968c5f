"""Every error bitsep raises on purpose.

::

    BitsepError
    ├── ArgumentError (ValueError)          an argument has a value that makes no sense
    │   ├── UnknownMethodError              no such test, algorithm, network …
    │   └── KnowledgeError                  required and forbidden edges contradict each other
    ├── UnknownColumnError (KeyError)       a variable the data do not have
    ├── UnsupportedTypeError (TypeError)    data or values of a kind that cannot be read
    ├── DataError (ValueError)              the data themselves: empty, ragged, continuous, bad weights …
    │   └── FormatError                     a file breaks its format; says line and column where known
    ├── ReadError (OSError)                 a file cannot be opened or read
    ├── WriteError (OSError)                a file cannot be written; what was there before is untouched
    └── MissingDependencyError (ImportError)  an optional library is needed; says how to install it

Each also derives from the built-in in brackets, so `except ValueError` keeps working. A message is one sentence,
"argument: what is wrong; what is allowed, got what."; the hint says what to do about it.
`tests/test_messages.py` checks their form.
"""

from __future__ import annotations


class BitsepError(Exception):
    """Root of all errors raised by bitsep.

    Attributes
    ----------
    message : str
        What is wrong, in one sentence that begins with the argument or the place in the data.
    hint : str or None
        What to do about it.

    Examples
    --------
    >>> error = ArgumentError("alpha: must lie between 0 and 1, got 2.", hint="Leave it out for 0.05.")
    >>> print(error)
    alpha: must lie between 0 and 1, got 2. Leave it out for 0.05.
    """

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint or None

    def __str__(self) -> str:
        return self.message if self.hint is None else f"{self.message} {self.hint}"


def cause(error: Exception) -> str:
    """What an error of another library says, as the end of a sentence of ours."""
    text = (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
    return " ".join(text.split("\n")).strip().rstrip(".")


class ArgumentError(BitsepError, ValueError):
    """An argument has a value that makes no sense."""


class UnknownMethodError(ArgumentError):
    """A test, algorithm or network that does not exist."""


class KnowledgeError(ArgumentError):
    """Background knowledge that contradicts itself."""


class UnknownColumnError(BitsepError, KeyError):
    """A variable the data do not have."""


class UnsupportedTypeError(BitsepError, TypeError):
    """Data, or values in them, of a kind that cannot be read."""


class DataError(BitsepError, ValueError):
    """The data themselves cannot be used: empty, ragged, continuous, bad weights."""


class FormatError(DataError):
    """A file that breaks its format."""


class ReadError(BitsepError, OSError):
    """A file that cannot be opened or read."""


class WriteError(BitsepError, OSError):
    """A file that cannot be written; a file that was there before is untouched."""


class MissingDependencyError(BitsepError, ImportError):
    """An optional library is needed for this; the hint says how to install it."""
