"""Saying how to install a host library."""

from __future__ import annotations

from bitsep.errors import MissingDependencyError


def missing(package: str, extra: str, error: ImportError) -> MissingDependencyError:
    """The error for a host that is not there, or lacks what the adapter builds on.

    >>> missing("causal-learn", "causallearn", ModuleNotFoundError("No module named 'causallearn'"))
    MissingDependencyError('This adapter needs causal-learn: pip install "bitsep[causallearn]"')
    >>> print(missing("pgmpy", "pgmpy", ImportError("cannot import name '_BaseCITest'")))
    The pgmpy installed here does not fit (cannot import name '_BaseCITest'): pip install --upgrade "bitsep[pgmpy]"
    """
    if isinstance(error, ModuleNotFoundError):
        return MissingDependencyError(f'This adapter needs {package}: pip install "bitsep[{extra}]"')
    return MissingDependencyError(
        f'The {package} installed here does not fit ({error}): pip install --upgrade "bitsep[{extra}]"'
    )
