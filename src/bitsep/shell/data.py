"""The options that every command that reads data has, and how the data are read."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from bitsep.errors import ArgumentError
from bitsep.shell import completion
from bitsep.shell.signals import keep_signals_from_arrow
from bitsep.shell.terminal import reading, working

if TYPE_CHECKING:
    from bitsep.data.contract import EncodedData
    from bitsep.data.scan import Scan
    from bitsep.data.spark import SparkScan
    from bitsep.naming import Name

_data_option = partial(typer.Option, rich_help_panel="Data")
_column_option = partial(_data_option, autocompletion=completion.columns)

ALL_COLUMNS = "*"
"""Stands for all columns in --missing-as-level."""

_EXCEL = ".xlsx"
_MAX_SEARCHED = 10_000  # columns; the time of a search grows with the square of their number


def _data_path(text: str) -> Path:
    """The path of the data; an address, whose slashes a path would change, is refused."""
    from bitsep.data.readers.paths import refuse_address

    refuse_address(text)
    return Path(text)


DataFile = Annotated[
    Path,
    typer.Argument(
        metavar="DATA",
        help="A CSV (also .tsv, compressed), Parquet, Feather (.feather, .arrow), JSON-lines (.jsonl, .ndjson) or "
        "Excel (.xlsx) file; - for CSV from the standard input.",
        parser=_data_path,
    ),
]
Weights = Annotated[
    str | None, _column_option(metavar="COLUMN", help="Column of row weights: how often each row counts.")
]
MissingTexts = Annotated[
    list[str] | None,
    _data_option(
        "--missing",
        metavar="TEXT",
        help="A text that means a missing value, besides the empty text; repeat the option for more. "
        "Default: NA, NaN, nan, null and ?.",
    ),
]
Columns = Annotated[
    list[str] | None,
    _column_option("--columns", metavar="NAME", help="Use only this column; repeat the option for more."),
]
Exclude = Annotated[
    list[str] | None, _column_option(metavar="NAME", help="Leave this column out; repeat the option for more.")
]
Keep = Annotated[
    list[str] | None,
    _column_option(
        metavar="NAME",
        help="Use this column in a search although it looks like an identifier, a date or free text, which searches "
        "leave out; repeat the option for more. Columns named by --columns are kept as well.",
    ),
]
MissingAsLevel = Annotated[
    list[str] | None,
    _column_option(
        metavar="COLUMN",
        help="Take missing values of this column as a level of their own, in tests and searches; repeat the option for "
        f"more. {ALL_COLUMNS}: all columns.",
    ),
]
Discretize = Annotated[
    str | None,
    _data_option(
        metavar="METHOD",
        help="Divide numeric columns into intervals: auto, equal-frequency:4, equal-width:4 (default: 5 intervals), "
        'mdl:TARGET, or by column with methods or cut points: "price,age=auto;dose=2,5,10". Columns that are not named '
        "and look continuous are an error, but discover divides them automatically; zip=none leaves a column as it is.",
    ),
]
Memory = Annotated[
    str | None,
    _data_option(
        metavar="SIZE",
        help="Memory limit for data larger than memory, such as 2GB; the data are read in chunks. DATA can then also "
        'be a folder or a pattern such as "data/*.parquet". The result is the same.',
    ),
]
Spark = Annotated[
    str | None,
    _data_option(
        metavar="MASTER",
        help="Count on a Spark cluster that can read DATA: spark://host:7077, yarn, local[4], or sc://host for Spark "
        "Connect. The result is the same.",
    ),
]
Encoding = Annotated[str, _data_option(metavar="NAME", help="Encoding of a CSV file.")]
Delimiter = Annotated[
    str | None,
    _data_option(
        metavar="CHARACTER",
        help="Delimiter of a CSV file (\\t: tab). Default: the comma, semicolon, tab or | that fits the first lines.",
    ),
]
Decimal = Annotated[str, _data_option(metavar="CHARACTER", help="Decimal separator in a CSV file: . or a comma.")]
Thousands = Annotated[
    str | None,
    _data_option(metavar="CHARACTER", help="Separator of thousands in a CSV file, as the comma in 1,234.5."),
]
Header = Annotated[
    bool,
    _data_option(
        "--header/--no-header",
        help="Whether the first line of a CSV file has the names; otherwise they are column_1, column_2, and so on.",
    ),
]
Comment = Annotated[
    str | None, _data_option(metavar="CHARACTER", help="First character of comment lines in a CSV file.")
]
Threads = Annotated[
    int | None,
    _data_option(metavar="N", help="Number of threads; by default all cores. The result does not depend on it."),
]

Json = Annotated[bool, typer.Option("--json", help="Print JSON; its keys are the names of the attributes in Python.")]
Method = Annotated[
    str,
    typer.Option(
        "--method",
        "-m",
        metavar="TEST",
        help="Independence test; `bitsep info` lists them.",
        autocompletion=completion.methods,
    ),
]
Alpha = Annotated[
    float | None,
    typer.Option(
        metavar="ALPHA",
        help="Significance level; default: 0.05 for tests that have one. For a SCI test it adds -log2(ALPHA) bits to "
        "the threshold.",
    ),
]
MethodOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="NAME=VALUE",
        help="An option of the test or score, as threshold=0.01 for cmi or sample_size=4 for bdeu; can be repeated.",
    ),
]
MinRowsShare = Annotated[
    float,
    typer.Option(
        metavar="SHARE",
        help="A column with values in a smaller share of the rows is not used as a conditioning variable or as a "
        "parent, and missing edges that rest on fewer rows are reported; 0 for no restriction.",
    ),
]
MinEffect = Annotated[
    float,
    typer.Option(metavar="BITS", help="Bits per row that an edge needs besides the threshold or the code of a parent."),
]
MaxGiven = Annotated[int | None, typer.Option(metavar="N", help="Largest size of conditioning sets.")]


@dataclass(frozen=True, slots=True)
class Source:
    """The options about data, which every command that reads data has."""

    weights: Weights = None
    missing: MissingTexts = None
    missing_as_level: MissingAsLevel = None
    columns: Columns = None
    exclude: Exclude = None
    keep: Keep = None
    discretize: Discretize = None
    memory: Memory = None
    spark: Spark = None
    encoding: Encoding = "utf-8"
    delimiter: Delimiter = None
    decimal: Decimal = "."
    thousands: Thousands = None
    header: Header = True
    comment: Comment = None
    threads: Threads = None

    def read_for_search(self, path: Path) -> EncodedData:
        """Open the data for a search; too many columns are refused before they are read."""
        if self.columns is None and self.spark is None and path.is_file() and path.suffix.lower() != _EXCEL:
            number = len(self._names(path)) - len(self.exclude or ())
            if number > _MAX_SEARCHED:
                raise ArgumentError(
                    f"data: {title(path)!r} has too many columns for a search; at most {_MAX_SEARCHED:,} are possible, "
                    f"got {number:,}.",
                    hint="Name those to search with --columns.",
                )
        return self.read(path)

    def read(self, path: Path, needed: Sequence[str] | None = None, *, text_in_numbers: bool = False) -> EncodedData:
        """Open the data; a progress bar is shown while a large file is read.

        Parameters
        ----------
        path : Path
        needed : sequence of str, optional
            The columns that the command needs; default: all columns that `columns` and `exclude` leave.
        text_in_numbers : bool
            Whether columns of numbers with a few texts are accepted.
        """
        import bitsep

        if self.keep:
            _check_names("--keep", self.keep, self._names(path))
        options: dict[str, Any] = {"weights": self.weights, "columns": self._chosen(path, needed)}
        if self.missing:
            options["missing"] = self.missing
        if text_in_numbers:
            options["max_float_levels"] = None
        if self.spark:
            return self._on_spark(path, **options)
        options |= self._dialect()
        if self.memory:
            with working(f"reading {title(path)}") as progress:
                scanned = _scan(path, memory=self.memory, progress=progress, **options)
                _ = scanned.n_rows  # reads the data now, while the bar is shown
                return scanned
        with reading(path):
            return bitsep.Table(path, **options)

    @property
    def kept(self) -> list[Name]:
        """The columns that a search must not leave out."""
        return [*(self.keep or ()), *(self.columns or ())]

    @property
    def levels_of_missing(self) -> bool | list[str]:
        """The argument `missing_as_level` of searches."""
        names = self.missing_as_level or []
        return True if ALL_COLUMNS in names else names

    def levels_of_missing_in(self, path: Path, columns: Sequence[str]) -> bool | list[str]:
        """The same for a test of these columns: other columns of the data are left out."""
        names = self.levels_of_missing
        if isinstance(names, bool):
            return names
        if not set(columns).issuperset(names):
            _check_names("--missing-as-level", names, self._names(path))
        return [name for name in names if name in columns]

    def check_variables(self, argument: str, names: Sequence[str], path: Path) -> None:
        """Raise an error about an argument that has variables which are not columns of the data."""
        _check_names(argument, names, self._names(path))

    def _chosen(self, path: Path, needed: Sequence[str] | None) -> list[Name] | None:
        """The columns to read; None for all."""
        chosen: list[Name] | None = list(self.columns) if self.columns else None
        if self.exclude:
            chosen = _without(self._names(path), chosen, self.exclude, self.weights)
        if needed is None:
            return chosen
        for name in needed:
            if chosen is not None and name not in chosen:
                raise ArgumentError(f"--columns, --exclude: column {name!r} is needed by this command.")
        return list(dict.fromkeys(needed))

    def _names(self, path: Path) -> Sequence[Name]:
        """The names of all columns, found without reading the rows."""
        if self.spark:
            return self._on_spark(path).names
        return columns_of(path, **self._dialect())

    def _dialect(self) -> dict[str, Any]:
        """The options about CSV files, as in `bitsep.Table`."""
        return {
            "encoding": self.encoding,
            "delimiter": "\t" if self.delimiter == "\\t" else self.delimiter,
            "decimal": self.decimal,
            "thousands": self.thousands,
            "header": self.header,
            "comment": self.comment,
        }

    def _on_spark(self, path: Path, **options: Any) -> SparkScan:
        from bitsep.data.readers.dialect import CsvDialect
        from bitsep.data.spark import open_session, scan_files

        assert self.spark is not None
        if self.memory:
            options["memory"] = self.memory
        return scan_files(open_session(self.spark), str(path), CsvDialect(**self._dialect()), **options)


def reads_data(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of `Source` to a command, which receives them as its argument `source`."""
    hints = get_type_hints(Source, include_extras=True)

    @wraps(command)
    def called(**arguments: Any) -> None:
        keep_signals_from_arrow()
        source = Source(**{field.name: arguments.pop(field.name) for field in fields(Source)})
        command(source=source, **arguments)

    keyword = inspect.Parameter.KEYWORD_ONLY
    own = inspect.signature(command, eval_str=True).parameters.values()
    parameters = [one.replace(kind=keyword) for one in own if one.name != "source"]
    parameters += [
        inspect.Parameter(field.name, keyword, default=field.default, annotation=hints[field.name])
        for field in fields(Source)
    ]
    called.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    called.__annotations__ = {one.name: one.annotation for one in parameters}
    return called


