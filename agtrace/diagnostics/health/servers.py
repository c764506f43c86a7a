"""health.long_io, health.lease, health.restart and health.standstill: what happened to single servers.

Of a restart: how the instance had ended, and between which bounds. Of a standstill: for how long, of what,
and who kept running.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta

from agtrace.diagnostics.health.group_history import OPEN, GroupHistory, amount, kind_of, route
from agtrace.diagnostics.health.measures import BOUNDED, COUNTED, ENTRIES, ONE_END, SEEN
from agtrace.diagnostics.health.rows import Failovers, Restarts, Spanned, Standstills, Timeline
from agtrace.diagnostics.health.things import names
from agtrace.measures import Measure, Measured, quoted
from agtrace.say import words
from agtrace.say.finding import window
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

STRAINS = (
    "lease_no_cluster_signal", "dump", "deadlocked_schedulers", "non_yielding", "processors_busy",
    "memory_low", "memory_paged_out", "long_io",
)  # fmt: skip
MOST_STRAINED = 4
LATE_S = 1.0
MOST_LATE = timedelta(hours=1)
"""Time after a failover within which its lease is looked up: few machines are paused for longer."""
WAKES = timedelta(seconds=60)
"""A lease entry this soon after the group was taken away is a consequence."""
BEFORE = timedelta(seconds=120)
"""How long before a lease expired the loss of the primary may have started."""
STRAINED = timedelta(seconds=150)
"""How long before a lease expired the load of its host counts: an interval of 70 s ends before it."""
AFTER = timedelta(seconds=30)
"""How long after a lease expired the loss of the primary may start."""

LONGEST = Measure("longest_ms", "longest", "ms", "of the reads and writes that took longer than 15 seconds")

ASKED = ("stopped", "shutdown")
STOPS = {"stop_requested": "stopped", "system_shutdown": "shutdown"}
"""How an instance ended, by the kind of event that requested it."""
SLACK = timedelta(seconds=5)
"""A start logs its node between its first and last entry, give or take this much."""

AWAY = Measure("away_s", "time away", "s", "from the request to stop until clients could connect again")
AT_MOST = Measure(
    "away_at_most_s", "time away, at most", "s", "from the last sign of life until clients could connect"
)
AT_LEAST = Measure(
    "away_at_least_s", "time away, at least", "s", "from the first proof that it had ended until then"
)


def long_io(history: GroupHistory, spanned: Iterable[Spanned] = ()) -> list[Judged]:
    """Judge each host with message 833, except messages written when it resumed.

    Parameters
    ----------
    spanned
        Rows of spanned.sql: requests that span a suspension of their machine.
    """
    suspended = {(row.content_id, row.line) for row in spanned}
    of_host: dict[str, list[Timeline]] = defaultdict(list)
    for row in history.of("long_io"):
        if row.host_id and any(w.source == "ERRORLOG" for w in row.witnesses):
            of_host[row.host_id].append(row)
    found = []
    for host, written in sorted(of_host.items()):
        rows = [
            row
            for row in written
            if stood_until(history, host, row.time) is None
            and suspended.isdisjoint((w.content_id, w.line) for w in row.witnesses)
        ]
        if rows:
            found.append(_slow(host, rows, len(written) - len(rows), history))
    return found


def _slow(host: str, rows: list[Timeline], asleep: int, history: GroupHistory) -> Judged:
    first, last = rows[0], rows[-1]
    longest = max(rows, key=amount)
    value = longest.value
    return Judged(
        said="long_io",
        id="health.long_io",
        severity="warning",
        subject={"host": host},
        window=window(first.time, last.time),
        evidence=(
            ENTRIES(len(rows), history.sources(first)),
            LONGEST(value, history.sources(longest)),
            history.entry(longest, "its text"),
        ),
        confidence=COUNTED,
        facts={
            "host": host,
            "entries": len(rows),
            "asleep": asleep,
            "longest": value / 1000 if value else None,
            "files": names(rows),
            "first": first,
            "last": last,
        },
    )


def leases(history: GroupHistory) -> list[Judged]:
    """Judge each expired lease; if its failover explains it, it belongs to that."""
    found = []
    for row in history.of("lease_expired"):
        before_it, led = _came_before(row, history), _led_to(row, history)
        failovers = [*before_it, *([led] if led else [])]
        if all(why in (OPEN, "lease_expired") for one in failovers for why in (one.trigger, one.cause)):
            found.append(_lease(row, before_it, led, history))
    return found


def _lease(row: Timeline, before_it: list[Failovers], led: Failovers | None, history: GroupHistory) -> Judged:
    failover = led or next(iter(before_it), None)
    strain = _strain(row, history)[:MOST_STRAINED]
    entries = [
        Measure(each.kind, kind_of(each.kind), each.unit or "")(each.value, history.sources(each))
        if each.value
        else history.entry(each)
        for each in strain
    ]
    late = amount(row)
    return Judged(
        said="lease",
        id="health.lease",
        severity="info" if failover else "warning",
        subject={"ag": row.ag or "", "host": row.host_id or ""},
        window=window(row.time, row.time),
        evidence=(history.entry(row, "lease expired"), *entries),
        confidence=COUNTED,
        facts={
            "group": row.ag,
            "host": row.host_id,
            "time": row.time,
            "late": late if late >= LATE_S else 0.0,
            "led": bool(led),
            "route": route(failover) if failover else "",
            "back": failover.end if failover else None,
            "is_exact": failover is not None and failover.seconds_without_primary is not None,
            "strain": [f"{kind_of(each.kind)}: {each.text}" for each in strain],
            "strained": sorted({each.kind for each in strain}),
            "left_role": _left_role(row, history),
        },
    )


def _left_role(lease: Timeline, history: GroupHistory) -> bool:
    """Return whether the primary left its role when its lease expired."""
    near = history.replica_states.between(lease.time - AFTER, lease.time + BEFORE, lease.host_id, lease.ag)
    return any(one.before == "PRIMARY_NORMAL" for one in near)


def _came_before(lease: Timeline, history: GroupHistory) -> list[Failovers]:
    """Return the failovers that took the group from a lease's host before it logged that or left its role."""
    found = []
    for row in history.failovers_near(lease.ag, lease.time - MOST_LATE, lease.time + WAKES):
        if row.from_host != lease.host_id:
            continue
        start, end = history.span(row)
        left = _left(row, history)
        incident = history.incident_of.get(row.failover_id)
        until = max(end + WAKES, incident.end) if incident else end + WAKES
        in_time = start <= lease.time <= until and row.trigger != "lease_expired"
        if in_time or (left is not None and abs(left - lease.time) <= WAKES):
            found.append(row)
    return found


