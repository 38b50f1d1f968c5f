"""What worker processes run; they import it by its name."""

from __future__ import annotations

from faults.searches import SEARCHES, asia


def search(name: str) -> str:
    """The result of a search with two threads."""
    return SEARCHES[name](asia(), threads=2)
