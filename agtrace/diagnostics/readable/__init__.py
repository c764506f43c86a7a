"""Growth of a readable secondary's version store, its holders, and the time until tempdb is full."""

from agtrace.diagnostics.readable.analysis import Readable

ANALYSIS = Readable

__all__ = ["ANALYSIS", "Readable"]
