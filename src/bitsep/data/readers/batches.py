"""Sources of a scan: they yield Arrow batches."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import Any, Protocol

from bitsep.data.readers.arrow import begin_reading, has_arrow_stream, is_dataset
from bitsep.data.readers.csv_file import csv_delimiter
from bitsep.data.readers.dialect import CsvDialect
from bitsep.data.readers.files import UNNAMED_INDEX, is_parquet, unknown_format
from bitsep.data.readers.formats import ARROW_FORMATS, OTHER_FORMATS, read_arrow_format, suffix_of
from bitsep.data.readers.paths import FileWatch, found_files, refuse_address
from bitsep.data.readers.standard_input import is_standard_input
from bitsep.errors import ArgumentError, BitsepError, DataError, FormatError, ReadError, UnsupportedTypeError, cause

ArrowColumns = list[Any]
"""The chosen columns of some rows, as Arrow arrays."""


Batches = Generator[tuple[str, ArrowColumns], None, None]


class Source(Protocol):
    """Data that are read once; after an interruption, files can be read again, streams cannot."""

    @property
    def names(self) -> Sequence[str]:
        """The names of the columns."""

    @property
    def text(self) -> bool:
        """Whether all values are texts whose types are not known yet (CSV)."""

    @property
    def watch(self) -> FileWatch:
        """The files of the source."""

    def batches(self, chosen: Sequence[str], rows: int) -> Batches:
        """The chosen columns in batches of at most `rows` rows, each with the name of its file or another label."""


def open_source(data: Any, dialect: CsvDialect, filesystem: Any = None) -> Source:
    """The source for data of any supported kind."""
    if isinstance(data, str | os.PathLike):
        address = os.fspath(data)
        if filesystem is None and "://" not in address:
            return _open_path(address, dialect)
        dialect.refuse_for(repr(address))
        if address.lower().startswith(("http://", "https://", "ftp://")):
            refuse_address(address)
        return _open_dataset(address, partitioning="hive", filesystem=filesystem)
    dialect.refuse_for(f"a {type(data).__name__}")
    if is_dataset(data):
        return DatasetSource(data)
    if type(data).__module__.startswith(("duckdb", "_duckdb")) and hasattr(type(data), "fetch_record_batch"):
        return RelationSource(data)
    if has_arrow_stream(data):
        return ReaderSource(data)
    raise UnsupportedTypeError(
        f"data: cannot scan a {type(data).__name__}; a path, pattern or folder of Parquet or CSV files, an Arrow "
        "dataset, table or record-batch reader, or a DuckDB relation is needed."
    )


def _open_path(path: str, dialect: CsvDialect) -> Source:
    from bitsep.data.readers.csv_batches import CsvSource

    paths = [path] if is_standard_input(path) else found_files(path)
    if all(map(csv_delimiter, paths)):
        return CsvSource(paths, dialect)
    dialect.refuse_for(repr(path))
    if len(paths) == 1 and suffix_of(path) in OTHER_FORMATS:
        return _open_in_memory(path)
    stray = next((one for one in paths if not is_parquet(one) and not csv_delimiter(one)), None)
    if stray is not None:
        raise unknown_format(stray)
    if not all(map(is_parquet, paths)):
        raise ArgumentError(f"data: {path!r} names Parquet and CSV files; scan one format at a time.")
    # A folder can be partitioned: the names of its subfolders contain columns.
    root = path if os.path.isdir(path) else None
    return _open_dataset(paths, partitioning="hive" if root else None, partition_base_dir=root)


def _open_in_memory(path: str) -> Source:
    """The source for a file of a format that is read into memory as a whole."""
    if suffix_of(path) not in ARROW_FORMATS:
        raise ArgumentError(
            f"data: an Excel file cannot be scanned, got {path!r}.",
            hint="Use it as it is, with bitsep.Table or without --memory: its size is limited.",
        )
    return ReaderSource(read_arrow_format(Path(path)))


def _open_dataset(paths: str | list[str], **options: Any) -> Source:
    """The source for an address, or for Parquet files."""
    import pyarrow as pa
    import pyarrow.dataset as ds

    def opened(file_format: Any = "parquet") -> Any:
        first = paths if isinstance(paths, str) else paths[0]
        try:
            return ds.dataset(paths, format=file_format, **options)
        except pa.ArrowInvalid as error:
            raise FormatError(f"data: {first!r} is not a valid Parquet file: {cause(error)}.") from error
        except OSError as error:
            raise ReadError(f"data: {first!r} cannot be read: {cause(error)}.") from error

    return DatasetSource(opened(), opened)


class DatasetSource:
    """Parquet files, or any Arrow dataset, read fragment by fragment in a fixed order."""

    text = False

    def __init__(self, dataset: Any, reopen: Callable[[Any], Any] | None = None) -> None:
        self._dataset = _with_dictionaries(dataset, reopen)
        self.watch = FileWatch(getattr(dataset, "files", ()))
        self.names = [name for name in dataset.schema.names if not UNNAMED_INDEX.fullmatch(name)]

    def batches(self, chosen: Sequence[str], rows: int) -> Batches:
        first: dict[str, tuple[str, Any]] = {}
        for fragment in self._dataset.get_fragments():
            label = getattr(fragment, "path", None) or "the data"
            read = 0
            try:
                schema = _full_schema(fragment, self._dataset.schema, chosen, label)
                _check_types(schema, chosen, label, first)
                # Reading one batch ahead hides the latency of the disk; more would exceed the memory budget.
                scanned = fragment.to_batches(
                    schema=schema, columns=list(chosen), batch_size=rows, batch_readahead=1, fragment_readahead=1
                )
                for batch in scanned:
                    read += batch.num_rows
                    yield label, [batch.column(name) for name in chosen]
            except BitsepError:
                raise
            except Exception as error:
                raise _broken(label, read, error) from error


def _with_dictionaries(dataset: Any, reopen: Callable[[Any], Any] | None) -> Any:
    """The dataset with texts as stored in Parquet, as distinct values and indices, which are numbered much faster."""
    import pyarrow.dataset as ds
    import pyarrow.types as pt

    texts = {field.name for field in dataset.schema if pt.is_string(field.type)}
    if reopen is None or not texts:
        return dataset
    return reopen(ds.ParquetFileFormat(read_options=ds.ParquetReadOptions(dictionary_columns=texts)))


def _full_schema(fragment: Any, dataset_schema: Any, chosen: Sequence[str], label: str) -> Any:
    """The columns of one fragment, including those from the names of its folders."""
    import pyarrow.dataset as ds

    schema = fragment.physical_schema
    from_folders = ds.get_partition_keys(fragment.partition_expression)
    for name in chosen:
        if name in from_folders and name not in schema.names:
            schema = schema.append(dataset_schema.field(name))
        elif name not in schema.names:
            raise DataError(
                f"data: {label!r} has no column {name!r}, which other files have.",
                hint="Leave out the column (columns=) or the file.",
            )
    return schema


def _check_types(schema: Any, chosen: Sequence[str], label: str, first: dict[str, tuple[str, Any]]) -> None:
    """Raise an error if a column has another kind of type than in earlier fragments."""
    for name in chosen:
        kind = _family(schema.field(name).type)
        if kind == "null":
            continue  # only missing values: compatible with all types
        where, earlier = first.setdefault(name, (label, schema.field(name).type))
        if kind != _family(earlier):
            raise DataError(
                f"data: column {name!r} changes from {_shown(earlier)} in {where!r} to "
                f"{_shown(schema.field(name).type)} in {label!r}.",
                hint="Write all files with one type, or leave the column out (columns=).",
            )


def _shown(kind: Any) -> str:
    import pyarrow.types as pt

    return str(kind.value_type if pt.is_dictionary(kind) else kind)


def _family(kind: Any) -> str:
    """The family of a type; values of types in one family can be compared."""
    import pyarrow.types as pt

    if pt.is_dictionary(kind):
        kind = kind.value_type
    if pt.is_integer(kind) or pt.is_floating(kind) or pt.is_decimal(kind):
        return "number"
    if str(kind) in ("string", "large_string", "string_view"):
        return "text"
    return "timestamp" if pt.is_timestamp(kind) else str(kind)


def _broken(label: str, read: int, error: Exception) -> BitsepError:
    import pyarrow as pa

    if isinstance(error, OSError) and error.errno is not None:
        return ReadError(f"data: {label!r} cannot be read: {cause(error)}.")
    if isinstance(error, pa.ArrowException | OSError):
        return FormatError(
            f"data: {label!r} is damaged beyond row {read:,}: {cause(error)}.",
            hint="Write the file again, or leave it out.",
        )
    raise error


class ReaderSource:
    """A stream of record batches, or an object that has one; it can be read once, even if reading was interrupted."""

    text = False

    def __init__(self, data: Any) -> None:
        import pyarrow as pa

        self._reader = data if isinstance(data, pa.RecordBatchReader) else pa.RecordBatchReader.from_stream(data)
        self.names = list(self._reader.schema.names)
        self.watch = FileWatch(())

    def batches(self, chosen: Sequence[str], rows: int) -> Batches:
        begin_reading(self._reader)
        read = 0
        try:
            for whole in self._reader:
                for begin in range(0, whole.num_rows, rows):
                    batch = whole.slice(begin, rows)
                    read += batch.num_rows
                    yield "the stream", [batch.column(name) for name in chosen]
        except BitsepError:
            raise
        except Exception as error:
            raise _broken("the stream", read, error) from error
        finally:
            self._reader.close()  # releases, for instance, a database connection


class RelationSource(ReaderSource):
    """A DuckDB relation."""

    def __init__(self, relation: Any) -> None:
        # The name of the method in DuckDB 2, and in earlier releases; in the type, because columns are attributes, too.
        kind = type(relation)
        reader = getattr(kind, "to_arrow_reader", None) or kind.fetch_record_batch
        super().__init__(reader(relation, 1 << 16))
