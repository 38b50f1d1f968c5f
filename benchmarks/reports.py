"""How long the HTML report of a graph takes, and how large it is: python -m benchmarks.reports

Processor time of one process, the median of three; the limits are 2 s for 200 variables, 5 s and 10 MB for 1,000, and
5 s for a dense graph of 150. *Open* is the time until Chromium has loaded the page and run its scripts; the limit is
3 s.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
from playwright.sync_api import sync_playwright

import bitsep
from bitsep.graphs import random_dag
from bitsep.networks import random_network

REPETITIONS = 3


def sparse(variables: int) -> pd.DataFrame:
    """5,000 rows of a random network of mean degree 2."""
    return random_network(random_dag(variables, mean_degree=2, seed=3), levels=3, seed=3).sample(5000, seed=3)


def dense(variables: int) -> pd.DataFrame:
    """Columns that all depend on each other."""
    rng = np.random.default_rng(1)
    common = rng.integers(0, 2, 5000)
    flips = rng.random((5000, variables)) < 0.2
    return pd.DataFrame({f"v{i:03}": np.where(flips[:, i], 1 - common, common).astype(str) for i in range(variables)})


def seconds_to_open(page: Path) -> float:
    """How long Chromium takes until the page answers."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        opened = browser.new_page()
        opened.goto(page.as_uri())
        loaded = opened.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
        browser.close()
    return float(loaded) / 1000


def main() -> None:
    """Print the table."""
    print("| graph | edges | seconds | MB | open |\n| --- | --: | --: | --: | --: |")
    cases = {
        "asia": (bitsep.load_network("asia").sample(5000, seed=1), {}),
        "alarm": (bitsep.load_network("alarm").sample(5000, seed=1), {}),
        "200 variables": (sparse(200), {}),
        "1,000 variables": (sparse(1000), {}),
        "150 variables, dense": (dense(150), {"max_given": 0}),
    }
    with tempfile.TemporaryDirectory() as folder:
        for title, (frame, options) in cases.items():
            seconds = []
            for _ in range(REPETITIONS):
                found = bitsep.pc_stable(frame, **options)
                begin = time.process_time()
                page = found.save_report(Path(folder) / "page.html")
                seconds.append(time.process_time() - begin)
            size = page.stat().st_size / 1e6
            figures = f"{sorted(seconds)[1]:.2f} | {size:.2f} | {seconds_to_open(page):.2f}"
            print(f"| {title} | {len(found.skeleton):,} | {figures} |", flush=True)


if __name__ == "__main__":
    main()
