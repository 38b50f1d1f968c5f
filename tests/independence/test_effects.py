"""Effect sizes: against their definitions, against R, and as part of results."""

from __future__ import annotations

import json
import math
import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import hypergeom

import bitsep
from bitsep.independence.effects.information import _log_factorial
from golden import HERE
from twins import effects as twin
from twins.strategies import quick

CASES = json.loads((HERE / "mantel_haenszel.json").read_text(encoding="utf-8"))["cases"]
small_rows = st.lists(st.tuples(*[st.integers(0, 2)] * 2, st.integers(0, 1)), min_size=1, max_size=14)


def columns(rows: list[tuple[int, int, int]]) -> dict[str, list[int]]:
    return {name: [row[i] for row in rows] for i, name in enumerate("xyz")}


def frame(strata: list[list[list[int]]]) -> bitsep.Table:
    """Strata of 2 × 2 tables as a table of counts."""
    cells = [
        (x, y, f"{z:02}", count)
        for z, table in enumerate(strata)
        for x, line in enumerate(table)
        for y, count in enumerate(line)
    ]
    return bitsep.Table(pd.DataFrame(cells, columns=["x", "y", "z", "count"]), weights="count")


@quick
@given(rows=small_rows)
def test_like_the_definitions(rows: list[tuple[int, int, int]]) -> None:
    result = bitsep.independence_test(columns(rows), "x", "y", given="z")
    assert result.effect_size is not None
    assert result.cmi_corrected_bits is not None
    assert result.effect_size == pytest.approx(twin.effect_size(rows), abs=1e-9)
    corrected = twin.plug_in_bits(rows) - twin.mean_bits_under_independence(rows)
    assert len(rows) * result.cmi_corrected_bits == pytest.approx(corrected, abs=1e-9)
    assert result.cmi_interval is not None
    low, high = result.cmi_interval
    assert 0 <= low <= high <= math.log2(3)
    assert (low, high) == pytest.approx(twin.interval_bits(rows, twin.mean_bits_under_independence(rows)), abs=1e-6)
    assert max(0.0, result.cmi_corrected_bits) <= high + 1e-9


@pytest.mark.parametrize(
    "strata",
    [
        [[[30, 40], [50, 100]]],  # Stirling's series
        [[[1, 70], [2, 60]], [[60, 3], [70, 0]]],
        [[[800, 700], [900, 650]]],
        [[[4000, 3800], [700, 900]]],  # expected counts on both sides of the limit of the exact sums
        [[[60000, 61000], [59000, 500]], [[3, 5], [2, 9]]],
        [[[400000, 401000], [150, 140]]],
    ],
)
def test_the_bias_of_large_tables(strata: list[list[list[int]]]) -> None:
    """The mean information under independence, with the hypergeometric distribution of scipy."""
    result = bitsep.independence_test(frame(strata), "x", "y", given="z")
    mean = 0.0
    for (a, b), (c, d) in strata:
        n = a + b + c + d
        for row in (a + b, c + d):
            for column in (a + c, b + d):
                counts = np.arange(max(0, row + column - n), min(row, column) + 1)
                logarithms = np.log2(np.maximum(counts, 1) * (n / row / column))
                mean += float(hypergeom(n, row, column).pmf(counts) @ (counts * logarithms))
    assert result.cmi_corrected_bits is not None
    assert result.n * (result.cmi_bits - result.cmi_corrected_bits) == pytest.approx(mean, abs=1e-5, rel=1e-6)


def test_log_factorials() -> None:
    values = np.arange(500.0)
    assert _log_factorial(values) == pytest.approx([math.lgamma(k + 1) for k in values], abs=5e-11, rel=1e-14)


@quick
@given(rows=small_rows, swap=st.booleans(), order=st.permutations(range(3)))
def test_order_and_names_change_no_bit(rows: list[tuple[int, int, int]], swap: bool, order: list[int]) -> None:
    first = bitsep.independence_test(columns(rows), "x", "y", given="z")
    moved = columns([(order[x], order[y], 1 - z) for x, y, z in reversed(rows)])
    names = {"x": "b", "y": "a", "z": "c"} if swap else {"x": "x", "y": "y", "z": "a"}
    data = {names[name]: moved[name] for name in sorted(moved, reverse=True)}
    second = bitsep.independence_test(data, names["x"], names["y"], given=names["z"])
    for attribute in ("effect_size", "cmi_corrected_bits", "cmi_interval", "implied_alpha"):
        assert getattr(first, attribute) == getattr(second, attribute)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_odds_ratio_like_r(case: dict[str, Any]) -> None:
    data = frame(case["strata"])
    ratio = bitsep.independence_test(data, "x", "y", given="z").odds_ratio
    assert ratio is not None
    assert ratio.ratio == pytest.approx(case["ratio"], rel=1e-12)
    assert ratio.interval == pytest.approx((case["low"], case["high"]), rel=1e-10)
    assert ratio.statistic == pytest.approx(case["statistic"], rel=1e-9)
    assert ratio.p_value == pytest.approx(case["p_value"], rel=1e-9)
    assert (ratio.x_levels, ratio.y_levels) == (("0", "1"), ("0", "1"))
    turned = bitsep.independence_test(data, "y", "x", given="z").odds_ratio
    assert turned is not None
    assert turned.ratio == pytest.approx(ratio.ratio, rel=1e-14)


