"""The documented errors of what is done with the results of searches."""

from __future__ import annotations

import sys
from collections.abc import Callable
from unittest import mock

import bitsep
from bitsep.assessment.again import search_again
from bitsep.errors import (
    ArgumentError,
    DataError,
    MissingDependencyError,
    UnknownColumnError,
    UnsupportedTypeError,
    WriteError,
)
from bitsep.report.build import build_view
from bitsep.report.render import save_report
from documented_errors.case import CHAIN, NAMES, Criterion, cases, found, found_with_hidden, table
from documented_errors.graphs import FOUR, NO_DAG

ORACLE = bitsep.Oracle(CHAIN)


def without(module: str, call: Callable[[], object]) -> None:
    """Calls where a library is not installed."""
    with mock.patch.dict(sys.modules, {module: None}):
        call()


CASES = [
    *cases(
        "assessment.again.search_again",
        (
            ArgumentError,
            "d: must be found with a test or a score of bitsep",
            lambda _: search_again(bitsep.pc_stable(table(), method=Criterion()), table(), 1),
        ),
        (
            ArgumentError,
            "d: must be found with a test or a score of bitsep",
            lambda _: search_again(bitsep.pc_stable(ORACLE), table(), 1),
        ),
    ),
    *cases(
        "assessment.expected.expected_accuracy",
        (
            ArgumentError,
            "d: must be a graph without hidden variables",
            lambda _: bitsep.expected_accuracy(found_with_hidden()),
        ),
        (ArgumentError, "d: must be found in data", lambda _: bitsep.expected_accuracy(bitsep.pc_stable(ORACLE))),
        (
            ArgumentError,
            "data: must be given, because the graph has no data of its own",
            lambda _: bitsep.expected_accuracy(bitsep.Discovery.from_json(found().to_json())),
        ),
        (
            ArgumentError,
            "d: must be found with a test or a score of bitsep",
            lambda _: bitsep.expected_accuracy(bitsep.pc_stable(table(), method=Criterion())),
        ),
        (
            ArgumentError,
            "rows: must be an integer of at least 1",
            lambda _: bitsep.expected_accuracy(found(), rows=[0]),
        ),
        (
            ArgumentError,
            "samples: must be an integer of at least 1",
            lambda _: bitsep.expected_accuracy(found(), samples=0),
        ),
        (UnsupportedTypeError, "d: must be a bitsep.Discovery", lambda _: bitsep.expected_accuracy(found().graph)),
        (UnsupportedTypeError, "rows: must be a list of integers", lambda _: bitsep.expected_accuracy(found(), rows=5)),
        (UnknownColumnError, "data: no column 'c'.", lambda _: bitsep.expected_accuracy(found(), table()[["a", "b"]])),
    ),
    *cases(
        "assessment.settings.compare_settings",
        (ArgumentError, "candidates: must have at least one candidate", lambda _: bitsep.compare_settings(table(), [])),
        (ArgumentError, "candidates: must be different", lambda _: bitsep.compare_settings(table(), ["boss", "boss"])),
        (
            ArgumentError,
            "candidates: must have arguments of a search only",
            lambda _: bitsep.compare_settings(table(), [{"keep": ["a"]}]),
        ),
        (
            ArgumentError,
            "folds: must be an integer of at least 2",
            lambda _: bitsep.compare_settings(table(), ["boss"], folds=1),
        ),
        (
            DataError,
            "data: must have at least 10 rows for 5 folds",
            lambda _: bitsep.compare_settings(table()[:9], ["boss"]),
        ),
        (
            DataError,
            "data: must be in memory for a comparison of settings",
            lambda _: bitsep.compare_settings(bitsep.scan(table()), ["boss"]),
        ),
    ),
    *cases(
        "checking.api.check",
        (ArgumentError, "graph: must represent a DAG", lambda _: bitsep.check(NO_DAG, FOUR)),
        (
            ArgumentError,
            "graph: must be a legal PAG",
            lambda _: bitsep.check(bitsep.PAG(NAMES, [("a", "→", "b"), ("b", "→", "c"), ("c", "→", "a")]), table()),
        ),
        (
            ArgumentError,
            "method: must be a test with p-values (cmi_gamma, ",
            lambda _: bitsep.check(CHAIN, table(), method="sci_f"),
        ),
        (UnknownColumnError, "graph: no column 'c'.", lambda _: bitsep.check(CHAIN, table()[["a", "b"]])),
    ),
    *cases(
        "report.build.build_view",
        (
            DataError,
            "data: must have the 200 rows that the graph was learned from",
            lambda _: build_view(found(), table()[:100]),
        ),
        (UnknownColumnError, "data: no column 'c'.", lambda _: build_view(found(), table()[["a", "b"]])),
    ),
    *cases(
        "report.render.save_report",
        (
            ArgumentError,
            "path: the name of a report must end in .html or .htm",
            lambda f: save_report(found(), f / "report.pdf"),
        ),
        (
            MissingDependencyError,
            "save_report: igraph is not installed.",
            lambda f: without("igraph", lambda: save_report(found(), f / "report.html")),
        ),
        (WriteError, "path: '", lambda f: save_report(found(), f / "no" / "report.html")),
        (
            DataError,
            "data: must have the 200 rows that the graph was learned from",
            lambda f: save_report(found(), f / "report.html", table()[:100]),
        ),
        (
            UnknownColumnError,
            "data: no column 'c'.",
            lambda f: save_report(found(), f / "report.html", table()[["a", "b"]]),
        ),
    ),
]
