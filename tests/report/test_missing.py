"""Without the libraries of the extras the core works, and what needs one says how to install it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

OPTIONAL = ("duckdb", "igraph", "matplotlib", "networkx", "polars", "pyspark", "scipy", "sklearn")
BLOCK = f"""
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {OPTIONAL!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Absent())
import bitsep
from bitsep.errors import MissingDependencyError

data = bitsep.load_network("asia").sample(500, seed=1)
found = bitsep.pc_stable(data)
"""


def run(code: str, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", BLOCK + code, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_core_needs_no_optional_library(tmp_path: Path) -> None:
    done = run(
        """
data.to_csv("asia.csv", index=False)
print(bitsep.independence_test("asia.csv", "xray", "smoke", given="either").verdict)
print(bitsep.Discovery.from_json(found.to_json()) == found)
print(sorted(bitsep.markov_blanket(data, "either").members))
found.graph.to_dot()
found.explain("asia", "smoke")
""",
        tmp_path,
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["independent", "True", "['bronc', 'lung', 'tub']"]


@pytest.mark.parametrize(
    ("call", "caller", "library", "extra"),
    [
        ("found.save_report('asia.html')", "save_report", "igraph", "report"),
        ("found.plot()", "plot", "matplotlib", "report"),
        ("bitsep.independence_test(data, 'xray', 'smoke').plot(data)", "plot", "matplotlib", "report"),
        ("bitsep.report.plot_thresholds()", "plot_thresholds", "matplotlib", "report"),
        ("found.graph.to_igraph()", "to_igraph", "igraph", "report"),
        ("found.graph.to_networkx()", "to_networkx", "networkx", "networkx"),
    ],
)
def test_what_needs_a_library_says_how_to_install_it(
    tmp_path: Path, call: str, caller: str, library: str, extra: str
) -> None:
    done = run(f"try:\n    {call}\nexcept MissingDependencyError as error:\n    print(error)", tmp_path)
    assert done.stderr == ""
    expected = f'{caller}: {library} is not installed. Run `pip install "bitsep[{extra}]"` to install it.'
    assert done.stdout.strip() == expected
    assert not (tmp_path / "asia.html").exists()


def test_the_shell_says_it_before_the_search(tmp_path: Path) -> None:
    shell = "from bitsep.cli import main\nsys.exit(main())"
    (tmp_path / "rows.csv").write_text("a,b\n" + "x,y\nz,w\n" * 50)
    done = run(shell, tmp_path, "discover", "rows.csv", "--report", "page.html")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.splitlines() == [
        "error: --report: igraph is not installed.",
        'hint:  Run `pip install "bitsep[report]"` to install it.',
    ]
    assert run(shell, tmp_path, "discover", "rows.csv").returncode == 0
    assert run(shell, tmp_path, "info").returncode == 0
