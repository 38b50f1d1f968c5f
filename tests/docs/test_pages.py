"""Every example of the documentation is run, in order, page by page, and has to print what the page says.

Blocks of ``pycon`` share one namespace per page, blocks of ``console`` run `bitsep` commands; both in a directory of
the page's own. ``...`` in expected output stands for anything. The commands of README.md have to succeed.
"""

from __future__ import annotations

import doctest
import re
import shlex
import sys
from pathlib import Path

import pytest

from bitsep.cli import main

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted(str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md"))
# Pages that need libraries `make test-all` installs.
SLOW = {"tutorials/libraries.md"}
FENCE = re.compile(r"^( *)```(pycon|console)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
LOOSE = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
COMMAND = re.compile(r"\$ bitsep (.*?)(?: > (\S+))?")

marked = [pytest.param(page, marks=pytest.mark.slow if page in SLOW else ()) for page in PAGES]


@pytest.mark.parametrize("page", marked)
def test_examples(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    text = (DOCS / page).read_text(encoding="utf-8")
    namespace: dict[str, object] = {}
    for block in FENCE.finditer(text):
        line = text[: block.start(3)].count("\n")
        content = "\n".join(row.removeprefix(block[1]) for row in block[3].split("\n"))
        if block[2] == "pycon":
            run_python(content, namespace, page, line)
        else:
            run_commands(content, monkeypatch, capsys, f"{page}, line {line + 1}")


def run_python(content, namespace, page, line):
    example = doctest.DocTestParser().get_doctest(content, namespace, page, page, line)
    trouble: list[str] = []
    runner = doctest.DocTestRunner(optionflags=LOOSE)
    runner.run(example, out=trouble.append, clear_globs=False)
    namespace.update(example.globs)
    assert not runner.failures, "".join(trouble)


def run_commands(content, monkeypatch, capsys, where):
    for part in re.split(r"^(?=\$ )", content, flags=re.MULTILINE):
        if not part.strip():
            continue
        first, _, expected = part.partition("\n")
        while first.endswith("\\"):
            more, _, expected = expected.partition("\n")
            first = first[:-1] + more.strip()
        command = COMMAND.fullmatch(first.strip())
        assert command is not None, f"{where}: {first!r} is no bitsep command"
        monkeypatch.setattr(sys, "argv", ["bitsep", *shlex.split(command[1])])
        capsys.readouterr()
        code = main()
        caught = capsys.readouterr()
        printed = caught.out + caught.err
        if command[2]:
            Path(command[2]).write_text(printed, encoding="utf-8")
            printed = ""
        assert code in (0, 2), f"{where}: {first} ends with {code}: {printed}"
        assert doctest.OutputChecker().check_output(expected, printed, LOOSE), (
            f"{where}: {first}\nexpected\n{expected}\nprinted\n{printed}"
        )


def test_the_commands_of_the_readme(tmp_path, monkeypatch, capsys):
    """They are run in order in an empty folder, and each one finds the files that it reads."""
    monkeypatch.chdir(tmp_path)
    text = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"^bitsep (.*?)(?: +#.*)?$", text, re.MULTILINE)
    assert len(commands) > 6
    for command in commands:
        monkeypatch.setattr(sys, "argv", ["bitsep", *shlex.split(command)])
        assert main() == 0, f"{command}: {capsys.readouterr().err}"


def test_there_are_examples():
    assert sum(len(FENCE.findall((DOCS / page).read_text(encoding="utf-8"))) for page in PAGES) > 25
