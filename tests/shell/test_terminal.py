"""For people: bars, colors, Ctrl-C. For pipes: none of it."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import time

import pytest

from bitsep.shell.terminal import reading
from shell.conftest import Terminal, pipe

ESCAPE = "\x1b"
# Long enough on a fast machine, too: what is done at once shows no bar.
SECONDS = ("--algorithm", "pc_stable", "--bootstrap", "800")
LONG = ("--algorithm", "pc_stable", "--bootstrap", "20000")  # many of them, unless interrupted


def test_a_pipe_gets_results_only(asia):
    done = pipe("discover", asia, "--bootstrap", "5")
    assert done.code == 0
    assert done.err == ""
    assert ESCAPE not in done.out
    assert "either" in done.out


def test_json_through_a_pipe(asia):
    assert json.loads(pipe("discover", asia, "--json").out)["schema"] == "bitsep.discovery"


def test_help_through_a_pipe_has_no_colors():
    done = pipe("discover", "--help")
    assert ESCAPE not in done.out + done.err


def test_a_terminal_without_unicode_is_no_reason_to_fail(asia):
    done = pipe("discover", asia, PYTHONIOENCODING="ascii", PYTHONUTF8="0", LC_ALL="C")
    assert done.code == 0
    assert "either" in done.out


def test_a_reader_that_leaves_early(asia):
    command = f'"{sys.executable}" -m bitsep sample alarm -n 20000 | head -n 1'
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout.startswith("ANAPHYLAXIS,")


def test_a_terminal_gets_colors_and_a_bar_with_the_time_left(alarm):
    terminal = Terminal("discover", alarm, *SECONDS)
    terminal.read_until("bootstrap")
    code, seen = terminal.finish()
    assert code == 0
    assert "searching alarm.csv: bootstrap" in seen
    assert "left:" in seen
    assert "━" in seen
    assert f"{ESCAPE}[1m" in seen
    assert seen.rstrip().endswith((".", "bits"))  # the bar is gone, the summary is last


def test_no_color_is_respected(asia):
    _, seen = Terminal("test", asia, "xray", "smoke", NO_COLOR="1").finish()
    assert "⊥" in seen
    assert f"{ESCAPE}[3" not in seen
    assert "36m" not in seen


@pytest.mark.parametrize("existing", [None, "precious"])
def test_ctrl_c_leaves_no_half_written_file(alarm, tmp_path, existing):
    graph = tmp_path / "graph.dot"
    if existing is not None:
        graph.write_text(existing)
    terminal = Terminal("discover", alarm, *LONG, "--output", graph, "--report", tmp_path / "graph.html")
    terminal.read_until("bootstrap")
    start = time.monotonic()
    terminal.type(b"\x03")
    code, seen = terminal.finish()
    assert code == 130
    assert time.monotonic() - start < 10
    assert "interrupted" in seen
    assert "Traceback" not in seen
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == (
        {} if existing is None else {"graph.dot": existing}
    )


def test_ctrl_c_while_a_file_is_written(tmp_path):
    target = tmp_path / "rows.csv"
    terminal = Terminal("sample", "alarm", "-n", "3000000", "-o", target)
    deadline = time.monotonic() + 40
    while not any(tmp_path.iterdir()):  # until the draft appears
        assert time.monotonic() < deadline
        time.sleep(0.05)
    terminal.type(b"\x03")
    code, _ = terminal.finish()
    assert code == 130
    assert list(tmp_path.iterdir()) == []


def test_a_large_file_shows_how_far_it_is_read(monkeypatch, tmp_path):
    class Screen(io.StringIO):
        def isatty(self):
            return True

    path = tmp_path / "large\x1b.csv"
    path.write_bytes(b"x" * 4_000_000)
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm-256color")
    with reading(path):
        path.read_bytes()
        time.sleep(1.2)
    assert "reading large\\x1b.csv" in screen.getvalue()
    assert "left:" in screen.getvalue()
    assert "100%" in screen.getvalue()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("bitsep dis", {"discover"}),
        ("bitsep test DATA dy", {"dysp"}),
        ("bitsep test DATA dysp smoke --method g2", {"g2", "g2_adjusted"}),
        ("bitsep sample al", {"alarm"}),
        ("bitsep test nowhere.csv d", set()),
    ],
)
def test_tab_completes(asia, line, offered):
    line = line.replace("DATA", str(asia))
    words = str(len(line.split()) - 1)
    done = pipe(_BITSEP_COMPLETE="complete_bash", COMP_WORDS=line, COMP_CWORD=words, _TYPER_COMPLETE_ARGS=line)
    assert set(done.out.split()) == offered


def test_help_is_quick():
    """Nothing heavy is imported for it: what counts is what is loaded, since seconds depend on the machine."""
    script = (
        "import sys; sys.argv = ['bitsep', '--help']; from bitsep.cli import main; main(); "
        "print(*sorted(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = set(done.stderr.split())
    assert "bitsep.cli" in loaded
    assert loaded.isdisjoint({"numpy", "pandas", "pyarrow", "matplotlib", "bitsep._native", "bitsep.discovery"})
