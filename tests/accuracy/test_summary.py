"""Means, comparisons with other libraries, and the page."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from accuracy import page, plan, published, sections
from accuracy.published import STANDARD
from accuracy.runs import Run, Runs
from accuracy.statistics import Mean
from accuracy.summary import Summary, mean_over_cells
from accuracy.titles import title

PEER = "pyagrum.tabu:score=bdeu"


def runs_of(*cells: tuple[str, str, int, list[int | None]]) -> Runs:
    """Runs with these distances; None is a time-out."""
    runs = Runs()
    for search, network, rows, distances in cells:
        for number, shd in enumerate(distances):
            if shd is None:
                runs.add(Run(search, network, rows, number, "time-out", 120.0))
            else:
                runs.add(
                    Run(
                        search,
                        network,
                        rows,
                        number,
                        "found",
                        0.5,
                        shd,
                        0.5,
                        0.6,
                        0.7,
                        1,
                        2,
                        to_dag=True,
                        version="1.0",
                    )
                )
    return runs


def test_states_of_cells() -> None:
    summary = Summary(
        runs_of(("boss", "asia", 200, [1]), ("boss", "asia", 500, [3, None, None]), (PEER, "asia", 1000, [1]))
    )
    assert summary.cell("boss", "asia", 500).mean("shd") == Mean(3, 0, 1)
    assert summary.cell("boss", "asia", 500).count("time-out") == 2
    assert summary.cell("boss", "asia", 1000).state == "skipped"
    assert summary.cell(PEER, "asia", 200).state == "not run"
    assert [cell.rows for cell in summary.cells("boss")] == [200, 500, 1000]


def test_pairs_use_samples_that_both_have() -> None:
    summary = Summary(runs_of((plan.DEFAULT, "asia", 200, [5, 2, 9]), (PEER, "asia", 200, [4, None, 6, 1])))
    (pair,) = summary.duel(PEER).pairs
    assert (pair.ours.value, pair.theirs.value) == (7, 5)
    assert pair.difference == Mean.of([1, 3])
    assert pair.lost  # 2 is more than the standard error of 1


@pytest.mark.parametrize(
    ("ours", "theirs", "lost"),
    [
        ([3, 3], [3, 3], False),
        ([4, 4], [3, 3], True),  # no spread: every difference counts
        ([4, 6], [3, 3], True),  # 2 ± 1
        ([2, 6, 4], [3, 3, 3], False),  # 1 ± 1.2
        ([1, 1], [3, 5], False),
    ],
)
def test_a_cell_is_lost_beyond_one_standard_error(ours: list[int], theirs: list[int], lost: bool) -> None:
    summary = Summary(runs_of((plan.DEFAULT, "asia", 200, ours), (PEER, "asia", 200, theirs)))
    (pair,) = summary.duel(PEER).pairs
    assert pair.lost == lost


def test_a_duel_counts_cells_without_a_graph() -> None:
    summary = Summary(
        runs_of(
            (plan.DEFAULT, "asia", 200, [3, 3]),
            (PEER, "asia", 200, [4, 4]),
            (plan.DEFAULT, "asia", 500, [3, 3]),
            (PEER, "asia", 500, [None, None]),
            (plan.DEFAULT, "child", 200, [None, None]),
            (PEER, "child", 200, [4, 4]),
        )
    )
    duel = summary.duel(PEER)
    assert len(duel.pairs) == 1
    assert duel.without_theirs == 1
    assert [(cell.network, cell.rows) for cell in duel.without_ours] == [("child", 200)]
    assert duel.held_share == 0.5


def test_means_over_cells_weigh_cells_alike() -> None:
    summary = Summary(
        runs_of(("boss", "asia", 200, [1, 1, 1]), ("boss", "child", 200, [4]), ("boss", "alarm", 200, [None]))
    )
    assert mean_over_cells(summary.cells("boss"), "shd") == 2.5
    assert mean_over_cells([], "shd") is None


def test_titles() -> None:
    assert title("discover") == "bitsep discover (default)"
    assert title("pc_stable:method=sci_f,orientation=majority") == "bitsep PC-stable, sci_f, majority"
    assert title(PEER) == "pyAgrum tabu search, BDeu"


@pytest.fixture
def everything() -> Runs:
    """Invented runs of the default in all cells that the page needs, and of two peers."""
    cells = [(plan.DEFAULT, one.network, one.rows, [10] * 10) for one in STANDARD]
    cells += [(plan.DEFAULT, "survey", rows, [1, 2, 3]) for rows in sections.F1_SIZES]
    cells += [(PEER, "asia", 1_000, [9] * 10), (PEER, "sachs", 2_000, [50] * 10), (PEER, "sachs", 5_000, [None, None])]
    cells += [("causallearn.ges", "asia", 1_000, [11] * 3)]
    return runs_of(*cells)


def test_the_page(everything: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(published.REASONS, "asia", "a reason")
    text = page.write(everything, tmp_path).read_text(encoding="utf-8")
    assert "| asia | 1,000 | 10.0 ± 0.0 | 2.3 | GES | no |" in text
    assert "| insurance | 5,000 | 10.0 ± 0.0 | 20.3 | GRaSP | yes |" in text
    assert "| **sum of 11** |  | **110.0 ± 0.0** | **271.9** |  |  |" in text
    assert "Above the published figure: asia (a reason), sachs, child, alarm." in text
    assert "is **.500**, over" in text
    assert "Tabu-Stable, greedy order .555" in text
    assert "| pyAgrum tabu search, BDeu | 2 | 1 | 50.0% ✗ | -19.5 | 2 |" in text
    assert "| pyAgrum tabu search, BDeu | asia | 1,000 | 10.0 ± 0.0 | 9.0 ± 0.0 | +1.0 ± 0.0 |" in text
    assert "| causal-learn GES | 1 | 0 | 100.0% | -1.0 | 0 |" in text
    assert "causal-learn GES | asia" not in text  # not lost
    assert "    | pyAgrum tabu search, BDeu |  |  | 50.0 ± 0.0 | 2 time-outs | skipped |  |" in text
    assert "**Versions** bitsep 1.0, causal-learn 1.0, pyAgrum 1.0" in text
    for image in ("accuracy-sizes", "accuracy-published"):
        assert (tmp_path / "images" / f"{image}.svg").stat().st_size > 10_000
        assert f"images/{image}.svg" in text
    with (tmp_path / page.CELLS).open(encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == len(STANDARD) + len(sections.F1_SIZES) + 5
    (lost,) = [line for line in lines if line["search"] == PEER and line["rows"] == "5000"]
    assert (lost["found"], lost["time_outs"], lost["shd"]) == ("0", "2", "")


def test_the_page_is_the_same_for_the_same_runs(everything: Runs, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        page.write(everything, tmp_path / folder)
    files = sorted(path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*.*"))
    assert len(files) == 6
    for file in files:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
