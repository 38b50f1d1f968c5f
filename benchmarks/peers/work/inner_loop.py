"""The innermost loop compared with the speed of the machine, measured by native/bench/micro.cpp."""

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
Measured by `native/bench/micro.cpp`. *Machine*: a simple loop that loads two arrays, ANDs them, counts the bits and
adds them up, with the same instructions, over {kib} KiB in the second-level cache (*portable*: the compiler's
popcount without the instruction). *bitsep*: its `count_pairs` and `count_stratum` on bitmaps of the same size in
bytes. The unit is one 64-bit word ANDed, counted and added, the best of 60 rounds. bitsep loads a bitmap once for
several cells, so it can be faster than the simple loop."""

WHOLE = """\
A whole test (three levels for each variable, `g2_adjusted`, best kernel, empty cache). *Ideal* is the time for the
words of the cells, margins and totals of all strata at the machine's best rate, the one in L1. *Fixed* is the time
of the same test on 512 rows: the statistic, its logarithms, and the cost per stratum that does not depend on the
rows. The difference is due to the masks of the strata (one more AND per stratum and variable of Z), short runs of
words per stratum, and bitmaps that are not in L1."""


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
        f"Two threads process {found['two_threads']:.2f} times the words of one (the simple loop with the best kernel, "
        "in L1, the median of 60 rounds): the gain that the second core of this machine can give to any program.",
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
        f"`std::sort` of a million 64-bit keys takes {seconds(found['std_sort_seconds'])} on this machine.",
    ]
