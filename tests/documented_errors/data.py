"""The documented errors of data, tests, scores and networks."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pyarrow as pa

import bitsep
from bitsep.data.discretization.discrete import discrete
from bitsep.errors import (
    ArgumentError,
    BitsepError,
    DataError,
    FormatError,
    MissingDependencyError,
    ReadError,
    UnknownColumnError,
    UnknownMethodError,
    UnsupportedTypeError,
    WriteError,
)
from bitsep.files import whole_file
from bitsep.independence.records import sample_size_bound
from bitsep.optional import require
from documented_errors.case import CHAIN, cases, continuous, file, network, table
from documented_errors.graphs import FOUR, NO_DAG

NO_ROWS = {"a": ["0", None], "b": [None, "0"], "c": ["0", "1"]}
PART = table()[["a", "b"]]


def rows_of_files(folder: Path, *contents: str) -> int:
    """The rows of a scan of several files."""
    for k, content in enumerate(contents):
        file(folder, f"{k}.csv", content)
    return bitsep.scan(folder / "*.csv").n_rows


def changed(folder: Path) -> int:
    """A scan whose file changes between two passes."""
    path = file(folder, "a.csv", "a,b\n0,1\n1,0\n")
    data = bitsep.scan(path, memory="4MB")
    file(folder, "a.csv", "a,b\n0,1\n1,0\n5,5\n")
    return data.n_rows


def interrupted() -> int:
    """A scan of a stream that fails the first time."""

    def batches() -> Any:
        yield pa.record_batch({"a": ["0", "1"]})
        raise ValueError("the line is broken")

    data = bitsep.scan(pa.RecordBatchReader.from_batches(pa.schema({"a": pa.string()}), batches()))
    try:
        return data.n_rows
    except ValueError:
        return data.n_rows


def write(path: Path) -> None:
    with whole_file(path) as draft:
        draft.write_text("text")


def fit(graph: Any, data: Any, **options: Any) -> bitsep.Network:
    return bitsep.Network.fit(graph, data, **options)


def build(parents: Any = (), cpt: Any = (0.5, 0.5), levels: Any = ("0", "1")) -> bitsep.Network:
    """A network of two variables; what is wrong is in b."""
    return bitsep.Network({"a": ["0", "1"], "b": levels}, {"a": [], "b": parents}, {"a": [0.5, 0.5], "b": cpt})


CASES = [
    *cases(
        "data.discretization.api.discretize",
        (ArgumentError, "bins: must be an integer of at least 2", lambda _: bitsep.discretize(table(), bins=1)),
        (UnknownMethodError, "discretize: unknown method 'best'.", lambda _: bitsep.discretize(table(), "best")),
        (UnknownColumnError, "discretize: no column 'z'.", lambda _: bitsep.discretize(table(), columns=["z"])),
        (
            DataError,
            "discretize: column 'a' is not numeric, so it has no intervals.",
            lambda _: bitsep.discretize({"a": ["x", "y"]}, columns=["a"]),
        ),
        (
            DataError,
            "data: column 'b' has an infinite value, so it has no intervals of equal width.",
            lambda _: bitsep.discretize({**continuous(), "b": [float("inf"), 1.5] * 500}, "equal-width", columns=["b"]),
        ),
        (
            DataError,
            "data: column 'c' (1,000 levels) looks continuous",
            lambda _: bitsep.discretize({**continuous(), "c": continuous()["b"]}, "mdl:c"),
        ),
    ),
    *cases(
        "data.discretization.discrete.discrete",
        (DataError, "data: column 'b' (1,000 levels) looks continuous", lambda _: discrete(continuous())),
    ),
    *cases(
        "data.scan.scan",
        (ArgumentError, "memory: too small", lambda _: bitsep.scan(table(), memory="1KB")),
        (DataError, "data: '", lambda f: rows_of_files(f, "a,b\n0,1\n", "a,c\n0,1\n")),
        (
            DataError,
            "data: column 'a' has too many levels",
            lambda _: bitsep.scan(pa.table({"a": [f"k{i}" for i in range(1_000_001)]}), memory="4GB").n_rows,
        ),
        (ReadError, "data: '", changed),
        (ReadError, "data: this stream was read before, perhaps in part", lambda _: interrupted()),
        (FormatError, "data: '", lambda f: rows_of_files(f, "a,b\n0,1\n", "a,b\n0,1,2\n")),
        (ReadError, "data: no file '", lambda f: bitsep.scan(f / "no.csv").n_rows),
    ),
    *cases(
        "data.scan.scan_parquet",
        (BitsepError, "data: no file '", lambda f: bitsep.scan_parquet(f / "no.parquet").n_rows),
    ),
    *cases(
        "files.whole_file",
        (WriteError, "path: '", lambda f: write(f / "no" / "file")),
        (WriteError, "path: '", write),
    ),
    *cases(
        "independence.api.evaluate",
        (ArgumentError, "queries: each must be (x, y, given)", lambda _: bitsep.evaluate(table(), ["a"])),
        (
            ArgumentError,
            "adjust: must be 'bh', 'by', 'holm' or None",
            lambda _: bitsep.evaluate(table(), [("a", "b", ())], method="g2", adjust="all"),
        ),
        (
            ArgumentError,
            "adjust: needs a test with p-values",
            lambda _: bitsep.evaluate(table(), [("a", "b", ())], adjust="holm"),
        ),
        (BitsepError, "data: no column 'z'.", lambda _: bitsep.evaluate(table(), [("a", "z", ())])),
    ),
    *cases(
        "independence.api.independence_test",
        (UnknownColumnError, "columns: no column 'z'.", lambda _: bitsep.independence_test(table(), "a", "z")),
        (
            UnknownMethodError,
            "method: unknown test 'best'.",
            lambda _: bitsep.independence_test(table(), "a", "b", method="best"),
        ),
        (ArgumentError, "y: 'b' is also in given.", lambda _: bitsep.independence_test(table(), "a", "b", given="b")),
        (
            ArgumentError,
            "alpha: must lie between 0 and 1, both excluded",
            lambda _: bitsep.independence_test(table(), "a", "b", alpha=2),
        ),
        (UnsupportedTypeError, "data: cannot read a int", lambda _: bitsep.independence_test(5, "a", "b")),
        (DataError, "data: no rows", lambda _: bitsep.independence_test({"a": [], "b": []}, "a", "b")),
        (
            DataError,
            "data: column 'b' (1,000 levels) looks continuous",
            lambda _: bitsep.independence_test(continuous(), "a", "b"),
        ),
        (ReadError, "data: no file '", lambda f: bitsep.independence_test(f / "no.csv", "a", "b")),
    ),
    *cases(
        "independence.criterion.Judgment",
        (ArgumentError, "p_value: must be a number", lambda _: bitsep.Judgment(p_value="small")),
    ),
    *cases(
        "independence.power_analysis.power",
        (ArgumentError, "effect_size, rows: at least one must be given", lambda _: bitsep.power(2, 2)),
        (
            ArgumentError,
            "effect_size, rows, power: at most two can be given",
            lambda _: bitsep.power(2, 2, effect_size=0.1, rows=100, power=0.8),
        ),
        (ArgumentError, "x_levels: must be an integer of at least 2", lambda _: bitsep.power(1, 2, rows=100)),
        (
            ArgumentError,
            "effect_size: must be a number above 0 and at most 1",
            lambda _: bitsep.power(2, 2, effect_size=2),
        ),
    ),
    *cases(
        "independence.records.sample_size_bound",
        (ArgumentError, "kz: must be a number of at least 0", lambda _: sample_size_bound(2, 2, -1)),
    ),
    *cases(
        "independence.result.IndependenceResult.from_dict",
        (
            FormatError,
            "fields: not what IndependenceResult.to_dict() returns: KeyError('x').",
            lambda _: bitsep.IndependenceResult.from_dict({}),
        ),
        (
            FormatError,
            "fields: not what IndependenceResult.to_dict() returns: TypeError(\"score_bits is 'many'\").",
            lambda _: bitsep.IndependenceResult.from_dict(
                {**bitsep.independence_test(table(), "a", "b").to_dict(), "score_bits": "many"}
            ),
        ),
    ),
    *cases(
        "networks.bif_reader.read_bif",
        (
            FormatError,
            "line 3, column 1: expected 'type', 'property' or '}'",
            lambda _: bitsep.read_bif(io.StringIO("network unknown {}\nvariable a {\n")),
        ),
        (ReadError, "source: '", lambda f: bitsep.read_bif(f / "no.bif")),
    ),
    *cases(
        "networks.bundled.load_network",
        (UnknownMethodError, "name: unknown network 'asya'.", lambda _: bitsep.load_network("asya")),
    ),
    *cases(
        "networks.network.Network",
        (
            ArgumentError,
            "edges: each pair can have one edge",
            lambda _: bitsep.Network({"a": ["0"], "b": ["0"]}, {"a": ["b"], "b": ["a"]}, {"a": [[1]], "b": [[1]]}),
        ),
        (UnknownColumnError, "edges: ('z', 'b'): no variable 'z'.", lambda _: build(parents=["z"])),
        (ArgumentError, "levels: 'b' needs at least one level", lambda _: build(levels=[])),
        (
            ArgumentError,
            "cpts: 'a' has no table of probabilities.",
            lambda _: bitsep.Network({"a": ["0", "1"]}, {"a": []}, {}),
        ),
        (
            ArgumentError,
            "cpts: the probabilities of 'b' must have shape (2,), by the levels of its parents and its own",
            lambda _: build(cpt=[0.2, 0.3, 0.5]),
        ),
        (ArgumentError, "cpts of 'b': must sum to 1 in each row", lambda _: build(cpt=[0.5, 0.6])),
    ),
    *cases(
        "networks.network.Network.fit",
        (ArgumentError, "graph: must represent a DAG", lambda _: fit(NO_DAG, FOUR)),
        (
            ArgumentError,
            "graph: the table of 25 given its 25 parents must have at most 16,777,216 cells",
            lambda _: fit(bitsep.DAG(range(26), [(i, 25) for i in range(25)]), {i: [0, 1] for i in range(26)}),
        ),
        (ArgumentError, "prior: must be a number of rows of at least 0", lambda _: fit(CHAIN, table(), prior=-1)),
        (UnknownColumnError, "graph: no column 'c'.", lambda _: fit(CHAIN, PART)),
        (DataError, "data: no row has a value in all of 'b', 'a'.", lambda _: fit(CHAIN, NO_ROWS)),
        (
            DataError,
            "levels: must have all levels of 'a' that occur",
            lambda _: fit(CHAIN, table(), levels={"a": ["0"], "b": ["0", "1"], "c": ["0", "1"]}),
        ),
    ),
    *cases(
        "networks.network.Network.log2_likelihood",
        (
            DataError,
            "data: the network must have all levels of 'a' that occur",
            lambda _: network().log2_likelihood({**table(), "a": ["2"] * 200}),
        ),
        (DataError, "data: no row has a value in all of 'b', 'a'.", lambda _: network().log2_likelihood(NO_ROWS)),
        (UnknownColumnError, "data: no column 'c'.", lambda _: network().log2_likelihood(PART)),
    ),
    *cases(
        "networks.network.Network.to_bif",
        (
            ArgumentError,
            "variables: must differ as text in BIF",
            lambda f: bitsep.Network({1: ["0"], "1": ["0"]}, {1: [], "1": []}, {1: [1], "1": [1]}).to_bif(f / "n.bif"),
        ),
        (
            ArgumentError,
            "levels of 'a': must differ as text in BIF",
            lambda f: bitsep.Network({"a": [1, "1"]}, {"a": []}, {"a": [0.5, 0.5]}).to_bif(f / "n.bif"),
        ),
        (WriteError, "target: '", lambda f: network().to_bif(f / "no" / "n.bif")),
    ),
    *cases(
        "optional.require",
        (MissingDependencyError, "plot: absent is not installed.", lambda _: require("absent", "plot", "all")),
    ),
    *cases(
        "scores.api.score",
        (ArgumentError, "score: unknown score 'best'.", lambda _: bitsep.score(table(), CHAIN, "best")),
        (ArgumentError, "options: 'sparse_qnml' takes no options", lambda _: bitsep.score(table(), CHAIN, best=True)),
        (ArgumentError, "structure: must be True or False", lambda _: bitsep.score(table(), CHAIN, structure="no")),
        (ArgumentError, "graph: must represent a DAG", lambda _: bitsep.score(FOUR, NO_DAG)),
        (UnknownColumnError, "graph: no column 'c'.", lambda _: bitsep.score(PART, CHAIN)),
        (DataError, "data: no row has a value in all of 'b', 'a'.", lambda _: bitsep.score(NO_ROWS, CHAIN)),
    ),
]
