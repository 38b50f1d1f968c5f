"""The page in a real browser: sections, tables, safety, small screens."""

from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest

import bitsep
from bitsep import Table
from bitsep.discovery.edge_table import edge_table
from bitsep.report.build import build_view
from bitsep.report.render import render_page
from report.browser import MIDDLES, Visitor, lonely, oracle, show_all
from report.samples import alarm, eighty, hostile, long_names

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("sample", [alarm, eighty, hostile, oracle, lonely])
def test_loads_without_complaint_and_asks_for_nothing(visitor: Visitor, sample: object) -> None:
    visit = visitor.open(*sample())
    visit.page.wait_for_timeout(200)
    assert visit.complaints == []
    assert len(visit.requests) == 1
    assert visit.requests[0].startswith("file://")


def test_the_network_is_forbidden(visitor: Visitor) -> None:
    visit = visitor.open(*oracle())
    refused = visit.page.evaluate("fetch('data:text/plain,hello').then(() => 'answered', () => 'refused')")
    assert refused == "refused"


def test_hostile_names_are_shown_and_do_nothing(visitor: Visitor) -> None:
    discovery, table = hostile()
    visit = visitor.open(discovery, table)
    page = visit.page
    for node in page.locator("#drawing .node").all():
        node.click(force=True)
    for middle in page.evaluate(MIDDLES):
        if middle:
            page.mouse.click(*middle)
    for row in page.locator("#missing .list tbody button").all() + page.locator("#variables .list tbody button").all():
        row.click()
    labels = page.locator("#drawing .node text").all_text_contents()
    for i, j in combinations(range(len(labels)), 2):
        page.select_option("#first", index=i)
        page.select_option("#second", index=j)
        page.click("#pair button")
    page.fill("#search", "<script>")
    page.press("#search", "Enter")
    assert page.evaluate("window.hacked") is None
    assert page.locator("img, iframe, b").count() == 0
    assert page.locator("script").count() == 2
    assert "<script>window.hacked=1</script>" in labels
    assert "<script>window.hacked=1</script>" in page.inner_text("#variables")
    assert visit.complaints == []
    assert len(visit.requests) == 1


def test_the_profile_is_the_first_section(visitor: Visitor) -> None:
    data = {"x": [0, 1, 1] * 60, "y": [1, 0, 0] * 60, "<b>id</b>": range(180)}
    visit = visitor.open(bitsep.discover(data), Table(data))
    page = visit.page
    assert page.locator("main section").first.get_attribute("id") == "profile"
    assert page.inner_text("#profile li").startswith("left out'<b>id</b>' looks like an identifier")
    assert not page.locator("#profile table").is_visible()
    page.locator("#profile summary", has_text="All 3 columns").click()
    rows = page.locator("#profile tbody tr").all_inner_texts()
    assert [row.split("\t")[1] for row in rows] == ["x", "y", "'<b>id</b>'"]
    page.locator("#profile tbody button", has_text="x").click()
    assert visit.evidence().startswith("x#")
    assert "Markov blanket undirected y" in visit.evidence()
    assert visit.complaints == []
    assert visitor.open(*oracle()).page.locator("#profile, [href='#profile']").count() == 0
    folded = visitor.open(*alarm()).page
    assert not folded.locator("#profile table").is_visible()
    folded.locator("#profile summary", has_text="All 37 columns").click()
    assert folded.locator("#profile tbody tr").count() == 25


def test_the_fit_has_a_verdict_and_shows_pairs(visitor: Visitor) -> None:
    rows = Table(bitsep.load_network("asia").sample(2000, seed=1))
    knowledge = bitsep.Knowledge(
        required=[("asia", "smoke")], forbidden=[("smoke", "bronc"), ("bronc", "smoke"), ("lung", "smoke")]
    )
    visit = visitor.open(bitsep.discover(rows, knowledge=knowledge), rows)
    section = visit.page.locator("#checked")
    assert section.locator("p").first.inner_text().startswith("The graph does not fit the data: p = ")
    violated = section.locator("li", has_text="bronc and smoke should be independent")
    violated.get_by_role("button").click()
    assert "bronc and smoke" in visit.evidence()
    assert section.locator(".tag", has_text="no support").count() >= 1
    assert not visit.complaints


