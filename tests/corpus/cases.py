"""The samples and the questions."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from . import results
from .results import Question, Record

SEED = 20
QUESTIONS = 200
MOST_TARGETS = 4
LARGEST_GIVEN = 2
"""Of the searches for Markov blankets through subsets: without a limit some take minutes."""

SETTINGS: list[dict[str, Any]] = [
    {"method": "sci_f"},
    {"method": "sci_f", "alpha": 0.01},
    {"method": "sci_q"},
    {"method": "sci_q", "alpha": 0.01, "z_size": "product"},
    {"method": "sci_fs"},
    {"method": "sci_fs", "alpha": 0.2},
    {"method": "sci_fs", "xy_size": "observed"},
    {"method": "cmi"},
    {"method": "cmi", "threshold": 0.02},
    {"method": "jic"},
    {"method": "jic", "z_size": "product"},
    *(
        {"method": method, **options}
        for method in ("cmi_gamma", "cmi_gamma_halved", "g2", "x2")
        for options in (
            {},
            {"alpha": 0.001},
            {"z_size": "product"},
            {"min_rows_per_df": 5},
            {"alpha": 0.2, "z_size": "product", "min_rows_per_df": 2.5},
        )
    ),
    {"method": "g2_adjusted"},
    {"method": "g2_adjusted", "alpha": 0.001},
    {"method": "g2_adjusted", "min_rows_per_df": 5},
    {"method": "x2_calibrated"},
    {"method": "x2_calibrated", "alpha": 0.001},
]
"""Every test, with every option at its default and at another value."""

ORIENTATIONS = ("standard", "conservative", "majority", "evidence")
ALGORITHMS = ("pcmb", "grow_shrink", "iamb", "inter_iamb", "fast_iamb", "mmmb", "hiton_mb")
SEARCH_METHODS = ("sci_f", "g2_adjusted")


@dataclass(frozen=True)
class Sample:
    """Rows drawn from a network; `holes` takes values out of them and gives them weights."""

    network: str
    rows: int
    holes: bool = False

    @property
    def title(self) -> str:
        return f"{self.rows} rows" + (", missing values and weights" if self.holes else "")

    @property
    def small(self) -> bool:
        """The sample that every network has; searches through larger ones take long."""
        return self.rows == 500

    @property
    def weights(self) -> str | None:
        return "row weight" if self.holes else None

    def write(self, folder: Path) -> Path:
        """The rows as a Parquet file."""
        path = folder / f"{self.network} {self.title}.parquet"
        table = pa.Table.from_pandas(results.sample(self.network, self.rows, SEED), preserve_index=False)
        if self.holes:
            table = _with_holes(table)
        pq.write_table(table, path, row_group_size=200)
        return path


def _with_holes(table: pa.Table) -> pa.Table:
    """About every 29th value is missing; weights are 0 to 4."""
    columns = {}
    for place, name in enumerate(table.column_names):
        values = table[name].to_pylist()
        columns[name] = [None if (7 * row + 13 * place) % 29 == 0 else value for row, value in enumerate(values)]
    return pa.table({**columns, "row weight": [row * row % 5 for row in range(table.num_rows)]})


def samples(network: str) -> list[Sample]:
    """The samples of a network: a small one of each; of some also a large one, and one with missing values."""
    larger = {"asia": 20_000, "alarm": 5000, "child": 3000, "insurance": 2000}
    found = [Sample(network, 500)]
    if network in larger:
        found.append(Sample(network, larger[network]))
    if network in ("asia", "sachs"):
        found.append(Sample(network, 1000, holes=True))
    return found


class Questions:
    """What is asked about the variables of a network; depends on their names only."""

    def __init__(self, network: str, variables: list[str]) -> None:
        # Only random() is promised to give the same numbers in every version of Python.
        self._draw = random.Random(f"{SEED} {network}").random
        self._variables = variables
        self.arrows = results.arrows(network)
        most = len(variables) - 2
        pairs = cycle(self.arrows)  # every other question is about an edge: dependence is rare elsewhere
        self.tests = [
            self._question(min(number % 4, most), next(pairs) if number // 4 % 2 else None)
            for number in range(QUESTIONS)
        ]
        self.tasks = [self._question(min(4, most), next(pairs) if number % 2 else None) for number in range(20)]
        step = -(-len(variables) // MOST_TARGETS)
        self.targets = self._variables[::step]

    def _question(self, given: int, pair: tuple[str, str] | None) -> Question:
        chosen = list(pair or ())
        while len(chosen) < 2 + given:
            name = self._variables[int(self._draw() * len(self._variables))]
            if name not in chosen:
                chosen.append(name)
        return chosen[0], chosen[1], tuple(chosen[2:])


def independence_families(data: Any, questions: Questions) -> Iterator[tuple[str, list[Record]]]:
    """The data and all tests."""
    yield "data", results.data_records(data)
    for settings in SETTINGS:
        title = ", ".join(str(value) if key == "method" else f"{key}={value}" for key, value in settings.items())
        yield f"tests: {title}", results.independence_records(data, questions.tests, **settings)
    for method in SEARCH_METHODS:
        yield f"separators: {method}", results.separator_records(data, questions.tasks, method)


def graph_families(data: Any, methods: Sequence[str] = SEARCH_METHODS) -> Iterator[tuple[str, list[Record]]]:
    """Graphs with each rule of orientation."""
    for method in methods:
        for orientation in ORIENTATIONS:
            yield f"graph: {method}, {orientation}", results.graph_records(data, method, orientation)


def pag_families(data: Any) -> Iterator[tuple[str, list[Record]]]:
    """Graphs of the columns that are left if every fifth is hidden."""
    for variant in ("fci", "rfci"):
        yield f"pag: sci_f, {variant}", results.pag_records(data, "sci_f", variant, hidden_one_in=5)
    yield "pag: sci_f, fci, bootstrap", results.pag_records(data, "sci_f", "fci", hidden_one_in=5, bootstrap=3, seed=5)


def blanket_families(
    data: Any, questions: Questions, methods: Sequence[str] = SEARCH_METHODS
) -> Iterator[tuple[str, list[Record]]]:
    """Markov blankets by each algorithm."""
    for method in methods:
        for algorithm in ALGORITHMS:
            found = results.blanket_records(data, algorithm, method, questions.targets, LARGEST_GIVEN)
            yield f"blankets: {algorithm}, {method}", found


def one_blanket_families(data: Any, questions: Questions) -> Iterator[tuple[str, list[Record]]]:
    """The Markov blanket of one variable by each algorithm, for Spark, where every step is a job."""
    target = questions.targets[len(questions.targets) // 2]
    for algorithm in ALGORITHMS:
        found = results.blanket_records(data, algorithm, "sci_f", [target], LARGEST_GIVEN)
        yield f"blanket of {target}: {algorithm}, sci_f", found


def option_families(data: Any, questions: Questions) -> Iterator[tuple[str, list[Record]]]:
    """Graphs with options."""
    yield "graph: jic, max_given=1", results.graph_records(data, "jic", "standard", max_given=1)
    known = questions.arrows[:3]
    late = [name for name in questions.targets if all(name not in arrow for arrow in known)]
    tiers = [[name for name in questions.targets if name not in late[:2]], late[:2]] if late else []
    found = results.graph_records(data, "sci_f", "standard", required=known, tiers=tiers)
    yield "graph: sci_f, knowledge", found
    yield "graph: sci_f, bootstrap", results.graph_records(data, "sci_f", "standard", bootstrap=3, seed=5)


def table_families(data: Any, questions: Questions) -> Iterator[tuple[str, list[Record]]]:
    """What is computed of tables in memory only."""
    for code in ("fnml", "qnml"):
        yield f"complexity: {code}", results.complexity_records(data, questions.tests, code)


def regret_families() -> Iterator[tuple[str, list[Record]]]:
    """The regret for tables small and large, without data."""
    rows = (0, 1, 2, 3, 7, 10, 99, 500, 4095, 4096, 10**5, 10**7, 10**9)
    yield "regret", results.regret_records(rows, (1, 2, 3, 4, 10, 17, 128, 1000, 10**5, 10**6))
