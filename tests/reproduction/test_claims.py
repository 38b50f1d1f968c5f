"""Every claim can be measured, and rules decide as they say."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from reproduction.catalog import EXPERIMENTS
from reproduction.claims import CLAIMS, Claim, Finding, decide
from reproduction.claims.claim import (
    at_least,
    at_most,
    best_mean,
    best_means,
    equals,
    largest_step,
    last_by_first,
    log_slope,
    mean,
    means,
    middle_90_holds,
    place_of_max,
)

STORED = Path(__file__).parents[2] / "docs" / "reproduction-results"


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_claim_can_be_measured(claim: Claim, results: dict[str, pd.DataFrame]) -> None:
    verdict = decide(claim, results[claim.experiment])
    assert verdict.outcome in ("holds", "partly", "does not hold", "misprint", "not decided")
    assert len(verdict.findings) >= 1


def test_every_experiment_has_claims_and_every_claim_its_own_id() -> None:
    assert {claim.experiment for claim in CLAIMS} == set(EXPERIMENTS)
    assert len({claim.id for claim in CLAIMS}) == len(CLAIMS)
    assert all(claim.statement.endswith((".", ".)")) for claim in CLAIMS)


def test_the_stored_results_give_the_stored_verdicts() -> None:
    stored = json.loads((STORED / "claims.json").read_text(encoding="utf-8"))
    frames = {name: pd.read_parquet(STORED / "results" / f"{name}.parquet") for name in EXPERIMENTS}
    found = [decide(claim, frames[name]).to_dict() for name in frames for claim in CLAIMS if claim.experiment == name]
    assert found == stored


def test_calculated_claims_and_the_known_differences() -> None:
    # These need no random numbers: fNML and the halved Γ, the peak, two misprints.
    experiment = EXPERIMENTS["thresholds"]
    rows = [row for index in range(3) for row in experiment.run_chunk(experiment.sizes["full"], index)]
    frame = pd.DataFrame(rows)
    found = {claim.id: decide(claim, frame) for claim in CLAIMS if claim.experiment == "thresholds"}
    hold = {
        "fnml-strictest-halved",
        "fnml-turns-at-125",
        "jic-overpenalises",
        "codes-above-gamma",
        "thresholds-fall-with-rows",
    }
    misprints = {"penalty-formula", "regret-of-two"}
    differ = {name for name, verdict in found.items() if verdict.outcome in ("does not hold", "partly")}
    assert differ == {"fnml-strictest-printed", "fnml-plateau"}
    assert {name for name, verdict in found.items() if verdict.outcome == "holds"} == hold
    assert {name for name, verdict in found.items() if verdict.outcome == "misprint"} == misprints
    assert all(found[name].difference for name in differ | misprints)
    assert found["fnml-turns-at-125"].findings[0].value == 125


# --- measurements and rules on results made up for the purpose

MADE_UP = pd.DataFrame(
    [
        {"n": n, "method": method, "f1": value}
        for method, values in {"a": (0.1, 0.5, 0.9), "b": (0.3, 0.4, 0.5), "c": (0.0, 0.6, 0.0)}.items()
        for n, value in zip((1, 10, 100), values, strict=True)
    ]
)
A, B, NONE = (MADE_UP[MADE_UP["method"] == name] for name in ("a", "b", "none"))
BY_N = means(A, "f1", "n")
LEAD = BY_N - best_means(MADE_UP, ["b", "c"], "f1", "n")


@pytest.mark.parametrize(
    ("finding", "passed", "value"),
    [
        (at_least(0.5, "", A.f1), True, 0.5),
        (at_least(0.6, "", A.f1), False, 0.5),
        (at_most(0.9, "", A.f1, pd.Series.max), True, 0.9),
        (equals(0.5, "", A.query("n >= 10").f1, pd.Series.min), True, 0.5),
        (equals(0.21, "", MADE_UP.query("n == 1 and method != 'c'").f1, tolerance=0.02), True, 0.2),
        (at_least(-0.3, "", LEAD, pd.Series.min), True, -0.2),
        (at_most(0.3, "", LEAD, pd.Series.max), False, 0.4),
        (at_least(1.2, "", mean(A.f1) / mean(B.f1)), True, 1.25),
        (at_least(0.0, "", mean(A.f1) - best_mean(MADE_UP, ["b", "c"], "f1")), True, 0.1),
        (equals(100, "", BY_N, place_of_max), True, 100),
        (at_most(0.5, "", means(MADE_UP[MADE_UP["method"] == "c"], "f1", "n"), largest_step), False, 0.6),
        (at_least(9, "", BY_N, last_by_first), True, 9.0),
        (equals(0.5, "", BY_N * 0 + BY_N.index**0.5, log_slope), True, 0.5),
        (middle_90_holds(0.2, "", A.f1), True, 0.5),
        (middle_90_holds(0.1, "", A.f1), False, 0.5),
        (at_least(0.5, "", NONE.f1), None, None),
        (at_least(0.5, "", means(NONE, "f1", "n"), pd.Series.min), None, None),
        (at_least(0.5, "", mean(A.f1) - mean(NONE.f1)), None, None),
        (at_least(0.5, "", mean(A.f1) - best_mean(MADE_UP, ["b", "none"], "f1")), None, None),
        (at_least(0.5, "", BY_N - best_means(MADE_UP, ["b", "none"], "f1", "n")), None, None),
        (at_most(0, "", BY_N[:1], largest_step), None, None),
    ],
)
def test_rules(finding: Finding, passed: bool | None, value: float | None) -> None:
    assert finding.passed is passed
    assert finding.value == (None if value is None else pytest.approx(value))


@pytest.mark.parametrize(
    ("findings", "outcome"),
    [
        ([at_least(0.5, "", A.f1)], "holds"),
        ([at_least(0.5, "", A.f1), at_least(0.6, "", A.f1)], "partly"),
        ([at_least(0.6, "", A.f1)], "does not hold"),
        ([at_least(0.6, "", A.f1), at_least(0.5, "", NONE.f1)], "not decided"),
    ],
)
def test_a_claim_holds_if_all_its_findings_pass(findings: list[Finding], outcome: str) -> None:
    verdict = decide(Claim("x", "made-up", "1", "s.", lambda _: iter(findings), "d"), MADE_UP)
    assert verdict.outcome == outcome
    assert verdict.difference == ("d" if outcome in ("does not hold", "partly") else "")


def test_every_other_reading_is_a_claim_and_what_differs_says_so() -> None:
    ids = {claim.id for claim in CLAIMS}
    assert {claim.other_reading for claim in CLAIMS} - {""} <= ids
    stored = json.loads((STORED / "claims.json").read_text(encoding="utf-8"))
    silent = [one["id"] for one in stored if one["outcome"] not in ("holds", "not decided") and not one["difference"]]
    assert silent == []


def test_a_finding_tells_the_spread_and_what_was_wanted() -> None:
    assert at_least(0.5, "what", A.f1) == Finding("what", 0.5, 0.1, 0.9, 3, "≥ 0.5", True)
    assert equals(0, "what", 0.01, tolerance=0.05) == Finding("what", 0.01, 0.01, 0.01, 1, "= 0 ± 0.05", True)
    assert middle_90_holds(0.2, "what", A.f1).wanted == "middle 90% holds 0.2"
