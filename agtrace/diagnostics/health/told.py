"""What the relations tell of a case: failovers, events, and the files that tell of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any

from agtrace.diagnostics import words
from agtrace.history.coverage import Coverage
from agtrace.history.coverage.watch import ROLE_SOURCES
from agtrace.resolve.names import host_name

Row = dict[str, Any]


@dataclass(frozen=True)
class Told:
    """The rows that the findings rest on.

    Parameters
    ----------
    failovers, events
        Rows of failovers.sql and timeline.sql.
    paths
        Path of each content.
    last
        Last instant that any capture with a known time holds.
    connected
        Rows of connected.sql: looks at which a replica was connected, in order of time.
    left_out
        What the ERRORLOG of a host leaves out (`agtrace.history.log_gaps`), by its own clock.
    coverage
        When each host was watched, by its own clock: an absence is claimed only within.
    restarts
        Rows of restarts.sql, by each host's own clock.
    platforms
        Linux or Windows, by host, where it is known.
    members
        Rows of members.sql: the replicas that each group is known to have.
    """

    failovers: list[Row]
    events: list[Row]
    paths: dict[str, str]
    last: datetime | None
    connected: tuple[Row, ...] = ()
    left_out: tuple[Row, ...] = ()
    coverage: Coverage = field(default_factory=Coverage)
    restarts: tuple[Row, ...] = ()
    platforms: Mapping[str, str] = field(default_factory=dict)
    members: tuple[Row, ...] = ()

    def of(self, *kinds: str) -> list[Row]:
        """Give the events of some kinds, in order of time."""
        return [row for kind in kinds for row in self._by_kind.get(kind, [])]

    @cached_property
    def _by_kind(self) -> dict[str, list[Row]]:
        found: dict[str, list[Row]] = {}
        for row in self.events:
            found.setdefault(row["kind"], []).append(row)
        return found

    @cached_property
    def _skews(self) -> dict[str, float]:
        known = (row for row in self.events if row["skew_ms"] is not None)
        return {row["host_id"]: row["skew_ms"] for row in known}

    def common(self, time: datetime, host: str | None) -> datetime:
        """Give a time of a host's own clock by the common one, which the events have.

        A failover is told by the clock of its new primary.
        """
        return time - timedelta(milliseconds=self._skews.get(host or "", 0.0))

    def watched_until(self, host: str, since: datetime) -> datetime:
        """Give the last instant, by the common clock, until which what tells roles of a host goes on from one on."""
        skew = timedelta(milliseconds=self._skews.get(host, 0.0))
        return max(self.coverage.until(host, None, since + skew, ROLE_SOURCES) - skew, since)

    def replicas(self, ag: str) -> list[str]:
        """Give the hosts of the replicas that a group is known to have, sorted."""
        named = {host_name(row["replica"]) for row in self.members if row["ag"] == ag}
        # A host that nobody names is called by its file.
        own = {e["host_id"] for e in self.of("replica_state") if e["ag"] == ag and e["host_id"]}
        return sorted({name for name in named if name} - {host_name(name) for name in own} | own)

    def span(self, failover: Row) -> tuple[datetime, datetime]:
        """Give begin and end of a failover by the common clock; the begin is the end where not known."""
        start = failover["start"] if failover["start"] is not None else failover["end"]
        host = failover["to_host"]
        return self.common(start, host), self.common(failover["end"], host)

    def stops(self, host: str) -> list[datetime]:
        """Give the times by the common clock at which the ERRORLOG of a host leaves something out."""
        begins = {row["from_s"] for row in self.left_out if row["host_id"] == host}
        known = sorted(seconds for seconds in begins if seconds is not None)
        return [self.common(datetime.fromtimestamp(seconds, UTC), host) for seconds in known]

    @cached_property
    def groups(self) -> list[str]:
        """Names of the groups, sorted."""
        named = (row["ag"] for row in [*self.failovers, *self.events])
        return sorted({name for name in named if name})

    @cached_property
    def hosts(self) -> list[str]:
        """Hosts that something happened to, sorted."""
        return sorted({row["host_id"] for row in self.events if row["host_id"]})

    def source(self, row: Row) -> str:
        """Say where something is written: "ERRORLOG of SQL1, SQL1/ERRORLOG line 40"."""
        path = self.paths.get(row["content_id"], "")
        of_host = f" of {words.plain(row['host_id'], 60)}" if row["host_id"] else ""
        place = f", {words.plain(path, 120)}" if path else ""
        line = f" line {row['line']}" if row["line"] is not None else ""
        return f"{row['source']}{of_host}{place}{line}"

    def place(self, row: Row) -> str:
        """Say where a row of a relation is written: "SQL1_AlwaysOnDiagScript.out line 40"."""
        line = f" line {row['line']}" if row["line"] is not None else ""
        return f"{words.plain(self.paths.get(row['content_id'], ''), 120)}{line}"

    def sources(self, event: Row) -> str:
        """Say where an event is written, its first witnesses."""
        return "; ".join(map(self.source, (event["witnesses"] or [])[:3])) or "timeline"


def between(rows: Iterable[Row], start: datetime, end: datetime) -> Iterator[Row]:
    """Give the events of a span."""
    return (row for row in rows if start <= row["time"] <= end)
