"""Runs in processes that can be stopped, and the rules of the plan."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest

from accuracy import plan, worker
from accuracy.plan import Series, full_plan, full_searches
from accuracy.runner import run_all
from accuracy.runs import Run, Runs
from accuracy.samples import network_names
from accuracy.searches import PEERS, parse
from bitsep.discovery.v_structures import OrientationRule
from bitsep.independence.tests import METHODS

STAND_INS = "stand_ins"
PEER = parse("pgmpy.ges")
OWN = parse("boss")


def run_of(number: int, outcome: str = "found", seconds: float = 1.0) -> Run:
    return Run("any", "asia", 200, number, outcome, seconds)


def numbers_run(series: Series, outcomes: list[tuple[str, float]]) -> list[int]:
    """The samples that are run in one cell if runs end like this, one after the other."""
    done: list[Run] = []
    while (number := series.next_sample(done)) is not None:
        done.append(run_of(number, *outcomes[len(done)]))
    return [run.sample for run in done]


def test_a_cell_has_all_samples() -> None:
    assert numbers_run(Series(OWN, "asia", (200,), 10), [("found", 119.0)] * 10) == list(range(10))
    assert numbers_run(Series(OWN, "asia", (200,), 3, first=5), [("found", 1.0)] * 3) == [5, 6, 7]
    assert numbers_run(Series(PEER, "asia", (200,), 10), [("failed", 1.0)] * 10) == list(range(10))


def test_two_time_outs_end_a_cell() -> None:
    series = Series(OWN, "asia", (200,), 10)
    assert numbers_run(series, [("time-out", 120.0)] * 10) == [0, 1]
    assert numbers_run(series, [("found", 1.0), ("time-out", 120.0), ("found", 1.0), ("time-out", 120.0)]) == [
        0,
        1,
        2,
        3,
    ]


def test_slow_peers_have_three_samples() -> None:
    series = Series(PEER, "asia", (200,), 10)
    assert numbers_run(series, [("found", 31.0)] * 10) == [0, 1, 2]
    assert numbers_run(series, [("found", 29.0)] * 4 + [("found", 31.0)]) == [0, 1, 2, 3, 4]
    assert numbers_run(series, [("time-out", 300.0), ("found", 250.0), ("found", 250.0)]) == [0, 1, 2]


def test_limits() -> None:
    assert Series(OWN, "asia", (200,), 10).limit == 120
    assert Series(PEER, "asia", (200,), 10).limit == 300


def test_the_full_plan() -> None:
    series = {(one.search.text, one.network): one for one in full_plan()}
    assert {network for _, network in series} == set(network_names())
    assert series["discover", "alarm"].sizes == (100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 100_000)
    assert series["discover", "alarm"].samples == 10
    assert series["boss:score=fnml", "alarm"].sizes == (200, 500, 1_000, 2_000, 5_000, 10_000, 20_000)
    for large in ("andes", "pigs"):
        assert {search for search, network in series if network == large} == {"discover", "hill_climb"}
        assert series["hill_climb", large].samples == 3
    assert {parse(text).library for text in full_searches()} == {"bitsep", *PEERS}


def test_the_plan_has_every_test_and_every_orientation_rule() -> None:
    assert {*plan.TESTS, *plan.TESTS_WITHOUT_THRESHOLD} == set(METHODS)
    assert set(plan.ORIENTATIONS) == set(get_args(OrientationRule))


def test_runs_are_stopped_and_larger_samples_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "LIMIT", 0.3)
    runs = Runs()
    searches = [parse(f"{STAND_INS}.sleep"), parse(f"{STAND_INS}.chain")]
    cells = []
    run_all([Series(search, "cancer", (200, 300), 3) for search in searches], runs, report=cells.append)
    slow, quick = (search.text for search in searches)
    assert [run.outcome for run in runs.of(slow, "cancer", 200)] == ["time-out"] * 2
    assert runs.of(slow, "cancer", 300) == []
    assert [run.outcome for run in runs.of(quick, "cancer", 300)] == ["found"] * 3
    assert sorted(len(cell) for cell in cells) == [2, 3, 3]


def test_a_slow_intervention_distance_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "SID_LIMIT", 0.0)
    runs = Runs()
    run_all([Series(parse(f"{STAND_INS}.clique"), "alarm", (200,), 2)], runs, processes=1)
    assert [(run.outcome, run.sid_lower) for run in runs] == [("found", None)] * 2


def test_failures_and_crashes_do_not_end_the_benchmark() -> None:
    runs = Runs()
    plan = [Series(parse(f"{STAND_INS}.{name}"), "cancer", (200,), 2) for name in ("fail", "crash", "empty")]
    run_all(plan, runs, processes=1)
    failed, crashed, found = (runs.of(series.search.text, "cancer", 200) for series in plan)
    assert [(run.outcome, run.message) for run in failed] == [("failed", "ValueError: too bad")] * 2
    assert [(run.outcome, run.message) for run in crashed] == [("failed", "The process ended.")] * 2
    assert [(run.outcome, run.shd, run.cpdag_f1, run.to_dag) for run in found] == [("found", 4, 0.0, None)] * 2


def test_a_run_is_not_repeated() -> None:
    search = parse(f"{STAND_INS}.fail")
    runs = Runs()
    runs.add(replace(run_of(0), search=search.text, network="cancer"))
    run_all([Series(search, "cancer", (200,), 2)], runs, processes=1)
    assert [run.outcome for run in runs.of(search.text, "cancer", 200)] == ["found", "failed"]
    run_all([Series(search, "cancer", (200,), 2)], runs, processes=1, report=lambda cell: pytest.fail("was finished"))


def test_an_error_in_a_report_ends_the_run() -> None:
    def interrupted(cell: list[Run]) -> None:
        raise KeyboardInterrupt

    plan = [Series(parse(f"{STAND_INS}.empty"), "cancer", (rows,), 1) for rows in (200, 300)]
    with pytest.raises(KeyboardInterrupt):
        run_all(plan, Runs(), processes=1, report=interrupted)


def test_bitsep_on_one_sample() -> None:
    runs = Runs()
    run_all([Series(parse("pc_stable"), "earthquake", (2_000,), 1)], runs, processes=1)
    (run,) = runs
    assert run.outcome == "found"
    assert run.version
    assert run.sid_lower is not None
    assert run.sid_lower <= run.sid_upper
