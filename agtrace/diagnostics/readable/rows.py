"""Rows of the queries of this folder. Written by tools/write_rows.py; do not edit."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple


class Behind(NamedTuple):
    """A row of behind.sql."""

    host_id: str
    growth: float
    start: datetime | None
    end: datetime | None


class Full(NamedTuple):
    """A row of full.sql."""

    host_id: str
    sql_instance: str
    start: datetime | None
    end: datetime | None
    start_local: datetime
    end_local: datetime
    not_added: int
    victims: int
    ended: int
    no_space: int
    place: str
    space_place: str | None
    victim_s: int | None
    victim: int | None
    is_primary_too: bool


class Ghosts(NamedTuple):
    """A row of ghosts.sql."""

    host_id: str
    skipped: float | None
    n: int
    before: float | None


class Growths(NamedTuple):
    """A row of growths.sql."""

    host_id: str
    sql_instance: str
    stretch: int
    start: datetime | None
    end: datetime | None
    start_local: datetime
    end_local: datetime
    samples: int
    first_bytes: float
    last_bytes: float
    max_bytes: float
    growth: float
    is_primary_too: bool
    is_readable: bool
    is_secondary: bool
    source: str
    late_growth: float | None
    free_bytes: float | None
    longest_s: float | None
    generated: float | None
    cleaned: float | None
    is_over: bool


class Marks(NamedTuple):
    """A row of marks.sql."""

    host: str
    database: str
    first: datetime
    last: datetime
    looks: int
    is_still: bool


class Readers(NamedTuple):
    """A row of readers.sql."""

    host_id: str
    sql_instance: str | None
    session_id: int | None
    client: str
    program: str
    begun: datetime | None
    login: str | None
    statement: str | None
    is_snapshot: bool | None
    seconds: int | None
    last_local: datetime | None
    place: str


class Series(NamedTuple):
    """A row of series.sql."""

    host_id: str
    sql_instance: str
    counter: str
    time: datetime
    value: float


class Statistics(NamedTuple):
    """A row of statistics.sql."""

    host_id: str
    database: str
    n: int
    tables: int
    time: datetime | None
    time_local: datetime
    updated_local: datetime | None
    place: str
    most: list[str]


class Versioning(NamedTuple):
    """A row of versioning.sql."""

    host_id: str
    n: int
    longest_ms: int | None
    start: datetime | None
    end: datetime | None
    start_local: datetime | None
    end_local: datetime | None
    databases: list[str] | None
    place: str


class Waited(NamedTuple):
    """A row of waited.sql."""

    host_id: str
    wait_type: str
    n: int
    wait_ms: float
    seconds: float
    start: datetime
    end: datetime
    place: str
