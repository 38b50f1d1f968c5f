"""Attributes that are computed when they are first used."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from functools import cached_property as cached_property  # noqa: TID251
else:

    class cached_property(functools.cached_property):  # noqa: N801, TID251
        """`functools.cached_property` without a lock.

        Up to Python 3.11 the one of the standard library holds a lock, common to all instances, while it computes a
        value. A process that is forked meanwhile waits for the lock forever. Without it two threads may compute the
        same value; both get the one that was stored first.
        """

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            if instance is None:
                return self
            values = instance.__dict__
            if self.attrname not in values:
                values.setdefault(self.attrname, self.func(instance))
            return values[self.attrname]
