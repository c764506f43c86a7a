"""Does the version store of a readable secondary grow, who holds it, and when is tempdb full?"""

from agtrace.diagnostics.readable.analysis import Readable

ANALYSIS = Readable

__all__ = ["ANALYSIS", "Readable"]
