"""Readers: they convert data of many kinds to columns of codes."""
