"""`bitsep reproduce`: the figures of the paper, made again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bitsep.shell.completion import experiments
from bitsep.shell.data import Json, Threads
from bitsep.shell.terminal import one_line, output, working

if TYPE_CHECKING:
    from bitsep.paper import Reproduction

EXAMPLES = """Examples

$ bitsep reproduce --list

$ bitsep reproduce thresholds --quick --out quick

$ bitsep reproduce --out reproduction --resume"""

_SIGNS = {"holds": ("✓", "green"), "does not hold": ("✗", "red"), "not decided": ("?", "yellow")}


def reproduce(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[EXPERIMENT]...",
            help="Which ones; all without it.",
            show_default=False,
            autocompletion=experiments,
        ),
    ] = None,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where figures and tables go.")] = Path("reproduction"),
    quick: Annotated[
        bool, typer.Option("--quick", help="Fewer repetitions: a minute instead of half an hour, and noisier.")
    ] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Carry on where an earlier run was stopped.")] = False,
    list_them: Annotated[bool, typer.Option("--list", help="Only list the experiments.")] = False,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Run the paper's experiments, and say which of its sentences hold."""
    from bitsep import paper

    if list_them:
        width = max(map(len, paper.EXPERIMENTS))
        lines = [f"{name:<{width}}  {title}" for name, title in paper.EXPERIMENTS.items()]
        print(json.dumps(paper.EXPERIMENTS, ensure_ascii=False) if as_json else "\n".join(lines))
        return
    with working("reproducing") as progress:
        made = paper.reproduce(names or (), quick=quick, out=out, threads=threads, resume=resume, progress=progress)
    if as_json:
        print(json.dumps(made.to_dict(), ensure_ascii=False))
    else:
        _print(made)


def _print(made: Reproduction) -> None:
    from rich.text import Text

    console = output()
    for verdict in made.claims:
        sign, color = _SIGNS[verdict.outcome]
        console.print(Text(f"{sign} ", style=f"bold {color}") + Text(verdict.claim.statement))
        if verdict.difference:
            console.print(Text(f"  {verdict.difference}", style="dim"))
    held = f"{made.outcomes()['holds']} of {len(made.claims)} statements hold"
    console.print(Text(f"{held}; everything is on {one_line(str(made.page))}", style="bold"))
