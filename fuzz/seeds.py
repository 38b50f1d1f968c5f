"""Writes a first corpus for each target of `fuzz/readers.py`: small valid inputs, in ``fuzz/corpus``."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

import pandas as pd

import bitsep

CORPUS = Path(__file__).parent / "corpus"


def main() -> None:
    network = bitsep.load_network("cancer") if "cancer" in bitsep.network_names() else bitsep.load_network("asia")
    bif = io.StringIO()
    network.to_bif(bif)
    data = network.sample(60, seed=1)
    found = bitsep.pc_stable(data)
    by_score = bitsep.boss(data, bootstrap=3)
    pag = bitsep.PAG(["A", "b c", "3"], [("A", "o->", "b c"), ("b c", "<->", "3")])
    pdag = bitsep.PDAG(["A", "B", "C"], [("A", "B")], [("B", "C")])
    contents: dict[str, list[str | bytes]] = {
        "bif": [bif.getvalue()],
        "discovery": [found.to_json(), by_score.to_json(), bitsep.fci(data).to_json()],
        "blanket": [bitsep.markov_blanket(data, found.variables[0]).to_json()],
        "modelstring": ["[A][C][B|A:C]"],
        "knowledge": ["a -> b", '"a b" -- c'],
        "tetrad": [pdag.to_tetrad()],
    }
    for form in ("dot", "graphml", "json", "edge_list", "dagitty"):
        contents[form] = [getattr(pag, f"to_{form}")(), getattr(pdag, f"to_{form}")()]
    frame = pd.DataFrame({"a": ["x", "y", None, "x"], "b": [1, 2, 2, 1], "c": [True, False, True, True]})
    contents["csv"] = [frame.to_csv(index=False), 'a;b\n"1;2";3,5\n4;5\n', "# c\na|b\n1|2\n"]
    contents["tsv"] = [frame.to_csv(index=False, sep="\t")]
    contents["jsonl"] = [frame.to_json(orient="records", lines=True)]
    with tempfile.TemporaryDirectory() as folder:
        for name, write in (("parquet", frame.to_parquet), ("feather", frame.to_feather)):
            write(Path(folder) / "f")
            contents[name] = [(Path(folder) / "f").read_bytes()]
        packed = io.BytesIO()
        frame.to_excel(packed, index=False)
        contents["xlsx"] = [packed.getvalue()]
    for target, texts in contents.items():
        (CORPUS / target).mkdir(parents=True, exist_ok=True)
        for number, text in enumerate(texts):
            (CORPUS / target / f"seed-{number}").write_bytes(text.encode() if isinstance(text, str) else text)


if __name__ == "__main__":
    main()
