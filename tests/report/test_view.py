"""What a report shows agrees with the discovery it shows."""

import numpy as np
import pytest

import bitsep
from bitsep import DAG, Discovery, Table
from bitsep.discovery import Explanation
from bitsep.discovery.edge_table import edge_table
from bitsep.errors import DataError, UnknownColumnError
from bitsep.figures import shown_bits
from bitsep.report.build import build_view
from bitsep.report.view import EdgeView, ExplanationView, Fact, SeparationView, View
from report.samples import alarm, asia, contested, dense


def unpacked(cells: tuple[int, ...]) -> list[int]:
    return [count for cell in cells for count in ([0] * -cell if cell < 0 else [cell])]


def text(view: View, discovery: Discovery, explanation: ExplanationView) -> str:
    """An explanation as the page puts it together."""
    template, *values = explanation
    names = discovery.variables
    places = [v if isinstance(v, str) else (v,) if isinstance(v, int) else v for v in values]
    return str(
        Explanation(
            view.templates[template],
            tuple(v if isinstance(v, str) else tuple(names[i] for i in v) for v in places),
        )
    )


def test_every_pair_is_explained_in_the_words_of_the_discovery() -> None:
    discovery, table = alarm()
    view = build_view(discovery, table)
    names = discovery.variables
    assert len(view.edges) + len(view.separations) == len(names) * (len(names) - 1) // 2
    pairs: list[EdgeView | SeparationView] = [*view.edges, *view.separations]
    for pair in pairs:
        assert text(view, discovery, pair.explanation) == discovery.explain(names[pair.a], names[pair.b])
    assert len(view.templates) < 40


def test_notes_are_the_warnings_conflicts_ambiguous_triples_and_decisions_of_the_discovery() -> None:
    data = bitsep.load_network("alarm").sample(1000, seed=2).assign(constant=1)
    discovery = bitsep.pc_stable(data, orientation="conservative")
    view = build_view(discovery, data)
    assert discovery.warnings
    assert discovery.ambiguous
    decisions = [decision for decision in discovery.decisions if decision.kind != "undirected"]
    assert decisions
    assert Fact("decided for a DAG", str(len(discovery.decisions))) in view.facts
    assert [text(view, discovery, note.explanation) for note in view.notes] == [
        *discovery.warnings,
        *(str(conflict.reason) for conflict in discovery.conflicts),
        *(str(triple.reason) for triple in discovery.ambiguous),
        *(str(decision.reason) for decision in decisions),
    ]


def test_edges_and_their_evidence() -> None:
    discovery, table = alarm()
    view = build_view(discovery, table)
    names = discovery.variables
    contested = {frozenset(conflict.edge) for conflict in discovery.conflicts}
    for edge in view.edges:
        pair = frozenset((names[edge.a], names[edge.b]))
        evidence = discovery.edges[pair]
        assert edge.start == "tail"
        assert (edge.end == "arrow") == ((names[edge.a], names[edge.b]) in discovery.graph.directed)
        assert edge.contested == (pair in contested)
        assert f"{edge.strength:,.2f}" == shown_bits(evidence.strength_bits)
        assert f"{edge.margin:,.2f}" == shown_bits(evidence.margin_bits)
        assert f"survives by {edge.margin:,.2f} bits" in discovery.explain(*pair)
        assert f"That is {edge.per_row:.4f} bits per row" in discovery.explain(*pair)
        assert tuple(names[i] for i in edge.given) == evidence.weakest.given
        assert sum(sum(unpacked(stratum.cells)) for stratum in edge.strata) == evidence.weakest.n
    assert {note.pair is not None for note in view.notes if note.kind == "conflict"} == {True}


@pytest.mark.parametrize("search", [bitsep.pc_stable, bitsep.discover])
def test_a_figure_has_the_same_digits_in_terminal_explanation_and_report(search: object) -> None:
    """The page rounds the numbers of the view to two decimals; `test_browser_page.py` reads them there."""
    discovery = search(asia()[1], bootstrap=5)  # type: ignore[operator]
    names = discovery.variables
    terminal = {frozenset((row[0], row[2])): " ".join(row).split() for row, _ in edge_table(discovery).rows}
    for edge in build_view(discovery).edges:
        a, b = names[edge.a], names[edge.b]
        explained = discovery.explain(a, b)
        for figure in {edge.strength, edge.margin}:
            assert {f"{figure:,.2f}", f"{figure:+,.2f}"} & set(terminal[frozenset((a, b))])
            assert f"{figure:,.2f} bits" in explained
        assert f"{100 * edge.entropy_share:.1f}%" in terminal[frozenset((a, b))]
        assert f"{100 * edge.entropy_share:.1f}% of the entropy" in explained


def test_blankets_are_those_of_a_member_of_the_class() -> None:
    discovery = bitsep.pc_stable(bitsep.Oracle(bitsep.load_network("alarm")))
    view = build_view(discovery)
    member = discovery.graph.consistent_extension()
    for name, variable in zip(discovery.variables, view.variables, strict=True):
        blanket = {*variable.parents, *variable.children, *variable.undecided, *variable.spouses}
        assert {discovery.variables[i] for i in blanket} == member.markov_blanket(name)


def test_without_data_everything_else_is_there() -> None:
    discovery, _ = asia()
    view = build_view(Discovery.from_json(discovery.to_json()))
    assert not view.has_data
    assert view.variables[0].levels is None
    assert not any(edge.strata for edge in view.edges)
    assert not any(separation.strata for separation in view.separations)
    assert len(view.edges) == len(discovery.skeleton)


