"""The tests the paper compares, with their settings and how figures show them: one color and one marker each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

# Okabe & Ito's palette: told apart with any common color blindness, and in gray by marker and dash.
_BLUE, _ORANGE, _GREEN, _PURPLE, _RED, _SKY, _BLACK, _GREY = (
    "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#000000", "#767676",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Method:
    """A test, its settings and its looks. `key` names it in the results, `name` in bitsep."""

    key: str
    name: str
    alpha: float | None
    label: str  # in mathtext
    color: str
    marker: str
    line: str = "-"
    options: Mapping[str, Any] = field(default_factory=dict)


METHODS: dict[str, Method] = {
    method.key: method
    for method in (
        Method("sci_f", "sci_f", None, r"$\mathrm{SCI}_f$", _BLUE, "o"),
        Method("sci_q", "sci_q", None, r"$\mathrm{SCI}_q$", _ORANGE, "s"),
        Method("sci_fs", "sci_fs", None, r"$\mathrm{SCI}_{fs}$", _SKY, "D"),
        Method("jic", "jic", None, "JIC", _PURPLE, "v"),
        Method("g2", "g2", 0.05, "$G^2$", _RED, "^"),
        Method("g2_adjusted", "g2_adjusted", 0.05, "$G^2$ adjusted", _BLACK, "P", ":"),
        Method("g2_ten_rows", "g2", 0.05, "$G^2$, 10 rows per df", _RED, "1", ":", options={"min_rows_per_df": 10}),
        Method("gamma_05", "cmi_gamma", 0.05, r"$\Gamma_{.05}$", _GREY, "x", "--"),
        Method("gamma_01", "cmi_gamma", 0.01, r"$\Gamma_{.01}$", _GREY, "x", "-."),
        Method("gamma_001", "cmi_gamma", 0.001, r"$\Gamma_{.001}$", _GREY, "+", ":"),
        Method("gamma_halved_05", "cmi_gamma_halved", 0.05, r"$\Gamma_{.05}$ halved", _GREEN, "<", "-"),
        Method("gamma_halved_001", "cmi_gamma_halved", 0.001, r"$\Gamma_{.001}$ halved", _GREEN, ">", "--"),
        Method("cmi", "cmi", None, "CMI, threshold 0", _BLACK, "*", "-."),
    )
}


def methods(keys: Sequence[str]) -> list[Method]:
    return [METHODS[key] for key in keys]
