"""The public functions: one test, many tests, and separators."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bitsep.checks import integer, listed
from bitsep.counting import Counter
from bitsep.data.contract import EncodedData
from bitsep.data.discretization.discrete import discrete
from bitsep.data.missing_level import checked_missing_as_level, with_missing_level
from bitsep.data.profile import unsuitable_columns
from bitsep.data.profile.kinds import FEW_LEVELS
from bitsep.errors import ArgumentError, DataError
from bitsep.figures import shown_p
from bitsep.independence.adjustment import Adjustment, adjusted_results, checked_adjustment
from bitsep.independence.arguments import check_roles, merged_names, names_of, require_known
from bitsep.independence.criterion import IndependenceCriterion
from bitsep.independence.engines.base import Engine, Queries, Ragged, Tasks
from bitsep.independence.engines.oracle import Oracle, OracleEngine
from bitsep.independence.opening import engine_on, no_permutations_of_an_oracle, open_engine
from bitsep.independence.permutations import Permutations
from bitsep.independence.result import IndependenceResult
from bitsep.naming import Name, shown_names
from bitsep.progress import ProgressCallback, reporter

Query = tuple[Name, Name, Sequence[Name]]


def independence_test(
    data: Any,
    x: Name | Sequence[Name],
    y: Name | Sequence[Name],
    given: Name | Sequence[Name] = (),
    method: str | IndependenceCriterion = "sci_f",
    alpha: float | None = None,
    threads: int | None = None,
    missing_as_level: Any = False,
    discretize: Any = None,
    permutations: int | None = None,
    seed: int = 0,
    sequential: bool = False,
    **options: Any,
) -> IndependenceResult:
    """Test whether X and Y are independent given Z.

    Parameters
    ----------
    data : table-like
        A pandas, polars or Arrow table, a dict of columns, a 2-D NumPy array (columns named 0, 1, …), a path to a CSV,
        Parquet, Feather, JSON-lines or Excel file, a `bitsep.Table`, a scan, a Spark data frame, or a `bitsep.Oracle`.
    x, y : name, or list of names
        The variables X and Y; several columns are merged into one variable.
    given : name or list of names
        The conditioning set; default: empty. Repeated names count once.
    method : str or IndependenceCriterion
        The name of a test, or a test written in Python. `bitsep.independence.METHODS` has all names with titles and
        options.
    alpha : float, optional
        The significance level of tests that have one (default: .05). For a SCI test it adds −log2 alpha bits to the
        threshold (the paper's sparsification; default: none). ``jic`` and ``cmi`` do not use it.
    threads : int, optional
        The number of threads for data that are counted in passes; default: all cores.
    missing_as_level : bool, name or names
        Columns of the test whose missing values are a level of their own, shown as ⟨missing⟩: True for all.
    discretize : str or mapping, optional
        How numeric columns are divided into intervals: ``"auto"`` or another method of `bitsep.discretize`, for all
        columns that look continuous or by column. By default such columns are an error.
    permutations : int, optional
        Compare the score of the test with those of this many tables drawn at random with the same margins in every
        stratum: `p_value` is (1 + tables with a score at least as high) / (1 + tables drawn), and the verdict is
        "dependent" if it is at most alpha (default: .05). For every test, also those without a p-value of their own.
    seed : int
        Of the random tables.
    sequential : bool
        With `permutations`: stop drawing once the verdict is certain to be "independent". The verdict is the same, and
        the p-value valid but less precise.
    **options
        Options of the test: ``threshold`` (cmi, bits per row), ``z_size`` ("observed" or "product"), ``xy_size``
        (sci_fs, "product" or "observed"), ``min_rows_per_df`` (tests with degrees of freedom: with fewer rows than this
        times df the verdict is "independent").

    Returns
    -------
    IndependenceResult

    Raises
    ------
    UnknownColumnError
        If the data do not have a variable.
    UnknownMethodError, ArgumentError
        If the method is unknown, x, y and given overlap, or an argument has a value that is not allowed.
    UnsupportedTypeError, DataError, ReadError
        If the data cannot be read, have no rows, or have a column that looks continuous.

    Notes
    -----
    Rows with a missing value in X, Y or Z are left out of this test; `n` is the number of rows used.

    References
    ----------
    Marx & Vreeken, Testing Conditional Independence on Discrete Data using Stochastic Complexity, AISTATS (2019).

    Examples
    --------
    >>> import bitsep
    >>> data = bitsep.load_network("asia").sample(2000, seed=1)
    >>> r = bitsep.independence_test(data, "xray", "smoke")
    >>> r.verdict, r.score_bits > 0
    ('dependent', True)
    >>> bitsep.independence_test(data, "xray", "smoke", given=["either"]).verdict
    'independent'
    >>> bitsep.independence_test(data, "xray", "smoke", permutations=999).p_value
    0.001
    """
    drawn = Permutations.of(permutations, seed, sequential)
    known: Collection[Name] = ()
    if isinstance(data, Oracle):
        known = data.variables
    elif isinstance(data, EncodedData):
        known = data.names
    group_x, group_y = merged_names(x, "x", known), merged_names(y, "y", known)
    chosen = names_of(given, known)
    check_roles(group_x, group_y, chosen)
    wanted = [*group_x, *group_y, *chosen]
    a, b = (group[0] if len(group) == 1 else tuple(group) for group in (group_x, group_y))
    merged = [*group_x, *group_y] != [a, b]
    if isinstance(data, Oracle):
        if merged:
            raise ArgumentError("x, y: an oracle answers for single variables, so each must be one name.")
        require_known(wanted, known)
        no_permutations_of_an_oracle(drawn)
        engine: Engine = OracleEngine(data, threads=1)
    else:
        source = discrete(data, wanted, discretize, threads)
        require_known(wanted, source.names)
        levels = checked_missing_as_level(missing_as_level)
        for name in () if isinstance(levels, bool) else levels:
            if name not in wanted:
                raise ArgumentError(f"missing_as_level: must name columns of the test, got {name!r}.")
        if levels:
            source = with_missing_level(source.select(wanted), levels)
        counter: Counter = source.counter(threads)
        counter = counter.merged([a, b, *chosen]) if merged else counter
        engine = engine_on(counter, method, alpha, 1, options, source, permuted=drawn)
    i, j = engine.places[a], engine.places[b]
    z = [engine.places[name] for name in chosen]
    record = engine.evaluate(_batch([(i, j, z)]))[0]
    result = engine.result(i, j, z, record)
    if isinstance(data, Oracle):
        return result
    if result.n == 0:
        raise DataError(f"data: no row has a value in all of {', '.join(map(repr, wanted))}.")
    warnings = _column_warnings(source, wanted, threads)
    if result.cmi_bits == 0:
        warnings += _constant_warnings(counter, {i: group_x, j: group_y}, z)
    if result.method == "cmi" and "threshold" not in options and drawn is None:
        warnings += (
            "cmi without a threshold calls all variables dependent; give threshold= (--option threshold=0.01).",
        )
    if drawn is not None and result.alpha is not None and not drawn.can_reject(result.alpha):
        warnings += (
            f"{drawn.draws} permutations give no p-value below {shown_p(drawn.least_p_value)}, so with alpha = "
            f"{result.alpha:g} the verdict is always independent.",
        )
    return replace(result, warnings=warnings) if warnings else result


def _column_warnings(data: EncodedData, columns: Iterable[Name], threads: int | None) -> tuple[str, ...]:
    """Warnings about the columns of a test that would be left out of a search; those with few levels do no harm."""
    many = [name for name in columns if data.n_levels(name) > FEW_LEVELS]
    alerts = unsuitable_columns(data, threads, many) if many else ()
    return tuple(f"{alert.message} The verdict may mean little." for alert in alerts)


def _constant_warnings(
    counter: Counter, variables: Mapping[int, Sequence[Name]], given: Sequence[int]
) -> tuple[str, ...]:
    """Warnings about variables that have one level in the rows that have a value in all variables."""
    [joint] = counter.joint_counts([tuple(sorted({*variables, *given}))])
    codes, counts = joint.occupied()
    constant = [names for v, names in variables.items() if len(np.unique(codes[joint.variables.index(v)])) == 1]
    used = f"the {counts.sum():,} rows" if counts.sum() > 1 else "the row"
    return tuple(sorted(f"{shown_names(names, '')} has only one level in {used} used." for names in constant))


def evaluate(
    data: Any,
    queries: Iterable[Query],
    method: str | IndependenceCriterion = "sci_f",
    alpha: float | None = None,
    threads: int | None = None,
    progress: bool | ProgressCallback = False,
    adjust: Adjustment | None = None,
    missing_as_level: Any = False,
    discretize: Any = None,
    permutations: int | None = None,
    seed: int = 0,
    sequential: bool = False,
    **options: Any,
) -> list[IndependenceResult]:
    """Make many tests in one call.

    Parameters
    ----------
    data : table-like, Table or Oracle
        The data, as for `independence_test`.
    queries : iterable of (x, y, given)
        The tests; `given` is a sequence of names.
    method, alpha
        The test, as for `independence_test`.
    threads : int, optional
        The number of threads; default: all cores. The results do not depend on it.
    progress : bool or callable
        True shows a progress bar in a terminal or a notebook; a callable is called with (stage, finished, total).
    adjust : {"bh", "by", "holm"}, optional
        Adjust the p-values for the number of tests; the adjusted p-values decide the verdicts. "bh" (Benjamini &
        Hochberg) and "by" (Benjamini & Yekutieli) keep the expected share of independent pairs among those called
        dependent, the false discovery rate, at or below alpha: "by" for any tests, "bh" if the tests are independent or
        positively dependent. "holm" keeps the probability of a single such error at or below alpha. All this holds as
        far as the p-values themselves do.
    missing_as_level : bool, name or names
        Columns whose missing values are a level of their own, shown as ⟨missing⟩: True for all.
    discretize : str or mapping, optional
        As for `independence_test`.
    permutations, seed, sequential
        As for `independence_test`.
    **options
        As for `independence_test`.

    Returns
    -------
    list of IndependenceResult
        The results in the order of the queries.

    Raises
    ------
    ArgumentError
        If a query is not (x, y, given), or `adjust` is unknown or used with a test without p-values.
    BitsepError
        As for `independence_test`.

    Examples
    --------
    >>> import bitsep
    >>> data = bitsep.load_network("asia").sample(2000, seed=1)
    >>> [r.verdict for r in bitsep.evaluate(data, [("xray", "smoke", ()), ("xray", "smoke", ("either",))])]
    ['dependent', 'independent']
    >>> pairs = [("xray", "smoke", ()), ("xray", "asia", ()), ("smoke", "asia", ())]
    >>> [round(r.adjusted_p_value, 3) for r in bitsep.evaluate(data, pairs, method="x2_calibrated", adjust="by")]
    [0.0, 1.0, 0.967]
    """
    drawn = Permutations.of(permutations, seed, sequential)
    wanted = checked_adjustment(adjust, method, by_permutation=drawn is not None)
    prepared = _prepared(data, discretize, missing_as_level, threads)
    engine = open_engine(prepared, method, alpha, threads, permuted=drawn, **options)
    index = engine.places
    indices = [_indices(query, index) for query in listed("queries", queries, "queries (x, y, given)")]
    with reporter(progress) as report:
        records = engine.evaluate(_batch(indices), report.stage("tests"))
    results = [engine.result(a, b, z, record) for (a, b, z), record in zip(indices, records, strict=True)]
    return results if wanted is None else adjusted_results(results, wanted)


@dataclass(frozen=True, slots=True)
class Separation:
    """A conditioning set that separates a pair, and the tests made for the pair.

    Attributes
    ----------
    given : tuple of names
        The separator.
    result : IndependenceResult
        The test that found it.
    runner_up : IndependenceResult or None
        Of the other tests made for the pair, the one with the lowest score.
    tests_run : int
        The number of tests made for the pair.

    Examples
    --------
    >>> import bitsep
    >>> data = bitsep.load_network("asia").sample(2000, seed=1)
    >>> [s] = bitsep.separate(data, [("xray", "smoke", ("either", "dysp"))])
    >>> s.given, round(s.margin_bits, 2), s.runner_up.given
    (('either',), 2.32, ('dysp',))
    """

    given: tuple[Name, ...]
    result: IndependenceResult
    runner_up: IndependenceResult | None
    tests_run: int

    @property
    def margin_bits(self) -> float:
        """By how much the score is below zero."""
        return -self.result.score_bits


def separate(
    data: Any,
    tasks: Iterable[tuple[Name, Name, Sequence[Name]]],
    max_given: int | None = None,
    method: str | IndependenceCriterion = "sci_f",
    alpha: float | None = None,
    threads: int | None = None,
    progress: bool | ProgressCallback = False,
    missing_as_level: Any = False,
    discretize: Any = None,
    **options: Any,
) -> list[Separation | None]:
    """Find for each (x, y, pool) the first subset of the pool that separates x and y, by size and then by name.

    Parameters
    ----------
    data : table-like, Table or Oracle
        The data, as for `independence_test`.
    tasks : iterable of (x, y, pool)
        Pairs of variables, each with the variables from which its conditioning sets are taken.
    max_given : int, optional
        The largest size of subsets; default: the size of the pool.
    method, alpha, threads, progress, missing_as_level, discretize, **options
        As for `evaluate`.

    Returns
    -------
    list of Separation or None
        The separators in the order of the tasks; None if no subset separates the pair.

    Examples
    --------
    >>> import bitsep
    >>> data = bitsep.load_network("asia").sample(2000, seed=1)
    >>> [found] = bitsep.separate(data, [("xray", "smoke", ("either", "dysp"))])
    >>> found.given
    ('either',)
    """
    limit = None if max_given is None else integer("max_given", max_given, at_least=0)
    engine = open_engine(_prepared(data, discretize, missing_as_level, threads), method, alpha, threads, **options)
    index = engine.places
    indices = [_indices(task, index) for task in listed("tasks", tasks, "tasks (x, y, pool)")]
    batch = _batch(indices)
    largest = max((len(pool) for _, _, pool in indices), default=0)
    sizes = largest if limit is None else min(limit, largest)
    with reporter(progress) as report:
        found = engine.separate(Tasks(batch.x, batch.y, batch.given, max_size=sizes), report.stage("separators"))
    answers: list[Separation | None] = []
    for i, (a, b, _) in enumerate(indices):
        if not found.separated[i]:
            answers.append(None)
            continue
        result = engine.result(a, b, found.given[i], found.record[i])
        runner_up = None
        if found.has_runner_up[i]:
            runner_up = engine.result(a, b, found.runner_up[i], found.runner_up_record[i])
        answers.append(Separation(result.given, result, runner_up, int(found.tests[i])))
    return answers


def _prepared(data: Any, discretize: Any, missing_as_level: Any, threads: int | None) -> Any:
    """The data of tests, discretized, with missing values as a level where that is wanted; an oracle has none."""
    levels = checked_missing_as_level(missing_as_level)
    if isinstance(data, Oracle):
        return data
    return with_missing_level(discrete(data, discretize=discretize, threads=threads), levels)


def _indices(query: Any, index: Mapping[Name, int]) -> tuple[int, int, list[int]]:
    """The variables of a query by index, in the order given."""
    if not isinstance(query, (tuple, list)) or len(query) != 3:
        raise ArgumentError(f"queries: each must be (x, y, given), got {query!r}.")
    x, y, given = query
    chosen = names_of(given, index)
    check_roles([x], [y], chosen)
    require_known([x, y, *chosen], index)
    return index[x], index[y], [index[name] for name in chosen]


def _batch(queries: Sequence[tuple[int, int, Sequence[int]]]) -> Queries:
    """The queries for an engine, each in ascending order of the indices."""
    return Queries(
        np.array([min(x, y) for x, y, _ in queries], dtype=np.int32),
        np.array([max(x, y) for x, y, _ in queries], dtype=np.int32),
        Ragged.of([sorted(given) for _, _, given in queries]),
    )
