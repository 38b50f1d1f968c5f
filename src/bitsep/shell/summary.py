"""The summary of a discovery as text: the edges by strength, the weakest edges, and warnings."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from bitsep.data.profile.display import left_out_line, restricted_line
from bitsep.discovery.edge_table import edge_table
from bitsep.discovery.evidence import EdgeCost, EdgeEvidence, EdgeSaving
from bitsep.figures import shown_bits, shown_count
from bitsep.naming import name_key, one_line, shown_name, shown_names
from bitsep.shell.terminal import output, safe

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from bitsep import Discovery
    from bitsep.data.profile import Alert
    from bitsep.naming import Name

Evidence = EdgeEvidence | EdgeSaving

_MAX_WEAKEST = 3
_MAX_DOUBTS = 10
_MAX_NAMES = 40
_SHORT_NAME = 24  # names up to this length are not wrapped: two of them fit into a table of 80 columns
_EFFECT = "per row: these bits per row; share: of the entropy of the variable that has less of it"
_LEGEND = "bits: shared in the test that came closest to independence; margin: by how much they exceed its demand"
_SCORE_LEGEND = "bits: by how much the code of the variable is longer without this parent, given its other parents"
# The evidence of a separation is computed lazily; for more pairs than this it would take longer than the search.
_MAX_PAIRS = 20_000


def print_discovery(found: Discovery, title: str) -> None:
    """Print the summary of `bitsep discover`."""
    from rich.text import Text

    console = output()
    variables = shown_count(len(found.variables), "variable")
    console.print(Text(f"{one_line(title)}: {variables}, {_rows(found)}", style="bold"))
    if found.by_score:
        scores = shown_count(found.scores_computed, "score")
        by = f"{found.settings['algorithm']} with {found.settings['score']} in {scores}"
    else:
        by = f"{found.settings['algorithm']} with {_test(found.settings)} in {shown_count(found.tests_run, 'test')}"
    console.print(f"{shown_count(len(found.skeleton), 'edge')}, {found.edges_summary()}; found by {by}")
    _print_list(console, "Left out", left_out_lines(found.left_out))
    _print_list(console, "Restricted", restricted_lines(found.restricted))
    _print_list(console, "Discretized", map(str, found.discretized))
    if found.edges:
        console.print()
        console.print(_edges(found))
        console.print(Text(_SCORE_LEGEND if found.by_score else _LEGEND, style="dim"))
        console.print(Text(_EFFECT, style="dim"))
    _print_list(console, "Weakest edges", _weakest(found))
    _print_list(console, "Nearly an edge", _nearly(found))
    isolated = [shown_name(name) for name in found.variables if not found.graph.neighbors(name)]
    more = [f"and {len(isolated) - _MAX_NAMES:,} more"] if len(isolated) > _MAX_NAMES else []
    _print_list(console, "Without an edge", [", ".join(isolated[:_MAX_NAMES] + more)] if isolated else [])
    _print_list(console, "Doubtful", _shown_doubts(found), "yellow")
    _print_list(console, "Conflicts", [str(conflict.reason) for conflict in found.conflicts], "yellow")
    _print_list(console, "Ambiguous", [str(triple.reason) for triple in found.ambiguous], "yellow")
    print_decisions(found)
    _print_list(console, "Warnings", found.warnings, "yellow")


def print_list(title: str, lines: Iterable[str]) -> None:
    """Print a heading and lines below it."""
    _print_list(output(), title, lines)


def _test(settings: Mapping[str, Any]) -> str:
    """The test, and its significance level where that is not what one expects."""
    method, alpha, rate = settings["method"], settings["alpha"], settings.get("fdr")
    if rate is not None:
        return f"{method} at alpha = {alpha:.2g} (false discovery rate {rate:g})"
    if alpha is not None and method.startswith("sci_"):
        return f"{method}, whose threshold is {shown_bits(-math.log2(alpha))} bits higher because of alpha = {alpha:g},"
    return str(method)


def restricted_lines(alerts: Iterable[Alert]) -> list[str]:
    """For each column that is mostly missing, what it is not used for, and how to use it."""
    return [restricted_line(alert, shell=True) for alert in alerts]


def left_out_lines(alerts: Iterable[Alert]) -> list[str]:
    """For each column that a search left out, why, and how to keep it."""
    return [left_out_line(alert, shell=True) for alert in alerts]


def _rows(found: Discovery) -> str:
    """The number of rows, and with weights their sum."""
    total = found.settings["n"]
    rows = total if found.data is None else found.data.n_rows
    return shown_count(rows, "row") + (f" (total weight {total:,})" if rows != total else "")


def print_decisions(found: Discovery) -> None:
    """Print how many undirected edges got a direction in the DAG of a graph, and in what the DAG contradicts it."""
    from bitsep.discovery.extension import decisions_shown

    decisions = decisions_shown(found) or ()
    changes = [str(decision.reason) for decision in decisions if decision.kind != "undirected"]
    directed = len(decisions) - len(changes)
    lines = [f"{shown_count(directed, 'undirected edge')} got a direction."] if directed else []
    _print_list(output(), "Decided for a DAG", lines + changes, "yellow" if changes else "")


def _edges(found: Discovery) -> Table:
    from rich.table import Table
    from rich.text import Text

    longest = max(len(shown_name(name)) for name in found.variables)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    shown = edge_table(found)
    for title in shown.head:
        if title in shown.numbers:
            table.add_column(title, justify="right", no_wrap=True)
        else:
            table.add_column(title, overflow="fold", no_wrap=title in ("from", "", "to") and longest <= _SHORT_NAME)
    for cells, doubtful in shown.rows:
        arrow = "dim cyan" if doubtful else "bold cyan"
        table.add_row(*(Text(cell, style=arrow if column == 1 else "") for column, cell in enumerate(cells)))
    return table


def _shown_doubts(found: Discovery) -> list[str]:
    lines = [str(doubt.reason) for doubt in found.doubts[:_MAX_DOUBTS]]
    left = len(found.doubts) - len(lines)
    return [*lines, f"and {left:,} more (bootstrap samples contradict the graph there)"] if left else lines


def _weakest(found: Discovery) -> list[str]:
    tested = (
        (e.margin_bits, pair) for pair, e in found.edges.items() if e.margin_bits is not None and not _required(e)
    )
    weak = heapq.nsmallest(
        _MAX_WEAKEST, ((margin, *_names(pair), pair) for margin, pair in tested), key=lambda e: e[:3]
    )
    if found.by_score:
        return [f"{a} — {b} saves {shown_bits(found.edges[pair].strength_bits or 0.0)} bits" for _, a, b, pair in weak]
    return [f"{a} — {b} survives by {shown_bits(margin)} bits" for margin, a, b, _ in weak]


def _required(evidence: Evidence) -> bool:
    return isinstance(evidence, EdgeSaving) and evidence.required


def _nearly(found: Discovery) -> list[str]:
    """The pairs without an edge that came closest to one.

    Pairs that share no information, such as those with a constant column, are left out; warnings report columns that
    determine each other.
    """
    if len(found.separations) > _MAX_PAIRS:
        return []
    if found.by_score:
        costs = ((s.margin_bits, *_names(pair)) for pair, s in found.separations.items() if s.margin_bits < math.inf)
        return [f"{a} — {b} would cost {shown_bits(cost)} bits" for cost, a, b in heapq.nsmallest(_MAX_WEAKEST, costs)]
    missed = (
        (s.margin_bits, *_names(pair), s.given)
        for pair, s in found.separations.items()
        if not isinstance(s, EdgeCost) and s.result.cmi_bits > 0
    )
    near = heapq.nsmallest(_MAX_WEAKEST, missed, key=lambda entry: entry[:3])
    return [
        f"{a} — {b} falls short by {shown_bits(max(0.0, margin))} bits given {shown_names(given, 'nothing')}"
        for margin, a, b, given in near
    ]


def _names(pair: Iterable[Name]) -> tuple[str, str]:
    a, b = sorted(pair, key=name_key)
    return shown_name(a), shown_name(b)


def _print_list(console: Console, title: str, lines: Iterable[str], style: str = "") -> None:
    from rich.padding import Padding
    from rich.text import Text

    lines = list(lines)
    if not lines:
        return
    console.print()
    console.print(Text(title, style=f"bold {style}".strip()))
    for line in lines:
        text = Text(safe(line).replace("\n", "\\n"))
        console.print(Padding(text, (0, 0, 0, 2)) if console.is_terminal else Text("  ") + text)
