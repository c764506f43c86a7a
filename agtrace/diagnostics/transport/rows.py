"""Rows of the queries of this folder. Written by tools/write_rows.py; do not edit."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple


class BlockedRedo(NamedTuple):
    """A row of blocked_redo.sql."""

    host_id: str
    at: float | None
    database: str | None
    session_id: int | None
    waited_s: float | None
    client: str | None
    program: str | None
    statement: str | None
    place: str


class Halted(NamedTuple):
    """A row of halted.sql."""

    ag: str | None
    replica: str | None
    replica_id: str | None
    who: str
    database: str | None
    database_id: int | None
    host_id: str | None
    reason: str | None
    is_primary: bool
    is_own: bool
    first: datetime | None
    first_local: datetime | None
    last: datetime | None
    last_local: datetime | None
    hardened: datetime | None
    lag_s: int | None
    send_queue_kb: int | None
    redo_queue_kb: int | None
    place: str


class Recoveries(NamedTuple):
    """A row of recoveries.sql."""

    host_id: str | None
    database: str
    seconds: int
    is_failover: bool
    end: datetime | None
    end_local: datetime | None
    place: str
    n: int
