"""Writes the results of the present release, which later releases must read and reproduce: ``python -m releases.make``
in the folder ``tests``, once, when a version is released."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import bitsep

FOLDER = Path(__file__).parent
ROWS = "rows.csv"


def network() -> str:
    """A network fitted to the rows, in BIF."""
    text = io.StringIO()
    bitsep.Network.fit(bitsep.load_network("asia").dag, FOLDER / "0.1.0" / ROWS).to_bif(text)
    return text.getvalue()


def scores() -> str:
    """The code lengths of a graph by every score."""
    from bitsep.scores import SCORES

    rows, dag = FOLDER / "0.1.0" / ROWS, bitsep.load_network("asia").dag
    return json.dumps({name: dict(bitsep.score(rows, dag, name).bits) for name in sorted(SCORES)}, indent=1)


def results() -> dict[str, Callable[[], str]]:
    """The results of a release by the name of their file; all from the same rows."""
    rows = FOLDER / "0.1.0" / ROWS
    return {
        "pc_stable.json": lambda: bitsep.pc_stable(rows).to_json(),
        "pc_standard.json": lambda: bitsep.pc_stable(rows, "g2", orientation="standard", bootstrap=5).to_json(),
        "fci.json": lambda: bitsep.fci(rows).to_json(),
        "boss.json": lambda: bitsep.boss(rows, bootstrap=5).to_json(),
        "hill_climb.json": lambda: bitsep.hill_climb(rows, "bdeu").to_json(),
        "blanket.json": lambda: bitsep.markov_blanket(rows, "either").to_json(),
        "graph.json": lambda: bitsep.load_network("asia").cpdag.to_json(),
        "scores.json": scores,
        "network.bif": network,
    }


def main() -> None:
    folder = FOLDER / bitsep.__version__
    folder.mkdir(exist_ok=True)
    if not (folder / ROWS).exists():
        bitsep.load_network("asia").sample(500, seed=1).to_csv(folder / ROWS, index=False)
    for name, result in results().items():
        (folder / name).write_text(result(), encoding="utf-8")


if __name__ == "__main__":
    main()
