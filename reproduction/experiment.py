"""What an experiment is: settings, chunks of work, rows, figures.

An experiment is cut into chunks. A chunk is a few parameters; its rows depend on the experiment's seed, the settings
and its place in the list, and on nothing else, so chunks can run anywhere, in any order, and again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import cleandoc
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Settings = Mapping[str, Any]
Chunk = Mapping[str, Any]
Row = dict[str, Any]
Size = Literal["full", "quick", "tiny"]
"""``full`` is the paper's size, ``quick`` ends within a minute, ``tiny`` only shows that everything works."""


@dataclass(frozen=True, slots=True)
class Picture:
    """One figure: the file's name, where the paper has it, a caption in our words, and how to draw it."""

    name: str
    paper: str
    caption: str
    draw: Callable[[pd.DataFrame], Figure]


@dataclass(frozen=True, slots=True)
class Experiment:
    """One experiment of the paper.

    Attributes
    ----------
    name, title, section : str
        What to call it on the command line and on the page, and where the paper has it.
    text : str
        The docstring of its module: a line, then the reading taken.
    seed : int
        Of all its random numbers.
    sizes : mapping
        The settings of each size.
    chunks : callable
        The chunks for given settings.
    run : callable
        The rows of one chunk.
    pictures : tuple of Picture
    """

    name: str
    title: str
    section: str
    text: str
    seed: int
    sizes: Mapping[Size, Settings]
    chunks: Callable[[Settings], Sequence[Chunk]]
    run: Callable[[Settings, Chunk, np.random.Generator], list[Row]]
    pictures: tuple[Picture, ...]

    @property
    def reading(self) -> list[str]:
        """The paragraphs of the reading taken."""
        paragraphs = cleandoc(self.text).split("\n\n")[1:]
        return [" ".join(paragraph.split()) for paragraph in paragraphs]

    def run_chunk(self, settings: Settings, index: int) -> list[Row]:
        """The rows of chunk `index`."""
        source = np.random.SeedSequence(self.seed, spawn_key=(index,))
        return self.run(settings, self.chunks(settings)[index], np.random.Generator(np.random.PCG64(source)))
