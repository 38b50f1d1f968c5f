"""Warnings about the data behind a graph."""

from __future__ import annotations

import numpy as np
import pytest

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


def test_relations_are_grouped_and_ranked():
    rng = np.random.default_rng(1)
    city = rng.integers(0, 12, 4000)
    data = {
        "city": city,
        "code": 7 * city % 13,
        "town": [f"town {one}" for one in city],
        "half": city // 6,
        "third": city // 4,
        "other": rng.integers(0, 2, 4000),
    }
    for search in (bitsep.pc_stable, bitsep.boss):
        first, second = search(data).warnings[:2]
        assert first.startswith("'city', 'code' and 'town' determine each other")
        assert first.endswith("Drop all but one.")
        assert second.startswith("'half' and 'third' are functions of 'city' in these data")


def test_a_hub_is_one_warning():
    hub = np.random.default_rng(2).integers(0, 64, 6000)
    data = {"hub": hub, **{f"bit {place}": hub >> place & 1 for place in range(6)}}
    warnings = bitsep.pc_stable(data).warnings
    assert sum("of 'hub' in these data" in warning for warning in warnings) == 1
    assert warnings[0].startswith("'bit 0', 'bit 1', 'bit 2', 'bit 3', 'bit 4' and 'bit 5' are functions of 'hub'")


def test_relations_of_the_only_two_variables():
    a = np.random.default_rng(0).integers(3, size=500)
    for search in (bitsep.pc_stable, bitsep.boss):
        (copies,) = search({"a": a, "b": a + 1}).warnings
        assert copies.startswith("'a' and 'b' determine each other")
        assert "'b' is a function of 'a' in these data" in search({"a": a, "b": a > 0, "c": a * 0}).warnings[1]
        # b alone varies more where a has values than elsewhere, which is no relation
        some = {"a": [*(a > 0)[:100], *[None] * 400], "b": [*(a > 0)[:90], *(a > 1)[90:100], *[False] * 400]}
        assert not any("function" in warning or "determine" in warning for warning in search(some).warnings)


def test_copies_of_several_variables_are_told_once():
    rng = np.random.default_rng(0)
    a, other = rng.integers(4, size=800), rng.integers(3, size=800)
    data = {"a": a, "b": a * 7, "c": a + 3, "half": a // 2, "half2": a // 2 * 9, "other": other}
    for search in (bitsep.pc_stable, bitsep.boss):
        same, halves, coarser = search(data).warnings
        assert same.startswith("'a', 'b' and 'c' determine each other")
        assert halves.startswith("'half' and 'half2' determine each other")
        assert coarser.startswith("'half' is a function of 'a' in these data")


def test_nearly_determined_variables_are_grouped():
    rng = np.random.default_rng(3)
    hub = rng.integers(0, 16, 20_000)

    def noisy(bits):
        return np.where(rng.random(20_000) < 0.001, 1 - bits, bits)

    data = {"hub": hub, "low": noisy(hub & 1), "high": noisy(hub >> 3)}
    (only,) = [warning for warning in bitsep.pc_stable(data).warnings if "nearly" in warning]
    assert "'low'" in only
    assert "'high'" in only
    assert "are nearly functions of 'hub': knowing the latter leaves at most 1." in only


def test_row_weights_count():
    data = noisy_copy(0.2)
    data["w"] = np.where(data["a"] == data["b"], 1, 0)  # leave out the noise
    (only,) = bitsep.pc_stable(bitsep.Table(data, weights="w")).warnings
    assert "determine each other" in only


def test_a_column_without_values_has_no_edge():
    data = {**noisy_copy(0.2), "empty": [None] * 4000}
    d = bitsep.pc_stable(data)
    assert not any("empty" in pair for pair in d.skeleton)


@pytest.mark.parametrize("search", [bitsep.pc_stable, bitsep.fci])
def test_clear_dependences_without_a_path_are_named(search):
    data = bitsep.load_network("alarm").sample(2000, seed=2)
    found = search(data)
    (only,) = found.warnings
    assert only.startswith("42 pairs are clearly dependent without a conditioning set (most: 'ARTCO2' and 'CATECHOL' (")
    assert only.count(" bits)") == 3
    assert bitsep.pairwise(data)["ARTCO2", "CATECHOL"].score_bits > 100
    assert not any("no path" in one for one in bitsep.boss(data).warnings)
    assert not search(bitsep.Oracle(bitsep.load_network("alarm"))).warnings


def test_pairs_that_knowledge_forbids_are_not_missed():
    knowledge = bitsep.Knowledge(forbidden=[("a", "b"), ("b", "a")])
    assert bitsep.pc_stable(noisy_copy(0.2), knowledge=knowledge).warnings == ()
