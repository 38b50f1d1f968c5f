"""What `Discovery` tells: evidence made on demand, sentences, JSON, comparison, bootstrap."""

from __future__ import annotations

import copy
import json
import pickle

import pandas as pd
import pytest

import bitsep
from bitsep import Discovery, Knowledge, Oracle, load_network, pc_stable
from bitsep.errors import FormatError
from bitsep.independence import open_engine
from discovery.python_engine import Scripted


@pytest.fixture(scope="module")
def asia() -> pd.DataFrame:
    return load_network("asia").sample(2000, seed=1)


@pytest.fixture(scope="module")
def found(asia: pd.DataFrame) -> Discovery:
    return pc_stable(asia, threads=1)


def test_every_pair_is_accounted_for(asia: pd.DataFrame) -> None:
    found = pc_stable(asia, orientation="standard")  # the other rules make tests that belong to triples
    assert len(found.skeleton) + len(found.separations) == 8 * 7 // 2
    assert set(found.edges) == found.skeleton
    assert found.skeleton.isdisjoint(found.separations)
    assert sum(s.tests_run for s in found.separations.values()) + sum(
        e.tests_run for e in found.edges.values()
    ) == found.tests_run  # fmt: skip


def test_evidence_is_what_single_tests_say(asia: pd.DataFrame, found: Discovery) -> None:
    for pair, separation in found.separations.items():
        x, y = sorted(pair)
        again = bitsep.independence_test(asia, x, y, given=separation.given)
        assert again.score_bits == separation.result.score_bits
        assert separation.margin_bits == -again.score_bits
        assert separation.margin_bits > -1e-6
        if separation.runner_up is not None:
            other = bitsep.independence_test(asia, x, y, given=separation.runner_up.given)
            assert other.score_bits == separation.runner_up.score_bits
            assert set(other.given) != set(separation.given)
    for pair, edge in found.edges.items():
        x, y = sorted(pair)
        assert edge.weakest is not None
        again = bitsep.independence_test(asia, x, y, given=edge.weakest.given)
        assert again.score_bits == edge.margin_bits
        assert again.score_bits > 0
        assert edge.strength_bits == pytest.approx(again.n * again.cmi_bits)


def test_runner_up_and_weakest_are_the_lowest_over_all_sizes() -> None:
    scores = {
        ("A", "B"): {"": 9.0, "C": 2.0, "D": 5.0, "CD": -1.0},
        ("A", "C"): {"": 8.0, "B": 3.0, "D": 7.0, "BD": 6.0},
    }

    def score(a: object, b: object, given: frozenset[object]) -> float:
        return scores.get((str(a), str(b)), {}).get("".join(sorted(map(str, given))), 10.0)

    d = pc_stable(Scripted("ABCD", score))
    separation = d.separations[frozenset("AB")]
    assert separation.given == ("C", "D")
    assert separation.runner_up is not None
    assert (separation.runner_up.given, separation.runner_up.score_bits) == (("C",), 2.0)
    assert separation.margin_bits == 1.0
    assert separation.tests_run == 4
    edge = d.edges[frozenset("AC")]
    assert edge.weakest is not None
    assert (edge.weakest.given, edge.margin_bits) == (("B",), 3.0)


