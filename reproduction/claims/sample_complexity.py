"""Claims on the rows needed (paper, Sec. 4.4 and B.3)."""

from __future__ import annotations

import pandas as pd

from reproduction.claims.claim import Findings, at_most, claim, last_by_first, log_slope, means

NAME = "sample-complexity"


@claim(NAME, "4.4, B.3", "Whichever domain grows, SCI_f needs fewer rows than 35 + 2|X||Y|^(2/3)(|Z|+1).")
def bound_holds(results: pd.DataFrame) -> Findings:
    what = "rows needed divided by the bound, greatest over all settings"
    yield at_most(1, what, results.share_of_bound, pd.Series.max)


@claim(NAME, "4.4, B.3", "The rows needed grow more slowly than the number of value combinations |X||Y||Z|.")
def sub_linear(results: pd.DataFrame) -> Findings:
    rows = results.query("growing == 'all'")
    what = "exponent of the rows needed against |X| = |Y| = |Z| (3 would be linear in the combinations)"
    yield at_most(2.5, what, means(rows, "n", "size"), log_slope)
    what = "rows per combination, last size divided by first, all three growing"
    yield at_most(0.5, what, means(rows, "rows_per_cell", "size"), last_by_first)
