"""Does the log reach every replica, and if not, which hop holds it back?"""

from agtrace.diagnostics.transport.analysis import Transport

ANALYSIS = Transport

__all__ = ["ANALYSIS", "Transport"]
