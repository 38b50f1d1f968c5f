"""The theorems and equivalent forms the paper states, on random tables."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bitsep
import twins
from twins.strategies import Columns, quick, tables

givens = st.sampled_from([[], ["a"], ["a", "b"], ["a", "b", "c"]])


def run(columns: object, z: list[str], method: str, **options: object) -> bitsep.IndependenceResult:
    return bitsep.independence_test(columns, "x", "y", given=z, method=method, **options)


@given(tables(max_rows=80), givens, st.sampled_from(["sci_f", "sci_q"]))
@quick
def test_theorem_1_regret_terms_are_monotone(columns: Columns, z: list[str], method: str) -> None:
    assert run(columns, z, method).threshold_bits >= -1e-9


@given(tables(), st.sampled_from(["fnml", "qnml"]))
@quick
def test_theorem_1_on_stochastic_complexities(columns: Columns, code: str) -> None:
    # P(X | Z) <= P(X | Z, Y), both as they come out of the public function.
    def penalty(names: list[str]) -> float:
        bits = bitsep.stochastic_complexity(columns, "x", given=names, code=code)
        strata = list(zip(*(columns[name] for name in names), strict=True))
        return bits - math.fsum(twins.entropy(group) for group in twins.groups(columns["x"], strata).values())

    assert penalty(["a"]) <= penalty(["a", "y"]) + 1e-9


@given(tables(max_rows=60), givens)
@quick
def test_theorem_2_exact_independence_is_found(columns: Columns, z: list[str]) -> None:
    # Cross every stratum's X values with its Y values: the empirical conditional mutual information is then zero.
    strata: dict[tuple[int, ...], list[int]] = {}
    for i in range(min(len(columns["x"]), 12)):
        strata.setdefault(tuple(columns[name][i] for name in z), []).append(i)
    crossed: Columns = {name: [] for name in ("x", "y", *z)}
    for key, rows in strata.items():
        for i in rows:
            for j in rows:
                crossed["x"].append(columns["x"][i])
                crossed["y"].append(columns["y"][j])
                for name, value in zip(z, key, strict=True):
                    crossed[name].append(value)
    for method in twins.METHODS:
        result = run(crossed, z, method)
        assert result.cmi_bits == pytest.approx(0.0, abs=1e-12)
        if method != "sci_fs":  # no theorem bounds its threshold from below
            assert result.independent


@given(tables(), givens)
@quick
def test_lemma_2_sci_per_row_tends_to_cmi(columns: Columns, z: list[str]) -> None:
    for method in ("sci_f", "sci_q"):
        gaps = []
        for factor in (1, 100, 10_000, 1_000_000):
            weighted = bitsep.Table(columns | {"count": [factor] * len(columns["x"])}, weights="count")
            result = run(weighted, z, method)
            assert result.n == factor * len(columns["x"])
            gaps.append(result.cmi_bits - result.score_bits / result.n)
        assert all(later <= earlier + 1e-12 for earlier, later in pairwise(gaps))
        assert gaps[-1] == pytest.approx(0.0, abs=5e-3)


@given(tables(), givens)
@quick
def test_sci_q_equals_its_third_form(columns: Columns, z: list[str]) -> None:
    # H(X,Z) + H(Y,Z) - H(X,Y,Z) - H(Z), each replaced by n H + log C(n, k) with k a product with |Z| (appendix).
    n = len(columns["x"])
    strata = list(zip(*(columns[name] for name in z), strict=True)) if z else [()] * n
    x, y = columns["x"], columns["y"]
    kx, ky, kz = len(set(x)), len(set(y)), len(set(strata))

    def sc(parts: list[list[object]], k: int) -> float:
        return twins.entropy(list(zip(*parts, strict=True))) + bitsep.log2_regret(n, k)

    third = sc([x, strata], kx * kz) + sc([y, strata], ky * kz) - sc([x, y, strata], kx * ky * kz) - sc([strata], kz)
    assert run(columns, z, "sci_q").score_bits == pytest.approx(third, abs=1e-9)


@given(tables(), givens)
@quick
def test_sci_f_is_the_larger_difference_of_stochastic_complexities(columns: Columns, z: list[str]) -> None:
    def gain(target: str, other: str) -> float:
        without = bitsep.stochastic_complexity(columns, target, given=z, code="fnml")
        return without - bitsep.stochastic_complexity(columns, target, given=[*z, other], code="fnml")

    assert run(columns, z, "sci_f").score_bits == pytest.approx(max(gain("x", "y"), gain("y", "x")), abs=1e-9)


@given(tables(), givens)
@quick
def test_sci_fs_is_the_alternative_form(columns: Columns, z: list[str]) -> None:
    # SC_f(X | Z) + SC_f(Y | Z) - SC_f(X, Y | Z); with observed pairs the last is a stochastic complexity too.
    alone = [bitsep.stochastic_complexity(columns, name, given=z, code="fnml") for name in "xy"]
    both = bitsep.stochastic_complexity(columns, ["x", "y"], given=z, code="fnml")
    score = run(columns, z, "sci_fs", xy_size="observed").score_bits
    assert score == pytest.approx(sum(alone) - both, abs=1e-9)
