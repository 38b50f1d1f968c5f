"""`bitsep sample`: sample rows from a Bayesian network."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bitsep.files import check_ending, check_place, whole_file
from bitsep.naming import one_line
from bitsep.shell.completion import networks
from bitsep.shell.data import Json
from bitsep.shell.terminal import print_json, safe, working

if TYPE_CHECKING:
    from bitsep import Network

EXAMPLES = """Examples

$ bitsep sample alarm -n 5000 --seed 1 -o alarm.csv

$ bitsep sample my-network.bif -n 100000 -o rows.parquet

$ bitsep sample asia -n 20"""


def sample(
    network: Annotated[
        str,
        typer.Argument(
            help="Name of a bundled network (`bitsep info` lists them), or a BIF file (.bif, .bif.gz).",
            autocompletion=networks,
        ),
    ],
    n: Annotated[int, typer.Option("-n", "--rows", metavar="N", help="Number of rows.")] = 1000,
    seed: Annotated[
        int, typer.Option(metavar="N", help="Random seed. The same seed gives the same rows on any machine.")
    ] = 0,
    file: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="A .csv or .parquet file; default: CSV on standard output."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Sample rows from a Bayesian network with a known graph, to try out tests and searches."""
    if file is not None:
        check_ending(file, (".csv", ".parquet"), "--output", "a table")
        check_place(file, "--output")
    with working(f"sampling {network}"):
        net = _load(network)
        rows = net.sample(n, seed=seed)
        if file is not None:
            with whole_file(file, "--output") as draft:
                if file.suffix.lower() == ".csv":
                    rows.to_csv(draft, index=False)
                else:
                    rows.to_parquet(draft, index=False)
    if as_json:
        facts = {
            "network": net.name,
            "n": n,
            "seed": seed,
            "variables": list(net.variables),
            "edges": sorted(net.edges),
        }
        print_json("bitsep.sample", facts | {"output": None if file is None else str(file)})
    elif file is None:
        if sys.stdout.isatty():
            print(safe(rows.to_csv(index=False, lineterminator="\n")), end="")
        else:
            rows.to_csv(sys.stdout, index=False)
    else:
        print(f"{n:,} rows of {len(net.variables)} variables written to {one_line(str(file))}")


def _load(name: str) -> Network:
    import bitsep

    return bitsep.read_bif(name) if name.lower().endswith((".bif", ".bif.gz")) else bitsep.load_network(name)
