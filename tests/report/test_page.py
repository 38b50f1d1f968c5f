"""The page as a file: safe, small, the same every time, and complete."""

import json
import os
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest

import bitsep
from bitsep import Discovery, Table
from bitsep.errors import ArgumentError, WriteError
from bitsep.report import save_report
from bitsep.report.build import build_view
from bitsep.report.encode import to_json
from bitsep.report.render import render_page
from report.samples import HOSTILE, alarm, asia, contested, dense, eighty, hostile, network


class Tags(HTMLParser):
    """Collects the elements of a page and the texts of its scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.scripts: list[str] = []
        self.inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.inside = tag == "script"

    def handle_endtag(self, tag: str) -> None:
        self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.scripts.append(data)


def parsed(page: str) -> Tags:
    tags = Tags()
    tags.feed(page)
    return tags


def test_hostile_names_add_no_element() -> None:
    harmless, attacked = parsed(render_page(build_view(*asia()))), parsed(render_page(build_view(*hostile())))
    assert attacked.tags == harmless.tags
    assert len(attacked.scripts) == 2


def test_hostile_names_are_in_the_data_as_they_are() -> None:
    discovery, table = hostile()
    data = json.loads(parsed(render_page(build_view(discovery, table, title="</title><script>"))).scripts[0])
    assert data["title"] == "</title><script>"
    rows = [dict(zip(data["variables"]["columns"], row, strict=True)) for row in data["variables"]["rows"]]
    shown = [row["label"] for row in rows]
    assert "<script>window.hacked=1</script>" in shown
    assert "two␊lines\\u2028and more" in shown
    assert "''" in shown
    assert len(set(shown)) == len(HOSTILE)


def test_the_data_cannot_end_their_element_or_a_line() -> None:
    text = to_json(["</script><!--", "\u2028\u2029", "&amp;", "\ud800"])
    assert not re.search("[<>&\u2028\u2029\ud800]", text)
    assert json.loads(text) == ["</script><!--", "\u2028\u2029", "&amp;", "\ud800"]


def test_the_page_names_no_address_but_the_drawing_namespace() -> None:
    page = render_page(build_view(*alarm()))
    assert set(re.findall(r"(?:https?:)?//[a-z0-9.-]+\.[a-z]+[^\s\"']*", page)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"@import|url\(|<link|<img|<iframe|src=", page)


def test_the_policy_allows_this_script_and_style_only() -> None:
    page = render_page(build_view(*asia()))
    policy = re.search(r'Content-Security-Policy"\s+content="([^"]+)"', page)[1]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy


def test_the_script_builds_no_markup_from_text() -> None:
    script = parsed(render_page(build_view(*asia()))).scripts[1]
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|Function\(|fetch\(", script)


def test_same_discovery_same_bytes(tmp_path: Path) -> None:
    discovery, table = asia()
    frame = bitsep.load_network("asia").sample(2000, seed=1)
    again = bitsep.pc_stable(bitsep.Table(frame[frame.columns[::-1]]), threads=1)
    first = save_report(discovery, tmp_path / "first.html", data=table).read_bytes()
    assert first == save_report(again, tmp_path / "second.html", data=table).read_bytes()


def test_alarm_is_small(tmp_path: Path) -> None:
    discovery, table = alarm()
    path = save_report(discovery, tmp_path / "alarm.html", data=table)
    assert path.stat().st_size < 400_000  # the promise is 3 MB


def test_eighty_variables_stay_small() -> None:
    discovery, table = eighty()
    view = build_view(discovery, table)
    assert len(view.separations) > 3000
    assert len(render_page(view).encode()) < 1_500_000


@pytest.mark.slow
@pytest.mark.parametrize("variables", [200, 1000])
def test_large_graphs_are_written(tmp_path: Path, variables: int) -> None:
    """`python -m benchmarks.reports` measures how long it takes."""
    discovery, table = network(variables)
    path = save_report(discovery, tmp_path / "large.html", data=table)
    assert path.stat().st_size < 10_000_000


@pytest.mark.parametrize(
    ("sample", "edges"), [(lambda: dense(60), 1770), (lambda: dense(150), 11_175), (contested, 5233)]
)
def test_a_dense_graph_is_written(tmp_path: Path, sample: Callable[[], tuple[Discovery, Table]], edges: int) -> None:
    """Drawing all edges would take hours."""
    discovery, table = sample()
    assert len(discovery.skeleton) == edges
    path = save_report(discovery, tmp_path / "dense.html", data=table)
    assert path.stat().st_size < 3_000_000


def test_a_page_is_complete_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    discovery, _ = asia()
    target = tmp_path / "page.html"
    target.write_text("old")

    def fail(source: str, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(WriteError, match=r"page\.html.*No space left on device"):
        save_report(discovery, target)
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["page.html"]


@pytest.mark.parametrize("name", ["folder.html", "no/such/folder/page.html"])
def test_places_that_cannot_be_written(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(WriteError, match=r"is a directory|cannot be written"):
        save_report(asia()[0], tmp_path / name)
    assert os.listdir(tmp_path) == ["folder.html"]


@pytest.mark.parametrize("name", ["page.pdf", "page.png", "page", "page.html.txt"])
def test_other_endings_than_html_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ArgumentError, match=rf"path: the name of a report must end in .html or .htm, got '.*{name}'"):
        asia()[0].save_report(tmp_path / name)
    assert os.listdir(tmp_path) == []


def test_the_discovery_saves_its_own_report(tmp_path: Path) -> None:
    asia()[0].save_report(tmp_path / "asia.html")
    assert (tmp_path / "asia.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_the_title_is_the_name_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "asia.csv"
    bitsep.load_network("asia").sample(50, seed=1).to_csv(path, index=False)
    for data in (path, str(path), bitsep.Table(path, columns=["asia", "tub"])):
        assert build_view(bitsep.pc_stable(data, keep=["asia", "tub"])).title == "asia.csv"
    assert build_view(bitsep.pc_stable(bitsep.load_network("asia").sample(50, seed=1))).title == "Causal graph"
