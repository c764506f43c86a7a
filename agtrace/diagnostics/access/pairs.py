"""The two replicas of an endpoint entry, and other captures about them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property

from agtrace.diagnostics.access.handshakes import (
    HANDSHAKE,
    NEVER_ANSWERED,
    Failure,
    account_of,
    failure_of,
    far_end,
    port_of,
)
from agtrace.diagnostics.access.rows import Attempts, Away, Connections, OwnEndpoints, Partners
from agtrace.history.coverage import Coverage
from agtrace.history.timed import Instants
from agtrace.resolve.replicas import HostNames

AWAY = timedelta(seconds=60)
"""For this long before and after its absence, a server refuses connections or does not answer."""


@dataclass(frozen=True)
class Attempt:
    """Equal entries of a minute about one far end.

    Parameters
    ----------
    far
        Host of the far end; its address if its name is unknown; "" if the entry is about the host alone.
    replica
        The far end as replicas are called, as far as it is known.
    is_only
        Whether the far end is taken for the only other replica that the host is known to have.
    """

    host: str
    far: str
    replica: str
    address: str
    failure: Failure | None
    number: int | None
    text: str
    n: int
    first: datetime
    last: datetime
    source: str
    content_id: str | None
    line: int | None
    is_local: bool = False
    is_only: bool = False

    @property
    def account(self) -> str:
        """The account that tried to connect."""
        return account_of(self.text)

    @property
    def url_host(self) -> str:
        """The host that was tried, as the URL has it."""
        return far_end(self.text)[0]

    @property
    def port(self) -> str:
        """The port that was tried."""
        return port_of(self.text)


@dataclass
class KnownConnections:
    """What the captures show of servers and their connections.

    Parameters
    ----------
    pairs
        Rows of partners.sql.
    connections
        Rows of connections.sql.
    away
        Rows of away.sql.
    stopped
        Rows of own_endpoints.sql.
    grouped
        Hosts that have a replica of a group.
    paths
        Paths by content_id.
    """

    pairs: Sequence[Partners] = field(default_factory=list)
    connections: Sequence[Connections] = field(default_factory=list)
    away: Sequence[Away] = field(default_factory=list)
    stopped: Sequence[OwnEndpoints] = field(default_factory=list)
    grouped: frozenset[str] = frozenset()
    paths: Mapping[str, str] = field(default_factory=dict)
    coverage: Coverage = field(default_factory=Coverage)
    names: HostNames = field(default_factory=lambda: HostNames(()))
    platforms: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def partners(self) -> dict[str, dict[str, Partners]]:
        """Other replicas of each host, by their host."""
        found: dict[str, dict[str, Partners]] = defaultdict(dict)
        for row in self.pairs:
            if row.replica_host_id != row.host_id:
                found[row.host_id][row.replica_host_id] = row
        return dict(found)

    def partner(self, host: str, far: str) -> Partners | None:
        """Return the row on another replica of a host."""
        return self.partners.get(host, {}).get(far)

    def ag(self, host: str, far: str) -> str:
        """Return the group of two replicas; "" if unknown."""
        own = self.partner(host, far)
        return own.ag if own else ""

    def far_end(self, host: str, text: str) -> tuple[str, str, str, bool]:
        """Return far host, its name as a replica, its address, and whether it is the only candidate."""
        name, address = far_end(text)
        own = self.partners.get(host, {})
        account = account_of(text).rpartition("\\")[2]
        if not name and account.endswith("$") and self.names.host_id(account[:-1]) in own:
            name = account[:-1]
        if name:
            far = self.names.host_id(name)
            return far, own[far].replica if far in own else far, address, False
        if len(own) == 1 and address:
            ((far, only),) = own.items()
            return far, only.replica, address, True
        return address, address, address, False

    def is_grouped(self, host: str) -> bool:
        """Return whether a host has a replica of a group: captured there, or connected to other replicas."""
        return host in self.grouped or host in self.partners

    def connected_after(self, host: str, far: str, moment: datetime) -> Connections | None:
        """Return the first sign after a moment that two replicas are connected."""
        own = self._connected.get(frozenset((host, far)))
        return own.after(moment) if own else None

    @cached_property
    def _connected(self) -> dict[frozenset[str], Instants[Connections]]:
        found: dict[frozenset[str], list[tuple[datetime, Connections]]] = defaultdict(list)
        for row in self.connections:
            if row.is_connected:
                found[frozenset((row.host_id, row.replica_host_id))].append((row.time, row))
        return {pair: Instants(rows) for pair, rows in found.items()}

    def was_away(self, host: str, moment: datetime) -> bool:
        """Return whether a server was down, and so unreachable for all."""
        own = self._away.get(host, ())
        return any(gone - AWAY <= moment <= ready + AWAY for gone, ready in own)

    @cached_property
    def _away(self) -> dict[str, list[tuple[datetime, datetime]]]:
        found: dict[str, list[tuple[datetime, datetime]]] = defaultdict(list)
        for row in self.away:
            found[row.host_id].append((row.gone, row.ready))
        return dict(found)

    def is_watched(self, host: str, first: datetime, last: datetime) -> bool:
        """Return whether the ERRORLOG of a host covers any of a span."""
        own = self.coverage.of(host, None, ("ERRORLOG",))
        return any(one.first <= last and first <= one.last for one in own)

    def watched_until(self, host: str, moment: datetime) -> datetime:
        """Return until when the ERRORLOG of a host continues from a given time on."""
        return self.coverage.until(host, None, moment, ("ERRORLOG",))

    def place(self, content_id: str | None, line: int | None, otherwise: str) -> str:
        """Return the source of an entry: "SQL1/ERRORLOG line 40"."""
        path = self.paths.get(content_id or "", "") or otherwise
        return path if line is None else f"{path} line {line}"


def attempts(rows: Iterable[Attempts], known: KnownConnections) -> list[Attempt]:
    """Return the entries about endpoints in chronological order: rows of attempts.sql, and 35201."""
    found = []
    for row in rows:
        far, replica, address, is_only = known.far_end(row.host_id, row.text)
        failure = failure_of(row.number, row.text)
        if row.number in (9692, 9693):
            far = replica = address = ""
        found.append(
            Attempt(
                row.host_id,
                far,
                replica,
                address,
                failure,
                row.number,
                row.text,
                row.n,
                row.first,
                row.last,
                row.source,
                row.content_id,
                row.line,
                row.is_local,
                is_only,
            )
        )
    found += [_never_answered(row) for row in known.connections if not row.is_connected]
    return sorted(found, key=lambda one: (one.first, one.host, one.far, one.text))


def _never_answered(row: Connections) -> Attempt:
    return Attempt(
        row.host_id, row.replica_host_id, row.replica, "", failure_of(NEVER_ANSWERED, ""), NEVER_ANSWERED,
        row.text or "", 1, row.time, row.time, "ERRORLOG", row.content_id, row.line,
    )  # fmt: skip


def is_consequence(one: Attempt, known: KnownConnections) -> bool:
    """Return whether an attempt failed because the far end was away or had lost its connection.

    A pair that was connected before is reported as a lost connection (health.disconnect).
    """
    if one.failure is None or one.failure.kind in HANDSHAKE or not one.far:
        return False
    if known.was_away(one.far, one.first) or known.was_away(one.host, one.first):
        return True
    own = known.partner(one.host, one.far)
    since = own.since if own else None
    return one.number == NEVER_ANSWERED and since is not None and since <= one.first
