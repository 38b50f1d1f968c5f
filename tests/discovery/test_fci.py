"""FCI: exact with an oracle, legal on any data, the same for all names, orders, threads and backends."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import bitsep
from bitsep import DAG, PAG, Discovery, Knowledge, Oracle, discover, fci, load_network
from bitsep.errors import ArgumentError, BitsepError, UnknownColumnError, UnknownMethodError, UnsupportedTypeError
from bitsep.graphs import PagComparison
from bitsep.naming import Name
from discovery.hidden_cases import check_exactness, check_table, random_case

# A and D cause B and C, which have a hidden common cause L.
CONFOUNDED = DAG(list("ABCDL"), [("A", "B"), ("L", "B"), ("L", "C"), ("D", "C")])
ALARM = load_network("alarm")


def pag(found: Discovery) -> PAG:
    assert isinstance(found.graph, PAG)
    return found.graph


def hidden_rows(n: int) -> pd.DataFrame:
    """Alarm without some of the variables that have several children."""
    return ALARM.sample(n, seed=3).drop(columns=["LVFAILURE", "VENTLUNG", "CATECHOL"])


def test_exact_on_random_dags_with_hidden_and_selection_variables() -> None:
    rng = random.Random(1)
    for most, number in ((6, 150), (12, 5)):
        for _ in range(number):
            check_exactness(*random_case(rng, most))


@pytest.mark.slow
def test_exact_on_many_random_dags() -> None:
    rng = random.Random(2)
    for most, number in ((6, 3000), (12, 100)):
        for _ in range(number):
            check_exactness(*random_case(rng, most))


# No set of neighbors separates two of these variables, but a larger set of Possible-D-Sep does.
NEEDS_POSSIBLE_D_SEP = [
    ("X0 X5, X0 X8, X1 X2, X1 X5, X1 X6, X1 X7, X2 X8, X3 X5, X3 X7, X4 X6, X4 X7, X5 X6, X7 X8", "X0 X4"),
    ("X0 X5, X0 X7, X1 X4, X1 X8, X2 X3, X2 X4, X2 X6, X2 X7, X3 X6, X3 X7, X4 X5, X6 X7, X6 X8, X7 X8", "X0 X1"),
]


@pytest.mark.parametrize(("text", "hidden"), NEEDS_POSSIBLE_D_SEP)
def test_possible_d_sep_removes_an_edge_that_rfci_keeps(text: str, hidden: str) -> None:
    dag = DAG([f"X{i}" for i in range(9)], [tuple(edge.split()) for edge in text.split(", ")])
    oracle = Oracle(dag, hidden=hidden.split())
    full, quick = (fci(oracle, variant=variant) for variant in ("fci", "rfci"))
    assert full.graph == dag.pag(hidden=hidden.split())
    assert len(quick.skeleton - full.skeleton) == 1 == len(bitsep.pc_stable(oracle).skeleton - full.skeleton)
    check_exactness(dag, hidden.split(), [])


@pytest.mark.parametrize("hidden", [(), ("LVFAILURE", "VENTLUNG"), ("HR", "CO", "INTUBATION", "CATECHOL")])
def test_exact_on_alarm(hidden: tuple[str, ...]) -> None:
    found = fci(Oracle(ALARM, hidden=hidden))
    assert found.graph == ALARM.dag.pag(hidden=hidden)
    assert not found.conflicts


def test_random_tables_give_legal_pags() -> None:
    for seed in range(1_000_000, 1_000_150):
        check_table(seed)


@pytest.mark.slow
def test_many_random_tables_give_legal_pags() -> None:
    for seed in range(2_000_000, 2_001_500):
        check_table(seed)


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["fci", "rfci"])
@pytest.mark.parametrize("name", ["asia", "sachs", "child", "insurance", "alarm"])
def test_networks_with_hidden_variables_give_legal_pags(name: str, variant: str) -> None:
    network = load_network(name)
    hidden = random.Random(name).sample(sorted(network.variables), max(1, len(network.variables) // 10))
    for n in (500, 2000):
        found = fci(network.sample(n, seed=1).drop(columns=hidden), variant=variant, max_given=4, method="g2_adjusted")
        assert pag(found).is_legal


def content(found: Discovery, old: dict[Name, str]) -> Any:
    """All that must not depend on names."""
    graph = pag(found)
    marks = {
        frozenset((old[a], old[b])): (graph.mark(a, b), graph.mark(b, a), old[a]) for a, _, b in graph.edge_lines()
    }
    ends = {
        (pair, end): mark
        for pair, (one, two, a) in marks.items()
        for end, mark in zip(_ends(pair, a), (one, two), strict=True)
    }
    return (
        ends,
        {
            frozenset(old[v] for v in pair): (frozenset(old[v] for v in s.given), s.result.score_bits, s.tests_run)
            for pair, s in found.separations.items()
        },
        sorted(conflict.bits or 0.0 for conflict in found.conflicts),
        found.tests_run,
    )


def _ends(pair: frozenset[str], first: str) -> tuple[str, str]:
    (second,) = pair - {first}
    return first, second


@pytest.mark.parametrize("variant", ["fci", "rfci"])
def test_names_and_order_of_columns_change_nothing(variant: str) -> None:
    data = hidden_rows(500)
    columns = list(data.columns)
    expected = content(fci(data, variant=variant), {name: name for name in columns})
    rng = np.random.default_rng(1)
    for _ in range(8):
        names = rng.permutation([f"v{i}" for i in range(len(columns))]).tolist()
        other = data.rename(columns=dict(zip(columns, names, strict=True)))[rng.permutation(names)]
        assert content(fci(other, variant=variant), dict(zip(names, columns, strict=True))) == expected


@pytest.mark.parametrize("variant", ["fci", "rfci"])
def test_threads_and_backends_change_nothing(variant: str, tmp_path: Path) -> None:
    data = load_network("child").sample(600, seed=1).drop(columns=["LungParench", "Disease"])
    data.to_parquet(tmp_path / "rows.parquet")
    expected = fci(data, variant=variant, threads=1, bootstrap=2)
    assert fci(data, variant=variant, threads=3, bootstrap=2).to_json() == expected.to_json()
    streamed = fci(bitsep.scan_parquet(tmp_path / "rows.parquet"), variant=variant, bootstrap=2)
    assert streamed.graph == expected.graph
    assert streamed.to_json() == expected.to_json()
    for _ in range(2):  # the second time from the folder
        stored = fci(data, variant=variant, checkpoint=tmp_path / "work", bootstrap=2)
        assert stored.to_json() == expected.to_json()


def test_json_round_trip_frames_and_networkx() -> None:
    found = fci(hidden_rows(2000), bootstrap=3)
    again = Discovery.from_json(found.to_json())
    assert again == found
    assert again.graph == found.graph
    assert again.explain("HR", "HRBP") == found.explain("HR", "HRBP")
    frame = found.edges_frame()
    assert set(frame["mark"]) <= {"→", "↔", "o→", "o—o"}
    assert len(frame) == len(found.skeleton)
    assert (frame["support"] <= 1).all()
    assert len(found.separations_frame()) == len(found.separations)
    assert PAG.from_networkx(found.to_networkx()) == found.graph
    assert "of them →" in str(found)
    assert "↔" in found._repr_html_()
    assert found.decisions == ()
    with pytest.raises(BitsepError, match="a PAG represents graphs with hidden variables") as caught:
        found.to_dag()
    assert "graph.mag()" in str(caught.value.hint)
    with pytest.raises(UnsupportedTypeError, match=r"^graph: must be a bitsep\.DAG, .*, got PAG\."):
        bitsep.Network.fit(found)


def test_compare() -> None:
    found = fci(Oracle(CONFOUNDED, hidden="L"))
    for truth in (CONFOUNDED, CONFOUNDED.mag(hidden="L"), CONFOUNDED.pag(hidden="L")):
        compared = found.compare(truth)
        assert isinstance(compared, PagComparison)
        assert (compared.f1, compared.mark_f1, compared.shd) == (1, 1, 0)


def test_explanations_of_marks() -> None:
    found = fci(Oracle(CONFOUNDED, hidden="L"))
    assert found.graph == PAG(list("ABCD"), [("A", "o->", "B"), ("B", "<->", "C"), ("D", "o->", "C")])
    text = found.explain("B", "C")
    assert "a hidden common cause of B and C is the only reading that fits these tests" in text
    assert "Arrowhead at B: in the v-structure C *→ B ←* A, since A and C are independent given nothing" in text
    assert "Circle at A: graphs with a tail and graphs with an arrowhead there" in found.explain("A", "B")
    assert "B is not a cause of A" in found.explain("A", "B")
    assert "A and D have no edge" in found.explain("A", "D")


def test_every_rule_has_a_reason() -> None:
    """The reasons of random graphs mention all rules that apply without knowledge."""
    rng, seen = random.Random(5), set()
    for _ in range(300):
        dag, hidden, selection = random_case(rng, 6)
        found = fci(Oracle(dag, hidden, selection), selection=bool(selection))
        for a, _, b in found.graph.edge_lines():
            text = found.explain(a, b)
            assert "it follows from the other marks" not in text
            seen |= {rule for rule in (f"R{k}" for k in range(1, 11)) if f"({rule})" in text}
    assert {"R1", "R4", "R9", "R10"} <= seen


SQUARE = "A S, B S, B T, C T, C U, D U, D V, A V"  # A — B — C — D — A if S, T, U and V select the rows


@pytest.mark.parametrize(
    ("text", "hidden", "selection", "rules"),
    [
        (f"{SQUARE}, A E, E F", "", "STUV", ("R5", "R6", "R7")),
        ("A B, A D, A F, B C, B F, C E, C F, D E, E F", "", "", ("R1", "R4", "R9", "R10")),
        ("A B, G A, D B, F B, F D, D G, L C, L F, M E, M F, C B, E B", "LM", "", ("R1", "R8", "R9")),
        ("A C, A E, C D, C E, D E", "", "", ("R3",)),
        ("A D, B D, B E, D E", "", "", ("R2", "R4")),
    ],
)
def test_graphs_that_need_the_rare_rules(text: str, hidden: str, selection: str, rules: tuple[str, ...]) -> None:
    edges = [(edge[0], edge[2]) for edge in text.split(", ")]
    dag = DAG({v for edge in edges for v in edge}, edges)
    check_exactness(dag, list(hidden), list(selection))
    found = fci(Oracle(dag, hidden=list(hidden), selection=list(selection)), selection=bool(selection))
    reasons = [found.explain(a, b) for a, _, b in found.graph.edge_lines()]
    assert {rule for rule in rules if any(f"({rule})" in text for text in reasons)} == set(rules)


def test_tiers_put_an_arrowhead_and_nothing_else() -> None:
    """Knowledge about time does not exclude a hidden common cause: o→ must not become →."""
    dag = DAG(["early", "late", "L"], [("L", "early"), ("L", "late")])
    found = fci(Oracle(dag, hidden="L"), knowledge=Knowledge(tiers=[["early"], ["late"]]))
    assert found.graph == PAG(["early", "late"], [("early", "o->", "late")])
    assert "Arrowhead at late: by the knowledge given." in found.explain("early", "late")


def test_required_and_forbidden_edges() -> None:
    pair = DAG(["A", "B"], [("A", "B")])
    assert fci(Oracle(pair), knowledge=Knowledge(forbidden=[("A", "B"), ("B", "A")])).graph.edge_lines() == (
        ("A", "↔", "B"),
    )
    assert fci(Oracle(pair), knowledge=Knowledge(required=[("A", "B")])).graph.edge_lines() == (("A", "→", "B"),)
    chain = DAG(list("ABC"), [("A", "B"), ("B", "C")])
    found = fci(Oracle(chain), knowledge=Knowledge(forbidden=[("B", "A")]))
    assert found.graph.edge_lines() == (("A", "o→", "B"), ("B", "→", "C"))
    assert not found.conflicts
    apart = DAG(list("AB"))
    kept = fci(Oracle(apart), knowledge=Knowledge(required=[("A", "B")]))
    assert kept.graph.edge_lines() == (("A", "→", "B"),)
    assert "knowledge given requires it" in kept.explain("A", "B")


def test_knowledge_is_kept_where_tails_in_place_of_circles_would_contradict_it() -> None:
    """A ↔ C rules out A → B → C, although A o→ B o→ C."""
    triangle = DAG(list("ABC"), [("A", "B"), ("B", "C"), ("A", "C")])
    known = Knowledge(forbidden=[("A", "C"), ("C", "A"), ("B", "A"), ("C", "B")])
    found = fci(Oracle(triangle), knowledge=known)
    assert found.graph.edge_lines() == (("A", "o→", "B"), ("A", "↔", "C"), ("B", "o→", "C"))
    assert not found.conflicts
    impossible = Knowledge(required=[("A", "B"), ("B", "C")], forbidden=[("A", "C")])
    contradicted = fci(Oracle(triangle), knowledge=impossible)
    assert [conflict.kind for conflict in contradicted.conflicts] == ["knowledge"]
    assert "contradicts other knowledge" in str(contradicted.conflicts[0].reason)


def test_knowledge_about_a_pair_without_an_edge() -> None:
    chain = Oracle(DAG(list("ABC"), [("A", "B"), ("B", "C")]))
    found = fci(chain, knowledge=Knowledge(forbidden=[("A", "C")]))  # A → B would be A → B → C
    assert found.graph.edge_lines() == (("B", "o→", "A"), ("B", "o—o", "C"))
    assert "follows from the other marks and the knowledge given" in found.explain("A", "B")
    assert not found.conflicts
    impossible = fci(chain, knowledge=Knowledge(required=[("A", "B"), ("B", "C")], forbidden=[("A", "C")]))
    assert [(conflict.kind, conflict.edge) for conflict in impossible.conflicts] == [("knowledge", ("A", "C"))]
    refused = fci(chain, knowledge=Knowledge(required=[("A", "B")], forbidden=[("A", "C")]))
    assert refused.graph.edge_lines() == (("A", "→", "B"), ("C", "o→", "B"))
    assert "A — B — C is not a v-structure" in str(refused.conflicts[0].reason)
    assert refused.conflicts[0].kind == "knowledge"


def test_knowledge_wins_over_the_data() -> None:
    collider = DAG(list("ABC"), [("A", "C"), ("B", "C")])
    found = fci(Oracle(collider), knowledge=Knowledge(required=[("C", "A")]))
    assert pag(found).mark("C", "A") == "tail"
    assert [conflict.kind for conflict in found.conflicts] == ["knowledge"]
    assert "contradicts the knowledge given" in str(found.conflicts[0].reason)


def test_knowledge_of_random_dags_is_kept() -> None:
    rng = random.Random(7)
    for _ in range(150):
        dag, hidden, _ = random_case(rng, 6)
        mag = dag.mag(hidden)
        order = [v for v in dag.topological_order if v in mag.variables]
        tiers = [order[: len(order) // 2], order[len(order) // 2 :]]
        found = fci(Oracle(dag, hidden), knowledge=Knowledge(tiers=tiers))
        plain = dag.pag(hidden)
        assert found.skeleton == plain.skeleton
        assert not found.conflicts
        for a, _, b in plain.edge_lines():
            for x, y in ((a, b), (b, a)):
                assert pag(found).mark(x, y) in ("circle", mag.mark(x, y))  # sound
                assert plain.mark(x, y) in ("circle", pag(found).mark(x, y))  # nothing is lost
                if x in tiers[1] and y in tiers[0]:
                    assert pag(found).mark(x, y) == "arrow"


def test_selection() -> None:
    square = DAG(
        list("ABCDSTUV"),
        [("A", "S"), ("B", "S"), ("B", "T"), ("C", "T"), ("C", "U"), ("D", "U"), ("D", "V"), ("A", "V")],
    )
    found = fci(Oracle(square, selection=list("STUV")), selection=True)
    assert {sign for _, sign, _ in found.graph.edge_lines()} == {"—"}
    assert "both are causes of what selects the rows" in found.explain("A", "B")
    assert "(R5)" in found.explain("A", "B")
    assert "4 — (causes of the selection)" in str(found)
    without = fci(Oracle(square, selection=list("STUV")))  # contradictory without selection, but legal
    assert pag(without).is_legal
    assert without.conflicts


def test_arrows_and_circles_say_less_if_rows_may_be_selected() -> None:
    oracle = Oracle(CONFOUNDED, hidden="L")
    readings = {
        ("A", "B"): "B is a cause of neither A nor what selects the rows; A can be a cause of either",
        ("B", "C"): "neither B nor C is a cause of the other, or of what selects the rows",
    }
    for pair, text in readings.items():
        assert text in fci(oracle, selection=True).explain(*pair)
        assert "selects" not in fci(oracle).explain(*pair)
    chain = Oracle(DAG(list("ABCD"), [("A", "C"), ("B", "C"), ("C", "D")]))
    assert "C is a cause of D, or of what selects the rows" in fci(chain, selection=True).explain("C", "D")


def test_max_given_limits_the_sets() -> None:
    found = fci(hidden_rows(500), max_given=1)
    assert max(len(s.given) for s in found.separations.values()) == 1
    assert pag(found).is_legal


@pytest.mark.parametrize("columns", [[], ["CVP"], ["CVP", "HR"]])
def test_few_variables(columns: list[str]) -> None:
    rows = ALARM.sample(50, seed=1)[columns]
    if not columns:
        with pytest.raises(BitsepError):
            fci(rows)
        return
    assert fci(rows).variables == tuple(columns)


def test_discover_by_name() -> None:
    data = hidden_rows(300)
    assert discover(data, "fci", variant="rfci", max_given=2).graph == fci(data, variant="rfci", max_given=2).graph
    with pytest.raises(ArgumentError, match="variant: boss has no such argument; it belongs to fci"):
        discover(data, "boss", variant="rfci")


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"variant": "gfci"}, UnknownMethodError, "variant: unknown value 'gfci'"),
        ({"max_given": -1}, ArgumentError, "max_given"),
        ({"bootstrap": -1}, ArgumentError, "bootstrap"),
        ({"threads": 0}, ArgumentError, "threads"),
        ({"knowledge": {"tiers": []}}, UnsupportedTypeError, "knowledge"),
        (
            {"selection": True, "knowledge": Knowledge(tiers=[["HR"]])},
            ArgumentError,
            "must not be given with selection",
        ),
        ({"keep": "nothing"}, UnknownColumnError, "keep"),
        ({"depth": 3}, BitsepError, "depth"),
    ],
)
def test_bad_arguments(options: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        fci(hidden_rows(50), **options)


def test_bad_oracles() -> None:
    with pytest.raises(ArgumentError, match="hidden: 'L' is also in selection"):
        Oracle(CONFOUNDED, hidden="L", selection="L")
    with pytest.raises(UnknownColumnError, match="selection"):
        Oracle(CONFOUNDED, selection="X")
    with pytest.raises(ArgumentError, match="must leave at least one variable"):
        Oracle(CONFOUNDED, hidden=list("ABCDL"))
    with pytest.raises(ArgumentError, match="an oracle has no rows to resample"):
        fci(Oracle(CONFOUNDED), bootstrap=2)
