"""The documented errors of searches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bitsep
from bitsep.discovery.arguments import usable_data
from bitsep.discovery.columns import ColumnChoice
from bitsep.discovery.serialize import from_json
from bitsep.errors import (
    ArgumentError,
    DataError,
    FormatError,
    KnowledgeError,
    UnknownColumnError,
    UnknownMethodError,
    WriteError,
)
from bitsep.independence.engines.checkpoint import CheckpointEngine
from bitsep.independence.opening import open_engine
from documented_errors.case import CHAIN, NAMES, Criterion, cases, continuous, found, found_with_hidden, table

OTHER = bitsep.Knowledge(required=[("a", "z")])
TWO_PARENTS = bitsep.Knowledge(required=[("a", "c"), ("b", "c")])


def again(search: Any, folder: Path, first: Any, second: Any, **changed: Any) -> None:
    """Searches twice with one checkpoint, the second time in other data or with another test."""
    search(first, checkpoint=folder / "work")
    search(second, checkpoint=folder / "work", **changed)


CASES = [
    *cases(
        "discovery.all_pairs.pairwise",
        (
            ArgumentError,
            "adjust: must be 'bh', 'by', 'holm' or None",
            lambda _: bitsep.pairwise(table(), method="g2", adjust="all"),
        ),
        (
            ArgumentError,
            "adjust: needs a test with p-values",
            lambda _: bitsep.pairwise(table(), method="sci_f", adjust="holm"),
        ),
        (
            ArgumentError,
            "data: too many pairs of columns",
            lambda _: bitsep.pairwise({f"v{i}": [0, 1] for i in range(1500)}, keep=[f"v{i}" for i in range(1500)]),
        ),
    ),
    *cases(
        "discovery.arguments.usable_data",
        (
            DataError,
            "data: no column can serve in a search",
            lambda _: usable_data({"id": [f"k{i}" for i in range(500)]}, None, ColumnChoice(), (), 1),
        ),
        (
            DataError,
            "data: column 'b' (1,000 levels) looks continuous",
            lambda _: usable_data(continuous(), None, ColumnChoice(), (), 1),
        ),
    ),
    *cases(
        "discovery.blankets.api.markov_blanket",
        (UnknownColumnError, "target: no column 'z'.", lambda _: bitsep.markov_blanket(table(), "z")),
        (
            UnknownMethodError,
            "algorithm: unknown value 'best'.",
            lambda _: bitsep.markov_blanket(table(), "a", algorithm="best"),
        ),
    ),
    *cases(
        "discovery.blankets.api.markov_blankets",
        (UnknownColumnError, "target: no column 'z'.", lambda _: bitsep.markov_blankets(table(), targets=["z"])),
        (
            UnknownMethodError,
            "algorithm: unknown value 'best'.",
            lambda _: bitsep.markov_blankets(table(), algorithm="best"),
        ),
    ),
    *cases(
        "discovery.blankets.result.MarkovBlanket.explain",
        (
            UnknownColumnError,
            "member: 'z' is not in the blanket of 'a'.",
            lambda _: bitsep.markov_blanket(table(), "a").explain("z"),
        ),
    ),
    *cases(
        "discovery.blankets.result.MarkovBlanket.from_json",
        (FormatError, "text: not the JSON of a MarkovBlanket", lambda _: bitsep.MarkovBlanket.from_json("[]")),
        (
            FormatError,
            "schema_version: this release reads version 1",
            lambda _: bitsep.MarkovBlanket.from_json(
                bitsep.markov_blanket(table(), "a").to_json().replace('"schema_version": ', '"schema_version": 9')
            ),
        ),
    ),
    *cases(
        "discovery.climbing.hill_climb",
        (
            UnknownColumnError,
            "start: no column 'x'.",
            lambda _: bitsep.hill_climb(table(), start=bitsep.DAG(["x", "y"])),
        ),
        (
            ArgumentError,
            "start: its edges and the required ones form a directed cycle.",
            lambda _: bitsep.hill_climb(table(), start=CHAIN, knowledge=bitsep.Knowledge(required=[("c", "a")])),
        ),
        (
            ArgumentError,
            "start: the knowledge forbids its edge 'a' → 'b'.",
            lambda _: bitsep.hill_climb(table(), start=CHAIN, knowledge=bitsep.Knowledge(forbidden=[("a", "b")])),
        ),
        (
            ArgumentError,
            "start: the number of parents of 'c', with the required ones, must be at most max_parents, 1",
            lambda _: bitsep.hill_climb(table(), start=bitsep.DAG(NAMES, [("a", "c"), ("b", "c")]), max_parents=1),
        ),
    ),
    *cases(
        "discovery.confidence.Confidence.consensus",
        (
            ArgumentError,
            "threshold: must be above 0 and at most 1",
            lambda _: bitsep.boss(table(), bootstrap=2).consensus(2),
        ),
        (ArgumentError, "consensus: the search had no bootstrap samples", lambda _: found().consensus()),
    ),
    *cases(
        "discovery.hidden_variables.fci",
        (ArgumentError, "max_given: must be an integer of at least 0", lambda _: bitsep.fci(table(), max_given=-1)),
        (ArgumentError, "bootstrap: must be an integer of at least 0", lambda _: bitsep.fci(table(), bootstrap=-1)),
        (ArgumentError, "threads: must be an integer of at least 1", lambda _: bitsep.fci(table(), threads=0)),
        (ArgumentError, "variant: unknown value 'best'.", lambda _: bitsep.fci(table(), variant="best")),
        (ArgumentError, "checkpoint: the answers in '", lambda f: again(bitsep.fci, f, table(), table()[:100])),
        (ArgumentError, "checkpoint: the answers in '", lambda f: again(bitsep.fci, f, table(), table(), method="g2")),
        (
            ArgumentError,
            "knowledge: must not be given with selection=True",
            lambda _: bitsep.fci(table(), selection=True, knowledge=TWO_PARENTS),
        ),
        (KnowledgeError, "required: no column 'z'.", lambda _: bitsep.fci(table(), knowledge=OTHER)),
    ),
    *cases(
        "discovery.knowledge.Knowledge",
        (
            KnowledgeError,
            "required: the arrow 'a' → 'b' is both required and forbidden.",
            lambda _: bitsep.Knowledge(required=[("a", "b")], forbidden=[("a", "b")]),
        ),
        (
            KnowledgeError,
            "required: the arrow 'a' → 'b' goes from a later tier to an earlier one.",
            lambda _: bitsep.Knowledge(required=[("a", "b")], tiers=[["b"], ["a"]]),
        ),
        (
            KnowledgeError,
            "required: the arrows form a directed cycle, 'a' → 'b' → 'c' → 'a'.",
            lambda _: bitsep.Knowledge(required=[("a", "b"), ("b", "c"), ("c", "a")]),
        ),
        (KnowledgeError, "tiers: 'b' occurs twice", lambda _: bitsep.Knowledge(tiers=[["a", "b"], ["b", "c"]])),
        (
            KnowledgeError,
            "required: each arrow must be a pair (from, to), got ('a',).",
            lambda _: bitsep.Knowledge(required=[("a",)]),
        ),
        (
            KnowledgeError,
            "forbidden: a name must be text or an integer, got ['b'].",
            lambda _: bitsep.Knowledge(forbidden=[("a", ["b"])]),
        ),
        (
            KnowledgeError,
            "tiers: a name must be text or an integer, got {'a'}.",
            lambda _: bitsep.Knowledge(tiers=[["b", {"a"}]]),
        ),
    ),
    *cases(
        "discovery.knowledge.Knowledge.on",
        (KnowledgeError, "required: no column 'z'.", lambda _: OTHER.on(NAMES)),
    ),
    *cases(
        "discovery.orders.boss",
        (ArgumentError, "score: unknown score 'best'.", lambda _: bitsep.boss(table(), score="best")),
        (ArgumentError, "options: 'sparse_qnml' takes no options", lambda _: bitsep.boss(table(), best=True)),
        (
            ArgumentError,
            "max_parents: must be an integer of at least 0",
            lambda _: bitsep.boss(table(), max_parents=-1),
        ),
        (ArgumentError, "bootstrap: must be an integer of at least 0", lambda _: bitsep.boss(table(), bootstrap=-1)),
        (ArgumentError, "starts: must be an integer of at least 1", lambda _: bitsep.boss(table(), starts=0)),
        (ArgumentError, "threads: must be an integer of at least 1", lambda _: bitsep.boss(table(), threads=0)),
        (
            ArgumentError,
            "max_parents: the knowledge requires 2 parents of 'c'",
            lambda _: bitsep.boss(table(), max_parents=1, knowledge=TWO_PARENTS),
        ),
        (ArgumentError, "checkpoint: the answers in '", lambda f: again(bitsep.boss, f, table(), table()[:100])),
        (
            ArgumentError,
            "checkpoint: the answers in '",
            lambda f: again(bitsep.boss, f, table(), table(), score="bdeu"),
        ),
        (KnowledgeError, "required: no column 'z'.", lambda _: bitsep.boss(table(), knowledge=OTHER)),
    ),
    *cases(
        "discovery.outputs.Outputs.save_picture",
        (
            ArgumentError,
            "path: the name of a picture must end in .svg, .png or .pdf",
            lambda f: found().save_picture(f / "graph.doc"),
        ),
        (WriteError, "path: '", lambda f: found().save_picture(f / "no" / "graph.svg")),
    ),
    *cases(
        "discovery.pc.pc_stable",
        (
            ArgumentError,
            "max_given: must be an integer of at least 0",
            lambda _: bitsep.pc_stable(table(), max_given=-1),
        ),
        (
            ArgumentError,
            "bootstrap: must be an integer of at least 0",
            lambda _: bitsep.pc_stable(table(), bootstrap=-1),
        ),
        (ArgumentError, "threads: must be an integer of at least 1", lambda _: bitsep.pc_stable(table(), threads=0)),
        (ArgumentError, "orientation: unknown value 'best'.", lambda _: bitsep.pc_stable(table(), orientation="best")),
        (ArgumentError, "checkpoint: the answers in '", lambda f: again(bitsep.pc_stable, f, table(), table()[:100])),
        (
            ArgumentError,
            "checkpoint: the answers in '",
            lambda f: again(bitsep.pc_stable, f, table(), table(), method="g2"),
        ),
        (
            ArgumentError,
            "checkpoint: the test 'mine' needs an attribute `identity`",
            lambda f: bitsep.pc_stable(table(), method=Criterion(), checkpoint=f),
        ),
        (
            ArgumentError,
            "fdr: must lie between 0 and 1, both excluded",
            lambda _: bitsep.pc_stable(table(), method="g2", fdr=2),
        ),
        (
            ArgumentError,
            "alpha, fdr: at most one can be given",
            lambda _: bitsep.pc_stable(table(), method="g2", fdr=0.1, alpha=0.1),
        ),
        (
            ArgumentError,
            "checkpoint, fdr: cannot be combined, because a folder belongs to one significance level.",
            lambda f: bitsep.pc_stable(table(), method="g2", fdr=0.1, checkpoint=f),
        ),
        (ArgumentError, "fdr: needs a built-in test with p-values", lambda _: bitsep.pc_stable(table(), fdr=0.1)),
        (KnowledgeError, "required: no column 'z'.", lambda _: bitsep.pc_stable(table(), knowledge=OTHER)),
    ),
    *cases(
        "discovery.recommended.discover",
        (ArgumentError, "algorithm: unknown value 'best'.", lambda _: bitsep.discover(table(), "best")),
        (ArgumentError, "fdr: boss has no such argument", lambda _: bitsep.discover(table(), "boss", fdr=0.1)),
    ),
    *cases(
        "discovery.result.Discovery.explain",
        (UnknownColumnError, "explain: no variable 'z'.", lambda _: found().explain("a", "z")),
        (
            UnknownColumnError,
            "explain: the column 'c' was excluded from the search.",
            lambda _: bitsep.pc_stable(table(), exclude=["c"]).explain("a", "c"),
        ),
    ),
    *cases(
        "discovery.result.Discovery.from_json",
        (FormatError, "text: not the JSON of a Discovery", lambda _: bitsep.Discovery.from_json("{}")),
    ),
    *cases(
        "discovery.result.Discovery.to_dag",
        (
            ArgumentError,
            "to_dag: a PAG represents graphs with hidden variables, so it has no DAG of the observed variables.",
            lambda _: found_with_hidden().to_dag(),
        ),
    ),
    *cases(
        "discovery.serialize.from_json",
        (FormatError, "text: not JSON: Expecting value: line 1 column 1 (char 0).", lambda _: from_json("text")),
        (
            FormatError,
            "schema_version: this release reads version 1",
            lambda _: from_json(found().to_json().replace('"schema_version": ', '"schema_version": 9')),
        ),
    ),
    *cases(
        "independence.engines.checkpoint.CheckpointEngine",
        (
            ArgumentError,
            "checkpoint: the answers in '",
            lambda f: [CheckpointEngine(open_engine(rows, "sci_f"), f) for rows in (table(), table()[:100])],
        ),
        (
            ArgumentError,
            "checkpoint: the answers in '",
            lambda f: [CheckpointEngine(open_engine(table(), test), f) for test in ("sci_f", "g2")],
        ),
    ),
]
