"""Which way of bringing a database to a secondary is faster, by how much, and at what cost?"""

from agtrace.diagnostics.comparison.analysis import Comparison

ANALYSIS = Comparison

__all__ = ["ANALYSIS", "Comparison"]
