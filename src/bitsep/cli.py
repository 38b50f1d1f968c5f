"""The `bitsep` command: puts the commands together, and turns errors into two lines and an exit code."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from bitsep.shell import ask, blanket, discover, info, reproduce, sample
from bitsep.shell.failure import print_bug, print_failure

# Root of what typer says about a command line. Older releases take it from click, newer ones carry it inside.
_UsageError: type[Exception] = typer.BadParameter.__mro__[2]

_INTERRUPTED = 130

app = typer.Typer(
    name="bitsep",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Start here\n\n$ bitsep sample alarm -n 5000 -o alarm.csv\n\n"
    "$ bitsep discover alarm.csv --report alarm.html\n\n$ bitsep discover --help",
)
app.command("test", epilog=ask.EXAMPLES)(ask.ask)
app.command("discover", epilog=discover.EXAMPLES)(discover.discover)
app.command("blanket", epilog=blanket.EXAMPLES)(blanket.blanket)
app.command("sample", epilog=sample.EXAMPLES)(sample.sample)
app.command("reproduce", epilog=reproduce.EXAMPLES)(reproduce.reproduce)
app.command("info", epilog=info.EXAMPLES)(info.info)


def _print_version(wanted: bool) -> None:
    if wanted:
        from bitsep import __version__

        print(f"bitsep {__version__}")
        raise typer.Exit


@app.callback()
def bitsep(
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error; may stand anywhere.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Is X independent of Y given Z? Decided by counting bits; causal graphs and Markov blankets follow from it."""


def main() -> int:
    """Run the command line; the exit code: 0 done, 1 dependent (test --exit-code), 2 bad input, 130 interrupted."""
    arguments, debug = _without_debug(sys.argv[1:])
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a terminal without arrows or umlauts is no reason to stop
    from bitsep.errors import BitsepError

    try:
        code = app(arguments, prog_name="bitsep", standalone_mode=False)
        if code == _INTERRUPTED:  # newer releases of typer turn Ctrl-C into this code themselves
            raise KeyboardInterrupt
        sys.stdout.flush()
    except (BitsepError, _UsageError) as error:
        if debug:
            raise
        print_failure(error, " ".join(["bitsep", *_command(arguments)]))
        return 2
    except (KeyboardInterrupt, typer.Abort):
        print("interrupted", file=sys.stderr)
        return _INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has seen enough; what is left in the buffer must not fail at exit.
        import os

        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if debug:
            raise
        print_bug(error)
        return 1
    return code if isinstance(code, int) else 0


def _without_debug(arguments: list[str]) -> tuple[list[str], bool]:
    end = arguments.index("--") if "--" in arguments else len(arguments)
    kept = [word for word in arguments[:end] if word != "--debug"]
    return kept + arguments[end:], len(kept) < end


def _command(arguments: list[str]) -> list[str]:
    names = {info.name for info in app.registered_commands}
    return [word for word in arguments[:1] if word in names]
