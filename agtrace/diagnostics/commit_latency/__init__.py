"""What does a commit wait for, block by block and hop by hop?"""

from agtrace.diagnostics.commit_latency.analysis import CommitLatency

ANALYSIS = CommitLatency

__all__ = ["ANALYSIS", "CommitLatency"]
