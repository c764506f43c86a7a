"""health.not_failed_over: a group was without a primary, no other replica took over, and this is why.

Only reasons that a capture shows are told; without one there is no finding.

Sources: messages 41131, 41142 and 41066 of sys.messages; "Availability group didn't failover" and "Failover
and failover modes (Always On availability groups)" of Microsoft's documentation; for the cluster's count of
failures docs/formats/cluster_log.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from agtrace.diagnostics.health.groups import refused
from agtrace.diagnostics.health.measures import WITHOUT_PRIMARY
from agtrace.diagnostics.health.told import Row, Told
from agtrace.measures import Measure, Measured, quoted
from agtrace.resolve.names import same_host
from agtrace.say.finding import window
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

BEFORE = timedelta(minutes=5)
"""So long before the loss the cluster may have counted the failure that was one too many."""
TOLD_BY_THE_CLUSTER, SHOWN = 0.9, 0.75
"""The cluster or the server says why in its own words; or what was configured, or connected, forbids it."""
WATCHED = timedelta(days=366)
"""What a log said of connections so long before still holds, if it said nothing else since."""
COUNTED = Measure("failover_count", "failures of the role in its period", "failovers")
MANUAL = ("MANUAL", "NONE")


def not_failed_over(
    told: Told, losses: Iterable[Judged], looks: Sequence[Row], limits: Thresholds
) -> list[Judged]:
    """Judge each outage without a failover.

    Parameters
    ----------
    losses
        What health.no_primary judged.
    looks
        Rows of replicas.sql: how each replica was set up, at the last look.
    """
    outages = [
        (str(loss.facts["group"]), str(loss.facts["host"]), loss.facts["since"], loss.facts["until"])
        for loss in losses
    ]
    outages += [
        (row["ag"], row["from_host"], *told.span(row))
        for row in told.failovers
        if row["from_host"] and row["from_host"] == row["to_host"] and row["mode"] == "automatic"
        and (row["seconds_without_primary"] or 0.0) >= limits.no_primary_s
    ]  # fmt: skip
    found = (_judged(*outage, told, looks) for outage in outages)
    return [one for one in found if one is not None]


def _judged(
    ag: str, host: str, since: datetime, until: datetime, told: Told, looks: Sequence[Row]
) -> Judged | None:
    own = [row for row in looks if row["ag"] == ag and not same_host(_host(row["replica"]), host)]
    reasons: list[tuple[str, list[Measured], Mapping[str, Any]]] = []
    for event in told.kinds_of_group.between(since - BEFORE, until, "threshold_reached", ag)[:1]:
        entry = [told.entry(event)] + (
            [COUNTED(event["value"], told.sources(event))] if event["value"] else []
        )
        reasons.append(("threshold", entry, {"count": event["value"], "most": event["after"]}))
    for event in refused(ag, since, until, told)[:1]:
        reasons.append(("refused", [told.entry(event)], {"by": event["host_id"], "text": event["text"]}))
    # A distributed group never fails over by itself: that it is switched by hand is no reason of an outage.
    is_ordinary = not any(row.get("is_distributed") for row in own)
    if (
        own
        and is_ordinary
        and all(row["failover_mode"] and str(row["failover_mode"]).upper() in MANUAL for row in own)
    ):
        modes = [
            quoted(f"failover mode of {row['replica']}", row["failover_mode"], _place(row, told))
            for row in own
        ]
        reasons.append(("manual", modes, {"replicas": [row["replica"] for row in own]}))
    gone = _not_connected(ag, host, since, told)
    if gone:
        reasons.append(
            (
                "apart",
                [told.entry(event) for event in gone],
                {"replicas": sorted({e["replica"] for e in gone})},
            )
        )
    if not reasons:
        return None
    seconds = (until - since).total_seconds()
    kinds = [kind for kind, _, _ in reasons]
    facts: dict[str, Any] = {}
    for _, _, given in reasons:
        facts = {**given, **facts}
    return Judged(
        said="not_failed_over",
        id="health.not_failed_over",
        severity="warning",
        subject={"ag": ag},
        window=window(since, until),
        evidence=(
            WITHOUT_PRIMARY(seconds, f"states of {ag}"),
            *(each for _, numbers, _ in reasons for each in numbers),
        ),
        confidence=TOLD_BY_THE_CLUSTER if {"threshold", "refused"} & set(kinds) else SHOWN,
        facts={"group": ag, "host": host, "since": since, "seconds": seconds, "kinds": kinds, "why": kinds[0]}
        | {name: facts.get(name) for name in ("count", "most", "by", "text", "replicas")},
    )


def _not_connected(ag: str, host: str, since: datetime, told: Told) -> list[Row]:
    """Give what the primary last said of databases that were not connected to a replica, one for each."""
    last: dict[tuple[str, str], Row] = {}
    for event in told.within(since - WATCHED, since, "database_connected", "database_disconnected"):
        if event["host_id"] == host and event["replica"] and event["ag"] in (ag, None):
            last[event["replica"], event["database"] or ""] = event
    gone = [event for event in last.values() if event["kind"] == "database_disconnected"]
    named = {replica for replica, _ in last}
    # One replica that was connected could have taken over.
    if not gone or {event["replica"] for event in gone} != named:
        return []
    return list({event["replica"]: event for event in gone}.values())


def _host(replica: str) -> str:
    return replica.partition("\\")[0]


def _place(row: Row, told: Told) -> str:
    return told.place(row["content_id"], row["line"], "a look")
