"""Every error bitsep raises on purpose.

::

    BitsepError
    ├── ArgumentError (ValueError)          an argument has a value that makes no sense
    │   ├── UnknownMethodError              no such test, algorithm, network, experiment …
    │   └── KnowledgeError                  required and forbidden edges contradict each other
    ├── UnknownColumnError (KeyError)       a variable the data do not have
    ├── UnsupportedTypeError (TypeError)    data or values of a kind that cannot be read
    ├── DataError (ValueError)              the data themselves: empty, ragged, continuous, bad weights …
    │   └── FormatError                     a file breaks its format; says line and column where known
    ├── ReadError (OSError)                 a file cannot be opened or read
    ├── WriteError (OSError)                a file cannot be written; what was there before is untouched
    └── MissingDependencyError (ImportError)  an optional library is needed; says how to install it

Each also derives from the built-in in brackets, so `except ValueError` keeps working. A message names the column or
argument and says what to do about it.
"""

from __future__ import annotations


class BitsepError(Exception):
    """Root of all errors raised by bitsep."""


class ArgumentError(BitsepError, ValueError):
    """An argument has a value that makes no sense."""


class UnknownMethodError(ArgumentError):
    """A test, algorithm, network or experiment that does not exist."""


class KnowledgeError(ArgumentError):
    """Background knowledge that contradicts itself."""


class UnknownColumnError(BitsepError, KeyError):
    """A variable the data do not have."""

    def __str__(self) -> str:  # KeyError would print the repr of the message
        return str(self.args[0]) if self.args else ""


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
    """An optional library is needed for this; the message says how to install it."""
