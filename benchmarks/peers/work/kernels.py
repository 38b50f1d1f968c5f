"""The effect of the instruction set: PC-stable with each kernel, and sci_f compared with g2_adjusted."""

from __future__ import annotations

from typing import Any

from benchmarks.peers.lab import Entry, Lab
from benchmarks.peers.text import count, ratio, seconds, table

TITLE = "Kernels, and time per test"
TESTS = 20_000


def measure(lab: Lab) -> dict[str, Any]:
    from bitsep import _native

    kernels = list(_native.available_kernels())
    under, costs = [], []
    for n in lab.settings.kernel_rows:
        frame = lab.frames.of_network("alarm", n, max(lab.settings.kernel_rows))
        entries = [
            Entry(kernel, "bitsep", "graph", {"method": "g2_adjusted"}, (("BITSEP_FORCE_KERNEL", kernel),))
            for kernel in kernels
        ]
        measured = lab.turns(f"kernels, {n:,} rows", frame, entries)
        edges = {str(one.pop("outcome")["edges"]) for one in measured.values()}
        under.append({"n": n, "same_edges": len(edges) == 1, "measured": measured})
        tests = TESTS if n < 100_000 else TESTS // 10
        entries = [
            Entry(method, "bitsep", "many_tests", {"method": method, "tests": tests})
            for method in ("g2_adjusted", "sci_f")
        ]
        costs.append({"n": n, "tests": tests, "measured": lab.turns(f"{tests} tests, {n:,} rows", frame, entries)})
    return {"kernels": kernels, "under": under, "costs": costs}


def pages(found: dict[str, Any]) -> list[str]:
    kernels = found["kernels"]
    best = kernels[0]
    lines = [
        "PC-stable on Alarm with `g2_adjusted`, from the data frame, one thread, each kernel forced by "
        "`BITSEP_FORCE_KERNEL`.",
        "",
    ]
    lines += table(
        ["rows", *kernels, *(f"{kernel} / {best}" for kernel in kernels[1:]), "same edges"],
        [
            [
                count(row["n"]),
                *(seconds(row["measured"][kernel]["median"]) for kernel in kernels),
                *(ratio(row["measured"][kernel], row["measured"][best]) for kernel in kernels[1:]),
                "yes" if row["same_edges"] else "no",
            ]
            for row in found["under"]
        ],
    )
    lines += [
        "",
        "The same random tests (0 to 3 conditioning variables of Alarm, new table, one native call) with two methods:",
        "",
    ]
    lines += table(
        ["rows", "tests", "g2_adjusted, per test", "sci_f, per test", "sci_f / g2_adjusted"],
        [
            [
                count(row["n"]),
                count(row["tests"]),
                *(seconds(row["measured"][m]["median"] / row["tests"]) for m in ("g2_adjusted", "sci_f")),
                ratio(row["measured"]["sci_f"], row["measured"]["g2_adjusted"]),
            ]
            for row in found["costs"]
        ],
    )
    return lines
