"""Does a graph fit data: the independences that it implies, tested."""

from bitsep.checking.api import check
from bitsep.checking.result import GraphCheck
from bitsep.checking.statements import EdgeCheck, ImpliedIndependence

__all__ = ["EdgeCheck", "GraphCheck", "ImpliedIndependence", "check"]
