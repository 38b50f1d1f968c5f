"""Bayesian networks: BIF files, sampling, and the bundled networks."""

from bitsep.networks.bif_reader import read_bif
from bitsep.networks.bundled import load_network, network_names
from bitsep.networks.network import Network
from bitsep.networks.randomness import random_network

__all__ = ["Network", "load_network", "network_names", "random_network", "read_bif"]
