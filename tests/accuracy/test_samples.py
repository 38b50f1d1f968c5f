"""Networks and samples."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import bitsep
from accuracy import samples

NAMES = (
    "alarm", "andes", "asia", "barley", "cancer", "child", "earthquake", "hailfinder", "hepar2", "insurance", "mildew",
    "pathfinder", "pigs", "sachs", "survey", "water", "win95pts",
)  # fmt: skip


def test_networks() -> None:
    assert samples.network_names() == NAMES
    assert not {file.name.partition(".")[0] for file in samples.FOLDER.glob("*.gz")} & set(bitsep.network_names())
    assert "CC BY-SA 3.0" in (samples.FOLDER / "LICENSE").read_text(encoding="utf-8")
    assert samples.load("alarm") == bitsep.load_network("alarm")


@pytest.mark.parametrize("file", sorted(samples.FOLDER.glob("*.gz")), ids=lambda file: file.name)
def test_every_file_is_named_in_the_license_and_can_be_sampled(file: Path) -> None:
    name = file.name.partition(".")[0]
    assert f"\n{name} " in (samples.FOLDER / "LICENSE").read_text(encoding="utf-8")
    assert samples.load(name).name == name
    assert len(samples.draw(name, 3, 0).frame) == 3


def test_a_sample_is_the_network_under_new_names() -> None:
    sample = samples.draw("asia", 20_000, 0)
    network = bitsep.load_network("asia")
    assert set(sample.frame.columns) == set(sample.truth.variables)
    assert not set(sample.frame.columns) & set(network.variables)
    # The same graph: each edge carries the levels and the counts of one edge of the network.
    original = network.sample(20_000, seed=samples._seed("asia", 20_000, 0))
    new = {old: next(n for n in sample.frame if np.array_equal(sample.frame[n], original[old])) for old in original}
    assert sample.truth.edges == {(new[a], new[b]) for a, b in network.edges}


def test_order_and_names_differ_between_samples_and_not_between_calls() -> None:
    first, again, second = samples.draw("asia", 50, 0), samples.draw("asia", 50, 0), samples.draw("asia", 50, 1)
    assert first.frame.equals(again.frame)
    assert first.truth == again.truth
    assert not set(first.frame.columns) & set(second.frame.columns)
    network = bitsep.load_network("asia")
    orders = set()
    for number in range(5):
        frame = samples.draw("asia", 50, number).frame
        original = network.sample(50, seed=samples._seed("asia", 50, number))
        orders.add(tuple(next(old for old in original if original[old].equals(frame[n].rename(old))) for n in frame))
    assert len(orders) == 5


def test_other_rows_are_another_sample_not_a_longer_one() -> None:
    small, large = samples.draw("cancer", 50, 0), samples.draw("cancer", 100, 0)
    assert not set(small.frame.columns) & set(large.frame.columns)
