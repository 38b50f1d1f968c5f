"""The page about the adapters: its Python runs, top to bottom; its shell command prints the keys it names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[2] / "docs" / "adapters.md"


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_page_runs(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # the page writes files
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 8
    namespace: dict[str, object] = {"__name__": "page"}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), namespace)
    printed = capsys.readouterr().out
    assert "['Erk' 'PKA' 'PKC' 'Raf']" in printed
    assert "[" in printed.splitlines()[-1]
