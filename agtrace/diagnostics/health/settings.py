"""health.settings: timeouts that contradict each other or are short, modes and votes that will hurt."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import Any

from agtrace.diagnostics.health.group_history import GroupHistory
from agtrace.diagnostics.health.measures import LIKELY, SEEN, SESSION
from agtrace.diagnostics.health.rows import Groups, Replicas, Settings
from agtrace.measures import Measure, Measured, quoted
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

AUTOMATIC = "AUTOMATIC"
WITNESSES = ("WITNESS", "SHARE")
"""Words in the quorum types with a witness."""
HOST_MASK = "255.255.255.255"
IPV4 = re.compile(r"\d{1,3}(\.\d{1,3}){3}")
MOST_HEARTBEATS = 120
"""Highest SameSubnetThreshold that a cluster accepts."""

VOTES = Measure("votes", "votes", "votes")
HEALTH_CHECK = Measure("health_check_timeout", "health_check_timeout", "ms", "as SQL Server shows it")


@dataclass(frozen=True)
class Setting:
    """A numeric setting with its source."""

    name: str
    value: float
    row: Settings

    @property
    def unit(self) -> str:
        """Thresholds of the cluster count heartbeats; the others are times."""
        return "heartbeats" if self.name.endswith("Threshold") else "ms"

    def measured(self, history: GroupHistory) -> Measured:
        """Return it as evidence."""
        return Measure(self.name, self.name, self.unit)(self.value, _place(history, self.row))


UNPROBED = {"shown": ("warning", LIKELY), "likely": ("notice", 0.6), None: ("info", 0.5)}
"""Severity and confidence of an address without a probe port, by whether its host runs on Azure."""


def settings(
    history: GroupHistory,
    rows: list[Settings],
    groups: list[Groups],
    replicas: list[Replicas],
    limits: Thresholds,
    azure: str | None = "no",
) -> list[Judged]:
    """Judge settings that can make failovers fail, happen needlessly, or leave two primaries.

    Parameters
    ----------
    rows, groups, replicas
        Rows of settings.sql, groups.sql and replicas.sql.
    azure
        Whether the hosts run on Azure, of azure.sql.
    """
    cluster = _numbers(row for row in rows if row.scope == "cluster")
    of_group: dict[str, list[Settings]] = defaultdict(list)
    for row in rows:
        if row.scope == "group":
            of_group[row.item or ""].append(row)
    found = _subnets(history, cluster)
    for name, settings in sorted(of_group.items()):
        own = _numbers(settings)
        shown = [row for row in groups if row.ag == name]
        found += [*_lease(history, name, own, cluster), *_short(history, name, own, limits)]
        found += _two_values(history, name, own, shown)
    resources = [row for row in rows if row.scope == "resource"]
    found += [*_probes(history, resources), *_unprobed(history, resources, azure)]
    return [
        *found,
        *_sessions(history, replicas, limits),
        *_votes(history, rows),
        *_no_target(history, replicas),
    ]


def _judged(
    said: str, subject: dict[str, str], evidence: Iterable[Measured], confidence: float = SEEN, **facts: Any
) -> Judged:
    return Judged(
        said=f"settings.{said}",
        id="health.settings",
        severity="warning" if said == "lease" else "notice",
        subject=subject,
        evidence=tuple(evidence),
        confidence=confidence,
        facts=subject | facts,
    )


def _numbers(rows: Iterable[Settings]) -> dict[str, Setting]:
    """Return the settings that are numbers, by name; of several the first."""
    found: dict[str, Setting] = {}
    for row in rows:
        try:
            found.setdefault(row.setting, Setting(row.setting, float(row.value), row))
        except (TypeError, ValueError):
            continue
    return found


def _lease(
    history: GroupHistory, group: str, own: dict[str, Setting], cluster: dict[str, Setting]
) -> list[Judged]:
    """Judge a lease that is longer than the cluster waits for a silent node.

    Half the lease is how often it is renewed: a node that the cluster gives up before then is
    replaced while its instance may still believe that it is the primary.
    """
    lease = own.get("LeaseTimeout")
    delay, threshold = cluster.get("SameSubnetDelay"), cluster.get("SameSubnetThreshold")
    if lease is None or delay is None or threshold is None:
        return []
    silent_ms = delay.value * threshold.value
    if lease.value / 2 < silent_ms:
        return []
    evidence = (one.measured(history) for one in (lease, threshold, delay))
    half = lease.value / 2
    enough = half // delay.value + 1 if delay.value > 0 else None
    facts: dict[str, Any] = {
        "lease": lease.value,
        "threshold": threshold.value,
        "delay": delay.value,
        "silent": silent_ms,
    }
    is_possible = enough is not None and enough <= MOST_HEARTBEATS
    facts |= {"half": half, "enough": enough if is_possible else None}
    return [_judged("lease", {"ag": group}, evidence, **facts)]


def _subnets(history: GroupHistory, cluster: dict[str, Setting]) -> list[Judged]:
    """Judge heartbeat settings that remove a node in another subnet before one in the same subnet."""
    found = []
    for what in ("Delay", "Threshold"):
        same, cross = cluster.get(f"SameSubnet{what}"), cluster.get(f"CrossSubnet{what}")
        if same is not None and cross is not None and same.value > cross.value:
            evidence = (same.measured(history), cross.measured(history))
            host = {"host": same.row.host_id or ""}
            found.append(_judged("subnets", host, evidence, same=same, cross=cross))
    return found


def _short(history: GroupHistory, group: str, own: dict[str, Setting], limits: Thresholds) -> list[Judged]:
    """Judge timeouts of a group that are shorter than the product's defaults."""
    usual = {"LeaseTimeout": limits.lease_ms, "HealthCheckTimeout": limits.health_check_ms}
    short = [own[name] for name in usual if name in own and own[name].value < usual[name]]
    if not short:
        return []
    shown = [
        {"name": one.name, "value": one.value, "unit": one.unit, "usual": usual[one.name]} for one in short
    ]
    evidence = (one.measured(history) for one in short)
    return [_judged("short", {"ag": group}, evidence, short=shown)]


