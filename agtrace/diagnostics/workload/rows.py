"""Rows of the queries of this folder. Written by tools/write_rows.py; do not edit."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple


class MaxMemory(NamedTuple):
    """A row of max_memory.sql."""

    host: str
    mb: int
    start: datetime | None
    end: datetime | None
    source: str


class RoutingLists(NamedTuple):
    """A row of routing_lists.sql."""

    replica: str
    priority: int | None
    routed_to: str
    connections_allowed: str | None
    routing_url: str | None
    source: str


class StatedOptions(NamedTuple):
    """A row of stated_options.sql."""

    of: str
    option: str
    value: str
    source: str
