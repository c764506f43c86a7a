"""Outages of related groups as experienced by clients: their parts with durations.

Evidence of unrelated groups of the case never explains them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple

from agtrace.diagnostics.health import divergence, failed_over, groups, not_failed_over, story
from agtrace.diagnostics.health.group_history import GroupHistory
from agtrace.diagnostics.health.rows import Failovers, Replicas
from agtrace.history.unrelated import GroupSet, separated
from agtrace.measures import Measure
from agtrace.resolve.names import host_name
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

FROZEN = Measure("frozen_s", "primary frozen before", "s", "it did not run, or its reads and writes stalled")
NOT_AVAILABLE = Measure(
    "not_available_s", "databases not available after", "s", "after the new primary was in place"
)
LEAST_S = 0.001


class Available(NamedTuple):
    """The time at which the last database was available on the new primary, and the evidence."""

    databases: float | None = None
    n: int = 0
    last: str | None = None
    by: str = ""


class Experience(NamedTuple):
    """The parts of an outage in seconds; None if not captured.

    ``frozen`` before the role was lost, ``frozen_by`` files or standstill, ``is_bound`` (at most);
    ``role``, the time without a primary in the logs, and ``within``, of which the old one did not run;
    ``databases`` until the ``last`` of ``n`` was available after that, ``by`` recovery or role;
    ``total``; ``held``, the old primary where its own log has the role for all of ``role``.
    """

    frozen: float
    frozen_by: str
    is_bound: bool
    within: float
    role: float | None
    databases: float | None
    n: int
    last: str | None
    by: str
    total: float | None
    held: str | None


@dataclass(frozen=True)
class Outages:
    """Findings on the primary of related groups, with their rows."""

    history: GroupHistory
    failovers: list[Judged]
    lost: list[Judged]
    stayed: list[Judged]
    doubled: list[Judged]
    flapping: list[Judged]

    def stories(self) -> list[story.Story]:
        """Return the story of each outage."""
        return story.stories(self.history, [*self.failovers, *self.lost, *self.doubled])


def outages(
    history: GroupHistory, sets: Sequence[GroupSet], replicas: Iterable[Replicas], limits: Thresholds
) -> list[Outages]:
    """Return the outages of each set of related groups.

    Parameters
    ----------
    replicas
        Rows of replicas.sql.
    """
    looks = separated(sets, replicas, lambda row: (host_name(row.replica), row.ag))
    return [_outages(own, each, limits) for own, each in zip(parts(history, sets), looks, strict=True)]


def parts(history: GroupHistory, sets: Sequence[GroupSet]) -> list[GroupHistory]:
    """Return the history of each set of related groups."""
    if len(sets) < 2:
        return [history]
    failovers = separated(sets, history.failovers, lambda row: (row.to_host or row.from_host, row.ag))
    events = separated(sets, history.events, lambda row: (row.host_id, row.ag))
    members = separated(sets, history.members, lambda row: (host_name(row.replica), row.ag))
    return [
        replace(history, failovers=own, events=of_own, members=tuple(replicas))
        for own, of_own, replicas in zip(failovers, events, members, strict=True)
    ]


def _outages(history: GroupHistory, looks: Sequence[Replicas], limits: Thresholds) -> Outages:
    doubled = groups.two_primaries(history, limits)
    judged = failed_over.failovers(history, limits, doubled)
    lost = groups.no_primary(history, limits)
    stayed = not_failed_over.not_failed_over(history, lost, looks, limits)
    return Outages(
        history,
        [_completed(*each, history) for each in zip(judged, history.failovers, strict=True)],
        not_failed_over.explained(lost, stayed),
        stayed,
        doubled,
        groups.flapping(history, limits),
    )


def _completed(judged: Judged, row: Failovers, history: GroupHistory) -> Judged:
    change = divergence.Change(row.ag, row.from_host or "", row.to_host or "", *history.span(row))
    return divergence.completed(_with_parts(judged, row, history), change, history)


def _with_parts(judged: Judged, row: Failovers, history: GroupHistory) -> Judged:
    """Return a failover with the parts of its outage."""
    parts = experience(judged, row, history)
    source = "parts of the outage"
    measured = [
        measure(round(seconds, 3), source)
        for measure, seconds in ((FROZEN, parts.frozen), (NOT_AVAILABLE, parts.databases))
        if seconds
    ]
    first, *others = judged.evidence
    return replace(judged, evidence=(first, *measured, *others), facts={**judged.facts, "experience": parts})


def experience(judged: Judged, row: Failovers, history: GroupHistory) -> Experience:
    """Return the parts of an outage."""
    at, back = history.span(row)
    host, role = row.from_host or "", row.seconds_without_primary
    stall = story.stall_of(row, history, at)
    frozen = (at - stall.since).total_seconds() if stall else 0.0
    within = sum((until - begin for begin, until in history.still(host, at, back)), timedelta())
    available = _available(judged, back)
    doubled = judged.facts["doubled"]
    return Experience(
        frozen,
        stall.by if stall else "",
        bool(stall and stall.is_bound),
        within.total_seconds(),
        role,
        *available,
        total=None if role is None else round(frozen + role + (available.databases or 0.0), 3),
        held=doubled["old"] if doubled and role and role >= LEAST_S else None,
    )


def _available(judged: Judged, back: datetime) -> Available:
    """Return when the last database was available: after its recovery, or else when it took its role."""
    facts = judged.facts
    if found := facts["available"]:
        return Available((found.end - back).total_seconds(), found.n, found.database, "recovery")
    if n := facts["databases"]:
        return Available(facts["late"], n, facts["last"].database, "role")
    return Available()
