"""The pages have no serious problem for people who use a keyboard or a screen reader, by the rules of axe-core."""

from __future__ import annotations

from pathlib import Path

import axe_playwright_python
import pytest

from report.browser import Visit, Visitor
from report.samples import alarm, network
from report.test_browser_focus import resampled

pytestmark = pytest.mark.slow

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def serious(visit: Visit) -> list[str]:
    """The important rules that the page breaks, with the first element that does."""
    found = visit.page.evaluate(f"async () => {{ {AXE}; return await axe.run(document); }}")
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:200]}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical") or one["id"] == "landmark-unique"
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_report(visitor: Visitor, scheme: str) -> None:
    visit = visitor.open(*alarm(), color_scheme=scheme)
    assert serious(visit) == []
    visit.choose("HISTORY", "CVP")
    visit.page.locator("#notes summary").first.click()
    assert serious(visit) == []


def test_doubts_and_filters(visitor: Visitor) -> None:
    visit = visitor.open(*resampled())
    visit.page.click("#filters summary")
    assert serious(visit) == []


def test_a_large_report_on_a_phone(visitor: Visitor) -> None:
    visit = visitor.open(*network(200), viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    visit.page.fill("#search", "X062")
    visit.page.press("#search", "Enter")
    assert serious(visit) == []


def test_keys_reach_everything_in_order(visitor: Visitor) -> None:
    page = visitor.open(*alarm()).page
    reached = []
    for _ in range(22):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.id"))
    wanted = [
        "theme",
        "search",
        "steps",
        "closer",
        "further",
        "fit",
        "full",
        "drawing",
        "svg",
        "png",
        "first",
        "second",
    ]
    assert [name for name in reached if name in wanted] == wanted
