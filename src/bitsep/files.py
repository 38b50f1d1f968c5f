"""Writing files completely or not at all.

The content is written to a temporary file (draft) in the same folder, which replaces the file when it is complete and
on the disk. An existing file is not changed if the disk is full, the folder is read-only, or the process crashes.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from bitsep.checks import shown
from bitsep.errors import ArgumentError, BitsepError, UnsupportedTypeError, WriteError, cause

DRAFTS = ".bitsep-*"
"""The pattern of the names of drafts; a draft remains only if the process is killed."""


def utf8(text: str) -> bytes:
    """The text encoded in UTF-8."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise UnsupportedTypeError(
            "data: a name or level has a lone surrogate, which UTF-8 cannot encode.", hint="Rename it."
        ) from None


def path_text(path: object, argument: str) -> str:
    """The path as text; UnsupportedTypeError or ArgumentError if it cannot be one.

    >>> path_text(Path("a") / "b.json", "path")
    'a/b.json'
    """
    text = os.fspath(path) if isinstance(path, str | os.PathLike) else None
    if not isinstance(text, str):
        raise UnsupportedTypeError(f"{argument}: must be a path, got {shown(path)}.")
    if "\0" in text:
        raise ArgumentError(f"{argument}: a path cannot have a null character, got {shown(text)}.")
    return text


def write_file(path: str | os.PathLike[str], content: bytes, argument: str = "path") -> None:
    """Write a file whose content is known; see `whole_file`."""
    with whole_file(path, argument) as draft:
        draft.write_bytes(content)


@contextmanager
def whole_file(path: str | os.PathLike[str], argument: str = "path", sync: bool = True) -> Iterator[Path]:
    """The path of a draft, which replaces `path` if the block ends without an error, and is deleted otherwise.

    The draft has the extension of `path`, because some writers choose the format by it. The file keeps its permissions;
    a symbolic link is not replaced, but its target; devices and pipes are written directly.

    Parameters
    ----------
    path : path
        The file to write.
    argument : str
        The name of the argument in error messages.
    sync : bool
        Wait until the content is on the disk. Without it the file may be incomplete after a power failure.

    Raises
    ------
    WriteError
        If the file cannot be written.
    """
    text = path_text(path, argument)
    try:
        target = Path(os.path.realpath(text))
        known = target.stat() if target.exists() else None
        if known is not None and stat.S_ISDIR(known.st_mode):
            raise WriteError(f"{argument}: {text!r} is a directory.", hint="Name a file in it.")
        if known is not None and not stat.S_ISREG(known.st_mode):
            yield target
            return
        draft = _draft(target)
        try:  # from before the draft exists: Ctrl-C can come at any time
            _create(draft, target, known)
            yield draft
            if sync:
                _sync(draft)
            os.replace(draft, target)
        finally:
            with suppress(FileNotFoundError):
                draft.unlink()
    except OSError as error:
        if isinstance(error, BitsepError):
            raise
        raise WriteError(f"{argument}: {text!r} cannot be written: {cause(error)}.") from error


def check_place(path: str | os.PathLike[str], argument: str = "path") -> None:
    """Raise WriteError if a file cannot be created or replaced at `path`, to detect it before a long computation."""
    place = Path(path_text(path, argument))
    if place.is_dir():
        raise WriteError(f"{argument}: {str(place)!r} is a directory.", hint="Name a file in it.")
    if not place.parent.is_dir():
        raise WriteError(f"{argument}: no directory {str(place.parent)!r} for {place.name!r}.", hint="Create it first.")
    try:
        target = Path(os.path.realpath(place))
        known = target.stat() if target.exists() else None
        if known is not None and not stat.S_ISREG(known.st_mode):
            return
        draft = _draft(target)
        try:
            _create(draft, target, known)
        finally:
            with suppress(FileNotFoundError):
                draft.unlink()
    except OSError as error:
        raise WriteError(f"{argument}: {str(place)!r} cannot be written: {cause(error)}.") from error


def check_ending(
    path: str | os.PathLike[str], endings: Sequence[str], argument: str, what: str, hint: str | None = None
) -> None:
    """Raise ArgumentError unless the path has one of these extensions, in any case; `what` is the kind of file."""
    text = path_text(path, argument)
    if Path(text).suffix.lower() not in endings:
        allowed = " or ".join([", ".join(endings[:-1]), endings[-1]] if len(endings) > 1 else endings)
        raise ArgumentError(f"{argument}: the name of {what} must end in {allowed}, got {text!r}.", hint=hint)


def _draft(target: Path) -> Path:
    """A new name for a draft of a file."""
    return target.with_name(f"{DRAFTS[:-1]}{secrets.token_hex(8)}{''.join(target.suffixes[-2:])}")


def _create(draft: Path, target: Path, known: os.stat_result | None) -> None:
    """Create an empty file with the permissions of the target or of a new file."""
    if known is not None and not os.access(target, os.W_OK):
        raise PermissionError(13, "the file is read-only")  # renaming does not check this permission
    os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    if known is not None:
        draft.chmod(stat.S_IMODE(known.st_mode))


def _sync(draft: Path) -> None:
    """Wait until the content is on the disk, before the old file is replaced."""
    with draft.open("rb+") as file:
        os.fsync(file.fileno())