def test_strata_add_up_and_are_ordered() -> None:
    case = CASES[0]
    data = frame(case["strata"])
    result = bitsep.independence_test(data, "x", "y", given="z")
    assert result.strata is not None
    assert sum(s.information_bits for s in result.strata) == pytest.approx(result.n * result.cmi_bits)
    assert sum(s.n for s in result.strata) == result.n
    bits = [s.information_bits for s in result.strata]
    assert bits == sorted(bits, reverse=True)
    first = result.strata[0]
    (a, b), (c, d) = case["strata"][0]
    assert first.levels == ("00",)
    assert first.odds_ratio == pytest.approx(a * d / (b * c))


def test_strata_of_several_variables_have_their_levels() -> None:
    rng = np.random.default_rng(1)
    rows = 400
    data = pd.DataFrame(
        {"b": rng.choice(["u", "v"], rows), "a": rng.integers(5, 8, rows), "x": rng.integers(0, 2, rows)}
    )
    data["y"] = np.where((data.b == "v") & (data.a == 6), data.x, rng.integers(0, 2, rows))
    result = bitsep.independence_test(data, "x", "y", given=["b", "a"])
    assert result.strata is not None
    assert result.strata[0].levels == ("v", "6")
    assert result.strata[0].n == int(((data.b == "v") & (data.a == 6)).sum())


