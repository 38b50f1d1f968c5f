"""The `bitsep` command: runs a subcommand, and turns errors and signals into two lines or a word and an exit code."""

from __future__ import annotations

import os
import sys

from bitsep.shell.signals import Stopped, raising_stopped

_BAD_INPUT = 2
_INTERNAL_ERROR = 70  # EX_SOFTWARE of sysexits.h


def main() -> int:
    """Run the command line and return its exit code.

    0: success, or the reader of a pipe closed it. 1: dependent (only with ``test --exit-code``). 2: bad input, or a
    file that cannot be read or written, or not enough memory. 70: an internal error of bitsep. 130: interrupted
    (SIGINT, Ctrl-C). 143: terminated (SIGTERM).
    """
    arguments, debug = _without_debug(sys.argv[1:])
    _prepare_streams()
    try:
        with raising_stopped():
            import bitsep.shell.failure  # noqa: F401 -- before memory may be short
            from bitsep.shell.app import app  # takes a third of a second, in which a signal may arrive

            code = app(arguments, prog_name="bitsep", standalone_mode=False)
            _flush()
    except Stopped as stopped:
        print(stopped.word, file=sys.stderr)
        return stopped.exit_code
    except SystemExit as exit_:
        if not isinstance(exit_.__context__, BrokenPipeError):
            raise
        return _failed(exit_.__context__, arguments, debug)  # typer and rich turn it into 1, which means "dependent"
    except Exception as error:
        return _failed(error, arguments, debug)
    return code if isinstance(code, int) else 0


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
    import typer

    from bitsep.errors import BitsepError
    from bitsep.shell.failure import print_failure, print_internal_error

    # Base class of typer's errors about a command line. Older releases import it from click, newer ones define it.
    usage_error: type[Exception] = typer.BadParameter.__mro__[2]
    if isinstance(error, BrokenPipeError):
        _flush()
        return 0  # normal in a pipeline such as `bitsep info | head -1`
    is_internal = not isinstance(error, (BitsepError, MemoryError, OSError, usage_error))  # OSError: a full disk
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
    from bitsep.shell.app import app

    names = {info.name for info in app.registered_commands}
    return [word for word in arguments[:1] if word in names]
