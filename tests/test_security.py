"""No code runs on data: what the sources may not call, and what files and terminals get to see."""

from __future__ import annotations

import ast
import csv
import json
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

import bitsep

SOURCES = Path(bitsep.__file__).parent
FORBIDDEN_CALLS = {"eval", "exec", "compile", "__import__", "system", "popen"}
FORBIDDEN_MODULES = {"pickle", "cPickle", "dill", "shelve", "marshal", "subprocess", "joblib", "yaml"}
HOSTILE = ("</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\x1b[2J\x1b]0;title\x07", '"; drop=',
           "=cmd|' /C calc'!A0", "a\nb", "x -> y", "&lt;b&gt;", "]]>", "{}", "\\", "${jndi:ldap://x}")  # fmt: skip


@pytest.mark.parametrize("path", sorted(SOURCES.rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCES)))
def test_no_source_unpickles_evaluates_or_starts_a_shell(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            is_pattern = ast.unparse(node.func) == "re.compile"
            assert name not in FORBIDDEN_CALLS or is_pattern, f"line {node.lineno}: {name}"
            for keyword in node.keywords:
                value = getattr(keyword.value, "value", None)
                assert not (keyword.arg in ("allow_pickle", "shell") and value is True and name in ("load", "run"))
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        assert not FORBIDDEN_MODULES & {name.split(".")[0] for name in names}, names


def hostile_data() -> dict[str, list[str]]:
    """Names and levels that mean something to a browser, a terminal, a spreadsheet or a parser."""
    base = [0, 1] * 40
    columns = {}
    for k, name in enumerate(HOSTILE):
        rows = [(bit + (k * row) % 7 // 6) % 2 for row, bit in enumerate(base)]
        columns[name] = [HOSTILE[(k + bit) % len(HOSTILE)] for bit in rows]
    return columns


@pytest.fixture(scope="module")
def found() -> bitsep.Discovery:
    return bitsep.pc_stable(hostile_data(), keep=list(HOSTILE), max_given=1)


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


def tags(html: str) -> list[tuple[str, dict[str, str | None]]]:
    parser = Tags()
    parser.feed(html)
    return parser.seen


def test_html_has_no_tag_of_the_data(found: bitsep.Discovery, tmp_path: Path) -> None:
    found.save_report(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    plain = bitsep.pc_stable({f"v{k}": column for k, column in enumerate(hostile_data().values())}, max_given=1)
    plain.save_report(tmp_path / "plain.html")
    scripts = [tag for tag, _ in tags(page)].count("script")
    expected = tags((tmp_path / "plain.html").read_text(encoding="utf-8"))
    assert scripts == [tag for tag, _ in expected].count("script")
    for html in (page, found._repr_html_(), found.graph._repr_html_()):
        for tag, attributes in tags(html):
            assert not (tag == "img" and attributes.get("src") == "x")
            assert not any(key.startswith("on") for key in attributes), (tag, attributes)


def test_pictures_and_graph_files_keep_the_names_as_text(found: bitsep.Discovery, tmp_path: Path) -> None:
    found.save_picture(tmp_path / "picture.svg")
    drawn = ElementTree.parse(tmp_path / "picture.svg")
    kinds = {element.tag.rpartition("}")[2] for element in drawn.iter()}
    assert not kinds & {"script", "img", "foreignObject"}
    for form in ("dot", "graphml", "json", "edge_list"):
        again = getattr(bitsep.PDAG, f"from_{form}")(getattr(found.graph, f"to_{form}")())
        assert again == found.graph, form
    network = bitsep.Network.fit(found.to_dag(), hostile_data())
    network.to_bif(tmp_path / "network.bif")
    again = bitsep.read_bif(tmp_path / "network.bif")
    assert again.dag == network.dag
    assert all(again.levels(v) == network.levels(v) for v in network.variables)


@pytest.mark.parametrize("command", ["describe", "discover", "pairs"])
def test_the_terminal_gets_no_control_characters(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from bitsep.cli import main

    path = tmp_path / "rows.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(hostile_data())
        writer.writerows(zip(*hostile_data().values(), strict=True))
    monkeypatch.setattr("sys.argv", ["bitsep", command, str(path)])
    assert main() == 0
    shown = capsys.readouterr()
    for text in (shown.out, shown.err):
        assert not [c for c in text if not c.isprintable() and c != "\n"], repr(text[:500])


def test_results_in_python_have_no_control_characters(found: bitsep.Discovery) -> None:
    """`print` of a result, an explanation or a table, and its `repr`."""
    data = hostile_data()
    x, y, z = HOSTILE[0], HOSTILE[2], HOSTILE[5]
    dag = found.to_dag()
    results = [
        found, found.graph, found.explain(x, y), dag, bitsep.Table(data), bitsep.describe(data),
        bitsep.independence_test(data, x, y), bitsep.independence_test(data, x, z, y), bitsep.pairwise(data),
        bitsep.markov_blanket(data, y, keep=list(HOSTILE)), bitsep.check(dag, data), bitsep.score(data, dag),
        bitsep.Network.fit(dag, data), bitsep.Knowledge(required=[(x, y)]), found.compare(dag),
        bitsep.fci(data, keep=list(HOSTILE), max_given=1),
    ]  # fmt: skip
    for result in results:
        for text in (str(result), repr(result)):
            assert not [c for c in text if not c.isprintable() and c != "\n"], (type(result), text[:500])


def hostile_network(path: Path) -> Path:
    """A BIF file with these levels."""
    levels = ["\x1b[2J", "\x9b2J", "=cmd|' /C calc'!A0"]
    bitsep.Network.fit(bitsep.DAG(["x"], []), {"x": levels}).to_bif(path)
    return path


def test_a_sample_on_the_terminal_has_no_control_characters(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a file or a pipe the values are as they are in the network."""
    from bitsep.cli import main

    monkeypatch.setattr("sys.argv", ["bitsep", "sample", str(hostile_network(tmp_path / "x.bif")), "-n", "20"])
    assert main() == 0
    assert "\x1b[2J" in capsys.readouterr().out
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert main() == 0
    shown = capsys.readouterr().out
    assert not [c for c in shown if not c.isprintable() and c != "\n"]
    assert "\\x1b[2J" in shown


def test_json_on_the_terminal_has_no_control_characters(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """JSON leaves DEL and the control characters from 128 on as they are."""
    from bitsep.cli import main

    names = ["\x9b2J", "\x7f", "\u202e"]
    path = tmp_path / "rows.csv"
    path.write_text(",".join(names) + "\n" + "0,1,0\n1,0,0\n" * 20, encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["bitsep", "pairs", str(path), "--json"])
    assert main() == 0
    shown = capsys.readouterr().out
    assert shown.rstrip("\n").isprintable()
    assert {pair["x"] for pair in json.loads(shown)["pairs"]} <= set(names)


def test_only_the_named_file_is_written(found: bitsep.Discovery, tmp_path: Path) -> None:
    """Names of variables are never parts of paths."""
    before = set(Path(tmp_path.parent).rglob("*"))
    for name in ("a.html", "a.json", "a.svg"):
        save = {"html": found.save_report, "json": found.graph.save, "svg": found.save_picture}[name[2:]]
        save(tmp_path / name)
    new = set(Path(tmp_path.parent).rglob("*")) - before
    assert {path.name for path in new} == {"a.html", "a.json", "a.svg"}


def test_json_of_results_is_plain_json(found: bitsep.Discovery) -> None:
    assert bitsep.Discovery.from_json(json.dumps(json.loads(found.to_json()))) == found