def test_evidence_is_made_when_asked_for(asia: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    engine = open_engine(asia)
    result = engine.result
    monkeypatch.setattr(engine, "result", lambda *query: made.append(query) or result(*query))
    d = pc_stable(engine)
    assert d.skeleton
    assert not made
    pair = next(iter(d.separations))
    assert d.separations[pair] is d.separations[pair]
    assert len(made) <= 2
    with pytest.raises(KeyError):
        d.separations[frozenset(("asia", "nobody"))]


def test_explain_tells_a_missing_edge(found: Discovery) -> None:
    assert found.explain("xray", "smoke") == found.explain("smoke", "xray")
    lines = found.explain("smoke", "xray").splitlines()
    assert lines[0] == "smoke and xray have no edge: given lung they are independent."
    assert lines[1].startswith("They share ")
    assert "rows, where sci_f demands" in lines[1]
    assert "so the edge falls short by" in lines[1]
    assert "the runner-up, given" in lines[2]


def test_explain_in_full() -> None:
    def score(a: object, b: object, given: frozenset[object]) -> float:
        return -2.5 if (a, b, given) == ("A", "B", frozenset()) else 4.0 - len(given)

    d = pc_stable(Scripted("ABC", score))
    assert d.explain("A", "B").splitlines() == [
        "A and B have no edge: given nothing they are independent.",
        "They share 7.50 bits of information in 100 rows, where scripted demands 10.00 bits, "
        "so the edge falls short by 2.50 bits.",
        "1 test was made for this pair.",
    ]
    assert d.explain("C", "A").splitlines() == [
        "A and C have an edge: none of the 2 tests made separates them.",
        "They came closest to independence given B: they share 13.00 bits of information in 100 rows, where scripted "
        "demands 10.00 bits, so the edge survives by 3.00 bits.",
        "That is 0.1300 bits per row.",
        "A → C as part of the v-structure A → C ← B: without C in the conditioning set A and B come closer to "
        "independence, by 5.50 bits.",
    ]
    plain = pc_stable(Scripted("ABC", score), orientation="standard")
    assert plain.explain("C", "A").splitlines()[3] == (
        "A → C as part of the v-structure A → C ← B: A and B are separated without C."
    )


def test_explain_names_its_variables(found: Discovery) -> None:
    with pytest.raises(bitsep.BitsepError, match="Did you mean 'smoke'"):
        found.explain("smoek", "xray")
    with pytest.raises(bitsep.BitsepError, match="two different"):
        found.explain("xray", "xray")


def test_json_there_and_back(found: Discovery) -> None:
    text = found.to_json()
    back = Discovery.from_json(text)
    assert back == found
    assert back.to_json() == text
    assert back.graph == found.graph
    assert dict(back.separations) == dict(found.separations)
    assert dict(back.edges) == dict(found.edges)
    assert back.warnings == found.warnings
    for a in found.variables:
        for b in found.variables:
            if a != b:
                assert back.explain(a, b) == found.explain(a, b)
    content = json.loads(text)
    assert content["schema"] == "bitsep.discovery"
    assert content["schema_version"] == 1
    assert content["settings"]["bitsep_version"] == bitsep.__version__
    assert pickle.loads(pickle.dumps(found)) == found
    assert copy.deepcopy(found) == found
    assert len({found, back}) == 1


def test_tests_with_too_few_rows_survive_json() -> None:
    data = bitsep.load_network("alarm").sample(60, seed=1)
    d = pc_stable(data, method="g2", min_rows_per_df=10)
    pair = next(pair for pair, s in d.separations.items() if s.result.too_few_rows)
    assert d.separations[pair].result.threshold_bits == float("inf")
    assert "too few rows for" in str(d.separations[pair].result)
    back = Discovery.from_json(d.to_json())
    assert back == d
    assert dict(back.separations) == dict(d.separations)
    assert "count as independent whatever they share" in back.explain(*pair) == d.explain(*pair)
    assert "inf" not in d.explain(*pair).replace("information", "")


def test_odd_names_are_the_same_text_all_over_the_json() -> None:
    asia = load_network("asia").sample(2000, seed=1)
    asia.columns = [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, True, "x"]  # type: ignore[assignment]
    d = pc_stable(asia, orientation="conservative")
    back = Discovery.from_json(d.to_json())
    assert back.to_json() == d.to_json()
    names = set(back.variables)
    assert names == {"0.5", "1.5", "2.5", "3.5", "4.5", "5.5", "True", "x"}
    assert any(s.given for s in back.separations.values())
    assert all(names.issuperset(s.given) for s in back.separations.values())
    assert all(names.issuperset((t.a, t.center, t.b)) for t in back.ambiguous)


def test_json_with_knowledge_conflicts_and_integer_names() -> None:
    def score(a: object, b: object, given: frozenset[object]) -> float:
        return -3.0 if {a, b} in ({0, 2}, {1, 3}, {0, 3}) and not given else 4.0

    d = pc_stable(Scripted(range(6), score), knowledge=Knowledge(forbidden=[(4, 5), (5, 4)], required=[(4, 0)]))
    back = Discovery.from_json(d.to_json())
    assert back == d
    assert back.variables == tuple(range(6))
    assert back.conflicts == d.conflicts
    assert back.ambiguous == d.ambiguous
    assert back.excluded == {frozenset((4, 5))}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ("[]", "not the JSON of a Discovery"),
        ('{"schema": "bitsep.discovery", "schema_version": 99}', "reads version 1, got 99"),
        ('{"schema": "bitsep.discovery", "schema_version": 1}', "a field of the Discovery is missing"),
    ],
)
def test_foreign_json_is_an_error(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        Discovery.from_json(text)


def test_frozen_and_shown(found: Discovery) -> None:
    with pytest.raises(AttributeError):
        found.tests_run = 0  # type: ignore[misc]
    with pytest.raises(TypeError):
        found.settings["seed"] = 1  # type: ignore[index]
    assert repr(found) == f"<Discovery: 8 variables, {len(found.skeleton)} edges, pc_stable, sci_f>"
    assert "tests run" in str(found)
    assert "<table>" in found._repr_html_()


def test_compare_and_networkx() -> None:
    asia = load_network("asia")
    d = pc_stable(Oracle(asia))
    assert d.compare(asia).f1 == d.compare(asia).arrow_f1 == 1.0
    assert d.compare(asia).shd == 0
    assert d.to_networkx().number_of_nodes() == 8


def test_bootstrap_support(asia: pd.DataFrame) -> None:
    calls: list[tuple[str, int, int]] = []
    d = pc_stable(asia, bootstrap=20, seed=3, progress=lambda *step: calls.append(step))
    assert ("bootstrap", 20, 20) in calls
    assert pc_stable(asia, bootstrap=20, seed=3, threads=1).to_json() == d.to_json()
    assert pc_stable(asia, bootstrap=20, seed=4).to_json() != d.to_json()
    plain = pc_stable(asia)
    assert plain.graph == d.graph
    assert plain.tests_run == d.tests_run
    assert len(plain.support) == 0
    for pair, evidence in d.edges.items():
        support = evidence.support
        assert support == d.support[pair]
        assert support is not None
        assert 0 <= support.forward + support.backward <= support.edge <= 1
    assert d.support[frozenset(("bronc", "dysp"))].edge == 1.0
    assert "The edge appears in 100% of the bootstrap samples" in d.explain("bronc", "dysp")
    assert "of the bootstrap samples" in d.explain("asia", "smoke")
    assert Discovery.from_json(d.to_json()) == d


def test_bootstrap_on_permuted_columns(asia: pd.DataFrame) -> None:
    one = pc_stable(asia, bootstrap=5, seed=1)
    other = pc_stable(asia[asia.columns[::-1]], bootstrap=5, seed=1)
    assert one.to_json() == other.to_json()
