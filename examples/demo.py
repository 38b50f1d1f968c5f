"""An example: sample rows from a known network, learn its graph, and explain the result.

Run it with ``make demo``, or with ``python examples/demo.py``.
"""

from __future__ import annotations

import time
from pathlib import Path

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

import bitsep
from bitsep.report import save_report
from bitsep.shell.summary import print_discovery

ROWS, SEED = 5000, 1
PAGE = Path("demo-output") / "alarm.html"

console = Console(highlight=False, markup=False)


def chapter(title: str) -> None:
    console.print()
    console.print(Rule(Text(title, style="bold cyan"), align="left", style="dim"))


def say(text: str) -> None:
    console.print(Text(text, style="dim"))


network = bitsep.load_network("alarm")
chapter(f"1. Sample {ROWS:,} rows from a network whose graph is known")
say("Alarm is a model for monitoring patients, which is often used for comparisons (Beinlich et al. 1989).")
data = network.sample(ROWS, seed=SEED)
console.print(f"{network.name}: {len(network.variables)} variables, {len(network.edges)} true edges")

chapter("2. Test single independences")
say("CVP (central venous pressure) and HISTORY (of heart failure) are dependent, but independent given LVEDVOLUME.")
for given in ([], ["LVEDVOLUME"]):
    r = bitsep.independence_test(data, "CVP", "HISTORY", given=given)
    verdict = Text(f"{r.verdict:<12}", style="bold green" if r.independent else "bold magenta")
    shared = f"{r.n * r.cmi_bits:7.1f} bits shared, threshold {r.threshold_bits:5.1f}"
    console.print(Text(f"{r.question:<28}") + verdict + Text(shared))

chapter("3. Learn the graph, with evidence for every edge")
start = time.perf_counter()
found = bitsep.discover(data)
seconds = time.perf_counter() - start
print_discovery(found, "alarm")

chapter("4. Compare with the true graph")
score = found.compare(network)
console.print(
    f"precision {score.precision:.3f}   recall {score.recall:.3f}   F1 {score.f1:.3f}   (edges, in any direction)"
)
console.print(f"SHD {score.shd} (edges missing, too many, or with another mark); found in {seconds:.2f} seconds")

chapter("5. Why is an edge missing?")
nearest = min(score.missing, key=lambda pair: found.separations[pair].margin_bits)
a, b = sorted(map(str, nearest))
say(f"The true graph has an edge between {a} and {b}; the learned graph does not. d.explain({a!r}, {b!r}) says:")
console.print(found.explain(a, b))

chapter("6. Find the Markov blanket of one variable")
say('Given its Markov blanket, HR (heart rate) is independent of all others: bitsep.markov_blanket(data, "HR")')
blanket = bitsep.markov_blanket(data, "HR")
console.print(str(blanket))
truth = network.markov_blanket("HR")
console.print(f"  {len(truth & set(blanket.members))} of the {len(truth)} true members, "
              f"{len(set(blanket.members) - truth)} too many")  # fmt: skip

PAGE.parent.mkdir(exist_ok=True)
save_report(found, PAGE, data=data, title=f"Alarm, {ROWS:,} rows")

chapter("Next steps")
console.print("Open the report, an interactive page with the evidence for every edge:")
console.print(Text(f"  {PAGE.resolve().as_uri()}", style="bold"))
console.print("Use your own table (CSV or Parquet, one column per variable):")
console.print(Text("  .venv/bin/bitsep discover your-data.csv --report graph.html", style="bold"))
console.print("Use Python:")
console.print(Text('  d = bitsep.discover("your-data.csv"); print(d); print(d.explain("A", "B"))', style="bold"))
console.print("Read the guides: docs/index.md, docs/searching.md, docs/why-missing.md")
