"""The networks that come with bitsep. Their origin and license: `data/LICENSE`."""

from __future__ import annotations

import gzip
import io
from functools import cache
from importlib import resources

from bitsep.errors import UnknownMethodError
from bitsep.naming import did_you_mean
from bitsep.networks.bif_reader import read_bif
from bitsep.networks.network import Network

_ENDING = ".bif.gz"


def network_names() -> tuple[str, ...]:
    """The names `load_network` knows.

    Returns
    -------
    tuple of str
        In alphabetical order.

    Examples
    --------
    >>> network_names()[:4]
    ('alarm', 'asia', 'cancer', 'child')
    """
    files = (resources.files("bitsep.networks") / "data").iterdir()
    return tuple(sorted(file.name.removesuffix(_ENDING) for file in files if file.name.endswith(_ENDING)))


def load_network(name: str) -> Network:
    """A well-known Bayesian network with its true parameters, from the Bayesian Network Repository.

    Parameters
    ----------
    name : str
        One of `network_names()`.

    Returns
    -------
    Network

    Raises
    ------
    UnknownMethodError
        If there is no such network; the message offers close names.

    Examples
    --------
    >>> load_network("alarm")
    Network('alarm', 37 variables, 46 edges, 509 parameters)
    """
    if name not in network_names():
        raise UnknownMethodError(f"name: unknown network {name!r}.", hint=did_you_mean(name, network_names()))
    return _load(name)


@cache  # frozen, so one copy serves all
def _load(name: str) -> Network:
    data = (resources.files("bitsep.networks") / "data" / f"{name}{_ENDING}").read_bytes()
    network = read_bif(io.StringIO(gzip.decompress(data).decode()))
    return network.renamed(name)  # the files all call themselves "unknown"
