"""The evidence of a discovery as data frames of pandas, one line per pair."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from bitsep.discovery.evidence import EdgeCost, EdgeSaving
from bitsep.discovery.pair_explanations import rests_on_few_rows
from bitsep.naming import Name, name_key

if TYPE_CHECKING:
    import pandas as pd

    from bitsep.discovery.result import Discovery


def edges_frame(discovery: Discovery) -> pd.DataFrame:
    """See `Discovery.edges_frame`."""
    import pandas as pd

    lines = []
    for a, mark, b in discovery.graph.edge_lines():
        evidence = discovery.edges[frozenset((a, b))]
        if isinstance(evidence, EdgeSaving):
            a, b = evidence.parent, evidence.child  # the bits are those of the child
        support = evidence.support
        along, against = (None, None) if support is None else (support.forward, support.backward)
        if name_key(a) > name_key(b):
            along, against = against, along
        lines.append(
            {
                "from": a,
                "mark": mark,
                "to": b,
                "bits": _number(evidence.strength_bits),
                "bits_per_row": _number(evidence.bits_per_row),
                "entropy_share": _number(evidence.entropy_share),
                "margin_bits": _number(evidence.margin_bits),
                "rows": evidence.rows,
                "given": evidence.given,
                "required": evidence.required if isinstance(evidence, EdgeSaving) else evidence.weakest is None,
                "support": _number(None if support is None else support.edge),
                "probability": _number(discovery.probability.get(frozenset((a, b)))),
                "support_forward": _number(along),
                "support_backward": _number(against),
            }
        )
    names = ("from", "mark", "to", "bits", "bits_per_row", "entropy_share", "margin_bits", "rows", "given", "required",
             "support", "probability", "support_forward", "support_backward")  # fmt: skip
    return _ranked(pd.DataFrame(lines, columns=list(names)), "bits_per_row", ascending=False)


def edge_attributes(discovery: Discovery) -> dict[frozenset[Name], dict[str, float]]:
    """The numbers of each edge that other graph formats have, without unknown ones."""
    names = ("bits", "bits_per_row", "entropy_share", "margin_bits", "support", "probability")
    frame = edges_frame(discovery)
    found = {}
    for a, b, *numbers in frame[["from", "to", *names]].itertuples(index=False, name=None):
        known = zip(names, map(float, numbers), strict=True)
        found[frozenset((a, b))] = {name: number for name, number in known if math.isfinite(number)}
    return found


def separations_frame(discovery: Discovery) -> pd.DataFrame:
    """See `Discovery.separations_frame`."""
    import pandas as pd

    share = discovery.rows_share
    lines = []
    for pair, evidence in discovery.separations.items():
        a, b = sorted(pair, key=name_key)
        if isinstance(evidence, EdgeCost):
            bits, per_row, rows = evidence.cost_bits, evidence.bits_per_row, evidence.rows
            bits = None if bits is None else -bits
        else:
            result = evidence.result
            bits, per_row, rows = result.n * result.cmi_bits, result.cmi_bits, result.n
        support = discovery.support.get(pair)
        lines.append(
            {
                "a": a,
                "b": b,
                "given": evidence.given,
                "bits": _number(bits),
                "bits_per_row": _number(per_row),
                "margin_bits": _number(evidence.margin_bits),
                "rows": rows,
                "rows_share": _number(rows / share.n if share.n else None),
                "few_rows": rests_on_few_rows(evidence, share),
                "support": _number((support.edge if support else 0.0) if discovery.settings["bootstrap"] else None),
                "probability": _number(discovery.probability.get(pair)),
            }
        )
    names = ("a", "b", "given", "bits", "bits_per_row", "margin_bits", "rows", "rows_share", "few_rows", "support",
             "probability")  # fmt: skip
    return _ranked(pd.DataFrame(lines, columns=list(names)), "margin_bits", ascending=True)


def _ranked(frame: pd.DataFrame, column: str, *, ascending: bool) -> pd.DataFrame:
    """The lines ordered by a column; unknown numbers last, ties in canonical order."""
    return frame.sort_values(column, ascending=ascending, kind="stable", ignore_index=True)


def _number(value: Any) -> float:
    return math.nan if value is None else float(value)
