"""Warnings about the data behind a graph."""

from __future__ import annotations

import numpy as np

import bitsep


def noisy_copy(share: float, seed: int = 0) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 3, 4000)
    b = np.where(rng.random(4000) < share, rng.integers(0, 3, 4000), a)
    return {"a": a, "b": b, "c": rng.integers(0, 2, 4000), "d": rng.integers(0, 2, 4000)}


def test_nearly_determined_pairs_are_named():
    (one, other) = bitsep.pc_stable(noisy_copy(0.002)).warnings
    assert one.startswith("'a' is nearly a function of 'b'")
    assert other.startswith("'b' is nearly a function of 'a'")


def test_a_strong_but_noisy_relation_is_no_warning():
    assert bitsep.pc_stable(noisy_copy(0.2)).warnings == ()


def test_an_exact_relation_is_told_once():
    (only,) = bitsep.pc_stable(noisy_copy(0.0)).warnings
    assert "determine each other" in only


def test_row_weights_count():
    data = noisy_copy(0.2)
    data["w"] = np.where(data["a"] == data["b"], 1, 0)  # leave out the noise
    (only,) = bitsep.pc_stable(bitsep.Table(data, weights="w")).warnings
    assert "determine each other" in only


def test_a_column_without_values_has_no_edge():
    data = {**noisy_copy(0.2), "empty": [None] * 4000}
    d = bitsep.pc_stable(data)
    assert not any("empty" in pair for pair in d.skeleton)
