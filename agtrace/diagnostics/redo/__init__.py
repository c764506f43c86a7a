"""What does the redo of a secondary wait for?"""

from agtrace.diagnostics.redo.analysis import Redo

ANALYSIS = Redo

__all__ = ["ANALYSIS", "Redo"]
