"""Spark where there is none."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

import bitsep
from bitsep.data.spark import open_session
from bitsep.errors import MissingDependencyError, UnsupportedTypeError


def test_no_pyspark(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "pyspark"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pyspark", None)
    with pytest.raises(MissingDependencyError, match=r'pyspark is not installed. Run `pip install "bitsep\[spark\]"`'):
        open_session("local[1]")


def test_no_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    # Whether or not it is installed: this is about Java.
    monkeypatch.setitem(sys.modules, "pyspark", ModuleType("pyspark"))
    monkeypatch.setitem(sys.modules, "pyspark.sql", SimpleNamespace(SparkSession=None))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingDependencyError, match="Java 17 or later is needed, and java is not on the PATH"):
        open_session("local[1]")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(MissingDependencyError, match=r"JAVA_HOME is .* and has no bin/java"):
        open_session("local[1]")


def test_no_spark_data_frame() -> None:
    with pytest.raises(UnsupportedTypeError, match="data: must be a Spark data frame, got dict"):
        bitsep.scan_spark({"x": [1]})
