"""The waits of commits, block by block and hop by hop."""

from agtrace.diagnostics.commit_latency.analysis import CommitLatency

ANALYSIS = CommitLatency

__all__ = ["ANALYSIS", "CommitLatency"]
