"""Format all examples in docstrings as code, also those outside of a section called Examples."""

from __future__ import annotations

import re
from typing import Any

import griffe

# A prompt at the start of a line, and everything up to the next blank line.
_EXAMPLE = re.compile(r"(?:^>>> .*\n(?:.+(?:\n|\Z))*)+", re.MULTILINE)


class Doctests(griffe.Extension):
    """Puts fences around examples, which Markdown would otherwise take for quotations and links."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Add the fences to the docstring of one object."""
        if obj.docstring is not None and ">>>" in obj.docstring.value:
            obj.docstring.value = _EXAMPLE.sub(_fenced, obj.docstring.value)


def _fenced(match: re.Match[str]) -> str:
    return f"```pycon\n{match[0].rstrip()}\n```\n"
