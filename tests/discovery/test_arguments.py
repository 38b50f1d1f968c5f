"""Bad input, odd data, and what is said about them."""

from __future__ import annotations

import io
import sys

import numpy as np
import pandas as pd
import pytest

import bitsep
from bitsep import MarkovBlanket, Oracle, load_network, markov_blanket, markov_blankets, pc_stable
from bitsep.discovery import neighbors
from bitsep.discovery.blankets import ALGORITHMS
from bitsep.errors import FormatError


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(0)


@pytest.fixture
def data(rng: np.random.Generator) -> pd.DataFrame:
    z = rng.integers(0, 3, 500)
    flip = [np.where(rng.random(500) < 0.2, rng.integers(0, 3, 500), z) for _ in range(3)]
    return pd.DataFrame({"z": z, "a": flip[0], "b": flip[1], "c": flip[2]})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"max_given": -1}, "max_given: must be an integer of at least 0, got -1"),
        ({"max_given": 1.5}, "max_given: must be an integer of at least 0, got 1.5"),
        ({"max_given": True}, "max_given: must be an integer of at least 0, got True"),
        ({"threads": 0}, "threads"),
        ({"bootstrap": -1}, "bootstrap: must be an integer of at least 0"),
        ({"seed": -1}, "seed"),
        ({"orientation": "conservativ"}, "Did you mean 'conservative'"),
        ({"method": "sci_g"}, "sci_f"),
    ],
)
def test_bad_arguments_of_pc_stable(data: pd.DataFrame, arguments: dict[str, object], message: str) -> None:
    with pytest.raises(bitsep.BitsepError, match=message):
        pc_stable(data, **arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"target": "zz"}, "no column 'zz'.*'z'"),
        ({"target": "z", "algorithm": "imb"}, "Did you mean 'iamb'"),
        ({"target": "z", "max_given": -1}, "max_given"),
        ({"target": "z", "threads": 0}, "threads"),
    ],
)
def test_bad_arguments_of_markov_blanket(data: pd.DataFrame, arguments: dict[str, object], message: str) -> None:
    with pytest.raises(bitsep.BitsepError, match=message):
        markov_blanket(data, **arguments)


def test_bad_arguments_of_neighbors(data: pd.DataFrame) -> None:
    with pytest.raises(bitsep.BitsepError, match="Did you mean 'mmpc'"):
        neighbors(data, "z", algorithm="mmmpc")


def test_bootstrap_of_an_oracle_is_an_error() -> None:
    with pytest.raises(bitsep.BitsepError, match="bootstrap"):
        pc_stable(Oracle(load_network("asia")), bootstrap=2)


def test_one_column(rng: np.random.Generator) -> None:
    data = pd.DataFrame({"only": rng.integers(0, 2, 50)})
    d = pc_stable(data)
    assert (d.skeleton, d.tests_run, d.graph.variables) == (frozenset(), 0, ("only",))
    assert d.warnings == ()
    assert bitsep.Discovery.from_json(d.to_json()) == d
    for algorithm in ALGORITHMS:
        m = markov_blanket(data, "only", algorithm=algorithm)
        assert (m.members, m.tests_run) == ((), 0)


def test_max_given_bounds_the_sets(data: pd.DataFrame) -> None:
    d = pc_stable(data, max_given=0)
    assert d.tests_run == 6
    assert len(d.skeleton) == 6
    assert all(len(s.given) <= 1 for s in pc_stable(data, max_given=1).separations.values())
    for algorithm in ALGORITHMS:
        for limit in (0, 1, 2):
            markov_blankets(data, algorithm=algorithm, max_given=limit)


def test_identical_columns_are_told(data: pd.DataFrame) -> None:
    d = pc_stable(data.assign(copy=data["z"].map({0: "x", 1: "y", 2: "w"})))
    assert any("'copy' and 'z' determine each other" in w for w in d.warnings)
    assert d.skeleton == {frozenset(("copy", "z"))}
    for algorithm in ALGORITHMS:
        markov_blankets(data.assign(copy=data["z"]), algorithm=algorithm)


