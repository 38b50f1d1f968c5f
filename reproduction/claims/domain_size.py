"""Claims on domains that grow (paper, Sec. 5.2 and A.3)."""

from __future__ import annotations

import pandas as pd

from reproduction.claims.claim import Findings, at_least, at_most, claim, equals, mean

NAME = "domain-size"


@claim(NAME, "5.2", "SCI_f copes with large domains.")
def sci_f_copes_with_domains(results: pd.DataFrame) -> Findings:
    accuracy = results.query("method == 'sci_f' and levels >= 4").accuracy
    yield at_least(0.98, "accuracy of SCI_f, least over 4 to 20 levels", accuracy, pd.Series.min)


@claim(
    NAME,
    "5.2",
    "As domains grow, every other test of the paper ends at an accuracy of 50%: it calls all dependences independent.",
)
def others_fail_on_domains(results: pd.DataFrame) -> Findings:
    large = results.query("levels >= 10")
    for method, name in {"sci_q": "SCI_q", "g2": "G²", "gamma_05": "Γ .05 as printed", "jic": "JIC"}.items():
        accuracy = large.query(f"method == '{method}'").accuracy
        yield at_most(0.55, f"accuracy of {name}, 10 levels and more", accuracy, pd.Series.max)
    missed = large.query("method == 'g2'").fpr
    yield at_least(0.9, "dependences missed by G², 10 levels and more", missed, pd.Series.min)


@claim(
    NAME,
    "5.2",
    "2,000 rows, 10% noise and 4 levels is a setting in which all tests do well.",
    "All but JIC, which is at chance there; appendix B.1 of the paper says so too.",
)
def all_do_well_at_four(results: pd.DataFrame) -> Findings:
    four = results.query("levels == 4")
    accuracy = four.query("method in ['sci_f', 'sci_q', 'g2', 'gamma_05']").accuracy
    yield at_least(0.9, "accuracy at 4 levels, least over SCI_f, SCI_q, G², Γ", accuracy, pd.Series.min)
    yield at_least(0.9, "accuracy of JIC at 4 levels", four.query("method == 'jic'").accuracy)


@claim(NAME, "A.3", "SCI_fs does worse than SCI_f for large domains, much as SCI_q does.")
def fs_like_q_on_domains(results: pd.DataFrame) -> Findings:
    large = results.query("levels >= 10")
    f, fs, q = (mean(large.query(f"method == '{name}'").accuracy) for name in ("sci_f", "sci_fs", "sci_q"))
    yield at_least(0.4, "accuracy of SCI_f minus SCI_fs, 10 levels and more", f - fs)
    yield equals(0, "accuracy of SCI_fs minus SCI_q, 10 levels and more", fs - q, tolerance=0.05)
