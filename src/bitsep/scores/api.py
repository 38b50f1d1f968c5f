"""The score of a graph for data."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

from bitsep.checks import integer
from bitsep.data.discretization.discrete import discrete
from bitsep.data.load import encoded
from bitsep.data.prepared import cut_like, with_missing_level_like
from bitsep.errors import ArgumentError, DataError
from bitsep.graphs.dags import dag_of
from bitsep.naming import sorted_names, unknown_column
from bitsep.scores.families import observed_rows, score_families
from bitsep.scores.registry import resolve_score
from bitsep.scores.result import GraphScore
from bitsep.scores.structure import structure_bits


def score(
    data: Any,
    graph: Any,
    score: str | None = None,
    structure: bool = True,
    threads: int | None = None,
    discretize: Any = None,
    **options: Any,
) -> GraphScore:
    """The code length of data given a graph, in bits: the lower, the better the graph explains the data.

    Parameters
    ----------
    data : table, path, Table, scan, Spark data frame
        Any data that `independence_test` accepts. Columns that the graph does not have are ignored.
    graph : DAG, PDAG, Network or Discovery
        The graph. A PDAG is scored by one of its DAGs; with qnml, bdeu and bic, and without missing values, it does not
        matter by which.
    score : {"fnml", "qnml", "sparse_qnml", "bdeu", "bic"}, optional
        The score; default: sparse_qnml, the most accurate one in the accuracy benchmark.
    structure : bool
        Whether to add the structure code: for a variable with k parents among p variables the bits to say which ones,
        log2 binomial(p - 1, k).
    threads : int, optional
        The number of threads; default: all cores. The result does not depend on it.
    discretize : str or mapping, optional
        How numeric columns are divided into intervals, as for `independence_test`; by default as in the discovery, if
        the graph is one.
    **options
        Options of the score: ``sample_size`` (bdeu), the equivalent sample size, default 1, at most 10⁹.

    Returns
    -------
    GraphScore
        The total, and the bits of every variable given its parents.

    Raises
    ------
    ArgumentError
        If the score or an option is unknown, structure is neither True nor False, or the graph is a PDAG that
        represents no DAG.
    UnknownColumnError
        If the graph has a variable that the data do not have.
    DataError
        If no row has a value in a variable and all its parents.

    Notes
    -----
    With z the observed strata of the parents S, n_z their sizes, Ĥ the entropy of the counts and C(n, k) the regret of
    a multinomial with k values:

    - fnml: the sum over z of n_z Ĥ(y | z) + log2 C(n_z, \\|Y\\|);
    - qnml: n Ĥ(y | S) + log2 C(n, \\|Y\\| ∏\\|S\\|) - log2 C(n, ∏\\|S\\|);
    - sparse_qnml: n Ĥ(y | S) + log2 C(n, m) - log2 C(n, q) + m log2(\\|Y\\| ∏\\|S\\| / m) - q log2(∏\\|S\\| / q)
      + 2 log2(1 + \\|Y\\| q - m), with m the combinations of values of y and S that occur, and q those of S;
      if q > 1 and these are n log2 \\|Y\\| bits or more, so that S explains nothing, log2 C(n, m) - log2 C(n, q) counts
      as at least log2 C(n, \\|Y\\|);
    - bdeu: minus log2 of the marginal likelihood, with a uniform Dirichlet prior of the equivalent sample size;
    - bic: n Ĥ(y | S) + ½ log2 n · (\\|Y\\| - 1) ∏\\|S\\|.

    All but fnml use the product of the domain sizes of the parents, whether all combinations occur or not
    (`stochastic_complexity` with ``code="qnml"`` uses the observed ones). All DAGs of an equivalence class have the
    same total with qnml, bdeu and bic; with fnml and sparse_qnml they may differ.

    Missing values: a variable with its parents is scored by the k rows in which all of them have values. So that
    parents with different rows are comparable, the length is scaled to the k + m rows in which the variable itself has
    a value: bits per row times k + m (the average per locally complete row of Bodewes & Scutari), and a charge of
    4 √((k + m) m / k) bits. Averages over different rows differ by chance, with a standard error of about one bit per
    row times √(m / (k (k + m))); without the charge, parents are preferred because the rows in which they have values
    happen to be easy to encode. Values are assumed to be missing completely at random.

    References
    ----------
    Silander, Roos, Kontkanen & Myllymäki, Factorized normalized maximum likelihood criterion for learning Bayesian
    network structures, PGM 2008. Silander, Leppä-aho, Jääsaari & Roos, Quotient normalized maximum likelihood
    criterion for learning Bayesian network structures, AISTATS 2018. Bodewes & Scutari, Learning Bayesian networks from
    incomplete data with the node-average likelihood, International Journal of Approximate Reasoning 138 (2021).

    Examples
    --------
    >>> import bitsep
    >>> asia = bitsep.load_network("asia")
    >>> s = bitsep.score(asia.sample(1000, seed=1), asia)
    >>> s
    <GraphScore: 3,333.04 bits, sparse_qnml, 8 variables>
    >>> empty = bitsep.DAG(asia.dag.variables, [])
    >>> bitsep.score(asia.sample(1000, seed=1), empty).total_bits > s.total_bits
    True
    """
    if threads is not None:
        integer("threads", threads, at_least=1)
    if not isinstance(structure, bool | np.bool_):
        raise ArgumentError(f"structure: must be True or False, got {structure!r}.")
    chosen = resolve_score(score, options)
    dag = dag_of("graph", graph)
    if discretize is None:
        data = cut_like(graph, encoded(data))
    source = with_missing_level_like(graph, discrete(data, discretize=discretize, threads=threads))
    for name in dag.variables:
        if name not in source.names:
            raise unknown_column("graph", name, source.names)
    counter = source.counter(threads)
    families = [
        (counter.places[name], tuple(sorted(counter.places[parent] for parent in dag.parents(name))))
        for name in dag.variables
    ]
    lengths = score_families(counter, chosen.score, families, threads)
    rows = dict(zip(dag.variables, lengths.rows.tolist(), strict=True))
    parents = {name: sorted_names(dag.parents(name)) for name in dag.variables}
    for name, number in rows.items():
        if number == 0:
            together = ", ".join(map(repr, (name, *parents[name])))
            raise DataError(f"data: no row has a value in all of {together}.")
    observed = observed_rows(counter)[[variable for variable, _ in families]]
    sizes = np.array([len(chosen) for _, chosen in families])
    bits = dict(zip(dag.variables, lengths.scaled(observed, sizes, counter.n).tolist(), strict=True))
    if structure:
        bits = {name: length + structure_bits(len(dag.variables), len(parents[name])) for name, length in bits.items()}
    return GraphScore(
        bits=MappingProxyType(bits),
        parents=MappingProxyType(parents),
        rows=MappingProxyType(rows),
        n=counter.n,
        score=chosen.method.name,
        structure=bool(structure),
        options=MappingProxyType(dict(options)),
    )
