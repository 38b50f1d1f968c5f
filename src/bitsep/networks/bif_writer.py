"""Writing networks as BIF."""

from __future__ import annotations

import gzip
import os
import re
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import TextIO

from bitsep.errors import ArgumentError
from bitsep.files import path_text, utf8, write_file
from bitsep.naming import Name
from bitsep.networks.bif_tokens import quoted_if_needed
from bitsep.networks.network import Network

_NOT_PLAIN = re.compile(r"[^A-Za-z0-9_]")
_PLAIN_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_PLAIN_LEVEL = re.compile(r"[A-Za-z_]\w*|\d+", re.ASCII)


def write_bif(network: Network, target: str | os.PathLike[str] | TextIO, plain: bool) -> None:
    """Write a network to a path (compressed if it ends in .gz) or a text stream."""
    text = "".join(_lines(network, plain))  # before the file is opened, because it can raise an error
    if not isinstance(target, str | os.PathLike) and hasattr(target, "write"):
        target.write(text)
        return
    path, data = path_text(target, "target"), utf8(text)
    # mtime=0: equal networks give equal files
    write_file(path, gzip.compress(data, mtime=0) if Path(path).suffix == ".gz" else data, "target")


def _lines(network: Network, plain: bool) -> Iterator[str]:
    title: dict[Name, str] = {network.name: network.name}
    names = _texts("variables", network.variables)
    levels = {v: _texts(f"levels of {v!r}", network.levels(v)) for v in network.variables}
    if plain:
        title, names = _plain(title, _PLAIN_NAME), _plain(names, _PLAIN_NAME)
        levels = {v: _plain(texts, _PLAIN_LEVEL) for v, texts in levels.items()}
    names = _quoted(names)
    levels = {v: _quoted(texts) for v, texts in levels.items()}
    yield f"network {_quoted(title)[network.name]} {{\n}}\n"
    for v, name in names.items():
        words = ", ".join(levels[v].values())
        yield f"variable {name} {{\n  type discrete [ {len(levels[v])} ] {{ {words} }};\n}}\n"
    for v, name in names.items():
        parents = network.parents(v)
        if not parents:
            yield f"probability ( {name} ) {{\n  table {_numbers(network.cpt(v))};\n}}\n"
            continue
        yield f"probability ( {name} | {', '.join(names[p] for p in parents)} ) {{\n"
        rows = network.cpt(v).reshape(-1, len(levels[v]))
        for stratum, row in zip(product(*(levels[p].values() for p in parents)), rows, strict=True):
            yield f"  ({', '.join(stratum)}) {_numbers(row)};\n"
        yield "}\n"


def _numbers(row: object) -> str:
    return ", ".join(repr(float(value)) for value in row)  # type: ignore[attr-defined]


def _texts(what: str, names: Iterable[Name]) -> dict[Name, str]:
    """Names or levels as text, which is all that BIF can represent."""
    texts: dict[str, Name] = {}
    for name in names:
        other = texts.setdefault(str(name), name)
        if other is not name:
            raise ArgumentError(
                f"{what}: must differ as text in BIF, got {other!r} and {name!r}.", hint="Rename one of them."
            )
    return {name: text for text, name in texts.items()}


def _plain(texts: dict[Name, str], allowed: re.Pattern[str]) -> dict[Name, str]:
    """The texts with "_" for other characters, and with a number at the end where two would be equal."""
    kept = {text for text in texts.values() if allowed.fullmatch(text)}
    found = {}
    for name, text in texts.items():
        if text not in kept:
            text = _NOT_PLAIN.sub("_", text)
            if not allowed.fullmatch(text):
                text = f"_{text}"
            stem, number = text, 1
            while text in kept:
                number += 1
                text = f"{stem}_{number}"
            kept.add(text)
        found[name] = text
    return found


def _quoted(texts: dict[Name, str]) -> dict[Name, str]:
    return {name: quoted_if_needed(text) for name, text in texts.items()}
