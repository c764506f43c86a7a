"""health.flapping, health.no_primary, health.two_primaries, quality.not_captured of a group that left a node.

The cluster logs the move of a group on the node that decides it, and its coming online on the node that
receives it: the log of the node it left shows neither. For two hosts that were primary at once, the time that
the old one was running is computed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from operator import itemgetter
from typing import Any

from agtrace.diagnostics.health import divergence
from agtrace.diagnostics.health.group_history import OPEN, GroupHistory, kind_of, route
from agtrace.diagnostics.health.measures import (
    BOUNDED,
    FAILOVERS,
    FAILURES,
    OF_UNKNOWN_MODE,
    ONE_END,
    SEEN,
    WITHOUT_PRIMARY,
)
from agtrace.diagnostics.health.rows import ClusterLogs, Failovers, Timeline
from agtrace.diagnostics.health.things import named
from agtrace.measures import Measure, quoted
from agtrace.say import words
from agtrace.say.finding import window
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

FAILED = ("failover_refused", "online_failed")
"""Events of a group that failed to come online."""
MOST_REFUSED = 3
MOST_FAILOVERS = 10
CAUSES = (
    "database_failed", "log_not_available", "log_write_failed", "health_timeout", "health_error",
    "quorum_lost", "tag_refused", "lease_expired", "lease_lost", "lease_no_signal",
    "lease_no_cluster_signal", "server_died",
    "service_died", "resource_host_deadlock", "agent_offlined", "failover_not_ready", "integrity_failed",
    "replica_removed", "dump", "non_yielding", "deadlocked_schedulers", "shutdown_asked", "stop_requested",
    "system_shutdown", "monitor_failed",
)  # fmt: skip
"""Events on the primary that make it lose its group."""
CAUSED_BEFORE, CAUSED_AFTER = timedelta(minutes=2), timedelta(seconds=5)
MOST_CAUSES = 4
WHY_LEFT = ("lease_lost", "health_timeout", "health_error", "server_died", "quorum_lost", "move_asked")
AROUND = timedelta(minutes=2)
"""Cluster log entries this near a failover, or a replica's state, belong to it."""
SHOWN = 5
"""Times shown by a finding, the last ones."""


def flapping(history: GroupHistory, limits: Thresholds) -> list[Judged]:
    """Judge each group that failed over again and again, unplanned."""
    runs = ((ag, _runs(history.failovers_of_group.get(ag, []), limits)) for ag in history.groups)
    return [_flaps(ag, run, history, limits) for ag, own in runs for run in own]


def _runs(failovers: Sequence[Failovers], limits: Thresholds) -> list[list[Failovers]]:
    """Split unplanned failovers into runs whose neighbours are less than ``flapping_hours`` apart."""
    runs: list[list[Failovers]] = []
    near = timedelta(hours=limits.flapping_hours)
    for row in (one for one in failovers if _is_unasked(one)):
        if runs and row.end - runs[-1][-1].end <= near:
            runs[-1].append(row)
        else:
            runs.append([row])
    return [run for run in runs if len(run) >= limits.flapping_failovers]


def _is_unasked(failover: Failovers) -> bool:
    """Return whether no one is known to have requested a failover."""
    return failover.mode == "automatic" or (failover.mode, failover.trigger) == (OPEN, OPEN)


def _flaps(ag: str, run: list[Failovers], history: GroupHistory, limits: Thresholds) -> Judged:
    first, last = run[0], run[-1]
    start = first.start if first.start is not None else first.end
    near = last.end + timedelta(hours=limits.flapping_hours)
    failed = refused(ag, start, near, history)
    end = max([last.end, *(event.time for event in failed)])
    causes = sorted(Counter(row.cause for row in run).items(), key=lambda one: (-one[1], one[0]))
    entries = [
        quoted(f"failover {n}", route(row), f"{words.instant(row.end)}, cause: {kind_of(row.cause)}")
        for n, row in enumerate(run[:MOST_FAILOVERS], 1)
    ]
    lengths = [row.seconds_without_primary for row in run if row.seconds_without_primary]
    moves = [e for e in history.within(start, end, "group_moved") if e.ag == ag and e.value is not None]
    if moves:
        entries.append(FAILURES(moves[-1].value, history.sources(moves[-1])))
    asked_by_nobody = sum(row.mode == "automatic" for row in run)
    unknown = len(run) - asked_by_nobody
    counted = [FAILOVERS(asked_by_nobody, "ERRORLOG, AlwaysOn_health")]
    if unknown:
        counted.append(OF_UNKNOWN_MODE(unknown, "ERRORLOG, AlwaysOn_health"))
    return Judged(
        said="flapping",
        id="health.flapping",
        severity="critical" if len(run) >= limits.flapping_critical else "warning",
        subject={"ag": ag},
        window=window(start, end),
        evidence=(*counted, *entries),
        confidence=SEEN,
        facts={
            "group": ag, "times": len(run), "unknown": unknown, "start": start, "end": end,
            "refused": len(failed),
            "causes": [(kind_of(name), n) for name, n in causes], "seconds": (end - start).total_seconds(),
            "away": sum(lengths), "longest": max(lengths, default=0.0), **_to_begin_with(run, history),
        },
    )  # fmt: skip


