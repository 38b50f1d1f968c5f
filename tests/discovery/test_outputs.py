"""What a discovery can be turned into keeps its numbers."""

from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import pytest

import bitsep
from bitsep import PDAG, Discovery, Table
from bitsep.cli import main
from bitsep.errors import ArgumentError


@pytest.fixture(scope="module")
def found() -> Discovery:
    return bitsep.discover(bitsep.load_network("asia").sample(2000, seed=1), bootstrap=10, seed=1)


def test_networkx_has_the_numbers_of_every_edge(found: Discovery) -> None:
    graph = found.to_networkx()
    assert PDAG.from_networkx(graph) == found.graph
    for line in found.edges_frame().itertuples():
        numbers = graph.edges[line[1], line[3]] if (line[1], line[3]) in graph.edges else graph.edges[line[3], line[1]]
        assert numbers["bits"] == line.bits
        assert numbers["bits_per_row"] == line.bits_per_row
        assert numbers["support"] == line.support
        assert numbers["probability"] == line.probability


def test_graphml_and_dot_have_them_too_and_can_be_read(found: Discovery) -> None:
    assert PDAG.from_graphml(found.to_graphml()) == found.graph
    assert PDAG.from_dot(found.to_dot()) == found.graph
    root = ElementTree.fromstring(found.to_graphml().split("\n", 1)[1])
    bits = [float(node.text) for node in root.iter() if node.get("key") == "bits"]
    assert sorted(bits) == sorted(found.edges_frame()["bits"])
    assert found.to_dot().count("support=") == len(found.skeleton)


def test_without_bootstrap_there_is_no_support() -> None:
    d = bitsep.pc_stable(bitsep.Oracle(bitsep.load_network("cancer")))
    assert all("support" not in numbers for *_, numbers in d.to_networkx().edges(data=True))


@pytest.mark.parametrize(("ending", "start"), [("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_pictures_are_files_and_the_same_every_time(
    found: Discovery, tmp_path: Path, ending: str, start: bytes
) -> None:
    one, two = (found.save_picture(tmp_path / f"{k}.{ending}").read_bytes() for k in range(2))
    assert one.startswith(start)
    assert one == two


def test_other_pictures_are_refused(found: Discovery, tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match=r"path: the name of a picture must end in .svg, .png or .pdf"):
        found.save_picture(tmp_path / "graph.gif")


def test_the_shell_writes_pictures_and_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    bitsep.load_network("cancer").sample(2000, seed=1).to_csv("data.csv", index=False)
    monkeypatch.setattr("sys.argv", ["bitsep", "discover", "data.csv", "-o", "g.svg", "-o", "g.png", "-o", "g.graphml"])
    assert main() == 0
    assert ElementTree.parse("g.svg").getroot().tag.endswith("svg")
    assert Path("g.png").read_bytes().startswith(b"\x89PNG")
    assert "margin_bits" in Path("g.graphml").read_text(encoding="utf-8")


def test_a_table_goes_back_to_pandas() -> None:
    frame = pd.DataFrame({"x": ["b", "a", None, "b"], "n": [3, 1, 2, 3]})
    back = Table(frame).to_pandas()
    assert back["x"].astype(object).where(back["x"].notna(), None).tolist() == ["b", "a", None, "b"]
    assert back["n"].tolist() == [3, 1, 2, 3]
    assert Table(back) == Table(frame) or Table(back).fingerprint() == Table(frame).fingerprint()


def test_order_weights_and_intervals_survive() -> None:
    sizes = pd.Categorical(["low", "high", "low"], categories=["low", "mid", "high"], ordered=True)
    back = Table({"size": sizes, "w": [2, 1, 4]}, weights="w").to_pandas()
    assert list(back["size"].cat.categories) == ["low", "high"]
    assert back["weight"].tolist() == [2, 1, 4]
    with pytest.raises(ArgumentError, match="weights: a new name is needed"):
        Table({"weight": ["a", "b"], "w": [1, 2]}, weights="w").to_pandas()
    cut = bitsep.discretize({"x": [k / 7 for k in range(100)]}, "equal-frequency:2")
    assert isinstance(cut, Table)
    assert cut.to_pandas()["x"].nunique() == 2


def test_levels_that_pandas_cannot_tell_apart_stay_values() -> None:
    assert Table({"x": pd.Series([1, True, 1, "1"], dtype=object)}).to_pandas()["x"].tolist() == [1, True, 1, "1"]
