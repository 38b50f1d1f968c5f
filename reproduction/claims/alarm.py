"""Claims on the Alarm network (paper, Sec. 5.3)."""

from __future__ import annotations

import pandas as pd

from reproduction.claims.claim import Findings, at_least, at_most, best_means, claim, means

PC, PCMB = "pc-alarm", "pcmb-alarm"
OTHERS = ("sci_q", "jic", "gamma_05", "g2")


def _lead(results: pd.DataFrame, column: str, others: tuple[str, ...] = OTHERS) -> pd.Series:
    """SCI_f minus the best of the others, by the number of rows."""
    return means(results.query("method == 'sci_f'"), column, "n") - best_means(results, others, column, "n")


@claim(
    PC,
    "5.3",
    "With SCI_f, PC-stable beats SCI_q, JIC, CMI_Γ and G² at every size, by a wide margin.",
    "It does beat them at every size, by a wide margin up to some thousand rows; with the most rows the lead is small.",
)
def pc_sci_f_best(results: pd.DataFrame) -> Findings:
    lead = _lead(results, "f1")
    yield at_least(0, "F1 of SCI_f minus the best of SCI_q, JIC, Γ and G², least over rows", lead, pd.Series.min)
    yield at_least(0.1, "the same, mean over rows", lead)
    yield at_least(0.05, "the same, with the most rows", float(lead.iloc[-1]) if len(lead) else float("nan"))


@claim(PC, "5.3", "The margin of PC-stable with SCI_f is widest where rows are few.")
def pc_margin_small_samples(results: pd.DataFrame) -> Findings:
    few, many = (_lead(results.query(where), "f1") for where in ("n <= 1000", "n >= 5000"))
    yield at_least(0.2, "F1 of SCI_f minus the best of the others, mean up to 1,000 rows", few)
    yield at_most(0.2, "the same from 5,000 rows on", many)


@claim(
    PC,
    "not in the paper",
    "SCI_f also beats G² with adjusted degrees of freedom, which the paper did not try, by more than .02 on average.",
    "The two are about equal. Counting degrees of freedom from occupied rows and columns removes most of the problems "
    "of G² here; it needs a significance level, SCI_f does not.",
    ours=True,
)
def pc_beyond_the_paper(results: pd.DataFrame) -> Findings:
    yield at_least(0.02, "F1 of SCI_f minus G² adjusted, mean over rows", _lead(results, "f1", ("g2_adjusted",)))


@claim(PCMB, "5.3", "With SCI_f, PCMB has the best recall at every size.")
def pcmb_recall(results: pd.DataFrame) -> Findings:
    what = "recall of SCI_f minus the best of SCI_q, JIC, Γ and G², least over rows"
    yield at_least(0, what, _lead(results, "recall"), pd.Series.min)


@claim(
    PCMB,
    "5.3 and abstract",
    "The recall of PCMB with SCI_f does not cost precision.",
    "At the fewest rows it costs some; from 500 rows on it does not.",
)
def pcmb_precision(results: pd.DataFrame) -> Findings:
    rows = results.query("n >= 500")
    what = "precision of SCI_f minus the best of SCI_q, JIC, Γ and G², least over rows from 500"
    yield at_least(-0.03, what, _lead(rows, "precision"), pd.Series.min)
    precision = means(rows.query("method == 'sci_f'"), "precision", "n")
    yield at_least(0.93, "precision of SCI_f, least over rows from 500", precision, pd.Series.min)


@claim(
    PCMB,
    "not in the paper",
    "SCI_f's recall also beats G² with adjusted degrees of freedom, by more than .02 on average.",
    "The two are about equal, as with PC-stable.",
    ours=True,
)
def pcmb_beyond_the_paper(results: pd.DataFrame) -> Findings:
    yield at_least(
        0.02, "recall of SCI_f minus G² adjusted, mean over rows", _lead(results, "recall", ("g2_adjusted",))
    )
