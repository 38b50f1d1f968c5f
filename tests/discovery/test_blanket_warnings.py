"""Warnings about Markov blankets that cannot be right."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import bitsep
from bitsep.errors import UnknownColumnError


@pytest.fixture(scope="module")
def asia():
    return bitsep.load_network("asia").sample(2_000, seed=1)


def dependent_given_members(data, blanket):
    """The variables that are not members, and dependent on the target given the members."""
    others = set(data.columns) - {blanket.target, *blanket.members}
    return {v for v in others if not bitsep.independence_test(data, blanket.target, v, blanket.members).independent}


@pytest.mark.parametrize("algorithm", ["pcmb", "iamb", "grow_shrink"])
def test_the_warning_is_there_if_the_blanket_does_not_separate(asia, algorithm):
    for blanket in bitsep.markov_blankets(asia, algorithm).values():
        incomplete = [text for text in blanket.warnings if text.startswith("The blanket is incomplete")]
        assert bool(incomplete) == bool(dependent_given_members(asia, blanket))


def test_a_child_of_a_determined_variable(asia):
    blanket = bitsep.markov_blanket(asia, "xray")
    strongest = bitsep.independence_test(asia, "xray", "either").score_bits
    assert blanket.members == ()
    assert blanket.warnings == (
        "The blanket is incomplete: it is empty, but 5 other variables still depend on xray, most of all either "
        f"(score +{strongest:.2f} bits). Variables determine each other, the tests had too few rows, or it is chance, "
        "as in some of many tests.",
    )
    assert f"warning    {blanket.warnings[0]}" in str(blanket)
    assert bitsep.MarkovBlanket.from_json(blanket.to_json()) == blanket


def test_a_target_that_its_members_determine(asia):
    (warning,) = bitsep.markov_blanket(asia, "either").warnings
    assert warning.startswith("either is a function of lung, tub in these data")
    copied = asia[["smoke", "bronc", "dysp"]].assign(copy=asia["bronc"].map({"yes": 1, "no": 0}))
    (warning,) = bitsep.markov_blanket(copied, "bronc", "iamb").warnings
    assert warning.startswith("bronc is a function of copy in these data")


def test_members_that_rest_on_few_rows():
    rng = np.random.default_rng(1)
    data = pd.DataFrame({"x": rng.permutation(300) % 150, "y": rng.integers(0, 2, 300)})
    data["z"] = data["x"] % 3
    warnings = bitsep.markov_blanket(data, "x", keep="x").warnings
    assert "1 of 1 members rest on a test with fewer rows than the paper's bound" in warnings[-1]


def test_no_warnings_about_constants_single_columns_and_oracles(asia):
    assert bitsep.markov_blanket(asia[["smoke"]], "smoke").warnings == ()
    assert bitsep.markov_blanket(asia[["smoke"]].assign(one=1), "smoke", keep="one").warnings == ()
    oracle = bitsep.Oracle(bitsep.load_network("asia").dag)
    assert all(blanket.warnings == () for blanket in bitsep.markov_blankets(oracle).values())


def test_batches_do_not_matter(asia, monkeypatch):
    expected = bitsep.markov_blankets(asia)
    monkeypatch.setattr("bitsep.discovery.blankets.warnings._MAX_TESTS", 10)
    assert bitsep.markov_blankets(asia) == expected


def test_only_members_can_be_explained(asia):
    with pytest.raises(UnknownColumnError, match=r"'smoke' is not in the blanket of 'dysp'\. Members: 'bronc'"):
        bitsep.markov_blanket(asia, "dysp").explain("smoke")
    with pytest.raises(UnknownColumnError, match=r"\['smoke'\] is not in the blanket"):
        bitsep.markov_blanket(asia, "dysp").explain(["smoke"])
