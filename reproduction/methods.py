"""The tests the paper compares, as the figures show them. One test has one color and one marker everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from bitsep._native import Test
from bitsep.independence.tests import resolve_method

# Okabe & Ito's palette: told apart with any common color blindness, and in gray by marker and dash.
_BLUE, _ORANGE, _GREEN, _PURPLE, _RED, _SKY, _BLACK, _GREY = (
    "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#000000", "#767676",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Contender:
    """A test with its settings and its looks. `key` is what the results call it."""

    key: str
    method: str
    alpha: float | None
    label: str  # for figures, in mathtext
    plain: str  # for text
    color: str
    marker: str
    line: str = "-"
    min_rows_per_df: float | None = None


CONTENDERS: dict[str, Contender] = {
    contender.key: contender
    for contender in (
        Contender("sci_f", "sci_f", None, r"$\mathrm{SCI}_f$", "SCI_f", _BLUE, "o"),
        Contender("sci_q", "sci_q", None, r"$\mathrm{SCI}_q$", "SCI_q", _ORANGE, "s"),
        Contender("sci_fs", "sci_fs", None, r"$\mathrm{SCI}_{fs}$", "SCI_fs", _SKY, "D"),
        Contender("jic", "jic", None, "JIC", "JIC", _PURPLE, "v"),
        Contender("g2", "g2", 0.05, "$G^2$", "G²", _RED, "^"),
        Contender("g2_adjusted", "g2_adjusted", 0.05, "$G^2$ adjusted", "G² adjusted", _BLACK, "P", ":"),
        Contender(
            "g2_ten_rows", "g2", 0.05, "$G^2$, 10 rows per df", "G², 10 rows per df", _RED, "1", ":", min_rows_per_df=10
        ),
        Contender("gamma_05", "cmi_gamma", 0.05, r"$\Gamma_{.05}$", "Γ .05", _GREY, "x", "--"),
        Contender("gamma_01", "cmi_gamma", 0.01, r"$\Gamma_{.01}$", "Γ .01", _GREY, "x", "-."),
        Contender("gamma_001", "cmi_gamma", 0.001, r"$\Gamma_{.001}$", "Γ .001", _GREY, "+", ":"),
        Contender(
            "gamma_halved_05", "cmi_gamma_halved", 0.05, r"$\Gamma_{.05}$ halved", "Γ .05 halved", _GREEN, "<", "-"
        ),
        Contender(
            "gamma_halved_001", "cmi_gamma_halved", 0.001, r"$\Gamma_{.001}$ halved", "Γ .001 halved", _GREEN, ">", "--"
        ),
        Contender("cmi", "cmi", None, "CMI, threshold 0", "CMI, threshold 0", _BLACK, "*", "-."),
    )
}


def contenders(keys: Sequence[str]) -> list[Contender]:
    return [CONTENDERS[key] for key in keys]


@cache
def native_test(key: str) -> Test:
    """The contender as the native core takes it."""
    contender = CONTENDERS[key]
    options = {} if contender.min_rows_per_df is None else {"min_rows_per_df": contender.min_rows_per_df}
    return resolve_method(contender.method, contender.alpha, options).test
