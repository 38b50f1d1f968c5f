"""The evidence in bits that an unshielded triple a — c — b is a v-structure.

If c is a common effect of a and b, putting it into a separator S makes them dependent; otherwise taking it out of S
does. So the evidence of a separator S without c is the score of a and b given S with c minus the score given S, and the
evidence of a separator with c is the score given S minus the score given S without c, in bits.

The evidence of all separators of the smallest size is added up. They are chosen from the neighbors of a and of b; if
none of these sets separates, from the neighbors that a and b had when the search tested sets of this size, among which
it found one. So no separator is preferred by the order of names. For pairs that only sets with other variables separate
(in FCI), the separator with the lowest score counts alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from bitsep.discovery.skeleton import AnySkeleton, Mask, RefinedSkeleton, pair_number, pairs_of
from bitsep.discovery.v_structures import Triple, UndecidedTriple, unshielded_pairs
from bitsep.independence.engines.base import Engine, Queries, Ragged
from bitsep.progress import Reporter

Pair = tuple[int, int]
Set = frozenset[int]
Scores = dict[Set, float]

_PAIRS_PER_CALL = 1 << 10  # of the engine, to limit memory


@dataclass(frozen=True, slots=True)
class WeighedTriples:
    """The evidence on all unshielded triples.

    rows : the triples.
    bits : for each triple, the evidence that it is a v-structure; negative if it is not, 0 if it is undecided.
    undecided : the triples without evidence.
    tests : the number of tests made.
    """

    rows: tuple[Triple, ...]
    bits: tuple[float, ...]
    undecided: tuple[UndecidedTriple, ...]
    tests: int


def weigh_triples(engine: Engine, skeleton: AnySkeleton, max_given: int | None, reporter: Reporter) -> WeighedTriples:
    """Weigh the evidence on every unshielded triple."""
    first, second, undecided = unshielded_pairs(skeleton)
    rows: list[Triple] = [(d.a, d.c, d.b) for d in undecided]
    bits = [0.0] * len(rows)
    tests = Tests(engine, reporter)
    pairs = list(zip(first.tolist(), second.tolist(), strict=True))
    sizes = _separator_sizes(skeleton)
    for start in range(0, len(pairs), _PAIRS_PER_CALL):
        separators = _separators(tests, pairs[start : start + _PAIRS_PER_CALL], skeleton, sizes)
        for triple, weight, holding in _weigh(tests, separators, skeleton, max_given):
            rows.append(triple)
            bits.append(weight)
            if weight == 0:
                lacking = len(separators[triple[0], triple[2]]) - holding
                undecided.append(UndecidedTriple(*triple, holding, lacking))
    undecided.sort(key=lambda d: (d.a, d.c, d.b))
    return WeighedTriples(tuple(rows), tuple(bits), tuple(undecided), tests.made)


class Tests:
    """Makes batches of tests and counts them."""

    def __init__(self, engine: Engine, reporter: Reporter, stage: str = "weighing v-structures") -> None:
        self._engine = engine
        self._step = reporter.stage(stage)
        self.made = 0

    def make(self, wanted: Sequence[tuple[Pair, Set]]) -> Iterator[tuple[Pair, Set, float, bool]]:
        """The score of each test, and whether its verdict is independence."""
        if not wanted:
            return
        x, y = np.array([pair for pair, _ in wanted], np.int32).T
        given = Ragged.of([sorted(given) for _, given in wanted])
        records = self._engine.evaluate(Queries(x.copy(), y.copy(), given), self._step)
        self.made += len(wanted)
        scores, independent = records["score_bits"].tolist(), records["independent"].tolist()
        for (pair, members), score, separates in zip(wanted, scores, independent, strict=True):
            yield pair, members, score, separates


def _separator_sizes(skeleton: AnySkeleton) -> npt.NDArray[np.int32]:
    """The size of the separator that the search found for each pair; -1 for pairs without one."""
    n = len(skeleton.adjacent)
    x, y = pairs_of(n)
    sizes = np.full((n, n), -1, np.int32)
    for batch in skeleton.batches:
        found = batch.pairs[batch.found.separated]
        sizes[x[found], y[found]] = sizes[y[found], x[found]] = batch.size
    return sizes


def _separators(
    tests: Tests, pairs: Sequence[Pair], skeleton: AnySkeleton, sizes: npt.NDArray[np.int32]
) -> dict[Pair, Scores]:
    """All separators of the smallest size of each pair, with their scores."""
    known: dict[Pair, Scores] = {}
    if isinstance(skeleton, RefinedSkeleton) and skeleton.separated_later:
        n = len(skeleton.adjacent)
        for pair in pairs:
            if pair_number(n, *pair) in skeleton.separated_later:
                known[pair] = dict([skeleton.separators[pair]])
        pairs = [pair for pair in pairs if pair not in known]
    found = known | _separating(tests, [(pair, skeleton.pools, int(sizes[pair])) for pair in pairs])
    missing = [(pair, int(sizes[pair])) for pair in pairs if pair not in found]
    earlier = {size: skeleton.adjacent | (sizes >= size) for _, size in missing}
    for pools in earlier.values():
        pools[:, list(skeleton.never_given)] = False
    return found | _separating(tests, [(pair, earlier[size], size) for pair, size in missing])


def _separating(tests: Tests, searches: Sequence[tuple[Pair, Mask, int]]) -> dict[Pair, Scores]:
    """For each pair that has any, all its separators of the given size in the given pools."""
    found: dict[Pair, Scores] = {}
    wanted = [(pair, given) for pair, pools, size in searches for given in _subsets(pair, pools, size)]
    for pair, given, score, separates in tests.make(wanted):
        if separates:
            found.setdefault(pair, {})[given] = score
    return found


def _subsets(pair: Pair, pools: Mask, size: int) -> Iterable[Set]:
    """The sets of this size in the pool of either variable, without the other one."""
    found: dict[Set, None] = {}
    for x, y in (pair, pair[::-1]):
        pool = [v for v in np.flatnonzero(pools[x]).tolist() if v != y]
        found.update(dict.fromkeys(map(frozenset, combinations(pool, size))))
    return found


def _weigh(
    tests: Tests, separators: dict[Pair, Scores], skeleton: AnySkeleton, max_given: int | None
) -> Iterator[tuple[Triple, float, int]]:
    """Every triple of the pairs, its evidence, and the number of separators that contain its center."""
    adjacent, never_given = skeleton.adjacent, frozenset(skeleton.never_given)
    centers = {pair: np.flatnonzero(adjacent[pair[0]] & adjacent[pair[1]]).tolist() for pair in separators}
    wanted = [
        (pair, given)
        for pair, found in separators.items()
        for given in dict.fromkeys(separator ^ {c} for separator in found for c in centers[pair])
        if (max_given is None or len(given) <= max_given) and never_given.isdisjoint(given)
    ]
    scores = {(pair, given): score for pair, given, score, _ in tests.make(wanted)}
    for pair, found in separators.items():
        for c in centers[pair]:
            parts = [evidence_of(score, scores.get((pair, given ^ {c})), c in given) for given, score in found.items()]
            yield (pair[0], c, pair[1]), math.fsum(parts), sum(c in given for given in found)


def evidence_of(score: float, changed: float | None, holds_center: bool) -> float:
    """The evidence of one separator, from its score and the score with the center taken out or put in.

    A set that max_given or min_rows_share does not allow is replaced by the boundary between the verdicts, a score of
    0. A test without enough rows for a verdict has the score -inf and does not count.
    """
    gain = (0.0 if changed is None else changed) - score
    if not math.isfinite(gain):
        return 0.0
    return -gain if holds_center else gain
