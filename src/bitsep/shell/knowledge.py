"""Background knowledge from the command line: edges, and a file of edges and tiers."""

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
    """The knowledge of all options together; None without any of them."""
    if not (required or forbidden or file):
        return None
    from bitsep import Knowledge

    content = _read(file) if file else {}
    return Knowledge(
        required=[*content.get("required", ()), *_directed_edges("--required", required, undirected=False)],
        forbidden=[*content.get("forbidden", ()), *_directed_edges("--forbidden", forbidden, undirected=True)],
        tiers=content.get("tiers", ()),
    )


def _directed_edges(option: str, texts: list[str] | None, *, undirected: bool) -> list[tuple[Name, Name]]:
    """The edges of texts such as `a -> b`. An undirected edge `a -- b`, if allowed, stands for both directions."""
    from bitsep import PDAG

    found: list[tuple[Name, Name]] = []
    for text in texts or ():
        try:
            graph = PDAG.from_edge_list(text)
        except FormatError:
            graph = PDAG([])
        pairs = [tuple(pair) for pair in graph.undirected]
        if not graph.skeleton or (pairs and not undirected):
            both = " or 'a -- b'" if undirected else ""
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
    except RecursionError as error:
        raise FormatError(f"--knowledge: {str(file)!r} has JSON nested too deeply to be knowledge.") from error
    proper = isinstance(content, dict) and set(content) <= set(_KEYS)
    if not proper or not all(isinstance(entry, list) for entry in content.values()):
        raise FormatError(
            f"--knowledge: {str(file)!r} must be an object with lists called {', '.join(map(repr, _KEYS))}.",
            hint='Write {"required": [["a", "b"]], "forbidden": [], "tiers": [["a"], ["b", "c"]]}.',
        )
    return dict(content)
