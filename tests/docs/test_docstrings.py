"""Docstrings of public names follow numpydoc: a summary, every parameter, what is returned, an example."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from pydoc import locate
from typing import Any

import pytest
from numpydoc.validate import validate

import bitsep

REFERENCE = Path(__file__).resolve().parents[2] / "docs" / "reference"
# Codes of numpydoc.validate.ERROR_MSGS. For all: a docstring whose summary ends with a period, and no parameter that is
# unknown or in the wrong order.
ALL = {"GL08", "SS03", "PR02", "PR03"}
# All parameters with descriptions, the returned value, an example.
COMPLETE = ALL | {"PR01", "PR07", "RT01", "EX01"}


def public_names() -> list[str]:
    """Names of the package, and those that the reference describes; adapters need the libraries they are for."""
    pages = "".join(path.read_text(encoding="utf-8") for path in sorted(REFERENCE.glob("*.md")))
    described = {name for name in re.findall(r"^::: (\S+)$", pages, re.MULTILINE) if ".adapters." not in name}
    return sorted(described | {f"bitsep.{name}" for name in bitsep.__all__ if name != "__version__"})


def methods(name: str) -> Iterator[str]:
    for key, member in vars(locate(name)).items():
        if not key.startswith("_") and (inspect.isroutine(member) or isinstance(member, property)):
            yield f"{name}.{key}"


def checks(name: str, loaded: Any) -> set[str]:
    """What holds for a function or a class."""
    if inspect.isfunction(loaded):
        return COMPLETE
    if not inspect.isclass(loaded) or issubclass(loaded, bitsep.BitsepError):
        return ALL
    made_by_users = "    Parameters\n" in (loaded.__doc__ or "")  # results have attributes instead
    return ALL | ({"PR01", "PR07"} if made_by_users else set()) | ({"EX01"} if name.count(".") == 1 else set())


def mistakes(name: str, codes: set[str]) -> list[str]:
    return [f"{name}: {code} {message}" for code, message in validate(name)["errors"] if code in codes]


@pytest.mark.parametrize("name", public_names())
def test_docstrings_are_complete(name: str) -> None:
    loaded = locate(name)
    found = mistakes(name, checks(name, loaded))
    if inspect.isclass(loaded):
        found += [line for method in methods(name) for line in mistakes(method, ALL)]
    assert not found
