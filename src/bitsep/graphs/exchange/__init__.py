"""Graphs in the formats of others: one module per format, each with `write` and `read`.

`write` takes a graph; `read` returns (variables, directed, undirected), from which the caller builds the graph it
wants. The methods people call are in `methods`.
"""
