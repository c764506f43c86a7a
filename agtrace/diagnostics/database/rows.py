"""Rows of the queries of this folder. Written by tools/write_rows.py; do not edit."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple


class Full(NamedTuple):
    """A row of full.sql."""

    fault: int
    stretch: str
    host_id: str
    sql_instance: str | None
    database: str
    reason: str | None
    start: datetime | None
    end: datetime | None
    start_local: datetime | None
    end_local: datetime | None
    entries: int
    content_id: str | None
    line: int | None
    reason_place: str | None
    path: str
    held_rank: int | None
    replica: str | None
    hop: str | None
    held_since: datetime | None
    held_bytes: float | None
    held_place: str | None
    write_ms: float | None
    writes_n: int | None
    ag: str | None
    used_bytes: float | None
    size_bytes: float | None
    growth: float | None
    samples: int | None
    growth_error: float | None
    late_growth: float | None
    volume: str | None


class NotRecovered(NamedTuple):
    """A row of not_recovered.sql."""

    host_id: str
    sql_instance: str | None
    database: str | None
    kind: str
    reason: str | None
    start: datetime | None
    end: datetime | None
    start_local: datetime | None
    end_local: datetime | None
    entries: int
    cause_error: int | None
    cause: str | None
    cause_line: int | None
    content_id: str | None
    line: int | None
    path: str
    back: datetime | None
    ag: str | None


class Recovered(NamedTuple):
    """A row of recovered.sql."""

    host_id: str
    sql_instance: str | None
    database: str
    start: datetime | None
    end: datetime | None
    start_local: datetime | None
    end_local: datetime | None
    seconds: int
    analysis_ms: int | None
    redo_ms: int | None
    undo_ms: int | None
    vlf_limit: int | None
    vlf_line: int | None
    promoted_local: datetime | None
    content_id: str | None
    line: int | None
    n: int
    path: str
    vlf_count: int | None
    vlf_place: str | None
    ag: str | None


class Reverting(NamedTuple):
    """A row of reverting.sql."""

    host_id: str
    sql_instance: str | None
    database: str
    start: datetime | None
    end: datetime | None
    start_local: datetime | None
    end_local: datetime | None
    samples: int
    first_bytes: float
    last_bytes: float
    slope: float | None
    slope_error: float
    total_bytes: float | None
    is_over: bool


class Shown(NamedTuple):
    """A row of shown.sql."""

    host_id: str
    database: str
    used_percent: float | None
    log_bytes: float | None
    reason: str | None
    vlf_count: int | None
    time: datetime | None
    time_local: datetime | None
    place: str
    ag: str | None


class Snapshots(NamedTuple):
    """A row of snapshots.sql."""

    ag: str | None
    database: str
    replica: str
    start: datetime | None
    end: datetime | None
    start_local: datetime | None
    end_local: datetime | None
    looks: int
    line: int | None
    path: str


class Traced(NamedTuple):
    """A row of traced.sql."""

    host_id: str
    database: str
    start: datetime
    end: datetime
    start_local: datetime | None
    end_local: datetime | None
    entries: int
    samples: int
    percent: float | None
    text: str
    path: str
    is_known: bool
    slope: float | None
    slope_error: float | None
