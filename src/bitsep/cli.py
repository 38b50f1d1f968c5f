"""The `bitsep` command: combines the subcommands, and turns errors into two lines and an exit code."""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import Annotated, NoReturn

import typer

from bitsep.shell import blanket, check, describe, discover, independence, info, pairs, sample
from bitsep.shell.failure import print_failure, print_internal_error

# Base class of typer's errors about a command line. Older releases import it from click, newer ones define it.
_UsageError: type[Exception] = typer.BadParameter.__mro__[2]

_BAD_INPUT = 2
_INTERNAL_ERROR = 70  # EX_SOFTWARE of sysexits.h
_INTERRUPTED = 130
_TERMINATED = 143

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


def main() -> int:
    """Run the command line and return its exit code.

    0: success, or the reader of a pipe closed it. 1: dependent (only with ``test --exit-code``). 2: bad input, or a
    file that cannot be read or written, or not enough memory. 70: an internal error of bitsep. 130: interrupted
    (SIGINT, Ctrl-C). 143: terminated (SIGTERM).
    """
    arguments, debug = _without_debug(sys.argv[1:])
    _prepare_streams()
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _terminate)
    try:
        code = app(arguments, prog_name="bitsep", standalone_mode=False)
        if code == _INTERRUPTED:  # newer releases of typer turn Ctrl-C into this code themselves
            raise KeyboardInterrupt
        _flush()
    except (KeyboardInterrupt, typer.Abort):
        print("interrupted", file=sys.stderr)
        return _INTERRUPTED
    except _Terminated:
        print("terminated", file=sys.stderr)
        return _TERMINATED
    except SystemExit as exit_:
        if not isinstance(exit_.__context__, BrokenPipeError):
            raise
        return _failed(exit_.__context__, arguments, debug)  # typer and rich turn it into 1, which means "dependent"
    except Exception as error:
        return _failed(error, arguments, debug)
    return code if isinstance(code, int) else 0


class _Terminated(BaseException):
    """The process is asked to end; temporary files are deleted on the way."""


def _terminate(*_: object) -> NoReturn:
    raise _Terminated


def _prepare_streams() -> None:
    """Replace closed streams by the null device; escape characters that the encoding of a stream does not have."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 -- used until the process ends
        stream = getattr(sys, name)
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _flush() -> None:
    """Flush stdout; if its reader has closed the pipe, discard the buffer, so that flushing at exit does not fail."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _failed(error: Exception, arguments: list[str], debug: bool) -> int:
    """Print what went wrong and return the exit code."""
    from bitsep.errors import BitsepError

    if isinstance(error, BrokenPipeError):
        _flush()
        return 0  # normal in a pipeline such as `bitsep info | head -1`
    is_internal = not isinstance(error, (BitsepError, MemoryError, OSError, _UsageError))  # OSError: a full disk
    if debug:
        import traceback

        traceback.print_exception(error)
    elif is_internal:
        print_internal_error(error)
    else:
        print_failure(error, " ".join(["bitsep", *_command(arguments)]))
    return _INTERNAL_ERROR if is_internal else _BAD_INPUT


def _without_debug(arguments: list[str]) -> tuple[list[str], bool]:
    end = arguments.index("--") if "--" in arguments else len(arguments)
    kept = [word for word in arguments[:end] if word != "--debug"]
    return kept + arguments[end:], len(kept) < end


def _command(arguments: list[str]) -> list[str]:
    names = {info.name for info in app.registered_commands}
    return [word for word in arguments[:1] if word in names]
