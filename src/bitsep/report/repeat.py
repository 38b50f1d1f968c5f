"""The summary of a run, its settings, and the Python code that repeats it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bitsep.data.contract import EncodedData
from bitsep.data.origin import UNKNOWN
from bitsep.discovery import Discovery
from bitsep.discovery.extension import decisions_shown
from bitsep.graphs import PAG
from bitsep.independence import METHODS
from bitsep.naming import shown_name
from bitsep.report.view import Fact

_OWN_ARGUMENTS = {
    "pc_stable": ("alpha", "fdr", "max_given", "orientation"),
    "boss": ("score", "structure", "max_parents", "starts"),
    "fci": ("alpha", "max_given", "variant", "selection"),
    "hill_climb": ("score", "structure", "max_parents", "tabu"),
}
_ORACLE = "d_separation"


def facts(discovery: Discovery) -> tuple[Fact, ...]:
    """The summary of the result in numbers."""
    graph = discovery.graph
    used = discovery.settings
    rows = used["n"]
    decisions = None if isinstance(graph, PAG) else decisions_shown(discovery)
    found = [
        _count(len(graph.variables), "variable"),
        *([Fact("rows", f"{rows:,}")] if rows else []),
        _count(len(graph.skeleton), "edge"),
        Fact("directed", f"{len(graph.directed):,}"),
    ]
    if isinstance(graph, PAG):
        label = "with no cause in either direction" if used["selection"] else "with a hidden common cause"
        found.append(Fact(label, f"{len(graph.bidirected):,}"))
    if not isinstance(graph, PAG) or used["selection"]:
        found.append(Fact("undirected", f"{len(graph.undirected):,}"))
    found.append(Fact("search", used["algorithm"]))
    if discovery.by_score:
        found += [
            Fact("score", used["score"]),
            Fact("scores computed", f"{discovery.scores_computed:,}"),
        ]
    else:
        found += [
            Fact("test", str(used["method"])),
            Fact("tests run", f"{discovery.tests_run:,}"),
            _count(len(discovery.conflicts), "conflict"),
            *([] if decisions is None else [Fact("decided for a DAG", f"{len(decisions):,}")]),
        ]
    return tuple(found)


def _count(number: int, singular: str) -> Fact:
    return Fact(singular if number == 1 else f"{singular}s", f"{number:,}")


def settings(discovery: Discovery, data: EncodedData | None) -> tuple[Fact, ...]:
    """All settings that the result depends on."""
    used = discovery.settings
    lines = [
        Fact("algorithm", used["algorithm"]),
        *([] if discovery.by_score else [Fact("method", _titled(used["method"]))]),
        *(Fact(name, _shown(used[name])) for name in _arguments(used)),
        *([Fact("start", "a graph" if used["start"] else "no edges")] if "start" in used else []),
        *(Fact(name, _shown(value)) for name, value in used["options"].items()),
        Fact("discretize", used["discretize"] or "none"),
        Fact("knowledge", _knowledge(used["knowledge"]) if used["knowledge"] else "none"),
        Fact("rows", f"{used['n']:,}"),
        *([Fact("fingerprint of the data", data.fingerprint())] if data is not None else []),
        Fact("bitsep", str(used["bitsep_version"])),
    ]
    return tuple(lines)


def snippet(discovery: Discovery, data: EncodedData | None) -> str:
    """Python code that repeats the run; it needs no changes if the data came from a file."""
    used = discovery.settings
    arguments = [] if discovery.by_score or used["method"] == _ORACLE else [_method(used["method"])]
    chosen = "alpha" if used.get("fdr") is not None else "fdr"  # of the two, the one that follows from the other
    arguments += [f"    {name}={used[name]!r}," for name in _arguments(used) if name != chosen]
    if used.get("start"):
        arguments.append(f"    start=bitsep.DAG({list(discovery.variables)!r}, {used['start']!r}),")
    arguments += [f"    {name}={value!r}," for name, value in used["options"].items()]
    if used["discretize"]:
        arguments.append(f"    discretize={used['discretize']!r},")
    if used["keep"]:
        arguments.append(f"    keep={used['keep']!r},")
    if used.get("exclude"):
        arguments.append(f"    exclude={used['exclude']!r},")
    if used["knowledge"]:
        arguments.append(f"    knowledge=bitsep.{_knowledge(used['knowledge'])},")
    lines = [f"import bitsep  # {used['bitsep_version']}", "", *_data(discovery, data)]
    lines += [f"d = bitsep.{used['algorithm']}(", "    data,", *arguments, ")"]
    if data is not None:
        lines.append(f'assert d.data.fingerprint() == "{data.fingerprint()}"')
    lines.append('d.save_report("graph.html")')
    return "\n".join(lines)


def _data(discovery: Discovery, data: EncodedData | None) -> list[str]:
    """The lines that read the data, as far as their origin is known."""
    used = discovery.settings
    if used.get("method") == _ORACLE:
        return ['data = bitsep.Oracle(bitsep.read_bif("network.bif"))  # your network']
    origin = discovery.origin
    if origin == UNKNOWN and data is not None:  # read from JSON, and the report was given data
        origin = data.origin
    if origin.complete:
        return [f"data = {origin.code}"]
    rows = f"{used['n']:,} rows, {len(discovery.variables):,} columns"
    if "spark.read" in origin.code:
        first = f"spark = ...  # your Spark session; the data: {rows}"
    else:
        first = f'data = "data.csv"  # your data: {rows}'
    return [first] if origin == UNKNOWN else [first, f"data = {origin.code}"]


def _arguments(used: Mapping[str, Any]) -> tuple[str, ...]:
    return (*_OWN_ARGUMENTS[used["algorithm"]], "min_rows_share", "min_effect", "missing_as_level", "bootstrap", "seed")


def _titled(method: str) -> str:
    known = METHODS.get(method)
    return method + (f": {known.title}" if known else "")


def _method(name: str) -> str:
    if name in METHODS:
        return f"    method={name!r},"
    return f"    method=...,  # your own test, named {name!r}"


def _knowledge(content: dict[str, Any]) -> str:
    parts = [f"{key}={value!r}" for key, value in content.items() if value]
    return f"Knowledge({', '.join(parts)})"


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(shown_name, value))
    return "none" if value is None else f"{value:,}" if isinstance(value, int) else str(value)
