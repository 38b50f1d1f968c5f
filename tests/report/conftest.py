"""The browser, and the release of the sample discoveries before the interpreter ends."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from report import samples
from report.browser import Visitor, launched


@pytest.fixture(scope="session", autouse=True)
def _release_samples() -> Iterator[None]:
    yield
    for sample in (
        samples.asia,
        samples.alarm,
        samples.eighty,
        samples.dense,
        samples.contested,
        samples.hostile,
        samples.long_names,
        samples.network,
    ):
        sample.cache_clear()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with launched() as running:
        yield running


@pytest.fixture
def visitor(browser: Browser, tmp_path: Path) -> Iterator[Visitor]:
    visitor = Visitor(browser, tmp_path)
    yield visitor
    visitor.close()
