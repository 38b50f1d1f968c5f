"""Figures of libraries outside Python, measured earlier on one core of a 2-core machine, not in the run.

Best seconds of several runs of PC-stable on samples from Alarm, measured in November 2026, by number of rows.
"""

from __future__ import annotations

QUOTED: dict[str, dict[int, float]] = {
    "FastPGM (C++, G² adjusted)": {1_000: 0.019, 10_000: 0.13, 100_000: 1.7, 1_000_000: 29},
    "bnlearn 5.2.1 (R with C, MI)": {1_000: 0.10, 10_000: 0.28, 100_000: 2.7, 1_000_000: 41},
    "pcalg 2.7-12 (R, G²)": {1_000: 2.9, 10_000: 49},
    "pcalg with SCCI 1.2 (R, SCI, α = .01)": {1_000: 1.9, 10_000: 13, 100_000: 177},
}
PYAGRUM_MILLION = 276.0
"""Seconds of pyAgrum 3.3.1 on that machine for a million rows, which exceeds the time limit of a run."""
