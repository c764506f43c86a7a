"""Transport of log to every replica, and the limiting hop."""

from agtrace.diagnostics.transport.analysis import Transport

ANALYSIS = Transport

__all__ = ["ANALYSIS", "Transport"]
