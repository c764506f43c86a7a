"""health.settings of timeouts: those that contradict each other, and those that are shorter than is advised."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from agtrace.diagnostics.health.told import Row, Told
from agtrace.say import words
from agtrace.say.finding import Evidence, Finding

LEASE_MS, HEALTH_CHECK_MS, SESSION_S = 20_000, 30_000, 10
"""LeaseTimeout and HealthCheckTimeout of a group where nobody changed them; the shortest SESSION_TIMEOUT that is advised."""

UNITS = {
    "LeaseTimeout": "ms", "HealthCheckTimeout": "ms", "SameSubnetDelay": "ms", "CrossSubnetDelay": "ms",
    "SameSubnetThreshold": "heartbeats", "CrossSubnetThreshold": "heartbeats",
}  # fmt: skip


@dataclass(frozen=True)
class Setting:
    """A setting that is a number, and where it stands."""

    name: str
    value: float
    row: Row

    def evidence(self, told: Told, unit: str | None = None) -> Evidence:
        return Evidence(self.name, self.value, unit or UNITS[self.name], place(told, self.row))


def findings(told: Told, settings: list[Row], groups: list[Row], replicas: list[Row]) -> list[Finding]:  # fmt: skip
    """Give what is set so that a failover comes without need, or two instances believe that they are the primary."""
    cluster = _numbers(row for row in settings if row["scope"] == "cluster")
    of_group: dict[str, list[Row]] = defaultdict(list)
    for row in settings:
        if row["scope"] == "group":
            of_group[row["item"] or ""].append(row)
    looks: dict[str, list[Row]] = defaultdict(list)
    for row in groups:
        looks[row["ag"]].append(row)
    found = _subnets(told, cluster)
    for name, rows in sorted(of_group.items()):
        own = _numbers(rows)
        found += [*_lease(told, name, own, cluster), *_short(told, name, own)]
        found += _two_values(told, name, own, looks[name])
    return [*found, *_sessions(told, replicas)]


def _numbers(rows: Iterable[Row]) -> dict[str, Setting]:
    """Give the settings that are numbers, by name; of several the first."""
    found: dict[str, Setting] = {}
    for row in rows:
        try:
            found.setdefault(row["setting"], Setting(row["setting"], float(row["value"]), row))
        except (TypeError, ValueError):
            continue
    return found


def _lease(told: Told, group: str, own: dict[str, Setting], cluster: dict[str, Setting]) -> list[Finding]:
    """Say where a lease outlasts what the cluster allows a node to be silent.

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
    name = words.plain(group, 60)
    return [
        Finding(
            "health.settings",
            "warning",
            f"{name}: the lease outlasts the heartbeats of the cluster",
            f"LeaseTimeout of {name} is {lease.value:g} ms, half of it {lease.value / 2:g} ms; the cluster gives a node up after "
            f"SameSubnetThreshold x SameSubnetDelay = {threshold.value:g} x {delay.value:g} ms = {silent_ms:g} ms. A lease is "
            "renewed in time only when half of it is shorter than that.",
            subject={"ag": group},
            evidence=(lease.evidence(told), threshold.evidence(told), delay.evidence(told)),
            recommendation="Raise SameSubnetThreshold, or shorten the lease.",
            confidence=0.9,
        )
    ]


def _subnets(told: Told, cluster: dict[str, Setting]) -> list[Finding]:
    """Say where a node in another subnet is given up before one in the same subnet would be."""
    found = []
    for what in ("Delay", "Threshold"):
        same, cross = cluster.get(f"SameSubnet{what}"), cluster.get(f"CrossSubnet{what}")
        if same is None or cross is None or same.value <= cross.value:
            continue
        unit = UNITS[same.name]
        found.append(
            Finding(
                "health.settings",
                "notice",
                f"{same.name} is above {cross.name}",
                f"{same.name} is {same.value:g} {unit}, {cross.name} {cross.value:g} {unit}: the nodes of another subnet are given "
                "less time than those near by, though their way is the longer one.",
                subject={"host": same.row["host_id"] or ""},
                evidence=(same.evidence(told), cross.evidence(told)),
                recommendation=f"Set {cross.name} to {same.value:g} {unit} at least.",
                confidence=0.9,
            )
        )
    return found


def _short(told: Told, group: str, own: dict[str, Setting]) -> list[Finding]:
    """Say where a timeout of a group was made shorter than the product has it."""
    usual = {"LeaseTimeout": LEASE_MS, "HealthCheckTimeout": HEALTH_CHECK_MS}
    short = [own[name] for name in usual if name in own and own[name].value < usual[name]]
    if not short:
        return []
    name = words.plain(group, 60)
    listed = words.listing([f"{s.name} {s.value:g} ms (usually {usual[s.name]} ms)" for s in short])
    return [
        Finding(
            "health.settings",
            "notice",
            f"{name} fails over sooner than SQL Server is made for: {listed}",
            f"{listed}: a primary that is busy for a moment, or a disk that stalls, is taken for dead before it can answer.",
            subject={"ag": group},
            evidence=tuple(one.evidence(told) for one in short),
            recommendation="Go back to the usual values, unless each of these failovers is wanted.",
            confidence=0.9,
        )
    ]


def _two_values(told: Told, group: str, own: dict[str, Setting], looks: list[Row]) -> list[Finding]:
    """Say where the cluster's HealthCheckTimeout is not the one that SQL Server shows."""
    check = own.get("HealthCheckTimeout")
    shown = next((row for row in looks if row["health_check_timeout_ms"] is not None), None)
    if check is None or shown is None or check.value == shown["health_check_timeout_ms"]:
        return []
    name, other = words.plain(group, 60), shown["health_check_timeout_ms"]
    return [
        Finding(
            "health.settings",
            "notice",
            f"{name} has two values of HealthCheckTimeout",
            f"The cluster has {check.value:g} ms for the resource of {name}, SQL Server shows {other} ms in sys.availability_groups. "
            "What the resource has is what counts.",
            subject={"ag": group},
            evidence=(
                check.evidence(told),
                Evidence("health_check_timeout", other, "ms", place(told, shown)),
            ),
            recommendation=f"ALTER AVAILABILITY GROUP [{name}] SET (HEALTH_CHECK_TIMEOUT = ..): it sets both.",
            confidence=0.8,
        )
    ]


def _sessions(told: Told, replicas: list[Row]) -> list[Finding]:
    """Say which replicas are taken for lost before they can have answered."""
    found = []
    for row in replicas:
        seconds = row["session_timeout_s"]
        if seconds is None or seconds >= SESSION_S:
            continue
        replica = words.plain(row["replica"], 60)
        found.append(
            Finding(
                "health.settings",
                "notice",
                f"{replica} is disconnected after {seconds} s of silence",
                f"SESSION_TIMEOUT of {replica} in {words.plain(row['ag'], 60)} is {seconds} s; below {SESSION_S} s a system under load "
                "takes a replica for lost that is not, and a synchronous one that is lost cannot take over.",
                subject={"ag": row["ag"], "replica": row["replica"]},
                evidence=(Evidence("session_timeout", seconds, "s", place(told, row)),),
                recommendation=f"Set SESSION_TIMEOUT to {SESSION_S} s at least.",
                confidence=0.9,
            )
        )
    return found


def place(told: Told, row: Row) -> str:
    """Say where a setting stands."""
    path = told.paths.get(row["content_id"], "")
    line = f" line {row['line']}" if row["line"] is not None else ""
    return f"{words.plain(path, 120)}{line}" if path else "settings"
