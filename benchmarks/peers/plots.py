"""The plot of seconds by rows, on logarithmic axes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.peers.quoted import QUOTED
from benchmarks.peers.work.graphs import G2, PEERS, SCI

# The colors of Okabe and Ito, which color-blind readers can distinguish; markers differ, too.
STYLES = {
    G2: ("#0072B2", "o"),
    SCI: ("#56B4E9", "D"),
    "pyAgrum": ("#D55E00", "s"),
    "causal-learn": ("#009E73", "^"),
    "pgmpy": ("#CC79A7", "v"),
}


def draw(rows: list[dict[str, Any]], folder: Path) -> list[Path]:
    """PC-stable on every network measured; quoted figures dashed, on Alarm only."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    networks = list(dict.fromkeys(row["network"] for row in rows))
    columns = min(len(networks), 2)
    lines = -(-len(networks) // columns)
    figure, axes = plt.subplots(
        lines, columns, figsize=(5.2 * columns, 4.0 * lines), sharey=True, squeeze=False, layout="constrained"
    )
    for axis, network in zip(axes.flat, networks, strict=False):
        mine = [row for row in rows if row["network"] == network]
        for label in (G2, SCI, *PEERS):
            points = [(r["n"], r["measured"][label]["median"]) for r in mine if "median" in r["measured"][label]]
            color, marker = STYLES[label]
            axis.plot(*zip(*points, strict=True), color=color, marker=marker, label=label)
        if network == "alarm":
            for (label, quoted), dashes in zip(list(QUOTED.items())[:2], ("--", ":"), strict=True):
                points = [(n, t) for n, t in quoted.items() if n <= max(r["n"] for r in mine)]
                axis.plot(
                    *zip(*points, strict=True),
                    color="#555555",
                    linestyle=dashes,
                    label=f"{label.split(' (')[0]}, quoted",
                )
        axis.set(xscale="log", yscale="log", title=network, xlabel="rows")
        axis.grid(True, which="major", color="#dddddd")
        axis.set_axisbelow(True)
    for axis in axes[:, 0]:
        axis.set_ylabel("seconds, data frame to graph")
    for axis in list(axes.flat)[len(networks) :]:
        axis.set_visible(False)
    figure.suptitle("PC-stable, G² at α = .05 (and sci_f), one thread, medians")
    lines_drawn, labels = axes.flat[0].get_legend_handles_labels()
    figure.legend(lines_drawn, labels, loc="outside lower center", ncols=2 * columns, fontsize=8, frameon=False)
    folder.mkdir(parents=True, exist_ok=True)
    made = [folder / "bench-peers.svg", folder / "bench-peers.png"]
    plt.rcParams["svg.hashsalt"] = "bitsep"  # the same drawing gives the same file
    figure.savefig(made[0], metadata={"Date": None})
    figure.savefig(made[1], dpi=120)
    plt.close(figure)
    return made
