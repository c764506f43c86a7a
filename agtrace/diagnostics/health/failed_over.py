"""health.failover: each failover with its chain, the evidence for it and against it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from agtrace.diagnostics.health.group_history import OPEN, GroupHistory, kind_of, route
from agtrace.diagnostics.health.measures import UNTIL_AVAILABLE, WITHOUT_PRIMARY
from agtrace.diagnostics.health.rows import Failovers, FailoversReason, IncidentsPart, Timeline
from agtrace.diagnostics.health.things import named
from agtrace.measure.platforms import likely
from agtrace.measures import Measure, Measured
from agtrace.resolve.names import host_name
from agtrace.say import words
from agtrace.say.finding import window
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

SURE = 0.6
"""Below this confidence the title names only the event, and the cause is called likely or unknown."""
MOST = 12
"""Most entries of the evidence besides the time: the first, and those of each host."""
SHOWN = 5
"""Entries cited in the narrative: the first of a kind."""
MOST_PARTS = 10
"""Most entries of its incident in the evidence, besides its own."""
AROUND = timedelta(seconds=60)
"""Time from a failover within which an entry about a host of it is included."""
BEFORE_SHUTDOWN = timedelta(minutes=10)
"""How long before the role loss a request to shut the machine down still belongs to the failover."""
ROLES_TAKEN = timedelta(minutes=30)
"""Time after a failover within which its databases may take their role."""
TOGETHER = timedelta(seconds=120)
"""Groups of one instance that come online within this time have the same cause."""
SLACK = timedelta(seconds=2)
"""Entries of the new primary this near the end of a failover may belong to the failover itself."""
ROLES = ("replica_state", "database_role", "restart", "lease_expired", "stop_requested", "system_shutdown")
TELL_ROLES = ("ERRORLOG", "AlwaysOn_health")
MORE = ("lease_expired", "health_timeout", OPEN)
"""Causes that are not final: missing captures would show the cause behind them."""

WITHOUT_PARTNER = Measure("seconds without a partner", "time without a partner", "s")

LED = 10
"""Number of groups from which on they are named by one that moved with them; the leading group names all."""


class Usable(NamedTuple):
    """Databases that took their role on the new primary, and the delay of the last one."""

    databases: int
    late: float
    last: Timeline | None


class Available(NamedTuple):
    """When the new primary had recovered the last of its databases, from the loss of the old one."""

    measured: Measured
    seconds: float
    database: str
    end: datetime
    n: int


class Alone(NamedTuple):
    """How long a new primary had no secondary; without ``back`` the captures end before it had one."""

    seconds: float
    back: Timeline | None

    @property
    def until(self) -> datetime | None:
        """When a secondary was connected."""
        return self.back.time if self.back else None


def failovers(history: GroupHistory, limits: Thresholds, doubled: Sequence[Judged] = ()) -> list[Judged]:
    """Judge each failover, in chronological order; of groups that moved together, one has the severity.

    Parameters
    ----------
    doubled
        Times in which a group had two primaries (health.two_primaries): what a failover brought about is as
        bad as they are.
    """
    together = _leads(history.failovers, history)
    return [
        _failover(row, history, limits, together.get(row.failover_id), after(row, history, doubled))
        for row in history.failovers
    ]


def after(row: Failovers, history: GroupHistory, doubled: Sequence[Judged]) -> Judged | None:
    """Return the time with two primaries that began when a failover ended."""
    _, end = history.span(row)
    for each in doubled:
        entered = each.facts["entered"]
        if entered.ag == row.ag and abs(entered.time - end) <= SLACK:
            return each
    return None


@dataclass(frozen=True)
class Together:
    """Groups that moved together, one object for all of them; of their failovers one leads."""

    leader: int
    groups: list[str]


def _failover(
    row: Failovers, history: GroupHistory, limits: Thresholds, moved: Together | None, doubled: Judged | None
) -> Judged:
    """Judge a failover, alone or of groups that moved together."""
    begin = row.start_source or "what was seen first"
    alone = without_partner(row, history)
    # For less than this every new primary is alone.
    alone = alone if alone and alone.seconds >= limits.no_primary_s else None
    is_led = moved is not None and moved.leader != row.failover_id
    together = moved.groups if moved else []
    available = None if is_led else recovered(row, history)
    grade = "critical" if doubled and doubled.severity == "critical" else severity(row, limits)
    return Judged(
        said="failover",
        id="health.failover",
        severity="notice" if is_led and grade in ("warning", "critical") else grade,
        subject={"ag": row.ag, "from": row.from_host or "", "to": row.to_host or ""}
        | {"mode": row.mode, "trigger": row.trigger, "cause": row.cause},
        window=window(row.start or row.end, row.end),
        evidence=(
            WITHOUT_PRIMARY(row.seconds_without_primary, begin),
            *([available.measured] if available else []),
            *([_time_alone(alone, history)] if alone else []),
            *(doubled.evidence[:1] if doubled else []),
            *_entries(row, history),
            *_parts(row, history),
        ),
        confidence=row.confidence or 0.0,
        facts=_facts(row, history)
        | {
            "groups": [row.ag] if is_led or not moved else together,
            "together": together,
            "alone": alone,
            "available": available,
        }
        | {"doubled": doubled.facts if doubled else None}
        | {"named": LED if is_led else len(together)}
        | ({"databases": 0} if is_led else usable(row, history)._asdict()),
    )


def severity(row: Failovers, limits: Thresholds) -> str:
    """Return the severity: by whether it was planned, and by the time without a primary."""
    seconds = row.seconds_without_primary or 0.0
    if row.mode == "planned":
        return "notice" if seconds >= limits.failover_long_s else "info"
    if (row.mode, row.trigger) == (OPEN, "ddl_failover"):
        # It was requested; possible data loss is not shown.
        return "warning" if seconds >= limits.failover_long_s else "notice"
    return "critical" if seconds >= limits.failover_long_s or row.mode == "forced" else "warning"


def _facts(row: Failovers, history: GroupHistory) -> dict[str, Any]:
    reasons, about = row.reasons, named(row, history)
    shown, is_sure = _varied(reasons)[:SHOWN], (row.confidence or 0.0) >= SURE
    begin, _, begun_on = (row.start_source or "").partition(" on ")
    hosts = [host for host in dict.fromkeys((row.from_host, row.to_host)) if host]
    ask = row.cause if row.cause in MORE else "" if is_sure else "to_be_sure"
    return row._asdict() | about | {
        "route": route(row), "is_sure": is_sure or about["root"] in (OPEN, "either"),
        "is_open": OPEN in (row.trigger, row.cause),
        "begin": begin, "begin_kind": kind_of(begin), "begun_on": begun_on,
        "shown": shown,
        "left": len(reasons) - len(shown), "ask": ask, "lacking": history.lacking(hosts) if ask else {},
        "platform": likely(history.platforms, row.from_host or row.to_host),
        "restarted": restarted(row, history),
    }  # fmt: skip


def restarted(row: Failovers, history: GroupHistory) -> str:
    """Return what requested a shutdown of the old primary's machine shortly before; "" if unknown."""
    start, end = history.span(row)
    since = min(start, end) - BEFORE_SHUTDOWN
    asked = history.kinds_of_host.between(since, end, "shutdown_asked", row.from_host)
    return str(asked[-1].text or "") if row.from_host and asked else ""


