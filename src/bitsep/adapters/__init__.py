"""Adapters for other libraries, with one module per library, which is imported lazily.

They are ``bitsep.adapters.causallearn``, ``bitsep.adapters.pgmpy``, ``bitsep.adapters.tigramite`` and
``bitsep.adapters.sklearn``. Each needs its library; if it is missing, the error contains the command that installs it.
"""

from __future__ import annotations

import importlib
from types import ModuleType

_HOSTS = ("causallearn", "pgmpy", "sklearn", "tigramite")


def __getattr__(name: str) -> ModuleType:
    if name in _HOSTS:
        return importlib.import_module(f"bitsep.adapters.{name}")
    raise AttributeError(f"module 'bitsep.adapters' has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(_HOSTS)
