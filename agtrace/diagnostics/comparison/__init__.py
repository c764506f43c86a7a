"""Comparison of methods to copy a database to a secondary: speed-up and cost."""

from agtrace.diagnostics.comparison.analysis import Comparison

ANALYSIS = Comparison

__all__ = ["ANALYSIS", "Comparison"]
