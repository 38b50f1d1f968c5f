"""Checks of the JSON of a discovery: its parts must agree about the variables, the pairs and the edges."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from bitsep.checks import shown
from bitsep.errors import FormatError
from bitsep.graphs import PAG, PDAG
from bitsep.naming import Name

Pairs = set[frozenset[Name]]

_HINT = "Give the text that Discovery.to_json() returned, without changes."
_SHARES = ("edge", "forward", "backward", "probability")
_NUMBERS = ("saved_bits", "rows", "child_rows", "demanded_bits", "tests_run")
_NUMBERS_OR_NULL = (
    "reversed_bits", "cost_bits", "opposite_bits", "margin_bits", "strength_bits", "bits_per_row", "entropy_share",
)  # fmt: skip


def check_parts(content: Mapping[str, Any], graph: PDAG | PAG) -> None:
    """Raise FormatError if the parts of a document contradict each other or its graph."""
    variables = frozenset(content["variables"])
    if tuple(content["variables"]) != graph.variables:
        raise _error("variables", "must be in canonical order", content["variables"])
    pairs = {part: _pairs(part, _of(part, content), variables) for part in ("edges", "separations", "excluded")}
    if pairs["edges"] != graph.skeleton:
        other = min((sorted(pair, key=str) for pair in pairs["edges"] ^ graph.skeleton), key=str)
        raise FormatError(f"edges: must be those of the graph, but {shown(other)} is in one of them only.", hint=_HINT)
    n = len(variables)
    if sum(map(len, pairs.values())) != n * (n - 1) // 2 or len(set.union(*pairs.values())) != n * (n - 1) // 2:
        raise FormatError(
            "separations: each pair of variables must occur once in edges, separations and excluded.", hint=_HINT
        )
    _pairs("support", _of("support", content), variables)
    for part in ("edges", "separations", "support"):
        for row in content[part]:
            _check_numbers(part, row)
            if part != "support":
                _check_names(part, row, variables)
    if not isinstance(content["copies"], list):
        raise _error("copies", "groups must be in a list", content["copies"])
    for group in content["copies"]:
        _check_known("copies", group, variables)
        if len(group) < 2:
            raise _error("copies", "each group must have at least 2 names", group)
    names = [name for group in content["copies"] for name in group]
    if len(set(names)) < len(names):
        raise _error("copies", "each name must occur once", names)
    for conflict in content["conflicts"]:
        _check_known("conflicts", conflict["edge"], variables)
    for triple in content["ambiguous"]:
        _check_known("ambiguous", [triple["a"], triple["center"], triple["b"]], variables)
    _check_settings(content)


def _of(part: str, content: Mapping[str, Any]) -> list[Any]:
    return [row["pair"] if isinstance(row, dict) else row for row in content[part]]


def _pairs(part: str, pairs: list[Any], variables: frozenset[Name]) -> Pairs:
    """The pairs of a part, which must be different pairs of variables."""
    found: Pairs = set()
    for pair in pairs:
        if not isinstance(pair, list) or len(pair) != 2 or pair[0] == pair[1]:
            raise _error(part, "each pair must have two different names", pair)
        _check_known(part, pair, variables)
        if frozenset(pair) in found:
            raise _error(part, "each pair must occur once", pair)
        found.add(frozenset(pair))
    return found


def _check_known(part: str, names: Any, variables: frozenset[Name]) -> None:
    if not isinstance(names, list):
        raise _error(part, "names must be in a list", names)
    for name in names:
        if name not in variables:
            raise _error(part, "each name must be one of the variables", name)


def _check_names(part: str, row: Mapping[str, Any], variables: frozenset[Name]) -> None:
    """The names of the evidence of a pair: its conditioning sets and, in a search by score, its parent and child."""
    for key in ("given", "runner_up"):
        if row.get(key) is not None:
            _check_known(part, row[key], variables)
            if not set(row["pair"]).isdisjoint(row[key]):
                raise _error(part, f"{key!r} must not have a name of its pair", row[key])
    if "parent" in row and {row["parent"], row["child"]} != set(row["pair"]):
        raise _error(part, "parent and child must be the pair", [row["parent"], row["child"]])


def _check_numbers(part: str, row: Mapping[str, Any]) -> None:
    for key, value in row.items():
        if key in _SHARES:
            _check_number(part, key, value, 0, 1)
        elif key in _NUMBERS or (key in _NUMBERS_OR_NULL and value is not None):
            _check_number(part, key, value)


def _check_number(part: str, key: str, value: Any, least: float = -math.inf, most: float = math.inf) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        allowed = (
            "" if least == -math.inf else f" of at least {least}" if most == math.inf else f" from {least} to {most}"
        )
        raise _error(part, f"{key!r} must be a number{allowed}", value)


def _check_settings(content: Mapping[str, Any]) -> None:
    settings = content["settings"]
    if not isinstance(settings["algorithm"], str):
        raise _error("settings", "'algorithm' must be text", settings["algorithm"])
    for key in ("n", "bootstrap", "min_rows_share"):
        _check_number("settings", key, settings[key], 0)
    for key in ("keep", "exclude"):
        if not isinstance(settings.get(key, []), list):
            raise _error("settings", f"{key!r} must be a list of names", settings[key])
    for key in ("tests_run", "scores_computed"):
        _check_number("text", key, content[key], 0)
    if not isinstance(content["warnings"], list) or not all(isinstance(one, str) for one in content["warnings"]):
        raise _error("warnings", "must be a list of texts", content["warnings"])


def _error(part: str, rule: str, value: Any) -> FormatError:
    return FormatError(f"{part}: {rule}, got {shown(value)}.", hint=_HINT)