def test_the_edge_table_sorts_by_strength_and_by_name(visitor: Visitor) -> None:
    visit = visitor.open(*alarm())
    column = visit.page.locator("#edges .list tbody td:nth-child(2)")
    show_all(visit, "#edges")
    bits = [float(text.replace(",", "")) for text in column.all_inner_texts()]
    assert len(bits) == len(alarm()[0].skeleton)
    assert all(above >= below for above, below in pairwise(bits))
    header = visit.page.locator("#edges th", has_text="bits").first
    assert header.get_attribute("aria-sort") == "descending"
    header.locator("button").click()
    assert header.get_attribute("aria-sort") == "ascending"
    visit.page.locator("#edges th button", has_text="edge").first.click()
    assert visit.page.locator("#edges .list tbody tr").first.inner_text().startswith("ANAPHYLAXIS")


def test_the_cost_of_missing_edges_is_sorted_from_the_smallest(visitor: Visitor, tmp_path: Path) -> None:
    table = Table(bitsep.load_network("asia").sample(2000, seed=1))
    view = build_view(bitsep.discover(table), table, None, None)
    scores = [0.002, *(-float(k) for k in range(1, len(view.separations)))]
    separations = tuple(replace(pair, score=score) for pair, score in zip(view.separations, scores, strict=True))
    (tmp_path / "page.html").write_text(render_page(replace(view, separations=separations)), encoding="utf-8")
    page = visitor.visit(tmp_path / "page.html").page
    header = page.locator("#missing th", has_text="bits it would cost")
    column = page.locator("#missing .list tbody td:nth-child(2)")
    assert header.get_attribute("aria-sort") == "ascending"
    assert column.all_inner_texts()[:3] == ["0.00", "1.00", "2.00"]
    header.locator("button").click()
    assert header.get_attribute("aria-sort") == "descending"
    assert column.first.inner_text() == f"{len(scores) - 1:.2f}"


def test_figures_have_the_digits_of_the_terminal(visitor: Visitor) -> None:
    table = Table(bitsep.load_network("asia").sample(500, seed=4))
    discovery = bitsep.discover(table, bootstrap=10, seed=1)
    rows = visitor.open(discovery, table).page.locator("#edges .list tbody tr").all_inner_texts()
    assert len(rows) == len(discovery.skeleton)
    for cells, _ in edge_table(discovery).rows:
        edges = [" ".join(cells[:3]), " ".join(cells[2::-1])]  # one without a direction may be written either way
        [row] = [row for row in rows if row.startswith(tuple(edges))]
        figures = {cell.split(" ")[0] for cell in cells[3:] if cell[0].isdigit()}
        assert figures <= set(row.split()), (figures, row)


def test_effect_sizes_few_rows_and_bars_of_missing_values(visitor: Visitor) -> None:
    draw = np.random.default_rng(0)
    x = draw.integers(0, 2, 1000)
    y = x ^ (draw.random(1000) < 0.1)
    rare = np.where(draw.random(1000) < 0.2, draw.integers(0, 2, 1000), None)
    table = Table({"x": x, "y": y, "z": y ^ (draw.random(1000) < 0.3), "rare": rare})
    visit = visitor.open(bitsep.pc_stable(table), table)
    header = visit.page.locator("#edges th", has_text="bits per row")
    header.locator("button").click()
    assert header.get_attribute("aria-sort") == "descending"
    assert visit.page.locator("#edges .list tbody tr").first.inner_text().startswith("x — y")
    assert visit.page.locator("#missing .tag", has_text="few rows").count() == 3
    assert visit.page.locator("#variables .measure").count() == 4  # one for each variable, so that numbers are aligned
    assert visitor.open(*alarm()).page.locator("#variables .measure").count() == 0
    assert "rare is missing in 78% of the rows" in visit.page.locator("#profile").inner_text()
    assert visit.complaints == []


