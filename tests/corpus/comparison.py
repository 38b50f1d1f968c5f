"""Compare results with the stored ones, and say what differs."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from typing import Any

from .digests import DIGITS, Family, this_platform
from .make import STORED
from .results import Record


@cache
def _stored(name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((STORED / f"{name}.json").read_text(encoding="utf-8"))
    return content


def stored_families(name: str) -> set[tuple[str, str]]:
    """(sample, family) of everything stored in a file."""
    return {(sample, family) for sample, stored in _stored(name)["samples"].items() for family in stored}


def differences(name: str, found: Iterable[tuple[str, str, list[Record]]]) -> list[str]:
    """A line for every family of results that is not the stored one.

    found : (sample, family, records); they need not be all that is stored.
    """
    content = _stored(name)
    exact = content["platform"] == this_platform()
    lines = []
    for sample, family, records in found:
        stored, new = Family(*content["samples"][sample][family]), Family.of(records)
        if new.portable != stored.portable:
            how = f"{stored.count} results ({stored.clear}) became {new.count} ({new.clear})"
        elif exact and new.exact != stored.exact:
            how = f"the same to {DIGITS} digits, but not to the last bit"
        else:
            continue
        lines.append(f"{name}, {sample}, {family}: {how}")
    if lines:
        lines.append("`python -m tests.corpus.make --values FOLDER` writes all values; compare those of both commits.")
    return lines
