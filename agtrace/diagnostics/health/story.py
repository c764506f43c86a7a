"""The story of an incident: its deciding moments in the order of telling, and its impact."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from agtrace.diagnostics.health import failed_over, things
from agtrace.diagnostics.health.group_history import GroupHistory, route
from agtrace.diagnostics.health.rows import Failovers, Standstills, Timeline
from agtrace.say.said import Judged

PRIMARY = "PRIMARY_NORMAL"
SHOWN = 7
"""Moments shown at first; few stories have more deciding ones."""
LEAST = 5
"""A story with this many moments or fewer is shown whole."""
DECIDES, BRINGS_ABOUT, FOLLOWS, SUPPORTS = range(4)
"""Ranks of moments: deciding, leading up to it, following from it, supporting."""
TOLD_BY_STATES = ("replica_state", "resource_state", "preparing_resolving", "standstill", "long_io")
"""Kinds of reasons whose moments come from another source."""
LATE_S = 1.0
"""An old primary that logs its end this long after the new one is in place was primary at the same time."""


@dataclass(frozen=True)
class Moment:
    """One line of a story.

    Parameters
    ----------
    time
        On the clock common to all hosts, UTC.
    local
        As the clock of its host showed it; None where its offset from UTC is not known.
    said
        Field of said/story.toml that words it.
    place
        File and line that tell of it; "" where a whole file does.
    """

    time: datetime
    local: datetime | None
    host: str
    said: str
    place: str
    facts: dict[str, Any] = field(default_factory=dict)
    weight: int = DECIDES


@dataclass(frozen=True)
class Story:
    """An incident.

    Parameters
    ----------
    key
        By which pages link to it: ``failover-5``, ``no-primary-1``.
    judged
        The finding that it tells.
    moments
        In order of time.
    facts
        What its impact and what is not known are worded of.
    failover
        Failovers of the relation; None for an outage without one.
    """

    key: str
    judged: Judged
    moments: tuple[Moment, ...]
    facts: dict[str, Any]
    failover: Failovers | None = None

    @property
    def start(self) -> datetime:
        """Return the start of the outage, or of its first moment."""
        begin: datetime = self.facts["at"]
        return begin

    @property
    def seconds(self) -> float:
        """Return the time without a primary in seconds; 0 if unknown."""
        seconds: float = self.facts.get("seconds") or 0.0
        return seconds

    @property
    def shown(self) -> tuple[Moment, ...]:
        """The moments that decide."""
        history = [one for one in self.moments if one.weight < SUPPORTS or len(self.moments) <= LEAST]
        chosen = sorted(history, key=lambda one: one.weight)[:SHOWN]
        return tuple(one for one in self.moments if any(one is each for each in chosen))

    @property
    def folded(self) -> tuple[Moment, ...]:
        """The others."""
        shown = self.shown
        return tuple(one for one in self.moments if not any(one is each for each in shown))


class Stall(NamedTuple):
    """A time in which the old primary was slow or did not run before it was lost.

    Parameters
    ----------
    by
        ``files`` or ``standstill``, whose event the entry is.
    is_bound
        Whether that time is the longest it can have been.
    """

    since: datetime
    by: str
    entry: Timeline | Standstills
    is_bound: bool


def stories(history: GroupHistory, judged: Sequence[Judged]) -> list[Story]:
    """Return each incident with its own finding: failovers, then outages without one.

    Parameters
    ----------
    judged
        The findings of the group's health, failovers in order of time.
    """
    doubled = [each for each in judged if each.id == "health.two_primaries"]
    moved = [each for each in judged if each.id == "health.failover"]
    rows = history.failovers
    found = [_failover(row, one, history, doubled) for row, one in zip(rows, moved, strict=True)]
    own = [each for each in doubled if all(failed_over.after(row, history, [each]) is None for row in rows)]
    # If the primary was lost at the end of a log, there is nothing more to show.
    lost = [each for each in judged if each.said == "no_primary"]
    found += [_without_primary(each, f"no-primary-{n}", history) for n, each in enumerate(lost, 1)]
    found += [_two_primaries(each, f"two-primaries-{n}", history) for n, each in enumerate(own, 1)]
    return found


def opened(found: Sequence[Story], first: Any) -> Story | None:
    """Return the story of a finding; if several or no stories match, the most severe of them.

    Parameters
    ----------
    first
        The finding that is read first; None if there are no findings.
    """
    order = ("info", "notice", "warning", "critical")
    if first is not None:
        for each in found:
            if first.id == each.judged.id and first.window == each.judged.window:
                return each
            doubled = each.facts.get("doubled")
            if first.id == "health.two_primaries" and doubled and doubled["group"] == first.subject.get("ag"):
                return each
    return max(found, key=lambda each: (order.index(each.judged.severity), each.seconds), default=None)


def _failover(row: Failovers, judged: Judged, history: GroupHistory, doubled: Sequence[Judged]) -> Story:
    about = things.named(row, history)
    at, back = history.span(row)
    both = failed_over.after(row, history, doubled)
    stalled, databases = stall_of(row, history, at), failed_over.usable(row, history)
    alone = failed_over.without_partner(row, history)
    known = _databases(row, history, back)
    facts = dict(judged.facts) | about | {
        "seconds": row.seconds_without_primary, "route": route(row), "stalled": stalled,
        "stalled_s": (at - stalled.since).total_seconds() if stalled else None,
        "databases_back": databases.databases, "databases_known": known, "late": databases.late,
        "both": both.facts["seconds"] if both else None, "partner": alone,
        "unseen": _unseen(history, row.ag, at, back), "against": row.against,
        "lacks": {} if row.mode == "planned" else history.lacking(_hosts(row)),
    }  # fmt: skip
    moments = [
        *_cause(row, history, stalled, about),
        *_reasons(row, history, back),
        *_states(row, history, both),
    ]
    if databases.last:
        counted = {"n": databases.databases, "known": max(known, databases.databases)}
        moments.append(_moment(history, databases.last, "databases", counted, weight=BRINGS_ABOUT))
    if alone and alone.back:
        seconds = {"seconds": alone.seconds, "partner": alone.back.replica}
        weight = FOLLOWS if alone.seconds >= LATE_S else SUPPORTS
        moments.append(_moment(history, alone.back, "partner", seconds, weight=weight))
    return Story(f"failover-{row.failover_id}", judged, _in_order(moments), facts, row)


def _hosts(row: Failovers) -> list[str]:
    return [host for host in dict.fromkeys((row.from_host, row.to_host)) if host]


def stall_of(row: Failovers, history: GroupHistory, at: datetime) -> Stall | None:
    """Return since when I/O of the old primary stalled before it was lost, and the cause."""
    host = row.from_host or ""
    begun = [
        (one.time - timedelta(milliseconds=one.value or 15000.0), one)
        for one in things.slow_files(history, host, at)
    ]
    if begun:
        since, entry = min(begun, key=lambda one: one[0])
        return Stall(since, "files", entry, False)
    still = things.standstill(history, host, at, at)
    if still and still.start < at:
        is_bound = still.seconds_high - still.seconds_low >= things.ALIKE_S
        return Stall(still.start, "standstill", still, is_bound)
    return None


def _cause(
    row: Failovers, history: GroupHistory, stalled: Stall | None, about: dict[str, Any]
) -> Iterable[Moment]:
    """Yield the shortages of the old primary, the cause first."""
    host = row.from_host or ""
    at, back = history.span(row)
    if stalled and isinstance(stalled.entry, Timeline):
        counted = about | {"n": len(things.slow_files(history, host, at))}
        yield _moment(history, stalled.entry, "slow", counted, time=stalled.since)
    is_busy = any(one.kind == "processors_busy" for one in row.reasons)
    if busy := things.busy_samples(history, host, at) if is_busy else []:
        first = next((one for one in busy if _place(history, one)), busy[0])
        last = {"until": busy[-1].time}
        yield _moment(history, first, "busy", about | last, time=busy[0].time)
    still = things.standstill(history, host, at, back)
    if still and row.cause == "standstill":
        begin, end = still.start, still.end
        witness = next(iter(still.witnesses), None)
        place = history.place(witness.content_id, witness.line) if witness else ""
        kept = {"kept": list(still.kept_running)}
        yield Moment(begin, history.local(begin, host), host, "stands_still", place, about | kept)
        yield Moment(end, history.local(end, host), host, "goes_on", place, about, FOLLOWS)


def _reasons(row: Failovers, history: GroupHistory, back: datetime) -> Iterable[Moment]:
    """Yield the first entry of each kind and host that supports the failover, unless shown otherwise."""
    seen = set()
    for one in row.reasons:
        key = (one.kind, one.host_id)
        if one.kind in (*TOLD_BY_STATES, "processors_busy") or key in seen:
            continue
        seen.add(key)
        time = one.time
        weight = SUPPORTS if one.kind not in DECIDING or time > back else BRINGS_ABOUT
        facts = {"text": one.text, "kind": one.kind.replace("_", " ")}
        said = one.kind if one.kind in WORDED else "written"
        host, place = one.host_id or "", history.place(one.content_id, one.line)
        yield Moment(time, history.local(time, host), host, said, place, facts, weight)


DECIDING = (
    "ddl", "move_asked", "stop_requested", "system_shutdown", "health_timeout", "health_error", "lease_lost",
    "quorum_lost", "node_removed", "connection_timeout", "server_died", "service_died", "process_exit",
    "restart", "database_failed", "database_disconnected", "resource_offline", "dump", "power_lost",
    "nodes_down", "fenced",
)  # fmt: skip
"""Kinds of reasons that decide a story."""
WORDED = frozenset(
    {
        *DECIDING, "lease_expired", "lease_stopped", "node_quarantined", "lease_no_signal",
        "lease_not_valid", "not_alive", "node_left", "fence_asked", "fence_failed",
        "node_offline", "heartbeats_missed", "group_orphaned", "group_moved", "resource_failed",
        "non_yielding", "memory_low", "memory_paged_out",
    }
)  # fmt: skip
"""Kinds with texts of their own (said/story.toml); for others the entry itself is shown."""


def _states(row: Failovers, history: GroupHistory, both: Judged | None) -> Iterable[Moment]:
    """Yield when the old primary left its role, and when the new one was in place."""
    _, back = history.span(row)
    for one in row.reasons:
        if one.kind != "replica_state":
            continue
        time = one.time
        host, place = one.host_id or "", history.place(one.content_id, one.line)
        facts: dict[str, Any] = {"seconds": row.seconds_without_primary, "ag": row.ag}
        weight = DECIDES
        if abs((time - back).total_seconds()) < 1e-3 and host == row.to_host:
            said = "in_place"
        elif host == row.from_host:
            is_late = (time - back).total_seconds() >= LATE_S
            said, weight = ("left_late", DECIDES) if is_late else ("left", BRINGS_ABOUT)
            facts |= {"both": both.facts["seconds"] if both else (time - back).total_seconds()}
        else:
            said, facts = "written", {"text": one.text, "kind": "replica state"}
            weight = SUPPORTS
        yield Moment(time, history.local(time, host), host, said, place, facts, weight)


def _databases(row: Failovers, history: GroupHistory, back: datetime) -> int:
    """Return how many databases the new primary reports roles of, up to half an hour after the failover."""
    until = back + failed_over.ROLES_TAKEN
    near = history.kinds_of_host.between(back - failed_over.ROLES_TAKEN, until, "database_role", row.to_host)
    return len({event.database for event in near})


def _unseen(history: GroupHistory, ag: str, at: datetime, back: datetime) -> list[str]:
    """Return the replicas of a group without a source of roles that covers an outage."""
    own = [host for host in history.replicas(ag) if history.coverage.hosts]
    return [
        host
        for host in own
        if not any(one.first <= back and one.last >= at for one in history.coverage.of(host))
    ]


def _without_primary(judged: Judged, key: str, history: GroupHistory) -> Story:
    facts = judged.facts
    ag, since = facts["group"], facts["since"]
    lost = history.kinds_of_group.between(since, since, "replica_state", ag)
    moments = [_moment(history, one, "left", {"ag": ag, "both": 0.0}) for one in lost[:1]]
    moments += [
        _moment(history, one, "written", {"kind": one.kind.replace("_", " "), "text": one.text})
        for one in facts["refused"]
    ]
    moments += [
        _moment(history, one, "stays", {"state": one.after, "ag": ag})
        for one in facts["states"]
        if one.time > since
    ]
    more = {
        "at": since, "back": None, "stalled": None, "databases_back": 0, "databases_known": 0,
        "both": None, "partner": None, "unseen": facts["unwatched"], "against": [], "lacks": facts["lacking"],
        "is_sure": True, "ag": ag,
    }  # fmt: skip
    return Story(key, judged, _in_order(moments), dict(facts) | more)


def _two_primaries(judged: Judged, key: str, history: GroupHistory) -> Story:
    facts = judged.facts
    ag, seconds, entered = facts["group"], facts["seconds"], facts["entered"]
    moments = [
        _moment(history, entered, "in_place", {"seconds": None, "ag": ag}),
        _moment(history, facts["resigned"], "left_late", {"both": seconds, "ag": ag}),
    ]
    more = {
        "at": entered.time, "back": entered.time, "stalled": None, "databases_back": 0,
        "databases_known": 0, "both": seconds, "seconds": None, "partner": None, "unseen": [],
        "against": [], "lacks": {}, "is_sure": True, "ag": ag,
    }  # fmt: skip
    return Story(key, judged, _in_order(moments), dict(facts) | more)


def _moment(
    history: GroupHistory,
    event: Timeline,
    said: str,
    facts: dict[str, Any],
    *,
    time: datetime | None = None,
    weight: int = DECIDES,
) -> Moment:
    """Return the moment of an event of the timeline."""
    time, host = time or event.time, event.host_id or ""
    return Moment(time, history.local(time, host), host, said, _place(history, event), facts, weight)


def _place(history: GroupHistory, event: Timeline) -> str:
    """Return in which file and line an event is written: by its first witness that has one."""
    for one in event.witnesses:
        if place := history.place(one.content_id, one.line):
            return place
    return ""


def _in_order(moments: Iterable[Moment]) -> tuple[Moment, ...]:
    return tuple(sorted(moments, key=lambda one: one.time))
