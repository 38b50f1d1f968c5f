"""Fuzzing of everything that reads files, with atheris: every exception must be a BitsepError.

``python fuzz/readers.py bif -max_total_time=60 fuzz/corpus/bif`` runs one target; the options are those of libFuzzer.
`make fuzz-python-quick` runs all for a few seconds each, `make fuzz-python` for ten minutes each. An input that fails
is stored as ``crash-…``; it becomes a test in ``tests/faults/test_fuzzed.py``.
"""

from __future__ import annotations

import contextlib
import io
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import atheris
import numpy  # noqa: F401 -- before the instrumentation, which takes long

with atheris.instrument_imports(include=["bitsep"]):
    import bitsep
    import bitsep.cli
    import bitsep.data.profile
    import bitsep.discovery
    import bitsep.networks
    from bitsep.errors import BitsepError
    from bitsep.shell.knowledge import _directed_edges

FILES = Path(__file__).parents[1] / "build" / "fuzz-files"
"""libFuzzer ends the process without clearing up, so files of inputs always have the same paths."""


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _round_trip(graph: bitsep.PAG | bitsep.PDAG, form: str) -> None:
    """What was read can be written, and read again."""
    written = getattr(graph, f"to_{form}")()
    assert getattr(type(graph), f"from_{form}")(written) == graph


def _graph(form: str) -> Callable[[bytes], None]:
    def read(data: bytes) -> None:
        for kind in (bitsep.PAG, bitsep.PDAG, bitsep.DAG):
            try:
                graph = getattr(kind, f"from_{form}")(_text(data))
                _round_trip(graph, form)
            except BitsepError:
                pass

    return read


def bif(data: bytes) -> None:
    network = bitsep.read_bif(io.StringIO(_text(data)))
    written = io.StringIO()
    network.to_bif(written)
    written.seek(0)
    assert bitsep.read_bif(written).dag == network.dag


def discovery(data: bytes) -> None:
    found = bitsep.Discovery.from_json(_text(data))
    found.to_json()
    str(found)


def blanket(data: bytes) -> None:
    bitsep.MarkovBlanket.from_json(_text(data)).to_json()


def modelstring(data: bytes) -> None:
    bitsep.DAG.from_modelstring(_text(data)).to_modelstring()


def _table(name: str) -> Callable[[bytes], None]:
    def read(data: bytes) -> None:
        path = FILES / name
        path.write_bytes(data)
        bitsep.describe(bitsep.Table(path))

    return read


def knowledge(data: bytes) -> None:
    _directed_edges("--required", [_text(data)], undirected=True)


TARGETS: dict[str, Callable[[bytes], None]] = {
    "bif": bif,
    "discovery": discovery,
    "blanket": blanket,
    "modelstring": modelstring,
    "knowledge": knowledge,
    **{form: _graph(form) for form in ("dot", "graphml", "json", "edge_list", "tetrad", "dagitty")},
    **{name: _table(f"rows.{name}") for name in ("csv", "tsv", "jsonl", "parquet", "feather", "xlsx")},
}


def one_input(target: str, data: bytes) -> None:
    """Read one input; every exception but a BitsepError is passed on."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with contextlib.suppress(BitsepError):
            TARGETS[target](data)


def main() -> None:
    target = sys.argv.pop(1)
    FILES.mkdir(parents=True, exist_ok=True)
    atheris.Setup(sys.argv, lambda data: one_input(target, data))
    atheris.Fuzz()


if __name__ == "__main__":
    main()
