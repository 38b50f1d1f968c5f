"""Insert the results of `make reproduce` into their page, if `docs/reproduction-results` has them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

_MARK = "<!-- results -->"
_ABSENT = "!!! note\n    There are no results yet; the commands below make them."
_FOLDER = "reproduction-results"
_SIGNS = {"holds": "✓", "partly": "~", "does not hold": "✗", "misprint": "!", "not decided": "?"}
_WORDS = {
    "holds": "hold",
    "partly": "hold partly",
    "does not hold": "do not hold",
    "misprint": "are misprints",
    "not decided": "are not decided",
}


def on_page_markdown(markdown: str, *, page: Any, config: Any, **_: Any) -> str:
    """Replace the mark by figures and verdicts, experiment by experiment."""
    if _MARK not in markdown:
        return markdown
    docs = Path(config["docs_dir"])
    claims = docs / _FOLDER / "claims.json"
    return markdown.replace(_MARK, _results(docs, claims) if claims.exists() else _ABSENT)


def _results(docs: Path, claims: Path) -> str:
    sys.path.insert(0, str(docs.parent))
    from reproduction.catalog import EXPERIMENTS

    verdicts = json.loads(claims.read_text(encoding="utf-8"))
    paper = [verdict for verdict in verdicts if verdict["in_the_paper"]]
    ours = [verdict for verdict in verdicts if not verdict["in_the_paper"]]
    held = {verdict["id"] for verdict in paper if verdict["outcome"] == "holds"}
    again = sum(one["outcome"] != "holds" and one["other_reading"] in held for one in paper)
    lines = [
        f"**Of {len(paper)} statements of the paper, {_counted(paper)}.** Of those that do not hold in full, {again} do so in "
        "another reading of what the paper leaves open.",
        "",
    ]
    for name, experiment in EXPERIMENTS.items():
        lines += ["", f"## {experiment.title}", ""]
        for picture in experiment.pictures:
            lines += [
                f"![{_cell(picture.caption)}]({_FOLDER}/figures/{picture.name}.svg){{ .figure }}",
                "",
                f"*{picture.paper}.* {picture.caption}",
                "",
            ]
        lines += _table([verdict for verdict in paper if verdict["experiment"] == name])
        lines += ["", '??? note "The reading taken, and the data"', ""]
        lines += [f"    {paragraph}\n" for paragraph in experiment.reading]
        ends = ", ".join(f"[{end}]({_FOLDER}/results/{name}.{end})" for end in ("csv", "json", "parquet"))
        lines += [f"    Results: {ends}", ""]
    lines += ["", "## Checks of our own", "", f"The paper does not make these statements. Of {len(ours)}, {_counted(ours)}.", ""]
    return "\n".join([*lines, *_table(ours)])


def _counted(verdicts: Sequence[dict[str, Any]]) -> str:
    counts = {outcome: sum(one["outcome"] == outcome for one in verdicts) for outcome in _WORDS}
    return ", ".join(f"{count} {_WORDS[outcome]}" for outcome, count in counts.items() if count)


def _table(verdicts: Iterable[dict[str, Any]]) -> list[str]:
    rows = [
        f"| {_SIGNS[one['outcome']]} {one['outcome']} | {_cell(one['statement'])} | {_cell(_here(one))} | {one['section']} |"
        for one in verdicts
    ]
    return ["| verdict | statement | here | section |", "| --- | --- | --- | --- |", *rows]


def _here(verdict: dict[str, Any]) -> str:
    """What was found, in words if it differs, and the figures with the rule for each."""
    measured = [f for f in verdict["findings"] if f["value"] is not None]
    figures = "<br>".join(
        f"{finding['what']}: **{_number(finding['value'])}** ({'' if finding['passed'] else '✗ '}rule: {finding['wanted']})"
        for finding in measured
    )
    return "<br>".join(part for part in (verdict["difference"], figures) if part)


def _number(value: float) -> str:
    if value == int(value) and abs(value) < 1e6:
        return f"{int(value):,}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def _cell(text: str) -> str:
    return text.replace("|", "∣").replace("\n", " ")
