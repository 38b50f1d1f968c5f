"""The options every command that reads data shares, and how they become a table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bitsep.shell import completion
from bitsep.shell.terminal import reading, working

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitsep import Table
    from bitsep.data.scan import Scan
    from bitsep.data.spark import SparkScan
    from bitsep.naming import Name

_PANEL = "The data"

DataFile = Annotated[Path, typer.Argument(metavar="DATA", help="A CSV (also .tsv, compressed) or Parquet file.")]
Weights = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="The column that says how often each row counts.",
        rich_help_panel=_PANEL,
        autocompletion=completion.columns,
    ),
]
MissingTexts = Annotated[
    list[str] | None,
    typer.Option(
        "--missing",
        metavar="TEXT",
        help="A text that means a missing value, besides the empty one; repeat it for more. "
        "Without it: NA, NaN, null and ?.",
        rich_help_panel=_PANEL,
    ),
]
Columns = Annotated[
    list[str] | None,
    typer.Option(
        "--columns",
        metavar="NAME",
        help="Use only this column; repeat it for more.",
        rich_help_panel=_PANEL,
        autocompletion=completion.columns,
    ),
]
Exclude = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help="Leave this column out; repeat it for more.",
        rich_help_panel=_PANEL,
        autocompletion=completion.columns,
    ),
]
Discretize = Annotated[
    str | None,
    typer.Option(
        metavar="HOW",
        help="Cut numeric columns into intervals: equal-frequency, equal-width or mdl:TARGET. "
        "A number of intervals may follow: equal-width:8 (without it, 5).",
        rich_help_panel=_PANEL,
    ),
]
Memory = Annotated[
    str | None,
    typer.Option(
        metavar="SIZE",
        help="For data larger than memory: read them in pieces and take no more than this, say 2GB. DATA may then also "
        'be a folder or a pattern such as "data/*.parquet". The result is the same.',
        rich_help_panel=_PANEL,
    ),
]
Spark = Annotated[
    str | None,
    typer.Option(
        metavar="MASTER",
        help="Count on a Spark cluster that can reach DATA: spark://host:7077, yarn, local[4], or sc://host for Spark "
        "Connect. The result is the same.",
        rich_help_panel=_PANEL,
    ),
]
Encoding = Annotated[str, typer.Option(metavar="NAME", help="Of a CSV file.", rich_help_panel=_PANEL)]

Json = Annotated[bool, typer.Option("--json", help="Print JSON, its keys named like the attributes in Python.")]
Method = Annotated[
    str,
    typer.Option(
        "--method",
        "-m",
        metavar="TEST",
        help="The test; `bitsep info` lists them.",
        autocompletion=completion.methods,
    ),
]
Alpha = Annotated[
    float | None,
    typer.Option(
        metavar="LEVEL",
        help="Significance level, .05 where a test has one. With a SCI test it asks for -log2(LEVEL) bits more.",
    ),
]
MethodOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="NAME=VALUE",
        help="An option of the test, such as threshold=0.01 for cmi or min_rows_per_df=10 for g2; repeat it for more.",
    ),
]
MaxGiven = Annotated[int | None, typer.Option(metavar="N", help="Condition on no more than N variables at a time.")]
Threads = Annotated[
    int | None, typer.Option(metavar="N", help="All cores without it. The result does not depend on it.")
]


def read_table(
    path: Path,
    *,
    weights: str | None = None,
    missing: list[str] | None = None,
    columns: list[str] | None = None,
    exclude: list[str] | None = None,
    discretize: str | None = None,
    memory: str | None = None,
    spark: str | None = None,
    encoding: str = "utf-8",
) -> Table | Scan | SparkScan:
    """The data these options describe; a bar shows while a large file is read."""
    import bitsep
    from bitsep.data import DEFAULT_MAX_FLOAT_LEVELS, DEFAULT_MISSING
    from bitsep.data.readers.peek import column_names
    from bitsep.errors import ArgumentError

    if (memory or spark) and discretize:
        raise ArgumentError(
            "--discretize: needs all rows in memory, so it cannot be combined with --memory and --spark.",
            hint="Leave them out, or discretize the columns beforehand.",
        )
    chosen: list[Name] | None = list(columns) if columns else None
    if spark:
        if exclude:
            raise ArgumentError(
                "--exclude: cannot be combined with --spark.", hint="Name the columns to keep with --columns."
            )
        from bitsep.data.spark import open_session, scan_files

        budget = {"memory": memory} if memory else {}
        chosen_texts = {"missing": missing} if missing else {}
        return scan_files(open_session(spark), str(path), weights=weights, columns=chosen, **chosen_texts, **budget)
    if exclude:
        # A scan knows its columns without reading the data.
        names = _scan(path, encoding=encoding).names if memory else column_names(path, encoding)
        chosen = _without(names, chosen, exclude, weights)
    options: dict[str, Any] = {
        "weights": weights,
        "missing": missing if missing else DEFAULT_MISSING,
        "columns": chosen,
        "encoding": encoding,
    }
    if memory:
        with working(f"reading {path.name}") as progress:
            pieces = _scan(path, memory=memory, progress=progress, **options)
            _ = pieces.n_rows  # reads it now, while the bar is there
            return pieces
    with reading(path):
        limit = None if discretize else DEFAULT_MAX_FLOAT_LEVELS
        table = bitsep.Table(path, max_float_levels=limit, **options)
        return table if discretize is None else bitsep.discretize(table, **_way(discretize))


def _scan(path: Path, **options: Any) -> Scan:
    from bitsep.data.scan import scan

    return scan(str(path), **options)


def method_options(pairs: list[str] | None) -> dict[str, Any]:
    """NAME=VALUE as arguments: a value that spells a number is one."""
    found: dict[str, Any] = {}
    for pair in pairs or ():
        name, sign, value = pair.partition("=")
        if not sign or not name.isidentifier():
            raise typer.BadParameter(f"--option {pair!r} is no NAME=VALUE. Write it like threshold=0.01.")
        try:
            found[name] = float(value)
        except ValueError:
            found[name] = value
    return found


def _way(text: str) -> dict[str, Any]:
    """METHOD or METHOD:BINS. A target may hold colons, so only a number behind equal-… is a number of bins."""
    method, sign, count = text.rpartition(":")
    if sign and method.startswith("equal-") and count.isdecimal():
        return {"method": method, "bins": int(count)}
    return {"method": text}


def _without(names: Sequence[Name], chosen: list[Name] | None, exclude: list[str], weights: str | None) -> list[Name]:
    from bitsep.errors import ArgumentError
    from bitsep.naming import unknown_column

    for name in exclude:
        if name not in names:
            raise unknown_column("--exclude", name, names)
    left = [name for name in chosen or names if name not in exclude and name != weights]
    if not left:
        raise ArgumentError("--exclude: no column is left; at least one is needed.", hint="Exclude fewer.")
    return left
