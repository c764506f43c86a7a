"""Rows of the queries of this folder. Written by tools/write_rows.py; do not edit."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple


class Attempts(NamedTuple):
    """A row of attempts.sql."""

    source: str
    host_id: str
    number: int | None
    text: str
    n: int
    first: datetime
    last: datetime
    is_local: bool
    content_id: str
    line: int | None


class Away(NamedTuple):
    """A row of away.sql."""

    host_id: str
    gone: datetime
    ready: datetime


class Connections(NamedTuple):
    """A row of connections.sql."""

    host_id: str
    replica: str
    replica_host_id: str
    is_connected: bool
    time: datetime
    content_id: str | None
    line: int | None
    text: str | None


class GroupsOfHosts(NamedTuple):
    """A row of groups_of_hosts.sql."""

    ag: str
    host_id: str


class Halted(NamedTuple):
    """A row of halted.sql."""

    replica: str
    suspended: list[str] | None
    databases: list[str]
    reason: str | None
    time: datetime | None
    content_id: str
    line: int | None


class ListenerEntries(NamedTuple):
    """A row of listener_entries.sql."""

    source: str
    host_id: str | None
    number: int | None
    resource: str | None
    text: str
    n: int
    first: datetime
    last: datetime
    is_local: bool
    content_id: str
    line: int | None


class Listeners(NamedTuple):
    """A row of listeners.sql."""

    ag: str | None
    listener: str
    port: int | None
    ip_address: str | None
    subnet_mask: str | None
    state: str | None
    host_id: str | None
    time: datetime | None
    time_local: datetime | None
    content_id: str
    line: int | None


class Members(NamedTuple):
    """A row of members.sql."""

    ag: str
    replica: str


class NameSettings(NamedTuple):
    """A row of name_settings.sql."""

    item: str | None
    setting: str
    value: str


class Online(NamedTuple):
    """A row of online.sql."""

    resource: str
    time: datetime
    content_id: str
    line: int | None


class OwnEndpoints(NamedTuple):
    """A row of own_endpoints.sql."""

    host_id: str
    time: datetime
    content_id: str
    line: int | None
    event: str


class PartnersLast(NamedTuple):
    """A part of a row: PartnersLast."""

    replica: str | None
    ag: str | None
    kind: str | None
    is_connected: bool | None
    time: datetime | None


class Partners(NamedTuple):
    """A row of partners.sql."""

    host_id: str
    replica_host_id: str
    replica: str
    ag: str
    since: datetime | None
    last: PartnersLast | None


class Refused(NamedTuple):
    """A row of refused.sql."""

    source: str
    host_id: str
    number: int
    database: str
    n: int
    first: datetime
    last: datetime
    is_local: bool
    text: str
    content_id: str
    line: int | None


class Resolving(NamedTuple):
    """A row of resolving.sql."""

    source: str
    host_id: str
    n: int
    first: datetime
    last: datetime
    is_local: bool
    databases: list[str] | None
    text: str
    content_id: str
    line: int | None


class Resources(NamedTuple):
    """A row of resources.sql."""

    resource: str
    role: str
    state: str
    host_id: str | None
    time: datetime | None
    time_local: datetime | None
    content_id: str
    line: int | None


class Routes(NamedTuple):
    """A row of routes.sql."""

    ag: str
    replica: str
    priority: int | None
    routed_to: str
    connections_allowed: str | None
    routing_url: str | None
    time: datetime | None
    content_id: str
    line: int | None