def _left(failover: Failovers, history: GroupHistory) -> datetime | None:
    """Return when the old primary itself left its role, which it may log long after."""
    host = failover.from_host
    own = [one.time for one in failover.reasons if one.kind == "replica_state" and one.host_id == host]
    return min(own, default=None)


def _led_to(lease: Timeline, history: GroupHistory) -> Failovers | None:
    """Return the failover caused by an expired lease: a server that did not run logs it late."""
    ran_out = lease.time - timedelta(seconds=amount(lease))
    since, until = ran_out - BEFORE, ran_out + AFTER
    for row in history.failovers_near(lease.ag, since, lease.time + WAKES):
        if row.from_host != lease.host_id or row.trigger != "lease_expired":
            continue
        left = _left(row, history)
        if since <= history.span(row)[0] <= until or (left is not None and abs(left - lease.time) <= WAKES):
            return row
    return None


def _strain(lease: Timeline, history: GroupHistory) -> list[Timeline]:
    since, until, host = lease.time - STRAINED, lease.time, lease.host_id
    near = (history.kinds_of_host.between(since, until, kind, host)[-1:] for kind in STRAINS)
    return sorted((row for rows in near for row in rows), key=lambda row: row.time)


def restarts(history: GroupHistory) -> list[Judged]:
    """Judge each restart of an instance."""
    return [_restart(row, history) for row in history.restarts]


