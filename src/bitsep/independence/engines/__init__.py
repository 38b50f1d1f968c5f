"""Engines: what answers batches of questions about conditional independence."""
