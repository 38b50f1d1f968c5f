"""Writing networks as BIF."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import TextIO

from bitsep.errors import UnsupportedTypeError
from bitsep.files import utf8, write_file
from bitsep.naming import Name
from bitsep.networks.bif_tokens import quoted_if_needed
from bitsep.networks.network import Network


def write_bif(network: Network, target: str | os.PathLike[str] | TextIO) -> None:
    """Write a network to a path (compressed if it ends in .gz) or a text stream."""
    text = "".join(_lines(network))  # before the file is opened, because it can raise an error
    if not isinstance(target, str | os.PathLike):
        target.write(text)
        return
    data = utf8(text)
    # mtime=0: equal networks give equal files
    write_file(target, gzip.compress(data, mtime=0) if Path(target).suffix == ".gz" else data, "target")


def _lines(network: Network) -> Iterator[str]:
    yield f"network {_word(network.name)} {{\n}}\n"
    for v in network.variables:
        levels = ", ".join(map(_word, network.levels(v)))
        yield f"variable {_word(v)} {{\n  type discrete [ {len(network.levels(v))} ] {{ {levels} }};\n}}\n"
    for v in network.variables:
        parents = network.parents(v)
        if not parents:
            yield f"probability ( {_word(v)} ) {{\n  table {_numbers(network.cpt(v))};\n}}\n"
            continue
        yield f"probability ( {_word(v)} | {', '.join(map(_word, parents))} ) {{\n"
        rows = network.cpt(v).reshape(-1, len(network.levels(v)))
        for stratum, row in zip(product(*(network.levels(p) for p in parents)), rows, strict=True):
            yield f"  ({', '.join(map(_word, stratum))}) {_numbers(row)};\n"
        yield "}\n"


def _numbers(row: object) -> str:
    return ", ".join(repr(float(value)) for value in row)  # type: ignore[attr-defined]


def _word(name: Name) -> str:
    if not isinstance(name, str):
        raise UnsupportedTypeError(f"variables: a name or level in BIF must be text, got {name!r}.", hint="Rename it.")
    return quoted_if_needed(name)
