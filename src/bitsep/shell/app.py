"""The subcommands of `bitsep`, combined."""

from __future__ import annotations

from typing import Annotated

import typer

from bitsep.shell import blanket, check, describe, discover, independence, info, pairs, sample

app = typer.Typer(
    name="bitsep",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Start here\n\n$ bitsep sample alarm -n 5000 -o alarm.csv\n\n"
    "$ bitsep discover alarm.csv --report alarm.html\n\n$ bitsep discover --help",
)
app.command("describe", epilog=describe.EXAMPLES)(describe.describe)
app.command("test", epilog=independence.EXAMPLES)(independence.independence)
app.command("pairs", epilog=pairs.EXAMPLES)(pairs.pairs)
app.command("discover", epilog=discover.EXAMPLES)(discover.discover)
app.command("blanket", epilog=blanket.EXAMPLES)(blanket.blanket)
app.command("check", epilog=check.EXAMPLES)(check.check)
app.command("sample", epilog=sample.EXAMPLES)(sample.sample)
app.command("info", epilog=info.EXAMPLES)(info.info)


def _print_version(wanted: bool) -> None:
    if wanted:
        from bitsep import __version__

        print(f"bitsep {__version__}")
        raise typer.Exit


@app.callback()
def bitsep(
    debug: Annotated[
        bool, typer.Option("--debug", help="Show the traceback of an error; can be placed anywhere.")
    ] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Test conditional independence, learn causal graphs and find Markov blankets in tables of categorical data."""
