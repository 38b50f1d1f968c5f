"""The built documentation in a real browser: search, copy buttons, code on a phone. `make docs` builds it first."""

import functools
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

pytest.importorskip("playwright")
from playwright.sync_api import Browser, Page

from report.browser import launched

SITE = Path(__file__).parents[2] / "site"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (SITE / "index.html").exists(), reason="make docs has not built the site"),
]


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *arguments: object) -> None:
        pass


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(SITE)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as running:
        yield running


def opened(browser: Browser, address: str, width: int = 1440) -> Page:
    context = browser.new_context(viewport={"width": width, "height": 900})
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(address)
    return page


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("neighbors", "reference/graphs/"),
        ("neighbours", "reference/graphs/"),
        ("discretise", "discretizing/"),
        ("discretize", "discretizing/"),
        ("bitsep.pc_stable", "reference/discovery/"),
        ("pc_stable", "reference/discovery/"),
        ("plot_result", "reference/report/"),
        ("semicolon", "data-files/"),
    ],
)
def test_search_finds(browser: Browser, address: str, query: str, expected: str) -> None:
    page = opened(browser, address)
    page.fill(".md-search__input", query)
    page.locator(".md-search-result__item").first.wait_for()
    page.wait_for_timeout(300)
    found = [link.get_attribute("href") or "" for link in page.locator(".md-search-result__link").all()]
    assert any(expected in link for link in found), found[:10]


def test_the_copy_button_copies_code_only(browser: Browser, address: str) -> None:
    page = opened(browser, address + "/index.html")
    block = page.locator(".highlight", has_text="import bitsep").first
    block.scroll_into_view_if_needed()
    block.hover()
    block.locator(
        "button.md-clipboard, button[data-clipboard-target], .md-code__button[data-md-type=copy]"
    ).first.click()
    page.wait_for_timeout(200)
    copied = str(page.evaluate("navigator.clipboard.readText()"))
    assert copied.startswith("import bitsep\n"), copied
    assert ">>>" not in copied
    assert "(True, -5.5)" not in copied
    assert 'm = bitsep.markov_blanket(data, "Burglary")' in copied


@pytest.mark.parametrize("path", ["/index.html", "/hidden-causes/", "/mathematics/", "/accuracy/", "/reproduction/"])
def test_pages_do_not_overflow_on_a_phone(browser: Browser, address: str, path: str) -> None:
    page = opened(browser, address + path, width=360)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    wide = page.evaluate(
        "[...document.querySelectorAll('.highlight code')].some((code) => code.scrollWidth > code.clientWidth"
        " && ['auto', 'scroll'].includes(getComputedStyle(code).overflowX))"
    )
    assert wide or path != "/index.html"


def test_links_in_a_text_are_underlined(browser: Browser, address: str) -> None:
    link = opened(browser, address + "/index.html").locator(".md-content p a").first
    assert link.evaluate("node => getComputedStyle(node).textDecorationLine") == "underline"
