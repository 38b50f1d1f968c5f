"""The error for a missing host library."""

from __future__ import annotations

from bitsep.errors import MissingDependencyError, cause


def missing(package: str, extra: str, error: ImportError) -> MissingDependencyError:
    """The error for a host library that is not installed, or whose version does not have what the adapter needs.

    >>> print(missing("causal-learn", "causallearn", ModuleNotFoundError("No module named 'causallearn'")))
    causal-learn: not installed. Run `pip install "bitsep[causallearn]"` to install it.
    """
    if isinstance(error, ModuleNotFoundError):
        return MissingDependencyError(
            f"{package}: not installed.", hint=f'Run `pip install "bitsep[{extra}]"` to install it.'
        )
    return MissingDependencyError(
        f"{package}: the version installed does not fit: {cause(error)}.",
        hint=f'Run `pip install --upgrade "bitsep[{extra}]"` to upgrade it.',
    )
