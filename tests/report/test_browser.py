"""The page in a real browser: Debian's chromium, without a window."""

import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, sync_playwright

import bitsep
from bitsep import Discovery, Table
from bitsep.report import save_report
from report.samples import alarm, contested, dense, eighty, hostile

pytestmark = pytest.mark.slow

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

# The middle of an edge's line on the screen, if the edge can be hit there.
MIDDLES = """() => [...document.querySelectorAll("#drawing .edge")].map((edge) => {
  const line = edge.querySelector(".line");
  for (const share of [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8]) {
    const point = line.getPointAtLength(share * line.getTotalLength()).matrixTransform(line.getScreenCTM());
    if (document.elementFromPoint(point.x, point.y)?.closest(".edge") === edge) return [point.x, point.y];
  }
  return null;
})"""


@dataclass
class Visit:
    """A page, and what it said and asked for."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def evidence(self) -> str:
        return " ".join(self.page.locator("#evidence").inner_text().split())

    def choose(self, a: str, b: str) -> None:
        self.page.select_option("#first", label=a)
        self.page.select_option("#second", label=b)
        self.page.click("#pair button")

    def classes(self, role: str) -> set[str]:
        return set(self.page.locator(f"#drawing .node.{role} text").all_text_contents())

    def view(self) -> list[float]:
        return [float(number) for number in self.page.get_attribute("#drawing", "viewBox").split()]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    assert chromium, "these tests need a browser: apt-get install -y chromium"
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield running
        running.close()


class Visitor:
    """Opens reports, and closes them at the end."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        self._browser = browser
        self._folder = folder
        self._contexts = []

    def open(self, discovery: Discovery, data: Table | None = None, **options: object) -> Visit:
        path = save_report(discovery, self._folder / "report.html", data=data)
        settings = {"viewport": {"width": 1440, "height": 900}, **options}
        context = self._browser.new_context(**settings)
        self._contexts.append(context)
        visit = Visit(context.new_page())
        visit.page.on("console", lambda message: visit.complaints.append(message.text))
        visit.page.on("pageerror", lambda error: visit.complaints.append(str(error)))
        visit.page.on("request", lambda request: visit.requests.append(request.url))
        visit.page.goto(path.as_uri())
        return visit

    def close(self) -> None:
        for context in self._contexts:
            context.close()


@pytest.fixture
def visitor(browser: Browser, tmp_path: Path) -> Iterator[Visitor]:
    visitor = Visitor(browser, tmp_path)
    yield visitor
    visitor.close()


def oracle() -> tuple[Discovery, None]:
    return bitsep.pc_stable(bitsep.Oracle(bitsep.load_network("asia"))), None


def lonely() -> tuple[Discovery, Table]:
    table = Table({"only": [0, 1, 0, 1]})
    return bitsep.pc_stable(table), table


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


def test_eighty_variables_are_drawn_and_fit_their_boxes(visitor: Visitor) -> None:
    discovery, table = eighty()
    visit = visitor.open(discovery, table)
    assert visit.page.locator("#drawing .node").count() == 80
    assert visit.page.locator("#drawing .edge").count() == len(discovery.skeleton)
    visit.page.click("#fit")
    boxes = visit.page.evaluate(
        "() => [...document.querySelectorAll('#drawing .node rect')].map((r) => {"
        "const b = r.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]})"
    )
    frame = visit.page.locator("#drawing").bounding_box()
    for left, top, right, bottom in boxes:
        assert frame["x"] <= left <= right <= frame["x"] + frame["width"]
        assert frame["y"] <= top <= bottom <= frame["y"] + frame["height"]
    for one, two in combinations(boxes, 2):
        assert one[2] <= two[0] or two[2] <= one[0] or one[3] <= two[1] or two[3] <= one[1]


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
    rows = page.locator("#profile tbody tr").all_inner_texts()
    assert [row.split("\t")[1] for row in rows] == ["x", "y", "'<b>id</b>'"]
    page.locator("#profile tbody button", has_text="x").click()
    assert visit.evidence().startswith("x Markov blanket")
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
    header = visit.page.locator("#edges th", has_text="strength in bits")
    assert header.get_attribute("aria-sort") == "descending"
    header.locator("button").click()
    assert header.get_attribute("aria-sort") == "ascending"
    visit.page.locator("#edges th button", has_text="edge").first.click()
    assert visit.page.locator("#edges .list tbody tr").first.inner_text().startswith("ANAPHYLAXIS")


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
    assert visit.page.locator("#variables .measure").count() == 1
    assert "rare is missing in 78% of the rows" in visit.page.locator("#profile").inner_text()
    assert visit.complaints == []


