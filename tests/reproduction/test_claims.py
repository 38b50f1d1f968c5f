"""The claims file is sound, and rules decide as they say."""

from __future__ import annotations

import pytest

from bitsep.errors import ArgumentError, FormatError
from reproduction.catalogue import EXPERIMENTS, experiment_named
from reproduction.claims import Claim, decide, load_claims
from reproduction.results import Results

CLAIMS = load_claims()


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_rule_can_be_evaluated(claim: Claim, results: dict[str, Results]) -> None:
    verdict = decide(claim, results)
    assert verdict.outcome in ("holds", "does not hold", "not decided")
    assert len(verdict.findings) == len(claim.checks)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_rule_speaks_of_columns_and_values_that_exist(claim: Claim) -> None:
    schema = experiment_named(claim.experiment).schema
    for check in claim.checks:
        named = {check.column, *check.where, *({check.split} if check.split else ())}
        for other in (check.minus, check.divided_by):
            if other is not None:
                named |= {*other} - {"column"} | {other.get("column", check.column)}
        assert named <= set(schema)


def test_every_experiment_has_claims() -> None:
    assert {claim.experiment for claim in CLAIMS} == set(EXPERIMENTS)
    assert all(claim.statement.endswith((".", ".)")) for claim in CLAIMS)


def test_calculated_claims_and_the_known_differences() -> None:
    # These need no random numbers: fNML and the halved Γ, the peak, two misprints.
    results = {"thresholds": full_thresholds()}
    found = {claim.id: decide(claim, results) for claim in CLAIMS}
    hold = {
        "fnml-strictest-halved",
        "fnml-turns-at-125",
        "jic-overpenalises",
        "codes-above-gamma",
        "thresholds-fall-with-rows",
    }
    differ = {"fnml-strictest-printed", "fnml-plateau", "penalty-formula", "regret-of-two"}
    assert {name for name, verdict in found.items() if verdict.outcome == "holds"} == hold
    assert {name for name, verdict in found.items() if verdict.outcome == "does not hold"} == differ
    assert all(found[name].difference for name in differ)
    assert found["fnml-turns-at-125"].findings[0].value == 125
    assert found["search-72"].outcome == "not decided"  # its experiment was not run


def full_thresholds() -> Results:
    experiment = experiment_named("thresholds")
    settings = experiment.sizes["full"]
    rows = [row for index in range(3) for row in experiment.run_chunk(settings, index)]
    return Results.of_rows(rows, experiment.schema)


# --- rules on results made up for the purpose

MADE_UP = Results.of_rows(
    [
        {"n": n, "method": method, "f1": value}
        for method, values in {"a": (0.1, 0.5, 0.9), "b": (0.3, 0.4, 0.5), "c": (0.0, 0.6, 0.0)}.items()
        for n, value in zip((1, 10, 100), values, strict=True)
    ],
    {"n": "whole", "method": "text", "f1": "real"},
)


def decided(rule: str) -> tuple[str, float | None]:
    head = '[[claim]]\nid="x"\nexperiment="made-up"\nsection="1"\nstatement="s."\ndifference="d"\n'
    [claim] = load_claims(f'{head}[[claim.check]]\nwhat="w"\ncolumn="f1"\n{rule}\n')
    verdict = decide(claim, {"made-up": MADE_UP})
    assert verdict.difference == ("d" if verdict.outcome == "does not hold" else "")
    return verdict.outcome, verdict.findings[0].value


@pytest.mark.parametrize(
    ("rule", "outcome", "value"),
    [
        ('where={method="a"}\nat_least=0.5', "holds", 0.5),
        ('where={method="a"}\nat_least=0.6', "does not hold", 0.5),
        ('where={method="a"}\ntake="max"\nat_most=0.9', "holds", 0.9),
        ('where={method="a", n={from=10}}\ntake="min"\nequals=0.5', "holds", 0.5),
        ('where={method=["a", "b"], n=1}\nequals=0.21\ntolerance=0.02', "holds", 0.2),
        ('where={method="a"}\nsplit="n"\nminus={method=["b", "c"]}\nover="min"\nat_least=-0.3', "holds", -0.2),
        ('where={method="a"}\nsplit="n"\nminus={method=["b", "c"]}\nover="max"\nat_most=0.3', "does not hold", 0.4),
        ('where={method="a"}\ndivided_by={method="b"}\nat_least=1.2', "holds", 1.25),
        ('where={method="a"}\nsplit="n"\nover="place of max"\nequals=100', "holds", 100),
        ('where={method="c"}\nsplit="n"\nover="largest step"\nat_most=0.5', "does not hold", 0.6),
        ('where={method="a"}\nsplit="n"\nover="last / first"\nat_least=9', "holds", 9.0),
        ('where={method="a"}\ntake="median"\nmiddle_90_holds=0.2', "holds", 0.5),
        ('where={method="a"}\ntake="median"\nmiddle_90_holds=0.1', "does not hold", 0.5),
        ('where={method="none"}\nat_least=0.5', "not decided", None),
        ('where={method="a"}\nminus={method="none"}\nat_least=0.5', "not decided", None),
        ('where={method="a"}\nminus={method=["b", "none"]}\nat_least=0.5', "not decided", None),
        ('where={method="a", n=1}\nsplit="n"\nover="largest step"\nat_most=0', "not decided", None),
    ],
)
def test_rules(rule: str, outcome: str, value: float | None) -> None:
    found, measured = decided(rule)
    assert found == outcome
    assert measured == (None if value is None else pytest.approx(value))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[claim", "claims"),
        ('[[claim]]\nid="x"', "'x' has no check"),
        ('[[claim]]\nid="x"\n[[claim.check]]\nwhat="w"', "exactly one of at_least"),
        ('[[claim]]\nid="x"\n[[claim.check]]\nwhat="w"\nat_least=1\nat_most=2', "exactly one of at_least"),
        ('[[claim]]\nid="x"\n[[claim.check]]\nwhat="w"\nat_least=1', "missing 2 required"),
        ('[[claim]]\nid="x"\n[[claim.check]]\nwhat="w"\ncolumn="c"\nwhere={}\nat_least=1\nverdict="holds"', "verdict"),
        ('[[claim]]\nid="x"\n[[claim.check]]\nwhat="w"\ncolumn="c"\nwhere={}\nat_least=1\ntake="mode"', "'mode'"),
        ('[[claim]]\nid="x"\noutcome="holds"\n[[claim.check]]\nwhat="w"\ncolumn="c"\nwhere={}\nat_least=1', "outcome"),
    ],
)
def test_a_claims_file_that_breaks_its_form(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        load_claims(text)


def test_an_id_that_occurs_twice() -> None:
    one = (
        '[[claim]]\nid="x"\nexperiment="e"\nsection="1"\nstatement="s"\n'
        '[[claim.check]]\nwhat="w"\ncolumn="c"\nwhere={}\nat_least=1\n'
    )
    with pytest.raises(FormatError, match="'x' occurs twice"):
        load_claims(one + one)


def test_a_column_that_does_not_exist() -> None:
    with pytest.raises(ArgumentError, match="no column 'f2'; they have n, method, f1"):
        MADE_UP["f2"]
