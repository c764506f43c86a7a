"""health.disconnect: how long two replicas were disconnected, by the entries of either end, and the
explanation.

35206 reports a lost replica, 35202 one connected again. A terminated connection of a database alone (35267)
is different: its movement was suspended, it was removed, or a role changed, while its replica may continue.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from agtrace.diagnostics.health.eliminated import Ruled, network, ruled, together
from agtrace.diagnostics.health.group_history import GroupHistory
from agtrace.diagnostics.health.measures import ONE_END, SEEN, SESSION
from agtrace.diagnostics.health.near import Look, Moment, Near, nothing_seen
from agtrace.diagnostics.health.rows import Connected, Replicas, Timeline
from agtrace.history.disconnects import Stretch, merged, stretches
from agtrace.measures import Measure, quoted
from agtrace.resolve.replicas import same_replica
from agtrace.say import words
from agtrace.say.finding import window
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

SHORT = timedelta(seconds=60)
"""Captures that end this soon after a loss do not show its length."""
SOON = timedelta(minutes=5)
"""A seeding that starts this long before its connection ends belongs to it."""
MOST = 20
"""Disconnected intervals of a pair reported one by one, the longest; the others are counted."""
NEAR = timedelta(seconds=60)
"""Within this time of a loss, changes of the node, the quorum and the roles of either end have the same
cause."""
CLUSTER = (
    *("quorum_lost", "node_offline", "node_removed", "node_left", "node_quarantined", "cluster_stopped"),
    "fenced",
    *("stop_requested", "system_shutdown", "ready"),
)
STRAINS = (
    *("processors_busy", "long_io", "memory_paged_out", "memory_low", "non_yielding", "dump"),
    *("deadlocked_schedulers", "workers_exhausted"),
)
STRAIN = timedelta(seconds=120)
MOST_STRAINED = 4

VERDICTS = ("out", "shown", "unseen")
WITHOUT = Measure("seconds", "time without a connection", "s")


def lost_connections(
    history: GroupHistory, limits: Thresholds, look: Look = nothing_seen, replicas: Sequence[Replicas] = ()
) -> list[Judged]:
    """Judge each disconnected interval; of many for one pair, the longest.

    Intervals that belong to a failover are its evidence, not separate findings.

    Parameters
    ----------
    look
        Returns measurements and entries near a moment.
    replicas
        Rows of replicas.sql: the session timeout of each.
    """
    of_pair: dict[tuple[str, ...], list[Stretch[Timeline]]] = defaultdict(list)
    for one in merged(stretches(history.events, history.stop)):
        of_pair[(*sorted((one.host, one.far)), one.database or "")].append(one)
    chosen = []
    for many in of_pair.values():
        for one in sorted(many, key=_length, reverse=True)[:MOST]:
            why = explained(one, history)
            if not why.by_failover and not (one.database and (why.by or _is_usual(one, history, limits))):
                chosen.append((one, why, len(many)))
    asked = [
        (host, one.start) for one, why, _ in chosen if _is_open(one, why) for host in (one.host, one.far)
    ]
    seen = look(asked)
    found = [
        _lost(one, why, history, limits, n, _elimination(one, why, seen, history, limits, replicas))
        for one, why, n in chosen
    ]
    return sorted(found, key=lambda one: (one.window["start"], one.subject["host"], one.subject["replica"]))


def lost_count(history: GroupHistory) -> int:
    """Return how often a replica was lost; losses of single databases count only if no replica was lost."""
    lost = merged(stretches(history.events, history.stop))
    return sum(not one.database for one in lost) or len(lost)


def _is_open(one: Stretch[Timeline], why: Explained) -> bool:
    """Return whether it is an unexplained loss of a replica."""
    return not one.database and not why.by


@dataclass(frozen=True)
class Elimination:
    """The causes ruled out for a lost connection, and those left; empty if something explains it."""

    found: Sequence[Ruled] = ()
    network: str = ""
    missed: Sequence[Timeline] = ()
    session: Replicas | None = None

    def facts(self) -> dict[str, Any]:
        """Return the values used in its texts."""
        of = {verdict: [one for one in self.found if one.verdict == verdict] for verdict in VERDICTS}
        return {
            "ruled_out": together(of["out"]),
            "short_of": together(of["shown"]),
            "not_seen": together(of["unseen"]),
            "network": self.network,
            "session": self.session.session_timeout_s if self.session else None,
        }


def _elimination(
    one: Stretch[Timeline],
    why: Explained,
    seen: Mapping[Moment, Near],
    history: GroupHistory,
    limits: Thresholds,
    replicas: Sequence[Replicas],
) -> Elimination:
    if not _is_open(one, why):
        return Elimination()
    hosts = (one.host, one.far)
    found = [
        each
        for host in hosts
        for each in ruled(host, one.start, seen.get((host, one.start), Near()), history, limits)
    ]
    left, missed = network(history, hosts, one.start, found)
    session = (
        row
        for row in replicas
        if row.session_timeout_s is not None and row.ag == one.ag and same_replica(row.replica, one.replica)
    )
    return Elimination(found, left, missed, next(session, None))


def _is_usual(one: Stretch[Timeline], history: GroupHistory, limits: Thresholds) -> bool:
    """Return whether a database was back soon, or seeded in between, which has its own findings."""
    if one.seconds is not None and one.seconds < limits.database_disconnect_s:
        return True
    own = (row.start for row in history.seeded if row.database == one.database)
    return any(one.start - SOON <= start and (one.end is None or start <= one.end) for start in own)


def _length(one: Stretch[Timeline]) -> float:
    known = one.least if one.seconds is None else one.seconds
    return float("inf") if known is None else known


def _lost(
    one: Stretch[Timeline],
    why: Explained,
    history: GroupHistory,
    limits: Thresholds,
    n: int,
    rest: Elimination,
) -> Judged:
    last = _watched_until(one, history)
    look = None if one.back or one.stop else _looked_at(one, history)
    measure, seconds, end, ends_by = _ended(one, look, last)
    # The most that it can have been does not show that it was long.
    seen = (end - one.start).total_seconds() if seconds is None else seconds
    is_long = look is None and seen >= 60 * limits.disconnect_minutes
    entries = [history.entry(one.lost[0], "lost")]
    entries += [history.entry(each, f"lost, on {each.host_id}") for each in one.other_ends]
    entries += [history.entry(each) for each in (*why.shown, *why.strained)]
    shown = {(each.label, each.source) for each in entries}
    more = [each for ruled_ in rest.found for each in ruled_.evidence] + [*map(history.entry, rest.missed)]
    entries += [each for each in more if (each.label, each.source) not in shown]
    if rest.session:
        place = history.place(rest.session.content_id, rest.session.line, "a look")
        entries.append(SESSION(rest.session.session_timeout_s, place))
    if one.back:
        entries.append(history.entry(one.back, "connected again"))
    if look:
        place = history.place(look.content_id, look.line)
        entries.append(quoted("connected again, as a look shows", words.instant(look.time), place))
    about = {"ag": one.ag, "host": one.host, "replica": one.replica, "database": one.database}
    return Judged(
        said="disconnect",
        id="health.disconnect",
        severity="info" if why.by or one.database else "warning" if is_long else "notice",
        subject={name: value for name, value in about.items() if value is not None},
        window=window(one.start, end),
        evidence=(measure(seconds, "ERRORLOG, AlwaysOn_health"), *entries),
        confidence=SEEN if one.back else ONE_END,
        facts=one.lost[0]._asdict()
        | about
        | vars(why)
        | rest.facts()
        | {"seconds": seconds, "ends_by": ends_by, "times": n, "most": MOST},
    )


def _ended(
    one: Stretch[Timeline], look: Connected | None, last: datetime
) -> tuple[Measure, float | None, datetime, str]:
    """Return how long a loss lasted as far as known, until when, and what ended it."""
    if one.back:
        return WITHOUT, one.seconds, one.back.time, "back"
    if look:
        return WITHOUT.stat("at most"), (look.time - one.start).total_seconds(), look.time, "look"
    if one.stop:
        return WITHOUT.stat("at least"), one.least, one.stop, "down" if one.is_stopped else "stop"
    return WITHOUT, None, last, "soon" if last - one.start < SHORT else "open"


def _watched_until(one: Stretch[Timeline], history: GroupHistory) -> datetime:
    """Return until when the end that lost the other was watched."""
    return max(history.coverage.until(one.host, None, one.lost[0].time), one.start)


def _looked_at(one: Stretch[Timeline], history: GroupHistory) -> Connected | None:
    """Return the first snapshot after all entries on the loss that shows the two connected."""
    lost = one.lost[-1].time
    looks = history.connected_of_host.since(lost, one.host)
    own = (row for row in looks if row.time > lost and same_replica(row.replica, one.replica))
    return next(own, None)


@dataclass(frozen=True)
class Explained:
    """Why two replicas lost their connection, as far as the captures show.

    Parameters
    ----------
    by
        The events that explain it: a kind of `CLUSTER`, "restart", "standstill" or "role", and the host.
    by_failover
        Whether it is part of a failover, which has its own finding.
    unseen
        The ends without captures that could explain it, if nothing does.
    shown
        The events that show it.
    strained
        Shortages at either end before it, if nothing else explains it.
    """

    by: tuple[tuple[str, str], ...] = ()
    by_failover: bool = False
    unseen: tuple[str, ...] = ()
    shown: tuple[Timeline, ...] = ()
    strained: tuple[Timeline, ...] = ()


def explained(one: Stretch[Timeline], history: GroupHistory) -> Explained:
    """Return the explanation of a lost connection, or the ends without captures that could explain it."""
    hosts = (one.host, one.far)
    since, until = one.start - NEAR, one.start + NEAR
    if _is_of_failover(one, hosts, history):
        return Explained(by_failover=True)
    for event in history.restarts_near(one.start, until, *hosts):
        return Explained((("restart", event.host_id or ""),))
    for host in hosts:
        if history.still(host, since, until):
            return Explained((("standstill", host),))
    for host in hosts:
        for event in history.kinds_of_host.between(since, until, "movement_suspended", host):
            if one.database and event.database == one.database:
                return Explained((("movement_suspended", host),), shown=(event,))
    if shown := tuple(_of_ends(history, hosts, one.start)):
        by = dict.fromkeys(
            (row.kind.replace("node_left", "node_removed"), row.host_id or "") for row in shown
        )
        return Explained(tuple(by), shown=shown[:4])
    roles = [row for row in history.within(since, until, "replica_state") if row.host_id in hosts]
    if roles:
        return Explained((("role", roles[0].host_id or ""),), shown=tuple(roles[:2]))
    unseen = tuple(host for host in hosts if not _is_watched(history, host, one.start))
    return Explained(unseen=unseen, strained=_strained(history, hosts, one.start))


def _is_of_failover(one: Stretch[Timeline], hosts: tuple[str, str], history: GroupHistory) -> bool:
    for row in history.failovers_near(one.ag, one.start - NEAR, one.start + NEAR):
        start, end = history.span(row)
        if abs(one.start - start) <= NEAR or start <= one.start <= end:
            return True
    return any(
        incident.failovers
        and incident.start <= one.start <= incident.end + NEAR
        and set(hosts) <= set(incident.hosts)
        for incident in history.incidents
    )


def _strained(history: GroupHistory, hosts: tuple[str, ...], moment: datetime) -> tuple[Timeline, ...]:
    """Return the last shortage of each kind of either end shortly before a loss."""
    last = {
        (row.kind, row.host_id): row
        for row in history.within(moment - STRAIN, moment, *STRAINS)
        if row.host_id in hosts
    }
    return tuple(last.values())[:MOST_STRAINED]


def _of_ends(history: GroupHistory, hosts: tuple[str, ...], moment: datetime) -> Iterator[Timeline]:
    """Yield the first event of each kind of either end that shows its node, quorum or service."""
    for kind in CLUSTER:
        for host in hosts:
            yield from history.kinds_of_host.between(moment - NEAR, moment + NEAR, kind, host)[:1]


def _is_watched(history: GroupHistory, host: str, moment: datetime) -> bool:
    own = history.coverage.of(host, None, ("ERRORLOG", "AlwaysOn_health"))
    return any(one.first <= moment <= one.last for one in own)
