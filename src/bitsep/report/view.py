"""What the page shows, as plain frozen values: no markup here, and no look at how the result was found.

Variables are spoken of by their place in canonical order. `build_view` in `build.py` makes a view from a discovery.
"""

from __future__ import annotations

from dataclasses import dataclass

from bitsep.report.contingency import LevelCount
from bitsep.report.layout import Point

Numbers = tuple[int, ...]

ExplanationView = tuple[int | str | Numbers, ...]
"""An explanation: the place of its template, then its values: one variable, several, or text."""


@dataclass(frozen=True, slots=True)
class StratumView:
    """A table of counts within one stratum, row by row; pooled strata also say what independence would give.

    `cells` has a negative number −k for a run of k zeros.
    """

    labels: tuple[str, ...]
    pooled: int
    cells: Numbers
    expected: tuple[float, ...] | None


@dataclass(frozen=True, slots=True)
class VariableView:
    """A variable: its box in the drawing, its Markov blanket by role, and what its column holds.

    `undecided` are neighbors by an edge without a direction, `spouses` other parents of its children.
    `n_levels`, `missing` and `levels` are None without data; `pooled` levels hide behind the last one.
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


@dataclass(frozen=True, slots=True)
class SupportView:
    """Shares of bootstrap samples: with an edge at all, as a → b, as b → a."""

    edge: float
    forward: float
    backward: float


@dataclass(frozen=True, slots=True)
class EdgeView:
    """An edge from a to b (an arrow if `arrow`), and the test it survived most narrowly.

    The route is empty where the edge is not drawn. Numbers are None where knowledge required the edge, or where there
    are no rows (an oracle).
    """

    a: int
    b: int
    arrow: bool
    contested: bool
    route: tuple[Point, ...]
    strength: float | None
    margin: float | None
    threshold: float | None
    given: Numbers
    rows: int
    tests: int
    support: SupportView | None
    explanation: ExplanationView
    strata: tuple[StratumView, ...]


@dataclass(frozen=True, slots=True)
class SeparationView:
    """A pair without an edge; `given` is None where knowledge forbade the edge and nothing was tested."""

    a: int
    b: int
    given: Numbers | None
    score: float | None
    strength: float | None
    threshold: float | None
    rows: int
    tests: int
    support: float | None
    explanation: ExplanationView
    strata: tuple[StratumView, ...]


@dataclass(frozen=True, slots=True)
class NoteView:
    """Something to know before trusting the graph. kind: "conflict", "ambiguous" or "warning"."""

    kind: str
    explanation: ExplanationView
    pair: Numbers | None


@dataclass(frozen=True, slots=True)
class Fact:
    """A line of the summary or of the settings."""

    label: str
    value: str


@dataclass(frozen=True, slots=True)
class View:
    """Everything on the page."""

    title: str
    facts: tuple[Fact, ...]
    settings: tuple[Fact, ...]
    snippet: str
    command: str | None
    width: float
    height: float
    box_height: float
    has_rows: bool
    has_data: bool
    variables: tuple[VariableView, ...]
    edges: tuple[EdgeView, ...]
    edges_drawn: int
    edges_left_out: int
    separations: tuple[SeparationView, ...]
    separations_left_out: int
    notes: tuple[NoteView, ...]
    notes_left_out: int
    templates: tuple[str, ...]
