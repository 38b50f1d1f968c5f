"""Formats of graphs: one module per format, each with `write` and `read`.

`write` converts a graph to text; `read` returns variables and edges with signs, from which the caller makes a graph.
The public methods are in `methods`.
"""