def _restart(row: Restarts, history: GroupHistory) -> Judged:
    kind, host = row.kind, row.host_id
    ready, gone = row.ready, row.gone_by
    start = row.asked or row.last_sign or gone
    at_most, at_least = (ready - start).total_seconds(), (ready - gone).total_seconds()
    place = history.place(row.content_id, row.line, "ERRORLOG")
    several = len(history.coverage.instances(host)) > 1
    times = [AWAY(at_most, place)] if kind in ASKED else [AT_MOST(at_most, place), AT_LEAST(at_least, place)]
    moved = _moved(row, history)
    subject = {"host": host, "kind": kind}
    if several:
        subject["instance"] = row.sql_instance or ""
    return Judged(
        said="restart",
        id="health.restart",
        severity=history.graded("warning" if kind == "died" else "notice", host),
        subject=subject,
        window=window(start, ready),
        evidence=(*times, *_entries(row, history), *([moved] if moved else [])),
        confidence=SEEN if kind in ASKED else BOUNDED if kind == OPEN else ONE_END,
        facts=row._asdict()
        | {
            "asked_for": ASKED, "server": f"{host}\\{row.sql_instance}" if several else host,
            "start": start, "at_most": at_most, "at_least": at_least, "last_sign_by": _by(row),
            "gone_by_what": kind_of(row.gone_by_what), "platform": history.platforms.get(host, ""),
            "moved": moved.value if moved else "",
        },
    )  # fmt: skip


def stops(history: GroupHistory) -> list[Judged]:
    """Judge each instance that was requested to stop and has no recorded start afterwards."""
    last: dict[tuple[str, frozenset[str]], Timeline] = {}
    for row in history.of(*STOPS):
        host, at = row.host_id, row.time
        if host and not any(
            _is_start_of(each, row, history) for each in history.restarts if each.ready >= at
        ):
            key = (host, frozenset(history.instances_of(row)))
            last[key] = row if key not in last or last[key].time > row.time else last[key]
    return [_stop(row, history) for _key, row in sorted(last.items(), key=lambda one: one[1].time)]


def _is_start_of(restart: Restarts, stop: Timeline, history: GroupHistory) -> bool:
    """Return whether a restart belongs to the stopped instance, as far as known."""
    own = history.instances_of(stop)
    return restart.host_id == stop.host_id and (not own or (restart.sql_instance or "") in own)


def _stop(row: Timeline, history: GroupHistory) -> Judged:
    host, kind = row.host_id or "", STOPS[row.kind]
    own = history.instances_of(row)
    several = len(history.coverage.instances(host)) > 1 and len(own) == 1
    subject = {"host": host, "kind": kind} | ({"instance": next(iter(own))} if several else {})
    return Judged(
        said="stopped",
        id="health.restart",
        severity=history.graded("notice", host),
        subject=subject,
        window=window(row.time, row.time),
        evidence=(history.entry(row),),
        confidence=SEEN,
        facts={
            "server": f"{host}\\{next(iter(own))}" if several else host,
            "kind": kind, "start": row.time, "text": row.text,
        },
    )  # fmt: skip


def _moved(row: Restarts, history: GroupHistory) -> Measured | None:
    """Return from which node to which a failover-cluster instance moved, as its starts name them."""
    instance = (row.host_id, row.sql_instance)
    own = [each for each in history.nodes if (each.host_id, each.sql_instance) == instance]
    begun = row.started - SLACK
    before = [each for each in own if each.time < begun]
    since = [each for each in own if begun <= each.time <= row.ready + SLACK]
    if not before or not since or before[-1].node == since[0].node:
        return None
    place = history.place(since[0].content_id, since[0].line, "ERRORLOG")
    return quoted("node", f"{before[-1].node} to {since[0].node}", place)


def _entries(row: Restarts, history: GroupHistory) -> list[Measured]:
    found = []
    if row.asked is not None:
        place = history.place(row.asked_content_id, row.asked_line, "ERRORLOG")
        found.append(quoted("asked to stop", words.instant(row.asked), place))
    if row.last_sign is not None:
        path = history.place(row.last_sign_content_id, None)
        source = f"{_by(row)}, {path}" if path else _by(row)
        found.append(quoted("last sign of life", words.instant(row.last_sign), source))
    found.append(quoted("gone at the latest", words.instant(row.gone_by), kind_of(row.gone_by_what)))
    if row.missed_by:
        source = f"ERRORLOG of {row.missed_by}"
        found.append(quoted("missed by a partner", words.instant(row.missed_since), source))
    return found


def _by(row: Restarts) -> str:
    return row.last_sign_by or "its ERRORLOG"


