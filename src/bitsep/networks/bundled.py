"""The bundled networks. Their origin and license are in `data/LICENSE`."""

from __future__ import annotations

import gzip
import io
from functools import cache
from importlib import resources

from bitsep.errors import UnknownMethodError
from bitsep.naming import did_you_mean
from bitsep.networks.bif_reader import read_bif
from bitsep.networks.network import Network

_EXTENSION = ".bif.gz"


def network_names() -> tuple[str, ...]:
    """The names of the bundled networks.

    Returns
    -------
    tuple of str
        The names in alphabetical order.

    Examples
    --------
    >>> network_names()[:4]
    ('alarm', 'asia', 'cancer', 'child')
    """
    files = (resources.files("bitsep.networks") / "data").iterdir()
    return tuple(sorted(file.name.removesuffix(_EXTENSION) for file in files if file.name.endswith(_EXTENSION)))


def load_network(name: str) -> Network:
    """Load a bundled Bayesian network with its true parameters, from the Bayesian Network Repository.

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
        If there is no such network; the hint has similar names.

    Examples
    --------
    >>> load_network("alarm")
    Network('alarm', 37 variables, 46 edges, 509 parameters)
    """
    if name not in network_names():
        raise UnknownMethodError(f"name: unknown network {name!r}.", hint=did_you_mean(name, network_names()))
    return _load(name)


@cache  # networks cannot be changed, so one copy is enough
def _load(name: str) -> Network:
    data = (resources.files("bitsep.networks") / "data" / f"{name}{_EXTENSION}").read_bytes()
    network = read_bif(io.StringIO(gzip.decompress(data).decode()))
    return network.renamed(name)  # the name in all files is "unknown"
