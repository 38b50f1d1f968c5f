"""A real browser for the tests of pages: Debian's chromium, without a window."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

import bitsep
from bitsep import Discovery, Table
from bitsep.report import save_report

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


@contextmanager
def launched() -> Iterator[Browser]:
    """A browser."""
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
        return self.visit(save_report(discovery, self._folder / "report.html", data=data), **options)

    def visit(self, path: Path, **options: object) -> Visit:
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


def oracle() -> tuple[Discovery, None]:
    return bitsep.pc_stable(bitsep.Oracle(bitsep.load_network("asia"))), None


def lonely() -> tuple[Discovery, Table]:
    table = Table({"only": [0, 1, 0, 1]})
    return bitsep.pc_stable(table), table


def show_all(visit: Visit, section: str) -> None:
    more = visit.page.locator(f"{section} button.paging")
    while more.is_visible():
        more.click()
