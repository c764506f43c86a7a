"""Which databases cannot be written, are being reverted or did not recover, and why?"""

from agtrace.diagnostics.database.analysis import Databases

ANALYSIS = Databases

__all__ = ["ANALYSIS", "Databases"]
