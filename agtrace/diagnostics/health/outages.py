"""Outages of groups that are related: evidence of other groups of the case never explains them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from agtrace.diagnostics.health import divergence, experienced, failed_over, groups, not_failed_over, story
from agtrace.diagnostics.health.told import Row, Told
from agtrace.history.unrelated import GroupSet, separated
from agtrace.resolve.names import host_name
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds


@dataclass(frozen=True)
class Outages:
    """Findings on the primary of related groups, with the rows that they rest on."""

    told: Told
    failovers: list[Judged]
    lost: list[Judged]
    stayed: list[Judged]
    doubled: list[Judged]
    flapping: list[Judged]

    def stories(self) -> list[story.Story]:
        """Return the story of each outage."""
        return story.stories(self.told, [*self.failovers, *self.lost, *self.doubled])


def outages(
    told: Told, sets: Sequence[GroupSet], replicas: Iterable[Row], limits: Thresholds
) -> list[Outages]:
    """Return the outages of each set of related groups.

    Parameters
    ----------
    replicas
        Rows of replicas.sql.
    """
    looks = separated(sets, replicas, lambda row: (host_name(row["replica"]), row["ag"]))
    return [_outages(own, each, limits) for own, each in zip(parts(told, sets), looks, strict=True)]


def parts(told: Told, sets: Sequence[GroupSet]) -> list[Told]:
    """Return what is known of each set of related groups."""
    if len(sets) < 2:
        return [told]
    failovers = separated(sets, told.failovers, lambda row: (row["to_host"] or row["from_host"], row["ag"]))
    events = separated(sets, told.events, lambda row: (row["host_id"], row["ag"]))
    members = separated(sets, told.members, lambda row: (host_name(row["replica"]), row["ag"]))
    return [
        replace(told, failovers=own, events=of_own, members=tuple(replicas))
        for own, of_own, replicas in zip(failovers, events, members, strict=True)
    ]


def _outages(told: Told, looks: Sequence[Row], limits: Thresholds) -> Outages:
    doubled = groups.two_primaries(told, limits)
    judged = failed_over.failovers(told, limits, doubled)
    lost = groups.no_primary(told, limits)
    stayed = not_failed_over.not_failed_over(told, lost, looks, limits)
    return Outages(
        told,
        [_completed(*each, told) for each in zip(judged, failed_over.ended(told), strict=True)],
        not_failed_over.explained(lost, stayed),
        stayed,
        doubled,
        groups.flapping(told, limits),
    )


def _completed(judged: Judged, row: Row, told: Told) -> Judged:
    change = divergence.Change(row["ag"], row["from_host"] or "", row["to_host"] or "", *told.span(row))
    return divergence.completed(experienced.completed(judged, row, told), change, told)