def test_an_oracle_has_no_rows_and_no_bits() -> None:
    view = build_view(bitsep.pc_stable(bitsep.Oracle(bitsep.load_network("asia"))))
    assert not view.rows
    assert {edge.strength for edge in view.edges} == {None}
    assert "bitsep.Oracle(" in view.snippet


def test_other_data_than_the_discovery_was_made_from_are_refused() -> None:
    discovery, table = asia()
    with pytest.raises(DataError, match=r"data: must have the 2,000 rows that the graph was learned from, got 500"):
        build_view(discovery, bitsep.load_network("asia").sample(500, seed=1))
    with pytest.raises(UnknownColumnError, match="no column 'xray'"):
        build_view(discovery, Table(table, columns=[name for name in table.names if name != "xray"]))


def test_knowledge_bootstrap_and_missing_values_are_shown() -> None:
    data = bitsep.load_network("asia").sample(1000, seed=2).astype(object)
    data.loc[:99, "smoke"] = None
    knowledge = bitsep.Knowledge(required=[("smoke", "lung")], forbidden=[("asia", "xray"), ("xray", "asia")])
    discovery = bitsep.pc_stable(data, knowledge=knowledge, bootstrap=5, seed=7, method="g2", alpha=0.01)
    view = build_view(discovery, data)
    label = {variable.label: i for i, variable in enumerate(view.variables)}
    required = next(e for e in view.edges if (e.a, e.b) == (label["smoke"], label["lung"]))
    assert required.strength is None
    assert required.support is not None
    excluded = next(s for s in view.separations if {s.a, s.b} == {label["asia"], label["xray"]})
    assert excluded.given is None
    assert view.variables[label["smoke"]].missing == 100
    namespace = {"data": data}
    code = view.snippet.replace('data = "data.csv"', "pass").replace('d.save_report("graph.html")', "")
    exec(code, namespace)  # the snippet is Python, and repeats the run
    assert namespace["d"] == discovery


def test_arrows_of_bootstrap_support_follow_the_edge_as_drawn() -> None:
    data = bitsep.load_network("asia").sample(2000, seed=4)
    discovery = bitsep.pc_stable(data, bootstrap=10, seed=1)
    for edge in build_view(discovery, data).edges:
        a, b = discovery.variables[edge.a], discovery.variables[edge.b]
        support = discovery.edges[frozenset((a, b))].support
        expected = (support.forward, support.backward) if edge.a < edge.b else (support.backward, support.forward)
        assert (edge.support.forward, edge.support.backward) == pytest.approx(expected, rel=1e-3)


def test_a_refused_test_has_an_unknown_score() -> None:
    data = {name: np.random.default_rng(k).integers(0, 3, 20) for k, name in enumerate("abc")}
    view = build_view(bitsep.pc_stable(data, method="g2", min_rows_per_df=100), data)
    assert {pair.score for pair in view.separations} == {None}


def test_of_very_many_missing_edges_the_nearest_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bitsep.report.build.MAX_SEPARATIONS", 10)
    discovery, _ = alarm()
    view = build_view(discovery)
    assert len(view.separations) == 10
    assert view.separations_left_out == len(discovery.separations) - 10
    scores = sorted((s.result.score_bits for s in discovery.separations.values()), reverse=True)
    assert min(pair.score for pair in view.separations) == pytest.approx(scores[9], abs=0.005)


def test_of_a_dense_graph_the_strongest_edges_are_drawn_and_all_variables_stay_connected() -> None:
    discovery, table = dense(60)
    view = build_view(discovery, table)
    assert len(view.edges) == 1770
    assert view.edges_left_out == 0
    drawn = [edge for edge in view.edges if edge.route]
    assert view.edges_drawn == len(drawn) < 300
    names = discovery.variables
    forest = DAG(names, [(names[min(e.a, e.b)], names[max(e.a, e.b)]) for e in drawn])
    reached = {names[0]}
    while more := {v for name in reached for v in forest.neighbors(name)} - reached:
        reached |= more
    assert reached == set(names)
    strongest = max(view.edges, key=lambda edge: edge.strength or 0)
    assert strongest.route


def test_graphs_that_can_be_drawn_are_drawn_in_full() -> None:
    for sample in (asia, alarm):
        view = build_view(*sample())
        assert view.edges_drawn == len(view.edges)
        assert all(edge.route for edge in view.edges)


def test_of_very_many_edges_those_drawn_and_the_strongest_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bitsep.report.build.MAX_EDGES", 500)
    discovery, table = dense(60)
    view = build_view(discovery, table)
    assert len(view.edges) == 500
    assert view.edges_left_out == 1270
    assert sum(bool(edge.route) for edge in view.edges) == view.edges_drawn
    weakest = min(edge.strength for edge in view.edges if not edge.route)
    names = discovery.variables
    kept = {frozenset((names[edge.a], names[edge.b])) for edge in view.edges}
    others = [evidence.strength_bits for pair, evidence in discovery.edges.items() if pair not in kept]
    assert weakest >= max(others) * (1 - 1e-4)


def test_of_very_many_conflicts_some_are_told_and_the_others_counted() -> None:
    discovery, table = contested()
    view = build_view(discovery, table)
    assert len([note for note in view.notes if note.kind == "conflict"]) == 200
    assert view.notes_left_out == len(discovery.conflicts) - 200


def test_tables_stop_where_the_page_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bitsep.report.build._MAX_NUMBERS", 200)
    view = build_view(*alarm())
    assert view.edges[0].strata
    assert not view.edges[-1].strata
