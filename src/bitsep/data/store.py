"""Storage of encoded chunks: in memory if they fit, otherwise in one temporary file."""

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

StoredColumn = npt.NDArray[Any] | tuple[int, np.dtype[Any]]
"""A column of a chunk: the array, or its position in the file and its type."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some consecutive rows: their number, the number of the first row, the columns and the weights."""

    rows: int
    first_row: int
    columns: tuple[StoredColumn, ...]
    weights: StoredColumn | None


class ChunkStore:
    """Columns of codes in chunks of equal length, written once and read many times.

    Codes are int8, int16 or int32, as small as possible in each chunk. The file has no name in the folder (if the
    system allows it) and is deleted when the process ends, also after a crash.
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
        """Whether the chunks are in a file."""
        return self._file is not None

    @property
    def nbytes(self) -> int:
        """The size of the encoded data in bytes."""
        return self._size

    def append(self, columns: list[Codes], weights: Integers | None) -> None:
        """Add rows; full chunks are stored."""
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
        """Store the last chunk; no more rows can be added."""
        if self._waiting_rows:
            self._flush()
        if self._file is not None:
            self._file.flush()
            self._mapped = np.asarray(np.memmap(self._file, dtype=np.uint8, mode="r"))

    def columns(self, chunk: Chunk, numbers: Sequence[int]) -> list[Codes]:
        """The columns of a chunk with these numbers."""
        return [self._read(chunk.columns[number], chunk.rows) for number in numbers]

    def weights(self, chunk: Chunk) -> Integers | None:
        """The weights of a chunk."""
        return None if chunk.weights is None else self._read(chunk.weights, chunk.rows)

    def close(self) -> None:
        """Release the data."""
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
        stored = tuple(self._store(array) for array in arrays)
        n = len(columns)
        chunk = Chunk(len(columns[0]), self.rows, stored[:n], None if weights is None else stored[n])
        self.chunks.append(chunk)
        self.rows += chunk.rows
        self.weight += chunk.rows if weights is None else int(weights.sum())

    def _spill(self) -> None:
        """Open the file and move the chunks in memory to it; later chunks are written to it, too."""
        try:
            self._file = tempfile.TemporaryFile(prefix="bitsep-", dir=self._folder)  # noqa: SIM115 -- closed by the finalizer
        except OSError as error:
            raise self._cannot_write(error) from error
        weakref.finalize(self, self._file.close)
        for number, chunk in enumerate(self.chunks):
            columns = tuple(self._store(column) for column in chunk.columns)
            weights = None if chunk.weights is None else self._store(chunk.weights)
            self.chunks[number] = Chunk(chunk.rows, chunk.first_row, columns, weights)

    def _store(self, column: StoredColumn) -> StoredColumn:
        if self._file is None or isinstance(column, tuple):
            return column
        position = self._file.tell()
        try:
            self._file.write(column.tobytes())
            self._file.write(bytes(-column.nbytes % _ALIGNMENT))
        except OSError as error:
            raise self._cannot_write(error) from error
        return position, column.dtype

    def _read(self, column: StoredColumn, rows: int) -> npt.NDArray[Any]:
        if not isinstance(column, tuple):
            return column
        assert self._mapped is not None
        position, dtype = column
        return self._mapped[position : position + rows * dtype.itemsize].view(dtype)

    def _cannot_write(self, error: OSError) -> WriteError:
        folder = tempfile.gettempdir() if self._folder is None else os.fspath(self._folder)
        return WriteError(
            f"spill_folder: the encoded data cannot be written to {folder!r}: {cause(error)}.",
            hint="Name a folder on a disk with more space with spill_folder=, or allow more memory with memory=.",
        )
