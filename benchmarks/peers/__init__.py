"""bitsep beside its peers: the same data, one run, taking turns. Start with ``python -m benchmarks.peers``."""
