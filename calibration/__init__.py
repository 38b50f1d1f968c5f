"""How well tests keep their significance level, and their power, on a grid of small and large tables.

`python -m calibration` (docs/calibration.md). Uses the public API only; not part of the installed package.
"""
