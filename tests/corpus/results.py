"""Ask bitsep and take the values out of its answers, as tuples of plain values.

The only file of the corpus that uses names of bitsep: after a renaming, change this file and nothing in `stored/`.
Texts (reasons, warnings, messages) are left out on purpose; names of variables are data.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import bitsep

Value = None | bool | int | float | str
Record = tuple[Value, ...]
"""The values of one result. What it means is told by its place."""

Question = tuple[str, str, tuple[str, ...]]
"""x, y and the conditioning set; or x, y and the variables to search for a separator."""


def network_names() -> tuple[str, ...]:
    return tuple(bitsep.network_names())


def sample(network: str, rows: int, seed: int) -> Any:
    """A pandas data frame."""
    return bitsep.load_network(network).sample(rows, seed=seed)


def arrows(network: str) -> list[tuple[str, str]]:
    """The edges of the true graph, sorted."""
    return sorted(bitsep.load_network(network).dag.edges)


def in_memory(path: Path, weights: str | None) -> Any:
    return bitsep.Table(path, weights=weights)


@contextmanager
def in_chunks(path: Path, weights: str | None, memory: int) -> Iterator[Any]:
    with bitsep.scan_parquet(path, memory=memory, weights=weights) as data:
        yield data


def on_spark(session: Any, path: Path, weights: str | None) -> Any:
    return bitsep.scan_spark(session.read.parquet(str(path)), weights=weights)


def variables(data: Any) -> list[str]:
    return sorted(data.names)


def data_records(data: Any) -> list[Record]:
    """Sum of weights; the levels of every column."""
    return [(int(data.n),), *((name, *data.levels(name)) for name in variables(data))]


def independence_records(data: Any, questions: Sequence[Question], method: str, **options: Any) -> list[Record]:
    return [_result(result) for result in bitsep.evaluate(data, questions, method, **options)]


def separator_records(data: Any, tasks: Sequence[Question], method: str) -> list[Record]:
    found = bitsep.separate(data, tasks, method=method)
    return [() if one is None else _separation(one) for one in found]


def complexity_records(data: Any, questions: Sequence[Question], code: str) -> list[Record]:
    """Stochastic complexity of x given the conditioning set."""
    return [(x, *given, bitsep.stochastic_complexity(data, x, given, code)) for x, _, given in questions]


def regret_records(rows: Iterable[int], values: Iterable[int]) -> list[Record]:
    values = tuple(values)
    return [(n, k, float(bitsep.log2_regret(n, k))) for n in rows for k in values]


def graph_records(
    data: Any,
    method: str,
    orientation: str,
    required: Sequence[tuple[str, str]] = (),
    tiers: Sequence[Sequence[str]] = (),
    **options: Any,
) -> list[Record]:
    """Edges with their marks and evidence, separators with theirs, contradictions, shares of bootstrap samples."""
    knowledge = bitsep.Knowledge(required=required, tiers=tiers) if required or tiers else None
    found = bitsep.pc_stable(data, method, orientation=orientation, knowledge=knowledge, **options)
    graph = found.graph
    arrows: list[Record] = [("->", a, b) for a, b in sorted(graph.directed)]
    return _evidence_records(found, [*arrows, *(("--", *pair) for pair in _pairs(graph.undirected))])


def pag_records(data: Any, method: str, variant: str, hidden_one_in: int, **options: Any) -> list[Record]:
    """The PAG of the columns that are left if some are hidden: one of so many, by name."""
    names = [name for number, name in enumerate(sorted(variables(data))) if (number + 1) % hidden_one_in]
    found = bitsep.fci(data.select(names), method, variant=variant, **options)
    edges: list[Record] = [("edge", a, sign, b) for a, sign, b in found.graph.edge_lines()]
    return _evidence_records(found, edges)


def _evidence_records(found: Any, graph: list[Record]) -> list[Record]:
    records: list[Record] = [("tests", int(found.tests_run)), *graph]
    for pair in _pairs(found.edges):
        evidence = found.edges[frozenset(pair)]
        weakest = () if evidence.weakest is None else _result(evidence.weakest)
        records.append(("edge", *pair, int(evidence.tests_run), *weakest))
    records += [
        ("separator", *pair, *_separation(found.separations[frozenset(pair)])) for pair in _pairs(found.separations)
    ]
    records += [("excluded", *pair) for pair in _pairs(found.excluded)]
    for pair in _pairs(found.support):
        share = found.support[frozenset(pair)]
        records.append(("support", *pair, float(share.edge), float(share.forward), float(share.backward)))
    records += [("conflict", *conflict.edge) for conflict in found.conflicts]
    records += [("ambiguous", t.a, t.center, t.b, int(t.holding), int(t.lacking)) for t in found.ambiguous]
    return records


def blanket_records(data: Any, algorithm: str, method: str, targets: Sequence[str], max_given: int) -> list[Record]:
    """For every target: the tests made; for every member: its part in the blanket, and the evidence."""
    records: list[Record] = []
    found = bitsep.markov_blankets(data, algorithm, method, max_given=max_given, targets=targets)
    for target, blanket in sorted(found.items()):
        records.append(("tests", target, int(blanket.tests_run)))
        for member in sorted(blanket.members):
            evidence = blanket.evidence[member]
            near = member in blanket.neighbors
            records.append(("member", target, member, near, evidence.child, *_result(evidence.result)))
    return records


def _pairs(pairs: Iterable[Iterable[str]]) -> list[tuple[str, ...]]:
    return sorted(tuple(sorted(pair)) for pair in pairs)


def _separation(found: Any) -> Record:
    other = () if found.runner_up is None else _result(found.runner_up)
    return (*_result(found.result), int(found.tests_run), *other)


def _result(result: Any) -> Record:
    (x, x_levels), (y, y_levels) = sorted(zip((result.x, result.y), result.domain_sizes[:2], strict=True))
    return (
        x,
        y,
        *sorted(result.given),
        bool(result.independent),
        float(result.score_bits),
        float(result.cmi_bits),
        float(result.threshold_bits),
        int(result.n),
        _float(result.statistic),
        _float(result.df),
        _float(result.p_value),
        _float(result.no_hypercompression_bound),
        bool(result.small_sample),
        int(x_levels),
        int(y_levels),
        int(result.domain_sizes[2]),
    )


def _float(value: float | None) -> float | None:
    return None if value is None else float(value)
