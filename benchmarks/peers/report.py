"""Writes the page from the results of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.peers.plots import draw
from benchmarks.peers.work import blankets, graphs, growth, inner_loop, kernels, large, searches, single_tests

WORK = {
    "graphs": graphs,
    "searches": searches,
    "single_tests": single_tests,
    "blankets": blankets,
    "growth": growth,
    "kernels": kernels,
    "large": large,
    "inner_loop": inner_loop,
}

ALONE = """
## bitsep alone

```sh
make bench
```

measures bitsep without other libraries (tables, tests, graphs, blankets), for contributors.
"""


def write(found: dict[str, Any], page: Path, images: Path) -> None:
    """Write the page and the plot."""
    machine = found["machine"]
    versions = ", ".join(f"{name} {version}" for name, version in machine["versions"].items())
    lines = [
        "# Benchmarks",
        "",
        "This page is written by `make bench-peers`; do not edit it. All values of a table were measured in one run on "
        "one machine. The libraries took turns on the same data, each in a separate process with one thread unless "
        "stated otherwise. Times are medians of wall-clock time, ratios are ratios of medians; "
        "`benchmarks/results/peers.json` has the time of every run.",
        "",
        f"- **Date** {machine['date']}, {found['minutes']:.0f} minutes{' (quick run)' if found['quick'] else ''}",
        f"- **Machine** {machine['processor']}, {machine['cores']} cores, {machine['system']}; "
        f"load before the run {machine['load_before']}",
        f"- **Versions** Python {machine['python']}, {versions}; kernel `{machine['kernel']}`",
        f"- **Repetitions** {found['repetitions']}; three where a run takes over 2 s, one where it takes over 10 s",
        "",
    ]
    for name, work in WORK.items():
        if name not in found["work"]:
            continue
        lines += [f"## {work.TITLE}", ""]
        if name == "graphs":
            draw(found["work"][name], images)
            lines += [f"![Seconds against rows, log axes]({images.name}/bench-peers.svg)", ""]
        lines += [*work.pages(found["work"][name]), ""]
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text("\n".join(lines).rstrip() + "\n" + ALONE, encoding="utf-8")
