"""Rows of the queries of this folder. Written by tools/write_rows.py; do not edit."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple


class Behind(NamedTuple):
    """A row of behind.sql."""

    host_id: str
    growth: float
    last_bytes: float | None
    start: datetime | None
    end: datetime | None


class Blockers(NamedTuple):
    """A row of blockers.sql."""

    host_id: str
    session_id: int | None
    client: str
    program: str
    login: str | None
    statement: str | None
    databases: list[str] | None
    looks: int
    longest_s: float | None
    open_s: int | None
    start: datetime | None
    end: datetime | None
    start_local: datetime | None
    end_local: datetime | None
    place: str


class Locks(NamedTuple):
    """A row of locks.sql."""

    host_id: str
    database: str
    n: int
    first: datetime | None
    last: datetime | None
    path: str


class Objects(NamedTuple):
    """A row of objects.sql."""

    host_id: str
    database: str
    object_id: int
    n: int


class Serial(NamedTuple):
    """A row of serial.sql."""

    host_id: str
    is_serial: bool
    place: str


class Snapshots(NamedTuple):
    """A row of snapshots.sql."""

    host_id: str
    cause: str
    types: list[str]
    looks: int
    tasks: int
    wait_ms: int | None
    start: datetime | None
    end: datetime | None
    start_local: datetime | None
    end_local: datetime | None
    place: str


class Threads(NamedTuple):
    """A row of threads.sql."""

    host_id: str
    version: int | None
    path: str
    threads: int
    most: int
    databases: int
    serial: list[str]
    growth: float | None
    start: datetime
    end: datetime


class Waited(NamedTuple):
    """A row of waited.sql."""

    host_id: str
    seconds: float
    start: datetime | None
    end: datetime | None
    start_local: datetime
    end_local: datetime
    intervals: int
    is_secondary: bool
    cause: str
    wait_type: str
    n: int | None
    wait_ms: float
    place: str
