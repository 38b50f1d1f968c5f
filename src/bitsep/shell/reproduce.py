"""`bitsep reproduce`: the figures of the paper, made again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from bitsep.shell.data import Json, Threads
from bitsep.shell.terminal import output, working

EXAMPLES = """Examples

$ bitsep reproduce --list

$ bitsep reproduce thresholds --quick

$ bitsep reproduce --out reproduction --resume"""


def reproduce(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[EXPERIMENT]...", help="Which ones; all without it.", show_default=False),
    ] = None,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where figures and tables go.")] = Path("reproduction"),
    quick: Annotated[bool, typer.Option("--quick", help="Fewer repetitions: minutes instead of hours.")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Keep what an earlier run has finished.")] = False,
    list_them: Annotated[bool, typer.Option("--list", help="Only list the experiments.")] = False,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Run the paper's experiments, and say which of its sentences hold."""
    from bitsep import paper

    if list_them:
        for name, experiment in paper.EXPERIMENTS.items():
            output().print(f"{name:<20} {experiment.title}")
        return
    with working("reproducing") as progress:
        results = paper.reproduce(
            names or None, quick=quick, out=out, threads=threads, resume=resume, progress=progress
        )
    print(json.dumps(results) if as_json else results)
