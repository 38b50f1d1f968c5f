"""Insert CHANGELOG.md into its page, with links that work in the site."""

from __future__ import annotations

from pathlib import Path
from typing import Any

_MARK = "<!-- changelog -->"


def on_page_markdown(markdown: str, *, page: Any, config: Any, **_: Any) -> str:
    """Replace the mark by the changelog without its title."""
    if _MARK not in markdown:
        return markdown
    text = (Path(config["docs_dir"]).parent / "CHANGELOG.md").read_text(encoding="utf-8")
    return markdown.replace(_MARK, text.partition("\n")[2].replace("](docs/", "]("))
