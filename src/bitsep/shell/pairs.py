"""`bitsep pairs`: all pairs of columns."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bitsep.files import check_ending, check_place, whole_file
from bitsep.naming import one_line
from bitsep.optional import require
from bitsep.shell import completion, data
from bitsep.shell.terminal import output, print_json_text, safe, working

if TYPE_CHECKING:
    from bitsep import Pairwise

EXAMPLES = """Examples

$ bitsep pairs survey.csv

$ bitsep pairs survey.csv --adjust by --plot pairs.png

$ bitsep pairs survey.csv --method g2_adjusted --json"""

_FORMATS = (".png", ".svg", ".pdf")


@data.reads_data
def pairs(
    source: data.Source,
    file: data.DataFile,
    method: Annotated[
        str | None,
        typer.Option(
            "--method",
            "-m",
            metavar="TEST",
            help="Independence test; `bitsep info` lists them. Default: sci_f, and x2_calibrated with --adjust.",
            autocompletion=completion.methods,
        ),
    ] = None,
    adjust: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Adjust p-values for the number of pairs: bh (Benjamini-Hochberg), by (Benjamini-Yekutieli) or holm.",
        ),
    ] = None,
    alpha: data.Alpha = None,
    option: data.MethodOptions = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File for a heat map of the effect sizes: .png, .svg or .pdf.")
    ] = None,
    as_json: data.Json = False,
) -> None:
    """Test all pairs of columns, and show how strong their dependence is."""
    import bitsep

    if plot is not None:
        check_ending(plot, _FORMATS, "--plot", "a plot")
        check_place(plot, "--plot")
        require("matplotlib", "--plot", "report")
    table = source.read_for_search(file)
    with working(f"testing {data.title(file)}") as progress:
        found = bitsep.pairwise(
            table,
            method,
            adjust=adjust,  # type: ignore[arg-type]
            alpha=alpha,
            threads=source.threads,
            progress=progress,
            keep=source.kept,
            missing_as_level=source.levels_of_missing,
            discretize=source.discretize,
            **data.method_options(option),
        )
    if plot is not None:
        _draw(found, plot)
    if as_json:
        print_json_text(found.to_json())
        return
    from rich.text import Text

    console = output()
    title, *lines = safe(found).split("\n")
    console.print(Text(title, style="bold"))
    for line in lines:
        console.print(Text(line))
    if plot is not None:
        console.print(f"written: {one_line(str(plot))}")


def _draw(found: Pairwise, path: Path) -> None:
    import matplotlib as mpl

    mpl.use("Agg")  # draws into files and needs no display
    figure = found.plot().get_figure(root=True)
    assert figure is not None
    with whole_file(path, "--plot") as draft:
        figure.savefig(draft, dpi=150)
