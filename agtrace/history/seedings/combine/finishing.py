"""The end of a copy that no report shows: its last one was some seconds short of it.

Sessions often record hadr_physical_seeding_progress alone, and sys.dm_hadr_physical_seeding_stats
shows only what runs: the copy is gone at the next look.
"""

from __future__ import annotations

from datetime import timedelta

from agtrace.history.seedings.combine.joining import Joined
from agtrace.history.seedings.parts import COMPLETED, Copy, Request, usual_interval

REPORTS = 2
AT_LEAST = timedelta(seconds=10)
"""The rest must be copied within so many intervals of its reports, or this time."""


def finish(joined: Joined) -> None:
    """Give the last copy of a completed request its end, where its reports come close to it."""
    if joined.request is None or not joined.copies:
        return
    if not any(end.ended == COMPLETED for end in joined.request.ends):
        return
    for copy in joined.copies[-1].ends:
        if copy.end is None and copy.is_done is None:
            request = next((r for r in joined.request.ends if r.role == copy.role), None)
            _finish(copy, request)


def _finish(copy: Copy, request: Request | None) -> None:
    reports = copy.progress
    if not reports.num_rows or not copy.database_bytes or copy.transferred_bytes is None:
        return
    last = reports["time"][-1].as_py()
    near = max(AT_LEAST, REPORTS * (usual_interval(copy) or timedelta(0)))
    missing = max(copy.database_bytes - copy.transferred_bytes, 0)
    rate = reports["bytes_per_s"][-1].as_py()
    spans = request.seeding if request else []
    if spans and spans[-1][1] is not None and timedelta(0) <= spans[-1][1] - last <= near:
        end = spans[-1][1]
    elif rate and rate > 0 and missing / rate <= near.total_seconds():
        end = last + timedelta(seconds=missing / rate)
    else:
        return
    copy.end, copy.is_done, copy.short_bytes = end, True, missing
