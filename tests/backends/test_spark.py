"""What only a cluster can do: lose a worker, be far away, know other types."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pc
import pytest

import bitsep
from bitsep.data.readers.dialect import CsvDialect
from bitsep.data.spark import scan_files
from bitsep.errors import ArgumentError, DataError, ReadError, UnsupportedTypeError

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::FutureWarning")]


def _executors(spark: Any) -> list[int]:
    """The processes of the executors of this session: they descend from its own Java process."""
    gateway = spark.sparkContext._gateway.proc.pid
    found, parents = [], {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
            if b"CoarseGrainedExecutorBackend" in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
        except OSError:
            continue  # it ended meanwhile

    def descends(pid: int) -> bool:
        while pid > 1 and pid != gateway:
            pid = parents.get(pid, 0)
        return pid == gateway

    return [pid for pid in found if descends(pid)]


def test_a_lost_worker_changes_nothing(spark: Any, alarm: Path) -> None:
    killed: list[int] = []

    def kill_soon() -> None:
        time.sleep(0.3)  # the next round is on its way by then
        killed.append(_executors(spark)[0])
        os.kill(killed[0], signal.SIGKILL)

    def progress(stage: str, finished: int, total: int) -> None:
        if stage == "pass 1":
            threading.Thread(target=kill_soon).start()

    assert len(_executors(spark)) == 2
    found = bitsep.pc_stable(bitsep.scan_spark(spark.read.parquet(str(alarm)), progress=progress))
    assert found.to_json() == bitsep.pc_stable(bitsep.Table(alarm)).to_json()
    assert killed
    assert killed[0] not in _executors(spark)


CONNECT = """
import sys, warnings
warnings.simplefilter("ignore")
import bitsep
from pyspark.sql import SparkSession
session = SparkSession.builder.remote("local[2]").config("spark.ui.enabled", "false").getOrCreate()
frame = session.read.parquet(sys.argv[1])
assert "connect" in type(frame).__module__, type(frame)
found = bitsep.pc_stable(bitsep.scan_spark(frame, columns=sys.argv[3].split()), bootstrap=1)
open(sys.argv[2], "w").write(found.to_json())
session.stop()
"""


def test_spark_connect(alarm: Path, tmp_path: Path) -> None:
    """In a process of its own: one process cannot hold a classic session and a remote one."""
    columns = ["CVP", "PCWP", "HISTORY", "LVEDVOLUME", "LVFAILURE", "HYPOVOLEMIA", "STROKEVOLUME", "CO", "HR"]
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    subprocess.run(
        [sys.executable, "-c", CONNECT, str(alarm), str(tmp_path / "found.json"), " ".join(columns)],
        env=environment,
        check=True,
        timeout=600,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    expected = bitsep.pc_stable(bitsep.Table(alarm, columns=columns), bootstrap=1).to_json()
    assert (tmp_path / "found.json").read_text() == expected


def test_csv_files(spark: Any, tmp_path: Path) -> None:
    frame = bitsep.load_network("asia").sample(500, seed=1).astype(str)
    table = pa.Table.from_pandas(frame, preserve_index=False).append_column("year", pa.array([2020, 2021] * 250))
    pc.write_csv(table, tmp_path / "data.csv")
    scan = scan_files(spark, str(tmp_path / "data.csv"))
    assert bitsep.pc_stable(scan).to_json() == bitsep.pc_stable(tmp_path / "data.csv").to_json()
    assert scan.levels("year") == (2020, 2021)
    with pytest.raises(ReadError, match="Spark cannot read"):
        scan_files(spark, str(tmp_path / "none.parquet"))


def test_csv_files_of_another_dialect(spark: Any, tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("# a comment\n" + "1.234,5;x;ü\n0,25;y;ü\n" * 40, encoding="latin-1")
    options: dict[str, Any] = {"decimal": ",", "thousands": ".", "header": False, "comment": "#", "encoding": "latin-1"}
    table = bitsep.Table(tmp_path / "data.csv", **options)
    scan = scan_files(spark, str(tmp_path / "data.csv"), CsvDialect(delimiter=";", **options))
    assert scan.levels("column_1") == (0.25, 1234.5)
    assert scan.fingerprint() == table.fingerprint()
    with pytest.raises(ReadError, match=r"Spark cannot read .*data\.csv'.*cp1252"):
        scan_files(spark, str(tmp_path / "data.csv"), CsvDialect(encoding="cp1252"))
    with pytest.raises(ArgumentError, match="delimiter: applies to CSV files only"):
        scan_files(spark, str(tmp_path / "none.parquet"), CsvDialect(delimiter=";"))


def test_bad_input(spark: Any) -> None:
    rows = spark.range(1_400_000)
    with pytest.raises(
        DataError, match=r"column 'id' has too many levels; at most 1,000,000 are possible, got more than 1,200,000"
    ):
        bitsep.pc_stable(rows)
    with pytest.raises(UnsupportedTypeError, match="column 'a' has array values"):
        bitsep.pc_stable(rows.selectExpr("array(id) as a", "id"))
    with pytest.raises(DataError, match="no rows"):
        bitsep.pc_stable(rows.where("id < 0"))
    weighted = rows.where("id < 10").selectExpr("id", "id - 3 as w")
    with pytest.raises(DataError, match="weights: column 'w' must have integers of at least 0, got -3 and 2 more"):
        bitsep.pc_stable(bitsep.scan_spark(weighted, weights="w"))
    with pytest.raises(DataError, match="missing values in 1 row"):
        bitsep.pc_stable(bitsep.scan_spark(weighted.selectExpr("id", "nullif(w, 2) as w"), weights="w"))


def test_names_with_anything_in_them(spark: Any) -> None:
    frame = spark.range(100).selectExpr("id % 2 as `a.b`", "id % 2 as `c ``d`", "id % 3 as `e`")
    assert bitsep.independence_test(frame, "a.b", "c `d", given="e").verdict == "dependent"


def test_driver_budget_too_small(spark: Any) -> None:
    frame = spark.range(60_000).selectExpr("hash(id) % 1000 as x", "hash(id, 1) % 1000 as y", "hash(id, 2) % 1000 as z")
    with pytest.raises(ArgumentError, match="too small for the occupied cells of 'x', 'y', 'z'"):
        bitsep.independence_test(bitsep.scan_spark(frame, memory="2MB"), "x", "y", given="z")
