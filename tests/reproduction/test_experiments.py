"""Each experiment at its tiny size, and numbers that are known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import bitsep
from reproduction.catalog import EXPERIMENTS
from reproduction.draws import DISTRIBUTIONS, cause, d_separation, effect, independent_uniform
from reproduction.methods import METHODS
from reproduction.searches import estimate, first_rows, fresh, nested, x_y_given_z
from reproduction.thresholds import fnml_threshold, gamma_threshold, thresholds
from reproduction.trials import Query, Trials


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_a_tiny_run_has_rows_and_figures(name: str, results: dict[str, pd.DataFrame], figures: Path) -> None:
    experiment, mine = EXPERIMENTS[name], results[name]
    assert len(mine) > 0
    for share in {"tpr", "fpr", "accuracy", "f1", "precision", "recall", "called_dependent"} & set(mine):
        values = mine[share].dropna()  # some rows have none
        assert len(values) > 0
        assert values.between(0, 1).all()
    for picture in experiment.pictures:
        svg = (figures / f"{picture.name}.svg").read_bytes()
        assert svg.startswith(b"<?xml")
        assert b"<dc:date>" not in svg  # it would change the bytes
        assert (figures / f"{picture.name}.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_a_chunk_depends_on_its_place_only(name: str) -> None:
    experiment = EXPERIMENTS[name]
    settings = experiment.sizes["tiny"]
    last = len(experiment.chunks(settings)) - 1
    assert experiment.run_chunk(settings, last) == experiment.run_chunk(settings, last)


def test_every_experiment_has_a_seed_of_its_own_and_a_reading() -> None:
    assert len({experiment.seed for experiment in EXPERIMENTS.values()}) == len(EXPERIMENTS)
    assert all(len(experiment.reading) >= 1 for experiment in EXPERIMENTS.values())


def test_full_sizes_are_those_of_the_paper() -> None:
    settings = EXPERIMENTS["d-separation"].sizes["full"]
    assert (len(settings["rows"]), len(settings["noise_percent"]), settings["sets"]) == (25, 20, 200)
    assert (settings["rows"][0], settings["rows"][-1]) == (100, 2500)
    assert EXPERIMENTS["domain-size"].sizes["full"] == {"levels": list(range(2, 21)), "sets": 200}
    assert EXPERIMENTS["parents"].sizes["full"] == {
        "parents": list(range(2, 8)), "noise": list(range(1, 8)), "sets": 200
    }  # fmt: skip
    assert len(EXPERIMENTS["sample-complexity"].chunks(EXPERIMENTS["sample-complexity"].sizes["full"])) == 51
    for name in ("pc-alarm", "pcmb-alarm"):
        settings = EXPERIMENTS[name].sizes["full"]
        assert (settings["rows"][0], settings["rows"][-1], settings["runs"]) == (100, 20000, 10)


# --- numbers measured with an independent implementation of the paper, 2026-11


def test_thresholds_where_every_row_has_its_own_cell() -> None:
    found = thresholds(500, 4, 4, 125)
    expected = {"sci_f": 1.057, "sci_q": 0.542, "gamma_05": 1.737, "gamma_halved_05": 1.737 / 2}
    assert {key: found[key] for key in expected} == pytest.approx(expected, abs=5e-4)
    assert found["jic"] == pytest.approx(10.1, abs=0.05)


def test_fnml_peaks_at_125_and_falls_by_27_percent() -> None:
    curve = {kz: fnml_threshold(500, 4, 4, kz) for kz in range(2, 201)}
    assert max(curve, key=curve.__getitem__) == 125
    assert 1 - curve[200] / curve[125] == pytest.approx(0.27, abs=0.005)


def test_the_worst_case_is_what_sci_f_asks_of_uniform_data() -> None:
    x, y, z = np.meshgrid(range(4), range(4), range(125), indexing="ij")
    data = np.column_stack([x.ravel(), y.ravel(), z.ravel()])
    result = bitsep.independence_test(data, 0, 1, given=[2])
    assert result.threshold_bits == pytest.approx(fnml_threshold(2000, 4, 4, 125) * 2000, rel=1e-12)


@pytest.mark.parametrize(("name", "factor"), [("cmi_gamma", 1.0), ("cmi_gamma_halved", 0.5)])
def test_the_gamma_threshold_is_the_one_of_the_test(name: str, factor: float) -> None:
    x, y, z = np.meshgrid(range(4), range(4), range(125), indexing="ij")
    data = np.column_stack([x.ravel(), y.ravel(), z.ravel()])
    result = bitsep.independence_test(data, 0, 1, given=[2], method=name, alpha=0.001)
    assert result.threshold_bits == pytest.approx(factor * gamma_threshold(2000, 9 * 125, 0.001) * 2000, rel=1e-12)


@pytest.mark.parametrize(
    ("statistic", "epsilon", "low", "high"),
    [("sci_f", 0.05, 38, 60), ("plug_in", 0.05, 120, 155)],
)
def test_searches_end_where_they_were_measured(statistic: str, epsilon: float, low: int, high: int) -> None:
    for kind in (fresh, nested):
        draw = kind(np.random.default_rng(1), (2, 2, 4), 300)
        assert low <= first_rows(draw, (2, 2, 4), statistic, epsilon, 0.05, 300) <= high


def test_nested_data_sets_keep_their_rows() -> None:
    draw = nested(np.random.default_rng(3), (2, 2, 4), 5)
    small, large = list(draw(6)), list(draw(50))
    for (x, _, _), (longer, _, _) in zip(small, large, strict=True):
        assert len(longer) == 50
        np.testing.assert_array_equal(x, longer[:6])


# --- data sets side by side in one table give what each gives alone


@pytest.mark.parametrize("key", METHODS)
def test_trials_agree_with_single_tests(key: str) -> None:
    method = METHODS[key]
    rng = np.random.default_rng(5)
    data_sets = [d_separation(rng, 60, 7, noise) for noise in (0.1, 0.9)]  # few rows: some levels do not occur
    queries: list[Query] = [(0, 3, [1, 2]), (1, 3, [2, 0])]
    trials = Trials(data_sets)
    found = trials.ask(key, queries)
    for columns, results in zip(data_sets, found, strict=True):
        data = np.column_stack(columns)
        for result, (x, y, given) in zip(results, queries, strict=True):
            alone = bitsep.independence_test(data, x, y, given, method.name, method.alpha, **method.options)
            assert (result.independent, result.score_bits) == (alone.independent, alone.score_bits)
    counted = [sum(results[i].independent for results in found) for i in range(2)]
    assert trials.independent([key], queries).tolist() == [counted]


def test_an_estimate_is_per_row_and_not_negative() -> None:
    columns = independent_uniform(np.random.default_rng(1), 400, 2, 2, 4)
    [result] = x_y_given_z([columns])
    assert estimate("sci_f", result) == 0.0
    plain = bitsep.independence_test(np.column_stack(columns), 0, 1, given=[2]).cmi_bits
    assert estimate("plug_in", result) == plain


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_causes_and_effects_have_the_domains_of_the_paper(distribution: str) -> None:
    rng = np.random.default_rng(2)
    causes = [cause(rng, 2000, distribution) for _ in range(3)]
    for column in causes:
        assert column.min() >= 0
        assert 2 <= len(np.unique(column)) <= 16
    assert 2 <= len(np.unique(effect(rng, causes, 0.1))) <= 5