def usable(row: Failovers, history: GroupHistory) -> Usable:
    """Return when the databases were usable again, if the log has their roles.

    It does not tell their group (message 1480): of groups that moved together the one that leads tells all.
    """
    _, end = history.span(row)
    first: dict[str, Timeline] = {}
    for event in history.kinds_of_host.between(end, end + ROLES_TAKEN, "database_role", row.to_host):
        if event.after == "PRIMARY":
            first.setdefault(event.database or "", event)
    last = max(first.values(), key=lambda event: event.time, default=None)
    late = (last.time - end).total_seconds() if last else 0.0
    return Usable(len(first), late, last)


def recovered(row: Failovers, history: GroupHistory) -> Available | None:
    """Return when the new primary had recovered the last of its databases, by messages 3421.

    Clients wait until then; the time counts from the loss of the old primary, where that is known.
    """
    start, end = history.span(row)
    host = row.to_host
    own = [
        one
        for one in history.recovered
        if one.host_id == host and one.end > end and one.start <= end + ROLES_TAKEN
    ]
    if not own:
        return None
    last = max(own, key=lambda one: one.end)
    seconds = (last.end - start).total_seconds()
    measured = UNTIL_AVAILABLE(round(seconds, 3), history.place(last.content_id, last.line))
    return Available(measured, seconds, last.database, last.end, len({one.database for one in own}))


def _entries(row: Failovers, history: GroupHistory) -> list[Measured]:
    """Return the entries that support a failover, at least one of each captured host."""
    reasons = _varied(row.reasons)[:MOST]
    found = [history.entry(one) for one in reasons]
    shown = {one.host_id for one in reasons}
    for host in dict.fromkeys((row.from_host, row.to_host)):
        event = _nearest(row, history, host) if host and host not in shown else None
        if event is not None:
            found.append(history.entry(event, f"{kind_of(event.kind)} on {host}"))
    return found


