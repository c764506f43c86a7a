"""From which load on is one configuration faster than another, and what does it cost each replica?"""

from agtrace.diagnostics.workload.analysis import Workload

ANALYSIS = Workload

__all__ = ["ANALYSIS", "Workload"]