def _to_begin_with(run: list[Failovers], history: GroupHistory) -> dict[str, Any]:
    """Return the first failover, and the longest of the most frequent cause if that differs."""
    cause, times = max(Counter(row.cause for row in run).items(), key=itemgetter(1))
    own = [row for row in run if row.cause == cause]
    worst = max(own, key=lambda row: row.seconds_without_primary or 0.0)
    # Where each had its own cause, the first one is the most common.
    is_another = cause not in (run[0].cause, OPEN)
    return {
        "first": named(run[0], history),
        "often": named(worst, history) | {"times": times} if is_another else None,
    }


def refused(ag: str, start: datetime, end: datetime, history: GroupHistory) -> list[Timeline]:
    """Return the attempts to bring a group online that failed."""
    return [event for kind in FAILED for event in history.kinds_of_group.between(start, end, kind, ag)]


def no_primary(history: GroupHistory, limits: Thresholds) -> list[Judged]:
    """Judge each group that no watched replica was primary of, for as long as they were watched."""
    losses = (_without(ag, history, limits) for ag in history.groups)
    return [loss for loss in losses if loss is not None]


def _without(ag: str, history: GroupHistory, limits: Thresholds) -> Judged | None:
    last, lost = _last_states(ag, history)
    if lost is None:
        return None
    # A replica can be a secondary only of a primary, here or on a host that was not captured.
    later = [event for event in last.values() if event.time > lost.time]
    if any(event.after == "SECONDARY_NORMAL" for event in later):
        return None
    least = lost.time + timedelta(seconds=limits.no_primary_s)
    reach = {host: history.watched_until(host, lost.time) for host in history.replicas(ag)}
    watched = {host: until for host, until in reach.items() if until >= least}
    if not watched:
        return _ended(ag, lost, max(reach.values(), default=lost.time), history)
    # A secondary that continues without a message is evidence for a primary rather than against one.
    if all(host not in last or last[host].after == "SECONDARY_NORMAL" for host in watched):
        return None
    # A stopped instance cannot take over, whether its log continues or not.
    stopped = {host for host, row in last.items() if row.after == "NOT_AVAILABLE"}
    unwatched = [host for host in reach if host not in watched and host not in stopped]
    until = min(watched.values())
    seconds, states = (until - lost.time).total_seconds(), sorted(last.items())
    failed = refused(ag, lost.time, until, history)[:MOST_REFUSED]
    causes = _causes(ag, lost, history)
    unseen = [quoted("not watched then", words.listing(unwatched), "coverage")] if unwatched else []
    return Judged(
        said="no_primary",
        id="health.no_primary",
        severity="warning" if unwatched else "critical",
        subject={"ag": ag},
        window=window(lost.time, until),
        evidence=(
            WITHOUT_PRIMARY(seconds, history.sources(lost)),
            *(quoted(f"state of {host}", row.after, history.sources(row)) for host, row in states),
            *map(history.entry, causes),
            *map(history.entry, failed),
            *unseen,
        ),
        confidence=SEEN if len(states) > 1 and not unwatched else BOUNDED,
        facts={
            "group": ag, "host": lost.host_id, "since": lost.time, "until": until, "seconds": seconds,
            "watched": watched, "unwatched": unwatched, "refused": failed,
            "causes": [row._asdict() | {"what": kind_of(row.kind)} for row in causes],
            "is_explained": False, "lacking": history.lacking(reach),
            "states": [row for _host, row in states],
        },
    )  # fmt: skip


