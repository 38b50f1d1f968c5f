"""The measurement of discretization: its samples, its methods, and its table."""

from __future__ import annotations

import numpy as np
import pytest

import bitsep
from accuracy.discretization import METHODS, WORLDS, histogram_cuts, main, numeric


@pytest.mark.parametrize("world", WORLDS)
def test_every_world_has_numbers_and_a_known_graph(world: str) -> None:
    frame, truth = WORLDS[world](np.random.default_rng(1), 200)
    again, _ = WORLDS[world](np.random.default_rng(1), 200)
    assert frame.equals(again)
    assert set(frame) == set(truth.variables)
    assert numeric(frame)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_divides_all_numbers(method: str) -> None:
    frame, _ = WORLDS["mixed"](np.random.default_rng(2), 150)
    data = METHODS[method](frame)
    assert [column.column for column in data.discretized] == numeric(frame)
    bitsep.hill_climb(data)


def test_a_histogram_finds_clusters_and_leaves_an_even_column_alone() -> None:
    rng = np.random.default_rng(3)
    cuts = histogram_cuts(np.concatenate([rng.normal(m, 0.1, 500) for m in range(3)]))
    assert any(0.2 < cut < 0.8 for cut in cuts)
    assert any(1.2 < cut < 1.8 for cut in cuts)
    assert histogram_cuts(np.linspace(0, 1, 500)) == []


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--sizes", "100", "--samples", "2", "--worlds", "linear", "--methods", "auto", "equal-width:5"])
    head, _, line, mean = capsys.readouterr().out.splitlines()
    assert head == "| world | rows | auto | equal-width:5 |"
    assert line.startswith("| linear | 100 | ")
    assert mean.replace("**mean**", "linear") == line
