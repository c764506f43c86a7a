"""health.frozen: databases that a snapshot backup froze (3197 to 3198), against commits and the lease."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from agtrace.diagnostics.health.group_history import NOT_KNOWN, GroupHistory, kind_of
from agtrace.diagnostics.health.measures import COUNTED
from agtrace.diagnostics.health.rows import Frozen, Settings, Timeline
from agtrace.measures import Measure, Measured
from agtrace.say.finding import window
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

LONGEST = Measure("longest_freeze_s", "longest freeze of {database}, n = {n:,}", "s", "of a snapshot backup")
COMMITS = Measure("transactions_per_s", "transactions of {database} {when}", "transactions/s")
SHOWN = 5
AFTER = timedelta(seconds=5)
"""How long after a freeze an event can be its consequence."""
LOST = (
    "lease_expired", "lease_lost", "lease_no_signal", "lease_renewal_failed", "health_timeout",
    "health_error", "connection_timeout", "long_io", "database_disconnected",
)  # fmt: skip
"""Events that a freeze can cause."""


def frozen(
    history: GroupHistory, rows: Iterable[Frozen], settings: Iterable[Settings], limits: Thresholds
) -> list[Judged]:
    """Judge the freezes of each host.

    Parameters
    ----------
    rows, settings
        Rows of frozen.sql and settings.sql.
    """
    leases = [row.value for row in settings if row.setting == "LeaseTimeout"]
    lease_ms = min((int(each) for each in leases if str(each).isdigit()), default=limits.lease_ms)
    by_host = groupby(rows, key=attrgetter("host_id"))
    return [_judged(host, list(own), history, lease_ms / 1000) for host, own in by_host]


def _judged(host: str, rows: list[Frozen], history: GroupHistory, lease_s: float) -> Judged:
    open_ = [row for row in rows if row.seconds is None]
    longest = sorted(_longest(rows), key=lambda each: -each.seconds)
    events = _consequences(host, rows, history)
    worst = longest[0].seconds if longest else 0.0
    severity = "warning" if events or open_ else "notice" if worst >= lease_s / 2 else "info"
    starts = [row.start for row in rows if row.start is not None]
    is_local = len(starts) < len(rows)
    edges = [row.start_local for row in rows] if is_local else starts
    first, last = min(edges), max(edges)
    evidence: list[Measured] = []
    for row, seconds, n in longest[:SHOWN]:
        place = history.place(row.content_id, row.line)
        evidence.append(LONGEST.about(database=row.database, n=n)(seconds, place))
    for row, _seconds, _n in longest[:SHOWN]:
        if row.before is not None and row.frozen is not None:
            source = f"perfmon of {host}, SQLServer:Databases({row.database})\\Transactions/sec"
            for when, rate in (("before", row.before), ("frozen", row.frozen)):
                evidence.append(COMMITS.about(database=row.database, when=when)(rate, source))
    facts: dict[str, Any] = {
        "host": host or NOT_KNOWN,
        "is_primary": _is_primary(host, history),
        "n": len(rows),
        "first": first,
        "last": last,
        "longest": [each.row._asdict() | {"n": each.n} for each in longest[:SHOWN]],
        "worst": worst,
        "lease_s": lease_s,
        "open": [row.database for row in open_],
        "events": [f"{kind_of(row.kind)}: {row.text or ''}" for row in events][:SHOWN],
        "kinds": sorted({kind_of(row.kind) for row in events}),
    }
    return Judged(
        said="frozen",
        id="health.frozen",
        severity=history.graded(severity, host),
        subject={"host": host} if host else {},
        window=window(first, last, is_local=is_local),
        evidence=(*evidence, *map(history.entry, events[:SHOWN])) or (_counted(rows, history),),
        confidence=COUNTED,
        facts=facts,
    )


def _counted(rows: list[Frozen], history: GroupHistory) -> Measured:
    place = history.place(rows[0].content_id, rows[0].line)
    return Measure("freezes", "freezes", "entries", "that did not end")(len(rows), place)


class Longest(NamedTuple):
    """The longest freeze of a database, and how many it had."""

    row: Frozen
    seconds: float
    n: int


def _longest(rows: list[Frozen]) -> list[Longest]:
    """Return the longest freeze of each database, with how many it had."""
    found: dict[str, Longest] = {}
    for row in rows:
        if row.seconds is None:
            continue
        own = found.setdefault(row.database, Longest(row, row.seconds, 0))
        longer = Longest(row, row.seconds, own.n) if row.seconds > own.seconds else own
        found[row.database] = longer._replace(n=own.n + 1)
    return list(found.values())


def _consequences(host: str, rows: list[Frozen], history: GroupHistory) -> list[Timeline]:
    found: dict[tuple[Any, ...], Timeline] = {}
    for row in rows:
        if row.start is None or row.end is None:
            continue
        since, until = row.start, row.end + AFTER
        for kind in LOST:
            for event in history.kinds_of_host.between(since, until, kind, host):
                found.setdefault((event.time, event.kind, event.text), event)
    return sorted(found.values(), key=lambda event: event.time)


def _is_primary(host: str, history: GroupHistory) -> bool:
    """Return whether the last known role of a host is primary."""
    last = [row for row in history.of("replica_state") if row.host_id == host][-1:]
    return any(row.after == "PRIMARY_NORMAL" for row in last)
