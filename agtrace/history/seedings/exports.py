"""Automatic seeding as exports of its DMV show it, and in which zone their times are that name none.

start_time and completion_time of sys.dm_hadr_automatic_seeding carry no zone, and queries often
turn them into local time (Transact-SQL reference of the view). They are taken as UTC, or as the
server's local time, only where something in UTC shows the same operation within a minute.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from datetime import UTC, datetime, timedelta

from agtrace.history.base import View
from agtrace.history.reference_clock import reference_clock
from agtrace.history.seedings.copies import TOTAL
from agtrace.history.seedings.names import Names
from agtrace.history.seedings.operation import DMV, ERRORLOG, PERFMON, SOURCE, XEL
from agtrace.history.seedings.parts import AUTOMATIC, COMPLETED, PHYSICAL, Part, differ, in_order, part_of
from agtrace.store.sql_files import beside

_sql = beside(__file__)

TOPIC = "dm_hadr_automatic_seeding"
UNKNOWN = "unknown"
"""Time basis of times without a zone that cannot be determined."""
NEAR = timedelta(seconds=60)
QUARTER_HOURS = frozenset(range(-12 * 60, 14 * 60 + 1, 15))
MOST_ROWS = 100
"""Operations of an export used to determine its zone; more would only repeat them."""
OFFSETS = """
    select distinct a.host_id, k.offset_minutes from clocks k join captures a using (capture_id)
    where a.host_id is not null and coalesce(a.reader, '') <> 'xel' and k.offset_minutes is not null
