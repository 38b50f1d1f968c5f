"""The first section of the page: the profile of the data."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import bitsep
from bitsep import Discovery, Table
from bitsep.report.build import build_view
from bitsep.report.view import DataView


def orders(rows: int = 600) -> pd.DataFrame:
    """An identifier, a date, a constant, missing values, and two columns that depend on each other."""
    draw = np.random.default_rng(4)
    x = draw.integers(0, 2, rows)
    return pd.DataFrame(
        {
            "order id": [f"A-{number}" for number in draw.permutation(rows)],
            "day": pd.date_range("2024-01-01", periods=rows),
            "x": x,
            "y": np.where(draw.random(rows) < 0.9, x, 1 - x),
            "coupon": np.where(draw.random(rows) < 0.8, None, "A"),
        }
    )


def profile_of(discovery: Discovery, data: object = None, command: str | None = None) -> DataView:
    view = build_view(discovery, data, command=command).profile
    assert view is not None
    return view


def test_what_was_left_out_comes_first_with_the_way_to_keep_it() -> None:
    found = bitsep.discover(orders())
    view = profile_of(found)
    assert view == profile_of(found, orders())
    assert view.title == "600 rows, 5 columns"
    assert [note.tag for note in view.notes] == ["left out", "left out", "restricted", "constant"]
    assert view.notes[0].text.startswith("'order id' looks like an identifier")
    assert view.notes[0].text.endswith("Keep it with keep=['order id'].")
    shell = profile_of(found, orders(), command="bitsep discover orders.csv")
    assert shell.notes[0].text.endswith("Keep it with --keep 'order id'.")
    assert "Left out" not in str(build_view(found, orders()).notes)  # said once


@pytest.mark.parametrize("algorithm", ["boss", "hill_climb", "pc_stable"])
def test_every_search_remembers_the_columns_it_left_out(algorithm: str) -> None:
    found = bitsep.discover(orders(), algorithm)
    assert len(profile_of(found).table) == 5
    assert found.data is not None
    assert len(found.data.names) == 3


def test_the_table_has_every_column_in_the_order_of_the_source() -> None:
    found = bitsep.discover(orders())
    described = bitsep.describe(orders())
    view = profile_of(found, orders())
    assert [column.label for column in view.table] == ["'order id'", "day", "x", "y", "coupon"]
    assert [column.kind for column in view.table] == [column.kind for column in described.columns]
    assert [column.n_levels for column in view.table] == [column.n_levels for column in described.columns]
    names = [None if column.variable is None else found.variables[column.variable] for column in view.table]
    assert names == [None, None, "x", "y", "coupon"]
    assert view.table[4].missing_share == pytest.approx(described["coupon"].missing_share, rel=1e-3)
    assert view.table[4].alerts == ("mostly missing", "constant")


def test_a_column_that_was_kept_is_not_said_to_be_left_out() -> None:
    found = bitsep.discover(orders(), keep=["day"])
    notes = {note.tag: note.text for note in profile_of(found, orders()).notes}
    assert notes["date"] == "day looks like a date or time: 600 different values in 600 rows. It was kept."


def test_without_data_only_what_was_left_out_is_known() -> None:
    found = Discovery.from_json(bitsep.discover(orders()).to_json())
    view = profile_of(found)
    assert (view.title, view.table) == (None, ())
    assert [note.tag for note in view.notes] == ["left out", "left out", "restricted"]
    oracle = bitsep.pc_stable(bitsep.Oracle(bitsep.load_network("asia")))
    assert build_view(oracle).profile is None


def test_many_alerts_are_cut() -> None:
    draw = np.random.default_rng(0)
    columns: dict[str, object] = {f"id{i}": draw.permutation(400) for i in range(250)}
    found = bitsep.discover({**columns, "x": draw.integers(0, 2, 400), "y": draw.integers(0, 2, 400)})
    view = profile_of(found)
    assert len(view.notes) == 200
    assert view.notes_left_out == 50


def test_a_scan_has_the_same_profile(tmp_path: Path) -> None:
    path = tmp_path / "orders.csv"
    orders().to_csv(path, index=False)
    found = bitsep.discover(path)
    with bitsep.scan(path, memory="1GB") as scan:
        assert profile_of(found, scan) == profile_of(found, Table(path))
