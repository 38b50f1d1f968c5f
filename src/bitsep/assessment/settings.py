"""`bitsep.compare_settings`: which search, test or score suits the data."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bitsep.checking import check
from bitsep.checks import integer, shown
from bitsep.data.table import Table
from bitsep.discovery import Discovery
from bitsep.discovery.arguments import usable_data
from bitsep.discovery.columns import ColumnChoice
from bitsep.discovery.recommended import discover
from bitsep.errors import ArgumentError, DataError, UnsupportedTypeError
from bitsep.graphs import DAG
from bitsep.naming import Name
from bitsep.networks import Network
from bitsep.progress import ProgressCallback, reporter

if TYPE_CHECKING:
    import pandas as pd

Integers = npt.NDArray[np.int64]

_OF_THE_DATA = ("data", "discretize", "missing_as_level", "keep", "exclude")
_OF_THE_RUN = ("threads", "progress", "checkpoint", "bootstrap")
_MOST_DRAWN = 10**9  # rows from which NumPy can draw without replacement
_ERRORS = 2.0  # standard errors of a difference up to which the data cannot tell


@dataclass(frozen=True, slots=True)
class SettingResult:
    """How well a candidate does on rows that it was not given.

    Attributes
    ----------
    label : str
        The candidate.
    bits_per_row : float
        The code length of held-out rows, with probabilities from the other rows; infinite if no network can be fitted,
        because a table would be too large, or no row has values in a variable and all its parents.
    difference : float
        By how many bits per row that is longer than for the best candidate.
    error : float
        The standard error of the difference.
    tied : bool
        Whether the data cannot tell it from the best candidate.
    stability : float
        The mean share of edges that the graphs of two folds have in common, of the edges that either has.
    fits : float
        The share of the folds in which held-out rows do not refute the graph (`check`).
    edges : float
        The mean number of edges.
    """

    label: str
    bits_per_row: float
    difference: float
    error: float
    tied: bool
    stability: float
    fits: float
    edges: float


@dataclass(frozen=True, repr=False)
class SettingsComparison:
    """Candidates, the best first.

    Attributes
    ----------
    results : tuple of SettingResult
        One for every candidate: by the code length of held-out rows; those that are tied with the best come first, the
        most stable of them at the top, and of equally stable ones that with the shortest code.
    folds, rows : int
        The number of parts, and of rows.
    """

    results: tuple[SettingResult, ...]
    folds: int
    rows: int

    @property
    def best(self) -> str:
        """The label of the first candidate."""
        return self.results[0].label

    @property
    def tied(self) -> tuple[str, ...]:
        """The labels of the candidates that the data cannot tell from the best one, with that one."""
        return tuple(one.label for one in self.results if one.tied)

    @property
    def frame(self) -> pd.DataFrame:
        """One line per candidate, the best first."""
        import pandas as pd

        names = SettingResult.__slots__
        return pd.DataFrame([[getattr(one, name) for name in names] for one in self.results], columns=pd.Index(names))

    @property
    def sentence(self) -> str:
        """The result in a sentence."""
        if len(self.results) == 1:
            return f"{self.best} is the only candidate."
        if len(self.tied) == 1:
            second = min((one for one in self.results if not one.tied), key=lambda one: one.difference)
            if math.isinf(second.difference):
                return f"{self.best} is best: no network can be fitted to the graphs of the others."
            return (
                f"{self.best} is best: it saves {second.difference:.4f} ± {second.error:.4f} bits per held-out row "
                f"compared with {second.label}."
            )
        first, *others = (one for one in self.results if one.tied)
        reason = "has the shortest code" if others[0].stability == first.stability else "is the most stable"
        if len(self.tied) == len(self.results):
            return f"The data cannot tell the {len(self.results)} candidates apart; {self.best} {reason}."
        return f"The data cannot tell {', '.join(self.tied)} apart; {self.best} {reason} of them."

    def __repr__(self) -> str:
        return f"<SettingsComparison: {len(self.results)} candidates, best {self.best!r}, {len(self.tied)} tied>"

    def __str__(self) -> str:
        return f"{self.sentence}\n{self.frame.round(4).to_string(index=False)}"


def compare_settings(
    data: Any,
    candidates: Any,
    folds: int = 5,
    seed: int = 0,
    threads: int | None = None,
    progress: bool | ProgressCallback = False,
) -> SettingsComparison:
    """Compare searches, tests and scores by what their graphs say about rows that they were not given.

    Parameters
    ----------
    data : table, path, Table
        Any data in memory that `discover` accepts; numeric columns are divided into intervals automatically.
    candidates : list or mapping
        What to compare: each a mapping of arguments of `discover`, or the name of a search. A mapping of candidates
        gives them labels.
    folds : int
        The number of parts of the rows; each is held out once.
    seed : int
        The seed for the division of the rows, and of the searches.
    threads : int, optional
        The number of threads; default: all cores. The result does not depend on it.
    progress : bool or callable
        True shows a progress bar if stderr is a terminal; a callable is called with (stage, finished, total).

    Returns
    -------
    SettingsComparison
        The candidates, the best first, and which of them the data cannot tell apart.

    Raises
    ------
    ArgumentError
        If there are no candidates, two have the same label, one has arguments that concern the data or is `fci`, or
        folds is below 2.
    DataError
        If the data have fewer rows than two per fold, or are not in memory, or no network can be fitted to the graphs
        of any candidate.

    Notes
    -----
    For each fold, a graph is searched in the other rows, its probabilities are estimated there, and the code length of
    the held-out rows is computed (`Network.log2_likelihood`). Candidates whose difference to the best one is at most
    two standard errors are *tied*; the error takes into account that the folds share rows (Nadeau & Bengio 2003).

    Examples
    --------
    >>> import bitsep
    >>> rows = bitsep.load_network("asia").sample(2000, seed=1)
    >>> c = bitsep.compare_settings(rows, ["boss", {"algorithm": "pc_stable", "method": "g2", "alpha": 0.2}])
    >>> c.best
    'boss'
    """
    named = _labeled(candidates)
    folds = integer("folds", folds, at_least=2)
    seed = integer("seed", seed, at_least=0)
    table, _ = usable_data(data, "auto", ColumnChoice(), (), threads)
    if not isinstance(table, Table):
        raise DataError(f"data: must be in memory for a comparison of settings, got {type(table).__name__}.")
    if table.n < 2 * folds:
        raise DataError(f"data: must have at least {2 * folds} rows for {folds} folds, got {table.n}.")
    levels = {name: list(range(table.n_levels(name))) for name in table.names}
    splits = [(_rows(table, train), _rows(table, held_out)) for train, held_out in _divided(table, folds, seed)]
    bits: dict[str, list[float]] = {label: [] for label in named}
    found: dict[str, list[Discovery]] = {label: [] for label in named}
    fits: dict[str, list[bool]] = {label: [] for label in named}
    with reporter(progress) as report:
        step = report.stage("folds")
        for k, (train, held_out) in enumerate(splits):
            for j, (label, arguments) in enumerate(named.items()):
                if step is not None:
                    step(k * len(named) + j, folds * len(named))
                options = {"seed": seed, **arguments, "discretize": None, "keep": table.names, "threads": threads}
                d = discover(train, **options)
                bits[label].append(_bits_per_row(d.to_dag(), train, held_out, levels, threads))
                fits[label].append(check(d.to_dag(), held_out, threads=threads).fits)
                found[label].append(d)
    return SettingsComparison(_ranked(bits, found, fits, folds), folds, table.n)


def _labeled(candidates: Any) -> dict[str, dict[str, Any]]:
    """The candidates by label, checked."""
    if isinstance(candidates, Mapping):
        items = [(str(label), _arguments(one)) for label, one in candidates.items()]
    elif isinstance(candidates, Sequence) and not isinstance(candidates, str | bytes):
        items = [(_label(arguments), arguments) for arguments in map(_arguments, candidates)]
    else:
        raise UnsupportedTypeError(
            f"candidates: must be a list or a mapping of candidates, got {type(candidates).__name__}."
        )
    if not items:
        raise ArgumentError("candidates: must have at least one candidate, got none.")
    if len(dict(items)) < len(items):
        raise ArgumentError(
            "candidates: must be different, got two that are the same.",
            hint="Give a mapping from labels to candidates.",
        )
    return dict(items)


def _arguments(candidate: Any) -> dict[str, Any]:
    if isinstance(candidate, str):
        return _without_fci({"algorithm": candidate})
    if not isinstance(candidate, Mapping):
        raise UnsupportedTypeError(
            f"candidates: each must be the name of a search or a mapping of arguments, got {shown(candidate)}."
        )
    for name in candidate:
        if name in _OF_THE_DATA or name in _OF_THE_RUN:
            raise ArgumentError(
                f"candidates: must have arguments of a search only, got {name!r}, which all candidates share.",
                hint="Prepare the data before the comparison."
                if name in _OF_THE_DATA
                else "Leave it out; compare_settings has arguments threads and progress of its own.",
            )
    return _without_fci(dict(candidate))


def _without_fci(arguments: dict[str, Any]) -> dict[str, Any]:
    if arguments.get("algorithm") == "fci":
        raise ArgumentError(
            "candidates: must be searches without hidden variables, got 'fci'.",
            hint="A PAG does not say how likely rows are.",
        )
    return arguments


def _label(arguments: Mapping[str, Any]) -> str:
    options = ", ".join(f"{name}={value}" for name, value in arguments.items() if name != "algorithm")
    name = arguments.get("algorithm") or "discover"
    return f"{name} ({options})" if options else str(name)


def _divided(table: Table, folds: int, seed: int) -> Iterator[tuple[Integers, Integers]]:
    """How often each row is in the training data and in the held-out data of each fold; a weight stands for rows."""
    rng = np.random.default_rng(seed)
    if table.weights is None:
        part = rng.permutation(table.n_rows) % folds
        for k in range(folds):
            yield (part != k).astype(np.int64), (part == k).astype(np.int64)
        return
    if table.n >= _MOST_DRAWN:  # the rows are then divided independently, which gives nearly equal parts
        for held_out in rng.multinomial(table.weights, np.full(folds, 1 / folds)).T:
            yield table.weights - held_out, held_out
        return
    left = table.weights.astype(np.int64)
    for k in range(folds):
        size = table.n // folds + (k < table.n % folds)
        held_out = rng.multivariate_hypergeometric(left, size, method="marginals")
        yield table.weights - held_out, held_out
        left -= held_out


def _rows(table: Table, weights: Integers) -> Table:
    """The rows with a weight; levels are numbered as in the whole table."""
    import pandas as pd

    kept = weights > 0
    columns = {
        name: pd.Categorical.from_codes(table.codes(name)[kept], categories=pd.RangeIndex(table.n_levels(name)))
        for name in table.names
    }
    return Table(pd.DataFrame(columns), weights=None if table.weights is None else weights[kept])


def _bits_per_row(
    dag: DAG, train: Table, held_out: Table, levels: Mapping[Name, Sequence[int]], threads: int | None
) -> float:
    """The code length of the held-out rows; infinite if no network can be fitted to the graph."""
    try:
        network = Network.fit(dag, train, levels=levels, threads=threads)
        return -network.log2_likelihood(held_out, threads=threads) / held_out.n
    except (ArgumentError, DataError):  # a table would be too large, or no row has values in a family
        return math.inf


def _ranked(
    bits: Mapping[str, Sequence[float]],
    found: Mapping[str, Sequence[Discovery]],
    fits: Mapping[str, Sequence[bool]],
    folds: int,
) -> tuple[SettingResult, ...]:
    shortest = min(bits, key=lambda label: math.fsum(bits[label]))
    if math.inf in bits[shortest]:
        raise DataError("data: must allow to fit a network to the graphs of a candidate, got none that do.")
    results = []
    for label, lengths in bits.items():
        mean, error = _difference(lengths, bits[shortest], folds)
        results.append(
            SettingResult(
                label=label,
                bits_per_row=float(np.mean(lengths)),
                difference=mean,
                error=error,
                tied=label == shortest or mean <= _ERRORS * error,
                stability=_stability(found[label]),
                fits=float(np.mean(fits[label])),
                edges=float(np.mean([len(d.skeleton) for d in found[label]])),
            )
        )
    return tuple(sorted(results, key=lambda one: (not one.tied, -one.stability * one.tied, one.bits_per_row)))


def _difference(lengths: Sequence[float], shortest: Sequence[float], folds: int) -> tuple[float, float]:
    """The mean difference per fold, and its standard error."""
    if math.inf in lengths:
        return math.inf, math.nan
    differences = np.array(lengths) - np.array(shortest)
    # The folds of a candidate share rows, so their mean varies more than that of independent samples.
    error = float(np.std(differences, ddof=1) * math.sqrt(1 / folds + 1 / (folds - 1)))
    return float(np.mean(differences)), error


def _stability(graphs: Sequence[Discovery]) -> float:
    """The mean share of the edges of two graphs that both have."""
    shares = []
    for one, other in combinations(graphs, 2):
        either = one.skeleton | other.skeleton
        shares.append(len(one.skeleton & other.skeleton) / len(either) if either else 1.0)
    return float(np.mean(shares))
