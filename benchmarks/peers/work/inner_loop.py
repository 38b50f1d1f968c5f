"""The innermost loop against the machine: what native/bench/micro.cpp measures."""

from __future__ import annotations

import json
import subprocess
from typing import Any

from benchmarks.native_programs import output_of
from benchmarks.peers.lab import Lab
from benchmarks.peers.text import count, seconds, table, times

TITLE = "The innermost loop"


def measure(lab: Lab) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(output_of("micro"))
    except (OSError, subprocess.CalledProcessError) as error:
        lab.say("inner loop: not measured, the program could not be built or run")
        return {"failed": str(getattr(error, "stderr", None) or error)[-500:]}
    lab.say(f"inner loop, {found['kernels'][0]['name']}: {found['kernels'][0]['stratum_3x3'] / 1e9:.2f} G words/s")
    return found


LOOP = """\
`native/bench/micro.cpp`. *Machine*: one plain loop that loads two streams, ANDs them, counts the bits and adds them up,
with the same instructions, over {kib} KiB that lie in the second-level cache (*portable*: the compiler's own popcount,
without the instruction). *bitsep*: its `count_pairs` and `count_stratum` on bitmaps that fill the same bytes. The unit
is one 64-bit word ANDed, counted and added, the best of 60 rounds; a tile of cells loads a bitmap once for several of
these, which is how it can pass the stream."""

WHOLE = """\
A whole test (three levels everywhere, `g2_adjusted`, best kernel, nothing remembered). *Ideal* is the words that the
cells, margins and totals of all strata need at the machine's best rate, that in L1. *Fixed* is the same test on 512
rows: the statistic, its logarithms, and what a stratum costs whatever its rows. The rest goes into the masks of the
strata (one more AND per stratum and variable of Z), short runs of words per stratum, and bitmaps that come from further
away than L1."""


def pages(found: dict[str, Any]) -> list[str]:
    if "failed" in found:
        return [
            "Not measured in this run: the program could not be built (it needs CMake, Ninja and a C++20 compiler)."
        ]
    return [
        LOOP.format(kib=count(found["stream_bytes"] / 1024)),
        "",
        *table(
            [
                "kernel",
                "machine, in L2",
                "machine, in L1",
                "count_pairs 2×2",
                "count_stratum 2×2",
                "count_stratum 3×3",
                "the last / machine in L2",
            ],
            [
                [
                    one["name"],
                    *(
                        f"{one[key] / 1e9:.2f} G/s"
                        for key in ("stream_l2", "stream_l1", "pairs_2x2", "stratum_2x2", "stratum_3x3")
                    ),
                    times(one["stratum_3x3"] / one["stream_l2"]),
                ]
                for one in found["kernels"]
            ],
        ),
        "",
        f"Two threads at once get through {found['two_threads']:.2f} times the words of one (the plain loop of the "
        "best kernel, in L1, the median of 60 rounds): what the second core here is worth to any program.",
        "",
        WHOLE,
        "",
        *table(
            ["rows", "\\|Z\\|", "whole test", "ideal", "fixed", "whole / ideal", "(whole − fixed) / ideal"],
            [
                [
                    count(one["rows"]),
                    str(one["given"]),
                    seconds(one["seconds"]),
                    seconds(one["ideal_seconds"]),
                    seconds(one["fixed_seconds"]),
                    times(one["seconds"] / one["ideal_seconds"]),
                    times(max(one["seconds"] - one["fixed_seconds"], 0) / one["ideal_seconds"]),
                ]
                for one in found["tests"]
            ],
        ),
        "",
        f"`std::sort` of a million 64-bit keys takes {seconds(found['std_sort_seconds'])} here.",
    ]
