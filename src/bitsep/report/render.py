"""The page: one file that contains its data, style and script and loads nothing from the network."""

from __future__ import annotations

import base64
import hashlib
import html
import os
from functools import cache
from importlib import resources
from pathlib import Path
from string import Template
from typing import Any

from bitsep.discovery import Discovery
from bitsep.files import check_ending, write_file
from bitsep.optional import require
from bitsep.report.build import build_view
from bitsep.report.encode import to_json
from bitsep.report.view import View

ENDINGS = (".html", ".htm")
"""The allowed extensions of the file name of a report."""


def save_report(
    discovery: Discovery,
    path: str | os.PathLike[str],
    data: Any = None,
    title: str | None = None,
    command: str | None = None,
) -> Path:
    """Write an HTML report: the graph, and the evidence behind every edge and every missing edge.

    The page is one file. Its content security policy forbids any access to the network, and everything that comes
    from the data is shown as text. The same discovery gives the same bytes.

    Parameters
    ----------
    discovery : Discovery
        The result of a search.
    path : path
        The file to write, with a name that ends in .html; an existing file is replaced once the page is complete.
    data : table-like, optional
        The data that the graph was learned from; default: the data that the discovery refers to, if any. With data
        the page shows levels, missing values and contingency tables.
    title : str, optional
        The title of the page.
    command : str, optional
        The command line that produced the discovery, shown with the Python code that does the same.

    Returns
    -------
    Path
        The file written.

    Raises
    ------
    ArgumentError
        If the path does not end in .html or .htm.
    MissingDependencyError
        If igraph, which computes the layout of the graph, is not installed.
    WriteError
        If the file cannot be written; an existing file is then unchanged.
    DataError, UnknownColumnError
        If the data are not those of the discovery.

    Examples
    --------
    >>> import bitsep, tempfile
    >>> data = bitsep.load_network("asia").sample(2000, seed=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = save_report(bitsep.pc_stable(data), f"{folder}/asia.html", data=data)
    ...     page.read_text(encoding="utf-8")[:15]
    '<!doctype html>'
    """
    check_ending(path, ENDINGS, "path", "a report")
    require("igraph", "save_report", "report")
    write_file(path, render_page(build_view(discovery, data, title, command)).encode("utf-8"))
    return Path(path)


def render_page(view: View) -> str:
    """The page as HTML text."""
    style, script = _page_file("page.css"), _script()
    return Template(_page_file("page.html")).substitute(
        title=html.escape(view.title.encode("utf-8", "replace").decode("utf-8")),
        style=style,
        style_hash=_hash(style),
        script=script,
        script_hash=_hash(script),
        data=to_json(view),
    )


@cache
def _script() -> str:
    names = [file.name for file in resources.files("bitsep.report").joinpath("page").iterdir()]
    scripts = (name for name in names if name.endswith(".js"))
    # dom.js defines functions that the others use, main.js starts the page.
    own = sorted(scripts, key=lambda name: (name != "dom.js", name == "main.js", name))
    parts = "\n".join(map(_page_file, ("vendor/dagre.min.js", *own)))
    return f'"use strict";\n(() => {{\n{parts}}})();\n'


@cache
def _page_file(name: str) -> str:
    return resources.files("bitsep.report").joinpath("page", *name.split("/")).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """A hash for the content security policy, which allows only this script and this style."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
