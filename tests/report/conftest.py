"""Lets go of the sample discoveries before the interpreter ends, so that the native core finds nothing left over."""

from collections.abc import Iterator

import pytest

from report import samples


@pytest.fixture(scope="session", autouse=True)
def _release_samples() -> Iterator[None]:
    yield
    for sample in (samples.asia, samples.alarm, samples.eighty, samples.dense, samples.contested, samples.hostile):
        sample.cache_clear()