BUSY_BEFORE = timedelta(minutes=5)
"""How long before a standstill busy processors could be its cause."""
WOKEN = timedelta(seconds=60)
"""For this long after a standstill, entries of its host may be late because of it."""
PAUSED, SILENT, STEPPED = "machine paused", "SQL Server silent", "clock stepped"
SURE = {PAUSED: 0.9, SILENT: 0.85, STEPPED: 0.7, OPEN: 0.6}
"""Confidence in the kind of standstill: a stopped tick count shows a paused machine, a continued one that
only SQL Server wrote nothing."""
ALIKE_S = 1.0
"""Bounds closer together than this are shown as one length."""
SHOWN_BUSY, SHOWN_WITNESSES = 3, 6

STOOD = Measure("seconds_low", "stood still", "s")
STOOD_AT_MOST = Measure("seconds_high", "stood still, at most", "s")
GAINED = Measure("clock_gained_s", "wall clock gained on the tick count", "s")
BUSY = Measure("processors_busy", "processors busy, {at}", "%")


def standstills(history: GroupHistory, limits: Thresholds) -> list[Judged]:
    """Judge each standstill, in chronological order."""
    return [_standstill(row, history, limits) for row in history.standstills if _counts(row, limits)]


def _counts(row: Standstills, limits: Thresholds) -> bool:
    if row.kind == STEPPED:
        gained = row.clock_gained_s
        return gained is not None and abs(gained) >= limits.clock_step_s
    return bool(row.seconds_high >= limits.standstill_s)


def _standstill(row: Standstills, history: GroupHistory, limits: Thresholds) -> Judged:
    kind, gained, busy = row.kind, row.clock_gained_s, _busy(row, history)
    low, high = row.seconds_low, row.seconds_high
    concerns = _concerns_group(row) and kind != STEPPED and not _belongs_to_failover(row, history)
    least = limits.clock_gained_s
    shares = [amount(each) for each in busy] if kind in (SILENT, OPEN) else []
    return Judged(
        said="standstill.clock_stepped" if kind == STEPPED else "standstill.stood_still",
        id="health.standstill",
        severity="warning" if concerns else "notice",
        subject={"host": row.host_id},
        window=window(row.start, row.end),
        evidence=tuple(_evidence(row, busy, history)),
        confidence=SURE[kind],
        facts=row._asdict()
        | {
            "host": row.host_id,
            "gained": gained,
            "low": low,
            "high": high if high - low >= ALIKE_S else None,
            "ran_on": kind == SILENT and gained is not None and abs(gained) <= least,
            "jumped": kind == OPEN and gained is not None and gained > least,
            "is_busy": bool(busy),
            "busy_low": min(shares, default=None),
            "busy_high": max(shares, default=None),
        },
    )


def _evidence(row: Standstills, busy: list[Timeline], history: GroupHistory) -> list[Measured]:
    source = history.source(row.witnesses[0]) if row.witnesses else "system_health"
    found = [STOOD(row.seconds_low, source), STOOD_AT_MOST(row.seconds_high, source)]
    if row.clock_gained_s is not None:
        found.append(GAINED(row.clock_gained_s, "AlwaysOn_health, tick counts of expired leases"))
    kept = words.listing(list(row.kept_running))
    found.append(quoted("kept running", kept or "nobody that was captured wrote meanwhile", source))
    for one in busy[-SHOWN_BUSY:]:
        found.append(BUSY.about(at=words.clock(one.time))(one.value, history.sources(one)))
    return found + [history.entry(one) for one in row.witnesses[:SHOWN_WITNESSES]]


def _busy(row: Standstills, history: GroupHistory) -> list[Timeline]:
    start = row.start
    near = history.within(start - BUSY_BEFORE, start + timedelta(seconds=1), "processors_busy")
    return [one for one in near if one.host_id == row.host_id]


def _concerns_group(row: Standstills) -> bool:
    """Return whether a group lost something by it: a partner, a lease, its primary."""
    return any(one.kind != "late sample" for one in row.witnesses)


def _belongs_to_failover(row: Standstills, history: GroupHistory) -> bool:
    """Return whether a failover with its own severity includes it."""
    start, end = row.start, row.end
    near = (one for one in history.incidents if one.failovers and one.start <= end and one.end >= start)
    return any(row.host_id in one.hosts for one in near)


def stood_until(history: GroupHistory, host: str, moment: datetime) -> Standstills | None:
    """Return the standstill of a host that contains a moment, or ended shortly before."""
    for row in history.standstills:
        stood = row.host_id == host and row.kind != STEPPED
        if stood and row.start <= moment <= row.end + WOKEN:
            return row
    return None
