"""Filters, pictures and addresses of selections in a real browser."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

import bitsep
from bitsep import Discovery, Table
from report.browser import Visitor
from report.samples import alarm, asia, hostile

pytestmark = pytest.mark.slow


def resampled() -> tuple[Discovery, Table]:
    table = Table(bitsep.load_network("asia").sample(500, seed=4))
    return bitsep.discover(table, bootstrap=10, seed=1), table


@pytest.mark.parametrize("name", ["asia", "child", "insurance", "alarm"])
def test_labels_of_up_to_forty_variables_have_twelve_pixels(visitor: Visitor, name: str) -> None:
    table = Table(bitsep.load_network(name).sample(2000, seed=1))
    visit = visitor.open(bitsep.discover(table), table)
    visit.page.click("#fit")
    size = visit.page.evaluate(
        "() => { const d = document.querySelector('#drawing'); const v = d.viewBox.baseVal;"
        " return 13 * Math.min(d.clientWidth / v.width, d.clientHeight / v.height); }"
    )
    assert size >= 12


def test_edges_are_filtered_by_bits_effect_and_support(visitor: Visitor) -> None:
    discovery, table = resampled()
    visit = visitor.open(discovery, table)
    page = visit.page
    page.click("#filters summary")
    shown = page.locator("#drawing .edge:not(.hidden)")
    frame = discovery.edges_frame()
    for field, column, least in (
        ("#min-bits", "bits", 30),
        ("#min-effect", "bits_per_row", 0.1),
        ("#min-support", "support", 90),
    ):
        page.fill(field, str(least))
        kept = int((frame[column] * (100 if column == "support" else 1) >= least).sum())
        assert 0 < kept < len(frame)
        assert shown.count() == kept
        assert f"Shown are {kept} of {len(frame)} edges" in page.inner_text("#drawn")
        page.fill(field, "0")
    assert shown.count() == len(frame)
    assert visit.complaints == []


def test_the_filter_keeps_the_selected_edge(visitor: Visitor) -> None:
    visit = visitor.open(*asia())
    visit.page.locator("#edges .list tbody button").last.click()
    visit.page.click("#filters summary")
    visit.page.fill("#min-bits", "1000000")
    assert visit.page.locator("#drawing .edge:not(.hidden)").count() == 1
    assert visit.page.locator("#drawing .edge.chosen:not(.hidden)").count() == 1
    visit.page.press("#drawing", "Escape")
    assert visit.page.locator("#drawing .edge:not(.hidden)").count() == 0


def test_without_bootstrap_there_is_no_filter_by_support(visitor: Visitor) -> None:
    assert visitor.open(*asia()).page.locator("#min-support").count() == 0


@pytest.mark.parametrize("sample", [alarm, hostile])
def test_the_drawing_is_saved_as_svg(visitor: Visitor, tmp_path: Path, sample: object) -> None:
    discovery, table = sample()
    visit = visitor.open(discovery, table)
    with visit.page.expect_download() as started:
        visit.page.click("#svg")
    started.value.save_as(tmp_path / "graph.svg")
    assert started.value.suggested_filename == "Causal graph.svg"
    picture = ElementTree.parse(tmp_path / "graph.svg").getroot()
    space = "{http://www.w3.org/2000/svg}"
    assert len(list(picture.iter(f"{space}text"))) == len(discovery.variables)
    assert not list(picture.iter(f"{space}script"))
    assert all(not node.get("class") for node in picture.iter())
    assert visit.complaints == []


def test_the_drawing_is_saved_as_png(visitor: Visitor, tmp_path: Path) -> None:
    visit = visitor.open(*alarm())
    with visit.page.expect_download() as started:
        visit.page.click("#png")
    started.value.save_as(tmp_path / "graph.png")
    content = (tmp_path / "graph.png").read_bytes()
    assert content.startswith(b"\x89PNG")
    assert int.from_bytes(content[16:20], "big") > 1500  # two pixels per unit
    assert visit.complaints == []


def test_the_graph_fills_the_screen(visitor: Visitor) -> None:
    visit = visitor.open(*alarm())
    visit.page.click("#full")
    visit.page.wait_for_function("document.fullscreenElement !== null")
    assert visit.page.inner_text("#full") == "Leave full screen"
    visit.page.click("#full")
    visit.page.wait_for_function("document.fullscreenElement === null")
    assert visit.complaints == []


def test_a_selection_has_an_address(visitor: Visitor) -> None:
    discovery, table = alarm()
    visit = visitor.open(discovery, table)
    page = visit.page
    visit.choose("HISTORY", "CVP")
    assert page.url.endswith("#edge=HISTORY,CVP")
    again = page.context.new_page()
    again.goto(page.url)
    assert "have no edge" in again.locator("#evidence").inner_text()
    again.goto(page.url.split("#")[0] + "#variable=HR,1")
    again.wait_for_function("document.querySelector('#steps').value === '1'")
    shown = set(again.locator("#drawing .node:not(.hidden) text").all_text_contents())
    assert shown == {"HR"} | discovery.graph.neighbors("HR")
    again.goto(page.url.split("#")[0] + "#edge=no,%3Cscript%3E")  # no such variables: nothing changes
    assert again.locator("#evidence h3").inner_text().startswith("HR")
    errors: list[str] = []
    again.on("pageerror", lambda error: errors.append(str(error)))
    again.goto(page.url.split("#")[0] + "#variable=100%,1")  # not an encoded text
    again.fill("#edges input", "HR")
    again.press("#edges input", "Escape")  # clears the filter at most
    assert again.locator("#evidence h3").inner_text().startswith("HR")
    assert errors == []
    assert visit.complaints == []


def test_addresses_of_hostile_names(visitor: Visitor) -> None:
    discovery, table = hostile()
    visit = visitor.open(discovery, table)
    labels = visit.page.locator("#drawing .node text").all_text_contents()
    for other in labels[1:]:
        visit.choose(labels[0], other)
        again = visit.page.context.new_page()
        again.goto(visit.page.url)
        chosen = again.locator("#drawing .node.self text").all_text_contents()
        assert set(chosen) == {labels[0], other}
        assert again.evaluate("window.hacked") is None
        again.close()


def test_every_page_says_what_arrows_mean(visitor: Visitor) -> None:
    shown = visitor.open(*asia()).page.inner_text("#assumed")
    assert "no variable outside the table affects two of its variables" in shown
