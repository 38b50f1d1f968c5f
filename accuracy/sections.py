"""The sections of the page, as lines of Markdown."""

from __future__ import annotations

from benchmarks.peers.text import count, seconds, table

from accuracy import hidden, plan
from accuracy.metrics import MAX_SID_VARIABLES
from accuracy.published import FURTHER, MEAN_CPDAG_F1, REASONS, STANDARD, Published
from accuracy.searches import PEERS, parse
from accuracy.statistics import Mean
from accuracy.summary import Cell, Paired, Summary, mean_over_cells
from accuracy.titles import title

SHARE_GOAL = 0.95
F1_SIZES = (100, 1_000, 10_000, 100_000)
F1_WITHOUT = "pigs"

MISSING = "–"


def introduction(summary: Summary, cells: str, *, quick: bool) -> list[str]:
    """What the page is, with the versions of the libraries."""
    libraries = {(parse(run.search).library, run.version) for run in summary.runs if run.version}
    versions = sorted(f"{PEERS.get(library, library)} {version}" for library, version in libraries)
    total = sum(1 for _ in summary.runs)
    return [
        "# Accuracy",
        "",
        f"This page is written by `make accuracy{'-quick' if quick else ''}`; do not edit it. Searches of bitsep and "
        "of other libraries learn graphs from the same samples of known networks, and the graphs are compared with the "
        "truth. Values are means over samples ± their standard error. The distance is the structural Hamming distance "
        "(SHD) between CPDAGs, the number of pairs of variables whose edge differs: lower is better.",
        "",
        f"- **Runs** {count(total)}",
        f"- **Networks** {', '.join(summary.networks)}",
        f"- **Versions** {', '.join(versions)}",
        f"- [All cells with all figures]({cells}), and [how it is measured](#how-it-is-measured)",
    ]


def published_figures(summary: Summary) -> list[str]:
    """The default beside published figures."""
    ours = {one: summary.cell(plan.DEFAULT, one.network, one.rows).mean("shd") for one in (*STANDARD, *FURTHER)}
    rows = [_published_row(one, ours[one]) for one in STANDARD]
    known = [mean for one in STANDARD if (mean := ours[one]) is not None]
    if not known:
        return []
    quoted = sum(one.shd or 0.0 for one in STANDARD)
    complete = len(known) == len(STANDARD)
    total = Mean.sum_of(known).format() if complete else MISSING
    rows.append([f"**sum of {len(STANDARD)}**", "", f"**{total}**", f"**{quoted:.1f}**", "", ""])
    rows += [_published_row(one, ours[one]) for one in FURTHER]
    lines = [
        "## Beside published figures",
        "",
        "The best published figure per network is the best of several searches, chosen afterwards; it comes from other "
        "samples of the same size. bitsep's default is one search for all networks.",
        "",
        *table(["network", "rows", "bitsep, default", "best published", "by", "at or below"], rows),
        "",
    ]
    above = [one.network for one in STANDARD if (mean := ours[one]) and mean.value > (one.shd or 0.0)]
    if above:
        reasons = [f"{name} ({REASONS[name]})" if name in REASONS else name for name in above]
        lines += [f"Above the published figure: {', '.join(reasons)}.", ""]
    lines.append(
        "Published: MLS-Bench, task “causal-discovery-discrete” (April 2026), as implemented in causal-learn, mean of "
        "3 samples."
    )
    return lines


def _published_row(one: Published, mean: Mean | None) -> list[str]:
    quoted = MISSING if one.shd is None else f"{one.shd:.1f}"
    below = "" if one.shd is None or mean is None else "yes" if mean.value <= one.shd else "no"
    return [one.network, count(one.rows), MISSING if mean is None else mean.format(), quoted, one.search, below]


def over_sizes(summary: Summary) -> list[str]:
    """The mean CPDAG F1 of the default from small to large samples."""
    networks = [name for name in summary.networks if name != F1_WITHOUT]
    cells = {(name, rows): summary.cell(plan.DEFAULT, name, rows) for name in networks for rows in F1_SIZES}
    if not any(cell.found for cell in cells.values()):
        return []
    rows = []
    for name in networks:
        means = [cells[name, size].mean("cpdag_f1") for size in F1_SIZES]
        rows.append([name, *(MISSING if mean is None else mean.format(2) for mean in means)])
    columns = [mean_over_cells([cells[name, size] for name in networks], "cpdag_f1") for size in F1_SIZES]
    rows.append(["**mean**", *(f"**{value:.3f}**" if value is not None else MISSING for value in columns)])
    measured = [cell for cell in cells.values() if cell.found]
    mean = mean_over_cells(measured, "cpdag_f1")
    quoted = ", ".join(f"{name} {_share(value)}" for name, value in MEAN_CPDAG_F1.items())
    complete = "" if len(measured) == len(cells) else f", over {len(measured)} of {len(cells)} cells"
    return [
        "## From small to large samples",
        "",
        "The CPDAG F1 of the default: an edge with the same mark (→, ← or —) in both CPDAGs is a true positive; an "
        "edge with another mark is one false positive and one false negative.",
        "",
        *table(["network", *(f"n = {count(size)}" for size in F1_SIZES)], rows),
        "",
        f"The mean over all networks except {F1_WITHOUT} and these sizes is **{_share(mean)}**{complete}. "
        f"Published means over 17 other networks and sizes from 100 to 100,000 (Kitson & "
        f"Constantinou 2025, IJAR 186, 109522): {quoted}.",
    ]


