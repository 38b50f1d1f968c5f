"""Optional libraries: they are imported when needed; the error for a missing library has the command to install it."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from bitsep.errors import MissingDependencyError


def require(module: str, caller: str, extra: str) -> Any:
    """A module of an optional library.

    Parameters
    ----------
    module : str
        The name of the module.
    caller : str
        The function or option that needs it, for the error message.
    extra : str
        The extra of bitsep that installs the library.

    Raises
    ------
    MissingDependencyError
        If the library is not installed.

    Examples
    --------
    >>> require("absent", "plot", "all")
    Traceback (most recent call last):
    bitsep.errors.MissingDependencyError: plot: absent is not installed. Run `pip install "bitsep[all]"` to install it.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        library = module.partition(".")[0]
        if error.name != library:
            raise  # the library is installed, but one of its own dependencies is missing
        raise MissingDependencyError(
            f"{caller}: {library} is not installed.", hint=f'Run `pip install "bitsep[{extra}]"` to install it.'
        ) from None


def is_installed(library: str) -> bool:
    """Whether a library can be imported.

    >>> is_installed("json"), is_installed("absent")
    (True, False)
    """
    return find_spec(library) is not None