"""
_SAYS = {
    XEL: "XEL",
    DMV: "sys.dm_hadr_physical_seeding_stats",
    ERRORLOG: "the ERRORLOG",
    PERFMON: "Backup/Restore Throughput/sec",
}
"""Display names of the sources of times in UTC, the best first."""

Witness = tuple[timedelta, int, Part]
"""Distance of a part in UTC from an exported operation, its index, and the part."""


def from_exports(view: View, names: Names, shown: Sequence[Part], spans: Sequence[Part]) -> list[Part]:
    """Return the requests that exports list; the names that they give are learnt.

    ``shown`` and ``spans`` are what other captures show in UTC: they settle the zone of the export.
    """
    listed: dict[str, list[tuple[Part, str | None, datetime | None]]] = defaultdict(list)
    clock = reference_clock(view)
    for row in view.rows(_sql("exported.sql")) if TOPIC in view.topics else []:
        for name in ("start_written", "end_written"):
            row[name] = row[name] and clock.of(row[name], row["host"])
        capture, replica, look = (row.pop(name) for name in ("capture_id", "replica", "look"))
        row["role"] = row["role"] or _role(part_of(row), shown)
        listed[capture].append((part_of(row), replica, look))
    known = [*shown, *(span._replace(database=None) if span.database == TOTAL else span for span in spans)]
    offsets: dict[str | None, set[int]] = defaultdict(set)
    for row in view.rows(OFFSETS) if listed else []:
        offsets[row["host_id"]].add(row["offset_minutes"])
    found = []
    for rows in listed.values():
        minutes, basis = _settle([part for part, _replica, _look in rows], known, offsets)
        for part, replica, look in rows:
            names.learn("database", part.database_guid, part.database)
            names.learn("group", part.ag_id, part.ag)
            names.learn("replica", part.remote_id, replica)
            found.append(_settled(part, look, minutes, basis))
    return found


def _role(part: Part, shown: Sequence[Part]) -> str:
    """Return the role of a row without is_source, from other captures of its host."""
    own = [each for each in shown if each.host == part.host]
    roles = {r.role for r in own if r.operation_ids & part.operation_ids} or {
        c.role
        for c in own
        if c.layer == PHYSICAL and (c.database or "").lower() == (part.database or "").lower()
    }
    return roles.pop() if len(roles) == 1 else SOURCE


def _settled(part: Part, look: datetime | None, minutes: int | None, basis: str) -> Part:
    """Return an exported request with its times in UTC, if their offset is known."""
    performed = part.performed if part.ended == COMPLETED else None
    if minutes is None:
        return part._replace(looks=in_order(part.looks), performed=performed, time_basis=UNKNOWN)
    start, end = _in_utc(part.start_written, minutes), _in_utc(part.end_written, minutes)
    return part._replace(
        looks=in_order(state for state in part.looks if end is None or state.time <= end),
        first=start,
        last=end or look or start,
        start=start,
        end=end,
        start_written=None,
        end_written=None,
        performed=performed,
        failures=tuple(failure._replace(time=end) for failure in part.failures),
        time_basis=basis,
    )


def _settle(
    rows: Sequence[Part], known: Sequence[Part], offsets: Mapping[str | None, Set[int]]
) -> tuple[int | None, str]:
    """Return the one offset (local minus UTC, minutes) with which the operations of an export meet what is
    known of them, and what shows it; any quarter hour counts where a host has none.
    """
    local = {minutes for row in rows for minutes in offsets.get(row.host, ())}
    candidates = {0, *local} if local else QUARTER_HOURS
    by_id = [other for other in known if other.operation_ids]
    met = _meet(rows, by_id, candidates) or _meet(rows, known, candidates)
    most = max(map(len, met.values()), default=0)
    winners = [minutes for minutes, witnesses in met.items() if len(witnesses) == most]
    if len(winners) != 1:
        return (0, "the server's local time is UTC") if local == {0} else (None, "")
    (minutes,) = winners
    apart, _number, nearest = min(met[minutes], key=lambda witness: witness[:2])
    sign = "-" if minutes < 0 else "+"
    clock = f"{sign}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"
    zone = "UTC" if minutes == 0 else f"local time (UTC{clock})"
    said = next(said for kind, said in _SAYS.items() if kind in nearest.told_by)
    return minutes, f"DMV times are {zone}: within {apart.total_seconds():.0f} s of {said}"


def _meet(rows: Sequence[Part], known: Sequence[Part], candidates: Set[int]) -> dict[int, list[Witness]]:
    """Return what meets each operation nearest, by the offset with which it does."""
    met: dict[int, list[Witness]] = defaultdict(list)
    for row in rows[-MOST_ROWS:]:
        best: dict[int, Witness] = {}
        for number, other in enumerate(known):
            for minutes in _quarters(row, other) & candidates if _is_about(row, other) else ():
                apart = _apart(row, minutes, other)
                if apart is not None and (minutes not in best or (apart, number) < best[minutes][:2]):
                    best[minutes] = apart, number, other
        for minutes, witness in best.items():
            met[minutes].append(witness)
    return met


def _in_utc(time: datetime | None, minutes: int) -> datetime | None:
    return None if time is None else (time - timedelta(minutes=minutes)).replace(tzinfo=UTC)


def _quarters(row: Part, other: Part) -> set[int]:
    """Return the offsets, to the quarter hour, with which an end of both falls together."""
    return {
        round((mine.replace(tzinfo=UTC) - its) / timedelta(minutes=15)) * 15
        for mine, its in ((row.start_written, other.start), (row.end_written, other.end))
        if mine is not None and its is not None
    }


def _is_about(row: Part, other: Part) -> bool:
    if row.operation_ids & other.operation_ids:
        return True
    if differ(row.host, other.host) or differ(row.role, other.role):
        return False
    if row.operation_ids and other.operation_ids:
        return False
    if differ(row.database_guid, other.database_guid):
        return False
    if differ((row.database or "").lower(), (other.database or "").lower()):
        return False
    return row.performed is not False or other.layer == AUTOMATIC


def _apart(row: Part, minutes: int, other: Part) -> timedelta | None:
    """Return the distance of an operation from other captures of it; None if it cannot be the same."""
    start, end = _in_utc(row.start_written, minutes), _in_utc(row.end_written, minutes)
    apart = [
        abs(mine - its)
        for mine, its in ((start, other.start), (end, other.end))
        if mine is not None and its is not None
    ]
    if not apart:
        return None
    if other.layer == AUTOMATIC:
        return max(apart) if max(apart) <= NEAR else None
    if start is None or (other.start is not None and other.start < start - NEAR):
        return None
    if end is not None and other.end is not None and other.end > end + NEAR:
        return None
    return min(apart) if min(apart) <= NEAR else None
