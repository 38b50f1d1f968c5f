"""Candidates that carry the same information tie exactly, and ties go by name."""

from __future__ import annotations

import numpy as np
import pytest

import bitsep

ALGORITHMS = ("iamb", "inter_iamb", "grow_shrink", "fast_iamb", "mmmb", "hiton_mb", "pcmb")


def tied_table(seed: int) -> dict[str, list[str]]:
    """t depends on b; d is b with its levels renamed, so that both tell the same about everything."""
    draw = np.random.default_rng(seed)
    rows, levels = int(draw.integers(60, 400)), int(draw.integers(2, 6))
    b = draw.integers(0, levels, rows)
    t = np.where(draw.random(rows) < 0.7, b % 3, draw.integers(0, 3, rows))
    noise = draw.integers(0, 2, rows)
    names = draw.permutation(levels)
    return {
        "d": [f"level {names[code]}" for code in b],
        "t": list(map(str, t)),
        "noise": list(map(str, noise)),
        "b": list(map(str, b)),
    }


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_of_two_columns_with_the_same_information_the_first_by_name_is_chosen(algorithm: str) -> None:
    for seed in range(60):
        table = bitsep.Table(tied_table(seed))
        assert "d" not in bitsep.markov_blanket(table, "t", algorithm=algorithm).members, seed


@pytest.mark.parametrize("method", ["sci_f", "sci_q", "sci_fs", "g2", "g2_adjusted", "x2", "jic", "cmi_gamma"])
def test_renamed_levels_and_columns_change_no_score(method: str) -> None:
    for seed in range(40):
        table = tied_table(seed)
        renamed = {{"b": "q", "t": "a", "noise": "z"}[name]: table[name] for name in ("b", "t", "noise")}
        score = bitsep.independence_test(table, "t", "b", given="noise", method=method).score_bits
        assert bitsep.independence_test(table, "d", "t", given="noise", method=method).score_bits == score
        assert bitsep.independence_test(renamed, "q", "a", given="z", method=method).score_bits == score


@pytest.mark.parametrize("code", ["fnml", "qnml"])
def test_renamed_levels_change_no_stochastic_complexity(code: str) -> None:
    for seed in range(200):
        table = tied_table(seed)
        assert bitsep.stochastic_complexity(table, "t", given="b", code=code) == bitsep.stochastic_complexity(
            table, "t", given="d", code=code
        )
        assert bitsep.stochastic_complexity(table, "b", given="t", code=code) == bitsep.stochastic_complexity(
            table, "d", given="t", code=code
        )


@pytest.mark.parametrize("seed", range(5))
def test_evidence_of_a_discovery_has_the_bits_of_the_single_test(seed: int) -> None:
    data = bitsep.load_network("asia").sample(500, seed=seed)
    found = bitsep.pc_stable(data)
    evidence = [edge.weakest for edge in found.edges.values()]
    evidence += [separation.result for separation in found.separations.values()]
    assert evidence
    for result in evidence:
        assert bitsep.independence_test(data, result.y, result.x, given=result.given[::-1]).score_bits == (
            result.score_bits
        )
