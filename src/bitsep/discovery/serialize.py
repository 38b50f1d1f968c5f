"""Conversion of a discovery to canonical JSON and back.

The same result gives the same bytes: everything is in canonical order of the names and independent of column order,
threads and time. This is schema version 1; the keys are the attribute names of the objects.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from bitsep.checks import given_text
from bitsep.data.discretization import CutColumn
from bitsep.data.profile import Alert
from bitsep.discovery.consistency import check_parts
from bitsep.discovery.evidence import (
    AmbiguousTriple,
    Conflict,
    EdgeCost,
    EdgeEvidence,
    EdgeSaving,
    Pair,
    Support,
)
from bitsep.discovery.explanation import Explanation
from bitsep.errors import FormatError, cause
from bitsep.graphs import DAG, PAG, PDAG
from bitsep.independence import Separation
from bitsep.independence.result import IndependenceResult
from bitsep.naming import Name, name_key, plain_name

if TYPE_CHECKING:
    from bitsep.discovery.result import Discovery

T = TypeVar("T")

SCHEMA = "bitsep.discovery"
VERSION = 1

# Fields of a result that are known from the pair, its set and the settings; tests of a search have no warnings and no
# adjusted p-values.
_SHARED = ("x", "y", "given", "method", "alpha", "adjusted_p_value", "warnings")


def to_json(discovery: Discovery, indent: int | None) -> str:
    """The discovery as JSON text."""
    graph = discovery.graph
    content = {
        "schema": SCHEMA,
        "schema_version": VERSION,
        "settings": dict(discovery.settings),
        "variables": [plain_name(v) for v in discovery.variables],
        "left_out": [alert.to_dict() for alert in discovery.left_out],
        "restricted": [alert.to_dict() for alert in discovery.restricted],
        "discretized": [column.to_dict() for column in discovery.discretized],
        "tests_run": discovery.tests_run,
        "scores_computed": discovery.scores_computed,
        "graph": _graph(graph),
        "dag": None if discovery._best_dag is None else _sorted_pairs(discovery.to_dag().edges),
        "edges": [_edge(pair, discovery.edges[pair]) for pair in discovery.edges],
        "separations": [_separation(pair, evidence) for pair, evidence in discovery.separations.items()],
        "excluded": _sorted_pairs(_ordered(pair) for pair in discovery.excluded),
        "support": [
            {"pair": _ordered(pair), **asdict(support), "probability": discovery.probability[pair]}
            for pair, support in discovery.support.items()
        ],
        "copies": [_plain(group) for group in discovery.copies],
        "conflicts": [_conflict(conflict) for conflict in discovery.conflicts],
        "ambiguous": [_ambiguous(triple) for triple in discovery.ambiguous],
        "warnings": list(discovery.warnings),
    }
    return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=indent)


def from_json(text: str) -> dict[str, Any]:
    """The fields of a `Discovery` from its JSON text.

    Raises
    ------
    FormatError
        If the text is not a discovery, or has a schema version that this release does not support.
    """
    return read_document(text, SCHEMA, VERSION, "Discovery", _fields)


def read_document(text: str, schema: str, version: int, kind: str, read: Callable[[Mapping[str, Any]], T]) -> T:
    """Parse a text that `to_json` of this kind of object returned, and apply `read` to its content."""
    text = given_text(text)
    try:
        content = json.loads(text)
    except ValueError as error:
        raise FormatError(
            f"text: not JSON: {cause(error)}.", hint=f"Give the text that {kind}.to_json() returned."
        ) from None
    except RecursionError:
        raise FormatError(
            f"text: JSON nested too deeply to be a {kind}.", hint=f"Give the text that {kind}.to_json() returned."
        ) from None
    if not isinstance(content, dict) or content.get("schema") != schema:
        raise FormatError(
            f"text: not the JSON of a {kind}; its 'schema' must be {schema!r}.",
            hint=f"Give the text that {kind}.to_json() returned.",
        )
    if content.get("schema_version") != version:
        raise FormatError(
            f"schema_version: this release reads version {version}, got {content.get('schema_version')!r}."
        )
    try:
        return read(content)
    except FormatError:
        raise
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise FormatError(f"text: a field of the {kind} is missing or of the wrong type: {error!r}.") from None


def _fields(content: Mapping[str, Any]) -> dict[str, Any]:
    by_score = "score" in content["settings"]
    shared = {} if by_score else {key: content["settings"][key] for key in ("method", "alpha")}
    graph = _read_graph(content["variables"], content["graph"])
    check_parts(content, graph)
    dag = None if content["dag"] is None else DAG(content["variables"], [(a, b) for a, b in content["dag"]])
    support = {frozenset(row["pair"]): _read_support(row) for row in content["support"]}
    conflicts = tuple(map(_read_conflict, content["conflicts"]))
    ambiguous = tuple(map(_read_ambiguous, content["ambiguous"]))
    warnings = tuple(content["warnings"])
    copies = tuple(map(tuple, content["copies"]))
    return {
        "variables": tuple(content["variables"]),
        "separations": {frozenset(row["pair"]): _read_separation(row, shared) for row in content["separations"]},
        "edges": {frozenset(row["pair"]): _read_edge(row, shared, support) for row in content["edges"]},
        "left_out": tuple(map(Alert.from_dict, content["left_out"])),
        "restricted": tuple(map(Alert.from_dict, content["restricted"])),
        "discretized": tuple(map(CutColumn.from_dict, content["discretized"])),
        "tests_run": content["tests_run"],
        "scores_computed": content["scores_computed"],
        "_best_dag": None if dag is None else lambda: dag,
        "support": support,
        "excluded": frozenset(frozenset(pair) for pair in content["excluded"]),
        "settings": MappingProxyType(content["settings"]),
        "_make_graph": lambda: graph,
        "_find_conflicts": lambda: conflicts,
        "_find_ambiguous": lambda: ambiguous,
        "_find_warnings": lambda: warnings,
        "_find_copies": lambda: copies,
    }


def _graph(graph: PDAG | PAG) -> dict[str, Any]:
    if isinstance(graph, PAG):
        return {"marks": [[plain_name(a), sign, plain_name(b)] for a, sign, b in graph.edge_lines()]}
    return {
        "directed": _sorted_pairs(graph.directed),
        "undirected": _sorted_pairs(_ordered(pair) for pair in graph.undirected),
    }


def _read_graph(variables: list[Any], content: Mapping[str, Any]) -> PDAG | PAG:
    if "marks" in content:
        return PAG(variables, [(a, sign, b) for a, sign, b in content["marks"]])
    return PDAG(variables, [(a, b) for a, b in content["directed"]], content["undirected"])


def _edge(pair: Pair, evidence: EdgeEvidence | EdgeSaving) -> dict[str, Any]:
    if isinstance(evidence, EdgeSaving):
        return {
            "pair": _ordered(pair),
            "parent": plain_name(evidence.parent),
            "child": plain_name(evidence.child),
            "given": _plain(evidence.given),
            "saved_bits": evidence.saved_bits,
            "reversed_bits": evidence.reversed_bits,
            "required": evidence.required,
            "rows": evidence.rows,
            "child_rows": evidence.child_rows,
            "demanded_bits": evidence.demanded_bits,
            "bits_per_row": evidence.bits_per_row,
            "entropy_share": evidence.entropy_share,
            "orientation": _explanation(evidence.orientation),
        }
    return {
        "pair": _ordered(pair),
        "weakest": _result(evidence.weakest),
        "given": None if evidence.weakest is None else _plain(evidence.weakest.given),
        "margin_bits": _finite(evidence.margin_bits),
        "strength_bits": _finite(evidence.strength_bits),
        "bits_per_row": evidence.bits_per_row,
        "entropy_share": evidence.entropy_share,
        "orientation": _explanation(evidence.orientation),
        "tests_run": evidence.tests_run,
    }


def _read_edge(
    row: Mapping[str, Any], shared: Mapping[str, Any], support: Mapping[Pair, Support]
) -> EdgeEvidence | EdgeSaving:
    if not shared:
        return EdgeSaving(
            row["parent"], row["child"], tuple(row["given"]), row["saved_bits"], row["reversed_bits"], row["required"],
            row["rows"], row["child_rows"], row["demanded_bits"], _read_explanation(row["orientation"]),
            support.get(frozenset(row["pair"])), row["entropy_share"],
        )  # fmt: skip
    return EdgeEvidence(
        weakest=_read_result(row["weakest"], row["pair"], row["given"], shared),
        orientation=_read_explanation(row["orientation"]),
        tests_run=row["tests_run"],
        support=support.get(frozenset(row["pair"])),
        entropy_share=row["entropy_share"],
    )


def _conflict(conflict: Conflict) -> dict[str, Any]:
    return {
        "kind": conflict.kind,
        "edge": _plain(conflict.edge),
        "reason": _explanation(conflict.reason),
        "bits": _finite(conflict.bits),
    }


def _read_conflict(row: Mapping[str, Any]) -> Conflict:
    return Conflict(row["kind"], tuple(row["edge"]), _read_explanation(row["reason"]), row["bits"])


def _ambiguous(triple: AmbiguousTriple) -> dict[str, Any]:
    return {
        "a": plain_name(triple.a),
        "center": plain_name(triple.center),
        "b": plain_name(triple.b),
        "holding": triple.holding,
        "lacking": triple.lacking,
        "reason": _explanation(triple.reason),
    }


def _read_ambiguous(row: Mapping[str, Any]) -> AmbiguousTriple:
    return AmbiguousTriple(**{**row, "reason": _read_explanation(row["reason"])})


def _explanation(explanation: Explanation) -> dict[str, Any]:
    values = [value if isinstance(value, str) else _plain(value) for value in explanation.values]
    return {"template": explanation.template, "values": values}


def _read_explanation(row: Mapping[str, Any]) -> Explanation:
    values = tuple(value if isinstance(value, str) else tuple(value) for value in row["values"])
    explanation = Explanation(row["template"], values)
    str(explanation)  # fails if the values do not fit the template
    return explanation


def _read_support(row: Mapping[str, Any]) -> Support:
    return Support(row["edge"], row["forward"], row["backward"])


def _separation(pair: Pair, evidence: Separation | EdgeCost) -> dict[str, Any]:
    if isinstance(evidence, EdgeCost):
        return {
            "pair": _ordered(pair),
            "parent": plain_name(evidence.parent),
            "child": plain_name(evidence.child),
            "given": _plain(evidence.given),
            "cost_bits": evidence.cost_bits,
            "opposite_bits": evidence.opposite_bits,
            "obstacle": evidence.obstacle,
            "opposite_obstacle": evidence.opposite_obstacle,
            "rows": evidence.rows,
            "child_rows": evidence.child_rows,
            "demanded_bits": evidence.demanded_bits,
            "bits_per_row": evidence.bits_per_row,
        }
    return {
        "pair": _ordered(pair),
        "given": _plain(evidence.given),
        "result": _result(evidence.result),
        "margin_bits": _finite(evidence.margin_bits),
        "runner_up": None if evidence.runner_up is None else _plain(evidence.runner_up.given),
        "runner_up_result": _result(evidence.runner_up),
        "tests_run": evidence.tests_run,
    }


def _read_separation(row: Mapping[str, Any], shared: Mapping[str, Any]) -> Separation | EdgeCost:
    if not shared:
        return EdgeCost(
            row["parent"],
            row["child"],
            tuple(row["given"]),
            row["cost_bits"],
            row["opposite_bits"],
            row["obstacle"],
            row["opposite_obstacle"],
            row["rows"],
            row["child_rows"],
            row["demanded_bits"],
        )
    result = _read_result(row["result"], row["pair"], row["given"], shared)
    if result is None:
        raise TypeError(f"the separation of {row['pair']} has no result")
    runner_up = _read_result(row["runner_up_result"], row["pair"], row["runner_up"], shared)
    return Separation(tuple(row["given"]), result, runner_up, row["tests_run"])


def _result(result: IndependenceResult | None) -> dict[str, Any] | None:
    if result is None:
        return None
    return {key: value for key, value in result.to_dict(effect=False).items() if key not in _SHARED}


def _read_result(
    fields: Mapping[str, Any] | None, pair: list[Name], given: Iterable[Name] | None, shared: Mapping[str, Any]
) -> IndependenceResult | None:
    if fields is None:
        return None
    return IndependenceResult.from_dict(
        {**fields, **shared, "x": pair[0], "y": pair[1], "given": given or (), "warnings": ()}
    )


def _ordered(pair: Iterable[Name]) -> list[Any]:
    return [plain_name(v) for v in sorted(pair, key=name_key)]


def _sorted_pairs(pairs: Iterable[Iterable[Name]]) -> list[list[Any]]:
    ordered = sorted((tuple(pair) for pair in pairs), key=lambda pair: [name_key(v) for v in pair])
    return [[plain_name(v) for v in pair] for pair in ordered]


def _finite(bits: float | None) -> float | None:
    return bits if bits is not None and math.isfinite(bits) else None


def _plain(names: Iterable[Name]) -> list[Any]:
    return [plain_name(name) for name in names]
