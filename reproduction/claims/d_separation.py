"""Claims on telling independence from dependence (paper, Sec. 5.1 and B.1).

Noise is a multiple of 5%; bounds lie between two of them.
"""

from __future__ import annotations

import pandas as pd

from reproduction.claims.claim import (
    Findings,
    at_least,
    at_most,
    best_mean,
    claim,
    equals,
    last_by_first,
    mean,
    means,
)

NAME = "d-separation"
LOW = "0.01 < noise < 0.67"
HIGH = "noise > 0.69"
SOME = "noise > 0.01"


def _of(results: pd.DataFrame, method: str, column: str, where: str = LOW) -> pd.Series:
    return results.query(f"method == '{method}' and {where}")[column]


def _accuracy(results: pd.DataFrame, method: str, where: str = LOW) -> float:
    return mean(_of(results, method, "accuracy", where))


@claim(
    NAME,
    "5.1",
    "Below 70% noise SCI_f is nearly perfect, at every size from 100 rows.",
    "On average over sizes and noise it is. Single settings with few rows and much noise are not.",
)
def sci_f_near_perfect(results: pd.DataFrame) -> Findings:
    accuracy = _of(results, "sci_f", "accuracy", "0.01 < noise < 0.27")
    yield at_least(0.98, "accuracy of SCI_f, noise 5–25%", accuracy)
    accuracy = _of(results, "sci_f", "accuracy", "0.29 < noise < 0.67")
    yield at_least(0.97, "accuracy of SCI_f, noise 30–65%", accuracy)
    yield at_least(0.9, "the same, lowest of all settings", accuracy, pd.Series.min)


@claim(
    NAME,
    "5.1, B.1",
    "From 70% noise on SCI_f misses dependences, up to calling everything independent. (Checked from 400 rows.)",
)
def sci_f_type_2_at_high_noise(results: pd.DataFrame) -> Findings:
    rows = results.query("n >= 400")
    yield at_least(0.5, "dependences SCI_f misses, noise 70–95%", _of(rows, "sci_f", "fpr", HIGH))
    yield at_most(0.05, "dependences SCI_f misses, noise 5–65%", _of(rows, "sci_f", "fpr"))
    yield at_least(0.95, "independences SCI_f finds, noise 70–95%", _of(rows, "sci_f", "tpr", HIGH))


@claim(
    NAME,
    "B.1",
    "From 70% noise on SCI_f errs towards independence at every size, also below 400 rows.",
    "With 100 to 300 rows it errs the other way: the paper's own bound asks for 378 rows here, and below it SCI_f "
    "calls much of what is independent dependent when noise is heavy. bitsep flags such results (small_sample).",
)
def sci_f_high_noise_few_rows(results: pd.DataFrame) -> Findings:
    rows = results.query("n <= 300")
    yield at_least(0.5, "dependences SCI_f misses, up to 300 rows, noise 70–95%", _of(rows, "sci_f", "fpr", HIGH))
    yield at_least(0.95, "independences SCI_f finds, up to 300 rows, noise 70–95%", _of(rows, "sci_f", "tpr", HIGH))


@claim(NAME, "5.1", "SCI_q behaves like SCI_f, slightly worse.")
def sci_q_slightly_worse(results: pd.DataFrame) -> Findings:
    lead = _accuracy(results, "sci_f") - _accuracy(results, "sci_q")
    yield at_least(0, "accuracy of SCI_f minus SCI_q, noise 5–65%", lead)
    yield at_most(0.1, "the same", lead)


@claim(
    NAME,
    "5.1, B.1",
    "Beyond 20–30% noise CMI_Γ no longer finds independence and calls everything dependent (Γ as printed).",
    "The printed Γ threshold is the G² test at the same significance: it goes on finding most of the independences, "
    "whatever the noise. Only a threshold of about half of it behaves as described (see the claim with Γ halved).",
    other_reading="gamma-flags-all-halved",
)
def gamma_flags_all_printed(results: pd.DataFrame) -> Findings:
    found = _of(results, "gamma_05", "tpr", "0.34 < noise < 0.67")
    yield at_most(0.25, "independences found by Γ .05 as printed, noise 35–65%", found)


@claim(
    NAME,
    "5.1, B.1",
    "Beyond 20–30% noise CMI_Γ no longer finds independence and calls everything dependent (Γ halved).",
)
def gamma_flags_all_halved(results: pd.DataFrame) -> Findings:
    found = _of(results, "gamma_halved_05", "tpr", "0.34 < noise < 0.67")
    yield at_most(0.25, "independences found by Γ .05 halved, noise 35–65%", found)
    accuracy = _of(results, "gamma_halved_05", "accuracy", "0.01 < noise < 0.17")
    yield at_least(0.8, "accuracy of Γ .05 halved, noise 5–15%", accuracy)


