"""Loading a host library, or saying how to install it."""

from __future__ import annotations

import importlib
from typing import Any

from bitsep.errors import MissingDependencyError


def load(module: str, name: str, package: str, extra: str) -> Any:
    """The attribute `name` of a host's module.

    >>> load("no_such_library.tests", "Test", "no-such-library", "none")
    Traceback (most recent call last):
    bitsep.errors.MissingDependencyError: This adapter needs no-such-library: pip install "bitsep[none]"
    """
    try:
        return getattr(importlib.import_module(module), name)
    except ModuleNotFoundError as error:
        raise MissingDependencyError(f'This adapter needs {package}: pip install "bitsep[{extra}]"') from error
    except (ImportError, AttributeError) as error:
        raise MissingDependencyError(
            f'The {package} installed here lacks {module}.{name}: pip install --upgrade "bitsep[{extra}]"'
        ) from error
