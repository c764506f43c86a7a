"""The waits of redo on secondaries."""

from agtrace.diagnostics.redo.analysis import Redo

ANALYSIS = Redo

__all__ = ["ANALYSIS", "Redo"]
