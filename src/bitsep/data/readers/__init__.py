"""Readers: from the tables people have to columns of codes."""