def _ended(ag: str, lost: Timeline, until: datetime, history: GroupHistory) -> Judged:
    """Judge a group whose captures end soon after the loss of its primary: another may have taken over."""
    causes = _causes(ag, lost, history)
    return Judged(
        said="lost_at_end",
        id="health.no_primary",
        severity="warning",
        subject={"ag": ag},
        window=window(lost.time, until),
        evidence=(history.entry(lost, f"state of {lost.host_id}"), *map(history.entry, causes)),
        confidence=BOUNDED,
        facts={
            "group": ag, "host": lost.host_id, "since": lost.time, "until": until,
            "seconds": (until - lost.time).total_seconds(), "after": lost.after,
            "watched": {}, "unwatched": history.replicas(ag), "is_explained": False,
            "causes": [row._asdict() | {"what": kind_of(row.kind)} for row in causes],
            "lacking": history.lacking(history.replicas(ag)),
        },
    )  # fmt: skip


def _causes(ag: str, lost: Timeline, history: GroupHistory) -> list[Timeline]:
    """Return why a primary left its role: the first entry of each kind, in chronological order."""
    since, until = lost.time - CAUSED_BEFORE, lost.time + CAUSED_AFTER
    first: dict[str, Timeline] = {}
    for event in history.within(since, until, *CAUSES):
        if event.host_id == lost.host_id and event.ag in (None, "", ag):
            first.setdefault(event.kind, event)
    return list(first.values())[:MOST_CAUSES]


def _last_states(ag: str, history: GroupHistory) -> tuple[dict[str, Timeline], Timeline | None]:
    """Return the last state of each host of a group, and the lost primary if none followed."""
    states: dict[str, Timeline] = {}
    lost: Timeline | None = None
    for event in history.kinds_of_group.of("replica_state", ag):
        host = event.host_id
        if not host:
            continue
        since, states[host] = states.get(host), event
        if event.after == "PRIMARY_NORMAL":
            lost = None
        elif event.before == "PRIMARY_NORMAL":
            # A host that took over in between is still the primary.
            taken = (one for one in states.values() if one.after == "PRIMARY_NORMAL")
            lost = None if any(since is None or one.time > since.time for one in taken) else event
    return states, lost


def left(history: GroupHistory, logs: Sequence[ClusterLogs], limits: Thresholds) -> list[Judged]:
    """Judge each node that a group left without being recorded online elsewhere.

    Parameters
    ----------
    logs
        Rows of cluster_logs.sql: the nodes whose cluster log was captured.
    """
    lost: dict[tuple[str, str], list[Timeline]] = {}
    for row in history.of("resource_left"):
        if not _is_told(row, history) and not _is_back(row, history, limits):
            lost.setdefault((row.ag or "", row.host_id or ""), []).append(row)
    hosts = [row.host for row in logs]
    return [_left(rows, history, hosts) for rows in lost.values()]


def _is_told(row: Timeline, history: GroupHistory) -> bool:
    """Return whether a failover, or SQL Server's entries on its replicas, already show it."""
    since, until = row.time - AROUND, row.time + AROUND
    near = history.kinds_of_group.between(since, until, "replica_state", row.ag)
    return bool(near or history.failovers_near(row.ag, since, until))


def _is_back(row: Timeline, history: GroupHistory, limits: Thresholds) -> bool:
    """Return whether the group is online again, somewhere, before it was away for long."""
    online = next(history.kinds_of_group.since(row.time, "resource_online", row.ag), None)
    return online is not None and bool((online.time - row.time).total_seconds() < limits.no_primary_s)


def _left(rows: list[Timeline], history: GroupHistory, hosts: Sequence[str]) -> Judged:
    last = rows[-1]
    since, ag, host = last.time - AROUND, last.ag or "", last.host_id or ""
    kinds = history.kinds_of_host
    near = [row for kind in WHY_LEFT for row in kinds.between(since, last.time, kind, last.host_id)]
    own = (event for event in near if event.ag in (None, ag))
    before = sorted(own, key=lambda event: event.time)[-SHOWN:]
    return Judged(
        said="left",
        id="quality.not_captured",
        severity="notice",
        subject={"ag": ag, "host": host},
        window=window(rows[0].time, last.time),
        evidence=tuple(history.entry(event) for event in (*rows[-SHOWN:], *before)),
        confidence=SEEN,
        facts={
            "group": ag,
            "host": host,
            "times": len(rows),
            "last": last,
            "logs": hosts,
            "before": before,
            "others": [name for name in history.hosts if name not in hosts],
        },
    )


PRIMARY = "PRIMARY_NORMAL"

HOUR_SLACK_S = 120.0
"""A group moves in less than this."""
BOTH_PRIMARY = Measure("both_primary_s", "both primary", "s")
BOTH_RUNNING = Measure("both_running_s", "both running", "s", "the part of it in which the old one was awake")


@dataclass(frozen=True)
class Reign:
    """A period in which a replica was primary by its own entries."""

    ag: str
    host: str
    start: datetime
    end: datetime
    entered: Timeline
    left: Timeline | None
    """Its own message that it was no longer primary; None if the captures end before."""


