"""Columns may be called anything: spaces, quotes, umlauts, emoji, line breaks, escape sequences."""

from __future__ import annotations

import json
import re
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

import bitsep
from shell.conftest import HOSTILE

CONTROL = [chr(code) for code in (*range(32), 127) if chr(code) != "\n"]


def clean(text: str) -> bool:
    return not any(character in text for character in CONTROL)


@pytest.mark.parametrize(("x", "y"), list(pairwise(HOSTILE)))
def test_any_pair_of_names(call, hostile, x, y):
    done = call("test", "--json", "--", hostile, x, y)
    assert done.code == 0, done.err
    result = json.loads(done.out)
    assert (result["x"], result["y"]) == (x, y)
    assert not result["independent"]
    assert clean(call("test", "--", hostile, x, y).out)


def test_given(call, hostile):
    done = call("test", hostile, HOSTILE[0], HOSTILE[2], *(f"--given={name}" for name in HOSTILE[3:]), "--json")
    assert json.loads(done.out)["given"] == HOSTILE[3:]


def test_summary_and_explanation_hold_no_control_characters(call, hostile):
    out = call("discover", hostile).out
    assert clean(out)
    assert "[red]a[/red]" in out
    assert "line\\nbreak" in out
    assert "Größe" in out
    assert "😀" in out
    explanation = call("discover", hostile, "--explain", "\x1b[31mred", "line\nbreak").out
    assert clean(explanation)


@pytest.fixture
def indexed(tmp_path):
    """A table as pandas writes it by default: the first column has no name, and the others depend on it."""
    rng = np.random.default_rng(0)
    kind = rng.integers(0, 4, 500)
    frame = pd.DataFrame({"sex": kind % 2, "a, b": kind // 2, "other one": rng.integers(0, 2, 500)}, index=kind)
    frame.to_csv(tmp_path / "indexed.csv")
    return tmp_path / "indexed.csv"


def test_an_empty_name_is_seen_in_a_blanket(call, indexed):
    out = call("blanket", indexed, "sex").out
    assert "neighbors  ''" in out
    assert "'' is a neighbor of sex" in out
    assert call("blanket", indexed, "").out.startswith("Markov blanket of ''\n  neighbors  'a, b', sex\n")


def test_odd_names_are_quoted_in_every_list_of_a_summary(call, indexed):
    out = call("discover", indexed, "--algorithm", "pc_stable").out
    assert "Without an edge\n  'other one'" in out
    assert "Weakest edges\n  '' — " in out
    assert re.search(r"^'a, b' +→ +''", out, re.MULTILINE)
    assert "'a, b' and 'sex' are functions of ''" in out
    assert "'a, b' and sex have no edge" in call("discover", indexed, "--explain", "sex", "a, b").out


@pytest.mark.parametrize("ending", [".dot", ".graphml", ".json", ".txt"])
def test_files_keep_the_names(call, hostile, tmp_path, ending):
    # XML has no place for an escape character.
    names = [name for name in HOSTILE if ending != ".graphml" or "\x1b" not in name]
    chosen = [f"--columns={name}" for name in names]
    done = call("discover", hostile, "-o", tmp_path / f"graph{ending}", *chosen)
    assert done.code == 0, done.err
    assert set(bitsep.PDAG.load(tmp_path / f"graph{ending}").variables) == set(names)


def test_knowledge(call, hostile):
    arrow = f"{json.dumps(HOSTILE[4])} -> {json.dumps(HOSTILE[1])}"
    done = call("discover", hostile, "--required", arrow, "--json")
    assert [HOSTILE[4], HOSTILE[1]] in json.loads(done.out)["graph"]["directed"]


def test_exclude_and_blanket(call, hostile):
    done = call("blanket", hostile, HOSTILE[4], *(f"--exclude={name}" for name in HOSTILE[:3]), "--json")
    assert done.code == 0, done.err
    assert json.loads(done.out)["target"] == HOSTILE[4]
    assert clean(call("blanket", hostile, HOSTILE[4]).out)


def test_errors_stay_on_two_lines(call, hostile):
    done = call("test", hostile, "line\nbraek", "\x1b[31mred")
    assert done.code == 2
    assert len(done.err.splitlines()) == 2
    assert clean(done.err)


def test_discretize_for_a_target_with_a_colon(call, hostile):
    done = call("discover", hostile, "--discretize", 'mdl:"a,b;c:d"', "--json")
    assert done.code == 0, done.err
