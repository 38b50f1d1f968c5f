"""From the numbers of a run to its page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.peers.plots import draw
from benchmarks.peers.work import blankets, graphs, growth, inner_loop, kernels, large, single_tests

WORK = {
    "graphs": graphs,
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

measures bitsep without its peers (tables, tests, graphs, blankets), for those who change it.
"""


def write(found: dict[str, Any], page: Path, images: Path) -> None:
    """The page, and the plot beside it."""
    machine = found["machine"]
    versions = ", ".join(f"{name} {version}" for name, version in machine["versions"].items())
    lines = [
        "# Benchmarks",
        "",
        "Written by `make bench-peers`; do not edit. Everything in a table was measured in one run on one machine, the "
        "libraries taking turns on the same data, each in a process of its own with one thread unless said. Times are "
        "medians of wall-clock time, ratios are ratios of medians; `benchmarks/results/peers.json` holds every run.",
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
