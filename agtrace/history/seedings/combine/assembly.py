"""From what was joined and completed to operations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import zip_longest

from agtrace.history.seedings.clocks import Skews
from agtrace.history.seedings.collect.names import Names
from agtrace.history.seedings.collect.servers import ENDS, Servers
from agtrace.history.seedings.combine.outcomes import attempts, outcome
from agtrace.history.seedings.operation import (
    DMV,
    ERRORLOG,
    FINAL,
    PERFMON,
    SOURCE,
    TARGET,
    XEL,
    Failure,
    Operation,
    Side,
    State,
)
from agtrace.history.seedings.parts import (
    NO_TIME,
    Copy,
    Joined,
    Pair,
    Request,
    database_of,
    earliest,
    in_order,
    latest,
)
from agtrace.thresholds import Thresholds

AT_ONCE = timedelta(seconds=60)
NEWEST = 8
"""A failure is compared with so many before it of its kind."""


@dataclass(frozen=True)
class _Ends:
    """One role of an operation: its request and its copies."""

    role: str
    request: Request | None
    copies: tuple[Copy, ...]

    @property
    def host(self) -> str | None:
        told = [self.request.host] if self.request else []
        return next((h for h in [*told, *(c.host for c in self.copies)] if h is not None), None)


def assemble(
    joined: Sequence[Joined], names: Names, skews: Skews, servers: Servers, limits: Thresholds
) -> list[Operation]:
    """Make operations, in order of time and numbered from 1."""
    made = [_operation(each, names, skews, servers, limits) for each in joined]
    made.sort(key=lambda pair: (pair[0] is None, pair[0] or NO_TIME, pair[1].database or ""))
    return [
        _with_named_end(_with_lengths(replace(op, number=number), servers), names, servers)
        for number, (_time, op) in enumerate(made, 1)
    ]


def _with_named_end(operation: Operation, names: Names, servers: Servers) -> Operation:
    """Give an operation that one end tells of the other one, where that host's perfmon was captured.

    The end that was seen names the other machine; what that did meanwhile is in its counters.
    """
    if len(operation.sides) != 1 or not operation.sides[0].remote:
        return operation
    (seen,) = operation.sides
    host = names.host(seen.remote)
    if host is None or host not in servers.sampled or host == seen.host:
        return operation
    if seen.role == SOURCE:
        return replace(operation, target=Side(TARGET, host))
    return replace(operation, source=Side(SOURCE, host))


def _with_lengths(operation: Operation, servers: Servers) -> Operation:
    """Give every state its end, and until when it is known to have lasted."""
    sides: dict[str, Side | None] = {}
    for side in operation.sides:
        end = side.end or operation.end
        seen = end
        if operation.outcome == "running":
            seen = latest(side.end, *(s.time for s in side.states))
            if seen is not None and side.host is not None:
                seen = servers.coverage.until(side.host, None, seen, ENDS)
        sides[side.role] = replace(
            side,
            states=_lengths(side.states, end, seen),
            phases=_lengths(side.phases, side.copy_end, side.copy_end),
        )
    return replace(operation, source=sides.get(SOURCE), target=sides.get(TARGET))


def _lengths(states: Sequence[State], end: datetime | None, seen: datetime | None) -> tuple[State, ...]:
    found = []
    for state, after in zip_longest(states, states[1:]):
        if state.name.upper() in FINAL:
            found.append(replace(state, end=state.time, seen_until=state.time))
        elif after is not None:
            found.append(replace(state, end=after.time, seen_until=after.time))
        else:
            found.append(replace(state, end=end, seen_until=seen))
    return tuple(found)


def _operation(
    joined: Joined, names: Names, skews: Skews, servers: Servers, limits: Thresholds
) -> tuple[datetime | None, Operation]:
    source, target = _role(joined, SOURCE), _role(joined, TARGET)
    ends = [end for end in (source, target) if end is not None]
    sides = {end.role: _side(end, names) for end in ends}
    how, cut = outcome(joined, servers.restarts, limits)
    clock = next((end.host for end in ends if end.host is not None), None)

    def on_clock(end: _Ends, time: datetime | None) -> datetime | None:
        return skews.onto(time, end.host, clock)

    copy_start = earliest(*(on_clock(e, sides[e.role].copy_start) for e in ends))
    copy_end = latest(*(on_clock(e, sides[e.role].copy_end) for e in ends))
    asked = [end.request for end in ends if end.request is not None]
    if not joined.copies:
        copy_start, copy_end = _seeding(ends, skews, clock)
    start = earliest(*(on_clock(e, e.request.start) for e in ends if e.request)) or copy_start
    end_time: datetime | None = None
    if how == "cut_off":
        end_time = cut
    elif asked and how != "running":
        end_time = latest(*(on_clock(e, e.request.end) for e in ends if e.request)) or copy_end
    elif not asked and how != "running":
        end_time = copy_end
    if how in ("running", "cut_off") and not any(c.is_done for e in ends for c in e.copies[-1:]):
        copy_end = None
    first = start or earliest(
        *(on_clock(e, part.first) for e in ends for part in (e.request, *e.copies) if part)
    )
    copied, said = _copied(ends)
    guid, name = database_of(joined.request) if joined.request else (None, None)
    copied_names = [c.database for e in ends for c in e.copies if c.database]
    database = next(iter(copied_names), None) or name or names.databases.get(guid or "")
    ag_id = next((r.ag_id for r in asked if r.ag_id), None)
    ag = next((r.ag for r in asked if r.ag), None) or names.groups.get(ag_id or "")
    sizes = [s.database_bytes for s in sides.values() if s.database_bytes is not None]
    # The same zone settled on both hosts is said once, with the source's figure.
    bases = {r.time_basis.split(":")[0]: r.time_basis for r in reversed(asked) if r.time_basis}
    return first, Operation(
        number=0,
        database=database,
        ag=ag,
        database_guid=guid,
        source=sides.get(SOURCE),
        target=sides.get(TARGET),
        start=start,
        end=end_time,
        copy_start=copy_start,
        copy_end=copy_end,
        copied_bytes=copied,
        bytes_source=said,
        database_bytes=max(sizes, default=None),
        outcome=how,
        failures=_failures(ends),
        attempts=attempts(joined),
        backup_ids=tuple(sorted(n for end in ends for copy in end.copies for n in copy.backup_ids)),
        told_by=frozenset().union(*(side.told_by for side in sides.values())),
        unjoined=_unjoined(joined),
        time_basis="; ".join(bases.values()),
    )


def _role(joined: Joined, role: str) -> _Ends | None:
    request = getattr(joined.request, role) if joined.request else None
    copies = tuple(c for c in (getattr(pair, role) for pair in joined.copies) if c is not None)
    return _Ends(role, request, copies) if request or copies else None


def _side(ends: _Ends, names: Names) -> Side:
    """Put one host's view together; figures are those of the last attempt."""
    request, copy = ends.request, ends.copies[-1] if ends.copies else None
    parts = [part for part in (request, *ends.copies) if part is not None]
    told = frozenset().union(*(part.told_by for part in parts))
    remote = copy.remote if copy else None
    if remote is None and request is not None:
        remote = names.replicas.get(request.remote_replica or "")
    return Side(
        role=ends.role,
        host=ends.host,
        told_by=told,
        states=(request.states or request.looks) if request else (),
        phases=in_order(phase for c in ends.copies for phase in c.phases),
        start=request.start if request else None,
        end=request.end if request else None,
        copy_start=copy.start if copy else None,
        copy_end=copy.end if copy else None,
        transferred_bytes=copy.transferred_bytes if copy else None,
        database_bytes=copy.database_bytes if copy else None,
        disk_wait_ms=copy.disk_wait_ms if copy else None,
        network_wait_ms=copy.network_wait_ms if copy else None,
        is_compression_enabled=copy.is_compression_enabled if copy else None,
        remote=remote,
        start_written=request.start_written if request else None,
        end_written=request.end_written if request else None,
        **({"progress": copy.progress} if copy else {}),
    )


