"""The drawing of a graph as a file."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

from bitsep.discovery import Discovery
from bitsep.files import check_ending, utf8, write_file
from bitsep.optional import require
from bitsep.report.drawing import draw_svg

ENDINGS = (".svg", ".png", ".pdf")
"""The allowed extensions of the file name of a picture."""

_DOTS_PER_INCH = 200


def save_picture(discovery: Discovery, path: str | os.PathLike[str]) -> Path:
    """See `Discovery.save_picture`."""
    check_ending(path, ENDINGS, "path", "a picture")
    kind = Path(path).suffix.lower()
    if kind == ".svg":
        write_file(path, utf8(draw_svg(discovery)))
    else:
        write_file(path, _plotted(discovery, kind.removeprefix(".")))
    return Path(path)


def _plotted(discovery: Discovery, kind: str) -> bytes:
    """The plot as a file of this kind, the same every time."""
    from bitsep.report.plots import plot_discovery

    plt = require("matplotlib.pyplot", "save_picture", "report")
    figure: Any = plot_discovery(discovery).figure
    content = io.BytesIO()
    stamp = {"CreationDate": None} if kind == "pdf" else {"Software": None}
    figure.savefig(content, format=kind, dpi=_DOTS_PER_INCH, metadata=stamp)
    plt.close(figure)
    return content.getvalue()
