"""Encoded chunks: in memory while they are few, in one temporary file when they are many."""

from __future__ import annotations

import os
import tempfile
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from bitsep.data.encode import Codes
from bitsep.errors import WriteError, cause

Integers = npt.NDArray[np.int64]
_ALIGNMENT = 64

Piece = npt.NDArray[Any] | tuple[int, np.dtype[Any]]
"""A column of a chunk: the array itself, or its place in the file and its type."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some consecutive rows: how many, which is the first, and the columns."""

    rows: int
    first_row: int
    pieces: tuple[Piece, ...]
    weights: Piece | None


class ChunkStore:
    """Columns of codes in chunks of equal length, written once and read many times.

    Codes are int8, int16 or int32, as narrow as the chunk allows. The file has no name in the folder (where the system
    allows it) and goes away with the process, however it ends.
    """

    def __init__(self, chunk_rows: int, keep_bytes: int, folder: str | os.PathLike[str] | None = None) -> None:
        self.chunks: list[Chunk] = []
        self.rows = 0
        self.weight = 0
        self._chunk_rows = chunk_rows
        self._keep_bytes = keep_bytes
        self._folder = folder
        self._file: IO[bytes] | None = None
        self._mapped: npt.NDArray[np.uint8] | None = None
        self._size = 0
        self._waiting: list[tuple[list[Codes], Integers | None]] = []
        self._waiting_rows = 0

    @property
    def spilled(self) -> bool:
        """Whether the chunks lie in a file."""
        return self._file is not None

    @property
    def nbytes(self) -> int:
        """Size of the encoded data."""
        return self._size

    def append(self, columns: list[Codes], weights: Integers | None) -> None:
        """Take the next rows; full chunks are put away."""
        begin, rows = 0, len(columns[0])
        while begin < rows:
            end = min(rows, begin + self._chunk_rows - self._waiting_rows)
            part = slice(begin, end)
            self._waiting.append(([c[part] for c in columns], None if weights is None else weights[part]))
            self._waiting_rows += end - begin
            if self._waiting_rows == self._chunk_rows:
                self._flush()
            begin = end

    def finish(self) -> None:
        """No more rows come."""
        if self._waiting_rows:
            self._flush()
        if self._file is not None:
            self._file.flush()
            self._mapped = np.asarray(np.memmap(self._file, dtype=np.uint8, mode="r"))

    def columns(self, chunk: Chunk, wanted: Sequence[int]) -> list[Codes]:
        """Some columns of a chunk."""
        return [self._read(chunk.pieces[number], chunk.rows) for number in wanted]

    def weights(self, chunk: Chunk) -> Integers | None:
        """The weights of a chunk."""
        return None if chunk.weights is None else self._read(chunk.weights, chunk.rows)

    def close(self) -> None:
        """Let go of the data."""
        self.chunks = []
        self._mapped = None
        if self._file is not None:
            self._file.close()

    def _flush(self) -> None:
        parts, self._waiting, self._waiting_rows = self._waiting, [], 0
        columns = [np.concatenate(column) for column in zip(*(columns for columns, _ in parts), strict=True)]
        weights = None
        if parts[0][1] is not None:
            weights = np.concatenate([part for _, part in parts if part is not None])
        arrays = columns if weights is None else [*columns, weights]
        size = sum(array.nbytes for array in arrays)
        if self._file is None and self._size + size > self._keep_bytes:
            self._spill()
        self._size += size
        pieces = tuple(self._put(array) for array in arrays)
        n = len(columns)
        chunk = Chunk(len(columns[0]), self.rows, pieces[:n], None if weights is None else pieces[n])
        self.chunks.append(chunk)
        self.rows += chunk.rows
        self.weight += chunk.rows if weights is None else int(weights.sum())

    def _spill(self) -> None:
        """From now on everything goes to the file, and what is in memory moves there."""
        try:
            self._file = tempfile.TemporaryFile(prefix="bitsep-", dir=self._folder)  # noqa: SIM115 -- lives on
        except OSError as error:
            raise self._cannot_write(error) from error
        weakref.finalize(self, self._file.close)
        for number, chunk in enumerate(self.chunks):
            pieces = tuple(self._put(piece) for piece in chunk.pieces)
            weights = None if chunk.weights is None else self._put(chunk.weights)
            self.chunks[number] = Chunk(chunk.rows, chunk.first_row, pieces, weights)

    def _put(self, piece: Piece) -> Piece:
        if self._file is None or isinstance(piece, tuple):
            return piece
        place = self._file.tell()
        try:
            self._file.write(piece.tobytes())
            self._file.write(bytes(-piece.nbytes % _ALIGNMENT))
        except OSError as error:
            raise self._cannot_write(error) from error
        return place, piece.dtype

    def _read(self, piece: Piece, rows: int) -> npt.NDArray[Any]:
        if not isinstance(piece, tuple):
            return piece
        assert self._mapped is not None
        place, dtype = piece
        return self._mapped[place : place + rows * dtype.itemsize].view(dtype)

    def _cannot_write(self, error: OSError) -> WriteError:
        folder = tempfile.gettempdir() if self._folder is None else os.fspath(self._folder)
        return WriteError(
            f"spill_folder: the encoded data cannot be written to {folder!r}: {cause(error)}.",
            hint="Name a folder on a disk with more space with spill_folder=, or allow more memory with memory=.",
        )
