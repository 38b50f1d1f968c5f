"""How searches are called on the page."""

from __future__ import annotations

from accuracy.plan import DEFAULT
from accuracy.searches import PEERS, parse

_FUNCTIONS = {
    "hill_climb": "hill climbing",
    "tabu": "tabu search",
    "miic": "MIIC",
    "ges": "GES",
    "pc": "PC-stable",
    "pc_stable": "PC-stable",
    "boss": "BOSS",
    "discover": "discover",
}
_VALUES = {"bdeu": "BDeu", "bic": "BIC"}


def title(text: str) -> str:
    """A search for readers, for instance "pyAgrum tabu search, BDeu"."""
    search = parse(text)
    library = PEERS.get(search.library, search.library)
    options = [_VALUES.get(str(value), str(value)) for value in search.options.values()]
    name = ", ".join([f"{library} {_FUNCTIONS.get(search.function, search.function)}", *options])
    return f"{name} (default)" if text == DEFAULT else name
