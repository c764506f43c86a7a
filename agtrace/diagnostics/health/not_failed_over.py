"""health.not_failed_over: why no other replica took over while a group had no primary.

Only reasons shown by a capture are reported; without one there is no finding.

Sources: messages 41131, 41142 and 41066 of sys.messages; "Availability group didn't failover" and "Failover
and failover modes (Always On availability groups)" of Microsoft's documentation; for the cluster's count of
failures docs/formats/cluster_log.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from agtrace.diagnostics.health.group_history import GroupHistory
from agtrace.diagnostics.health.groups import refused
from agtrace.diagnostics.health.measures import FAILURES, WITHOUT_PRIMARY
from agtrace.diagnostics.health.rows import Replicas, Timeline
from agtrace.measures import Measured, quoted
from agtrace.resolve.names import host_name, same_host
from agtrace.say.finding import window
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

BEFORE = timedelta(minutes=5)
"""How long before the loss the cluster may have counted the failure that exceeded the limit."""
TOLD_BY_THE_CLUSTER, SHOWN = 0.9, 0.75
"""Confidence if the cluster or server states the reason; if the configuration or a missing connection
prevents a failover."""
WATCHED = timedelta(days=366)
"""Entries about connections up to this old still hold if no later entry changes them."""
ITS_WORDS = ("threshold", "refused", "quorum", "not_ready", "monitor")
"""Reasons that the cluster or a server states itself."""
MANUAL = ("MANUAL", "NONE")


def not_failed_over(
    history: GroupHistory, losses: Iterable[Judged], looks: Sequence[Replicas], limits: Thresholds
) -> list[Judged]:
    """Judge each outage without a failover.

    Parameters
    ----------
    losses
        The findings of health.no_primary.
    looks
        Rows of replicas.sql: the configuration of each replica in the last snapshot.
    """
    # An unwatched replica may have taken over: then only the cluster's own statement counts.
    outages = [
        (
            str(loss.facts["group"]),
            str(loss.facts["host"]),
            loss.facts["since"],
            loss.facts["until"],
            not loss.facts["unwatched"],
        )
        for loss in losses
    ]
    outages += [
        (row.ag, row.from_host, *history.span(row), True)
        for row in history.failovers
        if row.from_host
        and row.from_host == row.to_host
        and row.mode == "automatic"
        and (row.seconds_without_primary or 0.0) >= limits.no_primary_s
    ]
    found = (_judged(*outage, history, looks) for outage in outages)
    return [one for one in found if one is not None]


def explained(losses: Iterable[Judged], found: Iterable[Judged]) -> list[Judged]:
    """Return the outages, each with whether another finding reports why no replica took over."""
    history = {(one.subject["ag"], str(one.window.get("start"))) for one in found}
    return [
        replace(loss, facts={**loss.facts, "is_explained": True})
        if (loss.subject["ag"], str(loss.window.get("start"))) in history
        else loss
        for loss in losses
    ]


@dataclass(frozen=True)
class Reason:
    """Why a replica did not or could not take over.

    Parameters
    ----------
    kind
        Name of its texts.
    evidence, facts
        What shows it, and what the words name of it.
    """

    kind: str
    evidence: Sequence[Measured]
    facts: Mapping[str, Any] = field(default_factory=dict)


NAMED = ("count", "most", "by", "text", "failed", "what", "replicas", "gone", "without", "unready")
"""Values used in the texts of reasons; each reason sets its own, the others are None."""


def _judged(
    ag: str,
    host: str,
    since: datetime,
    until: datetime,
    is_watched: bool,
    history: GroupHistory,
    looks: Sequence[Replicas],
) -> Judged | None:
    reasons = [
        reason
        for reason in _reasons(ag, host, since, until, history, looks)
        if is_watched or reason.kind == "threshold"
    ]
    if not reasons:
        return None
    seconds = (until - since).total_seconds()
    kinds = [reason.kind for reason in reasons]
    return Judged(
        said="not_failed_over",
        id="health.not_failed_over",
        severity="warning",
        subject={"ag": ag},
        window=window(since, until),
        evidence=(
            WITHOUT_PRIMARY(seconds, f"states of {ag}"),
            *(each for reason in reasons for each in reason.evidence),
        ),
        confidence=TOLD_BY_THE_CLUSTER if kinds[0] in ITS_WORDS else SHOWN,
        facts=dict.fromkeys(NAMED)
        | {"group": ag, "host": host, "since": since, "seconds": seconds, "kinds": kinds, "why": kinds[0]}
        | {name: value for reason in reasons for name, value in reason.facts.items()},
    )


def _reasons(
    ag: str, host: str, since: datetime, until: datetime, history: GroupHistory, looks: Sequence[Replicas]
) -> Iterator[Reason]:
    """Yield the reasons that are shown, those of the cluster or of the server itself first."""
    for event in history.kinds_of_group.between(since - BEFORE, until, "threshold_reached", ag)[:1]:
        count = [FAILURES(event.value, history.sources(event))] if event.value else []
        facts = {"count": event.value, "most": event.after}
        yield Reason("threshold", [history.entry(event), *count], facts)
    for event in refused(ag, since, until, history)[:1]:
        yield Reason("refused", [history.entry(event)], {"by": event.host_id, "text": event.text})
    # A node that lost quorum cannot take over; the old primary's loss does not keep the others from it.
    lost = [
        event
        for event in history.within(since - BEFORE, until, "quorum_lost")
        if event.host_id not in (host, None) and event.host_id in history.replicas(ag)
    ]
    if lost:
        names = sorted({event.host_id for event in lost if event.host_id})
        yield Reason("quorum", [history.entry(lost[0])], {"without": names})
    unready = history.kinds_of_group.between(since - BEFORE, until, "failover_not_ready", ag)
    for event in [event for event in unready if event.host_id != host][-1:]:
        yield Reason("not_ready", [history.entry(event)], {"unready": event.host_id})
    unmonitored = (
        event
        for event in history.within(since - BEFORE, until, "monitor_failed")
        if event.host_id not in (host, None)
        # Without a group's name, an event concerns this group if its node has a replica of it.
        and (event.ag == ag or (event.ag is None and event.host_id in history.replicas(ag)))
    )
    for event in islice(unmonitored, 1):
        facts = {"failed": event.host_id, "what": event.after}
        yield Reason("monitor", [history.entry(event)], facts)
    own = [row for row in looks if row.ag == ag and not same_host(host_name(row.replica) or "", host)]
    # A distributed group never fails over automatically: manual mode is not a reason for its outage.
    is_ordinary = not any(row.is_distributed for row in own)
    modes_shown = own and all(row.failover_mode for row in own)
    if is_ordinary and modes_shown and all(str(row.failover_mode).upper() in MANUAL for row in own):
        modes = [
            quoted(
                f"failover mode of {row.replica}",
                row.failover_mode,
                history.place(row.content_id, row.line, "a look"),
            )
            for row in own
        ]
        yield Reason("manual", modes, {"replicas": [row.replica for row in own]})
    if gone := _not_connected(ag, host, since, history):
        names = sorted({event.replica for event in gone if event.replica})
        yield Reason("apart", [history.entry(event) for event in gone], {"gone": names})


def _not_connected(ag: str, host: str, since: datetime, history: GroupHistory) -> list[Timeline]:
    """Return the primary's last entries on databases disconnected from a replica, one for each."""
    last: dict[tuple[str, str], Timeline] = {}
    for event in history.within(since - WATCHED, since, "database_connected", "database_disconnected"):
        if event.host_id == host and event.replica and event.ag in (ag, None):
            last[event.replica, event.database or ""] = event
    gone = [event for event in last.values() if event.kind == "database_disconnected"]
    named = {replica for replica, _ in last}
    # A connected replica could have taken over.
    if not gone or {event.replica for event in gone} != named:
        return []
    return list({event.replica: event for event in gone}.values())
