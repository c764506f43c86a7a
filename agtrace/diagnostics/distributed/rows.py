"""Rows of the queries of this folder. Written by tools/write_rows.py; do not edit."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple


class Links(NamedTuple):
    """A row of links.sql."""

    dag: str
    is_link: bool


class Looks(NamedTuple):
    """A row of looks.sql."""

    dag: str
    ag: str
    is_between: bool
    sender: str
    receiver: str
    is_group: bool
    database: str
    time: datetime | None
    time_local: datetime | None
    queue: int | None
    rate: int | None
    redo_queue: int | None
    secondary_lag_s: int | None
    commit_lag_s: float | None
    is_suspended: bool
    suspend_reason: str | None
    place: str


class Streams(NamedTuple):
    """A row of streams.sql."""

    dag: str
    ag: str
    is_between: bool
    sender: str
    receiver: str
    has_sender: bool
    is_aligned: bool | None
    database: str
    start: datetime | None
    end: datetime | None
    start_local: datetime | None
    end_local: datetime | None
    samples: int
    queue: float
    queue_max: float | None
    growth: float | None
    rate: float | None
    redo_queue: float | None
    lag_s: float | None
    lag_max_s: float | None
    is_still: bool
