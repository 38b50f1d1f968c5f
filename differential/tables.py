"""Random and awkward tables, with the questions asked about them."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

Values = list[int | None]


@dataclass
class Case:
    """Columns with missing values (None), row weights, and the tests and families asked for, by index of the column."""

    kind: str
    columns: list[Values]
    weights: list[int] | None = None
    queries: list[tuple[int, int, tuple[int, ...]]] = field(default_factory=list)
    families: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.columns[0])

    @property
    def large(self) -> bool:
        """Whether the weights are too large for rows to be repeated."""
        return self.weights is not None and sum(self.weights) > 10_000

    def as_dict(self) -> dict[str, Any]:
        """The case as values for JSON."""
        return {"kind": self.kind, "columns": self.columns, "weights": self.weights,
                "queries": self.queries, "families": self.families}  # fmt: skip

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Case:
        """The inverse of `as_dict`."""
        queries = [(x, y, tuple(given)) for x, y, given in values["queries"]]
        families = [(y, tuple(parents)) for y, parents in values["families"]]
        return cls(values["kind"], values["columns"], values["weights"], queries, families)


def random_case(draw: Random, kinds: tuple[str, ...] | None = None) -> Case:
    """A table of one of the kinds, with six tests and six families."""
    kind = draw.choice(kinds or USUAL)
    case = KINDS[kind](draw)
    case.kind = kind
    ask(draw, case)
    return case


def ask(draw: Random, case: Case) -> None:
    """Draw the questions about a table."""
    n = len(case.columns)
    for i in range(6 if case.rows < 1000 else 2):
        order = draw.sample(range(n), n)
        size = n - 2 if case.kind == "many_given" and i == 0 else draw.randint(0, min(n - 2, 4))
        case.queries.append((order[0], order[1], tuple(sorted(order[2 : 2 + size]))))
        parents = n - 1 if case.kind == "many_given" and i == 0 else draw.randint(0, min(n - 1, 4))
        case.families.append((order[0], tuple(sorted(order[1 : 1 + parents]))))


def rows_of(draw: Random, rows: int, variables: int, most: int, missing: float = 0.0) -> list[Values]:
    """Columns that partly copy each other, so that independence, dependence and functions turn up."""
    columns: list[Values] = []
    for _ in range(variables):
        levels, noise = draw.randint(1, most), draw.choice([0.0, 0.2, 0.6, 1.0])
        source = draw.choice(columns) if columns else None
        column: Values = []
        for row in range(rows):
            value = None if source is None or draw.random() < noise else source[row]
            column.append(draw.randrange(levels) if value is None else value % levels)
        columns.append(column)
    for column in columns:
        share = draw.choice([0.0, missing])
        column[:] = [None if draw.random() < share else value for value in column]
    return columns


def small(draw: Random) -> Case:
    """Up to 40 rows of five variables, often with missing values."""
    return Case("", rows_of(draw, draw.randint(1, 40), 5, draw.choice([2, 4, 9]), draw.choice([0.0, 0.1, 0.4])))


def longer(draw: Random) -> Case:
    """Several words of a bitmap."""
    return Case("", rows_of(draw, draw.randint(100, 700), 5, draw.choice([2, 4, 33]), draw.choice([0.0, 0.1])))


def weighted(draw: Random) -> Case:
    """Small weights, zero among them."""
    case = small(draw)
    case.weights = [draw.randrange(4) for _ in range(case.rows)]
    if not any(case.weights):
        case.weights[0] = 1
    return case


def heavy(draw: Random) -> Case:
    """Weights up to 2^53."""
    case = Case("", rows_of(draw, draw.randint(1, 20), 4, 3))
    case.weights = [draw.choice([0, 1, draw.randrange(2**20), draw.randrange(2**50), 2**53]) for _ in range(case.rows)]
    if not any(case.weights):
        case.weights[0] = 1
    while sum(case.weights) > 2**55:
        case.weights[case.weights.index(max(case.weights))] = 1
    return case


def one_row(draw: Random) -> Case:
    """A single row."""
    return Case("", rows_of(draw, 1, 5, 3))


def one_level(draw: Random) -> Case:
    """Constant columns among the others."""
    case = small(draw)
    for place in draw.sample(range(5), draw.randint(1, 5)):
        case.columns[place] = [7] * case.rows
    return case


def all_unique(draw: Random) -> Case:
    """Columns without a repeated value."""
    case = small(draw)
    for place in draw.sample(range(5), draw.randint(1, 5)):
        case.columns[place] = list(draw.sample(range(case.rows), case.rows))
    return case


def almost_all_missing(draw: Random) -> Case:
    """One complete row."""
    case = small(draw)
    kept = draw.randrange(case.rows)
    for column in case.columns:
        column[kept] = column[kept] if column[kept] is not None else 0
        if draw.random() < 0.5:
            column[:] = [value if row == kept else None for row, value in enumerate(column)]
    return case


def many_given(draw: Random) -> Case:
    """Forty variables besides x and y."""
    return Case("", rows_of(draw, draw.randint(2, 60), 42, 4, draw.choice([0.0, 0.01])))


def many_levels(draw: Random) -> Case:
    """A column of 65,537 levels; codes of 16 bits do not suffice."""
    rows = 65_537 + draw.randrange(100)
    unique: Values = [min(row, 65_536) for row in range(rows)]
    draw.shuffle(unique)
    return Case("", [unique, *rows_of(draw, rows, 3, 3)])


KINDS = {
    "small": small, "longer": longer, "weighted": weighted, "heavy": heavy, "one_row": one_row, "one_level": one_level,
    "all_unique": all_unique, "almost_all_missing": almost_all_missing, "many_given": many_given,
    "many_levels": many_levels,
}  # fmt: skip

USUAL = ("small",) * 4 + tuple(kind for kind in KINDS if kind != "many_levels")  # that one takes seconds: apart
