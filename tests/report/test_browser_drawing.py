"""The drawing in a real browser: what a click, a key and a search show."""

import pytest

from report.browser import MIDDLES, Visitor
from report.samples import alarm, eighty, hostile

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("sample", [alarm, eighty, hostile])
def test_labels_fit_their_boxes(visitor: Visitor, sample: object) -> None:
    visit = visitor.open(*sample())
    spill = visit.page.evaluate(
        "() => [...document.querySelectorAll('#drawing .node')].filter((n) => n.querySelector('text').getBBox().width"
        " > n.querySelector('rect').getBBox().width).map((n) => n.querySelector('text').textContent)"
    )
    assert spill == []


def test_a_click_on_an_edge_shows_its_evidence(visitor: Visitor) -> None:
    discovery, table = alarm()
    visit = visitor.open(discovery, table)
    edges = discovery.graph.edge_lines()
    middles = visit.page.evaluate(MIDDLES)
    reached = [(edge, middle) for edge, middle in zip(edges, middles, strict=True) if middle]
    assert len(reached) > 0.9 * len(edges)
    for (a, sign, b), middle in reached[:12]:
        visit.page.mouse.click(*middle)
        shown = visit.evidence()
        assert f"{a} {sign} {b}" in shown
        assert " ".join(discovery.explain(a, b).split()) in shown
        assert visit.classes("self") == {a, b}
        assert visit.classes("given") == set(discovery.edges[frozenset((a, b))].weakest.given)
    assert visit.complaints == []


def test_a_missing_pair_shows_its_evidence_and_counts(visitor: Visitor) -> None:
    discovery, table = alarm()
    visit = visitor.open(discovery, table)
    visit.choose("HISTORY", "CVP")
    assert " ".join(discovery.explain("HISTORY", "CVP").split()) in visit.evidence()
    assert visit.page.locator("#drawing .gap").count() == 1
    result = discovery.separations[frozenset(("HISTORY", "CVP"))].result
    figures = visit.page.locator("#evidence .stratum")
    assert figures.count() == 1 + result.domain_sizes[2]
    cells = figures.first.locator("td:not(.corner)").all()
    assert sum(int(cell.inner_text().split()[0].replace(",", "")) for cell in cells) == result.n
    assert f"{result.n:,} rows" in figures.first.inner_text()


def test_search_lights_up_the_markov_blanket(visitor: Visitor) -> None:
    discovery, table = alarm()
    visit = visitor.open(discovery, table)
    visit.page.fill("#search", "vent")
    assert visit.classes("self") == {name for name in discovery.variables if "VENT" in name}
    assert "of 37 variables match" in visit.page.inner_text("#found")
    visit.page.fill("#search", "hr")
    visit.page.fill("#search", "HR")
    visit.page.press("#search", "Enter")
    graph = discovery.graph
    spouses = {s for child in graph.children("HR") for s in graph.parents(child)} - graph.neighbors("HR") - {"HR"}
    assert visit.classes("self") == {"HR"}
    assert visit.classes("parent") == graph.parents("HR")
    assert visit.classes("child") == graph.children("HR")
    assert visit.classes("spouse") == spouses
    assert "Markov blanket" in visit.evidence()
    visit.page.fill("#search", "nothing like it")
    assert visit.page.locator("#drawing .node:not(.faded)").count() == 0
    visit.page.keyboard.press("Escape")
    assert visit.page.locator("#drawing .faded").count() == 0


def test_a_click_on_a_variable_shows_its_levels(visitor: Visitor) -> None:
    visit = visitor.open(*alarm())
    visit.page.locator("#drawing .node", has_text="CATECHOL").click()
    assert "Levels HIGH" in visit.evidence()


def test_keyboard_alone_moves_the_drawing(visitor: Visitor) -> None:
    visit = visitor.open(*eighty())
    visit.page.focus("#drawing")
    start = visit.view()
    visit.page.keyboard.press("+")
    closer = visit.view()
    assert closer[2] < start[2]
    visit.page.keyboard.press("ArrowRight")
    assert visit.view()[0] > closer[0]
    visit.page.keyboard.press("-")
    visit.page.keyboard.press("-")
    assert visit.view()[3] > start[3]
    visit.page.keyboard.press("0")
    assert visit.view() == start


def test_mouse_drags_and_zooms(visitor: Visitor) -> None:
    visit = visitor.open(*alarm())
    box = visit.page.locator("#drawing").bounding_box()
    start = visit.view()
    visit.page.mouse.move(box["x"] + 20, box["y"] + 20)
    visit.page.mouse.down()
    visit.page.mouse.move(box["x"] + 120, box["y"] + 60, steps=4)
    visit.page.mouse.up()
    moved = visit.view()
    assert moved[0] < start[0]
    assert moved[2:] == start[2:]
    visit.page.keyboard.down("Control")
    visit.page.mouse.wheel(0, -200)
    visit.page.wait_for_timeout(100)
    assert visit.view()[2] < moved[2]


def test_a_finger_on_a_variable_shows_it(visitor: Visitor) -> None:
    visit = visitor.open(*alarm(), viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    visit.page.locator("#drawing .node", has_text="ARTCO2").tap()
    assert visit.classes("self") == {"ARTCO2"}
    assert visit.evidence().startswith("ARTCO2#")
