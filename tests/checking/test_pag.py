"""`check` of graphs with hidden variables."""

from __future__ import annotations

import pytest

import bitsep
from bitsep import MAG, PAG, check, fci, load_network
from bitsep.errors import ArgumentError

ASIA = load_network("asia")
HIDDEN = "smoke"


def test_the_true_pag_fits_and_a_pag_without_an_edge_does_not() -> None:
    rows = ASIA.sample(5000, seed=2).drop(columns=HIDDEN)
    truth = ASIA.dag.pag(hidden=HIDDEN)
    found = check(truth, rows)
    assert found.fits
    assert len(found.independences) == 21 - len(truth.skeleton)
    assert len(found.edges) == len(truth.skeleton)
    assert found.graph == truth
    assert check(ASIA.dag.mag(hidden=HIDDEN), rows).p_value == found.p_value
    edges = [edge for edge in ASIA.dag.mag(hidden=HIDDEN).edge_lines() if {edge[0], edge[2]} != {"bronc", "dysp"}]
    less = check(MAG(truth.variables, edges), rows)
    assert not less.fits
    assert {less.violations[0].x, less.violations[0].y} == {"bronc", "dysp"}


def test_a_discovery_with_a_pag() -> None:
    data = ASIA.sample(3000, seed=1).drop(columns=HIDDEN)
    found = fci(data)
    checked = check(found)
    assert checked.graph == found.graph
    assert "found in these rows" in checked.notes[0]
    assert {(one.a, one.sign, one.b) for one in checked.edges} == set(found.graph.edge_lines())
    assert [one["sign"] for one in checked.to_dict()["edges"]] == [one.sign for one in checked.edges]


def test_a_pag_that_no_mag_has_is_refused() -> None:
    cycle = PAG(["asia", "tub", "lung"], [("asia", "→", "tub"), ("tub", "→", "lung"), ("lung", "→", "asia")])
    with pytest.raises(ArgumentError, match="must be a legal PAG"):
        check(cycle, ASIA.sample(100, seed=1))


def test_other_functions_refuse_a_pag() -> None:
    truth = ASIA.dag.pag(hidden=HIDDEN)
    with pytest.raises(bitsep.BitsepError, match=r"must be a bitsep\.DAG, PDAG, Network or Discovery, got PAG"):
        bitsep.Network.fit(truth, ASIA.sample(100, seed=1))
    with pytest.raises(bitsep.BitsepError, match="got PAG"):
        bitsep.score(ASIA.sample(100, seed=1), truth)