@pytest.mark.parametrize("sample", [alarm, eighty, hostile, long_names])
def test_a_phone_has_no_sideways_scrolling(visitor: Visitor, sample: object) -> None:
    visit = visitor.open(*sample(), viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page = visit.page
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.locator("#missing .list tbody button").first.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.locator("#evidence h3").is_visible()
    assert visit.complaints == []


def test_tables_fit_a_phone(visitor: Visitor) -> None:
    """Without scrolling sideways; what is left out there is in the evidence of an edge."""
    table = Table(bitsep.load_network("child").sample(500, seed=1))
    visit = visitor.open(bitsep.discover(table, bootstrap=5, seed=1), table, viewport={"width": 360, "height": 740})
    wide = "() => [...document.querySelectorAll('.scroll')].map((part) => part.scrollWidth - part.clientWidth)"
    assert set(visit.page.evaluate(wide)) == {0}


def test_tables_and_bars_fit_with_long_names(visitor: Visitor) -> None:
    page = visitor.open(*long_names()).page
    page.locator("#profile summary").first.click()
    wide = "() => [...document.querySelectorAll('.scroll')].map((part) => part.scrollWidth - part.clientWidth)"
    assert set(page.evaluate(wide)) == {0}
    page.locator("#variables .list tbody button", has_text="levels").click()
    assert page.locator(".levels .measure").first.bounding_box()["width"] > 60


def test_a_finger_has_room_to_scroll_past_a_tall_graph(visitor: Visitor) -> None:
    names = [f"v{i:02}" for i in range(25)]
    chain = bitsep.Oracle(bitsep.DAG(names, pairwise(names)))
    discovery = bitsep.pc_stable(chain, knowledge=bitsep.Knowledge(tiers=[[name] for name in names]))
    touch = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
    assert visitor.open(discovery, None, **touch).page.locator("#drawing").bounding_box()["height"] < 0.75 * 740


def test_dark_and_light_follow_the_system_and_the_button(visitor: Visitor) -> None:
    visit = visitor.open(*oracle(), color_scheme="dark")
    background = "getComputedStyle(document.body).backgroundColor"
    dark = visit.page.evaluate(background)
    visit.page.click("#theme")
    light = visit.page.evaluate(background)
    assert dark != light
    visit.page.click("#theme")
    assert visit.page.evaluate(background) == dark


def test_everything_has_a_name_for_those_who_listen(visitor: Visitor) -> None:
    visit = visitor.open(*alarm())
    nameless = visit.page.evaluate(
        "() => [...document.querySelectorAll('button, input, select, [tabindex]')].filter((node) => "
        "!node.textContent.trim() && !node.getAttribute('aria-label') && !node.labels?.length).map((n) => n.outerHTML)"
    )
    assert nameless == []


def test_it_prints(visitor: Visitor) -> None:
    visit = visitor.open(*alarm(), color_scheme="dark")
    assert visit.page.pdf().startswith(b"%PDF")
    visit.page.emulate_media(media="print")
    assert not visit.page.locator("nav").is_visible()
    assert visit.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    color = "getComputedStyle(document.documentElement).getPropertyValue('--parent')"
    assert visit.page.evaluate(color) == visitor.open(*alarm(), color_scheme="light").page.evaluate(color)


def test_all_rows_and_what_is_folded_are_printed(visitor: Visitor) -> None:
    discovery, table = alarm()
    page = visitor.open(discovery, table).page
    rows, folded = page.locator("#missing .list tbody tr"), page.locator("details:not([open])")
    before = rows.count(), folded.count()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert (rows.count(), folded.count()) == (len(discovery.separations), 0)
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert (rows.count(), folded.count()) == before


def test_the_python_that_repeats_the_run_can_be_copied(visitor: Visitor) -> None:
    visit = visitor.open(*alarm())
    visit.page.locator("#repeat button").click()
    assert visit.page.locator("#repeat button").inner_text() == "Copied"
    assert visit.page.evaluate("getSelection().toString()").startswith("import bitsep")
