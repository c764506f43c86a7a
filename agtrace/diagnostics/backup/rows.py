"""Rows of the queries of this folder. Written by tools/write_rows.py; do not edit."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple


class Alone(NamedTuple):
    """A row of alone.sql."""

    operation_id: int
    host_id: str
    start: datetime | None
    end: datetime | None
    start_local: datetime
    end_local: datetime
    file_names: list[str] | None
    device_names: str | None


class Buffers(NamedTuple):
    """A row of buffers.sql."""

    host_id: str | None
    sql_instance: str | None
    operation: str | None
    kind: str | None
    media: str | None
    stripes: int | None
    buffer_count: int
    max_transfer_size_kb: int | None
    sets_of_buffers: int | None
    total_mb: int | None
    total_matches: bool | None
    memory_limit_mb: int | None
    volumes: int | None
    has_options: bool | None
    compression: bool | None
    device_names: str | None
    command: str | None
    n: int
    first_time: datetime | None
    last_time: datetime | None
    first_local: datetime | None
    last_local: datetime | None
    version: str | None


class Counted(NamedTuple):
    """A row of counted.sql."""

    n: int
    databases: int
    with_buffers: int
    traced: int
    completed: int
    failed: int
    unfinished: int


class DatabasesOfGroups(NamedTuple):
    """A row of databases_of_groups.sql."""

    ag: str
    database_key: str
    database: str
    since: datetime | None


class Failures(NamedTuple):
    """A row of failures.sql."""

    host_key: str
    database_key: str
    operation_key: str
    kind_key: str
    host_id: str | None
    database: str | None
    what: str | None
    n: int
    first_time: datetime | None
    last_time: datetime | None
    first_local: datetime
    last_local: datetime
    last_texts: list[str] | None
    last_ids: list[int] | None
    twin: str | None
    twins: int
    texts: list[str] | None
    lines: list[int] | None
    unread: str | None
    devices: str | None
    buffer_count: int | None
    size_kb: int | None
    total_mb: int | None
    limit_mb: int | None
    is_of_seeding: bool
    role: str | None
    is_hushed: bool
    succeeded_local: datetime | None
    succeeded: datetime | None


class GroupMembers(NamedTuple):
    """A row of group_members.sql."""

    ag: str
    replica: str


class Preferred(NamedTuple):
    """A row of preferred.sql."""

    ag: str
    database_key: str
    kind: str
    n: int
    operation_id: int
    host_id: str | None
    sql_instance: str | None
    database: str
    server: str
    since: datetime | None
    end: datetime | None
    first_lsn: str | None
    last_lsn: str | None
    role: str | None
    has_secondary: bool
    preference: str | None
    priority: int | None
    first_place: str
    place: str


class Tde(NamedTuple):
    """A row of tde.sql."""

    host_id: str
    sql_instance: str | None
    database: str
    what: str
    n: int
    larger: int
    mb_per_s: float | None
    larger_mb_per_s: float | None
    first_time: datetime | None
    last_time: datetime | None
    first_local: datetime | None
    last_local: datetime | None
    place: str
    version: str | None


class Zeroed(NamedTuple):
    """A row of zeroed.sql."""

    host_id: str | None
    sql_instance: str | None
    content_id: str
    line: int
    path: str
    bytes: int | None
    time_local: datetime | None
    time: datetime | None
    seconds: float | None
    is_data: bool
    operation: str | None
    database: str | None
    place: int
    instant: str | None
