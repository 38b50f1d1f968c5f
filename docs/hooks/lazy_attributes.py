"""Show attributes that are computed when first used as attributes, not as methods."""

from __future__ import annotations

import griffe

griffe.stdlib_decorators["bitsep.lazy.cached_property"] = {"cached", "property"}


class LazyAttributes(griffe.Extension):
    """Does nothing but load the entry above."""
