"""Numbers that graphs in other formats have at their edges, such as bits and support."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from bitsep.naming import Name

EdgeAttributes = Mapping[frozenset[Name], Mapping[str, float]]
"""Numbers by name, for each pair of adjacent variables."""

NONE: EdgeAttributes = MappingProxyType({})
