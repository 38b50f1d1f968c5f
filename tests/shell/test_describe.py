"""`bitsep describe`: what it prints, that it says what the library says, and its errors."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import bitsep


@pytest.fixture(scope="module")
def orders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table as pandas writes it by default: with its index."""
    draw = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "order id": [f"A-{number:06}" for number in draw.permutation(1000)],
            "day": pd.date_range("2024-01-01", periods=1000, freq="h"),
            "price": draw.gamma(3, 10, 1000),
            "amount": [f"€{number:,.2f}" for number in draw.gamma(3, 1000, 1000)],
            "paid": draw.choice(["yes", "no"], 1000),
            "remark": [None] * 1000,
        }
    )
    path = tmp_path_factory.mktemp("data") / "orders.csv"
    frame.to_csv(path)
    return path


def test_text_is_the_profile(call, orders):
    done = call("describe", orders)
    assert (done.code, done.err) == (0, "")
    assert done.out == f"{bitsep.describe(orders)}\n"
    assert done.out.startswith("1,000 rows, 7 columns\n")
    assert "'order id' looks like an identifier: 1,000 different values in 1,000 rows." in done.out


def test_json_is_the_profile(call, orders):
    done = call("describe", orders, "--json")
    assert done.out == bitsep.describe(orders).to_json() + "\n"
    content = json.loads(done.out)
    assert (content["schema"], content["schema_version"]) == ("bitsep.profile", 1)
    unsuitable = {alert["column"]: alert["kind"] for alert in content["alerts"] if alert["unsuitable"]}
    assert unsuitable == {
        "": "unnamed_index",
        "order id": "identifier",
        "day": "date",
        "amount": "number_as_text",
        "remark": "all_missing",
    }


def test_options_for_data(call, orders):
    everything = call("describe", orders).out
    assert call("describe", orders, "--memory", "200MB").out == everything
    assert call("describe", orders, "--threads", "1").out == everything
    chosen = call("describe", orders, "--columns", "paid", "--columns", "price").out
    assert chosen.startswith("1,000 rows, 2 columns\n")
    assert "order id" not in call("describe", orders, "--exclude", "order id").out
    assert "'(-inf" not in everything
    assert "(-inf, 36.5]" in call("describe", orders, "--columns", "price", "--discretize", "equal-width:3").out
    paid = json.loads(call("describe", orders, "--columns", "paid", "--missing", "yes", "--json").out)["columns"][0]
    assert (paid["n_levels"], paid["n_missing"]) == (1, (pd.read_csv(orders)["paid"] == "yes").sum())


def test_names_of_all_kinds(call, hostile):
    done = call("describe", hostile)
    assert done.code == 0
    assert "\x1b" not in done.out
    assert "'two words'" in done.out


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"a,b\n", "no rows"),
        (b"a,a\n1,2\n", "same name"),
        (bytes(range(256)), "data: "),
        (b"a,b\n1,2,3\n", "expected 2 fields"),
    ],
)
def test_bad_files(call, tmp_path, content, said):
    path = tmp_path / "bad.csv"
    path.write_bytes(content)
    done = call("describe", path)
    assert (done.code, done.out) == (2, "")
    error, hint = done.err.splitlines()
    assert error.startswith("error: ")
    assert said in error
    assert hint.startswith("hint:  ")


def test_a_column_that_changes_its_type(call, tmp_path):
    path = tmp_path / "mixed.csv"
    path.write_text("x,y\n" + "\n".join(f"{i}," for i in range(50)) + "\nsome,1\n")
    done = call("describe", path, "--json")
    assert done.code == 0
    content = json.loads(done.out)
    assert [one["kind"] for one in content["columns"]] == ["text", "constant"]
    assert [one["kind"] for one in content["alerts"]] == ["number_as_text", "mostly_missing", "constant"]
