"""`bitsep check`: does a graph fit a table?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bitsep.errors import DataError, UnknownColumnError
from bitsep.shell import data
from bitsep.shell.completion import methods
from bitsep.shell.files import read_graph
from bitsep.shell.terminal import output, print_json_text, safe, working

EXAMPLES = """Examples

$ bitsep check expert.dot survey.csv

$ bitsep discover january.csv --json > found.json && bitsep check found.json february.csv

$ bitsep check network.bif rows.parquet --explain"""


@data.reads_data
def check(
    source: data.Source,
    graph: Annotated[
        Path,
        typer.Argument(
            metavar="GRAPH",
            help="A graph: .dot, .gv, .graphml, .json (also of `bitsep discover --json`), .txt, .edges (edge list), "
            ".bnlearn (model string) or .bif (network).",
        ),
    ],
    file: data.DataFile,
    method: Annotated[
        str,
        typer.Option("--method", "-m", metavar="TEST", help="Independence test with p-values.", autocompletion=methods),
    ] = "x2_calibrated",
    alpha: Annotated[float, typer.Option(metavar="ALPHA", help="Significance level.")] = 0.05,
    option: data.MethodOptions = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Explain every violated independence and every edge without support.")
    ] = False,
    as_json: data.Json = False,
) -> None:
    """Check whether a graph fits a table: test the independences that it implies."""
    import bitsep
    from bitsep.data.discretization import Discretization

    known = read_graph(graph)
    names = [str(name) for name in known.variables]
    try:
        table = source.read(file, needed=[*names, *Discretization.of(source.discretize).targets])
    except UnknownColumnError:
        source.check_variables("graph", names, file)
        raise
    try:
        with working(f"checking {graph.name}") as progress:
            found = bitsep.check(
                known,
                table,
                method,
                alpha,
                source.threads,
                progress,
                source.levels_of_missing_in(file, names),
                source.discretize,
                **data.method_options(option),
            )
    except DataError as error:
        if "continuous" not in error.message or source.discretize or isinstance(known, bitsep.Discovery):
            raise
        hint = (
            f"A graph file has no intervals; the file of `bitsep discover --json` has those of the search. {error.hint}"
        )
        raise DataError(error.message, hint=hint) from error
    if as_json:
        print_json_text(found.to_json())
        return
    from rich.text import Text

    console = output()
    first, *lines = safe(found.explain() if explain else found).split("\n")
    color = " green" * found.mostly_tested if found.fits else " magenta"
    console.print(Text(first, style=f"bold{color}"))
    for line in lines:
        console.print(line)
