"""health.flapping and health.no_primary: what a whole group went through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from agtrace.diagnostics.health import wording as say
from agtrace.diagnostics.health.failed_over import why
from agtrace.diagnostics.health.told import Row, Told
from agtrace.say import words
from agtrace.say.finding import Evidence, Finding
from agtrace.say.words import count
from agtrace.thresholds import Thresholds

FAILED = ("failover_refused", "online_failed")
"""Events of a group that did not come online where it was to."""


def flapping(told: Told, limits: Thresholds) -> list[Finding]:
    """Give a finding for each group that failed over again and again, unplanned."""
    found = []
    for ag in told.groups:
        own = [f for f in told.failovers_of_group.get(ag, []) if f["mode"] == "automatic"]
        for run in _runs(own, limits):
            found.append(_flaps(ag, run, told, limits))
    return found


def _runs(failovers: Sequence[Row], limits: Thresholds) -> list[list[Row]]:
    """Cut failovers into runs whose neighbours are less than ``flapping_hours`` apart."""
    runs: list[list[Row]] = []
    for row in failovers:
        near = timedelta(hours=limits.flapping_hours)
        if runs and row["end"] - runs[-1][-1]["end"] <= near:
            runs[-1].append(row)
        else:
            runs.append([row])
    return [run for run in runs if len(run) >= limits.flapping_failovers]


def _flaps(ag: str, run: list[Row], told: Told, limits: Thresholds) -> Finding:
    first, last = run[0], run[-1]
    start = first["start"] if first["start"] is not None else first["end"]
    near = last["end"] + timedelta(hours=limits.flapping_hours)
    refused = [e for kind in FAILED for e in told.kinds_of_group.between(start, near, kind, ag)]
    end = max([last["end"], *(event["time"] for event in refused)])
    group = words.plain(ag, 60)
    causes = words.listing([f"{say.kind(name)} ({n})" for name, n in _counted([row["cause"] for row in run])])
    hours = (end - start).total_seconds()
    entries = [
        Evidence(f"failover {n}", say.route(row["from_host"], row["to_host"]), "",
                 f"{say.moment(row['end'])}, {why(row)}")
        for n, row in enumerate(run[:10], 1)
    ]  # fmt: skip
    moves = [e for e in told.within(start, end, "group_moved") if e["ag"] == ag and e["value"] is not None]
    if moves:
        entries.append(Evidence("failures of the role, as the cluster counts them against its threshold", moves[-1]["value"],
                                "failovers", told.sources(moves[-1])))  # fmt: skip
    failed = f" {count(len(refused), 'attempt')} to bring it online failed." if refused else ""
    return Finding(
        "health.flapping",
        "critical" if len(run) >= limits.flapping_critical else "warning",
        f"{group} failed over {len(run)} times in {words.span(hours)} without being asked to",
        f"From {say.moment(start)} to {say.moment(end)} {group} failed over {len(run)} times: {causes}.{failed} The cluster "
        "stops failing a group over when its failures reach the threshold of the role: then it stays where it is, or offline.",
        subject={"ag": ag},
        window={"start": say.iso(start), "end": say.iso(end)},
        evidence=(Evidence("failovers", len(run), "failovers", "ERRORLOG, AlwaysOn_health"), *entries),
        recommendation="Mend the cause of the first of them; raise the failover threshold of the role only when it is mended.",
        confidence=0.9,
    )


def _counted(names: Sequence[str]) -> list[tuple[str, int]]:
    return sorted({name: names.count(name) for name in names}.items(), key=lambda one: (-one[1], one[0]))


@dataclass(frozen=True)
class Loss:
    """A group that lost its primary, and who was watched while none was seen."""

    ag: str
    lost: Row
    until: datetime
    """Until when every replica that tells of it was watched."""
    states: dict[str, Row]
    """Last state of each host that told of the group."""
    watched: tuple[str, ...]
    unwatched: tuple[str, ...]

    @property
    def seconds(self) -> float:
        """How long no primary was seen."""
        return (self.until - self.lost["time"]).total_seconds()


def no_primary(told: Told, limits: Thresholds) -> list[Finding]:
    """Give a finding for each group that no watched replica was primary of, for as long as they were watched."""
    losses = (_loss(ag, told, limits) for ag in told.groups)
    return [_without(loss, told) for loss in losses if loss is not None]


def _loss(ag: str, told: Told, limits: Thresholds) -> Loss | None:
    states: dict[str, Row] = {}
    lost: Row | None = None
    for event in told.kinds_of_group.of("replica_state", ag):
        if not event["host_id"]:
            continue
        states[event["host_id"]] = event
        if event["after"] == "PRIMARY_NORMAL":
            lost = None
        elif event["before"] == "PRIMARY_NORMAL":
            lost = event
    if lost is None:
        return None
    # A replica can be a secondary only of a primary, here or on a host that was not captured.
    later = [e for e in states.values() if e["time"] > lost["time"]]
    if any(event["after"] == "SECONDARY_NORMAL" for event in later):
        return None
    least = lost["time"] + timedelta(seconds=limits.no_primary_s)
    reach = {host: told.watched_until(host, lost["time"]) for host in told.replicas(ag)}
    watched = {host: until for host, until in reach.items() if until >= least}
    # A secondary that goes on without a word speaks for a primary rather than against one.
    if all(host not in states or states[host]["after"] == "SECONDARY_NORMAL" for host in watched):
        return None
    unwatched = tuple(host for host in reach if host not in watched)
    return Loss(ag, lost, min(watched.values()), states, tuple(watched), unwatched)


def _without(loss: Loss, told: Told) -> Finding:
    group, host = words.plain(loss.ag, 60), words.plain(loss.lost["host_id"], 60)
    refused = [
        e
        for kind in FAILED
        for e in told.kinds_of_group.between(loss.lost["time"], loss.until, kind, loss.ag)
    ]
    why = "; ".join(
        f"{say.clock(e['time'])} {say.host(e['host_id'])}: {words.plain(e['text'], 160)}" for e in refused[:3]
    )
    others = "; ".join(
        f"{words.plain(name, 60)} {words.plain(event['after'], 40)} since {say.clock(event['time'])}"
        for name, event in sorted(loss.states.items())
    )
    watched = words.listing([words.plain(name, 60) for name in loss.watched])
    missing = words.listing([words.plain(name, 60) for name in loss.unwatched])
    entries = [
        Evidence(f"state of {words.plain(name, 60)}", event["after"], "", told.sources(event))
        for name, event in sorted(loss.states.items())
    ]
    entries += [Evidence(say.kind(e["kind"]), words.plain(e["text"], 200), "", told.sources(e)) for e in refused[:3]]  # fmt: skip
    if missing:
        entries.append(Evidence("not watched then", missing, "", "coverage"))
    since = say.moment(loss.lost["time"])
    return Finding(
        "health.no_primary",
        "warning" if missing else "critical",
        f"No watched replica is primary of {group} from {since} on, for {words.span(loss.seconds)}; {missing} was not watched"
        if missing
        else f"{group} has no primary from {since} on, for as long as its replicas were watched: {words.span(loss.seconds)}",
        f"{host} ceased to be the primary of {group} at {since}, and none of {watched} took over until "
        f"{say.moment(loss.until)}, when what was captured of them ends: {words.span(loss.seconds)}. Last states: {others}."
        + (f" Nothing captured tells what {missing} did then: it may have taken over." if missing else "")
        + (f" Why another node did not: {why}." if why else ""),
        subject={"ag": loss.ag},
        window={"start": say.iso(loss.lost["time"]), "end": say.iso(loss.until)},
        evidence=(Evidence("time without a primary", loss.seconds, "s", told.sources(loss.lost)), *entries),
        recommendation="Add the captures of every replica and the cluster logs: they tell why none could take over.",
        confidence=0.9 if len(loss.states) > 1 and not missing else 0.5,
    )
