"""Ways of a database's log to a replica, made by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from agtrace.diagnostics.commit_latency.measured import Link, Spread
from agtrace.thresholds import Thresholds

LIMITS = Thresholds()
START = datetime(2024, 3, 5, 12, tzinfo=UTC)


def at(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


def spread(mean: float, slow: float | None = None, n: int = 30) -> Spread:
    """Times of which the median is the mean, p95 twice and p99 three times as long."""
    return Spread(n, mean, (mean, 2 * mean, 3 * mean), slow)


def link(
    hops: dict[str, float | Spread] | None = None, commit: float | Spread | None = 20.0, **more: Any
) -> Link:
    """Sales to SQL2, seen on both hosts for a minute; hops and commit by their means."""
    row: dict[str, Any] = {
        "group_database_id": "id-sales", "replica_id": "R2", "ag": "AG", "database": "Sales",
        "replica": "SQL2",
        "blocks": 300, "is_joined": True, "start": at(0), "end": at(60), "skew_ms": None, "spread_ms": None,
        "drift_ms_per_h": None, "drift_error_ms_per_h": None, "commit_mode": "synchronous", "watched": 100,
        "early": 0, "primary_host": "SQL1", "replica_host": "SQL2", "has_primary": True, "waiting_ms": None,
    }  # fmt: skip
    own = {name: more.pop(name) for name in list(more) if name in row}
    given: dict[str, Any] = {"wait": None, "outlasting": None, "common": None, "early_share": 0.5}
    parts = {
        name: each if isinstance(each, Spread) else spread(each)
        for name, each in (hops if hops is not None else {"remote harden": 12.0}).items()
    }
    whole = spread(commit) if isinstance(commit, int | float) else commit
    return Link(row | own, parts, whole, **given | more)
