"""The history of the groups of a case: failovers, events, and the files they come from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any

from agtrace.diagnostics.health.rows import (
    Connected,
    Failovers,
    FailoversReason,
    Incidents,
    IncidentsPart,
    Inner,
    Kinds,
    Members,
    NearTransport,
    Nodes,
    Offsets,
    Recovered,
    Restarts,
    Seeded,
    Standstills,
    StandstillsWitness,
    Timeline,
    TimelineWitness,
)
from agtrace.history.coverage import ROLE_SOURCES, Coverage
from agtrace.history.hardened import Hardened
from agtrace.history.reference_clock import ReferenceClock
from agtrace.history.timed import Instants, Stretches, Timed
from agtrace.measure.platforms import LINUX, likely
from agtrace.measures import Measured, quoted
from agtrace.resolve.names import host_name
from agtrace.say import words

OPEN = "open"
WANTED = ("SQL Server ERRORLOG", "AlwaysOn_health", "cluster log")
"""Kinds of captures that record failovers."""
PACEMAKER = "Pacemaker log"
"""The log of a cluster on Linux, in place of a cluster log."""
NOT_KNOWN = "an unknown host"


Part = FailoversReason | IncidentsPart | StandstillsWitness
"""An entry that supports a failover, an incident or a standstill."""
Written = Part | TimelineWitness | NearTransport
"""An entry with its file, line and host."""


def kind_of(name: str) -> str:
    """Return a kind of event as words: "lease expired" for lease_expired."""
    return name.replace("_", " ")


def route(failover: Failovers) -> str:
    """Return the direction of a failover: "from A to B", "in place on A"."""
    old, new = (host or NOT_KNOWN for host in (failover.from_host, failover.to_host))
    return f"in place on {new}" if old == new != NOT_KNOWN else f"from {old} to {new}"


def kinds_captured(rows: Iterable[Kinds]) -> dict[str, set[str]]:
    """Return the kinds of captures of each host, from rows of kinds.sql."""
    found: dict[str, set[str]] = {}
    for row in rows:
        own = found.setdefault(row.host, set())
        own.add(row.kind)
        if "AlwaysOn_health" in row.path:
            own.add("AlwaysOn_health")
    return found


def amount(event: Timeline) -> float:
    """Return the number of an event; 0 if it has none."""
    return event.value or 0.0


@dataclass(frozen=True)
class GroupHistory:
    """The rows that the findings are based on.

    Parameters
    ----------
    failovers, events
        Rows of failovers.sql and timeline.sql.
    paths
        Paths by content_id.
    connected
        Rows of connected.sql: snapshots in which a replica was connected, in chronological order.
    left_out
        Gaps in the ERRORLOG of a host (`agtrace.history.log_gaps`).
    coverage
        When each host was watched: claims of absence hold only within.
    restarts
        Rows of restarts.sql.
    platforms
        Linux or Windows, by host, if known.
    members
        Rows of members.sql: the known replicas of each group.
    standstills, incidents
        Rows of the relations.
    captured
        Kinds of captures of each host (`kinds_captured`); None if not determined.
    seeded
        Database and start of each seeding.
    grouped
        Hosts with a replica of a group (grouped.sql); events of other hosts do not matter.
    nodes
        Rows of nodes.sql: the node of each start of an instance, in chronological order.
    instances
        The instance that wrote each content, if known.
    offsets
        Rows of offsets.sql: the offset of each host's clock from UTC, and since when.
    recovered
        Rows of recovered.sql: recoveries of databases that became primary.
    hardened
        How far each database was hardened when its server changed its role.
    inner
        Rows of inner.sql: errors that a session logged before it could not start an instance or a database.
    clock
        The reference clock of all times.
    """

    failovers: list[Failovers]
    events: list[Timeline]
    paths: dict[str, str]
    connected: tuple[Connected, ...] = ()
    left_out: tuple[dict[str, Any], ...] = ()
    coverage: Coverage = field(default_factory=Coverage)
    restarts: tuple[Restarts, ...] = ()
    platforms: Mapping[str, str] = field(default_factory=dict)
    members: tuple[Members, ...] = ()
    standstills: tuple[Standstills, ...] = ()
    incidents: tuple[Incidents, ...] = ()
    captured: Mapping[str, Collection[str]] | None = None
    seeded: tuple[Seeded, ...] = ()
    grouped: frozenset[str] = frozenset()
    nodes: tuple[Nodes, ...] = ()
    instances: Mapping[str, str] = field(default_factory=dict)
    offsets: tuple[Offsets, ...] = ()
    inner: tuple[Inner, ...] = ()
    recovered: tuple[Recovered, ...] = ()
    clock: ReferenceClock = field(default_factory=ReferenceClock)
    hardened: tuple[Hardened, ...] = ()

    def lacking(self, hosts: Iterable[str]) -> dict[str, list[str]]:
        """Return the hosts without a kind of capture that would show more, by that kind."""
        without: dict[str, list[str]] = {}
        for host in hosts if self.captured is not None else ():
            for kind in WANTED:
                if kind == "cluster log" and likely(self.platforms, host) == LINUX:
                    kind = PACEMAKER
                if kind not in (self.captured or {}).get(host, ()):
                    without.setdefault(kind, []).append(host)
        return without

    def of(self, *kinds: str) -> list[Timeline]:
        """Return the events of some kinds, in chronological order."""
        return [row for kind in kinds for row in self.kinds.of(kind)]

    def within(self, start: datetime, end: datetime, *kinds: str) -> list[Timeline]:
        """Return the events of some kinds in a span, in chronological order."""
        found = [row for kind in kinds for row in self.kinds.between(start, end, kind)]
        return sorted(found, key=lambda row: row.time)

    @cached_property
    def kinds(self) -> Timed[Timeline]:
        """Events by kind."""
        return Timed(self.events, "kind")

    @cached_property
    def of_host(self) -> Timed[Timeline]:
        """Events by host."""
        return Timed(self.events, "host_id")

    @cached_property
    def kinds_of_host(self) -> Timed[Timeline]:
        """Events by kind and host."""
        return Timed(self.events, "kind", "host_id")

    @cached_property
    def kinds_of_group(self) -> Timed[Timeline]:
        """Events by kind and group."""
        return Timed(self.events, "kind", "ag")

    @cached_property
    def replica_states(self) -> Timed[Timeline]:
        """Changes of a replica's role, by its host and group."""
        return Timed(self.kinds.of("replica_state"), "host_id", "ag")

    @cached_property
    def connected_of_host(self) -> Timed[Connected]:
        """Return snapshots with a connection, by host."""
        return Timed(self.connected, "host_id")

    @cached_property
    def begins_of_group(self) -> dict[str, Instants[datetime]]:
        """When the failovers of each group began."""
        return {
            ag: Instants((begin, begin) for begin, _end in map(self.span, rows))
            for ag, rows in self.failovers_of_group.items()
        }

    @cached_property
    def hardened_of(self) -> Timed[Hardened]:
        """How far databases were hardened, by host."""
        return Timed(self.hardened, "host_id")

    @cached_property
    def failovers_of_group(self) -> dict[str, list[Failovers]]:
        """Return failovers by group, in chronological order."""
        found: dict[str, list[Failovers]] = defaultdict(list)
        for row in self.failovers:
            found[row.ag].append(row)
        return found

    def failovers_near(self, ag: str | None, start: datetime, end: datetime) -> list[Failovers]:
        """Return the failovers of a group that touch a span, in chronological order."""
        own = self._spans.get(ag)
        return own.touching(start, end) if own else []

    @cached_property
    def _spans(self) -> dict[str | None, Stretches[Failovers]]:
        return {
            ag: Stretches((*self.span(row), row) for row in rows)
            for ag, rows in self.failovers_of_group.items()
        }

    def restarts_near(self, start: datetime, end: datetime, *hosts: str | None) -> list[Timeline]:
        """Return the restarts of some hosts that overlap a span, in chronological order."""
        own = [self._restarts[host] for host in dict.fromkeys(hosts) if host in self._restarts]
        return sorted((row for each in own for row in each.touching(start, end)), key=lambda row: row.time)

    @cached_property
    def _restarts(self) -> dict[str | None, Stretches[Timeline]]:
        hosts: dict[str | None, list[Timeline]] = defaultdict(list)
        for row in self.of("restart"):
            hosts[row.host_id].append(row)
        return {
            host: Stretches((row.time, row.end or row.time, row) for row in own)
            for host, own in hosts.items()
        }

    def graded(self, severity: str, host: str) -> str:
        """Return a severity: of a host without a replica of a group, info."""
        return severity if host in self.grouped else "info"

    def local(self, time: datetime, host: str | None) -> datetime | None:
        """Return a time in the local time of a host; None if its offset is unknown."""
        own = self.clock.own(time, host).astimezone(UTC).replace(tzinfo=None)
        known = [row for row in self.offsets if row.host == host]
        minutes = next((row.minutes for row in reversed(known) if row.since <= own), None)
        return None if minutes is None else own + timedelta(minutes=minutes)

    def knows_clock(self, host: str) -> bool:
        """Return whether the clock of a host was compared with that of another."""
        return host in self.clock.ahead

    def still(self, host: str, start: datetime, end: datetime) -> list[tuple[datetime, datetime]]:
        """Return when a host did not run in a span; stretches do not overlap."""
        found: list[tuple[datetime, datetime]] = []
        for row in sorted(self.standstills, key=lambda one: one.start):
            if row.host_id != host or row.kind == "clock stepped":
                continue
            begin = max(row.start, start, *(until for _, until in found[-1:]))
            until = min(row.end, end)
            if begin < until:
                found.append((begin, until))
        return found

    @cached_property
    def incident_of(self) -> dict[int, Incidents]:
        """Incident of each failover, by its id."""
        return {number: row for row in self.incidents for number in row.failovers}

    def watched_until(self, host: str, since: datetime) -> datetime:
        """Return until when the sources of roles of a host continue from a given time on."""
        return self.coverage.until(host, None, since, ROLE_SOURCES)

    def replicas(self, ag: str) -> list[str]:
        """Return the hosts of the known replicas of a group, sorted."""
        named = {host_name(row.replica) for row in self.members if row.ag == ag}
        # A host without a known name is called by its file.
        own = {host for group, host in self.states if group == ag}
        return sorted({name for name in named if name} - {host_name(name) for name in own} | own)

    def span(self, failover: Failovers) -> tuple[datetime, datetime]:
        """Return the start and end of a failover; the start is the end if unknown."""
        start = failover.start if failover.start is not None else failover.end
        return start, failover.end

    def stop(self, host: str, start: datetime, end: datetime) -> datetime | None:
        """Return when the ERRORLOG of a host first leaves something out in a span, its end not included."""
        stops = self._stops.get(host)
        first = next(stops.since(start), None) if stops else None
        return first if first is not None and first < end else None

    @cached_property
    def _stops(self) -> dict[str, Instants[datetime]]:
        """When the ERRORLOG of each host leaves something out."""
        found: dict[str, Instants[datetime]] = defaultdict(Instants)
        for row in self.left_out:
            if row["from_s"] is not None:
                begin = datetime.fromtimestamp(row["from_s"], UTC)
                found[row["host_id"]].add(begin, begin)
        return found

    @cached_property
    def states(self) -> dict[tuple[str, str], list[Timeline]]:
        """Changes of a replica's state by group and host, in order of both and of time."""
        found: dict[tuple[str, str], list[Timeline]] = defaultdict(list)
        for row in self.of("replica_state"):
            if row.ag and row.host_id:
                found[row.ag, row.host_id].append(row)
        return dict(sorted(found.items()))

    @cached_property
    def groups(self) -> list[str]:
        """Names of the groups, sorted."""
        named = {row.ag for row in self.failovers} | {row.ag for row in self.events}
        return sorted(name for name in named if name)

    @cached_property
    def hosts(self) -> list[str]:
        """Hosts that something happened to, sorted."""
        return sorted({row.host_id for row in self.events if row.host_id})

    def place(self, content_id: str | None, line: int | None, otherwise: str = "") -> str:
        """Return where something is written: "SQL1/ERRORLOG line 40"."""
        path = words.plain(self.paths.get(content_id or "", ""), 120) or otherwise
        return f"{path} line {line}" if line is not None else path

    def source(self, row: Written) -> str:
        """Return the source of an entry: "ERRORLOG of SQL1, SQL1/ERRORLOG line 40"."""
        of_host = f" of {row.host_id}" if row.host_id else ""
        comma = ", " if row.content_id in self.paths else ""
        return f"{row.source}{of_host}{comma}{self.place(row.content_id, row.line)}"

    def sources(self, event: Timeline) -> str:
        """Return the sources of an event: its first witnesses."""
        return "; ".join(map(self.source, event.witnesses[:3])) or "timeline"

    def entry(self, row: Timeline | Part, label: str = "") -> Measured:
        """Return an entry as evidence; the label is its kind unless one is given."""
        source = self.sources(row) if isinstance(row, Timeline) else self.source(row)
        return quoted(label or kind_of(row.kind), row.text, source)

    def instances_of(self, event: Timeline) -> set[str]:
        """Return the instances that wrote an event, as far as known."""
        return {self.instances.get(witness.content_id or "", "") for witness in event.witnesses} - {""}

    def may_be_one(self, event: Timeline, other: Timeline) -> bool:
        """Return whether two events of a host can belong to one instance, as far as known."""
        own, its = self.instances_of(event), self.instances_of(other)
        return not own or not its or not own.isdisjoint(its)
