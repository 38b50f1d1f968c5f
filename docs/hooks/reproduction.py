"""Insert the results of `make reproduce` into their page, if `docs/reproduction-results` has them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

_MARK = "<!-- results -->"
_SIGNS = {"holds": "✓", "does not hold": "✗", "not decided": "?"}
_ABSENT = "!!! note\n    There are no results yet; the commands above make them."


def on_page_markdown(markdown: str, *, page: Any, config: Any, **_: Any) -> str:
    """Replace the mark by the claims and a link to the generated page."""
    if _MARK not in markdown:
        return markdown
    claims = Path(config["docs_dir"]) / "reproduction-results" / "claims.json"
    return markdown.replace(_MARK, _table(claims) if claims.exists() else _ABSENT)


def _table(claims: Path) -> str:
    verdicts = json.loads(claims.read_text(encoding="utf-8"))
    held = sum(verdict["outcome"] == "holds" for verdict in verdicts)
    rows = [
        f"| {_SIGNS[verdict['outcome']]} | {_cell(verdict['statement'])} {_cell(verdict['difference'])} |"
        for verdict in verdicts
    ]
    return "\n".join(
        [
            f"{held} of {len(verdicts)} statements hold. [Figures and numbers](reproduction-results/index.html)",
            "",
            "| | what the paper says, and what differs |",
            "| --- | --- |",
            *rows,
        ]
    )


def _cell(text: str) -> str:
    return text.replace("|", "∣").replace("\n", " ")
