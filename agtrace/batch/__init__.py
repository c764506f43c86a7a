"""Many cases: dropped into an inbox (`watch`), or named (`batch`); their reports, and one store of
results.
"""

from agtrace.batch.asking import open_results
from agtrace.batch.options import Options
from agtrace.batch.places import CaseRecord, Reports
from agtrace.batch.run import Summary, batch, watch

__all__ = ["CaseRecord", "Options", "Reports", "Summary", "batch", "open_results", "watch"]
