"""distributed.lag: how far each hop of a distributed group is behind, and which is the longest.

Sources: "Distributed availability groups", "Configure an Always On distributed availability group" and
"sys.dm_hadr_database_replica_states (Transact-SQL)" (last_commit_time, secondary_lag_seconds) of Microsoft's
documentation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from agtrace.diagnostics.distributed.hops import (
    COMMIT_LAG,
    DRAINED,
    LAG,
    LAG_MOST,
    QUEUE,
    QUEUE_SEEN,
    RATE,
    RATE_SEEN,
    REDO,
    SECONDARY_LAG,
    Hop,
    Row,
    drained,
    is_still,
    known,
    lag_of,
)
from agtrace.diagnostics.distributed.rows import Looks, Streams
from agtrace.measures import Measured, quoted
from agtrace.say.finding import window
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

AnyRow = TypeVar("AnyRow", Streams, Looks)
BOTH_ENDS, ONE_END, AT_A_LOOK = 0.9, 0.7, 0.7
"""Confidence of a lag measured against the log flushed by the sender; by the receiver alone or with clocks
that cannot be compared; at a single moment."""
SHOWN = 5
"""Databases of a hop shown as evidence, the one furthest behind first."""


def lags(found: Iterable[Hop], links: Mapping[str, bool], limits: Thresholds) -> list[Judged]:
    """Judge each hop.

    Parameters
    ----------
    links
        Whether a distributed group is the link of a managed instance, by its name.
    """
    by_group: dict[str, list[Hop]] = defaultdict(list)
    for hop in found:
        by_group[hop.dag].append(hop)
    return [
        _lag(hop, own, links.get(dag, False), limits)
        for dag, own in by_group.items()
        for hop in own
        if hop.lag is not None or is_still(hop.worst)
    ]


def longest(own: Iterable[Hop]) -> Hop | None:
    """Return the hop furthest behind; None if fewer than two are known, or all are equal."""
    seen = [hop for hop in own if hop.lag is not None]
    still = [hop for hop in own if is_still(hop.worst)]
    if len(still) == 1:
        return still[0]
    if len(seen) < 2 or still:
        return None
    first, second = sorted(seen, key=lambda hop: -known(hop.lag))[:2]
    return first if known(first.lag) > known(second.lag) else None


def _lag(hop: Hop, own: list[Hop], is_link: bool, limits: Thresholds) -> Judged:
    row, lag = hop.worst, hop.lag
    seen = row if isinstance(row, Streams) else None
    look = row if isinstance(row, Looks) else None
    has_sender = seen is not None and seen.has_sender
    stands, is_behind = lag is None, lag is not None and lag >= limits.rpo_s
    first, last, is_local = _window(row)
    others = [other for other in own if other is not hop]
    is_longest = longest(own) is hop
    return Judged(
        said=f"lag.{'still' if stands else 'behind' if is_behind else 'level'}",
        id="distributed.lag",
        severity="warning" if stands else "notice" if is_behind else "info",
        # A host that was not captured may appear by the name of its group, which is not a host.
        subject={"ag": hop.dag, "host": hop.sender if look or has_sender else "",
                 "replica": hop.receiver, "database": row.database},
        window={} if first is None else window(first, last, is_local=is_local),
        confidence=_sure(hop),
        evidence=tuple(_evidence(hop)),
        facts={
            "dag": hop.dag, "ag": hop.ag, "is_link": is_link, "is_between": hop.is_between,
            "sender": hop.sender, "receiver": hop.receiver, "database": row.database,
            "databases": len(hop.rows), "is_group": look is not None and look.is_group,
            "lag": lag, "most": seen and seen.lag_max_s, "step": seen and _step(seen),
            "queue": row.queue, "rate": row.rate, "grows": known(seen and seen.growth) > 0,
            "is_look": not hop.seen, "at": last, "reason": look and look.suspend_reason,
            "is_suspended": look is not None and look.is_suspended, "is_longest": is_longest,
            "weaker": _weaker(hop),
            "others": [{"name": other.name, "lag": other.lag, "is_still": is_still(other.worst)}
                       for other in others],
            "forwards": any(not other.is_between for other in own),
            "has_sender": has_sender, "limit": limits.rpo_s,
        },
    )  # fmt: skip


def _sure(hop: Hop) -> float:
    row = hop.worst
    if isinstance(row, Looks):
        return AT_A_LOOK
    return BOTH_ENDS if row.has_sender and row.is_aligned else ONE_END


def _window(row: Row) -> tuple[Any, Any, bool]:
    if isinstance(row, Looks):
        at = row.time or row.time_local
        return at, at, row.time is None
    if row.start is None:
        return row.start_local, row.end_local, True
    return row.start, row.end, False


def _weaker(hop: Hop) -> dict[str, object] | None:
    """Return evidence from snapshots of a hop that was judged by its counters."""
    shown = [look for look in hop.looked if lag_of(look) is not None] if hop.seen else []
    if not shown:
        return None
    worst = max(shown, key=lambda look: known(lag_of(look)))
    return {"lag": lag_of(worst), "at": worst.time or worst.time_local}


def _step(row: Streams) -> float | None:
    """Return the mean sampling interval of a hop in seconds; None for a single sample."""
    first, last, _is_local = _window(row)
    return (last - first).total_seconds() / (row.samples - 1) if row.samples > 1 else None


def _evidence(hop: Hop) -> Iterable[Measured]:
    for row in _shown(hop.seen):
        source = f"perfmon of {hop.receiver}, {row.database}, n = {row.samples}"
        name = row.database
        if lag_of(row) is not None:
            yield LAG(lag_of(row), source, name)
            yield LAG_MOST(row.lag_max_s, source, name)
        yield QUEUE(row.queue, source, name)
        if row.rate is not None:
            yield RATE(row.rate, source, name)
        if row.redo_queue is not None:
            yield REDO(row.redo_queue, source, name)
    for look in _shown(hop.looked):
        numbers = (
            (COMMIT_LAG, look.commit_lag_s),
            (SECONDARY_LAG, look.secondary_lag_s),
            (QUEUE_SEEN, look.queue),
            (RATE_SEEN, look.rate),
            (DRAINED, drained(look)),
        )
        for measure, value in numbers:
            if value is not None:
                yield measure(value, look.place, look.database)
        if look.is_suspended:
            yield quoted(f"{look.database}: suspended", look.suspend_reason or "yes", look.place)


def _shown(rows: Iterable[AnyRow]) -> list[AnyRow]:
    return sorted(rows, key=lambda row: (not is_still(row), -known(lag_of(row)), row.database))[:SHOWN]
