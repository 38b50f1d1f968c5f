"""The page is one file, needs no network, and shows text as text."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser

import pytest

from reproduction.catalog import EXPERIMENTS
from reproduction.claims import CLAIMS, Claim, Finding, Verdict
from reproduction.experiment import Experiment
from reproduction.page import number, render_page

NASTY = "<script>alert('&\"')</script>"


class Collector(HTMLParser):
    """Tags, ids, addresses and text of a page; complains if tags do not match."""

    VOID = frozenset({"meta", "img", "br"})

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.addresses: list[str] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(page.decode())
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "src"):
                self.addresses.append(value or "")
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def verdict(outcome: str, experiment: str = "thresholds") -> Verdict:
    claim = Claim(NASTY, experiment, NASTY, NASTY, lambda results: iter(()), NASTY)
    finding = Finding(NASTY, 0.5, 0.25, 0.75, 10, NASTY, outcome == "holds")
    return Verdict(claim, outcome, (finding, Finding(NASTY, None, None, None, 0, NASTY, None)))  # type: ignore[arg-type]


def nasty_experiment() -> Experiment:
    experiment = EXPERIMENTS["thresholds"]
    [picture] = experiment.pictures
    return replace(
        experiment, title=NASTY, section=NASTY, text=f"One.\n\n{NASTY}", sizes={"tiny": {NASTY: NASTY}},
        pictures=(replace(picture, paper=NASTY, caption=NASTY),),
    )  # fmt: skip


@pytest.mark.parametrize("outcome", ["holds", "partly", "does not hold", "misprint", "not decided"])
def test_everything_is_escaped(outcome: str) -> None:
    page = render_page([nasty_experiment()], "tiny", [verdict(outcome)], {"thresholds": b"<svg/>"})
    assert b"<script" not in page
    found = Collector(page)
    assert "script" not in found.tags
    assert found.text.count(NASTY) >= 9
    assert outcome in found.text


def test_nothing_is_fetched_and_every_link_has_an_end() -> None:
    verdicts = [Verdict(claim, "does not hold", ()) for claim in CLAIMS if claim.experiment == "error"]
    experiment = EXPERIMENTS["error"]
    pictures = {picture.name: b"<svg/>" for picture in experiment.pictures}
    page = render_page([experiment], "full", verdicts, pictures)
    found = Collector(page)
    assert len(found.ids) == len(set(found.ids))
    for address in found.addresses:
        assert address.startswith(("data:image/svg+xml;base64,", "#"))
        assert not address.startswith("#") or address[1:] in found.ids
    assert b"http:" not in page
    assert b"https:" not in page
    assert "quick" not in found.text
    assert all(item.difference in found.text for item in verdicts)


def test_numbers_and_their_spread_are_shown() -> None:
    page = render_page([nasty_experiment()], "tiny", [verdict("holds")], {"thresholds": b"<svg/>"}).decode()
    assert "<b>0.5</b> (from 10 values between 0.25 and 0.75)" in page
    assert "not measured at this size" in page


@pytest.mark.parametrize(
    ("value", "text"), [(0.99823, "0.998"), (684.0, "684"), (20000.0, "20,000"), (1234.5, "1,234"), (-0.02, "-0.02")]
)
def test_numbers_for_reading(value: float, text: str) -> None:
    assert number(value) == text
