"""Claims on the error on independent data (paper, Sec. 4.4)."""

from __future__ import annotations

import pandas as pd

from reproduction.claims.claim import Findings, at_least, at_most, claim, equals, mean, means, middle_90_holds

NAME = "error"


@claim(NAME, "4.4", "On independent data SCI_f/n approaches 0 much faster than the plug-in estimate.")
def sci_error_below_plug_in(results: pd.DataFrame) -> Findings:
    for what, kx, least, most in (
        ("error of SCI_f divided by that of the plug-in, greatest over rows, (2, 2, 4)", 2, 0, 1.0),
        ("the same from the paper's bound of 67 rows on, (2, 2, 4)", 2, 67, 0.1),
        ("the same from the paper's bound of 378 rows on, (4, 4, 16)", 4, 378, 0.1),
    ):
        rows = results.query(f"kx == {kx} and n >= {least}")
        sci_f, plug_in = (
            means(rows.query(f"quantity == 'error {name}'"), "error", "n") for name in ("sci_f", "plug_in")
        )
        yield at_most(most, what, sci_f / plug_in, pd.Series.max)


@claim(NAME, "4.4", "The difference between SCI_f/n and the plug-in is especially large for larger domains.")
def gap_grows_with_domains(results: pd.DataFrame) -> Findings:
    for kx, domain, rule in ((4, "(4, 4, 16)", at_least), (2, "(2, 2, 4)", at_most)):
        rows = results.query(f"kx == {kx} and n == 500")
        plug_in, sci_f = (mean(rows.query(f"quantity == 'error {name}'").error) for name in ("plug_in", "sci_f"))
        yield rule(0.1 if kx == 4 else 0.02, f"plug-in minus SCI_f at 500 rows, {domain} (bits)", plug_in - sci_f)


def _search(results: pd.DataFrame, search: str, rows: int) -> Findings:
    found = results.query(f"quantity == '{search}'").n
    yield middle_90_holds(rows, "rows found by the search: median, middle 90%", found)


@claim(NAME, "4.4", "For (2, 2, 4) and ε = δ = .05, SCI_f needs 52 rows.")
def search_52(results: pd.DataFrame) -> Findings:
    yield from _search(results, "sci_f .05", 52)


@claim(
    NAME,
    "4.4",
    "For (2, 2, 4), ε = .01 and δ = .05, SCI_f needs 72 rows.",
    "A draw from the low tail: a search ends at its first lucky data sets. Ours end between the numbers given here; 72 "
    "does occur, rarely.",
)
def search_72(results: pd.DataFrame) -> Findings:
    yield from _search(results, "sci_f .01", 72)


@claim(
    NAME,
    "4.4",
    "For (2, 2, 4) and ε = δ = .05, the plug-in needs 140 rows.",
    "Within a few rows of ours, but outside the middle 90% of the searches.",
)
def search_140(results: pd.DataFrame) -> Findings:
    yield from _search(results, "plug_in .05", 140)


@claim(
    NAME,
    "4.4",
    "For (2, 2, 4), ε = .01 and δ = .05, the plug-in needs 684 rows.",
    "At the upper end of our searches: with new data sets at every step they end earlier, at a lucky draw; with data "
    "sets that grow, near 684.",
)
def search_684(results: pd.DataFrame) -> Findings:
    yield from _search(results, "plug_in .01", 684)


@claim(NAME, "4.4", "The bound gives 67 rows for (2, 2, 4), which is more than SCI_f needs at ε = δ = .05.")
def bound_67(results: pd.DataFrame) -> Findings:
    yield equals(67, "the bound, rounded up", results.query("kx == 2").bound)
    yield at_most(67, "most rows any search needed", results.query("quantity == 'sci_f .05'").n, pd.Series.max)


def _called_dependent(results: pd.DataFrame, kx: int, n: int) -> pd.Series:
    return results.query(f"quantity == 'error sci_f' and kx == {kx} and n == {n}").called_dependent


@claim(
    NAME,
    "not in the paper",
    "At the bound, SCI_f also calls at most 5% of independent data sets dependent.",
    "The bound keeps SCI_f/n below .05 bits; a verdict asks for more, that SCI_f be at most 0. For (2, 2, 4) about one "
    "data set in ten is called dependent at the bound; for (4, 4, 16) next to none.",
    ours=True,
)
def bound_and_verdicts(results: pd.DataFrame) -> Findings:
    for kx, n, domain in ((2, 67, "(2, 2, 4)"), (4, 378, "(4, 4, 16)")):
        what = f"independent data sets called dependent at the bound of {n} rows, {domain}"
        yield at_most(0.05, what, _called_dependent(results, kx, n))


@claim(
    NAME,
    "not in the paper",
    "Far below the bound, SCI_f must not be trusted to find independence: for (4, 4, 16) it calls most independent "
    "data sets dependent at 100 and at 200 rows, and none at 500.",
    ours=True,
)
def below_the_bound(results: pd.DataFrame) -> Findings:
    yield at_least(0.9, "independent data sets called dependent at 100 rows", _called_dependent(results, 4, 100))
    yield at_least(0.5, "at 200 rows", _called_dependent(results, 4, 200))
    yield at_most(0.01, "at 500 rows", _called_dependent(results, 4, 500))