def reigns(history: GroupHistory) -> list[Reign]:
    """Return the periods of primaries whose own log has start and end."""
    stops = sorted(history.of("stop_requested", "system_shutdown", "ready"), key=lambda row: row.time)
    found = []
    for (ag, host), rows in history.states.items():
        own = [row for row in stops if row.host_id == host]
        for entered, after in pairwise([*rows, None]):
            if entered is None or entered.after != PRIMARY:
                continue
            later = (row for row in own if row.time > entered.time and history.may_be_one(row, entered))
            left = next(later, None)
            if after is not None and (left is None or after.time <= left.time):
                left = after
            # An entry about a start does not show until when it was primary.
            says = left is not None and left.kind != "ready" and left.before != "NOT_AVAILABLE"
            end = left.time if left else history.watched_until(host, entered.time)
            end = end if says or left is None else entered.time
            found.append(Reign(ag, host, entered.time, end, entered, left if says else None))
    return sorted(found, key=lambda one: (one.ag, one.start))


def overlaps(history: GroupHistory, limits: Thresholds) -> Iterator[tuple[Reign, Reign, datetime, datetime]]:
    """Yield the old and the new primary of each time in which a group had two."""
    last: dict[str, Reign] = {}
    for one in reigns(history):
        old = last.get(one.ag)
        if old is not None and old.host != one.host and old.left is not None:
            end = min(old.end, one.end)
            compared = history.knows_clock(old.host) and history.knows_clock(one.host)
            least = limits.two_primaries_s if compared else limits.two_primaries_uncompared_s
            if (end - one.start).total_seconds() >= least and not _is_an_hour_off(old, one, history):
                yield old, one, one.start, end
        if old is None or one.end > old.end or old.host == one.host:
            last[one.ag] = one


def _is_an_hour_off(old: Reign, new: Reign, history: GroupHistory) -> bool:
    """Return whether an overlap of an hour comes of clocks that were set: one log may not show that."""
    apart = abs((old.end - new.start).total_seconds() - 3600)
    changed = {row.minutes for row in history.offsets if row.host in (old.host, new.host)}
    return apart <= HOUR_SLACK_S and len(changed) > 1


def two_primaries(history: GroupHistory, limits: Thresholds) -> list[Judged]:
    """Judge each time in which a group had two primaries."""
    return [
        divergence.completed(
            _overlap(history, limits, old, new, start, end),
            divergence.Change(old.ag, old.host, new.host, start, start),
            history,
        )
        for old, new, start, end in overlaps(history, limits)
    ]


def _overlap(
    history: GroupHistory, limits: Thresholds, old: Reign, new: Reign, start: datetime, end: datetime
) -> Judged:
    resigned = old.left or old.entered
    seconds = (end - start).total_seconds()
    stills = history.still(old.host, start, end)
    asleep = sum((until - begin for begin, until in stills), timedelta()).total_seconds()
    unknown = _quiet(history, old.host, start, end) - asleep
    if unknown <= limits.primary_quiet_s:
        unknown = 0.0
    awake = round(seconds - asleep - unknown, 3)
    is_awake = awake >= limits.primary_awake_s
    source = f"{history.sources(new.entered)}; {history.sources(resigned)}"
    return Judged(
        said="two_primaries",
        id="health.two_primaries",
        severity="critical" if is_awake or unknown else "notice",
        subject={"ag": old.ag},
        window=window(start, end),
        evidence=(
            BOTH_PRIMARY(round(seconds, 3), source),
            BOTH_RUNNING(awake if is_awake else round(awake, 1), source),
            *([BOTH_RUNNING.stat("at most")(round(awake + unknown, 3), source)] if unknown else []),
            history.entry(new.entered, f"in place, on {new.host}"),
            history.entry(resigned, f"primary until then, on {old.host}"),
        ),
        confidence=SEEN if history.knows_clock(old.host) and history.knows_clock(new.host) else ONE_END,
        facts={
            "group": old.ag,
            "old": old.host,
            "new": new.host,
            "seconds": seconds,
            "unknown": unknown,
            "awake": awake if is_awake else 0.0,
            "entered": new.entered,
            "resigned": resigned,
        },
    )


def _quiet(history: GroupHistory, host: str, start: datetime, end: datetime) -> float:
    """Return for how many seconds from the start of a span a host wrote nothing."""
    rows = history.of_host.between(start, end, host)
    own = (row.time for row in rows if any(one.host_id == host for one in row.witnesses))
    return float((next(own, end) - start).total_seconds())
