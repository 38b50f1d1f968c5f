"""The search finds British spellings, too: they are added to the index after the pages with the American ones."""

import json
import re
from pathlib import Path
from typing import Any

BRITISH = {
    r"neighbor": "neighbour",
    r"behavior": "behaviour",
    r"color": "colour",
    r"favor": "favour",
    r"center": "centre",
    r"label(?=ed|ing)": "labell",
    r"model(?=ed|ing)": "modell",
    r"(discret|random|normal|summar|optim|maxim|minim|initial|recogn|visual|general)iz(?=e|ing|ation)": r"\1is",
    r"analyz": "analys",
}
_AMERICAN = re.compile(rf"\b\w*(?:{'|'.join(BRITISH)})\w*", re.IGNORECASE)


def on_post_build(config: Any, **_: Any) -> None:
    """Extend the index."""
    path = Path(config["site_dir"]) / "search" / "search_index.json"
    index = json.loads(path.read_text("utf-8"))
    for page in index["docs"]:
        # As often as the American words are there, so that the same pages come first.
        words = [british(found.group().lower()) for found in _AMERICAN.finditer(f"{page['title']} {page['text']}")]
        if words:
            page["text"] += f"<p>{' '.join(sorted(words))}</p>"
    path.write_text(json.dumps(index, separators=(",", ":"), ensure_ascii=False), "utf-8")


def british(word: str) -> str:
    """The British spelling of a word."""
    for american, other in BRITISH.items():
        word = re.sub(american, other, word)
    return word
