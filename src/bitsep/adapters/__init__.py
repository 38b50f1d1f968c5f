"""bitsep inside the libraries people already use, one module each, imported when first asked for.

``bitsep.adapters.causallearn``, ``bitsep.adapters.pgmpy``, ``bitsep.adapters.tigramite`` and
``bitsep.adapters.sklearn``. Each needs its host; without it, the import says what to install.
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
