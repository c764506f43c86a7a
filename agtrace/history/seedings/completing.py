"""Completion of joined seedings: copies shown only by counters, missing ends, and the outcome."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from agtrace.history.reference_clock import ReferenceClock
from agtrace.history.seedings.copies import TOTAL
from agtrace.history.seedings.names import Hosts
from agtrace.history.seedings.operation import ERRORLOG, PERFMON, SOURCE, TARGET
from agtrace.history.seedings.parts import COMPLETED, FAILED, SEEDING, Joined, Pair, Part, contains, earliest
from agtrace.thresholds import Thresholds

REPORTS = 2
AT_LEAST = timedelta(seconds=10)
"""The rest must be copied within this many report intervals, or within this time."""
CATCHUP, CHECK = "CATCHUP", "CHECK_IF_SEEDING_NEEDED"


def complete(joined: Sequence[Joined], spans: Sequence[Part], clock: ReferenceClock) -> list[Joined]:
    """Return every seeding with its copy and the copy's end, as far as captures show them.

    Other backups and restores through virtual devices are left out.
    """
    taken = [end for each in joined for pair in each.copies for end in pair.ends]
    whole = [_finished(_with_counted_copy(each, spans, taken, clock)) for each in joined]
    return [each for each in whole if _is_seeding(each)]


def _is_seeding(joined: Joined) -> bool:
    """Return whether it is a seeding, not another backup or restore; one ERRORLOG alone is not enough."""
    ends = [end for pair in joined.copies for end in pair.ends]
    is_traced = any(end.told_by - {ERRORLOG, PERFMON} for end in ends)
    return joined.request is not None or len(ends) > 1 or is_traced


def _with_counted_copy(
    joined: Joined, spans: Sequence[Part], taken: Sequence[Part], clock: ReferenceClock
) -> Joined:
    """Return a request whose copy nothing else shows with the one activity that its counters show.

    A request that needed a copy moved the counters of its host: where they show one activity within
    it, of its database or of one database only, that is its copy.
    """
    requests = joined.requests
    has_copied = any(end.ended == COMPLETED for end in requests)
    if joined.copies or not has_copied or any(end.performed is False for end in requests):
        return joined
    ends: dict[str, Part] = {}
    for request in requests:
        free = [s._replace(role=request.role) for s in spans if _is_free(s, request, taken)]
        inside = [copy for copy in free if contains(request, copy, clock)]
        if len(inside) == 1:
            ends[request.role] = inside[0]
    if len({(end.database or "").lower() for end in ends.values()}) != 1:
        return joined
    return joined._replace(copies=(Pair(ends.get(SOURCE), ends.get(TARGET)),))


def _is_free(span: Part, request: Part, taken: Sequence[Part]) -> bool:
    if span.host != request.host or span.database == TOTAL or span.start is None or span.end is None:
        return False
    if request.database and request.database.lower() != (span.database or "").lower():
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
    """Return the last copy of a completed request with its end, where its reports come close to it.

    Sessions often record hadr_physical_seeding_progress alone, and sys.dm_hadr_physical_seeding_stats
    shows only what runs: the copy is gone at the next snapshot, some seconds short of its end.
    """
    request = joined.request
    if request is None or not joined.copies or not any(end.ended == COMPLETED for end in request.ends):
        return joined
    *before, last = joined.copies
    ended = Pair(_ended(last.source, request.source), _ended(last.target, request.target), last.rivals)
    return joined._replace(copies=(*before, ended))


def _ended(copy: Part | None, request: Part | None) -> Part | None:
    if copy is None or copy.end is not None or copy.ended is not None or copy.last_report is None:
        return copy
    if not copy.database_bytes or copy.transferred_bytes is None:
        return copy
    last, rate = copy.last_report, copy.last_rate
    near = max(AT_LEAST, REPORTS * (copy.usual_interval or timedelta(0)))
    missing = max(copy.database_bytes - copy.transferred_bytes, 0)
    spans = request.seeding if request else []
    if spans and spans[-1][1] is not None and timedelta(0) <= spans[-1][1] - last <= near:
        end = spans[-1][1]
    elif rate and rate > 0 and missing / rate <= near.total_seconds():
        end = last + timedelta(seconds=missing / rate)
    else:
        return copy
    return copy._replace(end=end, ended=COMPLETED, short_bytes=missing)


def outcome(joined: Joined, hosts: Hosts, limits: Thresholds) -> tuple[str, datetime | None]:
    """Return how a seeding ended, as relation `seedings` names it, and the time of a cut."""
    ends, last = joined.requests, joined.last_copies
    if any(end.ended == COMPLETED for end in ends):
        return ("already_present" if _was_present(joined) else "completed"), None
    cut = _restart(joined, hosts, limits)
    if cut is not None and (ends or not last or any(end.ended != COMPLETED for end in last)):
        return "cut_off", cut
    if any(end.ended == FAILED for end in (*ends, *last)):
        return "failed", None
    if not ends and any(end.ended == COMPLETED for end in last):
        return "completed", None
    if joined.request is None and not last:
        return "failed", None
    lost = _lost(joined, limits)
    return ("running" if lost is None else "cut_off"), lost


def _was_present(joined: Joined) -> bool:
    """Return whether the database was there already: no copy was needed."""
    if joined.copies:
        return False
    if said := {end.performed for end in joined.requests if end.performed is not None}:
        return said == {False}
    names = {state.name for end in joined.requests for state in end.states}
    return {CHECK, CATCHUP} <= names and SEEDING not in names


def _restart(joined: Joined, hosts: Hosts, limits: Thresholds) -> datetime | None:
    """Return the first start of either server during the seeding, or after its last sign of life."""
    found, parts = [], [*joined.requests, *joined.last_copies]
    over = _over(joined, limits)
    for host in {part.host for part in parts if part.host}:
        own = [part for part in parts if part.host == host]
        begun = earliest(*(part.first for part in own))
        # The request of a host has precedence over its copy.
        decides = [part for part in own if part.layer == own[0].layer]
        if begun is None or any(part.ended is not None for part in decides):
            continue
        until = earliest(over, *(_silent(part, limits) for part in own))
        found += [time for time in hosts.starts[host] if time > begun and (until is None or time <= until)]
    return min(found, default=None)


def _silent(part: Part, limits: Thresholds) -> datetime | None:
    """Return the time from which on a copy under way would have reported again, if it still ran."""
    if part.ended is not None or part.last is None or part.usual_interval is None:
        return None
    least = timedelta(minutes=limits.seeding_silent_minutes)
    return part.last + max(least, limits.seeding_silent_reports * part.usual_interval)


def _over(joined: Joined, limits: Thresholds) -> datetime | None:
    """Return the end that any part states; an end that another host's failure states comes later."""
    parts = [*joined.requests, *(end for copy in joined.copies for end in copy.ends)]
    ends = [part.end for part in parts if part.ended is not None and part.end is not None]
    return max(ends) + timedelta(minutes=limits.seeding_silent_minutes) if ends else None


def _lost(joined: Joined, limits: Thresholds) -> datetime | None:
    """Return the last report of a copy without further reports while its host has other events."""
    for copy in joined.last_copies:
        usual = copy.usual_interval
        if copy.last is None or copy.others_until is None or usual is None:
            continue
        own = [end.last for end in joined.requests if end.host == copy.host and end.last]
        least = max(timedelta(seconds=limits.seeding_silent_s), limits.seeding_silent_reports * usual)
        if copy.others_until - copy.last > least and all(time <= copy.last for time in own):
            return copy.last
    return None


def attempts(joined: Joined) -> int | None:
    """Return the number of attempts, if captured."""
    requests, copies = joined.requests, [end for copy in joined.copies for end in copy.ends]
    shown = [end.attempts for end in (*requests, *copies) if end.attempts is not None]
    failed = [sum(failure.state is not None for failure in end.failures) for end in requests]
    if len(joined.copies) > 1:
        shown.append(len(joined.copies))
    if any(end.ended == COMPLETED for end in requests) and max(failed, default=0):
        shown.append(max(failed) + 1)
    return max(shown, default=None)
