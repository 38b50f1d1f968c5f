"""How good a search is for the data at hand: the accuracy to expect, and a comparison of settings."""

from bitsep.assessment.expected import ExpectedAccuracy, expected_accuracy
from bitsep.assessment.settings import SettingsComparison, compare_settings

__all__ = ["ExpectedAccuracy", "SettingsComparison", "compare_settings", "expected_accuracy"]
