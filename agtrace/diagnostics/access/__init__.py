"""Do the replicas reach each other's endpoints, and clients the listener and the readable secondaries?"""

from agtrace.diagnostics.access.analysis import Access

ANALYSIS = Access
__all__ = ["ANALYSIS", "Access"]
