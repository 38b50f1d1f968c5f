"""The make targets, programs and dependencies that CONTRIBUTING.md, the workflow and the hooks name exist."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TARGETS = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))


def read_yaml(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def workflow_commands(workflow: str = "ci") -> Iterator[str]:
    for job in read_yaml(f".github/workflows/{workflow}.yml")["jobs"].values():
        for target in job["strategy"]["matrix"].get("target", [""]):
            for step in job["steps"]:
                yield from step.get("run", "").replace("${{ matrix.target }}", target).splitlines()


def recipe(target: str) -> list[str]:
    lines = re.search(rf"^{target}:.*\n((?:\t.*\n)+)", MAKEFILE, re.MULTILINE)
    assert lines is not None
    return [line.strip() for line in lines[1].splitlines()]


@pytest.mark.parametrize(
    "name", ["CONTRIBUTING.md", "README.md", ".pre-commit-config.yaml", ".github/pull_request_template.md"]
)
def test_every_make_target_a_text_names_exists(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    named = set(re.findall(r"(?:`|^)make ([a-z-]+)", text, re.MULTILINE))
    assert named
    assert named <= TARGETS


def test_every_make_target_the_workflow_runs_exists() -> None:
    run = {name for line in workflow_commands() if line.startswith("make ") for name in line.split()[1:]}
    assert {"lint", "unit", "doctest", "test-oldest", "docs"} <= run <= TARGETS


def test_the_nightly_workflow_runs_what_draws_new_seeds() -> None:
    assert set(workflow_commands("nightly")) == {"make differential", "make fuzz", "make fuzz-python"}


def test_the_commands_for_windows_are_those_of_make_unit_and_doctest() -> None:
    run = [line.removeprefix("python -m ") for line in workflow_commands() if line.startswith("python -m pytest")]
    assert run == [line.removeprefix("$(BIN)/") for target in ("unit", "doctest") for line in recipe(target)]


def test_every_program_of_the_hooks_is_run_by_make_lint() -> None:
    entries = [hook["entry"] for hook in read_yaml(".pre-commit-config.yaml")["repos"][0]["hooks"]]
    assert {entry.split()[0].removeprefix(".venv/bin/") for entry in entries} <= {
        line.split()[0].removeprefix("$(BIN)/") for line in recipe("lint")
    }


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    required = [*project["dependencies"], *chain(*project["optional-dependencies"].values())]
    names = {re.split(r"[\[>=]", one)[0] for one in required} - {"bitsep"}
    table = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("## Dependencies")[1].split("\n## ")[0]
    explained = set(re.findall(r"[\w-]+", "".join(line.split("|")[1] for line in table.splitlines() if "|" in line)))
    assert names <= explained