def test_functions_are_told(data: pd.DataFrame, rng: np.random.Generator) -> None:
    half = data.assign(coarse=data["z"] // 2)
    assert any("'coarse' is a function of 'z'" in w for w in pc_stable(half).warnings)
    u, v = rng.integers(0, 2, 500), rng.integers(0, 2, 500)
    noisy = np.where(rng.random(500) < 0.2, 1 - (u | v), u | v)
    sums = pd.DataFrame({"u": u, "v": v, "either": u | v, "sign": noisy, "other": rng.integers(0, 2, 500)})
    warnings = pc_stable(sums).warnings
    assert any("'either' is a function of 'u', 'v'" in w for w in warnings), warnings


def test_no_warning_without_a_cause(data: pd.DataFrame) -> None:
    assert pc_stable(data).warnings == ()
    assert pc_stable(Oracle(load_network("asia"))).warnings == ()


def test_constant_columns_are_told(data: pd.DataFrame) -> None:
    d = pc_stable(data.assign(same="x"))
    assert d.warnings == ("Column 'same' is constant: it carries no information and has no edges.",)
    assert "warning: Column 'same'" in str(d)


def test_missing_values_are_told(data: pd.DataFrame) -> None:
    holes = data.astype("object")
    holes.loc[:49, "a"] = None
    (warning,) = pc_stable(holes).warnings
    assert warning.startswith(
        "Values are missing in 'a' (10%): two variables both have values in 450 to 500 of the 500 rows, "
    )


def test_small_samples_are_told(rng: np.random.Generator) -> None:
    z = rng.integers(0, 5, 40)
    d = pc_stable(pd.DataFrame({"x": z, "y": (z + (rng.random(40) < 0.1)) % 5, "u": rng.integers(0, 5, 40)}))
    assert any("fewer rows than the paper's bound" in w for w in d.warnings)


def test_progress_calls_and_silence(data: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[str, int, int]] = []
    pc_stable(data, progress=lambda *step: calls.append(step))
    assert all(0 <= done <= total for _, done, total in calls)
    steps: list[tuple[str, int, int]] = []
    markov_blankets(data, progress=lambda *step: steps.append(step))
    assert steps[-1] == ("Markov blankets", steps[-1][2], steps[-1][2])
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    pc_stable(data, progress=True)
    assert stream.getvalue() == ""


def test_progress_bar_on_a_terminal(data: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    pc_stable(data, progress=True, bootstrap=2)
    assert "bootstrap" in stream.getvalue()


def test_blankets_are_values(data: pd.DataFrame) -> None:
    import pickle

    m = markov_blanket(data, "z")
    assert m == pickle.loads(pickle.dumps(m))
    assert hash(m) == hash(markov_blanket(data, "z", threads=1))
    assert set(m.members) == set(m.neighbors) | set(m.spouses) == set(m.evidence)
    assert repr(m) == "<MarkovBlanket of 'z': 'a', 'b', 'c'>"
    assert m.explain("a").startswith("a is a neighbor of z: even given")
    assert "pcmb with sci_f" in str(m)
    assert "<table>" in m._repr_html_()
    assert '"target": "z"' in m.to_json()


def test_blankets_there_and_back_through_json() -> None:
    asia = load_network("asia").sample(2000, seed=1)
    for data in (asia, asia.astype("category").apply(lambda column: column.cat.codes).to_numpy()):
        for m in markov_blankets(data).values():
            back = MarkovBlanket.from_json(m.to_json())
            assert back == m
            assert dict(back.evidence) == dict(m.evidence)
            assert back.to_json() == m.to_json()
            assert [back.explain(v) for v in back.members] == [m.explain(v) for v in m.members]
    for text, message in (
        ("{", "not JSON"),
        (pc_stable(asia).to_json(), "not the JSON of a MarkovBlanket"),
        ('{"schema": "bitsep.blanket", "schema_version": 2}', "version 1, got 2"),
        ('{"schema": "bitsep.blanket", "schema_version": 1, "evidence": [{}]}', "of the MarkovBlanket is missing"),
    ):
        with pytest.raises(FormatError, match=message):
            MarkovBlanket.from_json(text)


def test_spouses_carry_their_child() -> None:
    m = markov_blanket(Oracle(load_network("asia")), "smoke")
    assert (m.neighbors, m.spouses) == (("bronc", "lung"), ())
    m = markov_blanket(Oracle(load_network("asia")), "bronc")
    assert m.spouses == ("either",)
    assert m.evidence["either"].child == "dysp"
    assert m.explain("either").startswith("either is a spouse of bronc through their common child dysp: given")
    other = markov_blanket(Oracle(load_network("asia")), "bronc", algorithm="iamb")
    assert other.spouses == ("either",)
    assert "another set separates them" in other.explain("either")
