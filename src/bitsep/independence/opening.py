"""The engine that data, a test and its options describe."""

from __future__ import annotations

from typing import Any

from bitsep.counting import Counter
from bitsep.data.contract import EncodedData
from bitsep.data.discretization.discrete import discrete
from bitsep.errors import ArgumentError
from bitsep.independence.criterion import IndependenceCriterion, is_criterion
from bitsep.independence.engines.base import Engine
from bitsep.independence.engines.native import NativeEngine
from bitsep.independence.engines.oracle import Oracle, OracleEngine
from bitsep.independence.engines.passes import CriterionEngine, PassesEngine
from bitsep.independence.permutations import Permutations
from bitsep.independence.tests import checked_alpha, resolve_method


def open_engine(
    data: Any,
    method: str | IndependenceCriterion = "sci_f",
    alpha: float | None = None,
    threads: int | None = None,
    min_effect: float = 0.0,
    permuted: Permutations | None = None,
    **options: Any,
) -> Engine:
    """An engine that answers questions about all columns of `data`.

    Parameters
    ----------
    data : table-like, Table, Scan, Spark data frame or Oracle
        The data, as for `independence_test`.
    method : str or IndependenceCriterion
        The test.
    alpha : float, optional
        The significance level.
    threads : int, optional
        The number of threads; default: all cores.
    min_effect : float
        The bits per row by which the threshold of the test is raised.
    permuted : Permutations, optional
        Make permutation tests.
    **options
        Options of the method: ``threshold``, ``z_size``, ``xy_size``, ``min_rows_per_df``.
    """
    if isinstance(data, Oracle):
        no_permutations_of_an_oracle(permuted)
        return OracleEngine(data, threads)
    source = discrete(data, threads=threads)
    return engine_on(source.counter(threads), method, alpha, threads, options, source, min_effect, permuted)


def engine_on(
    counter: Counter,
    method: str | IndependenceCriterion,
    alpha: float | None,
    threads: int | None,
    options: dict[str, Any],
    data: EncodedData | None = None,
    min_effect: float = 0.0,
    permuted: Permutations | None = None,
) -> Engine:
    """An engine that answers from the counts of a counter; see `open_engine`."""
    if is_criterion(method):
        if (alpha is not None and permuted is None) or options:
            raise ArgumentError(
                f"method: alpha and options are for bitsep's own tests, got {method.name!r}.",
                hint="Give them to the test where it is made.",
            )
        return CriterionEngine(counter, method, data, min_effect, permuted, checked_alpha(alpha))
    chosen = resolve_method(method, alpha, options, min_effect, permuted)
    if counter.native is not None:
        return NativeEngine(counter, chosen, threads, data)
    return PassesEngine(counter, chosen, data)


def no_permutations_of_an_oracle(permuted: Permutations | None) -> None:
    """Refuse permutation tests by d-separation."""
    if permuted is not None:
        raise ArgumentError("permutations: an oracle has no data to permute, so it must be None.")
