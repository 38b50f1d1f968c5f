"""Convert formulas to MathML when the site is built, so that pages need no script and load nothing from the network."""

from __future__ import annotations

import html
import re
from typing import Any

from latex2mathml.converter import convert

_FORMULA = re.compile(r'<(span|div) class="arithmatex">\\[(\[](.*?)\\[)\]]</\1>', re.DOTALL)


def on_page_content(content: str, **_: Any) -> str:
    """Replace every formula that arithmatex marked."""
    return _FORMULA.sub(_as_mathml, content)


def _as_mathml(match: re.Match[str]) -> str:
    display = "block" if match[1] == "div" else "inline"
    formula = convert(html.unescape(match[2].strip()), display=display)
    # A bar is a fence here (|X|) and has no space around it; "given" is written with \\mid.
    formula = formula.replace("<mo>&#x0007C;</mo>", '<mo lspace="0" rspace="0" stretchy="false">&#x0007C;</mo>')
    return f'<{match[1]} class="formula">{formula}</{match[1]}>'
