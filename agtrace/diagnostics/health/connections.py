"""health.disconnect: how long a replica was not connected with another, as each end wrote it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from agtrace.diagnostics import words
from agtrace.diagnostics.finding import Evidence, Finding
from agtrace.diagnostics.health import wording as say
from agtrace.diagnostics.health.told import Row, Told
from agtrace.diagnostics.words import count
from agtrace.resolve.names import host_name
from agtrace.resolve.replicas import same_replica
from agtrace.thresholds import Thresholds

LOST = ("connection_timeout", "database_disconnected")
BACK = ("connected", "database_connected")
EVENTS = "Extended Events"
AROUND = timedelta(seconds=60)
"""So near a failover, or before a restart, a lost connection belongs to it."""
MOST = 20
"""Stretches of one pair that are told one by one, the longest; the others are counted."""


@dataclass
class Stretch:
    """A time without a connection, as one end wrote it."""

    ag: str
    host: str
    replica: str
    start: datetime
    lost: list[Row] = field(default_factory=list)
    back: Row | None = None
    stop: datetime | None = None
    """When the log that tells of it leaves something out, before it tells of its end."""

    @property
    def seconds(self) -> float | None:
        return (self.back["time"] - self.start).total_seconds() if self.back else None

    @property
    def least(self) -> float | None:
        """Seconds for which it lasted at least, where the log leaves out how it went on."""
        return (self.stop - self.start).total_seconds() if self.stop else None


def stretches(told: Told) -> list[Stretch]:
    """Give the times without a connection of every pair, in order of time."""
    ags = _groups_of_pairs(told)
    open_: dict[tuple[str, str], Stretch] = {}
    found = []
    events = sorted(told.of(*LOST, *BACK), key=lambda row: row["time"])
    for event in events:
        if not event["host_id"] or not event["replica"]:
            continue
        pair = (event["host_id"], event["replica"])
        if pair in open_ and (stop := _stop(open_[pair], event, told)):
            open_.pop(pair).stop = stop
        if event["kind"] in LOST:
            if pair not in open_:
                ag = event["ag"] or ags.get(pair, "")
                open_[pair] = Stretch(ag, *pair, event["time"])
                found.append(open_[pair])
            open_[pair].lost.append(event)
        elif pair in open_:
            open_.pop(pair).back = event
    for one in open_.values():
        one.stop = _stop(one, None, told)
    return found


def _stop(one: Stretch, event: Row | None, told: Told) -> datetime | None:
    """Tell when the log leaves something out between a loss and the next event of the pair, if there is one.

    What a session saw on both sides of that is not of the log.
    """
    if EVENTS in one.lost[-1]["sources"] and (event is None or EVENTS in event["sources"]):
        return None
    lost, until = one.lost[-1]["time"], event["time"] if event else datetime.max.replace(tzinfo=UTC)
    return told.stop(one.host, lost, until)


def _groups_of_pairs(told: Told) -> dict[tuple[str, str], str]:
    """Tell which group a connection is of: 35206 does not name it, 35202 does."""
    named: dict[tuple[str, str], set[str]] = defaultdict(set)
    of_host: dict[str, set[str]] = defaultdict(set)
    for event in told.events:
        if event["ag"] and event["host_id"]:
            of_host[event["host_id"]].add(event["ag"])
            if event["replica"]:
                named[event["host_id"], event["replica"]].add(event["ag"])
    pairs = {(e["host_id"], e["replica"]) for e in told.of(*LOST, *BACK)}
    found = {}
    for pair in pairs:
        own = named.get(pair) or of_host.get(pair[0], set())
        if len(own) == 1:
            (found[pair],) = own
    return found


def findings(told: Told, limits: Thresholds) -> list[Finding]:
    """Give a finding for each time without a connection, the longest of a pair where there are many."""
    of_pair: dict[tuple[str, str], list[Stretch]] = defaultdict(list)
    for one in stretches(told):
        of_pair[one.host, one.replica].append(one)
    found = []
    for many in of_pair.values():
        kept = sorted(many, key=_length, reverse=True)[:MOST]
        found += [_finding(one, told, limits, len(many)) for one in many if one in kept]
    return sorted(found, key=lambda f: (f.window["start"], f.subject["host"], f.subject["replica"]))


def _length(one: Stretch) -> float:
    known = one.least if one.seconds is None else one.seconds
    return float("inf") if known is None else known


def _finding(one: Stretch, told: Told, limits: Thresholds, n: int) -> Finding:
    host, replica = words.plain(one.host, 60), words.plain(one.replica, 60)
    beside = _beside(one, told)
    seconds, last = one.seconds, told.last
    look = None if one.back or one.stop else _looked_at(one, told)
    end = one.back["time"] if one.back else look["time"] if look else one.stop or last or one.start
    bound = ", at most" if look else ", at least" if one.stop else ""
    if look:
        seconds = (look["time"] - one.start).total_seconds()
    if one.stop:
        seconds = one.least
    known = "until the captures end" if seconds is None else say.seconds(seconds)
    if look:
        known += " at most, then a look shows it connected"
    if one.stop:
        known += " at least, then the ERRORLOG leaves out what followed"
    # The most that it can have been does not show that it was long.
    long = seconds is None or (look is None and seconds >= 60 * limits.disconnect_minutes)
    severity = "info" if beside else "warning" if long else "notice"
    entries = [
        Evidence("lost", words.plain(one.lost[0]["text"], 200), "", told.sources(one.lost[0]))
    ]
    if one.back:
        entries.append(Evidence("connected again", words.plain(one.back["text"], 200), "", told.sources(one.back)))  # fmt: skip
    if look:
        entries.append(Evidence("connected again, as a look shows", say.moment(look["time"]), "", told.place(look)))  # fmt: skip
    many = (
        f" {host} lost it {count(n, 'time')} in all; the {MOST} longest are told."
        if n > MOST
        else ""
    )
    return Finding(
        "health.disconnect",
        severity,
        f"{host} was not connected with {replica}: {known}",
        f"{host} lost its connection with {replica} at {say.moment(one.start)}, {known}. "
        f"{beside or 'Neither a failover nor a restart of either explains it.'}{many}",
        subject={"ag": one.ag, "host": one.host, "replica": one.replica},
        window={"start": say.iso(one.start), "end": say.iso(end)},
        evidence=(
            Evidence(
                f"time without a connection{bound}",
                seconds,
                "s",
                "ERRORLOG, AlwaysOn_health",
            ),
            *entries,
        ),
        recommendation="Nothing to mend: it follows from what else happened."
        if beside
        else "Look at the network and at the load of both hosts for that time, and at session_timeout of the replica.",
        confidence=0.9 if one.back else 0.7,
    )


def _looked_at(one: Stretch, told: Told) -> Row | None:
    """Give the first look after everything that tells of the loss that shows the two connected."""
    lost = one.lost[-1]["time"]
    return next(
        (
            row
            for row in told.connected_of_host.since(lost, one.host)
            if row["time"] > lost and same_replica(row["replica"], one.replica)
        ),
        None,
    )


def _beside(one: Stretch, told: Told) -> str:
    """Say what else explains a lost connection: a failover of the group, a restart of either host."""
    for row in told.failovers_near(one.ag, one.start - AROUND, one.start + AROUND):
        start, end = told.span(row)
        if abs(one.start - start) <= AROUND or start <= one.start <= end:
            return f"The group failed over {say.route(row['from_host'], row['to_host'])} then."
    hosts = (one.host, host_name(one.replica))
    for event in told.restarts_near(one.start, one.start + AROUND, *hosts):
        return f"{words.plain(event['host_id'], 60)} restarted then."
    return ""
