"""`stochastic_complexity` against golden penalties, its twin, and Example 1 of the paper."""

from __future__ import annotations

import math

import pytest
from hypothesis import given

import bitsep
import golden
import twins
from golden import Case
from twins.strategies import Columns, quick, tables


@pytest.mark.parametrize("case", golden.cases(), ids=lambda case: f"{case.id}-{case.tag}")
def test_fnml_penalties(case: Case) -> None:
    table = bitsep.Table(case.columns)
    for target, other in (("x", "y"), ("y", "x")):
        for given_names, key in ((case.given, f"{target}_given_z"), ([*case.given, other], f"{target}_given_z{other}")):
            bits = bitsep.stochastic_complexity(table, target, given=given_names, code="fnml")
            penalty = bits - case.expect[f"nH_{key}"]
            assert penalty == pytest.approx(case.expect[f"Pf_{key}"], abs=1e-9)


@given(tables())
@quick
def test_equals_the_textbook_twin(columns: Columns) -> None:
    for code in ("fnml", "qnml"):
        for names in ([], ["a"], ["a", "b", "c"]):
            found = bitsep.stochastic_complexity(columns, "x", given=names, code=code)
            expected = twins.stochastic_complexity([columns["x"]], [columns[name] for name in names], code)
            assert found == pytest.approx(expected, abs=1e-9)


@given(tables(missing=True))
@quick
def test_rows_with_missing_values_are_left_out(columns: Columns) -> None:
    kept = [i for i in range(len(columns["x"])) if columns["x"][i] is not None and columns["a"][i] is not None]
    if not kept:
        return
    found = bitsep.stochastic_complexity(columns, "x", given=["a"])
    assert found == pytest.approx(twins.stochastic_complexity([columns["x"]], [columns["a"]], "fnml"), abs=1e-9)
    by_hand = {name: [columns[name][i] for i in kept] for name in ("x", "a")}
    if set(by_hand["x"]) == set(columns["x"]) - {None}:  # no level is lost with its rows
        assert found == pytest.approx(bitsep.stochastic_complexity(by_hand, "x", given=["a"]), abs=1e-9)


@given(tables())
@quick
def test_the_two_codes_agree_without_conditions(columns: Columns) -> None:
    # With one stratum both are n H + log C(n, k), equation (6).
    fnml = bitsep.stochastic_complexity(columns, "x", code="fnml")
    qnml = bitsep.stochastic_complexity(columns, "x", code="qnml")
    n, k = len(columns["x"]), len(set(columns["x"]))
    assert fnml == pytest.approx(qnml, abs=1e-9)
    assert fnml == pytest.approx(twins.entropy(columns["x"]) + twins.log2_regret(n, k), abs=1e-9)


def test_conditions_may_be_one_name() -> None:
    columns = {"x": [0, 1, 0, 1], "z": ["a", "a", "b", "b"]}
    assert bitsep.stochastic_complexity(columns, "x", given="z") == bitsep.stochastic_complexity(
        columns, "x", given=["z"]
    )


def example_1() -> Columns:
    """|X1| = 1,000, |X2| = 8, |Y| = 4, 1,000 rows, Y a function of X1 and a function of X2."""
    x2 = [i % 8 for i in range(1_000)]
    return {"X1": list(range(1_000)), "X2": x2, "Y": [value % 4 for value in x2]}


def test_example_1_entropies_cannot_tell_the_functions_apart() -> None:
    columns = example_1()
    for cause in ("X1", "X2"):
        result = bitsep.independence_test(columns, "Y", cause, method="cmi")
        assert result.cmi_bits == pytest.approx(twins.entropy(columns["Y"]) / 1_000)  # Ĥ(Y | cause) = 0


def test_example_1_stochastic_complexity_prefers_the_function_with_evidence() -> None:
    columns = example_1()
    by_x1 = bitsep.stochastic_complexity(columns, "Y", given=["X1"], code="fnml")
    by_x2 = bitsep.stochastic_complexity(columns, "Y", given=["X2"], code="fnml")
    assert by_x1 == pytest.approx(1_000 * math.log2(4))  # a single row per stratum: C(1, 4) = 4
    assert by_x2 == pytest.approx(8 * twins.log2_regret(125, 4))
    assert by_x2 < by_x1 / 10


@pytest.mark.parametrize("code", ["nml", "fNML!", ""])
def test_unknown_code_is_refused(code: str) -> None:
    with pytest.raises(ValueError, match="code") as caught:
        bitsep.stochastic_complexity({"x": [0, 1]}, "x", code=code)
    assert isinstance(caught.value, bitsep.BitsepError)
