"""The page: every figure, the reading taken, every claim with its verdict, in one file that needs nothing else.

All text is escaped. Figures are SVG in data addresses: nothing is fetched, and the ids of one figure cannot meet those
of another.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path

from bitsep import __version__
from reproduction.claims import Finding, Outcome, Verdict
from reproduction.experiment import Experiment, Picture, Size

_CLASSES: dict[Outcome, str] = {
    "holds": "holds", "partly": "partly", "does not hold": "differs", "misprint": "differs", "not decided": "open"
}  # fmt: skip
_SIGNS: dict[Outcome, str] = {"holds": "✓", "partly": "~", "does not hold": "✗", "misprint": "!", "not decided": "–"}
_WORDS: dict[Outcome, str] = {
    "holds": "hold", "partly": "hold partly", "does not hold": "do not hold", "misprint": "are misprints",
    "not decided": "are not decided",
}  # fmt: skip
_PAPER = (
    "A. Marx and J. Vreeken, “Testing Conditional Independence on Discrete Data using Stochastic Complexity”, "
    "AISTATS 2019"
)


def render_page(
    experiments: Sequence[Experiment], size: Size, verdicts: Sequence[Verdict], pictures: Mapping[str, bytes]
) -> bytes:
    """The page as bytes; `pictures` are the figures as SVG, by name."""
    css = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
    sections = "".join(
        _section(e, size, [v for v in verdicts if v.claim.experiment == e.name], pictures) for e in experiments
    )
    page = f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>bitsep: the paper, reproduced</title>
<style>
{css}</style>
</head>
<body>
<header>
<h1>The paper, reproduced</h1>
<p>{escape(_PAPER)}: its experiments run again with bitsep {escape(__version__)}, its figures drawn again, and what it
says checked claim by claim. Captions and claims are in our words. Every verdict is computed from the results by a rule,
and each section gives the reading taken where the paper leaves something open.</p>
{_notice(size)}{_counts(verdicts)}{_contents(experiments, verdicts)}</header>
<main>
{_differences(verdicts)}{sections}</main>
</body>
</html>
"""
    return page.encode()


def _notice(size: Size) -> str:
    if size == "full":
        return ""
    return (
        f'<p class="notice">This is the <b>{escape(size)}</b> size: fewer data sets and coarser grids than the paper. '
        "Numbers are noisier and single verdicts may differ from the full size.</p>\n"
    )


def tally(verdicts: Sequence[Verdict]) -> list[str]:
    """How many statements of the paper have which verdict, and how many checks of ours, in a sentence each."""
    paper = [verdict for verdict in verdicts if not verdict.claim.ours]
    ours = [verdict for verdict in verdicts if verdict.claim.ours]
    lines = []
    if paper:
        held = {verdict.id for verdict in paper if verdict.outcome == "holds"}
        again = sum(v.outcome != "holds" and v.claim.other_reading in held for v in paper)
        reading = f"; {again} of those that do not hold in full do so in another reading" if again else ""
        lines.append(f"Of {len(paper)} statements of the paper, {_counted(paper)}{reading}.")
    if ours:
        lines.append(f"Of {len(ours)} checks of our own, {_counted(ours)}.")
    return lines


def _counted(verdicts: Sequence[Verdict]) -> str:
    counts = {outcome: sum(verdict.outcome == outcome for verdict in verdicts) for outcome in _WORDS}
    return ", ".join(f"{count} {_WORDS[outcome]}" for outcome, count in counts.items() if count)


def _counts(verdicts: Sequence[Verdict]) -> str:
    return "".join(f'<p class="counts"><b>{escape(line)}</b></p>\n' for line in tally(verdicts))


def _contents(experiments: Sequence[Experiment], verdicts: Sequence[Verdict]) -> str:
    items = "".join(f'<li><a href="#{escape(e.name)}">{escape(e.title)}</a></li>' for e in experiments)
    differing = (
        '<li><a href="#differences">What does not hold in full, and why</a></li>' if _differing(verdicts) else ""
    )
    return f'<nav aria-label="Contents"><ul>{differing}{items}</ul></nav>\n'