def _two_values(
    history: GroupHistory, group: str, own: dict[str, Setting], groups: list[Groups]
) -> list[Judged]:
    """Judge a HealthCheckTimeout of the cluster that is not the one that SQL Server shows."""
    check = own.get("HealthCheckTimeout")
    shown = next((row for row in groups if row.health_check_timeout_ms is not None), None)
    if check is None or shown is None or check.value == shown.health_check_timeout_ms:
        return []
    other = shown.health_check_timeout_ms
    evidence = (check.measured(history), HEALTH_CHECK(other, _place(history, shown)))
    return [_judged("two_values", {"ag": group}, evidence, LIKELY, cluster=check.value, server=other)]


def _sessions(history: GroupHistory, replicas: list[Replicas], limits: Thresholds) -> list[Judged]:
    """Judge session timeouts too short for replicas to answer."""
    found = []
    for row in replicas:
        seconds, least = row.session_timeout_s, limits.session_timeout_s
        if seconds is not None and seconds < least:
            subject = {"ag": row.ag, "replica": row.replica}
            evidence = [SESSION(seconds, _place(history, row))]
            found.append(_judged("session", subject, evidence, seconds=seconds, least=least))
    return found


def _votes(history: GroupHistory, rows: list[Settings]) -> list[Judged]:
    """Judge an even number of votes without a witness."""
    votes = [row for row in rows if row.setting == "quorum_votes" and row.scope == "member"]
    kind = next((row for row in rows if row.setting == "quorum_type"), None)
    if kind is None or not kind.value or any(name in kind.value.upper() for name in WITNESSES):
        return []
    total = sum(int(row.value) for row in votes if row.value.isdigit())
    if not votes or total % 2:
        return []
    shown, quorum = VOTES(total, _place(history, votes[0])), kind.value
    evidence = (shown, quoted("quorum_type", quorum, _place(history, kind)))
    host = {"host": kind.host_id or ""}
    return [_judged("votes", host, evidence, LIKELY, votes=total, nodes=len(votes), quorum=quorum)]


def _probes(history: GroupHistory, rows: list[Settings]) -> list[Judged]:
    """Judge addresses that a load balancer asks, and that a route of their subnet leads past it."""
    found = []
    for name, own in groupby(rows, key=attrgetter("item")):
        shown = {row.setting: row for row in own}
        port, mask = shown.get("ProbePort"), shown.get("SubnetMask")
        if not port or not mask or not str(port.value).isdigit() or int(port.value) == 0:
            continue
        if mask.value == HOST_MASK or not IPV4.fullmatch(str(mask.value)):
            continue
        evidence = [
            quoted(f"{each.setting} of {name}", each.value, _place(history, each)) for each in (port, mask)
        ]
        subject = {"host": port.host_id or ""}
        facts = {"name": name, "port": int(port.value), "mask": mask.value, "needed": HOST_MASK}
        found.append(_judged("probe", subject, evidence, **facts))
    return found


def _unprobed(history: GroupHistory, rows: list[Settings], azure: str | None) -> list[Judged]:
    """Judge addresses of listeners without a probe port on Azure, where a load balancer needs one."""
    by_name = {name: {row.setting: row for row in own} for name, own in groupby(rows, key=attrgetter("item"))}
    ports = {name: str(own["ProbePort"].value) for name, own in by_name.items() if "ProbePort" in own}
    is_probed = any(port.isdigit() and int(port) for port in ports.values())
    found = []
    for name, port in ports.items():
        own = by_name[name]
        role = str(own["owner_group"].value) if "owner_group" in own else ""
        if port != "0" or role == "Cluster Group" or name.startswith("Cluster IP Address"):
            continue
        has_mask = "SubnetMask" in own and own["SubnetMask"].value == HOST_MASK
        level = "shown" if is_probed or has_mask else azure
        if level == "no":
            continue
        severity, confidence = UNPROBED[level]
        shown = [own[key] for key in ("ProbePort", "SubnetMask") if key in own]
        evidence = [quoted(f"{each.setting} of {name}", each.value, _place(history, each)) for each in shown]
        facts = {"name": name, "azure": level or "", "needed": HOST_MASK}
        subject = {"host": own["ProbePort"].host_id or ""}
        found.append(replace(_judged("unprobed", subject, evidence, confidence, **facts), severity=severity))
    return found


def _no_target(history: GroupHistory, replicas: list[Replicas]) -> list[Judged]:
    """Judge groups that have no replica that would take over by itself; no distributed one has."""
    found = []
    for group, own in groupby(replicas, key=attrgetter("ag")):
        rows = list(own)
        if rows[0].is_distributed:
            continue
        modes = [row.failover_mode for row in rows]
        ready = modes.count(AUTOMATIC)
        if len(rows) < 2 or None in modes or ready >= 2:
            continue
        evidence = [
            quoted(f"failover mode of {row.replica}", row.failover_mode, _place(history, row)) for row in rows
        ]
        listed = [f"{row.replica} {row.failover_mode}" for row in rows]
        found.append(
            _judged("no_target", {"ag": group}, evidence, ready=ready, replicas=len(rows), modes=listed)
        )
    return found


def _place(history: GroupHistory, row: Settings | Groups | Replicas) -> str:
    return history.place(row.content_id, row.line, "settings")
