"""Importing bitsep is quick and pulls in no optional or heavy library."""

from __future__ import annotations

import subprocess
import sys


def test_import_pulls_in_nothing_heavy():
    code = (
        "import sys, bitsep; heavy = {'pandas', 'pyarrow', 'scipy', 'matplotlib', 'polars', 'narwhals', 'networkx', "
        "'igraph', 'typer', 'rich', 'duckdb', 'pyspark', 'sklearn'}; print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_public_name_is_there():
    import bitsep

    for name in bitsep.__all__:
        assert getattr(bitsep, name) is not None
    assert set(bitsep.__all__) <= set(dir(bitsep))
