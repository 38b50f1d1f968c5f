"""Write the stored results anew:

    python -m tests.corpus.make                 rewrites tests/corpus/stored/*.json
    python -m tests.corpus.make --values FOLDER writes all values in clear into FOLDER instead

Rewrite only where results change on purpose, and say so in the commit message. To see which result differs between two
commits, write the values of both into two folders and compare these with `diff -r`.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from . import cases, results
from .digests import Family, lines, this_platform
from .results import Record

STORED = Path(__file__).parent / "stored"
REGRET = "regret"
"""Name of the file that belongs to no network."""


def families(sample: cases.Sample, data: Any) -> Iterator[tuple[str, list[Record]]]:
    """Everything that is stored of a sample, from a table in memory."""
    questions = cases.Questions(sample.network, results.variables(data))
    return chain(
        cases.independence_families(data, questions),
        cases.graph_families(data),
        cases.pag_families(data),
        cases.blanket_families(data, questions, cases.SEARCH_METHODS if sample.small else ["sci_f"]),
        cases.one_blanket_families(data, questions),
        cases.option_families(data, questions),
        cases.table_families(data, questions),
    )


def contents(name: str) -> Iterator[tuple[str, str, list[Record]]]:
    """(sample, family, records) of one file of the corpus."""
    if name == REGRET:
        for family, records in cases.regret_families():
            yield "no data", family, records
        return
    for sample in cases.samples(name):
        with tempfile.TemporaryDirectory() as folder:
            data = results.in_memory(sample.write(Path(folder)), sample.weights)
        for family, records in families(sample, data):
            yield sample.title, family, records


def main(arguments: list[str]) -> int:
    values = None
    if arguments:
        if len(arguments) != 2 or arguments[0] != "--values":
            print(__doc__, file=sys.stderr)
            return 2
        values = Path(arguments[1])
    folder = values or STORED
    folder.mkdir(parents=True, exist_ok=True)
    total = 0
    for name in (REGRET, *results.network_names()):
        if values is not None:
            text = [f"{sample}, {family}: {line}" for sample, family, found in contents(name) for line in lines(found)]
            (folder / f"{name}.txt").write_text("\n".join(text) + "\n", encoding="utf-8")
            continue
        stored: dict[str, Any] = {}
        for sample, family, records in contents(name):
            stored.setdefault(sample, {})[family] = Family.of(records).stored()
            total += len(records)
        _write(folder / f"{name}.json", {"platform": this_platform(), "samples": stored})
    print(f"{total} results in {folder}" if values is None else f"values in {folder}")
    return 0


def _write(path: Path, content: dict[str, Any]) -> None:
    """JSON with one line per family, so that `git diff` shows which changed."""
    parts = []
    for sample, stored in content["samples"].items():
        rows = ",\n".join(f"  {json.dumps(family)}: {json.dumps(row)}" for family, row in stored.items())
        parts.append(f"{json.dumps(sample)}: {{\n{rows}\n}}")
    text = f'{{"platform": {json.dumps(content["platform"])}, "samples": {{\n' + ",\n".join(parts) + "\n}}\n"
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
