"""Rows of the queries of this folder. Written by tools/write_rows.py; do not edit."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple


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
