"""How far is a distributed availability group or managed instance link behind, hop by hop?"""

from agtrace.diagnostics.distributed.analysis import Distributed

ANALYSIS = Distributed

__all__ = ["ANALYSIS", "Distributed"]
