"""All pairs of variables at once."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest

import bitsep
from bitsep.discovery import all_pairs
from bitsep.errors import ArgumentError, UnknownColumnError


@pytest.fixture(scope="module")
def asia() -> pd.DataFrame:
    return bitsep.load_network("asia").sample(1000, seed=1)


@pytest.mark.parametrize("adjust", [None, "by"])
def test_like_single_tests(asia: pd.DataFrame, adjust: Any) -> None:
    pairs = bitsep.pairwise(asia, adjust=adjust)
    assert pairs.method == ("sci_f" if adjust is None else "x2_calibrated")
    assert len(pairs) == len(list(pairs)) == len(pairs.to_pandas()) == 28
    for i, result in enumerate(pairs):
        alone = bitsep.independence_test(asia, result.x, result.y, method=pairs.method)
        assert pairs.effect_sizes[i] == alone.effect_size == result.effect_size
        assert pairs[result.y, result.x] is result
        assert pairs.matrix.loc[result.x, result.y] == pairs.matrix.loc[result.y, result.x] == alone.effect_size
        if adjust is None:
            assert result == alone
        else:
            assert result.p_value == alone.p_value
    assert np.array_equal(np.diag(pairs.matrix), np.ones(8))


def test_the_order_of_columns_does_not_matter(asia: pd.DataFrame) -> None:
    one, other = bitsep.pairwise(asia), bitsep.pairwise(asia[sorted(asia, reverse=True)], threads=1)
    assert one.to_json() == other.to_json()
    content = json.loads(one.to_json())
    assert (content["schema"], content["schema_version"], len(content["pairs"])) == ("bitsep.pairwise", 1, 28)


def test_texts(asia: pd.DataFrame) -> None:
    pairs = bitsep.pairwise(asia, adjust="holm")
    assert pairs.title in str(pairs)
    assert "p-values adjusted by Holm" in pairs.title
    assert str(pairs).splitlines()[2].split()[:2] == ["either", "lung"]
    assert ">either</td>" in pairs._repr_html_()
    assert repr(pairs).startswith("<Pairwise: 28 pairs of 8 variables")
    alarm = bitsep.pairwise(bitsep.load_network("alarm").sample(200, seed=1))
    assert "… and 636 weaker pairs" in str(alarm)
    assert "undecided" not in str(pairs)


def test_columns_that_cannot_serve_are_left_out(asia: pd.DataFrame) -> None:
    data = asia.assign(id=np.arange(len(asia)), **{"<b>": "x"})
    pairs = bitsep.pairwise(data)
    assert [alert.column for alert in pairs.left_out] == ["id"]
    assert "id" not in pairs.variables
    assert "left out: " in str(pairs)
    assert "<b>" not in pairs._repr_html_()
    assert "id" in bitsep.pairwise(data, keep="id").variables


def test_few_columns() -> None:
    assert len(bitsep.pairwise({"x": [0, 1], "y": [0, 1]})) == 1
    one = bitsep.pairwise({"x": [0, 1, 0, 1]})
    assert len(one) == 0
    assert one.matrix.to_numpy().tolist() == [[1.0]]
    assert "0 pairs of 1 variable," in str(one)
    assert one.to_pandas().empty
    constant = bitsep.pairwise({"x": [0, 0], "y": [0, 1]}, adjust="bh")
    assert constant["x", "y"].p_value == 1
    assert constant.effect_sizes == (0.0,)


def test_bad_input(asia: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ArgumentError, match="adjust: must be"):
        bitsep.pairwise(asia, adjust="fdr")  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="adjust: needs a test with p-values"):
        bitsep.pairwise(asia, method="sci_q", adjust="bh")
    pairs = bitsep.pairwise(asia)
    with pytest.raises(UnknownColumnError, match="pair: "):
        _ = pairs["lung", "nose"]
    for wrong in ("lung", ("lung", "lung"), ("lung",)):
        with pytest.raises(ArgumentError, match="pair: must be two different variables"):
            _ = pairs[wrong]  # type: ignore[index]
    monkeypatch.setattr(all_pairs, "_MAX_PAIRS", 20)
    with pytest.raises(ArgumentError, match="data: too many pairs of columns; at most 20 are possible, got 28"):
        bitsep.pairwise(asia)


def test_heat_map(asia: pd.DataFrame) -> None:
    ax = bitsep.pairwise(asia).plot()
    assert [label.get_text() for label in ax.get_xticklabels()] == sorted(asia)
    assert f"{bitsep.pairwise(asia).effect_sizes[0]:.2f}" in {text.get_text() for text in ax.texts}
    assert len(ax.texts) == 56
    many = bitsep.pairwise(bitsep.load_network("alarm").sample(200, seed=1)).plot()
    assert not many.texts


def test_undecided_pairs_are_not_counted_as_dependent() -> None:
    rng = np.random.default_rng(0)
    x = rng.integers(8, size=12).astype(str)
    pairs = bitsep.pairwise({"x": x, "copy": x, "y": rng.integers(2, size=12).astype(str)})
    assert pairs.title == "3 pairs of 3 variables, 0 dependent, 3 undecided (sci_f)"
    assert list(pairs.to_pandas()["verdict"]) == ["undecided"] * 3
