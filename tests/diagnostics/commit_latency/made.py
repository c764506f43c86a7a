"""Ways of a database's log to a replica, made by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from agtrace.diagnostics.commit_latency import judge
from agtrace.diagnostics.commit_latency.beside import Beside
from agtrace.diagnostics.commit_latency.measured import Drift, Link, Spread
from agtrace.diagnostics.commit_latency.rows import Common, Explained, Links, Waited
from agtrace.diagnostics.commit_latency.waiting import Stretch
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds
from tests.diagnostics.asking import record

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
    row = record(
        Links,
        group_database_id="id-sales", replica_id="R2", ag="AG", database="Sales", replica="SQL2",
        blocks=300, is_joined=True, start=at(0), end=at(60), commit_mode="synchronous", watched=100, early=0,
        primary_host="SQL1", replica_host="SQL2", has_primary=True,
    )  # fmt: skip
    own = {name: more.pop(name) for name in list(more) if name in Links._fields}
    given: dict[str, Any] = {"wait": None, "outlasting": None, "common": None, "early_share": 0.5}
    parts = {
        name: each if isinstance(each, Spread) else spread(each)
        for name, each in (hops if hops is not None else {"remote harden": 12.0}).items()
    }
    whole = spread(commit) if isinstance(commit, int | float) else commit
    return Link(row._replace(**own), parts, whole, **given | {"drift": Drift()} | more)


def hop(of: Link, *others: Link, busy: tuple[Beside, ...] = ()) -> Judged:
    made = judge.hop(of, list(others), busy, LIMITS)
    assert made is not None
    return made


WAITED = Waited(
    host="SQL1", n=1234, mean=7.5, start=at(0), end=at(60), writes=5678, write_mean=1.5,
    write_source="WRITELOG of SQL1",
)  # fmt: skip


def stretch(host: str, waited_ms: float, queue: float | None) -> Stretch:
    row = record(
        Explained,
        host_id=host, start=at(0), end=at(60), seconds=60.0, commits=100, commit_ms=waited_ms, writes=10,
        write_ms=5.0, queue_bytes=queue, replica="SQL2", samples=1500,
    )  # fmt: skip
    return Stretch([row], "replica")


TOLD = Common(
    "id-sales", "R2", n=20, slow_bytes=1000, bytes=1000, minute=at(0), in_minute=1, minutes=20, hour=at(60),
    in_hour=20, hours=1, databases=2, slow_there=40, share_of_slow=0.3, share_of_all=0.3,
)  # fmt: skip
