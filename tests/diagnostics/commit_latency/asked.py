"""Asks the queries of commits over tables of a few rows."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from agtrace.diagnostics import commit_latency
from agtrace.tables.history import RELATIONS
from tests.diagnostics.asking import ask as ask_of
from tests.diagnostics.commit_latency.made import at

SCHEMA = RELATIONS["log_blocks"]


def blocks(*rows: dict[str, Any]) -> pa.Table:
    """Blocks of Sales from SQL1 to SQL2, one a second; times in seconds."""
    made = []
    for n, row in enumerate(rows):
        known = {
            "ag": "AG", "database": "Sales", "group_database_id": "D1", "primary_host": "SQL1",
            "replica_host": "SQL2", "replica": "SQL2", "replica_id": "R2", "log_block_id": n, "attempt": 1,
            "bytes": 1000, "t_first": n, "joined": True,
        } | row  # fmt: skip
        times = {
            name: at(value) for name, value in known.items() if name.startswith("t_") and value is not None
        }
        made.append({**known, **times})
    return pa.Table.from_pylist(made, schema=SCHEMA)


def clock(**ahead_s: float) -> pa.Table:
    """Return the reference clock of hosts whose clocks are so many seconds ahead of it."""
    rows = [
        {"host_id": host, "reference_host": "R", "by_host": "R", "ahead_us": round(seconds * 1e6)}
        for host, seconds in ahead_s.items()
    ]
    return pa.Table.from_pylist(rows, schema=RELATIONS["reference_clock"])


def ask(query: str, asked: dict[str, Any] | None = None, **more: Any) -> list[dict[str, Any]]:
    return ask_of(commit_latency, query, asked, **{"reference_clock": clock(), **more})


def only(query: str, asked: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    (row,) = ask(query, asked, **more)
    return row
