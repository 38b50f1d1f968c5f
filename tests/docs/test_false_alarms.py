"""What the documentation says about false alarms is what `benchmarks.false_alarms` measures."""

from __future__ import annotations

import re
from functools import cache
from math import sqrt
from pathlib import Path

import pytest
from benchmarks.false_alarms import KINDS, METHODS, ROWS, SIZES, false_alarms

ROOT = Path(__file__).resolve().parents[2]
SETS = 300
LINE = re.compile(r"\| (\d+), (\d+), (\d+) \| (\w+) \| ([\d,]+) \| (.*) \|")


@cache
def documented() -> dict[tuple[str, tuple[int, ...], int], list[float]]:
    found: dict[tuple[str, tuple[int, ...], int], list[float]] = {}
    for x, y, z, kind, rows, shares in LINE.findall((ROOT / "docs" / "sample-size.md").read_text(encoding="utf-8")):
        percent = [float(share.strip().removesuffix("%")) / 100 for share in shares.split("|")]
        found[kind, (int(x), int(y), int(z)), int(rows.replace(",", ""))] = percent
    return found


def test_the_table_has_every_line_the_script_prints() -> None:
    assert set(documented()) == {(kind, sizes, n) for kind in KINDS for sizes in SIZES for n in ROWS}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("sizes", SIZES)
def test_documented_rates_are_those_measured(kind: str, sizes: tuple[int, int, int]) -> None:
    for n in ROWS:
        for method, share, stated in zip(
            METHODS, false_alarms(kind, sizes, n, SETS), documented()[kind, sizes, n], strict=True
        ):
            error = sqrt(max(stated * (1 - stated), 0.005) / SETS)
            assert abs(share - stated) < 5 * error, (method, n)


def test_readme_quotes_the_table() -> None:
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    stated = re.search(
        r"3 levels, 9 strata and 100 evenly spread rows, `sci_f` errs in (\d+)% of samples, `sci_fs` in (\d+)%, "
        r"`g2_adjusted` in (\d+)%, and `x2_calibrated` in (\d+)%",
        readme,
    )
    assert stated is not None
    shares = dict(zip(METHODS, documented()["even", (3, 3, 9), 100], strict=True))
    assert [int(n) for n in stated.groups()] == [
        round(100 * shares[method]) for method in ("sci_f", "sci_fs", "g2_adjusted", "x2_calibrated")
    ]