def _seeding(
    ends: Sequence[_Ends], skews: Skews, clock: str | None
) -> tuple[datetime | None, datetime | None]:
    """Give the last time in the state SEEDING: the copy lies within it, a moment shorter."""
    begun, ended = [], []
    for end in ends:
        spans = end.request.seeding if end.request else []
        if spans:
            begun.append(skews.onto(spans[-1][0], end.host, clock))
            ended.append(skews.onto(spans[-1][1], end.host, clock))
    return earliest(*begun), latest(*ended)


def _copied(ends: Sequence[_Ends]) -> tuple[int | None, str]:
    """Give the bytes copied by the last attempt and what says so, the source first."""
    last = [(end, end.copies[-1]) for end in ends if end.copies]
    for end, copy in last:
        if copy.transferred_bytes:
            said = _where([name for name in (XEL, DMV) if name in copy.told_by], end)
            if copy.short_bytes and copy.database_bytes:
                short = f"the last report was {copy.short_bytes / 1e6:,.0f} MB short"
                return copy.database_bytes, f"size of the database, {said}: {short}"
            return copy.transferred_bytes, f"transferred, {said}"
    for end, copy in last:
        if copy.logged_bytes:
            return copy.logged_bytes, f"pages times 8,192, {_where([ERRORLOG], end)}"
    for end, copy in last:
        if copy.measured_bytes:
            said = f"integral of Backup/Restore Throughput/sec, {_where([PERFMON], end)}"
            return copy.measured_bytes, said
    return None, ""


