"""The native core. A package, so that import-linter sees who imports it."""

from bitsep._native._core import *  # noqa: F403
