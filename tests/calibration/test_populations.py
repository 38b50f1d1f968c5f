"""What data sets are drawn from."""

from __future__ import annotations

import numpy as np
import pytest

import bitsep
from calibration.cells import MARGINS, Cell, Sizes, all_cells
from calibration.populations import Population, population
from calibration.simulate import _batches, _Sampler


def test_grid() -> None:
    cells = all_cells()
    assert len(cells) == len({cell.name for cell in cells}) == len({cell.seed for cell in cells}) == 192
    assert Cell("skewed", 3, 16, 200).name == "skewed/3x3x16/200"


@pytest.mark.parametrize("margins", MARGINS)
@pytest.mark.parametrize("copied", [0.0, 0.3, 1.0])
def test_coupling_keeps_the_margins(margins: str, copied: float) -> None:
    drawn = population(Cell(margins, 3, 4, 200))
    cells = drawn.cells(copied)
    assert cells.shape == (4, 3, 3)
    assert cells.min() >= 0
    assert cells.sum((1, 2)) == pytest.approx(drawn.strata)
    assert cells.sum(2) == pytest.approx(drawn.strata[:, None] * drawn.x)
    assert cells.sum(1) == pytest.approx(drawn.strata[:, None] * drawn.y)


def test_skewed_margins() -> None:
    drawn = population(Cell("skewed", 3, 4, 200))
    assert drawn.x[0, 1] / drawn.x[0, 0] == pytest.approx(0.4)
    assert drawn.strata[2] / drawn.strata[0] == pytest.approx(1 / 3)


def test_real_margins_follow_from_the_cell() -> None:
    one, same, other = (population(Cell("real", 2, 4, rows)) for rows in (200, 200, 50))
    assert np.array_equal(one.cells(), same.cells())
    assert one.source == same.source != other.source


def test_the_coupled_share_gives_a_power_of_one_half() -> None:
    """Of the chi-square test with one degree of freedom: noncentrality 1.96²."""
    even = np.full((1, 2), 0.5)
    drawn = Population(np.ones(1), even, even)
    assert drawn.copied_share(400) ** 2 * 400 == pytest.approx(1.96**2, rel=0.01)
    assert drawn.copied_share(3) == pytest.approx(1)


def test_drawn_shares() -> None:
    cells = population(Cell("skewed", 3, 4, 200)).cells(0.5)
    drawn = _Sampler(cells).places(np.random.default_rng(1), 20, 5_000)
    shares = np.bincount(drawn.ravel(), minlength=cells.size) / drawn.size
    assert shares == pytest.approx(cells.ravel(), abs=5 * 0.5 / np.sqrt(drawn.size))


def test_data_sets_side_by_side() -> None:
    """In one table: as if each were alone."""
    sampler = _Sampler(population(Cell("skewed", 3, 4, 200)).cells())
    table, queries = sampler.draw(np.random.default_rng(1), 3, 100)
    assert queries[2] == ("x2", "y2", ("z2",))
    place = sampler.places(np.random.default_rng(1), 3, 100)[2]
    alone = bitsep.independence_test(
        {"x": sampler.x[place], "y": sampler.y[place], "z": sampler.z[place]}, "x", "y", given="z"
    )
    assert bitsep.evaluate(table, queries)[2].score_bits == alone.score_bits


def test_permutation_tests_end_a_batch() -> None:
    batches = list(_batches(Cell("uniform", 2, 1, 5_000), Sizes(1_000, 130, 99)))
    assert sum(batches) == 1_000
    assert 130 in np.cumsum(batches)
