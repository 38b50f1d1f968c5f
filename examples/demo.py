"""A five-minute look at bitsep: draw rows from a known network, find its graph again, and ask why.

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
chapter(f"1. {ROWS:,} rows from a network whose graph is known")
say("Alarm, a model of patients under anaesthesia: the bread and butter of comparisons (Beinlich et al. 1989).")
data = network.sample(ROWS, seed=SEED)
console.print(f"{network.name}: {len(network.variables)} variables, {len(network.edges)} true edges")

chapter("2. A few questions, answered in bits")
say("What does CVP (central venous pressure) know about HISTORY (of heart failure)? Much, until LVEDVOLUME is known.")
for given in ([], ["LVEDVOLUME"]):
    r = bitsep.independence_test(data, "CVP", "HISTORY", given=given)
    verdict = Text(f"{r.verdict:<12}", style="bold green" if r.independent else "bold magenta")
    shared = f"{r.n * r.cmi_bits:7.1f} bits shared, {r.threshold_bits:5.1f} demanded"
    console.print(Text(f"{r.question:<28}") + verdict + Text(shared))

chapter("3. The graph, with the evidence for every edge")
start = time.perf_counter()
found = bitsep.pc_stable(data)
seconds = time.perf_counter() - start
print_discovery(found, "alarm")

chapter("4. How close to the truth?")
score = found.compare(network)
console.print(
    f"precision {score.precision:.3f}   recall {score.recall:.3f}   F1 {score.f1:.3f}   (edges, in any direction)"
)
console.print(f"{found.tests_run:,} tests in {seconds:.2f} seconds")

chapter("5. Why is an edge missing?")
nearest = min(score.missing, key=lambda pair: found.separations[pair].margin_bits)
a, b = sorted(map(str, nearest))
say(f"The true graph joins {a} and {b}; the one found does not. d.explain({a!r}, {b!r}) says:")
console.print(found.explain(a, b))

chapter("6. What tells all about one variable?")
say('The Markov blanket of HR (heart rate), by PCMB: bitsep.markov_blanket(data, "HR")')
blanket = bitsep.markov_blanket(data, "HR")
console.print(str(blanket))
truth = network.markov_blanket("HR")
console.print(f"  {len(truth & set(blanket.members))} of the {len(truth)} true members, "
              f"{len(set(blanket.members) - truth)} too many")  # fmt: skip

PAGE.parent.mkdir(exist_ok=True)
save_report(found, PAGE, data=data, title=f"Alarm, {ROWS:,} rows")

chapter("Next")
console.print("The same as a page you can click through, with every edge's evidence:")
console.print(Text(f"  {PAGE.resolve().as_uri()}", style="bold"))
console.print("Your own table (CSV or Parquet, one column per variable):")
console.print(Text("  .venv/bin/bitsep discover your-data.csv --report graph.html", style="bold"))
console.print("In Python:")
console.print(Text('  d = bitsep.pc_stable("your-data.csv"); print(d); print(d.explain("A", "B"))', style="bold"))
console.print("Guides: docs/index.md (five minutes), docs/why-missing.md, docs/choosing.md")
