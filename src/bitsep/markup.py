"""Tables in HTML, for notebooks. Every text is escaped."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from html import escape

_CELL = "padding:.15em .7em;vertical-align:top;"


def html_table(
    caption: str,
    head: Sequence[str],
    rows: Iterable[Sequence[str]],
    numbers: Collection[int] = (),
) -> str:
    """A table.

    Parameters
    ----------
    caption : str
        The text above the table; none if empty.
    head : sequence of str
        The titles of the columns; empty if the first column has the titles of the rows.
    rows : iterable of sequences of str
        The cells.
    numbers : collection of int
        The columns of numbers, which are aligned to the right.

    Examples
    --------
    >>> html_table("", ["x", "bits"], [["<b>", "2.00"]], numbers=[1]).count("&lt;b&gt;")
    1
    """
    sides = {k: "right" if k in numbers else "left" for k in range(max(len(head), 40))}
    top = "".join(f"<th style='{_CELL}text-align:{sides[k]}'>{escape(cell)}</th>" for k, cell in enumerate(head))
    body = "".join(f"<tr>{_row(row, sides, titles=not head)}</tr>" for row in rows)
    return (
        (f"<p><strong>{escape(caption)}</strong></p>" if caption else "")
        + "<table>"
        + (f"<thead><tr>{top}</tr></thead>" if head else "")
        + f"<tbody>{body}</tbody></table>"
    )


def _row(row: Sequence[str], sides: dict[int, str], *, titles: bool) -> str:
    cells = []
    for k, cell in enumerate(row):
        tag = "th" if titles and k == 0 else "td"
        cells.append(f"<{tag} style='{_CELL}text-align:{sides[k]}'>{escape(cell)}</{tag}>")
    return "".join(cells)


def html_list(lines: Iterable[str]) -> str:
    """A list of sentences; nothing if there are none.

    >>> html_list([]), html_list(["a < b"])
    ('', '<ul><li>a &lt; b</li></ul>')
    """
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f"<ul>{items}</ul>" if items else ""
