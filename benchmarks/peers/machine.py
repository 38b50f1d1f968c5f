"""Describes the machine and the versions of a run."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

PACKAGES = ("pyAgrum", "causal-learn", "pgmpy", "pyCausalFS", "numpy", "scipy", "pandas")


def describe() -> dict[str, Any]:
    """The processor, the system, the versions, the date."""
    import bitsep
    from bitsep import _native

    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "kernel": _native.active_kernel(),
        "kernels": list(_native.available_kernels()),
        "load_before": round(os.getloadavg()[0], 2),
        "versions": {"bitsep": bitsep.__version__, **{name: _version(name) for name in PACKAGES}},
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    name = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "")
    return name or platform.processor()


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "?"
