"""Warnings about properties of the data that make a graph learned from them less reliable.

They are derived from tests, since a search does not read rows. If X is a function of Z, then X shares exactly no
information, given Z, with the variables it is most dependent on. Only relations with a little noise need the entropy
of the columns, and so the counts of their levels.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from bitsep.data.contract import EncodedData
from bitsep.data.profile import percent
from bitsep.discovery.effect_size import entropy_per_row
from bitsep.discovery.score_trace import ScoreTrace
from bitsep.discovery.skeleton import pairs_of
from bitsep.discovery.trace import PairTrace
from bitsep.graphs.equivalence import components
from bitsep.graphs.marks import Marks, bits
from bitsep.independence import open_engine
from bitsep.independence.engines.base import Engine, Found, Indices, Queries, Ragged, Records
from bitsep.naming import Name

_MAX_WITNESSES = 5  # variables that must share no information before a relation is called noiseless
ZERO_BITS = 1e-9  # bits per row up to which information counts as zero: rounding errors of an exact zero
_EQUAL = 1e-9  # relative difference up to which numbers count as equal: rounding errors
_NEARLY = 0.02  # a variable is nearly determined by another that leaves less than this share of its entropy
_MAX_PAIRS = 3  # listed pairs that no path connects
_MAX_LISTED = 10  # relations; of the others only the number is reported
_MAX_COSTS = 20_000  # missing edges of a search by score whose rows are counted: that takes two scores for each

Bits = npt.NDArray[np.float64]

Relation = tuple[int, tuple[int, ...]]
"""(x, Z): x looks like a function of Z."""


def warnings_of_tests(trace: PairTrace, min_rows_share: float) -> tuple[str, ...]:
    """Warnings about the data of a search by tests, as sentences; none for an oracle."""
    engine = trace.engine
    if engine.n == 0 or not trace.skeleton.batches or trace.skeleton.batches[0].size > 0:
        return ()
    first = trace.skeleton.batches[0]
    x, y = (column[first.pairs] for column in pairs_of(len(trace.variables)))
    candidates = _neighbor_relations(trace.skeleton.adjacent) | _separator_relations(trace)
    few = _few_rows(trace.separation_rows(), engine.n, min_rows_share)
    found, related = _warnings(engine, x, y, first.found.record, candidates)
    return (*found, *few, *_small(trace), *_without_path(trace, x, y, first.found, related))


def copies(trace: ScoreTrace, threads: int | None) -> tuple[tuple[Name, ...], ...]:
    """The groups of variables that determine each other without noise, and have values in the same rows."""
    if trace.engine.data is None or len(trace.variables) < 2:
        return ()
    engine, x, y, record = _tests_of_pairs(trace.engine.data, threads)
    counts = _level_counts(engine)
    if counts is None:
        return ()
    rows = np.array([one.sum() for one in counts])
    together = np.isclose(record["n"], np.maximum(rows[x], rows[y]), rtol=_EQUAL, atol=0)
    determining = _determining(engine, x[together], y[together], record[together])
    groups = _mutual([(v, (w,)) for v, w, left in determining if abs(left) <= _EQUAL])
    return tuple(tuple(trace.variables[v] for v in sorted(group)) for group in sorted(groups, key=min))


def _tests_of_pairs(data: EncodedData, threads: int | None) -> tuple[Engine, Indices, Indices, Records]:
    """The tests of all pairs without a conditioning set."""
    engine = open_engine(data, threads=threads)
    x, y = pairs_of(len(engine.variables))
    return engine, x, y, engine.evaluate(Queries(x, y, Ragged.empty(len(x))))


def warnings_of_scores(trace: ScoreTrace, threads: int | None, min_rows_share: float) -> tuple[str, ...]:
    """Warnings about the data of a search by score, as sentences, from tests of all pairs."""
    if trace.engine.data is None or len(trace.variables) < 2:
        return ()
    engine, x, y, record = _tests_of_pairs(trace.engine.data, threads)
    candidates = _neighbor_relations(trace.adjacent) | {
        (v, tuple(some)) for v, some in enumerate(trace.parents) if some
    }
    few: Iterable[str] = ()
    if int(record["n"].min()) < engine.n:  # otherwise no value is missing, and every edge has all rows
        few = _few_rows(trace.missing_rows(_MAX_COSTS), engine.n, min_rows_share)
    return (*_warnings(engine, x, y, record, candidates)[0], *few)


def _warnings(
    engine: Engine, x: Indices, y: Indices, record: Records, candidates: Iterable[Relation]
) -> tuple[list[str], list[int]]:
    """Warnings from the tests of pairs without a conditioning set, and from relations that may be without noise.

    Also the variables in such relations, and in those with little noise.
    """
    names = engine.variables
    constant = _constant(engine, x.tolist(), y.tolist(), record)
    found = [f"Column {names[v]!r} is constant: it carries no information and has no edges." for v in constant]
    determining = list(_determining(engine, x, y, record))
    functions = {(v, (w,)): left for v, w, left in determining if left <= ZERO_BITS}
    exact = {relation for relation, left in functions.items() if left >= -ZERO_BITS}
    usable = _usable({*candidates, *functions}, set(constant))
    relations = _functions(engine, constant, usable, exact, _information(names, x, y, record))
    found += _relation_warnings(relations, names)
    found += _nearly((one for one in determining if one[2] > ZERO_BITS), names)
    found += _missing(engine, record)
    related = {w for v, given in relations for w in (v, *given)} | {u for v, w, _ in determining for u in (v, w)}
    return found, sorted(related)


def _constant(engine: Engine, x: Sequence[int], y: Sequence[int], record: Records) -> list[int]:
    """Variables with one level."""
    rows = {v: row for row in range(len(x)) for v in (x[row], y[row])}
    found = []
    for v, row in sorted(rows.items()):
        kx, ky, _ = engine.result(x[row], y[row], (), record[row]).domain_sizes
        if (kx if v == x[row] else ky) == 1:
            found.append(v)
    return found


def _missing(engine: Engine, record: Records) -> Iterable[str]:
    """The columns with missing values, most of them first, and the number of rows in which pairs have values."""
    fewest, rows = int(record["n"].min()), engine.n
    if fewest == rows:
        return
    most = int(record["n"].max())
    shown = f"{fewest:,}" if fewest == most else f"{fewest:,} to {most:,}"
    used = f"two variables both have values in {shown} of the {rows:,} rows, and larger sets of variables in fewer."
    counts = _level_counts(engine)
    if counts is None:
        yield f"Values are missing: {used}"
        return
    shares = [(1 - int(one.sum()) / rows, v) for v, one in enumerate(counts)]
    ranked = sorted((-share, v) for share, v in shares if share > 0)
    listed = [f"{engine.variables[v]!r} ({percent(-share)})" for share, v in ranked[:_MAX_LISTED]]
    if len(ranked) > _MAX_LISTED:
        listed.append(f"{len(ranked) - _MAX_LISTED:,} more")
    columns = " and ".join([", ".join(listed[:-1]), listed[-1]]) if len(listed) > 1 else listed[0]
    yield f"Values are missing in {columns}: {used}"


def _few_rows(rows: npt.NDArray[np.int64], n: int, min_rows_share: float) -> Iterable[str]:
    """How many missing edges rest on fewer rows than min_rows_share demands."""
    few = int((rows < min_rows_share * n).sum())
    if few:
        rest = "rests" if few == 1 else "rest"
        yield (
            f"{few:,} of {len(rows):,} missing edges {rest} on less than {percent(min_rows_share)} of the rows, "
            "because values are missing: such variables may be dependent in the other rows."
        )


def _level_counts(engine: Engine) -> list[npt.NDArray[Any]] | None:
    """The counts of the levels of each variable; None if the engine has none."""
    counts = [engine.level_counts(v) for v in range(len(engine.variables))]
    return None if any(one is None for one in counts) else [one for one in counts if one is not None]


def _small(trace: PairTrace) -> Iterable[str]:
    edges = trace.edges
    count = sum(1 for e in edges.values() if e.weakest is not None and e.weakest.small_sample)
    if count:
        yield (
            f"{count:,} of {len(edges):,} edges rest on a test with fewer rows than the paper's bound for its domain "
            "sizes; such a verdict of dependence is unreliable."
        )


def _without_path(trace: PairTrace, x: Indices, y: Indices, found: Found, related: Sequence[int]) -> Iterable[str]:
    """Pairs that are dependent given nothing, also after a Bonferroni correction, although no path connects them.

    The variables in deterministic relations count as adjacent to all that depends on them: other warnings name them.
    """
    adjacent = trace.skeleton.adjacent.copy()
    explained = ~found.separated & (np.isin(x, related) | np.isin(y, related))
    adjacent[x[explained], y[explained]] = adjacent[y[explained], x[explained]] = True
    part = _parts(adjacent)
    scores = found.record["score_bits"]
    lost = np.flatnonzero(~found.separated & (part[x] != part[y]) & (scores > np.log2(len(x))))
    if not len(lost):
        return
    names = trace.variables
    most = lost[np.argsort(-scores[lost], kind="stable")][:_MAX_PAIRS]
    listed = ", ".join(f"{names[x[i]]!r} and {names[y[i]]!r} ({scores[i]:,.2f} bits)" for i in most)
    yield (
        f"{len(lost):,} {'pair is' if len(lost) == 1 else 'pairs are'} clearly dependent without a conditioning set "
        f"({'' if len(lost) == 1 else 'most: '}{listed}), but the graph has no path between "
        f"{'its variables' if len(lost) == 1 else 'their variables'}: tests given other variables, which find less "
        "where strata have few rows, separated them, so edges are probably missing."
    )


def _parts(adjacent: npt.NDArray[np.bool_]) -> Indices:
    """The smallest variable of the connected component of each variable."""
    part = np.arange(len(adjacent), dtype=np.int32)
    edges = ((i, j) for i, j in np.argwhere(np.triu(adjacent)).tolist())
    for members in components(Marks.of(len(adjacent), (), edges)):
        group = list(bits(members))
        part[group] = group[0]
    return part


def _information(names: tuple[Name, ...], x: Indices, y: Indices, record: Records) -> Bits:
    information = np.zeros((len(names),) * 2)
    information[x, y] = information[y, x] = record["information_bits"]
    return information


def _functions(
    engine: Engine,
    constant: Sequence[int],
    candidates: Sequence[Relation],
    exact: Container[Relation],
    information: Bits,
) -> list[Relation]:
    """The candidates that are deterministic relations; without other variables, those whose entropies say so."""
    queries: list[tuple[int, int, tuple[int, ...]]] = []
    spans: list[tuple[Relation, int, int]] = []
    ignored = set(constant)
    nearest = {v: _nearest(v, information, ignored) for v in {v for v, _ in candidates}}
    for v, given in candidates:
        witnesses = list(islice((w for w in nearest[v] if w not in given), _MAX_WITNESSES))
        spans.append(((v, given), len(queries), len(queries) + len(witnesses)))
        queries += [(v, w, given) for w in witnesses]
    pairs = np.sort(np.array([(v, w) for v, w, _ in queries], np.int32).reshape(-1, 2), axis=1)
    columns = np.ascontiguousarray(pairs.T)
    records = engine.evaluate(Queries(columns[0], columns[1], Ragged.of([given for _, _, given in queries])))
    is_zero = (records["n"] > 0) & (records["information_bits"] <= ZERO_BITS * records["n"])
    found: list[Relation] = []
    determined_by: dict[int, list[set[int]]] = {}
    for (v, given), begin, end in spans:  # smaller sets first: their supersets are left out
        holds = is_zero[begin:end].all() if begin < end else (v, given) in exact
        if holds and not any(z.issubset(given) for z in determined_by.get(v, ())):
            found.append((v, given))
            determined_by.setdefault(v, []).append(set(given))
    return found


def _nearest(v: int, information: Bits, ignored: set[int]) -> list[int]:
    """The other variables, ordered by decreasing information shared with v."""
    ranked = np.argsort(-information[v], kind="stable").tolist()
    return [w for w in ranked if w != v and w not in ignored]


def _nearly(determining: Iterable[tuple[int, int, float]], names: tuple[Name, ...]) -> Iterable[str]:
    """Pairs of variables of which one nearly determines the other."""
    groups: dict[int, list[tuple[float, int]]] = {}
    for v, w, left in determining:
        groups.setdefault(w, []).append((left, v))
    ranked = sorted(groups.items(), key=lambda item: (-len(item[1]), min(item[1]), item[0]))
    for w, members in ranked[:_MAX_LISTED]:
        are = "is nearly a function" if len(members) == 1 else "are nearly functions"
        most = "" if len(members) == 1 else "at most "
        determined = _listed([v for _, v in sorted(members)], names, " and ")
        yield (
            f"{determined} {are} of {names[w]!r}: knowing the latter leaves "
            f"{most}{max(members)[0]:.1%} of {'its' if len(members) == 1 else 'their'} uncertainty. "
            "Edges around such variables are hard to tell apart."
        )
    if len(ranked) > _MAX_LISTED:
        yield f"{len(ranked) - _MAX_LISTED:,} more groups of variables that are nearly functions of another."


def _determining(engine: Engine, x: Indices, y: Indices, record: Records) -> Iterable[tuple[int, int, float]]:
    """(v, w, share): of the entropy of v only this share, below 2%, is left if w is known.

    It is negative if v varies more in the rows in which w has a value.
    """
    counts = _level_counts(engine)
    if counts is None:
        return
    entropy = np.array([entropy_per_row(one) for one in counts])
    shared = record["information_bits"] / np.maximum(record["n"], 1)
    for one, other in ((x, y), (y, x)):
        left = 1 - np.divide(shared, entropy[one], out=np.zeros_like(shared), where=entropy[one] > 0)
        near = np.flatnonzero(left < _NEARLY)
        yield from zip(one[near].tolist(), other[near].tolist(), left[near].tolist(), strict=True)


def _neighbor_relations(adjacent: npt.NDArray[np.bool_]) -> set[Relation]:
    """Each variable as a function of one neighbor."""
    return {(i, (j,)) for i, j in zip(*(index.tolist() for index in np.nonzero(adjacent)), strict=True)}


def _separator_relations(trace: PairTrace) -> set[Relation]:
    """The variables of pairs that share exactly no information given a separator, as functions of the separator."""
    candidates: set[Relation] = set()
    x, y = pairs_of(len(trace.variables))
    for batch in trace.skeleton.batches:
        if batch.size == 0:
            continue
        record = batch.found.record
        is_zero = batch.found.separated & (record["information_bits"] <= ZERO_BITS * np.maximum(record["n"], 1))
        for row in np.flatnonzero(is_zero).tolist():
            given = tuple(sorted(batch.found.given[row]))
            pair = batch.pairs[row]
            candidates |= {(int(x[pair]), given), (int(y[pair]), given)}
    return candidates


def _usable(candidates: Iterable[Relation], constant: set[int]) -> list[Relation]:
    """The relations without constant variables, those with small sets first."""
    kept = ((v, given) for v, given in candidates if v not in constant and not constant.intersection(given))
    return sorted(kept, key=lambda relation: (len(relation[1]), relation))


def _relation_warnings(relations: Sequence[Relation], names: tuple[Name, ...]) -> Iterable[str]:
    """One warning for all variables that determine each other, and one for all functions of the same variables.

    The largest groups come first. A group of variables that determine each other is represented by its first one.
    """
    same = _mutual(relations)
    first = {v: min(group) for group in same for v in group}
    functions: dict[tuple[int, ...], set[int]] = {}
    for v, given in relations:
        sources = tuple(sorted({first.get(z, z) for z in given}))
        v = first.get(v, v)
        if v not in sources:
            functions.setdefault(sources, set()).add(v)
    lines = [_duplicates_warning(group, names) for group in sorted(same, key=lambda group: (-len(group), min(group)))]
    ranked = sorted(functions.items(), key=lambda item: (-len(item[1]), len(item[0]), item[0]))
    lines += [_functions_warning(found, sources, names) for sources, found in ranked]
    yield from lines[:_MAX_LISTED]
    if len(lines) > _MAX_LISTED:
        yield f"{len(lines) - _MAX_LISTED:,} more groups of deterministic relations."


def _mutual(relations: Sequence[Relation]) -> list[set[int]]:
    """The groups of variables that determine each other."""
    single = {(v, given[0]) for v, given in relations if len(given) == 1}
    groups: list[set[int]] = []
    for v, w in sorted(single):
        if v < w and (w, v) in single:
            joined = [group for group in groups if not group.isdisjoint((v, w))]
            groups = [group for group in groups if group not in joined] + [{v, w}.union(*joined)]
    return groups


def _duplicates_warning(group: set[int], names: tuple[Name, ...]) -> str:
    return (
        f"{_listed(sorted(group), names, ' and ')} determine each other (identical or recoded columns): what "
        f"depends on one is separated from it by the other{'s' * (len(group) > 2)}, so edges around them go missing. "
        f"Drop {'one' if len(group) == 2 else 'all but one'}."
    )


def _functions_warning(found: set[int], sources: Sequence[int], names: tuple[Name, ...]) -> str:
    are = "is a function" if len(found) == 1 else "are functions"
    return (
        f"{_listed(sorted(found), names, ' and ')} {are} of {_listed(sources, names, ', ')} in these data: "
        "deterministic relations hide edges around them."
    )


def _listed(variables: Sequence[int], names: tuple[Name, ...], last: str) -> str:
    """Names in quotes, at most ten; the last one after another separator."""
    shown = [repr(names[v]) for v in variables[:_MAX_LISTED]]
    if len(variables) > _MAX_LISTED:
        return f"{', '.join(shown)} and {len(variables) - _MAX_LISTED:,} more"
    return last.join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else shown[0]