def _scan(path: Path, **options: Any) -> Scan:
    from bitsep.data.scan import scan

    return scan(str(path), **options)


def columns_of(path: Path, **dialect: Any) -> Sequence[Name]:
    """The names of all columns of a file, found without reading the rows, unless it is an Excel file."""
    import bitsep
    from bitsep.data.readers.batches import open_source
    from bitsep.data.readers.dialect import CsvDialect

    if path.suffix.lower() == _EXCEL:
        return bitsep.Table(path, max_float_levels=None, **dialect).names
    return open_source(path, CsvDialect(**dialect)).names


def title(path: Path) -> str:
    """The name of the data for titles and progress bars."""
    from bitsep.data.readers.standard_input import is_standard_input, shown_path

    return shown_path(path) if is_standard_input(path) else path.name


def method_options(pairs: list[str] | None) -> dict[str, Any]:
    """Keyword arguments from NAME=VALUE texts; a value that can be read as a number becomes a number."""
    found: dict[str, Any] = {}
    for pair in pairs or ():
        name, sign, value = pair.partition("=")
        if not sign or not name.isidentifier():
            raise typer.BadParameter(f"--option: must have the form NAME=VALUE, as in threshold=0.01, got {pair!r}.")
        try:
            found[name] = float(value)
        except ValueError:
            found[name] = value
    return found


def _check_names(option: str, given: Sequence[str], names: Sequence[Name]) -> None:
    from bitsep.naming import unknown_column

    for name in given:
        if name not in names:
            raise unknown_column(option, name, names)


def _without(names: Sequence[Name], chosen: list[Name] | None, exclude: list[str], weights: str | None) -> list[Name]:
    _check_names("--exclude", exclude, names)
    left = [name for name in chosen or names if name not in exclude and name != weights]
    if not left:
        raise ArgumentError("--exclude: no column is left; at least one is needed.", hint="Exclude fewer.")
    return left
