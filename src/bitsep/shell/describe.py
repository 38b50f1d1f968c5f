"""`bitsep describe`: the profile of a table."""

from __future__ import annotations

from bitsep.shell import data
from bitsep.shell.terminal import output, print_json_text, safe

EXAMPLES = """Examples

$ bitsep describe survey.csv

$ bitsep describe survey.csv --columns age --columns smoke --json

$ bitsep describe "data/*.parquet" --memory 2GB"""


@data.reads_data
def describe(source: data.Source, file: data.DataFile, as_json: data.Json = False) -> None:
    """Describe the columns: kind, levels, missing values, and alerts about those that a search cannot use."""
    import bitsep

    table = source.read(file, text_in_numbers=True)
    if source.discretize is not None:
        table = bitsep.discretize(table, source.discretize, threads=source.threads)
    profile = bitsep.describe(table, threads=source.threads)
    if as_json:
        print_json_text(profile.to_json())
        return
    from rich.text import Text

    console = output()
    title, *lines = safe(profile).split("\n")
    console.print(Text(title, style="bold"))
    for line in lines:
        console.print(Text(line, style="bold" if line == "Alerts" else ""))
