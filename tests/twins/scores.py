"""The score of a variable given its parents, from rows, and of a DAG."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from twins.counts import Columns, complete_rows, conditional_entropy, domain_size, groups
from twins.regret import log2_regret


def fnml(y: list, s: list, levels: int, product: int, sample_size: float) -> float:
    regrets = math.fsum(log2_regret(len(rows), levels) for rows in groups(y, s).values())
    return conditional_entropy(y, s) + regrets


def qnml(y: list, s: list, levels: int, product: int, sample_size: float) -> float:
    n = len(y)
    return conditional_entropy(y, s) + log2_regret(n, levels * product) - log2_regret(n, product)


def sparse_qnml(y: list, s: list, levels: int, product: int, sample_size: float) -> float:
    n, cells, strata = len(y), len(set(zip(y, s, strict=True))), len(set(s))

    def bits(regret: float) -> float:
        places = cells * math.log2(levels * product / cells) - strata * math.log2(product / strata)
        return conditional_entropy(y, s) + regret + places + 2 * math.log2(1 + levels * strata - cells)

    regret = log2_regret(n, cells) - log2_regret(n, strata)
    explains_nothing = strata > 1 and bits(regret) >= n * math.log2(levels)
    return bits(max(regret, log2_regret(n, levels)) if explains_nothing else regret)


def bdeu(y: list, s: list, levels: int, product: int, sample_size: float) -> float:
    a, terms = sample_size / product, []
    for rows in groups(y, s).values():
        terms += [math.lgamma(a + len(rows)) - math.lgamma(a)]
        terms += [math.lgamma(a / levels) - math.lgamma(a / levels + count) for count in Counter(rows).values()]
    return math.fsum(terms) / math.log(2)


def bic(y: list, s: list, levels: int, product: int, sample_size: float) -> float:
    return conditional_entropy(y, s) + 0.5 * math.log2(len(y)) * (levels - 1) * product


FORMULAS: Mapping[str, Callable[[list, list, int, int, float], float]] = {
    "fnml": fnml, "qnml": qnml, "sparse_qnml": sparse_qnml, "bdeu": bdeu, "bic": bic,
}  # fmt: skip


def local_score(
    name: str,
    y: Sequence,
    parents: Columns,
    weights: Sequence[int] | None = None,
    sample_size: float = 1,
) -> tuple[float, int]:
    """The bits of y given its parents, over the rows that miss none of them, and the number of these rows."""
    rows = complete_rows([y], [y], parents, weights)
    if not rows:
        return 0.0, 0
    ys, zs = [row[0] for row in rows], [row[2] for row in rows]
    product = math.prod(domain_size([column], weights) for column in parents)
    return FORMULAS[name](ys, zs, domain_size([y], weights), product, sample_size), len(rows)


def total_score(
    name: str, columns: Mapping[str, Sequence], parents: Mapping[str, Sequence[str]], structure: bool
) -> float:
    """The bits of a DAG: local scores scaled to all values of the variable, with the charge for rows in which parents
    have no value, and with the structure code if asked for."""
    total = 0.0
    for y, chosen in parents.items():
        bits, rows = local_score(name, columns[y], [columns[parent] for parent in chosen])
        observed = sum(value is not None for value in columns[y])
        total += bits * observed / rows + 4 * math.sqrt(observed * (observed - rows) / rows) if rows else 0.0
        total += math.log2(math.comb(len(columns) - 1, len(chosen))) if structure else 0.0
    return total
