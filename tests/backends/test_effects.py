"""Effect sizes are the same on every backend."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import bitsep

QUERIES = [
    ("yes", "text", ()),
    ("yes", "number", ("cause",)),
    ("cause", "text", ("yes", "half")),
    ("cause", "shop", ()),
    ("same", "yes", ()),
]


def test_effects_do_not_depend_on_the_backend(opened: Callable[..., Any], awkward: Path) -> None:
    expected = bitsep.evaluate(bitsep.Table(awkward, weights="weight"), QUERIES)
    found = bitsep.evaluate(opened(awkward, weights="weight"), QUERIES)
    for ours, theirs in zip(found, expected, strict=True):
        assert ours.to_dict() == theirs.to_dict()
        assert ours.effect_size is not None
    for x, y, z in QUERIES[:2]:
        alone = bitsep.independence_test(opened(awkward, weights="weight"), x, y, given=z)
        assert alone.strata == bitsep.independence_test(bitsep.Table(awkward, weights="weight"), x, y, given=z).strata


def test_all_pairs_do_not_depend_on_the_backend(opened: Callable[..., Any], awkward: Path) -> None:
    expected = bitsep.pairwise(bitsep.Table(awkward, weights="weight"), adjust="by").to_json()
    assert bitsep.pairwise(opened(awkward, weights="weight"), adjust="by").to_json() == expected