def _differing(verdicts: Iterable[Verdict]) -> list[Verdict]:
    return [v for v in verdicts if v.outcome in ("does not hold", "partly", "misprint") and not v.claim.ours]


def _differences(verdicts: Sequence[Verdict]) -> str:
    """The claims that do not hold, in one place at the top of the page."""
    if not (differing := _differing(verdicts)):
        return ""
    items = "".join(
        f'<li><a href="#{escape(v.id)}">{escape(v.claim.statement)}</a> <span class="soft">({escape(_place(v))})</span>'
        f"<br>{escape(v.difference or 'The measured numbers are with the claim.')}</li>\n"
        for v in differing
    )
    return f'<section id="differences"><h2>What does not hold in full, and why</h2>\n<ol>{items}</ol></section>\n'


def _place(verdict: Verdict) -> str:
    section = verdict.claim.section
    return section if verdict.claim.ours else f"paper, {section}"


def _section(experiment: Experiment, size: Size, verdicts: Sequence[Verdict], pictures: Mapping[str, bytes]) -> str:
    reading = "".join(f"<p>{escape(paragraph)}</p>\n" for paragraph in experiment.reading)
    figures = "".join(_figure(picture, pictures[picture.name]) for picture in experiment.pictures)
    claims = ""
    for title, own in (("Statements of the paper", False), ("Checks of our own", True)):
        chosen = "".join(_claim(verdict) for verdict in verdicts if verdict.claim.ours == own)
        claims += f"<h3>{title}</h3>\n{chosen}" if chosen else ""
    settings = json.dumps({"seed": experiment.seed, **experiment.sizes[size]}, ensure_ascii=False)
    return f"""<section id="{escape(experiment.name)}">
<h2>{escape(experiment.title)}</h2>
<p class="soft">Paper: {escape(experiment.section)}. Results: results/{escape(experiment.name)}.csv, .parquet, .json</p>
{figures}<h3>The reading taken</h3>
{reading}<details><summary class="soft">Settings of this run</summary><pre>{escape(settings)}</pre></details>
{claims}</section>
"""


def _figure(picture: Picture, svg: bytes) -> str:
    address = "data:image/svg+xml;base64," + base64.b64encode(svg).decode()
    return (
        f'<figure><div class="wide"><img alt="{escape(picture.caption)}" src="{address}"></div>\n'
        f"<figcaption><b>{escape(picture.paper)}.</b> {escape(picture.caption)}</figcaption></figure>\n"
    )


def _claim(verdict: Verdict) -> str:
    findings = "".join(f"<li>{_finding(finding)}</li>" for finding in verdict.findings)
    reason = f'<p class="reason">{escape(verdict.difference)}</p>' if verdict.difference else ""
    return (
        f'<article class="claim {_CLASSES[verdict.outcome]}" id="{escape(verdict.id)}">'
        f'<p><span class="verdict">{_SIGNS[verdict.outcome]} {escape(verdict.outcome)}</span> '
        f'<span class="soft">({escape(_place(verdict))})</span></p><p>{escape(verdict.claim.statement)}</p>'
        f"<ul>{findings}</ul>{reason}</article>\n"
    )


def _finding(finding: Finding) -> str:
    what = escape(finding.what)
    if finding.value is None or finding.low is None or finding.high is None:
        return f"{what}: not measured at this size"
    spread = ""
    if finding.entries > 1:
        spread = f" (from {finding.entries} values between {number(finding.low)} and {number(finding.high)})"
    sign = "" if finding.passed else " ✗"
    return f"{what}: <b>{number(finding.value)}</b>{spread}; the rule asks for {escape(finding.wanted)}{sign}"


def number(value: float) -> str:
    """A number for reading: three digits, no exponent where none is needed.

    >>> number(0.99823), number(684.0), number(-0.0000001), number(1 / 3)
    ('0.998', '684', '-1e-07', '0.333')
    """
    if value == int(value) and abs(value) < 1e6:
        return f"{int(value):,}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
