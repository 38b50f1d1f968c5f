"""The documented errors of graphs."""

from __future__ import annotations

import bitsep
from bitsep import DAG, MAG, PAG, PDAG
from bitsep.errors import ArgumentError, KnowledgeError, UnknownColumnError, WriteError
from bitsep.graphs import compare
from bitsep.graphs.meek import orient
from documented_errors.case import CHAIN, NAMES, cases

AB = ["a", "b"]
ABCD = ["a", "b", "c", "d"]
TWICE = ["a", "a"]
MIXED = PDAG(NAMES, [("a", "b")], [("b", "c")])
NO_DAG = PDAG(ABCD, [], [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")])
FOUR = {name: ["0", "1"] for name in ABCD}

CASES = [
    *cases(
        "graphs.comparison.compare",
        (ArgumentError, "truth: both graphs must have the same variables", lambda _: compare(CHAIN, DAG(AB))),
    ),
    *cases(
        "graphs.comparison.GraphComparison.sid",
        (ArgumentError, "truth: sid needs a DAG or a network", lambda _: compare(CHAIN, MIXED).sid),
    ),
    *cases(
        "graphs.dag.DAG",
        (ArgumentError, "edges: an edge cannot join a variable with itself", lambda _: DAG(AB, [("a", "a")])),
        (ArgumentError, "edges: each pair can have one edge", lambda _: DAG(AB, [("a", "b"), ("b", "a")])),
        (
            ArgumentError,
            "edges: a DAG cannot have a directed cycle",
            lambda _: DAG(NAMES, [("a", "b"), ("b", "c"), ("c", "a")]),
        ),
        (ArgumentError, "variables: 'a' occurs twice", lambda _: DAG(TWICE)),
        (UnknownColumnError, "edges: ('a', 'z'): no variable 'z'.", lambda _: DAG(AB, [("a", "z")])),
    ),
    *cases(
        "graphs.dag.DAG.d_separated",
        (ArgumentError, "x: 'a' is also in y.", lambda _: CHAIN.d_separated("a", "a")),
        (ArgumentError, "y: 'b' is also in given.", lambda _: CHAIN.d_separated("a", "b", "b")),
        (ArgumentError, "x: must name at least one variable", lambda _: CHAIN.d_separated([], "b")),
        (ArgumentError, "y: must name at least one variable", lambda _: CHAIN.d_separated("a", [])),
        (UnknownColumnError, "graph: no variable 'z'.", lambda _: CHAIN.d_separated("a", "z")),
    ),
    *cases(
        "graphs.dag.DAG.mag",
        (ArgumentError, "hidden: 'a' is also in selection.", lambda _: CHAIN.mag(hidden="a", selection="a")),
        (UnknownColumnError, "graph: no variable 'z'.", lambda _: CHAIN.mag(hidden="z")),
        (UnknownColumnError, "graph: no variable 'z'.", lambda _: CHAIN.mag(selection="z")),
    ),
    *cases(
        "graphs.exchange.methods.Exchangeable.save",
        (WriteError, "path: '", lambda f: CHAIN.save(f / "no" / "g.json")),
    ),
    *cases(
        "graphs.mag.MAG",
        (
            ArgumentError,
            "edges: a MAG must be ancestral and maximal",
            lambda _: MAG(NAMES, [("a", "→", "b"), ("b", "→", "c"), ("c", "→", "a")]),
        ),
        (
            ArgumentError,
            "edges: a MAG must be ancestral and maximal",
            lambda _: MAG(NAMES, [("a", "→", "b"), ("b", "→", "c"), ("a", "↔", "c")]),
        ),
        (
            ArgumentError,
            "edges: a MAG must be ancestral and maximal",
            lambda _: MAG(ABCD, [("a", "↔", "b"), ("b", "↔", "c"), ("c", "↔", "d"), ("b", "→", "d"), ("c", "→", "a")]),
        ),
        (ArgumentError, "edges: an edge cannot join a variable with itself", lambda _: MAG(AB, [("a", "→", "a")])),
        (ArgumentError, "edges: each pair can have one edge", lambda _: MAG(AB, [("a", "→", "b"), ("a", "↔", "b")])),
        (ArgumentError, "variables: 'a' occurs twice", lambda _: MAG(TWICE)),
        (UnknownColumnError, "edges: ('a', 'z'): no variable 'z'.", lambda _: MAG(AB, [("a", "→", "z")])),
    ),
    *cases(
        "graphs.mag.MAG.m_separated",
        (ArgumentError, "x: 'a' is also in y.", lambda _: CHAIN.mag().m_separated("a", "a")),
        (ArgumentError, "y: 'b' is also in given.", lambda _: CHAIN.mag().m_separated("a", "b", "b")),
        (ArgumentError, "x: must name at least one variable", lambda _: CHAIN.mag().m_separated([], "b")),
        (ArgumentError, "y: must name at least one variable", lambda _: CHAIN.mag().m_separated("a", [])),
        (UnknownColumnError, "graph: no variable 'z'.", lambda _: CHAIN.mag().m_separated("a", "z")),
    ),
    *cases(
        "graphs.meek.orient",
        (
            KnowledgeError,
            "required, forbidden: no direction is left for the edge 'a' — 'b'.",
            lambda _: orient(AB, [], [("a", "b")], forbidden=[("a", "b"), ("b", "a")]),
        ),
        (
            KnowledgeError,
            "required, forbidden: no direction is left for the edge 'a' — 'b'.",
            lambda _: orient(AB, [], [("a", "b")], required=[("a", "b")], forbidden=[("a", "b")]),
        ),
        (
            KnowledgeError,
            "required, forbidden: together they force a directed cycle among 'a', 'b', 'c'.",
            lambda _: orient(
                NAMES, [], [("a", "b"), ("b", "c"), ("c", "a")], required=[("a", "b"), ("b", "c"), ("c", "a")]
            ),
        ),
    ),
    *cases(
        "graphs.pag.PAG",
        (
            ArgumentError,
            "edges: an edge must be (a, sign, b) with a sign of →, ↔, —, o→, o—o, —o",
            lambda _: PAG(AB, [("a", "=", "b")]),
        ),
        (ArgumentError, "edges: an edge cannot join a variable with itself", lambda _: PAG(AB, [("a", "o-o", "a")])),
        (ArgumentError, "edges: each pair can have one edge", lambda _: PAG(AB, [("a", "o-o", "b"), ("b", "→", "a")])),
        (ArgumentError, "variables: 'a' occurs twice", lambda _: PAG(TWICE)),
        (UnknownColumnError, "edges: ('a', 'z'): no variable 'z'.", lambda _: PAG(AB, [("a", "→", "z")])),
    ),
    *cases(
        "graphs.pag.PAG.mag",
        (
            ArgumentError,
            "graph: must be a legal PAG",
            lambda _: PAG(NAMES, [("a", "→", "b"), ("b", "→", "c"), ("c", "→", "a")]).mag(),
        ),
    ),
    *cases(
        "graphs.pdag.PDAG",
        (ArgumentError, "edges: an edge cannot join a variable with itself", lambda _: PDAG(AB, [], [("a", "a")])),
        (ArgumentError, "edges: each pair can have one edge", lambda _: PDAG(AB, [("a", "b")], [("a", "b")])),
        (
            ArgumentError,
            "edges: a PDAG cannot have a directed cycle",
            lambda _: PDAG(NAMES, [("a", "b"), ("b", "c"), ("c", "a")]),
        ),
        (ArgumentError, "variables: 'a' occurs twice", lambda _: PDAG(TWICE)),
        (UnknownColumnError, "edges: ('a', 'z'): no variable 'z'.", lambda _: PDAG(AB, [], [("a", "z")])),
    ),
    *cases(
        "independence.engines.oracle.Oracle",
        (ArgumentError, "hidden: 'a' is also in selection.", lambda _: bitsep.Oracle(CHAIN, hidden="a", selection="a")),
        (ArgumentError, "hidden: must leave at least one variable", lambda _: bitsep.Oracle(CHAIN, hidden=NAMES)),
        (UnknownColumnError, "hidden: no variable 'z'.", lambda _: bitsep.Oracle(CHAIN, hidden="z")),
    ),
]
