"""A discrete Bayesian network: a DAG, the levels of its variables, and their conditional probabilities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any, TextIO

import numpy as np
import numpy.typing as npt

from bitsep.data.to_frame import level_index
from bitsep.errors import ArgumentError
from bitsep.graphs import DAG, PDAG
from bitsep.lazy import cached_property
from bitsep.naming import Name, did_you_mean, shown_name, shown_names
from bitsep.networks.probabilities import checked_cpt, checked_levels
from bitsep.networks.sampling import sample_codes

if TYPE_CHECKING:
    import os

    import pandas as pd

Probabilities = npt.NDArray[np.float64]


class Network:
    """A Bayesian network of discrete variables. It cannot be changed; equal by value.

    Parameters
    ----------
    levels : mapping from name to levels
        The variables, each with its levels in the order of the tables. Levels are usually text.
    parents : mapping from name to names
        The parents of each variable, in the order of the axes of its table; variables without parents can be left out.
    cpts : mapping from name to array
        The conditional probabilities of each variable: one axis per parent, in order, then its own axis. Rows whose
        sum differs from 1 because of rounding (by at most 0.01) are scaled.
    name : str
        The name of the network.

    Raises
    ------
    ArgumentError, UnknownColumnError
        If there is a cycle, a parent is unknown, levels or tables are missing or have the wrong shape, or a row does
        not sum to 1.

    Examples
    --------
    >>> net = Network(
    ...     {"rain": ["no", "yes"], "wet": ["no", "yes"]},
    ...     {"wet": ["rain"]},
    ...     {"rain": [0.8, 0.2], "wet": [[0.9, 0.1], [0.2, 0.8]]},
    ... )
    >>> net
    Network('unknown', 2 variables, 1 edge, 3 parameters)
    >>> net.sample(3, seed=1)
      rain  wet
    0   no  yes
    1  yes  yes
    2   no   no
    """

    name: str
    dag: DAG
    _levels: dict[Name, tuple[Name, ...]]
    _parents: dict[Name, tuple[Name, ...]]
    _cpts: dict[Name, Probabilities]

    def __init__(
        self,
        levels: Mapping[Any, Sequence[Any]],
        parents: Mapping[Any, Sequence[Any]],
        cpts: Mapping[Any, npt.ArrayLike],
        *,
        name: str = "unknown",
    ) -> None:
        for argument, mapping in (("parents", parents), ("cpts", cpts)):
            for variable in mapping:
                if variable not in levels:
                    raise ArgumentError(
                        f"{argument}: {variable!r} has no entry in levels.", hint=did_you_mean(variable, levels)
                    )
        arrows = [(parent, child) for child, above in parents.items() for parent in above]
        dag = DAG(levels, arrows)
        variables = dag.variables
        known = {v: checked_levels(v, levels[v]) for v in variables}
        above = {v: tuple(parents.get(v, ())) for v in variables}
        tables = {}
        for v in variables:
            if v not in cpts:
                raise ArgumentError(f"cpts: {v!r} has no table of probabilities.")
            tables[v] = checked_cpt(v, cpts[v], tuple(len(known[u]) for u in (*above[v], v)))
        fields = {"name": str(name), "dag": dag, "_levels": known, "_parents": above, "_cpts": tables}
        for field, value in fields.items():
            object.__setattr__(self, field, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Network is frozen; make a new one instead of setting {name!r}.")

    @property
    def variables(self) -> tuple[Name, ...]:
        """The variables, in canonical order."""
        return self.dag.variables

    @property
    def edges(self) -> frozenset[tuple[Name, Name]]:
        """The edges as (from, to)."""
        return self.dag.edges

    @cached_property
    def cpdag(self) -> PDAG:
        """The CPDAG of the network, which represents its Markov equivalence class."""
        return self.dag.cpdag()

    def levels(self, variable: Name) -> tuple[Name, ...]:
        """The levels of a variable, in the order of its table."""
        return self._levels[self._known(variable)]

    def parents(self, variable: Name) -> tuple[Name, ...]:
        """The parents of a variable, in the order of the axes of its table."""
        return self._parents[self._known(variable)]

    def cpt(self, variable: Name) -> Probabilities:
        """The conditional probabilities: an axis per parent, in the order of `parents`, then the axis of the variable.

        Examples
        --------
        >>> from bitsep.networks import load_network
        >>> asia = load_network("asia")
        >>> asia.parents("xray"), asia.levels("xray")
        (('either',), ('yes', 'no'))
        >>> asia.cpt("xray")
        array([[0.98, 0.02],
               [0.05, 0.95]])
        """
        return self._cpts[self._known(variable)]

    @classmethod
    def fit(
        cls,
        graph: Any,
        data: Any = None,
        prior: float = 1.0,
        *,
        levels: Mapping[Any, Sequence[Any]] | None = None,
        threads: int | None = None,
    ) -> Network:
        """Estimate the conditional probabilities of a graph from data.

        Parameters
        ----------
        graph : DAG, PDAG, Network or Discovery
            The graph. Of a PDAG one of the DAGs that it represents is taken (`PDAG.consistent_extension`), of a
            discovery the DAG of `Discovery.to_dag`.
        data : table, path, Table, scan, Spark data frame, optional
            Any data that `independence_test` accepts, with weights or without. Columns that the graph does not have are
            ignored. Needed unless the graph is a discovery that still has its data; other data get its intervals.
        prior : float
            The number of rows that are added to every stratum, spread evenly over the levels: with k levels, a level
            with N of the n rows of a stratum has the probability (N + prior / k) / (n + prior). 0 gives the relative
            frequencies; strata without rows then have equal probabilities.
        levels : mapping from names to lists of levels, optional
            The levels of some variables in their order, for levels that do not occur in the data. By default a variable
            has the levels that occur, sorted.
        threads : int, optional
            The number of threads; default: all cores. The result does not depend on it.

        Returns
        -------
        Network
            The network, with the labels of the data as levels.

        Raises
        ------
        ArgumentError
            If the graph is a PDAG that represents no DAG, a table would have more than 16,777,216 cells, or the prior
            is negative.
        UnknownColumnError
            If the graph has a variable that the data do not have.
        DataError
            If no row has a value in a variable and all its parents, or a level is not among those given.

        Notes
        -----
        A row is used for a variable if the variable and all its parents have values in it; values are assumed to be
        missing completely at random.

        Examples
        --------
        >>> import bitsep
        >>> asia = bitsep.load_network("asia")
        >>> net = Network.fit(bitsep.discover(asia.sample(5000, seed=1)))
        >>> net
        Network('fitted', 8 variables, 8 edges, 18 parameters)
        >>> net.levels("xray"), net.parents("xray")
        (('no', 'yes'), ('either',))
        >>> net.cpt("xray").round(3)
        array([[0.95 , 0.05 ],
               [0.023, 0.977]])
        """
        from bitsep.networks.fitting import fit_network  # here, because that module imports Network

        return fit_network(graph, data, prior, levels, threads)

    def log2_likelihood(self, data: Any, *, threads: int | None = None) -> float:
        """The logarithm to base 2 of the probability of all rows; minus that is their code length in bits.

        Parameters
        ----------
        data : table, path, Table, scan, Spark data frame
            Any data that `independence_test` accepts, with weights or without. Columns that the network does not have
            are ignored.
        threads : int, optional
            The number of threads; default: all cores. The result does not depend on it.

        Returns
        -------
        float
            At most 0; minus infinity if a row has probability 0.

        Raises
        ------
        DataError
            If the data have a level that the network does not have, or no row has a value in a variable and all its
            parents.
        UnknownColumnError
            If the network has a variable that the data do not have.

        Notes
        -----
        Missing values: the likelihood is a sum over the variables. The part of a variable is its average over the rows
        in which it and its parents have values, times the number of rows in which it has a value, so that graphs with
        different parents are comparable. That assumes values missing completely at random; it is not the likelihood of
        the observed values, which would need inference.

        Examples
        --------
        >>> import bitsep
        >>> asia = bitsep.load_network("asia")
        >>> rows, other_rows = asia.sample(1000, seed=1), asia.sample(1000, seed=2)
        >>> for graph in asia.dag, bitsep.DAG(asia.variables):
        ...     print(round(Network.fit(graph, rows).log2_likelihood(other_rows)))
        -3223
        -4304
        """
        from bitsep.networks.fitting import log2_likelihood

        return log2_likelihood(self, data, threads)

    def markov_blanket(self, variable: Name) -> frozenset[Name]:
        """The parents, the children, and the other parents of the children."""
        return self.dag.markov_blanket(variable)

    @cached_property
    def n_parameters(self) -> int:
        """The number of free parameters."""
        return sum(table.size // table.shape[-1] * (table.shape[-1] - 1) for table in self._cpts.values())

    def sample(self, n: int, *, seed: int = 0) -> pd.DataFrame:
        """Sample rows from the network.

        Parameters
        ----------
        n : int
            The number of rows.
        seed : int
            The random seed. The same seed gives the same rows on any machine.

        Returns
        -------
        pandas.DataFrame
            A categorical column per variable, in canonical order; the categories are all levels, in the order of
            `levels`, including those that do not occur in the sample.
        """
        import pandas as pd

        columns = {
            v: pd.Categorical.from_codes(codes, categories=level_index(self._levels[v]), validate=False)
            for v, codes in self.sample_codes(n, seed=seed).items()
        }
        return pd.DataFrame(columns, index=pd.RangeIndex(n), columns=pd.Index(self.variables), copy=False)

    def sample_codes(self, n: int, *, seed: int = 0) -> dict[Name, npt.NDArray[np.signedinteger[Any]]]:
        """The rows of `sample` without pandas: an array of level codes per variable, of the smallest possible type."""
        return sample_codes(self, n, seed)

    def renamed(self, name: str) -> Network:
        """The same network with another name."""
        return Network(self._levels, self._parents, self._cpts, name=name)

    def to_bif(self, target: str | os.PathLike[str] | TextIO, *, plain: bool = False) -> None:
        """Write the network as BIF, to a path (compressed if it ends in .gz) or a text stream.

        Parameters
        ----------
        target : path-like or text stream
            Where to write.
        plain : bool
            Whether other characters than ASCII letters, digits and "_" in names and levels become "_", because other
            programs do not read them ("(1, 2]" becomes "_1__2_"). Where two would be equal, a number is added.

        Notes
        -----
        `read_bif` then gives an equal network, with exactly the same probabilities; but names and levels that are not
        text, such as numbers, become text. Those that are not single words are in quotes, unless they are made plain.

        Raises
        ------
        ArgumentError
            If two names, or two levels of a variable, have the same text.
        WriteError
            If the file cannot be written; an existing file is then unchanged.
        """
        from bitsep.networks.bif_writer import write_bif  # here, because that module imports Network

        write_bif(self, target, plain)

    def _known(self, variable: Name) -> Name:
        self.dag._number(variable)  # raises an error if there is none
        return variable

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Network):
            return NotImplemented
        return (
            (self.name, self.variables, self._levels, self._parents)
            == (other.name, other.variables, other._levels, other._parents)
        ) and all(np.array_equal(self._cpts[v], other._cpts[v]) for v in self.variables)

    def __hash__(self) -> int:
        tables = tuple(table.tobytes() for table in self._cpts.values())
        return hash((self.name, self.variables, tuple(self._levels.items()), tuple(self._parents.items()), tables))

    def __reduce__(self) -> tuple[Any, ...]:
        return (partial(Network, name=self.name), (self._levels, self._parents, self._cpts))

    def __repr__(self) -> str:
        counts = {"variable": len(self.variables), "edge": len(self.edges), "parameter": self.n_parameters}
        shown = [f"{n} {what}" + "s" * (n != 1) for what, n in counts.items()]
        return f"Network({self.name!r}, {', '.join(shown)})"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(shown_name(v))}</td><td>{escape(shown_names(self._levels[v], ''))}</td>"
            f"<td>{escape(shown_names(self._parents[v], ''))}</td></tr>"
            for v in self.variables
        )
        return (
            f'<div style="max-height:24em;overflow:auto"><table><caption>{escape(repr(self))}</caption>'
            f"<thead><tr><th>variable</th><th>levels</th><th>parents</th></tr></thead><tbody>{rows}</tbody></table></div>"
        )
