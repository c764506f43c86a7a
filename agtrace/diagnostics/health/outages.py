"""Outages of groups that are related: evidence of other groups of the case never explains them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from agtrace.diagnostics.health import failed_over, groups, not_failed_over, story
from agtrace.diagnostics.health.group_history import GroupHistory, Row
from agtrace.history.unrelated import GroupSet, separated
from agtrace.resolve.names import host_name
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds


@dataclass(frozen=True)
class Outages:
    """Findings on the primary of related groups, with the rows that they rest on."""

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
    history: GroupHistory, sets: Sequence[GroupSet], replicas: Iterable[Row], limits: Thresholds
) -> list[Outages]:
    """Return the outages of each set of related groups.

    Parameters
    ----------
    replicas
        Rows of replicas.sql.
    """
    looks = separated(sets, replicas, lambda row: (host_name(row["replica"]), row["ag"]))
    return [_outages(own, each, limits) for own, each in zip(parts(history, sets), looks, strict=True)]


def parts(history: GroupHistory, sets: Sequence[GroupSet]) -> list[GroupHistory]:
    """Return what is known of each set of related groups."""
    if len(sets) < 2:
        return [history]
    failovers = separated(
        sets, history.failovers, lambda row: (row["to_host"] or row["from_host"], row["ag"])
    )
    events = separated(sets, history.events, lambda row: (row["host_id"], row["ag"]))
    members = separated(sets, history.members, lambda row: (host_name(row["replica"]), row["ag"]))
    return [
        replace(history, failovers=own, events=of_own, members=tuple(replicas))
        for own, of_own, replicas in zip(failovers, events, members, strict=True)
    ]


def _outages(history: GroupHistory, looks: Sequence[Row], limits: Thresholds) -> Outages:
    doubled = groups.two_primaries(history, limits)
    lost = groups.no_primary(history, limits)
    stayed = not_failed_over.not_failed_over(history, lost, looks, limits)
    return Outages(
        history,
        failed_over.failovers(history, limits, doubled),
        not_failed_over.explained(lost, stayed),
        stayed,
        doubled,
        groups.flapping(history, limits),
    )
