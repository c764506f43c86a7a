"""Rows of the queries of this folder. Written by tools/write_rows.py; do not edit."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple


class CommitWaits(NamedTuple):
    """A row of commit_waits.sql."""

    group_database_id: str
    n: int
    mean: float
    quantiles: list[float]


class Common(NamedTuple):
    """A row of common.sql."""

    group_database_id: str
    replica_id: str | None
    n: int
    slow_bytes: float | None
    bytes: float | None
    minute: datetime
    in_minute: int
    minutes: int
    hour: datetime
    in_hour: int
    hours: int
    databases: int
    slow_there: int
    share_of_slow: float
    share_of_all: float


class Counted(NamedTuple):
    """A row of counted.sql."""

    mean: float | None
    n: int


class Explained(NamedTuple):
    """A row of explained.sql."""

    host_id: str
    sql_instance: str
    start: datetime | None
    end: datetime | None
    start_local: datetime
    end_local: datetime
    seconds: float
    commits: int
    commit_ms: float
    writes: int | None
    write_ms: float | None
    log_buffer_ms: float
    flow_control_ms: float
    catch_up_ms: float
    threads_ms: float
    replica: str | None
    queue_bytes: float | None
    samples: int | None


class Groups(NamedTuple):
    """A row of groups.sql."""

    host_id: str
    ag: str


class Hops(NamedTuple):
    """A row of hops.sql."""

    group_database_id: str
    replica_id: str | None
    hop: str
    n: int
    mean: float
    slow_mean: float | None
    quantiles: list[float]


class Links(NamedTuple):
    """A row of links.sql."""

    group_database_id: str
    replica_id: str | None
    ag: str | None
    database: str | None
    replica: str | None
    primary_host: str | None
    replica_host: str | None
    commit_mode: str | None
    is_joined: bool
    has_primary: bool
    has_replica: bool
    blocks: int
    start: datetime
    end: datetime
    skew_ms: float | None
    spread_ms: float | None
    drift_hours: list[float] | None
    drift_ahead: list[float] | None
    watched: int
    early: int
    waiting_ms: float | None


class OverTime(NamedTuple):
    """A row of over_time.sql."""

    database: str
    replica: str
    time: datetime
    n: int
    p50: float
    p95: float
    p99: float


class Waited(NamedTuple):
    """A row of waited.sql."""

    host: str
    n: int
    mean: float
    start: datetime | None
    end: datetime | None
    writes: int
    write_mean: float | None
    write_source: str


class Waits(NamedTuple):
    """A row of waits.sql."""

    host_id: str
    n: int | None


class WaitsAndCounters(NamedTuple):
    """A row of waits_and_counters.sql."""

    host: str
    sql_instance: str
    start: datetime
    end: datetime
    waited: float | None
    waits: int
    other: float | None
    n: int


class WaitsAndEvents(NamedTuple):
    """A row of waits_and_events.sql."""

    host: str
    sql_instance: str
    start: datetime
    end: datetime
    waited: float | None
    waits: int
    other: float | None
    n: int
