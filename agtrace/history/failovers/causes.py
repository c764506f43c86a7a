"""The cause behind the trigger of a failover: a shortage on the old primary, or the network."""

from __future__ import annotations

from collections import Counter

from agtrace.history.failovers.changes import Change
from agtrace.history.failovers.event import Event, Events
from agtrace.history.failovers.standstills import PAUSED, STARVED, WHICH, standstill
from agtrace.history.failovers.verdict import ABSENCE, SLACK_S, Verdict

BEFORE_S = 300.0
"""How long before the loss a shortage counts: SQL Server reports slow I/O of five minutes at once."""

LATE_S = 120.0
IN_TIME_S = 10.0
"""A primary that was cut off but kept running logs it at most this long after the new one is in place."""

NOTED_LATE = "the old primary noted none of it before the new one was in place: it may have stood still"
LEAST_SAMPLES = 2
SHORT = {
    "dump": ("dump",),
    "long_io": ("long_io",),
    "memory_pressure": ("memory_paged_out", "memory_low", "out_of_memory"),
    "cpu_starvation": ("processors_busy", "non_yielding"),
}
"""Events that show each shortage, in the order in which one causes the others: a dump stops the process, a
slow disk makes workers wait, lack of memory makes disks and processors busy."""

COMPONENTS = {
    "system": ("dump", "cpu_starvation"),
    "resource": ("memory_pressure",),
    "query_processing": (),
    "io_subsystem": ("long_io",),
}
"""Shortages that can cause an error of a component of sp_server_diagnostics."""

OPEN = "open"
DEAD = ("server_died", "service_died")
"""Cluster entries about a service that is not alive, whether it died or was stopped."""
STRAINED = ("lease_expired", "health_timeout", "health_error", "open", "instance_died")
"""Triggers that a shortage can cause."""


def cause(change: Change, verdict: Verdict, events: Events) -> Verdict:
    """Return the root of a failover: a verdict whose ``trigger`` is the cause, with all its reasons."""
    if verdict.trigger == "quorum_lost":
        return _network(change, verdict, events)
    if verdict.trigger not in STRAINED or not change.old:
        return verdict
    still = standstill(change, events)
    short = _shortage(change, verdict, events, still.at if still else change.end)
    if still is None or short.trigger not in (verdict.trigger, "cpu_starvation"):
        return short
    return _stood_still(verdict, short, still)


def _stood_still(verdict: Verdict, short: Verdict, still: Event) -> Verdict:
    """Return the verdict of a standstill, whatever caused it."""
    starved = short.trigger == "cpu_starvation" and still.after != PAUSED
    against = (STARVED,) if starved else (WHICH,) if still.after == OPEN else ()
    sure = 0.85 if still.after == PAUSED else 0.6 if against else 0.75
    return Verdict(
        "standstill",
        verdict.mode,
        min(verdict.confidence, sure) if verdict.trigger != OPEN else min(sure, 0.6),
        (*short.reasons, still),
        (*short.against, *against),
    )


def _shortage(change: Change, verdict: Verdict, events: Events, until: float) -> Verdict:
    """Return the shortages of the old primary, until it was lost or stopped running."""
    found: dict[str, list[Event]] = {}
    possible = _possible(verdict)
    for name, kinds in SHORT.items():
        if name not in possible:
            continue
        seen = events.find(kinds, change.start - BEFORE_S, until, host=change.old)
        if name == "cpu_starvation":
            seen = _lasting(seen, change)
        if seen:
            found[name] = seen
    if not found:
        return verdict
    chosen = next(iter(found))
    rest = [f"{name} was seen as well" for name in found if name != chosen]
    confidence = min(verdict.confidence, ABSENCE if verdict.trigger == "open" else 0.85)
    if rest:
        confidence = min(confidence, 0.7)
    return Verdict(
        chosen,
        verdict.mode,
        confidence,
        (*verdict.reasons, *(one for seen in found.values() for one in seen)),
        (*verdict.against, *rest),
    )


def _possible(verdict: Verdict) -> frozenset[str]:
    """Return the shortages that can cause a trigger; for a component in error, those of the component.

    The set is empty if the group may have been moved on purpose.
    """
    if (verdict.trigger, verdict.mode) == (OPEN, OPEN):
        return frozenset()
    if verdict.trigger == "instance_died" or any(one.kind in DEAD for one in verdict.reasons):
        return frozenset({"dump"})
    if verdict.trigger != "health_error":
        return frozenset(SHORT)
    named = {one for text in verdict.reasons for one in COMPONENTS if one in text.text}
    return frozenset(name for one in named or COMPONENTS for name in COMPONENTS[one])


def _lasting(seen: list[Event], change: Change) -> list[Event]:
    """Return the samples of busy processors if they were busy for long, and to the end.

    A single sample is normal during any backup, even if two sources sampled the same minute; a load that has
    ended did not cause starvation.
    """
    is_late = any(one.at >= change.start - LATE_S for one in seen)
    takers = Counter(witness["source"] for one in seen for witness in one.witnesses[:1])
    return seen if max(takers.values(), default=0) >= LEAST_SAMPLES and is_late else []


def _network(change: Change, verdict: Verdict, events: Events) -> Verdict:
    since, until = change.start - 60, change.end + 60
    ours = events.find(("connection_timeout",), since, until, host=change.old, ag=change.ag)
    theirs = events.find(("connection_timeout",), since, until, other=change.old, ag=change.ag)
    missed = events.find(("heartbeats_missed", "udp_lost"), since, until + SLACK_S)
    if not (missed or (ours and theirs)):
        return verdict
    # A node that is cut off loses the others at the same time as they lose it.
    own = [*ours, *verdict.reasons, *(one for one in missed if one.host == change.old)]
    # If the new primary was not captured, the time of its entry is unknown; the loss of the old one may be
    # known.
    by = change.end if change.is_exact else change.start
    is_late = all(one.at > by + IN_TIME_S for one in own)
    against = (*verdict.against, *([NOTED_LATE] if is_late else []))
    sure = min(verdict.confidence, ABSENCE if is_late else 0.8)
    return Verdict("network", verdict.mode, sure, (*verdict.reasons, *ours, *theirs, *missed), against)
