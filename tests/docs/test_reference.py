"""Every public name is in the reference, once."""

import importlib
import re
from collections import Counter
from pathlib import Path

import pytest

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
ENTRIES = re.findall(
    r"^::: (\S+)$", "\n".join(page.read_text("utf-8") for page in REFERENCE.glob("*.md")), re.MULTILINE
)
PACKAGES = ("bitsep", "bitsep.assessment", "bitsep.checking", "bitsep.graphs", "bitsep.networks", "bitsep.report")


def resolved(path: str) -> object:
    module, _, name = path.rpartition(".")
    try:
        return importlib.import_module(path)
    except ModuleNotFoundError:
        return getattr(importlib.import_module(module), name)


DOCUMENTED = {id(resolved(path)) for path in ENTRIES if not path.startswith("bitsep.adapters")}


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_is_documented(package: str) -> None:
    errors = importlib.import_module("bitsep.errors")
    module = importlib.import_module(package)
    missing = [
        name
        for name in module.__all__
        if not name.startswith("__")
        and id(getattr(module, name)) not in DOCUMENTED
        and getattr(module, name) is not getattr(errors, name, None)
    ]
    assert missing == []


def test_every_entry_exists_and_is_listed_once() -> None:
    objects = [resolved(path) for path in ENTRIES if not path.startswith("bitsep.adapters")]
    assert [one for number, one in enumerate(objects) if any(one is other for other in objects[:number])] == []
    assert max(Counter(ENTRIES).values()) == 1
    assert "bitsep.adapters.pgmpy" in ENTRIES


def test_every_page_is_in_the_navigation() -> None:
    docs = REFERENCE.parent
    listed = set(re.findall(r": (\S+\.md)$", (docs.parent / "mkdocs.yml").read_text("utf-8"), re.MULTILINE))
    assert listed == {str(page.relative_to(docs)) for page in docs.rglob("*.md")}
