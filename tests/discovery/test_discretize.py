"""Searches divide numeric columns into intervals, and their results say where."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import bitsep
from bitsep.data.levels import MISSING_LEVEL
from bitsep.errors import DataError, UnknownColumnError


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    dose = rng.gamma(2, size=800)
    return pd.DataFrame(
        {
            "dose": dose,
            "price": rng.integers(0, 4000, 800),
            "cured": rng.random(800) < np.tanh(dose / 3),
            "hour": rng.integers(0, 24, 800),
            "id": range(800),
        }
    )


def test_discover_cuts_by_itself_and_says_where(frame: pd.DataFrame) -> None:
    found = bitsep.discover(frame)
    assert [column.column for column in found.discretized] == ["dose", "price"]
    assert found.skeleton == {frozenset({"dose", "cured"})}
    assert [alert.column for alert in found.left_out] == ["id"]
    assert str(found.discretized[0]) in str(found)
    assert "discretized: dose: 800 levels" in found._repr_html_()
    assert found.settings["discretize"] == "auto"
    assert found.data is not None
    assert found.data.levels("hour") == tuple(range(24))
    assert bitsep.Discovery.from_json(found.to_json()) == found
    assert bitsep.Discovery.from_json(found.to_json()).discretized == found.discretized
    truth = bitsep.DAG(list(frame.columns), [("dose", "cured"), ("id", "price")])
    assert found.compare(truth).missing == {frozenset({"id", "price"})}
    with pytest.raises(DataError, match=r"'dose' .* looks continuous"):
        bitsep.discover(frame, discretize=None)


def test_columns_that_are_not_named_are_cut_automatically_by_discover_only(frame: pd.DataFrame) -> None:
    found = bitsep.discover(frame, discretize={"dose": [1, 3]})
    assert [(column.column, column.method) for column in found.discretized] == [("dose", "given"), ("price", "auto")]
    assert found.settings["discretize"] == "auto;dose=1,3"
    assert bitsep.boss(frame, discretize=found.settings["discretize"]) == found
    again = bitsep.boss(frame, discretize="dose=1,3")
    assert [column.column for column in again.discretized] == ["dose"]
    assert [alert.column for alert in again.left_out] == ["id", "price"]  # nearly unique whole numbers


def test_a_named_identifier_is_cut_and_used(frame: pd.DataFrame) -> None:
    found = bitsep.discover(frame, discretize="id=equal-width:4")
    assert not found.left_out
    assert "id" in found.variables
    with pytest.raises(UnknownColumnError, match="discretize: no column 'doze'"):
        bitsep.discover(frame, discretize="doze=auto")
    with pytest.raises(DataError, match="discretize: column 'cured' is not numeric"):
        bitsep.discover(frame, discretize="cured=auto")


def test_nothing_to_cut_is_nothing_to_mention() -> None:
    data = bitsep.load_network("asia").sample(300, seed=1)
    assert bitsep.discover(data, discretize="auto") == bitsep.boss(data)


def test_blankets_have_the_cut_points(frame: pd.DataFrame) -> None:
    found = bitsep.markov_blanket(frame, "cured", discretize="auto")
    assert found.members == ("dose",)
    assert [column.column for column in found.discretized] == ["dose", "price"]
    assert bitsep.MarkovBlanket.from_json(found.to_json()) == found


@pytest.mark.parametrize("method", ["auto", "equal-frequency:3", "mdl:cured", "dose=1,2;price=equal-width:3"])
def test_a_scan_is_cut_like_a_table(frame: pd.DataFrame, method: str) -> None:
    scan = bitsep.scan(pa.Table.from_pandas(frame), memory="100MB")
    expected = bitsep.discover(frame, discretize=method, bootstrap=2)
    found = bitsep.discover(scan, discretize=method, bootstrap=2)
    assert found == expected
    assert found.data is not None
    assert expected.data is not None
    assert found.data.fingerprint() == expected.data.fingerprint()
    cut = bitsep.discretize(scan, method)
    assert bitsep.discretize(frame, method).fingerprint() == cut.fingerprint()
    assert cut.select(["dose", "hour"]).discretized == cut.discretized[:1]


def test_the_report_repeats_the_call(frame: pd.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from bitsep.report.build import build_view

    monkeypatch.chdir(tmp_path)
    frame.to_csv("data.csv", index=False)
    found = bitsep.discover("data.csv", discretize={"dose": [1, 3]})
    snippet = build_view(found).snippet
    assert "discretize='auto;dose=1,3'" in snippet
    names: dict[str, Any] = {}
    exec(snippet, names)
    assert names["d"] == found
    view = build_view(bitsep.Discovery.from_json(found.to_json()), frame)
    assert view.profile is not None
    assert [note.tag for note in view.profile.notes] == ["left out", "discretized", "discretized"]
    [dose] = [variable for variable in view.variables if variable.label == "dose"]
    assert dose.n_levels == 3


def test_other_rows_get_the_intervals_of_the_discovery(frame: pd.DataFrame) -> None:
    train, test = frame[:500], frame[500:]
    found = bitsep.discover(train)
    cuts = {column.column: column.points for column in found.discretized}
    divided = bitsep.discretize(test, cuts)
    assert bitsep.check(found, test) == bitsep.check(found, divided)
    assert bitsep.score(test, found) == bitsep.score(divided, found)
    fitted = bitsep.Network.fit(found, test)
    assert fitted.log2_likelihood(divided) == bitsep.Network.fit(found, divided).log2_likelihood(divided)
    assert bitsep.score(test, found, discretize="equal-width:2") != bitsep.score(test, found)
    assert bitsep.check(found, test, discretize="auto") != bitsep.check(found, test)
    with pytest.raises(DataError) as caught:
        bitsep.Network.fit(found).log2_likelihood(test)
    assert "bitsep.discretize(data, {one.column: one.points for one in d.discretized})" in str(caught.value)
    assert bitsep.Network.fit(found).log2_likelihood(divided) < 0


@pytest.mark.parametrize("wanted", [True, ["bronc"]])
def test_other_rows_get_the_levels_for_missing_values_of_the_discovery(wanted: bool | list[str]) -> None:
    rows = bitsep.load_network("asia").sample(1000, seed=1).astype(object)
    rows.loc[rows["smoke"].eq("yes") & (rows.index % 2 == 0), "bronc"] = None
    train, test = rows[:500], rows[500:]
    found = bitsep.discover(train, missing_as_level=wanted)
    levels = bitsep.Table(test).with_missing_level()
    fitted = bitsep.Network.fit(found, test)
    assert fitted.levels("bronc") == ("no", "yes", MISSING_LEVEL)
    assert fitted.log2_likelihood(test) == fitted.log2_likelihood(levels)
    assert bitsep.check(found, test) == bitsep.check(found, levels)
    assert bitsep.score(test, found) == bitsep.score(levels, found)
    assert bitsep.score(test, found) != bitsep.score(test, found.to_dag())
