"""Background knowledge from the command line: edges, and a file of edges and tiers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from bitsep.errors import FormatError, KnowledgeError, ReadError, cause

if TYPE_CHECKING:
    from bitsep import Knowledge
    from bitsep.naming import Name

_KEYS = ("required", "forbidden", "tiers")
_QUOTES = "Put names that are not plain words in double quotes."
_EXAMPLE = 'Write {"required": [["a", "b"]], "forbidden": [], "tiers": [["a"], ["b", "c"]]}.'


def read_knowledge(required: list[str] | None, forbidden: list[str] | None, file: Path | None) -> Knowledge | None:
    """The knowledge of all options together; None without any of them."""
    if not (required or forbidden or file):
        return None
    from bitsep import Knowledge

    content = _read(file) if file else Knowledge()
    return Knowledge(
        required=[*content.required, *_directed_edges("--required", required, undirected=False)],
        forbidden=[*content.forbidden, *_directed_edges("--forbidden", forbidden, undirected=True)],
        tiers=content.tiers,
    )


def _directed_edges(option: str, texts: list[str] | None, *, undirected: bool) -> list[tuple[Name, Name]]:
    """The edges of texts such as `a -> b`. An undirected edge `a -- b`, if allowed, stands for both directions."""
    from bitsep import PDAG

    found: list[tuple[Name, Name]] = []
    for text in texts or ():
        try:
            graph = PDAG.from_edge_list(text)
        except FormatError as error:
            fault = error.message.removeprefix("line 1: ").rstrip(".")
            hint = error.hint or _QUOTES
            raise KnowledgeError(f"{option}: {fault}.", hint=hint) from None
        pairs = [tuple(pair) for pair in graph.undirected]
        if not graph.skeleton or (pairs and not undirected):
            both = " or 'a -- b'" if undirected else ""
            raise KnowledgeError(
                f"{option}: not an edge; expected 'a -> b'{both}, got {text!r}.",
                hint=_QUOTES,
            )
        found += [*graph.directed, *((a, b) for a, b in pairs), *((b, a) for a, b in pairs)]
    return found


def _read(file: Path) -> Knowledge:
    from bitsep import Knowledge

    try:
        content = json.loads(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ReadError(f"--knowledge: {str(file)!r} cannot be read: {cause(error)}.") from error
    except UnicodeDecodeError as error:
        raise FormatError(f"--knowledge: {str(file)!r} is not UTF-8 text.", hint=_EXAMPLE) from error
    except ValueError as error:
        raise FormatError(f"--knowledge: {str(file)!r} is not JSON: {cause(error)}.", hint=_EXAMPLE) from error
    except RecursionError as error:
        raise FormatError(
            f"--knowledge: {str(file)!r} has JSON nested too deeply to be knowledge.", hint=_EXAMPLE
        ) from error
    proper = isinstance(content, dict) and set(content) <= set(_KEYS)
    if not proper or not all(isinstance(entry, list) for entry in content.values()):
        raise FormatError(
            f"--knowledge: {str(file)!r} must be an object with lists called {', '.join(map(repr, _KEYS))}.",
            hint=_EXAMPLE,
        )
    try:
        return Knowledge(**content)
    except KnowledgeError as error:
        fault = error.message.rstrip(".")
        hint = error.hint or _EXAMPLE
        raise KnowledgeError(f"--knowledge: {str(file)!r}, {fault}.", hint=hint) from error
