"""Engines: they answer batches of questions about conditional independence."""