def _varied(reasons: list[FailoversReason]) -> list[FailoversReason]:
    """Return the first entry of each kind and host in chronological order, then the others."""
    first: dict[tuple[str, str | None], FailoversReason] = {}
    for one in reasons:
        first.setdefault((one.kind, one.host_id), one)
    kept = list(first.values())
    return kept + [one for one in reasons if not any(one is each for each in kept)]


def _nearest(row: Failovers, history: GroupHistory, host: str) -> Timeline | None:
    """Return the entry of a host that is nearest to a failover: of its roles as a rule."""
    start, end = history.span(row)
    own = history.of_host.between(start - AROUND, end + AROUND, host)
    edge = end if host == row.to_host else start

    def apart(event: Timeline) -> tuple[int, float]:
        kind = event.kind
        rank = ROLES.index(kind) if kind in ROLES else len(ROLES)
        return rank, abs((event.time - edge).total_seconds())

    return min(own, key=apart, default=None)


def _parts(row: Failovers, history: GroupHistory) -> list[Measured]:
    """Return the first other entry of each kind and host that belongs to its incident."""
    incident = history.incident_of.get(row.failover_id)
    if incident is None:
        return []
    shown = {(one.kind, one.host_id) for one in row.reasons}
    first: dict[tuple[str, str | None], IncidentsPart] = {}
    for part in incident.parts:
        key = (part.kind, part.host_id)
        if part.kind != "failover" and key not in shown:
            first.setdefault(key, part)
    return [
        history.entry(part, f"{kind_of(part.kind)}, {words.clock(part.time)}")
        for part in list(first.values())[:MOST_PARTS]
    ]


def _time_alone(alone: Alone, history: GroupHistory) -> Measured:
    if alone.back:
        return WITHOUT_PARTNER(round(alone.seconds, 3), history.sources(alone.back))
    return WITHOUT_PARTNER.stat("at least")(round(alone.seconds, 3), "ERRORLOG, AlwaysOn_health")


def without_partner(row: Failovers, history: GroupHistory) -> Alone | None:
    """Return how long the new primary had no secondary; None if it was not watched."""
    host = row.to_host
    _, end = history.span(row)
    if not host or not history.coverage.of(host, None, TELL_ROLES):
        return None
    connected = (
        one
        for one in history.kinds.since(end - SLACK, "connected")
        if host in (one.host_id, host_name(one.replica) or one.replica) and one.ag in (None, row.ag)
    )
    back = next(connected, None)
    changes = history.replica_states.since(end + SLACK, host, row.ag)
    later = next((one.time for one in changes), None)
    stops = [
        one.time
        for kind in ("stop_requested", "system_shutdown")
        for one in history.kinds_of_host.since(end, kind, host)
    ]
    until = history.coverage.until(host, None, row.end, TELL_ROLES)
    until = min([until, *([later] if later else []), *stops])
    back = back if back and back.time <= until else None
    seconds = ((back.time if back else until) - end).total_seconds()
    return Alone(seconds, back)


def _leads(rows: Sequence[Failovers], history: GroupHistory) -> dict[int, Together]:
    """Return the failovers that moved together by the id of each of them, the one that leads first.

    Those of one incident, between the same hosts. The worst leads: not planned before planned, then the
    longest; a distributed group moves because its group does, and never leads.
    A group that fails over twice in one incident moves with the others each time.
    """
    of_incident: dict[tuple[object, ...], list[Failovers]] = defaultdict(list)
    for row in rows:
        incident = history.incident_of.get(row.failover_id)
        if incident is not None:
            of_incident[incident.incident_id, row.from_host, row.to_host].append(row)
    found: dict[int, Together] = {}
    for run in (run for own in of_incident.values() for run in _runs(own) if len(run) > 1):
        run.sort(key=_rank)
        moved = Together(run[0].failover_id, [row.ag for row in run])
        found |= {row.failover_id: moved for row in run}
    return found


def _rank(row: Failovers) -> tuple[bool, bool, float, str]:
    away = row.seconds_without_primary or 0.0
    return row.is_distributed, row.mode == "planned", -away, row.ag


def _runs(rows: Sequence[Failovers]) -> list[list[Failovers]]:
    """Split failovers into runs in which each group moves once, close to the others."""
    runs: list[list[Failovers]] = []
    moved: set[str] = set()
    for row in sorted(rows, key=lambda one: one.end):
        last = runs[-1] if runs else None
        if last and row.end - last[0].end <= TOGETHER and row.ag not in moved:
            last.append(row)
        else:
            runs.append([row])
            moved.clear()
        moved.add(row.ag)
    return runs
