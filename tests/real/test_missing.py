"""Columns that are mostly missing, in the table of movies: budget and rating are known for 9% and 8% of them."""

from __future__ import annotations

from pathlib import Path

import bitsep
from real_tables import write_csv


def test_the_year_of_movies_keeps_its_edges(tmp_path: Path) -> None:
    """Given the rating, which is known for few and recent movies only, the year is independent of everything."""
    table = bitsep.discretize(bitsep.Table(write_csv("movies", tmp_path), max_float_levels=None))
    found = bitsep.pc_stable(table, max_given=2)
    assert [alert.column for alert in found.restricted] == ["budget", "mpaa"]
    assert found.graph.neighbors("year") >= {"Animation", "Documentary", "Short", "length", "r1"}
    assert bitsep.pc_stable(table, max_given=2, min_rows_share=0).graph.neighbors("year") == set()
    frame = found.separations_frame()
    few = frame[frame["few_rows"]]
    assert all({"budget", "mpaa"} & {a, b} for a, b in zip(few["a"], few["b"], strict=True))
    assert found.warnings[-1].startswith(f"{len(few)} of {len(frame)} missing edges rest on less than 50% of the rows")