_CALLED = {
    XEL: "hadr_physical_seeding events",
    DMV: "sys.dm_hadr_physical_seeding_stats",
    ERRORLOG: "ERRORLOG",
    PERFMON: "perfmon",
}


def _where(told: Sequence[str], end: _Ends) -> str:
    said = " and ".join(_CALLED[name] for name in told)
    return f"{said} of {end.host or f'the {end.role}'}"


def _failures(ends: Sequence[_Ends]) -> tuple[Failure, ...]:
    """Give every reason once, in order of time; what several captures tell is one failure."""
    told: list[Failure] = []
    for end in ends:
        for part in (end.request, *end.copies):
            told += part.failures if part else ()
    told.sort(key=lambda f: (f.time is None, f.time or NO_TIME, f.where))
    kept: list[Failure] = []
    alike: dict[int | str, list[int]] = defaultdict(list)
    for failure in told:
        # The hundreds digit is the end; some captures leave it out.
        kind = failure.text if failure.state is None else failure.state % 100
        same = next((n for n in alike[kind][-NEWEST:] if _is_same(kept[n], failure)), None)
        if same is None:
            alike[kind].append(len(kept))
            kept.append(failure)
        else:
            kept[same] = _both(kept[same], failure)
    return tuple(kept)


def _is_same(a: Failure, b: Failure) -> bool:
    if a.time is not None and b.time is not None and abs(a.time - b.time) > AT_ONCE:
        return False
    return a.state == b.state or (a.state or 0) < 100 or (b.state or 0) < 100


def _both(a: Failure, b: Failure) -> Failure:
    state = max((s for s in (a.state, b.state) if s is not None), default=None)
    where = "; ".join(dict.fromkeys([*a.where.split("; "), *b.where.split("; ")]))
    return Failure(state, a.text or b.text, earliest(a.time, b.time), where, a.message_id or b.message_id)


def _unjoined(joined: Joined) -> str:
    doubts = list(joined.doubts)
    pairs: list[Pair[Request] | Pair[Copy]] = [*joined.copies]
    if joined.request is not None:
        pairs.insert(0, joined.request)
    for pair in pairs:
        if pair.rivals:
            n, what = pair.rivals, "request" if pair is joined.request else "copy"
            kind = f"{n} {what}s" if what == "request" else f"{n} copies"
            doubts.append(f"{kind} on other hosts could be its other end")
    return "; ".join(dict.fromkeys(doubts))
