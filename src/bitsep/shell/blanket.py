"""`bitsep blanket`: the Markov blanket of one column or of every column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from bitsep.shell import completion, data
from bitsep.shell.terminal import output, print_cut, print_json, print_json_text, safe, working

if TYPE_CHECKING:
    from bitsep import MarkovBlanket

EXAMPLES = """Examples

$ bitsep blanket survey.csv lung

$ bitsep blanket survey.csv lung --algorithm iamb --method g2_adjusted --json

$ bitsep blanket survey.csv            (of every column)"""


@data.reads_data
def blanket(
    source: data.Source,
    file: data.DataFile,
    target: Annotated[
        str | None,
        typer.Argument(
            metavar="[TARGET]",
            help="The target column; default: every column.",
            show_default=False,
            autocompletion=completion.columns,
        ),
    ] = None,
    algorithm: Annotated[
        str,
        typer.Option(
            "--algorithm",
            "-a",
            metavar="NAME",
            help="Search algorithm, such as pcmb, iamb or hiton_mb; `bitsep info` lists them.",
            autocompletion=completion.algorithms,
        ),
    ] = "pcmb",
    as_json: data.Json = False,
    method: data.Method = "sci_f",
    alpha: data.Alpha = None,
    option: data.MethodOptions = None,
    max_given: data.MaxGiven = None,
    min_rows_share: data.MinRowsShare = 0.5,
    min_effect: data.MinEffect = 0.0,
    bootstrap: Annotated[
        int, typer.Option(metavar="N", help="Resample the rows N times and report how often each member is found.")
    ] = 0,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed for bootstrap resampling.")] = 0,
) -> None:
    """Find the Markov blanket of a column: its neighbors, and the other parents of its children."""
    from rich.text import Text

    import bitsep
    from bitsep.shell.summary import left_out_lines, restricted_lines

    table = source.read_for_search(file)
    with working(f"searching {data.title(file)}") as progress:
        found = bitsep.markov_blankets(
            table,
            algorithm=algorithm,
            method=method,
            alpha=alpha,
            max_given=max_given,
            threads=source.threads,
            progress=progress,
            targets=None if target is None else [target],
            keep=source.kept,
            min_rows_share=min_rows_share,
            min_effect=min_effect,
            missing_as_level=source.levels_of_missing,
            discretize=source.discretize,
            bootstrap=bootstrap,
            seed=seed,
            **data.method_options(option),
        )
    if as_json and target is not None:
        print_json_text(found[target].to_json())
    elif as_json:
        every = {str(name): blanket.to_dict() for name, blanket in found.items()}
        print_json("bitsep.blankets", {"blankets": every})
    else:
        for one in found.values():
            _print(one)
        first = next(iter(found.values()), None)
        print_cut(first.discretized if first else ())
        for line in left_out_lines(first.left_out) if first else ():
            output().print(Text(f"left out: {safe(line)}"))
        for line in restricted_lines(first.restricted) if first else ():
            output().print(Text(f"restricted: {safe(line)}"))


def _print(blanket: MarkovBlanket) -> None:
    from rich.text import Text

    console = output()
    title, *rows = safe(blanket).split("\n")
    console.print(Text(title, style="bold"))
    for row in rows:
        console.print(Text(row))
    for member in blanket.members:
        console.print(Text(f"  {safe(blanket.explain(member))}", style="dim"))
