"""health.disconnect: how long two replicas were not connected, whichever end wrote it.

A replica is lost by 35206, or connects anew by 35202; a database whose connection is terminated (35267) alone is not: its
movement was suspended, it was removed, or a role changed, while its replica may go on.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime, timedelta

from agtrace.diagnostics.health import wording as say
from agtrace.diagnostics.health.explained import Explained, explained
from agtrace.diagnostics.health.stretches import Stretch, merged, stretches
from agtrace.diagnostics.health.told import Row, Told
from agtrace.resolve.replicas import same_replica
from agtrace.say import words
from agtrace.say.finding import Evidence, Finding
from agtrace.say.words import count
from agtrace.thresholds import Thresholds

__all__ = ["MOST", "Stretch", "findings", "stretches"]

BRIEF_S = 60.0
"""A database whose connection ends for less than this, while its replica is not lost, is worth no word."""
SOON = timedelta(minutes=5)
"""So long before its connection ends a seeding may begin that it belongs to."""
MOST = 20
"""Stretches of one pair that are told one by one, the longest; the others are counted."""


def findings(told: Told, limits: Thresholds) -> list[Finding]:
    """Give a finding for each time without a connection, the longest of a pair where there are many.

    Those that belong to a failover are evidence of it, and none of their own.
    """
    of_pair: dict[tuple[str, ...], list[Stretch]] = defaultdict(list)
    for one in merged(stretches(told)):
        of_pair[(*sorted((one.host, say.host_of(one.replica))), one.database or "")].append(one)
    found = []
    for many in of_pair.values():
        kept = sorted(many, key=_length, reverse=True)[:MOST]
        for one in kept:
            why = explained(one, told)
            if not why.by_failover and not (
                one.database and (why.text or _is_brief(one) or _was_seeded(one, told))
            ):
                found.append(_finding(one, why, told, limits, len(many)))
    return sorted(found, key=lambda f: (f.window["start"], f.subject["host"], f.subject["replica"]))


def _is_brief(one: Stretch) -> bool:
    """Tell whether a database was connected again so soon that nobody needs to hear of it."""
    return one.seconds is not None and one.seconds < BRIEF_S


def _was_seeded(one: Stretch, told: Told) -> bool:
    """Tell whether the database was seeded again meanwhile: that ends its connection, and has findings of its own."""
    end = one.back["time"] if one.back else None
    return any(
        row["database"] == one.database
        and row["start"] is not None
        and row["start"] >= one.start - SOON
        and (end is None or row["start"] <= end)
        for row in told.seeded
    )


def _length(one: Stretch) -> float:
    known = one.least if one.seconds is None else one.seconds
    return float("inf") if known is None else known


def _finding(one: Stretch, why: Explained, told: Told, limits: Thresholds, n: int) -> Finding:
    host, replica = words.plain(one.host, 60), words.plain(one.replica, 60)
    seconds = one.seconds
    last = _watched_until(one, told)
    look = None if one.back or one.stop else _looked_at(one, told)
    end = one.back["time"] if one.back else look["time"] if look else one.stop or last
    bound = ", at most" if look else ", at least" if one.stop else ""
    if look:
        seconds = (look["time"] - one.start).total_seconds()
    if one.stop:
        seconds = one.least
    known = "until the captures of it end" if seconds is None else say.seconds(seconds)
    if look:
        known += " at most, then a look shows it connected"
    if one.stop:
        known += " at least, then the ERRORLOG leaves out what followed"
    if one.back is None and not look and not one.stop and _is_short(one, last):
        known = "for how long is not shown"
    # The most that it can have been does not show that it was long.
    seen = (end - one.start).total_seconds() if seconds is None else seconds
    long = look is None and seen >= 60 * limits.disconnect_minutes
    severity = "info" if why.text or one.database else "warning" if long else "notice"
    entries = [_entry("lost", one.lost[0], told)]
    entries += [_entry(f"lost, on {words.plain(e['host_id'], 60)}", e, told) for e in one.other_ends]
    entries += [_entry(say.kind(each["kind"]), each, told) for each in (*why.shown, *why.strained)]
    if one.back:
        entries.append(_entry("connected again", one.back, told))
    if look:
        entries.append(Evidence("connected again, as a look shows", say.moment(look["time"]), "", told.place(look)))  # fmt: skip
    many = f" {host} lost it {count(n, 'time')} in all; the {MOST} longest are told." if n > MOST else ""
    what = f"{words.plain(one.database, 60)} on {host}" if one.database else host
    kept = (
        " No entry (35206, 35202) tells that the replicas themselves lost each other." if one.database else ""
    )
    subject = {"ag": one.ag, "host": one.host, "replica": one.replica}
    return Finding(
        "health.disconnect",
        severity,
        f"{what} was not connected with {replica}: {known}",
        f"{what} lost its connection with {replica} at {say.told(told, one.lost[0])}, {known}.{kept} "
        f"{why.text or why.unknown}{why.strain}{many}",
        subject=subject | ({"database": one.database} if one.database else {}),
        window={"start": say.iso(one.start), "end": say.iso(end)},
        evidence=(
            Evidence(f"time without a connection{bound}", seconds, "s", "ERRORLOG, AlwaysOn_health"),
            *entries,
        ),
        recommendation=_remedy(one, why),
        confidence=0.9 if one.back else 0.7,
    )  # fmt: skip


def _remedy(one: Stretch, why: Explained) -> str:
    if why.text:
        return "Nothing to mend here: it follows from what else happened."
    if one.database:
        return "Ask whether its movement was suspended or the database was removed from the group then: both end its connection."
    return "Look at the network and at the load of both hosts for that time, and at session_timeout of the replica."


def _entry(label: str, row: Row, told: Told) -> Evidence:
    return Evidence(label, words.plain(row["text"], 200), "", told.sources(row))


def _watched_until(one: Stretch, told: Told) -> datetime:
    """Give until when the end that lost the other was watched."""
    own = told.common(told.coverage.until(one.host, None, told.own(one.lost[0])), one.host)
    if told.coverage.hosts:
        return max(own, one.start)
    return told.last or one.start


def _is_short(one: Stretch, last: datetime) -> bool:
    """Tell whether what was captured ends so soon after the loss that its length says nothing."""
    return last - one.start < timedelta(seconds=60)


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
