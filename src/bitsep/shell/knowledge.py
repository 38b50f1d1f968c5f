"""Background knowledge from the command line: arrows, and a file of arrows and tiers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bitsep.errors import FormatError, KnowledgeError, ReadError, cause

if TYPE_CHECKING:
    from bitsep import Knowledge
    from bitsep.naming import Name

_KEYS = ("required", "forbidden", "tiers")


def read_knowledge(required: list[str] | None, forbidden: list[str] | None, file: Path | None) -> Knowledge | None:
    """Everything the options say, in one; None where they say nothing."""
    if not (required or forbidden or file):
        return None
    from bitsep import Knowledge

    content = _read(file) if file else {}
    return Knowledge(
        required=[*content.get("required", ()), *_arrows("--required", required, lines=False)],
        forbidden=[*content.get("forbidden", ()), *_arrows("--forbidden", forbidden, lines=True)],
        tiers=content.get("tiers", ()),
    )


def _arrows(option: str, texts: list[str] | None, *, lines: bool) -> list[tuple[Name, Name]]:
    """The arrows of edge lists such as `a -> b`. A line `a -- b`, where allowed, stands for both directions."""
    from bitsep import PDAG

    found: list[tuple[Name, Name]] = []
    for text in texts or ():
        try:
            graph = PDAG.from_edge_list(text)
        except FormatError:
            graph = PDAG([])
        pairs = [tuple(pair) for pair in graph.undirected]
        if not graph.skeleton or (pairs and not lines):
            both = " or 'a -- b'" if lines else ""
            raise KnowledgeError(
                f"{option}: not an edge; expected 'a -> b'{both}, got {text!r}.",
                hint="Put names that are not plain words in double quotes.",
            )
        found += [*graph.directed, *((a, b) for a, b in pairs), *((b, a) for a, b in pairs)]
    return found


def _read(file: Path) -> dict[str, Any]:
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ReadError(f"--knowledge: {str(file)!r} cannot be read: {cause(error)}.") from error
    except ValueError as error:
        raise FormatError(f"--knowledge: {str(file)!r} is not JSON: {cause(error)}.") from error
    proper = isinstance(content, dict) and set(content) <= set(_KEYS)
    if not proper or not all(isinstance(entry, list) for entry in content.values()):
        raise FormatError(
            f"--knowledge: {str(file)!r} must be an object with lists called {', '.join(map(repr, _KEYS))}.",
            hint='Write {"required": [["a", "b"]], "forbidden": [], "tiers": [["a"], ["b", "c"]]}.',
        )
    return dict(content)
