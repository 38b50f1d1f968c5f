"""Take screenshots in a real browser.

python tools/screenshots.py                # those of the documentation (`make screenshots`)
python tools/screenshots.py --all FOLDER   # reports of five graphs, the notebook and pages of site/, wide and narrow,
                                           # light and dark, to be looked at
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

import nbformat
from nbconvert import HTMLExporter
from nbconvert.preprocessors import ExecutePreprocessor
from playwright.sync_api import Browser, sync_playwright

import bitsep
from bitsep.graphs import random_dag
from bitsep.networks import random_network

IMAGES = Path(__file__).parents[1] / "docs" / "images"
SIZES = {1440: 1000, 360: 740}
CELLS = [
    "import bitsep\nrows = bitsep.load_network('asia').sample(1000, seed=1)",
    "d = bitsep.discover(rows, bootstrap=20)\nd",
]


SITE = Path(__file__).parents[1] / "site"
PAGES = ("index.html", "tutorials/analyst/index.html", "choosing/index.html", "accuracy/index.html",
         "reproduction/index.html")  # fmt: skip


def discoveries() -> dict[str, bitsep.Discovery]:
    """Small and large graphs."""
    found = {}
    for name in ("asia", "alarm", "win95pts"):
        found[name] = bitsep.discover(bitsep.load_network(name).sample(5000, seed=1), bootstrap=20)
    for variables in (200, 1000):
        known = random_network(random_dag(variables, mean_degree=2, seed=3), levels=3, seed=3)
        found[f"{variables} variables"] = bitsep.pc_stable(known.sample(5000, seed=3))
    return found


def take_all(browser: Browser, folder: Path) -> None:
    """Write the pictures of everything, to be looked at."""
    pages = {f"report {name}": d.save_report(folder / f"{name}.html", title=name) for name, d in discoveries().items()}
    pages |= {f"site {Path(page).parent.name or 'index'}": SITE / page for page in PAGES}
    titled = [(title, {"light": page, "dark": page}) for title, page in pages.items()]
    for title, shown in [*titled, ("notebook", notebook(folder))]:
        for width, height in SIZES.items():
            for scheme, page in shown.items():
                take(browser, page, folder / f"{title} {width} {scheme}.png", width, height, scheme, scroll=False)


def main() -> None:
    """Write all pictures."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        if sys.argv[1:2] == ["--all"]:
            Path(sys.argv[2]).mkdir(parents=True, exist_ok=True)
            take_all(browser, Path(sys.argv[2]))
            return
        alarm = bitsep.load_network("alarm").sample(5000, seed=1)
        page = bitsep.discover(alarm).save_report(Path(folder) / "alarm.html", title="alarm.csv")
        for width, height in SIZES.items():
            for scheme in ("light", "dark"):
                target = IMAGES / f"report-{width}-{scheme}.png"
                take(browser, page, target, width, height, scheme, "#edge=ARTCO2,CATECHOL" if width > 1000 else "")
        known = random_network(random_dag(1000, mean_degree=2, seed=3), levels=3, seed=3)
        large = bitsep.pc_stable(known.sample(5000, seed=3)).save_report(Path(folder) / "large.html", title="large.csv")
        for scheme in ("light", "dark"):
            take(browser, large, IMAGES / f"report-large-{scheme}.png", 1440, 1000, scheme)
        take(browser, notebook(Path(folder))["light"], IMAGES / "notebook.png", 900, 760, "light")
        browser.close()


def take(
    browser: Browser, page: Path, target: Path, width: int, height: int, scheme: str, address: str = "",
    scroll: bool = True,
) -> None:  # fmt: skip
    """Open a page and write what is visible: the drawing of a report, if it is to be scrolled to."""
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)  # type: ignore[arg-type]
    opened = context.new_page()
    opened.goto(page.as_uri() + address)
    if scroll and opened.locator(".stage").count():
        opened.evaluate("document.querySelector('.stage').scrollIntoView()")
    opened.wait_for_timeout(500)
    opened.screenshot(path=target)
    context.close()


def notebook(folder: Path) -> dict[str, Path]:
    """An executed notebook as a page in light and in dark colors."""
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    ExecutePreprocessor(timeout=120, kernel_name="python3").preprocess(made, {"metadata": {"path": str(folder)}})
    pages = {scheme: folder / f"notebook-{scheme}.html" for scheme in ("light", "dark")}
    for scheme, path in pages.items():
        page, _ = HTMLExporter(template_name="lab", theme=scheme).from_notebook_node(made)
        path.write_text(page, encoding="utf-8")
    return pages


if __name__ == "__main__":
    main()