def peers(summary: Summary) -> list[str]:
    """The default against other libraries, on the same samples."""
    duels = [summary.duel(search) for search in summary.searches if parse(search).is_peer]
    duels = [duel for duel in duels if duel.pairs]
    if not duels:
        return []
    rows, lost = [], []
    for duel in duels:
        mean = sum(pair.difference.value for pair in duel.pairs) / len(duel.pairs)
        share = f"{duel.held_share:.1%}{'' if duel.held_share >= SHARE_GOAL else ' ✗'}"
        worse = len(duel.lost) + len(duel.without_ours)
        counts = [count(len(duel.pairs)), count(worse), share, f"{mean:+.1f}", count(duel.without_theirs)]
        rows.append([title(duel.search), *counts])
        lost += [[title(duel.search), pair.network, count(pair.rows), *_distances(pair)] for pair in duel.lost]
        lost += [
            [title(duel.search), cell.network, count(cell.rows), _text(cell, "shd"), "", ""]
            for cell in duel.without_ours
        ]
    head = ["search", "cells", "default worse", "not worse", "mean difference of SHD", "cells without their graph"]
    lines = [
        "## Against other libraries",
        "",
        "In each cell (a network and a number of rows), the default and the other search are compared on the samples "
        "for which both gave a graph. The default is worse if its mean SHD is above theirs by more than one standard "
        f"error of the paired difference. ✗ marks a share of cells below {SHARE_GOAL:.0%}. A negative difference means "
        "that the default is closer to the truth.",
        "",
        *table(head, rows),
        "",
        f"The {len(lost)} cells in which the default is worse:" if lost else "There is no cell in which it is worse.",
    ]
    if lost:
        lines += ["", *table(["search", "network", "rows", "default", "theirs", "paired difference"], lost)]
    return lines


def all_searches(summary: Summary) -> list[str]:
    """One line per search, averaged over its cells, beside the default in the same cells."""
    head = ["search", "cells", "SHD", "default's SHD", "CPDAG F1", "default's", "skeleton F1", "arrow F1"]
    head += ["SID bounds", "seconds", "time-outs", "failures", "skipped cells"]
    lines = []
    for search in summary.searches:
        cells = [cell for cell in summary.cells(search, plan.SIZES) if cell.network not in plan.LARGE_NETWORKS]
        shared = [summary.cell(plan.DEFAULT, cell.network, cell.rows) for cell in cells if cell.found]
        if not cells:
            continue
        taken = mean_over_cells(cells, "seconds")
        bounds = [mean_over_cells(cells, name) for name in ("sid_lower", "sid_upper")]
        line = [
            title(search),
            count(sum(bool(cell.found) for cell in cells)),
            _plain(mean_over_cells(cells, "shd")),
            _plain(mean_over_cells(shared, "shd")),
            *(_share(mean_over_cells(group, "cpdag_f1")) for group in (cells, shared)),
            *(_share(mean_over_cells(cells, name)) for name in ("skeleton_f1", "arrow_f1")),
            "–".join(_plain(bound, 0) for bound in bounds),
            MISSING if taken is None else seconds(taken),
            *(count(sum(cell.count(outcome) for cell in cells)) for outcome in ("time-out", "failed")),
            count(sum(cell.state == "skipped" for cell in cells)),
        ]
        lines.append(line)
    if not lines:
        return []
    asked = [run.to_dag for run in summary.runs if run.to_dag is not None]
    return [
        "## All searches",
        "",
        "Means over the cells in which the search gave graphs (all networks but "
        f"{' and '.join(plan.LARGE_NETWORKS)}, n = {count(plan.SIZES[0])} to {count(plan.SIZES[-1])}), and means of "
        "the default in the same cells. Searches that are slow have fewer cells, and easier ones.",
        "",
        *table(head, lines),
        "",
        f"`to_dag()` gave a DAG in {count(sum(asked))} of {count(len(asked))} runs of bitsep.",
    ]


def every_cell(summary: Summary) -> list[str]:
    """A folded table of the SHD per network."""
    lines = ["## Every cell: SHD", ""]
    lines += [
        "“skipped” means that smaller samples took too long; “(3)” is the number of samples with a graph where it is "
        "not the usual one.",
        "",
    ]
    for network in summary.networks:
        cells = {s: [summary.cell(s, network, rows) for rows in summary.sizes] for s in summary.searches}
        shown = {search: row for search, row in cells.items() if any(cell.state != "not run" for cell in row)}
        usual = plan.LARGE_SAMPLES if network in plan.LARGE_NETWORKS else plan.SAMPLES
        rows = [[title(search), *(_text(cell, "shd", usual) for cell in row)] for search, row in shown.items()]
        lines += [f'??? note "{network}"', ""]
        lines += [f"    {line}" for line in table(["search", *map(count, summary.sizes)], rows)]
        lines.append("")
    return lines


