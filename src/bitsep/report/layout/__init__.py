"""Positions of the variables of a graph in a drawing, and the lines of its edges."""

from bitsep.report.layout.api import lay_out
from bitsep.report.layout.shapes import HEIGHT, Box, Layout, Point

__all__ = ["HEIGHT", "Box", "Layout", "Point", "lay_out"]
