"""Rows of the queries of this folder. Written by tools/write_rows.py; do not edit."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple


class Captures(NamedTuple):
    """A row of captures.sql."""

    path: str
    kind: str | None
    reader: str | None
    status: str
    reason: str | None
    rows: int | None
    bytes: int | None
    capture_id: str
    content_id: str | None
    host: str | None
    host_source: str | None
    first_time: datetime | None
    last_time: datetime | None
    first_local: datetime | None
    last_local: datetime | None
    shown_first: datetime | None
    shown_last: datetime | None
    local_only: bool
    superseded: bool


class Collections(NamedTuple):
    """A row of collections.sql."""

    path: str
    tool_version: str | None
    scenarios: str | None


class Copies(NamedTuple):
    """A row of copies.sql."""

    host_id: str


class DatabaseFiles(NamedTuple):
    """A row of database_files.sql."""

    host: str
    volume: str
    files: int
    databases: int
    path: str
    line: int | None


class ErrorlogGaps(NamedTuple):
    """A row of errorlog_gaps.sql."""

    path: str
    host: str
    content_id: str
    gap_from: datetime
    gap_to: datetime
    missing_s: float


class Filters(NamedTuple):
    """A row of filters.sql."""

    host: str
    filter: str
    volume: str
    altitude: float
    path: str
    line: int | None


class Gaps(NamedTuple):
    """A row of gaps.sql."""

    path: str
    host: str
    content_id: str
    gap_from: datetime
    gap_to: datetime
    interval_s: float
    missing_s: float
    missing_rows: int


class Hosts(NamedTuple):
    """A row of hosts.sql."""

    host: str
    also_called: str | None
    zone: str | None
    captures: int
    first_time: datetime | None
    last_time: datetime | None
    known_from: str | None


class Issues(NamedTuple):
    """A row of issues.sql."""

    path: str | None
    severity: str
    kind: str
    message: str
    times: int
    first_offset: int | None


class KindsByHost(NamedTuple):
    """A row of kinds_by_host.sql."""

    host: str
    named_by: str | None
    perfmon: bool
    errorlog: bool
    tcp_settings: bool


class LogSetBack(NamedTuple):
    """A row of log_set_back.sql."""

    path: str
    host: str
    line: int
    before: datetime
    after: datetime
    back_s: float
    last_right: datetime | None
    first_line: int | None
    end_line: int | None
    first_ahead: datetime | None
    ahead: int


class NamedReplicas(NamedTuple):
    """A row of named_replicas.sql."""

    replica: str


class PowerPlans(NamedTuple):
    """A row of power_plans.sql."""

    host: str
    plan: str | None
    guid: str | None
    path: str
    line: int | None


class SetBack(NamedTuple):
    """A row of set_back.sql."""

    path: str
    host: str
    before: datetime
    back_s: float


class Skew(NamedTuple):
    """A row of skew.sql."""

    host_id: str
    other_host_id: str
    ms: float | None
    spread_ms: float | None
    n: int
    method: str
    first_time: datetime
    last_time: datetime


class Unclocked(NamedTuple):
    """A row of unclocked.sql."""

    path: str
    host: str
    what: str
    total: int
    unknown: int
    first_local: datetime
    last_local: datetime


class UnknownHosts(NamedTuple):
    """A row of unknown_hosts.sql."""

    path: str
    why: str | None
    is_kept: bool
    machines: int


class Unmapped(NamedTuple):
    """A row of unmapped.sql."""

    object: str
    counter: str
    series: int
    hosts: str | None
    example: str | None