def test_more_strata_than_shown() -> None:
    rng = np.random.default_rng(2)
    data = {"x": rng.integers(0, 2, 4000), "y": rng.integers(0, 2, 4000), "z": np.arange(4000) // 2}
    result = bitsep.independence_test(data, "x", "y", given="z")
    assert result.strata is not None
    assert len(result.strata) == 1000
    assert "and 1,996 strata with less information" in str(result)


@pytest.mark.parametrize(
    ("x", "y", "size"),
    [([0, 1], [0, 1], 0.0), ([0, 0, 0], [0, 1, 0], 0.0), ([0], [1], 0.0), ([0, 1, 2] * 20, [0, 1, 2] * 20, 1.0)],
)
def test_few_rows_and_constant_columns(x: list[int], y: list[int], size: float) -> None:
    result = bitsep.independence_test({"x": x, "y": y}, "x", "y")
    assert result.effect_size == pytest.approx(size)
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert result.implied_alpha is None
        assert result.odds_ratio is None
        assert result.cmi_interval == (0.0, pytest.approx(result.cmi_interval[1])) if result.cmi_interval else False
    str(result)
    assert bitsep.IndependenceResult.from_dict(json.loads(json.dumps(result.to_dict()))) == result


def test_a_perfect_relation_has_an_infinite_odds_ratio() -> None:
    result = bitsep.independence_test({"x": [0, 1] * 30, "y": [0, 1] * 30}, "x", "y")
    assert result.odds_ratio is not None
    assert result.odds_ratio.ratio == math.inf
    assert result.odds_ratio.interval == (0.0, math.inf)
    assert result.odds_ratio.p_value < 1e-10
    back = bitsep.IndependenceResult.from_dict(json.loads(json.dumps(result.to_dict(), allow_nan=False)))
    assert back.odds_ratio == result.odds_ratio


def test_more_than_two_levels_have_no_odds_ratio() -> None:
    data = bitsep.load_network("alarm").sample(300, seed=1)
    assert bitsep.independence_test(data, "CVP", "PCWP").odds_ratio is None
    merged = bitsep.independence_test(data, ["HISTORY", "HYPOVOLEMIA"], "CVP", given="PCWP")
    assert merged.odds_ratio is None
    assert merged.effect_size is not None


def test_the_effect_survives_json_and_pickle_once_computed() -> None:
    data = bitsep.load_network("asia").sample(500, seed=1)
    result = bitsep.independence_test(data, "xray", "smoke", given="bronc")
    assert pickle.loads(pickle.dumps(result)).effect_size is None
    size = result.effect_size
    assert pickle.loads(pickle.dumps(result)).effect_size == size
    back = bitsep.IndependenceResult.from_dict(result.to_dict())
    assert (back.effect_size, back.cmi_interval, back.strata) == (size, result.cmi_interval, result.strata)
    assert str(back) == str(result)
    without = bitsep.IndependenceResult.from_dict(result.to_dict(effect=False))
    assert without.effect_size is None
    assert without == result


def test_results_of_searches_compute_it_when_asked() -> None:
    data = bitsep.load_network("asia").sample(1000, seed=1)
    found = bitsep.pc_stable(data)
    [evidence, *_] = found.edges.values()
    weakest = evidence.weakest  # type: ignore[union-attr]
    assert weakest is not None
    alone = bitsep.independence_test(data, weakest.x, weakest.y, given=weakest.given)
    assert (weakest.effect_size, weakest.cmi_interval) == (alone.effect_size, alone.cmi_interval)
    assert '"effect"' not in found.to_json()
    read = bitsep.Discovery.from_json(found.to_json())
    [evidence, *_] = read.edges.values()
    assert evidence.weakest.effect_size is None  # type: ignore[union-attr]
    oracle = bitsep.Oracle(bitsep.load_network("asia"))
    assert bitsep.independence_test(oracle, "xray", "smoke").effect_size is None


def test_implied_alpha_gives_the_same_verdict() -> None:
    data = bitsep.load_network("alarm").sample(400, seed=1)
    for x, y, z in (("CVP", "PCWP", ()), ("HISTORY", "CVP", ("PCWP",)), ("CO", "BP", ("TPR", "HR"))):
        for method in ("sci_f", "sci_q", "sci_fs", "jic"):
            result = bitsep.independence_test(data, x, y, given=z, method=method)
            level = result.implied_alpha
            assert level is not None
            if not 0 < level < 1:
                continue
            same = bitsep.independence_test(data, x, y, given=z, method="g2_adjusted", alpha=level)
            assert same.threshold_bits == pytest.approx(result.threshold_bits, rel=1e-6)
            assert same.independent == result.independent
    assert bitsep.independence_test(data, "CVP", "PCWP", method="g2").implied_alpha is None


def test_a_verdict_on_few_rows_is_undecided() -> None:
    rng = np.random.default_rng(100)
    data = {"x": rng.integers(0, 4, 100), "y": rng.integers(0, 4, 100), "z": rng.integers(0, 16, 100)}
    result = bitsep.independence_test(data, "x", "y", given="z")
    assert (result.verdict, result.small_sample, result.undecided) == ("dependent", True, True)
    assert "undecided" in str(result)
    x2 = bitsep.independence_test(data, "x", "y", given="z", method="x2")
    assert x2.small_sample
    assert not x2.undecided


def test_texts() -> None:
    result = bitsep.independence_test(frame(CASES[0]["strata"]), "x", "y", given="z", alpha=0.05)
    text = str(result)
    assert "22.88, and 4.32 more for alpha = 0.05; as strict as g2_adjusted at alpha" in text
    assert "odds ratio    0.905 (95% interval 0.772 to 1.06; Mantel-Haenszel p = 0.232)" in text
    assert "odds of y = 0 against 1, for x = 0 over 1" in text
    assert "stratum       z = 00: 13.74 bits in 933 rows, effect size 0.13, odds ratio 0.349" in text
    assert "0.905" in result._repr_html_()
    few = bitsep.independence_test(frame(CASES[0]["strata"]), "x", "y", method="g2", min_rows_per_df=1e6)
    assert few.p_value is None
    assert "none: 4,526 rows, too few for 1 df" in str(few)
    assert "score         none: too few rows for a decision" in str(few)


@pytest.mark.slow
@pytest.mark.parametrize(("levels", "strata", "rows"), [(2, 1, 100), (3, 4, 100), (4, 16, 500)])
@pytest.mark.parametrize("copied", [0.0, 0.2, 0.5])
def test_the_interval_covers_the_true_information(levels: int, strata: int, rows: int, copied: float) -> None:
    """In at least 86% of 250 data sets; docs/one-test.md has more settings."""
    rng = np.random.default_rng([levels, strata, rows])
    joint = (1 - copied) / levels**2 + copied * np.eye(levels) / levels
    true = float((joint * np.log2(joint * levels**2)).sum())
    covered, corrected = 0, []
    for _ in range(250):
        x = rng.integers(0, levels, rows)
        y = np.where(rng.random(rows) < copied, x, rng.integers(0, levels, rows))
        data = {"x": x, "y": y, "z": rng.integers(0, strata, rows)}
        result = bitsep.independence_test(data, "x", "y", given="z")
        assert result.cmi_interval is not None
        low, high = result.cmi_interval
        covered += low - 1e-9 <= true <= high
        corrected.append(result.cmi_corrected_bits)
    assert covered >= 0.86 * 250
    if copied <= 0.2:
        assert np.mean(corrected) == pytest.approx(true, abs=0.01)
