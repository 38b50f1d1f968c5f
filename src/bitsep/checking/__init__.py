"""Does a graph fit data: the independences that it implies, tested."""

from bitsep.checking.api import check
from bitsep.checking.result import EdgeCheck, GraphCheck, ImpliedIndependence

__all__ = ["EdgeCheck", "GraphCheck", "ImpliedIndependence", "check"]
