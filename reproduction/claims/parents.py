"""Claims on finding parents (paper, B.2)."""

from __future__ import annotations

import pandas as pd

from reproduction.claims.claim import Findings, at_least, at_most, best_means, claim, mean, means

NAME = "parents"


def _found(results: pd.DataFrame, part: str, method: str) -> pd.Series:
    """How often a method says dependent, by the number of parents or of noise variables."""
    return means(results.query(f"part == '{part}' and method == '{method}'"), "called_dependent", "k")


def _lead(results: pd.DataFrame, part: str, others: tuple[str, ...]) -> pd.Series:
    rivals = best_means(results.query(f"part == '{part}'"), others, "called_dependent", "k")
    return _found(results, part, "sci_f") - rivals


@claim(NAME, "B.2", "SCI_f finds the most parents, and nearly all of them even with seven.")
def sci_f_finds_all_parents(results: pd.DataFrame) -> Findings:
    found = _found(results.query("k >= 3"), "parents", "sci_f")
    yield at_least(0.98, "parents found by SCI_f, least over 3 to 7 parents", found, pd.Series.min)
    what = "SCI_f minus the best of SCI_q, Γ and G², least over the number of parents"
    yield at_least(-0.005, what, _lead(results, "parents", ("sci_q", "gamma_05", "g2")), pd.Series.min)


@claim(
    NAME,
    "B.2",
    "The other tests struggle most with Poisson parents, whose domains are the largest.",
    "So it is for G² and Γ. SCI_q does worst on geometric parents: their domains are about as large as the Poisson "
    "ones, and most of their levels are rare.",
)
def poisson_is_hardest(results: pd.DataFrame) -> Findings:
    for what, method, distribution in (
        ("parents found by G², 2 to 7 parents: geometric minus Poisson", "g2", "geometric"),
        ("the same for Γ .05", "gamma_05", "geometric"),
        ("the same for SCI_q", "sci_q", "geometric"),
        ("SCI_q: hypergeometric minus Poisson", "sci_q", "hypergeometric"),
    ):
        rows = results.query(f"part == 'parents' and method == '{method}'")
        other, poisson = (
            mean(rows.query(f"distribution == '{name}'").called_dependent) for name in (distribution, "poisson")
        )
        yield at_least(0, what, other - poisson)


@claim(
    NAME,
    "B.2",
    "With noise variables among the given, SCI_f still finds most parents, and its lead is larger than without them.",
)
def noise_variables_part_the_field(results: pd.DataFrame) -> Findings:
    found = _found(results, "noise", "sci_f")
    yield at_least(0.85, "parents found by SCI_f, least over 1 to 7 noise variables", found, pd.Series.min)
    others = "sci_q", "gamma_05", "g2", "jic"
    what = "lead over the best of SCI_q, Γ, G² and JIC, mean over 1 to 7 noise variables"
    yield at_least(0.4, what, _lead(results, "noise", others))
    what = "the same lead without noise variables, mean over 2 to 7 parents"
    yield at_most(0.4, what, _lead(results, "parents", others))


@claim(
    NAME,
    "B.2",
    "With noise variables among the given, G² finds close to nothing in every setting (G² made to decide).",
    "Made to decide, as in Sec. 5.1, G² still finds most parents beside one noise variable and nothing from about four "
    "on. What the paper shows fits the rule of its library, pcalg: fewer than ten rows per degree of freedom count as "
    "independent (see the claim with that rule).",
    other_reading="g2-lost-with-pcalg-rule",
)
def g2_lost_in_noise_variables(results: pd.DataFrame) -> Findings:
    found = _found(results, "noise", "g2")
    yield at_most(0.2, "parents found by G², greatest over 1 to 7 noise variables", found, pd.Series.max)


@claim(
    NAME,
    "B.2",
    "With noise variables among the given, G² finds close to nothing in every setting (with pcalg's rule of ten rows "
    "per degree of freedom).",
)
def g2_lost_with_pcalg_rule(results: pd.DataFrame) -> Findings:
    found = _found(results, "noise", "g2_ten_rows")
    yield at_most(0.25, "parents found by G² with the rule, greatest over 1 to 7 noise variables", found, pd.Series.max)
    yield at_most(0.1, "the same, mean over 1 to 7 noise variables", found)


@claim(
    NAME,
    "not in the paper",
    "SCI_f's recall is not paid for with noise variables taken for parents.",
    "It is, from three parents on: the given then have hundreds of value combinations for 2,000 rows, far below the "
    "sample-size bound, and SCI_f's threshold nearly vanishes in strata of one or two rows. SCI_fs finds as many "
    "parents without it; G² with adjusted degrees of freedom errs as often as SCI_f. Results of SCI_f below the bound "
    "carry a flag (small_sample).",
    ours=True,
)
def parents_type_1(results: pd.DataFrame) -> Findings:
    wrong = _found(results, "type 1", "sci_f")
    yield at_most(0.05, "noise taken for a parent by SCI_f, greatest over 2 to 7 parents", wrong, pd.Series.max)


@claim(
    NAME,
    "not in the paper",
    "SCI_fs finds as many parents as SCI_f, and takes no noise for a parent.",
    "It takes none, and finds as many parents if only parents are given. With noise variables among the given it finds "
    "fewer.",
    ours=True,
)
def parents_fs_safe(results: pd.DataFrame) -> Findings:
    gap = _found(results, "parents", "sci_fs") - _found(results, "parents", "sci_f")
    yield at_least(-0.02, "parents found: SCI_fs minus SCI_f, least over 2 to 7 parents", gap, pd.Series.min)
    noisy = _found(results, "noise", "sci_fs") - _found(results, "noise", "sci_f")
    yield at_least(-0.02, "the same with noise variables among the given, mean", noisy)
    wrong = _found(results, "type 1", "sci_fs")
    yield at_most(0.01, "noise taken for a parent by SCI_fs, greatest over 2 to 7 parents", wrong, pd.Series.max)
