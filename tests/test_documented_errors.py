"""Every documented error is raised: each condition of each section `Raises`, with its class and its message."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bitsep import errors
from documented_errors import data, graphs, results, searches
from documented_errors.case import Case

SOURCES = Path(errors.__file__).parent
CASES = [*graphs.CASES, *data.CASES, *searches.CASES, *results.CASES]
SECTION = re.compile(r"^Raises\n-+\n(.*?)(?=^\S[^\n]*\n-{3,}$|\Z)", re.MULTILINE | re.DOTALL)


def documented() -> Iterator[tuple[str, str]]:
    """Every function or class with a section `Raises`, and each of the errors in it."""
    for path in sorted(SOURCES.rglob("*.py")):
        module = ".".join(path.relative_to(SOURCES).with_suffix("").parts)
        yield from _in(ast.parse(path.read_text(encoding="utf-8")), module)


def _in(node: ast.AST, name: str) -> Iterator[tuple[str, str]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            inner = f"{name}.{child.name}"
            if section := SECTION.search(ast.get_docstring(child) or ""):
                for line in re.findall(r"^\S.*$", section[1], re.MULTILINE):
                    yield from ((inner, kind) for kind in line.split(", "))
            yield from _in(child, inner)


def test_the_table_has_every_documented_error() -> None:
    assert {(case.function, case.kind.__name__) for case in CASES} == set(documented())


def test_the_table_has_every_class_of_error() -> None:
    kinds = {kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.BitsepError)}
    assert kinds == {case.kind for case in CASES}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.function}: {case.message}")
def test_the_error_is_raised(case: Case, tmp_path: Path) -> None:
    with pytest.raises(case.kind) as raised:
        case.call(tmp_path)

    assert raised.value.message.startswith(case.message)
