"""Results for readers: a report for the browser, and plots with matplotlib."""

from bitsep.report.heat_map import plot_pairwise
from bitsep.report.plots import plot_discovery, plot_result
from bitsep.report.render import save_report
from bitsep.report.thresholds import plot_thresholds

__all__ = ["plot_discovery", "plot_pairwise", "plot_result", "plot_thresholds", "save_report"]
