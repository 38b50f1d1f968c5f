"""The native core. It is a package, so that import-linter finds the modules that import it."""

from bitsep._native._core import *  # noqa: F403
