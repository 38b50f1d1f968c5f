"""Bootstrap samples on the command line: probabilities, doubts, members of blankets, expected accuracy."""

from __future__ import annotations

import json

import bitsep


def test_discover_prints_probabilities_and_doubts(call, asia):
    done = call("discover", asia, "--bootstrap", "20", "--seed", "1")
    d = bitsep.discover(asia, bootstrap=20, seed=1)
    assert "probability" in done.out
    for doubt in d.doubts[:10]:
        assert str(doubt.reason) in done.out
    assert "Expected accuracy" not in done.out


def test_discover_prints_the_expected_accuracy(call, asia):
    done = call("discover", asia, "--expected")
    assert done.code == 0, done.err
    assert bitsep.expected_accuracy(bitsep.discover(asia)).sentence in done.out


def test_json_has_probabilities(call, asia):
    found = json.loads(call("discover", asia, "--bootstrap", "5", "--json").out)
    assert all(0 < row["probability"] < 1 for row in found["support"])


def test_blankets_have_support(call, asia):
    done = call("blanket", asia, "dysp", "--bootstrap", "5", "--seed", "2")
    expected = bitsep.markov_blanket(asia, "dysp", bootstrap=5, seed=2)
    assert str(expected).splitlines()[3] in done.out
    assert call("blanket", asia, "dysp", "--bootstrap", "-1").code != 0
