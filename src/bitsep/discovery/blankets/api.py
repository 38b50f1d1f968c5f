"""The public functions: one Markov blanket, all blankets, or only the neighbors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from bitsep.checks import integer, listed
from bitsep.data.profile import Alert
from bitsep.discovery.arguments import Preparation, engine_for, one_of
from bitsep.discovery.blankets.fast_iamb import speculative_association
from bitsep.discovery.blankets.grow_shrink import grow_then_shrink
from bitsep.discovery.blankets.hiton_mb import hiton_pc
from bitsep.discovery.blankets.iamb import incremental_association
from bitsep.discovery.blankets.inter_iamb import interleaved_association
from bitsep.discovery.blankets.lockstep import Answer, Lockstep, Scope
from bitsep.discovery.blankets.mmmb import mmpc
from bitsep.discovery.blankets.neighborhoods import Blanket, Find, blankets_from_neighborhoods, confirmed
from bitsep.discovery.blankets.pcmb import get_pcd
from bitsep.discovery.blankets.result import MarkovBlanket, MemberEvidence, MemberSupport
from bitsep.discovery.blankets.shrinking import blankets_from_members
from bitsep.discovery.blankets.support import member_support
from bitsep.discovery.blankets.warnings import small_sample_warnings, warnings_of_blankets
from bitsep.discovery.bootstrap import each_sample
from bitsep.discovery.columns import ColumnChoice
from bitsep.discovery.limits import DEFAULT_MIN_ROWS_SHARE, Limits
from bitsep.independence.arguments import hashable
from bitsep.independence.engines.base import Engine
from bitsep.independence.result import IndependenceResult
from bitsep.naming import Name, unknown_column
from bitsep.progress import SILENT, ProgressCallback, reporter

ALGORITHMS: dict[str, Callable[[Lockstep, Sequence[int]], dict[int, Blanket]]] = {
    "pcmb": partial(blankets_from_neighborhoods, get_pcd),
    "grow_shrink": partial(blankets_from_members, grow_then_shrink),
    "iamb": partial(blankets_from_members, incremental_association),
    "inter_iamb": partial(blankets_from_members, interleaved_association),
    "fast_iamb": partial(blankets_from_members, speculative_association),
    "mmmb": partial(blankets_from_neighborhoods, mmpc),
    "hiton_mb": partial(blankets_from_neighborhoods, hiton_pc),
}
"""The algorithms that find Markov blankets, by name."""

NEIGHBOR_ALGORITHMS: dict[str, Find] = {"pcmb": get_pcd, "mmpc": mmpc, "hiton_pc": hiton_pc}
"""The algorithms that find neighbors, by name."""


def markov_blanket(
    data: Any,
    target: Name,
    algorithm: str = "pcmb",
    method: Any = "sci_f",
    alpha: float | None = None,
    max_given: int | None = None,
    threads: int | None = None,
    progress: bool | ProgressCallback = False,
    keep: Any = None,
    exclude: Any = None,
    min_rows_share: float = DEFAULT_MIN_ROWS_SHARE,
    min_effect: float = 0.0,
    missing_as_level: Any = False,
    discretize: Any = None,
    bootstrap: int = 0,
    seed: int = 0,
    **options: Any,
) -> MarkovBlanket:
    """Find the Markov blanket of one variable: its parents, its children, and their other parents.

    Parameters
    ----------
    data : table, path, Table, Oracle
        Any data that `independence_test` accepts, or an `Oracle` that answers from a known graph.
    target : name
        The variable whose blanket is searched for.
    algorithm : {"pcmb", "grow_shrink", "iamb", "inter_iamb", "fast_iamb", "mmmb", "hiton_mb"}
        The search algorithm. "mmmb" and "hiton_mb" include the symmetry correction; as first published they are wrong
        even with a perfect test.
    method, alpha
        The test of independence, as for `independence_test`.
    max_given : int, optional
        The largest size of conditioning sets in searches through subsets. Algorithms of the IAMB family condition on
        the whole blanket, whatever its size; there it limits the sets that distinguish neighbors from spouses.
    threads : int, optional
        The number of threads; default: all cores. The result does not depend on it.
    progress : bool or callable
        True shows a progress bar in a terminal or a notebook; a callable is called with (stage, finished, total).
    keep : name or names, optional
        Columns to use even if they cannot serve: identifiers, dates, free text and similar columns are left out
        (`MarkovBlanket.left_out`), unless they are kept or the target. See `describe`.
    exclude : name or names, optional
        Columns not to use.
    min_rows_share : float
        A column that has values in a smaller share of the rows is not used as a conditioning variable
        (`MarkovBlanket.restricted`); it can still be a member. 0 for no restriction.
    min_effect : float
        The bits per row that a dependence needs besides the threshold of the test.
    missing_as_level : bool, name or names
        Columns whose missing values are a level of their own, shown as ⟨missing⟩: True for all.
    discretize : str or mapping, optional
        How numeric columns are divided into intervals: ``"auto"`` or another method of `bitsep.discretize`, for all
        columns that look continuous or by column. By default such columns are an error. `MarkovBlanket.discretized` has
        the cut points.
    bootstrap : int
        The number of bootstrap samples, in which the occurrences of each member are counted (`MarkovBlanket.support`).
    seed : int
        The seed for bootstrap resampling.
    **options
        Options of the test, as for `independence_test`.

    Returns
    -------
    MarkovBlanket
        The blanket and its evidence; empty if the data have no other column.

    Raises
    ------
    UnknownColumnError
        If the data have no such variable.
    UnknownMethodError
        If the algorithm is unknown.

    See Also
    --------
    markov_blankets : the blankets of all variables in one call.

    Notes
    -----
    Dependence is measured by ``score_bits``; ties go by name. PCMB, MMMB and HITON-MB find neighbors first, then
    spouses among the neighbors of neighbors. Grow-Shrink and the IAMB family find the blanket as a whole; a member is
    then a neighbor if no subset of the rest of the target's blanket (or of the member's blanket, if that is smaller)
    separates the two.

    Examples
    --------
    >>> import bitsep
    >>> m = bitsep.markov_blanket(bitsep.load_network("alarm").sample(5000, seed=1), "CO")
    >>> m.neighbors, m.spouses
    (('BP', 'HR', 'STROKEVOLUME'), ('TPR',))
    >>> m.evidence["TPR"].child
    'BP'
    """
    blankets = markov_blankets(
        data, algorithm, method, alpha, max_given, threads, progress, targets=[target], keep=keep, exclude=exclude,
        min_rows_share=min_rows_share, min_effect=min_effect, missing_as_level=missing_as_level,
        discretize=discretize, bootstrap=bootstrap, seed=seed, **options,
    )  # fmt: skip
    return blankets[target]


def markov_blankets(
    data: Any,
    algorithm: str = "pcmb",
    method: Any = "sci_f",
    alpha: float | None = None,
    max_given: int | None = None,
    threads: int | None = None,
    progress: bool | ProgressCallback = False,
    targets: Iterable[Name] | None = None,
    keep: Any = None,
    exclude: Any = None,
    min_rows_share: float = DEFAULT_MIN_ROWS_SHARE,
    min_effect: float = 0.0,
    missing_as_level: Any = False,
    discretize: Any = None,
    bootstrap: int = 0,
    seed: int = 0,
    **options: Any,
) -> dict[Name, MarkovBlanket]:
    """Find the Markov blankets of all variables (or of `targets`) in one call.

    The searches run in parallel and share common work; each blanket equals that of `markov_blanket`.

    Parameters
    ----------
    data, algorithm, method, alpha, max_given, threads, progress
        As for `markov_blanket`.
    targets : iterable of names, optional
        The variables whose blankets are searched for; default: all.
    keep : name or names, optional
        As for `markov_blanket`; targets are kept.
    exclude : name or names, optional
        As for `markov_blanket`.
    min_rows_share, min_effect, missing_as_level, discretize, bootstrap, seed
        As for `markov_blanket`.
    **options
        As for `markov_blanket`.

    Returns
    -------
    dict
        The blanket of each variable, in canonical order.

    Raises
    ------
    UnknownColumnError
        If the data do not have a target.
    UnknownMethodError
        If the algorithm is unknown.

    Examples
    --------
    >>> import bitsep
    >>> blankets = bitsep.markov_blankets(bitsep.load_network("earthquake").sample(5000, seed=1))
    >>> blankets["Burglary"].members, blankets["JohnCalls"].members
    (('Alarm', 'Earthquake'), ('Alarm',))
    """
    one_of("algorithm", algorithm, ALGORITHMS)
    if max_given is not None:
        max_given = integer("max_given", max_given, at_least=0)
    bootstrap = integer("bootstrap", bootstrap, at_least=0)
    seed = integer("seed", seed, at_least=0)
    targets = None if targets is None else [hashable(name) for name in listed("targets", targets, "names")]
    columns = ColumnChoice.of(keep, exclude)
    limits = Limits.of(min_rows_share, min_effect, missing_as_level)
    engine, done = engine_for(data, method, alpha, threads, options, limits, discretize, columns, targets or ())
    restricted = limits.restricted(engine.data, "tests")
    numbers = _numbers(engine, targets)
    find = ALGORITHMS[algorithm]

    def search(sample: Engine) -> dict[int, Blanket]:
        return find(Lockstep(_scope(sample, max_given, restricted), SILENT), numbers)

    with reporter(progress) as report:
        blankets = find(Lockstep(_scope(engine, max_given, restricted), report), numbers)
        support = member_support(each_sample(engine, bootstrap, seed, search, report), bootstrap, engine.variables)
    warnings = warnings_of_blankets(
        engine, {t: sorted({*blankets[t].neighbors, *blankets[t].spouses}) for t in numbers}
    )
    return {
        engine.variables[t]: _named(
            engine, t, blankets[t], algorithm, done, restricted, support.get(t, {}), warnings.get(t, ())
        )
        for t in numbers
    }


def neighbors(
    data: Any,
    target: Name,
    algorithm: str = "pcmb",
    method: Any = "sci_f",
    alpha: float | None = None,
    max_given: int | None = None,
    threads: int | None = None,
    symmetric: bool = True,
    keep: Any = None,
    exclude: Any = None,
    min_rows_share: float = DEFAULT_MIN_ROWS_SHARE,
    min_effect: float = 0.0,
    missing_as_level: Any = False,
    discretize: Any = None,
    **options: Any,
) -> tuple[Name, ...]:
    """Find the parents and children of one variable.

    Parameters
    ----------
    algorithm : {"pcmb", "mmpc", "hiton_pc"}
        The search algorithm.
    symmetric : bool
        Keep a neighbor only if each finds the other. False gives the search as first published, which may return
        descendants that are not children, even with a perfect test.

    The other parameters are those of `markov_blanket`.
    """
    one_of("algorithm", algorithm, NEIGHBOR_ALGORITHMS)
    if max_given is not None:
        max_given = integer("max_given", max_given, at_least=0)
    columns = ColumnChoice.of(keep, exclude)
    limits = Limits.of(min_rows_share, min_effect, missing_as_level)
    engine, _ = engine_for(data, method, alpha, threads, options, limits, discretize, columns, [target])
    (number,) = _numbers(engine, [target])
    find = NEIGHBOR_ALGORITHMS[algorithm]
    lockstep = Lockstep(_scope(engine, max_given, limits.restricted(engine.data, "tests")), SILENT)
    found = lockstep.each(find, [number])[number].members
    if symmetric:
        found = confirmed(number, lockstep.each(find, [number, *found]))
    return tuple(engine.variables[v] for v in found)


def _scope(engine: Engine, max_given: int | None, restricted: Iterable[Alert]) -> Scope:
    return Scope(engine, max_given, frozenset(engine.places[alert.column] for alert in restricted))


def _numbers(engine: Engine, targets: Iterable[Name] | None) -> list[int]:
    if targets is None:
        return list(range(len(engine.variables)))
    index = engine.places
    numbers = set()
    for target in targets:
        if target not in index:
            raise unknown_column("target", target, engine.variables)
        numbers.add(index[target])
    return sorted(numbers)


def _named(
    engine: Engine,
    target: int,
    blanket: Blanket,
    algorithm: str,
    done: Preparation,
    restricted: tuple[Alert, ...],
    support: Mapping[Name, MemberSupport],
    warnings: tuple[str, ...],
) -> MarkovBlanket:
    names = engine.variables

    def result(v: int, answer: Answer) -> IndependenceResult:
        return engine.result(target, v, answer.given, answer.record)

    found = {v: MemberEvidence("neighbor", result(v, answer)) for v, answer in blanket.neighbors.items()}
    for v, (answer, child) in blanket.spouses.items():
        found[v] = MemberEvidence("spouse", result(v, answer), None if child is None else names[child])
    return MarkovBlanket(
        target=names[target],
        members=tuple(names[v] for v in sorted(found)),
        neighbors=tuple(names[v] for v in sorted(blanket.neighbors)),
        spouses=tuple(names[v] for v in sorted(blanket.spouses)),
        tests_run=blanket.tests,
        algorithm=algorithm,
        method=engine.method,
        evidence={names[v]: found[v] for v in sorted(found)},
        left_out=done.left_out,
        restricted=restricted,
        discretized=done.discretized,
        support=support,
        warnings=warnings + small_sample_warnings(found[v].result for v in sorted(found)),
    )
