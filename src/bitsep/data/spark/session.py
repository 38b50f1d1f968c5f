"""Spark sessions for the shell, and the files to scan with them."""

from __future__ import annotations

import codecs
import os
import shutil
from typing import Any

from bitsep.data.origin import Origin
from bitsep.data.readers.csv_file import csv_delimiter, header_names
from bitsep.data.readers.dialect import CsvDialect
from bitsep.data.spark.scan import SparkScan, scan_spark
from bitsep.errors import MissingDependencyError, ReadError, cause
from bitsep.optional import require


def open_session(master: str, name: str = "bitsep") -> Any:
    """A session on a cluster: ``"spark://host:7077"``, ``"yarn"``, ``"local[4]"``; ``"sc://host"`` is Spark Connect."""
    require("pyspark", "spark", "spark")
    from pyspark.sql import SparkSession

    if master.startswith("sc://"):
        return SparkSession.builder.remote(master).getOrCreate()
    home = os.environ.get("JAVA_HOME")
    if not (os.path.exists(os.path.join(home, "bin", "java")) if home else shutil.which("java")):
        where = f"JAVA_HOME is {home!r} and has no bin/java" if home else "java is not on the PATH"
        raise MissingDependencyError(
            f"spark: Java 17 or later is needed, and {where}.",
            hint="Install it (Debian: apt install openjdk-17-jre-headless) or set JAVA_HOME; a Spark Connect server "
            "(sc://host) works without Java on this machine.",
        )
    return SparkSession.builder.master(master).appName(name).getOrCreate()


def scan_files(session: Any, path: str, dialect: CsvDialect | None = None, **options: Any) -> SparkScan:
    """Scan Parquet or CSV files that the cluster can read, by `scan_spark`.

    Parameters
    ----------
    session : SparkSession
        The session.
    path : str
        A file, a pattern or a folder; CSV if it ends in .csv or .tsv (also compressed), otherwise Parquet.
    dialect : CsvDialect, optional
        How CSV files are written. Their delimiter is not found: it is a comma (.tsv: a tab) if none is given.
    **options
        Options of `scan_spark`.
    """
    try:
        if delimiter := csv_delimiter(path):
            dialect = dialect or CsvDialect()
            settings = {"header": dialect.header, "sep": dialect.delimiter or delimiter}
            if dialect.comment is not None:
                settings["comment"] = dialect.comment
            if dialect.encoding != "utf-8":
                settings["encoding"] = _encoding(dialect.encoding)
            frame = session.read.options(**settings).csv(path)
            reader = f"options({', '.join(f'{name}={value!r}' for name, value in settings.items())}).csv"
            if not dialect.header:
                frame = frame.toDF(*header_names(len(frame.columns)))
            scan = scan_spark(frame, text=True, decimal=dialect.decimal, thousands=dialect.thousands, **options)
        else:
            if dialect is not None:
                dialect.refuse_for(repr(path))
            reader = "parquet"
            scan = scan_spark(session.read.parquet(path), **options)
    except Exception as error:
        if type(error).__name__ not in ("AnalysisException", "IllegalArgumentException"):
            raise
        raise ReadError(f"data: Spark cannot read {path!r}: {cause(error)}.") from error
    scan.frame_origin = Origin(f"spark.read.{reader}({path!r})", complete=False)  # it needs a session
    return scan


def _encoding(name: str) -> str:
    """The name of an encoding in Spark, which knows only one name of each."""
    try:
        known = codecs.lookup(name).name
    except LookupError:
        return name
    return {"iso8859-1": "ISO-8859-1", "ascii": "US-ASCII"}.get(known, known)
