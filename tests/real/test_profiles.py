"""The alerts about real tables, each of which was read and judged by a person."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitsep
import real_tables
from real.expected import EXPECTED


@pytest.mark.parametrize("name", real_tables.NAMES)
def test_alerts(name: str, folder: Path) -> None:
    profile = bitsep.describe(real_tables.write_csv(name, folder))
    found: dict[str, list[str]] = {}
    for alert in profile.alerts:
        found.setdefault(alert.kind, []).append(alert.column)
    assert found == EXPECTED[name].alerts
    assert len(str(profile).splitlines()) < 2 * len(profile.columns) + 20


@pytest.mark.parametrize("name", ["flights", "penguins_raw"])
def test_memory_and_stream(name: str, folder: Path) -> None:
    path = real_tables.write_csv(name, folder)
    with bitsep.scan(path, memory="1GB", max_float_levels=None) as scan:
        assert bitsep.describe(scan) == bitsep.describe(path)
