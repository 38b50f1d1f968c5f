"""The contents of the page as frozen dataclasses, without markup.

Variables are given by their index in canonical order. `build_view` in `build.py` makes a view from a discovery.
"""

from __future__ import annotations

from dataclasses import dataclass

from bitsep.graphs.end_marks import Mark
from bitsep.report.contingency import LevelCount
from bitsep.report.layout import Point

Numbers = tuple[int, ...]

ExplanationView = tuple[int | str | Numbers, ...]
"""An explanation: the index of its template, then its values: one variable, several variables, or text."""


@dataclass(frozen=True, slots=True)
class StratumView:
    """A table of counts in one stratum, row by row; pooled strata also have the counts expected under independence.

    In `cells` a negative number −k stands for a run of k zeros.
    """

    labels: tuple[str, ...]
    pooled: int
    cells: Numbers
    expected: tuple[float, ...] | None


@dataclass(frozen=True, slots=True)
class VariableView:
    """A variable: its box in the drawing, its Markov blanket by role, and the levels of its column.

    `quoted` is the label in sentences and lists, None if it is the same.
    `undecided` are neighbors by an undirected edge, `spouses` are other parents of its children.
    `n_levels`, `missing` and `levels` are None without data; the last of `levels` stands for `pooled` levels.
    """

    label: str
    x: float
    y: float
    width: float
    parents: Numbers
    children: Numbers
    undecided: Numbers
    spouses: Numbers
    n_levels: int | None = None
    missing: int | None = None
    levels: tuple[LevelCount, ...] | None = None
    pooled: int = 0
    quoted: str | None = None


@dataclass(frozen=True, slots=True)
class SupportView:
    """Shares of bootstrap samples with an edge, with a → b, and with b → a."""

    edge: float
    forward: float
    backward: float


@dataclass(frozen=True, slots=True)
class EdgeView:
    """An edge from a to b with the marks at its `start` (a) and its `end` (b), and the test that came closest to
    removing it, or in a search by score the bits that it saves (`strength`) given the other parents; `per_row` and
    `entropy_share` are their size.

    The route is empty if the edge is not in the drawing. Numbers are None if knowledge requires the edge or there are
    no rows (an oracle). `doubtful` is "edge" or "direction" if bootstrap samples speak against it.
    """

    a: int
    b: int
    start: Mark
    end: Mark
    contested: bool
    route: tuple[Point, ...]
    strength: float | None
    per_row: float | None
    entropy_share: float | None
    margin: float | None
    threshold: float | None
    given: Numbers
    rows: int
    tests: int
    support: SupportView | None
    probability: float | None
    doubtful: str | None
    explanation: ExplanationView
    strata: tuple[StratumView, ...]


@dataclass(frozen=True, slots=True)
class SeparationView:
    """A pair without an edge; `given` is None if knowledge forbids the edge, which is then not considered.

    In a search by score, `score` is minus the bits that the edge would cost. `few_rows` says that it rests on a smaller
    share of the rows than the search demands (`min_rows_share`).
    """

    a: int
    b: int
    given: Numbers | None
    score: float | None
    strength: float | None
    threshold: float | None
    rows: int
    few_rows: bool
    tests: int
    support: float | None
    probability: float | None
    explanation: ExplanationView
    strata: tuple[StratumView, ...]


@dataclass(frozen=True, slots=True)
class NoteView:
    """A note below the graph; `kind` is "warning", "doubtful", "conflict", "ambiguous" or "decision" (for a DAG)."""

    kind: str
    explanation: ExplanationView
    pair: Numbers | None


@dataclass(frozen=True, slots=True)
class FitView:
    """Whether the graph fits the data: the verdict, sentences about it, and notes about pairs; `kind` of a note is
    "violated" (an independence that the graph implies) or "no support" (an edge)."""

    verdict: str
    lines: tuple[str, ...]
    notes: tuple[NoteView, ...]
    notes_left_out: int


@dataclass(frozen=True, slots=True)
class ExpectedView:
    """The accuracy to expect: a sentence, and (rows, precision, recall) for some numbers of rows."""

    sentence: str
    points: tuple[tuple[int, float, float], ...]


@dataclass(frozen=True, slots=True)
class ColumnView:
    """A column of the data as they were read; `variable` is None if it is not a variable of the graph."""

    label: str
    variable: int | None
    kind: str
    n_levels: int
    missing_share: float
    rows_per_level: float
    top: str
    alerts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DataNoteView:
    """A line about columns; the tag is "left out", "discretized" or the kind of an alert."""

    tag: str
    text: str


@dataclass(frozen=True, slots=True)
class DataView:
    """The profile of the data; title and table are empty if only the columns left out are known."""

    title: str | None
    notes: tuple[DataNoteView, ...]
    notes_left_out: int
    table: tuple[ColumnView, ...]


@dataclass(frozen=True, slots=True)
class Fact:
    """A line of the summary or of the settings."""

    label: str
    value: str


@dataclass(frozen=True, slots=True)
class PartView:
    """A part of a large graph: its variables, and the one of them with the most edges."""

    hub: int
    members: Numbers


@dataclass(frozen=True, slots=True)
class View:
    """Everything on the page."""

    title: str
    facts: tuple[Fact, ...]
    settings: tuple[Fact, ...]
    snippet: str
    command: str | None
    profile: DataView | None
    width: float
    height: float
    box_height: float
    rows: int
    has_data: bool
    by_score: bool
    assumed: str
    variables: tuple[VariableView, ...]
    parts: tuple[PartView, ...]
    edges: tuple[EdgeView, ...]
    edges_drawn: int
    edges_left_out: int
    separations: tuple[SeparationView, ...]
    separations_left_out: int
    notes: tuple[NoteView, ...]
    notes_left_out: int
    fit: FitView | None
    expected: ExpectedView | None
    templates: tuple[str, ...]