def show_all(visit: Visit, section: str) -> None:
    more = visit.page.locator(f"{section} button.paging")
    while more.is_visible():
        more.click()


def test_thousands_of_missing_edges_filter_fast(visitor: Visitor) -> None:
    discovery, table = eighty()
    begin = time.perf_counter()
    visit = visitor.open(discovery, table)
    visit.page.locator("#missing .list tbody tr").first.wait_for()
    assert time.perf_counter() - begin < 10
    begin = time.perf_counter()
    visit.page.fill("#missing input", "X07 X3")
    shown = visit.page.locator("#missing .list tbody tr").all_inner_texts()
    assert time.perf_counter() - begin < 2
    assert shown
    assert all("X07" in row and "X3" in row for row in shown)
    visit.page.locator("#missing .list tbody button").first.click()
    assert "have no edge" in visit.evidence()


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
    visit.page.keyboard.press("0")
    assert visit.view()[3] > start[3]


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


@pytest.mark.parametrize("sample", [alarm, eighty, hostile])
def test_a_phone_has_no_sideways_scrolling(visitor: Visitor, sample: object) -> None:
    visit = visitor.open(*sample(), viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page = visit.page
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.locator("#missing .list tbody button").first.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.locator("#evidence h3").is_visible()
    assert visit.complaints == []


def test_a_finger_on_a_variable_shows_it(visitor: Visitor) -> None:
    visit = visitor.open(*alarm(), viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    visit.page.locator("#drawing .node", has_text="ARTCO2").tap()
    assert visit.classes("self") == {"ARTCO2"}
    assert visit.evidence().startswith("ARTCO2 Markov blanket")


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


def test_the_python_that_repeats_the_run_can_be_copied(visitor: Visitor) -> None:
    visit = visitor.open(*alarm())
    visit.page.locator("#repeat button").click()
    assert visit.page.locator("#repeat button").inner_text() == "Copied"
    assert visit.page.evaluate("getSelection().toString()").startswith("import bitsep")


def test_a_dense_graph_says_that_it_is_not_drawn_in_full(visitor: Visitor) -> None:
    discovery, table = dense(60)
    visit = visitor.open(discovery, table)
    drawn = visit.page.locator("#drawing .edge").count()
    assert f"shown are {drawn} of 1,770 edges" in visit.page.locator("#drawn").inner_text()
    visit.page.fill("#search", "v003")
    visit.page.press("#search", "Enter")
    straight = visit.page.locator("#drawing > g:first-child path").count()
    assert straight + visit.page.locator("#drawing .edge:not(.faded)").count() == 59
    hidden = visit.page.evaluate("""() => {
      const shown = new Set([...document.querySelectorAll("#drawing .edge title")].map((title) => title.textContent));
      return [...document.querySelectorAll("#edges .link")].map((link) => link.textContent)
        .find((text) => !shown.has(text));
    }""")
    visit.choose(*hidden.split(" — "))
    assert visit.page.locator("#drawing .line.chosen").count() == 1
    assert "have an edge" in visit.evidence()
    assert visit.complaints == []


def test_thousands_of_conflicts_are_folded_and_cut(visitor: Visitor) -> None:
    discovery, table = contested()
    visit = visitor.open(discovery, table)
    assert visit.page.locator("#notes > div > ul > li").count() <= 20
    assert visit.page.locator("#notes details summary").inner_text() == "190 more"
    visit.page.click("#notes details summary")
    assert f"{len(discovery.conflicts) - 200:,} more are left out" in visit.page.locator("#notes").inner_text()
    assert f"{len(discovery.skeleton) - 5000:,} weaker edges are left out" in visit.page.locator("#edges").inner_text()
    assert visit.complaints == []
