"""Rows of the queries of this folder. Written by tools/write_rows.py; do not edit."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple


class LoggedHost(NamedTuple):
    """A row of logged_host.sql."""

    host_id: str


class RedoWorker(NamedTuple):
    """A row of redo_worker.sql."""

    host: str
    database: str
    time: datetime
    event: str
    workers: str


class Report(NamedTuple):
    """A row of report.sql."""

    seeding_id: int
    role: str
    n: int
    until: datetime
    highest: float | None
    times: list[datetime] | None
    rates: list[float] | None


class StallBeside(NamedTuple):
    """A part of a row: StallBeside."""

    what: str | None
    start: datetime | None
    end: datetime | None
    where: str | None


class Stall(NamedTuple):
    """A row of stall.sql."""

    seeding_id: int
    is_wait: bool
    role: str
    host: str | None
    state: str
    start: datetime
    end: datetime
    seconds: float
    is_over: bool
    copied: int | None
    beside: list[StallBeside]


class Unplaced(NamedTuple):
    """A row of unplaced.sql."""

    host_id: str
    database: str | None
    ag: str | None
    message_id: int | None
    n: int
    first: datetime
    last: datetime
    place: str
    text: str
