"""The golden values beside this file, as Python objects. See README.md for where they come from."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent

Column = list[int]


@dataclass(frozen=True)
class Case:
    """One case of reference.json, its generator expanded into columns."""

    id: int
    tag: str
    x: Column
    y: Column
    z: list[Column]
    expect: dict[str, Any]

    @property
    def columns(self) -> dict[str, Column]:
        """As a dict of columns: x, y, z0, z1, …"""
        return {"x": self.x, "y": self.y, **dict(zip(self.given, self.z, strict=True))}

    @property
    def given(self) -> list[str]:
        return [f"z{i}" for i in range(len(self.z))]


@dataclass(frozen=True)
class RRow:
    """One row of r_packages.csv; `values` holds floats, None for R's NA."""

    case: int
    file: str
    n: int
    x: str
    y: str
    given: tuple[str, ...]
    values: dict[str, float | None]

    @property
    def columns(self) -> dict[str, Column]:
        """The columns this row speaks of."""
        table = r_table(self.file)
        return {name: table[name] for name in (self.x, self.y, *self.given)}


class Lcg:
    """The generator of the cases: a 64-bit linear congruential generator, its upper 31 bits used."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def draw(self) -> int:
        self.state = (6364136223846793005 * self.state + 1442695040888963407) % 2**64
        return self.state >> 33

    def below(self, k: int) -> int:
        return self.draw() % k

    def unit(self) -> float:
        return self.draw() / 2**31


def dsep_columns(seed: int, n: int, k: int, p: float) -> dict[str, Column]:
    """The paper's d-separation data (figure 1): F -> D, F -> E, (D, E) -> T with a share p of uniform noise."""
    lcg = Lcg(seed)

    def noisy(value: int) -> int:
        return lcg.below(k) if lcg.unit() < p else value

    d_of_f = [lcg.below(k) for _ in range(k)]
    e_of_f = [lcg.below(k) for _ in range(k)]
    t_of_de = [[lcg.below(k) for _ in range(k)] for _ in range(k)]
    table: dict[str, Column] = {"F": [], "D": [], "E": [], "T": []}
    for _ in range(n):
        f = lcg.below(k)
        d = noisy(d_of_f[f])
        e = noisy(e_of_f[f])
        t = noisy(t_of_de[d][e])
        for name, value in zip("FDET", (f, d, e, t), strict=True):
            table[name].append(value)
    return table


def uniform_columns(seed: int, n: int, kx: int, ky: int, kz: int) -> tuple[Column, Column, Column]:
    """X, Y and one Z, all uniform and independent."""
    lcg = Lcg(seed)
    rows = [(lcg.below(kx), lcg.below(ky), lcg.below(kz)) for _ in range(n)]
    x, y, z = (list(column) for column in zip(*rows, strict=True))
    return x, y, z


def _expand(entry: dict[str, Any]) -> Case:
    generator = entry.get("generator")
    if generator is None:
        x, y, z = entry["x"], entry["y"], entry["z"]
    elif generator["kind"] == "dsep_lcg":
        table = dsep_columns(*(generator[key] for key in ("seed", "n", "k", "p")))
        x, y, z = table[generator["x"]], table[generator["y"]], [table[name] for name in generator["z"]]
    else:
        assert generator["kind"] == "uniform_lcg", generator
        x, y, only = uniform_columns(*(generator[key] for key in ("seed", "n", "kx", "ky", "kz")))
        z = [only]
    return Case(entry["id"], entry["tag"], x, y, z, entry["expect"])


@cache
def _reference() -> dict[str, Any]:
    document: dict[str, Any] = json.loads((HERE / "reference.json").read_text(encoding="utf-8"))
    return document


@cache
def cases() -> tuple[Case, ...]:
    """All cases of reference.json."""
    return tuple(_expand(entry) for entry in _reference()["cases"])


def exact_regrets() -> list[tuple[int, int, int, int, float]]:
    """(n, k, numerator, denominator, log2) of the regrets known as fractions."""
    entries = _reference()["regret"]["exact_rational"]
    return [(entry["n"], entry["k"], int(entry["num"]), int(entry["den"]), entry["log2"]) for entry in entries]


def precise_regrets() -> list[tuple[int, int, float]]:
    """(n, k, log2) of the regrets computed with mpmath."""
    return [(entry["n"], entry["k"], float(entry["log2"])) for entry in _reference()["regret"]["mpmath"]]


@cache
def r_table(file: str) -> dict[str, Column]:
    """One of the tables in data/, as a dict of columns."""
    with (HERE / file).open(newline="", encoding="utf-8") as lines:
        header, *rows = csv.reader(lines)
    return {name: [int(row[i]) for row in rows] for i, name in enumerate(header)}


@cache
def r_rows() -> tuple[RRow, ...]:
    """All rows of r_packages.csv."""
    with (HERE / "r_packages.csv").open(newline="", encoding="utf-8") as lines:
        return tuple(_r_row(record) for record in csv.DictReader(lines))


def _r_row(record: dict[str, str]) -> RRow:
    case, file, n, x, y, z = (record.pop(key) for key in ("case", "file", "n", "x", "y", "Z"))
    values = {key: None if text in {"NA", ""} else float(text) for key, text in record.items()}
    return RRow(int(case), file, int(n), x, y, tuple(z.split(";")) if z else (), values)
