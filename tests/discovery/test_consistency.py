"""JSON of a discovery whose parts contradict each other is an error, and that of every search is none."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import bitsep
from bitsep.errors import FormatError, UnsupportedTypeError

ROWS = bitsep.load_network("asia").sample(500, seed=1)
KNOWN = bitsep.Knowledge(required=[("smoke", "lung")], forbidden=[("asia", "xray"), ("xray", "asia")])
TEXTS = {
    "boss": bitsep.boss(ROWS, bootstrap=3, knowledge=KNOWN).to_json(),
    "pc_stable": bitsep.pc_stable(ROWS, bootstrap=3, knowledge=KNOWN).to_json(),
    "fci": bitsep.fci(ROWS, bootstrap=3, knowledge=KNOWN).to_json(),
}

Change = Callable[[dict[str, Any]], object]
STRANGER = ["asia", "zz"]

CHANGES: dict[str, tuple[str, Change]] = {
    "an unknown variable in an edge": ("edges: each name", lambda d: d["edges"][0].update(pair=STRANGER)),
    "three ends": ("edges: each pair must have two", lambda d: d["edges"][0].update(pair=["asia", "lung", "xray"])),
    "one end": ("edges: each pair must have two", lambda d: d["edges"][0].update(pair=["asia", "asia"])),
    "an edge twice": ("edges: each pair must occur once", lambda d: d["edges"].append(d["edges"][0])),
    "an edge too few": ("edges: must be those of the graph", lambda d: d["edges"].pop()),
    "a separation twice": ("separations: each pair", lambda d: d["separations"].append(d["separations"][0])),
    "a separation too few": ("separations: each pair of variables", lambda d: d["separations"].pop()),
    "a separation of an edge": (
        "separations: each pair of variables",
        lambda d: d["separations"][0].update(pair=d["edges"][0]["pair"]),
    ),
    "a separator of a stranger": ("separations: each name", lambda d: d["separations"][0].update(given=["zz"])),
    "a separator of itself": (
        "separations: 'given' must not",
        lambda d: d["separations"][0].update(given=d["separations"][0]["pair"][:1]),
    ),
    "a separator that is text": ("separations: names", lambda d: d["separations"][0].update(given="asia")),
    "an excluded stranger": ("excluded: each name", lambda d: d["excluded"].append(STRANGER)),
    "an excluded edge": ("separations: each pair", lambda d: d["excluded"].append(d["edges"][0]["pair"])),
    "support of a stranger": ("support: each name", lambda d: d["support"][0].update(pair=STRANGER)),
    "support of a pair twice": ("support: each pair", lambda d: d["support"].append(d["support"][0])),
    "support of 7": ("support: 'edge' must be a number from 0 to 1, got 7", lambda d: d["support"][0].update(edge=7)),
    "variables out of order": ("variables: must be in canonical order", lambda d: d["variables"].reverse()),
    "a variable too many": ("separations: each pair", lambda d: d["variables"].append("zz")),
    "a number of tests below 0": ("text: 'tests_run' must be", lambda d: d.update(tests_run=-1)),
    "a number of scores in words": ("text: 'scores_computed' must be", lambda d: d.update(scores_computed="many")),
    "bits in words": ("edges: 'bits_per_row' must be a number", lambda d: d["edges"][0].update(bits_per_row="few")),
    "rows in words": ("settings: 'n' must be a number", lambda d: d["settings"].update(n="many")),
    "no algorithm": ("settings: 'algorithm' must be text", lambda d: d["settings"].update(algorithm=None)),
    "a strange copy": ("copies: each name", lambda d: d["copies"].append(["zz"])),
    "copies in no list": ("copies: groups must", lambda d: d.update(copies={})),
    "a copy of nothing": ("copies: each group", lambda d: d["copies"].append([d["variables"][0]])),
    "an excluded number": ("settings: 'exclude' must", lambda d: d["settings"].update(exclude=3)),
    "copies twice": ("copies: each name must occur once", lambda d: d["copies"].append(d["variables"][:1] * 2)),
    "warnings that are text": ("warnings: must be a list", lambda d: d.update(warnings="all is well")),
    "a conflict of strangers": ("conflicts: each name", lambda d: d["conflicts"].append({"edge": STRANGER})),
    "a graph with a stranger": ("text: a field", lambda d: d["graph"].get("directed", []).append(STRANGER)),
    "a DAG with a stranger": ("text: a field", lambda d: d.update(dag=[STRANGER])),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("search", TEXTS)
def test_parts_that_contradict_each_other_are_errors(search: str, change: str) -> None:
    document = json.loads(TEXTS[search])
    message, edit = CHANGES[change]
    edit(document)
    if json.dumps(document) == json.dumps(json.loads(TEXTS[search])):
        return  # a PAG has no part of this name
    with pytest.raises(FormatError) as raised:
        bitsep.Discovery.from_json(json.dumps(document))
    assert raised.value.message.startswith(message)


@pytest.mark.parametrize("search", TEXTS)
def test_unchanged_documents_are_read(search: str) -> None:
    for given in (TEXTS[search], "\ufeff" + TEXTS[search], TEXTS[search].encode()):
        assert bitsep.Discovery.from_json(given).to_json() == TEXTS[search]  # type: ignore[arg-type]
    for other in (None, 3):
        with pytest.raises(UnsupportedTypeError, match="text: must be text"):
            bitsep.Discovery.from_json(other)  # type: ignore[arg-type]


def test_a_parent_that_is_not_of_the_pair_is_an_error() -> None:
    document = json.loads(TEXTS["boss"])
    document["edges"][0]["parent"] = "xray"
    with pytest.raises(FormatError, match="edges: parent and child must be the pair"):
        bitsep.Discovery.from_json(json.dumps(document))
