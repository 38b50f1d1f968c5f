"""`bitsep test`: one independence test."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from bitsep.shell import data
from bitsep.shell.completion import columns
from bitsep.shell.terminal import output, print_cut, print_json, safe

if TYPE_CHECKING:
    from bitsep import IndependenceResult

EXAMPLES = """Examples

$ bitsep test survey.csv smoke lung

$ bitsep test survey.csv smoke xray --given lung --given age --method g2_adjusted

$ bitsep test survey.csv smoke xray -g lung --method x2 --permutations 9999

$ bitsep test survey.csv smoke xray -g lung --exit-code && echo independent"""


@data.reads_data
def independence(
    source: data.Source,
    file: data.DataFile,
    x: Annotated[str, typer.Argument(metavar="X", help="First column.", autocompletion=columns)],
    y: Annotated[str, typer.Argument(metavar="Y", help="Second column.", autocompletion=columns)],
    given: Annotated[
        list[str] | None,
        typer.Option(
            "--given",
            "-g",
            metavar="Z",
            help="A column to condition on; repeat the option for more.",
            autocompletion=columns,
        ),
    ] = None,
    method: data.Method = "sci_f",
    alpha: data.Alpha = None,
    option: data.MethodOptions = None,
    permutations: Annotated[
        int | None,
        typer.Option(
            metavar="B",
            help="Compare the score with those of B random tables with the same margins, for an exact p-value.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="SEED", help="Seed of the random tables of --permutations.")] = 0,
    sequential: Annotated[
        bool, typer.Option("--sequential", help="Stop drawing once the verdict is certain to be independent.")
    ] = False,
    as_json: data.Json = False,
    exit_code: Annotated[
        bool, typer.Option("--exit-code", help="Exit with 0 if independent and 1 if dependent.")
    ] = False,
) -> None:
    """Test whether X and Y are independent given other columns."""
    import bitsep
    from bitsep.data.discretization import Discretization
    from bitsep.data.discretization.discrete import discrete

    needed = list(dict.fromkeys([x, y, *(given or [])]))
    wanted = Discretization.of(source.discretize)
    table = source.read(file, needed=[*needed, *wanted.targets])
    table = discrete(table, needed, wanted, source.threads)
    result = bitsep.independence_test(
        table,
        x,
        y,
        given or (),
        method,
        alpha,
        source.threads,
        source.levels_of_missing_in(file, [x, y, *(given or [])]),
        permutations=permutations,
        seed=seed,
        sequential=sequential,
        **data.method_options(option),
    )
    code = int(exit_code and not result.independent)
    try:
        if as_json:
            cut = [column.to_dict() for column in table.discretized]
            print_json("bitsep.test", result.to_dict() | ({"discretized": cut} if cut else {}))
        else:
            _print(result)
            print_cut(table.discretized)
    except (BrokenPipeError, SystemExit):  # rich turns the former into the latter
        if not code:
            raise
    raise typer.Exit(code)  # the verdict, even if the reader of the output closed the pipe


def _print(result: IndependenceResult) -> None:
    from rich.text import Text

    question, *rows = safe(result).split("\n")
    console = output()
    console.print(Text(question, style="bold"))
    for row in rows:
        text = Text(row)
        text.highlight_words(["undecided"], style="bold yellow")
        text.highlight_words(["independent"], style="bold green")
        text.highlight_words([" dependent"], style="bold magenta")
        console.print(text)
