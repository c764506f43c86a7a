"""Waits, counters and blocks that cannot all be true."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from agtrace import thresholds
from agtrace.diagnostics.commit_latency.findings import subject, window
from agtrace.diagnostics.commit_latency.measured import Link
from agtrace.diagnostics.commit_latency.waited import Waited
from agtrace.diagnostics.finding import Evidence, Finding
from agtrace.diagnostics.words import md, number
from agtrace.history import View

APART = 2.0
"""Means that differ by more than this factor, and by more than `LEAST_MS`, cannot both be true."""
LEAST_MS = 1.0


def contradictions(
    view: View, sql: Callable[[str], str], links: list[Link], waits: list[Waited]
) -> list[Finding]:
    """Compare what events say of the waits of commits with counters and wait statistics."""
    found = []
    for database in {link.row["group_database_id"]: link for link in links}.values():
        if database.wait is None:
            continue
        for mean, source in _others(view, sql, database, waits):
            if _is_apart(database.wait.mean, mean):
                found.append(_finding(database, mean, source))
    return found


def _others(
    view: View, sql: Callable[[str], str], link: Link, waits: list[Waited]
) -> Iterator[tuple[float, str]]:
    """Give what else tells the mean wait of a commit, over the same time and host."""
    host = link.row["primary_host"]
    given = {"start": link.start, "end": link.end, "host": host, "database": link.database}
    (row,) = view.table(sql("counted.sql"), given).to_pylist()
    if row["mean"] is not None and row["n"] >= thresholds.of(view).usage_samples:
        yield row["mean"], f"Transaction Delay by Mirrored Write Transactions/sec of {host}, n = {row['n']}"  # fmt: skip
    for each in waits:
        if (
            each.host == host
            and each.start
            and each.end
            and each.start < link.end
            and each.end > link.start
        ):
            yield each.mean, f"HADR_SYNC_COMMIT of {host}, n = {each.n:,}"


def _is_apart(one: float, other: float) -> bool:
    return max(one, other) > APART * min(one, other) and abs(one - other) > LEAST_MS


def _finding(link: Link, mean: float, source: str) -> Finding:
    assert link.wait is not None
    events = f"hadr_db_commit_mgr_harden of {link.row['primary_host']}, n = {link.wait.n:,}"
    return Finding(
        "commit.contradiction",
        "warning",
        f"Two sources disagree on how long commits of {md(link.database)} wait",
        f"Events say {number(link.wait.mean, 'ms')} ({events}), the other source {number(mean, 'ms')} ({source}) for the "
        "same time. One of them is not what it seems: lost events, another window, or another database.",
        subject={key: value for key, value in subject(link).items() if key != "replica"},
        window=window(link),
        evidence=(
            Evidence("commit wait mean", link.wait.mean, "ms", events),
            Evidence("commit wait mean of the other source", mean, "ms", source),
        ),
        recommendation="Capture both over the same minutes again before anything is concluded from either.",
        confidence=0.7,
    )