def hidden_variables() -> list[str]:
    """Marks of FCI beside those of PC and of causal-learn's FCI, from the runs of `accuracy.hidden`."""
    runs = hidden.results()
    if not runs:
        return []
    legal, checked = hidden.legal_counts(runs)
    on_pathfinder = sum(run["network"] == "pathfinder" for run in runs)
    return [
        "## With hidden variables",
        "",
        "Networks of which 5%, 10% and 20% of the variables are hidden; the truth is the PAG of the others. P is "
        "precision, R recall; a mark is an arrowhead or a tail, right if the true PAG has it at this end of this edge; "
        "SHD is the number of pairs whose edge differs; undirected edges of PC count as o—o. The runs are those of "
        f"`python -m accuracy.hidden --peer --pathfinder`. {legal:,} of {checked:,} graphs of `fci` are legal PAGs; "
        f"{on_pathfinder} of them are of pathfinder, with `rfci` and with `fci`, `max_given=3`. "
        "[Hidden causes](hidden-causes.md#what-to-expect) has the table by share of hidden variables, and pathfinder.",
        "",
        *hidden.short_table(runs),
        "",
        "On the first sample of asia, sachs, child, insurance and alarm with 10% hidden, beside causal-learn's FCI (G² "
        "at .05):",
        "",
        *hidden.peer_table(runs),
    ]


def rules() -> list[str]:
    """How the benchmark works."""
    return [
        "## How it is measured",
        "",
        f"- **Networks**: all bundled networks and those in `accuracy/networks`. {' and '.join(plan.LARGE_NETWORKS)} "
        f"are measured with the default and hill climbing only, on {plan.LARGE_SAMPLES} samples.",
        f"- **Samples**: {plan.SAMPLES} per network and number of rows, the same for all searches. The columns of each "
        "sample are shuffled and have random names.",
        f"- **Sizes**: n = {', '.join(map(count, plan.SIZES))}; the default also at "
        f"{' and '.join(map(count, plan.MORE_SIZES))}.",
        f"- **Time limits**: a run is stopped after {plan.LIMIT:.0f} s ({plan.PEER_LIMIT:.0f} s for other libraries) "
        f"and counts as a time-out. After {plan.MAX_TIME_OUTS} time-outs in a cell, the rest of it and larger samples "
        f"are skipped. Other libraries have {plan.SLOW_SAMPLES} samples where a run takes more than {plan.SLOW:.0f} s.",
        "- **Graphs**: DAGs of other libraries are turned into CPDAGs. An edge with two arrowheads and the edges of a "
        "directed cycle count as undirected.",
        "- **Figures**: skeleton F1 ignores directions; arrow F1 compares the directed edges of both CPDAGs; the "
        "structural intervention distance (SID; Peters & Bühlmann 2015) has bounds over the DAGs that the CPDAG "
        f"represents, for networks of at most {MAX_SID_VARIABLES} variables.",
        "- **Seconds** are wall-clock time of one thread from the data frame to the graph, with two processes at a "
        "time. [Benchmarks](benchmarks.md) measures speed more carefully. Many searches ran on a busy machine: the "
        "default (18 November 2026), BOSS with qnml and BIC, PC-stable but for sci_f and g2_adjusted with the rule "
        "evidence, pyAgrum's MIIC and a part of its tabu search, causal-learn and pgmpy. Their times are upper bounds, "
        "several times those of an idle machine.",
        "- **Columns left out**: with 100 rows `discover` takes some columns of barley and mildew, where almost every "
        "row has another level, for identifiers, and leaves them out. They count as variables without edges.",
    ]


def _text(cell: Cell, metric: str, usual: int = plan.SAMPLES) -> str:
    if cell.state != "run":
        return cell.state if cell.state == "skipped" else ""
    mean = cell.mean(metric)
    parts = [] if mean is None else [mean.format() + (f" ({mean.count})" if mean.count != usual else "")]
    for outcome, what in (("time-out", "time-out"), ("failed", "failure")):
        if number := cell.count(outcome):
            parts.append(f"{number} {what}{'s' * (number > 1)}")
    return ", ".join(parts)


def _distances(pair: Paired) -> list[str]:
    difference = f"{pair.difference.value:+.1f} ± {pair.difference.error:.1f}"
    return [pair.ours.format(), pair.theirs.format(), difference]


def _share(value: float | None) -> str:
    return MISSING if value is None else f"{value:.3f}".lstrip("0")


def _plain(value: float | None, digits: int = 1) -> str:
    return MISSING if value is None else f"{value:.{digits}f}"
