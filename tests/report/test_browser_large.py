"""Large graphs in a real browser."""

from itertools import combinations

import pytest

from report.browser import Visitor
from report.samples import contested, dense, eighty, network

pytestmark = pytest.mark.slow


def test_thousands_of_missing_edges_are_filtered(visitor: Visitor) -> None:
    discovery, table = eighty()
    visit = visitor.open(discovery, table)
    visit.page.locator("#missing .list tbody tr").first.wait_for()
    visit.page.fill("#missing input", "X07 X3")
    shown = visit.page.locator("#missing .list tbody tr").all_inner_texts()
    assert shown
    assert all("X07" in row and "X3" in row for row in shown)
    visit.page.locator("#missing .list tbody button").first.click()
    assert "have no edge" in visit.evidence()


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
    notes = visit.page.locator("#notes")
    assert not notes.locator("li", has_text="conflict").first.is_visible()
    assert notes.locator("summary", has_text="conflicts").inner_text() == "200 conflicts"
    notes.locator("summary", has_text="conflicts").click()
    assert notes.locator("li", has_text="conflict").first.is_visible()
    assert f"{len(discovery.conflicts) - 200:,} more are left out" in notes.inner_text()
    assert f"{len(discovery.skeleton) - 5000:,} weaker edges are left out" in visit.page.locator("#edges").inner_text()
    assert visit.complaints == []


def test_eighty_variables_are_drawn_and_fit_their_boxes(visitor: Visitor) -> None:
    discovery, table = eighty()
    visit = visitor.open(discovery, table)
    assert visit.page.locator("#drawing .node").count() == 80
    assert visit.page.locator("#drawing .edge").count() == len(discovery.skeleton)
    visit.page.evaluate("document.querySelector('#drawing').classList.remove('far')")  # boxes instead of dots
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


def test_a_thousand_variables_open_with_an_overview(visitor: Visitor) -> None:
    discovery, table = network(1000)
    visit = visitor.open(discovery, table)
    page = visit.page
    shown = page.locator("#drawing .labels text")
    assert 20 < shown.count() <= 80
    sizes = page.evaluate(
        "() => [...document.querySelectorAll('#drawing .labels text')].map((t) => t.getBoundingClientRect().height)"
    )
    assert min(sizes) >= 12
    assert not page.locator("#map").is_visible()  # everything is visible
    parts = page.locator("#evidence .close").first.locator("li")
    assert "variables around" in parts.first.inner_text()
    parts.first.locator("button").first.click()
    assert page.locator("#map").is_visible()
    assert page.locator("#drawing .node.part").count() > 20
    assert visit.complaints == []


def test_the_neighborhood_of_a_variable_in_a_large_graph(visitor: Visitor) -> None:
    discovery, table = network(1000)
    visit = visitor.open(discovery, table)
    page = visit.page
    hub = max(discovery.variables, key=lambda name: (len(discovery.graph.neighbors(name)), name))
    page.select_option("#steps", "2")
    assert "Choose a variable first" in page.inner_text("#found")
    page.fill("#search", hub)
    page.press("#search", "Enter")
    near = {hub}
    for steps in (1, 2, 3):
        near |= {other for name in near for other in discovery.graph.neighbors(name)}
        page.select_option("#steps", str(steps))
        drawn = page.locator("#drawing .node:not(.hidden) text").all_text_contents()
        assert set(drawn) == near
        inside = sum(1 for pair in discovery.skeleton if pair <= near)
        assert page.locator("#drawing .edge:not(.hidden)").count() == inside
        assert f"Shown are {len(near)} of 1,000 variables" in page.inner_text("#drawn")
    page.select_option("#steps", "1")
    heights = page.evaluate(
        "() => [...document.querySelectorAll('#drawing .node:not(.hidden) text')]"
        ".map((t) => t.getBoundingClientRect().height)"
    )
    assert min(heights) >= 12
    page.fill("#search", "nothing like it")
    assert page.locator("#drawing .node:not(.hidden)").count() == len(near & discovery.graph.neighbors(hub)) + 1
    assert page.locator("#drawing .node:not(.hidden):not(.faded)").count() == 0
    page.keyboard.press("Escape")
    assert page.locator("#drawing .node.hidden").count() == 0
    assert visit.complaints == []


