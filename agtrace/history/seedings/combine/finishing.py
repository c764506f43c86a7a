"""What was joined, completed: a copy that counters alone show, the end of one that no report shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from agtrace.history.seedings.clocks import Skews
from agtrace.history.seedings.collect.measured import TOTAL, Span
from agtrace.history.seedings.operation import ERRORLOG, PERFMON, SOURCE, TARGET
from agtrace.history.seedings.parts import COMPLETED, Copy, Joined, Pair, Request, contains, usual_interval

REPORTS = 2
AT_LEAST = timedelta(seconds=10)
"""The rest must be copied within so many intervals of its reports, or this time."""


def complete(joined: Sequence[Joined], spans: Sequence[Span], skews: Skews) -> list[Joined]:
    """Give every seeding its copy and the copy's end, as far as they can be told.

    What ran through virtual devices and is no seeding is left out.
    """
    taken = [end for each in joined for pair in each.copies for end in pair.ends]
    whole = [_finished(_with_counted_copy(each, spans, taken, skews)) for each in joined]
    return [each for each in whole if _is_seeding(each)]


def _is_seeding(joined: Joined) -> bool:
    """Tell a seeding from a backup or restore of another tool: one ERRORLOG alone tells neither."""
    if joined.request is not None:
        return True
    ends = [end for pair in joined.copies for end in pair.ends]
    return len(ends) > 1 or any(end.told_by - {ERRORLOG, PERFMON} for end in ends)


def _with_counted_copy(joined: Joined, spans: Sequence[Span], taken: Sequence[Copy], skews: Skews) -> Joined:
    """Give a request whose copy nothing else shows the one activity that its counters show.

    A request that needed a copy moved the counters of its host: where they show one activity within
    it, of its database or of one database only, that is its copy.
    """
    if joined.request is None or joined.copies or not _has_copied(joined.request):
        return joined
    ends = {}
    for request in joined.request.ends:
        free = [s.as_copy(request.role) for s in spans if _is_free(s, request, taken)]
        inside = [copy for copy in free if contains(request, copy, skews)]
        if len(inside) == 1:
            ends[request.role] = inside[0]
    if len({(end.database or "").lower() for end in ends.values()}) != 1:
        return joined
    return replace(joined, copies=(Pair(ends.get(SOURCE), ends.get(TARGET)),))


def _has_copied(request: Pair[Request]) -> bool:
    ends = request.ends
    is_over = any(end.ended == COMPLETED for end in ends)
    return is_over and not any(end.performed is False for end in ends)


def _is_free(span: Span, request: Request, taken: Sequence[Copy]) -> bool:
    if span.host != request.host or span.database == TOTAL:
        return False
    if request.database and request.database.lower() != span.database.lower():
        return False
    return not any(
        copy.host == span.host
        and copy.first is not None
        and copy.last is not None
        and copy.first < span.end
        and copy.last > span.start
        for copy in taken
    )


def _finished(joined: Joined) -> Joined:
    """Give the last copy of a completed request its end, where its reports come close to it.

    Sessions often record hadr_physical_seeding_progress alone, and sys.dm_hadr_physical_seeding_stats
    shows only what runs: the copy is gone at the next look, some seconds short of its end.
    """
    if joined.request is None or not joined.copies:
        return joined
    if not any(end.ended == COMPLETED for end in joined.request.ends):
        return joined
    request, last = joined.request, joined.copies[-1]
    ended = replace(
        last, source=_ended(last.source, request.source), target=_ended(last.target, request.target)
    )
    return replace(joined, copies=(*joined.copies[:-1], ended))


def _ended(copy: Copy | None, request: Request | None) -> Copy | None:
    if copy is None or copy.end is not None or copy.is_done is not None:
        return copy
    reports = copy.progress
    if not reports.num_rows or not copy.database_bytes or copy.transferred_bytes is None:
        return copy
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
        return copy
    return replace(copy, end=end, is_done=True, short_bytes=missing)
