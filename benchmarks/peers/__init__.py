"""Compares bitsep with other libraries on the same data in one run, in turns: ``python -m benchmarks.peers``."""