def test_the_map_moves_the_view(visitor: Visitor) -> None:
    visit = visitor.open(*network(1000))
    for _ in range(6):
        visit.page.click("#closer")
    before = visit.view()
    box = visit.page.locator("#map").bounding_box()
    visit.page.mouse.click(box["x"] + 30, box["y"] + 30)
    assert visit.view()[:2] != before[:2]
    assert visit.view()[2:] == before[2:]
    assert visit.complaints == []


def test_edges_of_a_neighborhood_pass_beside_the_boxes(visitor: Visitor) -> None:
    """An undirected edge of two variables that are not side by side is a curve below the boxes between them."""
    discovery, table = network(1000)
    visit = visitor.open(discovery, table)
    behind = """() => {
      const boxes = [...document.querySelectorAll('#drawing .node:not(.hidden)')].map((node) => {
        const { e: x, f: y } = node.transform.baseVal.consolidate().matrix;
        const half = node.querySelector('rect').width.baseVal.value / 2 - 2;
        return { label: node.querySelector('text').textContent, x, y, half };
      });
      const found = [];
      for (const edge of document.querySelectorAll('#drawing .edge:not(.hidden)')) {
        const ends = edge.querySelector('title').textContent.split(/ [^ ]+ /);
        const line = edge.querySelector('.line:not(.stub)'), length = line.getTotalLength();
        for (let k = 1; k < 100; k += 1) {
          const { x, y } = line.getPointAtLength(length * k / 100);
          const inside = (box) => Math.abs(box.x - x) < box.half && Math.abs(box.y - y) < 11;
          const hit = boxes.find((box) => !ends.includes(box.label) && inside(box));
          if (hit) { found.push([ends, hit.label]); break; }
        }
      }
      return found;
    }"""
    degree = {name: len(discovery.graph.neighbors(name)) for name in discovery.variables}
    for variable in sorted(discovery.variables, key=lambda name: (-degree[name], name))[:8]:
        visit.page.evaluate("address => { location.hash = address; }", f"#variable={variable},1")
        visit.page.wait_for_function(
            "name => ['search', 'steps'].map((id) => document.getElementById(id).value).join() === `${name},1`",
            arg=variable,
        )
        assert visit.page.evaluate(behind) == []
        lines = visit.page.locator("#drawing .edge:not(.hidden) .line:not(.stub)")
        frame = visit.page.locator("#drawing").bounding_box()
        for line in (line.bounding_box() for line in lines.all()):
            assert frame["x"] <= line["x"] <= line["x"] + line["width"] <= frame["x"] + frame["width"]
            assert frame["y"] <= line["y"] <= line["y"] + line["height"] <= frame["y"] + frame["height"]
    assert visit.complaints == []


def test_arrowheads_are_seen_from_afar(visitor: Visitor) -> None:
    visit = visitor.open(*network(200))
    assert "far" in visit.page.get_attribute("#drawing", "class")
    sizes = visit.page.evaluate(
        "() => [...document.querySelectorAll('#drawing .head')].map((head) => {"
        " const { width, height } = head.getBoundingClientRect(); return Math.max(width, height); })"
    )
    assert len(sizes) > 50
    assert min(sizes) >= 4


def test_selected_variables_have_labels_from_afar(visitor: Visitor) -> None:
    discovery, table = network(1000)
    visit = visitor.open(discovery, table)
    shown = visit.page.locator("#drawing .labels text")
    for name in discovery.variables[::200]:
        visit.page.fill("#search", name)
        visit.page.press("#search", "Enter")
        assert name in shown.all_text_contents()
    for pair in list(discovery.skeleton)[::200]:
        visit.choose(*pair)
        assert pair <= set(shown.all_text_contents())


def test_labels_from_afar_are_inside_the_view_and_beside_marks(visitor: Visitor) -> None:
    for width in (1440, 360):
        visit = visitor.open(*network(200), viewport={"width": width, "height": 900})
        boxes = "(what) => [...document.querySelectorAll(what)].map((node) => node.getBoundingClientRect().toJSON())"
        view = visit.page.locator("#drawing").bounding_box()
        heads = visit.page.evaluate(boxes, "#drawing .head")
        covered = 0
        for label in visit.page.evaluate(boxes, "#drawing .labels text"):
            assert view["x"] <= label["left"]
            assert label["right"] <= view["x"] + view["width"]
            middles = [((head["left"] + head["right"]) / 2, (head["top"] + head["bottom"]) / 2) for head in heads]
            covered += any(
                label["left"] < x < label["right"] and label["top"] < y < label["bottom"] for x, y in middles
            )
        assert covered <= 8  # only those of the variables in the list of parts