@claim(
    NAME,
    "not in the paper",
    "CMI_Γ as printed and G², which the paper compares as two tests, are one test: n times the Γ threshold times "
    "2 ln 2 is the χ² quantile of G².",
    ours=True,
)
def gamma_is_g2(results: pd.DataFrame) -> Findings:
    gamma, g2 = (means(results.query(f"method == '{name}'"), "accuracy", "n") for name in ("gamma_05", "g2"))
    what = "greatest difference in accuracy between Γ .05 as printed and G², over all cells"
    yield equals(0, what, (gamma - g2).abs(), pd.Series.max, tolerance=1e-9)


@claim(NAME, "5.1, B.1", "For G² and CMI_Γ, the significance level (.05, .01, .001) hardly changes the picture.")
def alpha_matters_little(results: pd.DataFrame) -> Findings:
    printed = _accuracy(results, "gamma_05") - _accuracy(results, "gamma_01")
    yield equals(0, "accuracy at .05 minus .01 (as printed), noise 5–65%", printed, tolerance=0.05)
    halved = _accuracy(results, "gamma_halved_05") - _accuracy(results, "gamma_halved_001")
    yield equals(0, "accuracy at .05 minus .001 (halved), noise 5–65%", halved, tolerance=0.05)


@claim(NAME, "5.1, B.1", "G² has trouble with up to 500 rows.")
def g2_needs_rows(results: pd.DataFrame) -> Findings:
    few, many = results.query("n <= 500"), results.query("n > 500")
    yield at_most(0.8, "accuracy of G², up to 500 rows, noise 5–65%", _of(few, "g2", "accuracy"))
    yield at_least(0.9, "accuracy of G², more than 500 rows, noise 5–65%", _of(many, "g2", "accuracy"))


@claim(NAME, "5.1, B.1", "Beyond 35% noise G² is uneven, where SCI_f is not.")
def g2_uneven_in_noise(results: pd.DataFrame) -> Findings:
    where = "0.39 < noise < 0.67"
    lead = _accuracy(results, "sci_f", where) - _accuracy(results, "g2", where)
    yield at_least(0.04, "accuracy of SCI_f minus G², noise 40–65%", lead)


@claim(NAME, "B.1", "SCI_f and SCI_fs do best at telling independence from dependence.")
def sci_f_and_fs_best(results: pd.DataFrame) -> Findings:
    others = "sci_q", "g2", "gamma_05", "gamma_001", "gamma_halved_05", "gamma_halved_001", "jic", "cmi"
    best = best_mean(results.query(LOW), others, "accuracy")
    for method, name in {"sci_f": "SCI_f", "sci_fs": "SCI_fs"}.items():
        what = f"accuracy of {name} minus the best test that is neither, noise 5–65%"
        yield at_least(0, what, _accuracy(results, method) - best)


@claim(NAME, "B.1", "CMI with threshold 0 finds next to no independence.")
def cmi_finds_nothing(results: pd.DataFrame) -> Findings:
    yield at_most(0.02, "independences found, noise 5–95%", _of(results, "cmi", "tpr", SOME))
    yield equals(0.5, "accuracy, noise 5–95%", _of(results, "cmi", "accuracy", SOME), tolerance=0.02)


@claim(NAME, "B.1", "Under independence the plug-in CMI depends on noise and rows, and is larger with few rows.")
def cmi_moves_with_rows_and_noise(results: pd.DataFrame) -> Findings:
    rows = results.query(f"method == 'cmi' and {SOME}")
    what = "mean plug-in CMI at the most rows divided by that at the fewest (noise 5–95%)"
    yield at_most(0.2, what, means(rows, "mean_cmi_bits", "n"), last_by_first)
    what = "mean plug-in CMI at the most noise divided by that at the least above 0"
    yield at_least(2, what, means(rows, "mean_cmi_bits", "noise"), last_by_first)


@claim(NAME, "B.1", "JIC is too strict here: it calls dependences independent.")
def jic_too_strict(results: pd.DataFrame) -> Findings:
    yield at_least(0.9, "dependences missed by JIC, noise 5–95%", _of(results, "jic", "fpr", SOME))
    yield at_least(0.99, "independences found by JIC", _of(results, "jic", "tpr", SOME))
