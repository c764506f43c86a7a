"""What truly happened to the real group, and what of a finding about it is false: it may say less, never
something else.

Read from the logs of both nodes and the excerpt of the cluster logs; docs/failovers.md tells it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from agtrace.say.finding import Finding

V1, V2 = "ZE-2016-V1", "ZE-2016-V2"
OPEN = "open"
SLACK = timedelta(seconds=3)
"""The sessions write up to this later than the ERRORLOG."""


def at(clock: str) -> datetime:
    """Return a moment of the day."""
    return datetime.fromisoformat(f"2017-10-23T{clock}").replace(tzinfo=UTC)


@dataclass(frozen=True)
class Failover:
    """A failover: from when the primary was lost until the old one itself left its role, or the new one was
    in place.
    """

    old: str
    new: str
    mode: str
    trigger: str
    causes: tuple[str, ...]
    start: datetime
    end: datetime
    followed: datetime
    """When the old primary was a secondary of the new one: by then, where only that one was captured."""


def failover(old: str, new: str, mode: str, trigger: str, causes: tuple[str, ...], *moments: str) -> Failover:
    """Make a failover of the moments of its day."""
    return Failover(old, new, mode, trigger, causes, *(at(one) for one in moments))


FAILOVERS = (
    failover(V1, V2, "automatic", "instance_stopped", ("instance_stopped",), "18:51:58", "18:52:01.4",
        "18:53:08.9"),
    failover(V2, V1, "planned", "node_drained", ("node_drained",), "18:56:36.6", "18:56:40.4", "18:57:30.6"),
    failover(V1, V2, "automatic", "instance_died", ("instance_died",), "20:15:49", "20:16:40.1",
        "20:17:59.2"),
    failover(V2, V2, "automatic", "lease_expired", ("standstill", "lease_expired"), "20:46:41.5",
        "20:47:07.2", "20:47:07.2"),
    failover(V2, V1, "automatic", "lease_expired", ("standstill", "lease_expired"), "21:01:06.2",
        "21:04:32.8", "21:04:34.7"),
    failover(V1, V2, "planned", "node_drained", ("node_drained",), "21:32:48.4", "21:32:52.9", "21:33:49.4"),
    failover(V2, V1, "planned", "cluster_move", ("cluster_move",), "21:52:24.5", "21:52:26.5", "21:52:26.8"),
    failover(V1, V2, "automatic", "quorum_lost", ("network", "quorum_lost"), "21:53:39.5", "21:54:05.2",
        "22:08:47.7"),
    failover(V2, V1, "automatic", "standstill", ("standstill",), "22:18:59.7", "22:25:24.2", "22:49:38.9"),
)  # fmt: skip
RESTARTS = (
    (V2, "stopped", "18:09:31", "18:09:47.6"), (V2, "stopped", "18:30:04", "18:30:14"),
    (V1, "shutdown", "18:29:55", "18:30:26"),
    (V2, "shutdown", "18:31:42", "18:32:15.1"), (V1, "stopped", "18:42:35", "18:42:51.4"),
    (V2, "stopped", "18:43:26", "18:43:43.1"),
    (V1, "stopped", "18:51:58", "18:53:08.3"), (V2, "shutdown", "18:56:46", "18:57:15.3"),
    (V1, "died", "20:14:18", "20:17:58.3"),
    (V1, "shutdown", "21:32:54", "21:33:39.1"), (V1, "shutdown", "22:06:20", "22:08:36.8"),
    (V2, "shutdown", "22:48:55", "22:49:28.6"),
)  # fmt: skip
STANDSTILLS = (
    (V2, "20:46:14.6", "20:47:06.1", 19.5, 51.5, ("SQL Server hung",)),
    (V2, "21:00:32.3", "21:04:32.8", 206.4, 240.4, ("SQL Server hung",)),
    (V2, "22:18:18.1", "22:25:01.0", 361.1, 402.9, ("machine paused",)),
)
OVERLAPS = (
    ("21:02:13.4", "21:04:32.8", 0.0),
    ("21:53:42.5", "21:54:05.2", 22.7),
    ("22:19:08.1", "22:25:24.2", 23.3),
)
UNEXPLAINED = (
    ("21:00:18.0", "21:00:33.5"), ("20:55:37.6", "20:55:41.8"), ("20:56:47.6", "20:58:00.6"),
    ("20:58:10.9", "20:58:15.9"), ("21:30:04.1", "21:32:45.9"),
)  # fmt: skip
EXPLAINED = (
    ("20:16:32.4", "20:18:09.9"), ("20:46:48.3", "20:47:11.3"), ("21:01:06.8", "21:04:37.8"),
    ("21:20:09.9", "21:22:18.0"),
    ("21:24:18.5", "21:28:57.7"), ("21:32:48.6", "21:33:50.5"), ("21:52:24.5", "21:52:27.2"),
    ("21:53:39.5", "22:08:51"),
    ("22:19:04.7", "22:49:59.9"), ("18:51:58.1", "18:53:22.9"), ("18:56:36.7", "18:57:35.2"),
)  # fmt: skip
LEASES = ("20:46:51.6", "20:47:06.1", "21:04:32.7", "22:25:20.1")
"""The first by the cluster's resource host, which noticed it before SQL Server ran again."""
OUT_OF_CLUSTER = {
    V1: ("21:32:49", "21:53:57", "22:00:38.5", "22:05:22.7"),
    V2: ("18:56:37.2", "21:20:16.5", "21:24:21.3", "22:25:13.9"),
}
LEFT = {V1: ("18:51:58", "21:32:48.5", "21:54:05.1"), V2: ("18:56:36.7", "21:52:24.5", "22:25:24.1")}
"""When each ceased to be primary by its own word."""
KINDS_NOTED = (
    "health.components",
    "health.logins",
    "health.spn",
    "health.memory",
    "health.files",
    "health.waits",
    "health.dump",
    "health.node",
    "health.unrecognised",
)


def false(found: Iterable[Finding]) -> Iterator[str]:
    """Yield what is false in the findings of a part of the group's files."""
    told = [one for one in found if one.id.startswith("health.")]
    for one in told:
        says = one.to_dict()
        check = CHECKS.get(one.id)
        if check is None:
            if one.id not in KINDS_NOTED:
                yield f"{one.id} is not known to be true: {one.title}"
            continue
        why = check(one, _Said(says), told)
        if why:
            yield f"{one.id}, {why}: {one.title}"


class _Said:
    """What a finding claims, as it is written."""

    def __init__(self, says: dict[str, Any]) -> None:
        self.subject = says["subject"]
        self.start, self.end = (datetime.fromisoformat(says["window"][edge]) for edge in ("start", "end"))
        self.shown = {one["label"]: one["value"] for one in says["evidence"]}


def _touches(said: _Said, start: str | datetime, end: str | datetime) -> bool:
    first, last = (at(one) if isinstance(one, str) else one for one in (start, end))
    return said.start <= last + SLACK and said.end >= first - SLACK


def _within(said: _Said, start: str | datetime, end: str | datetime) -> bool:
    first, last = (at(one) if isinstance(one, str) else one for one in (start, end))
    return first - SLACK <= said.start and said.end <= last + SLACK


def _of(said: _Said) -> Failover | None:
    route = (said.subject["from"], said.subject["to"])
    return next(
        (
            one
            for one in FAILOVERS
            if route == (one.old, one.new) and _within(said, one.start, max(one.end, one.followed))
        ),
        None,
    )


def _failover(one: Finding, said: _Said, told: list[Finding]) -> str:
    true = _of(said)
    if true is None:
        return "no such failover"
    if said.subject["mode"] not in (true.mode, OPEN):
        return f"mode {said.subject['mode']}, and not {true.mode}"
    if said.subject["trigger"] not in (true.trigger, *true.causes, *_weaker(true, one), OPEN):
        return f"trigger {said.subject['trigger']}, and not {true.trigger}"
    if said.subject["cause"] not in (*true.causes, *_weaker(true, one), OPEN):
        return f"cause {said.subject['cause']}, and not {true.causes[0]}"
    if said.start > true.end + SLACK:
        return "lost after the old primary had left"
    return ""


def _weaker(true: Failover, one: Finding) -> tuple[str, ...]:
    """Return what the cluster knows of a node that it removed: that it was likely gone, and no more."""
    is_likely = one.confidence <= 0.5 and "likely" in one.title
    return ("node_down",) if is_likely and "standstill" in true.causes else ()


def _restart(one: Finding, said: _Said, told: list[Finding]) -> str:
    for host, kind, start, end in RESTARTS:
        if said.subject["host"] == host and _within(said, start, end):
            return "" if said.subject["kind"] in (kind, OPEN) else f"{said.subject['kind']}, and not {kind}"
    return "no such restart"


def _standstill(one: Finding, said: _Said, told: list[Finding]) -> str:
    for host, start, end, low, high, what in STANDSTILLS:
        if said.subject["host"] == host and _touches(said, start, end):
            if said.shown["stood still"] > high or said.shown["stood still, at most"] < low:
                return "not so long"
            if not any(text in one.title for text in (*what, "why is unknown")):
                return "not of that"
            return ""
    return "nobody stood still"


def _two(one: Finding, said: _Said, told: list[Finding]) -> str:
    for start, end, awake in OVERLAPS:
        if _touches(said, start, end):
            if not _within(said, start, end):
                return "not so long"
            return (
                "" if said.shown["both running"] <= awake + 0.1 else "the old one was not awake for so long"
            )
    return "no two primaries"


def _disconnect(one: Finding, said: _Said, told: list[Finding]) -> str:
    if any(_within(said, start, end) for start, end in UNEXPLAINED):
        return ""
    if not any(
        _within(said, start, end) or ("until" in one.title and _touches(said, start, end))
        for start, end in EXPLAINED
    ):
        return "no such loss"
    return "what explains it is known" if "of either explains it" in one.narrative else ""


def _lease(one: Finding, said: _Said, told: list[Finding]) -> str:
    if said.subject["host"] != V2 or not any(_touches(said, moment, moment) for moment in LEASES):
        return "no such lease"
    led = [f for f in told if f.id == "health.failover" and f.subject["from"] == V2]
    spans = [(true.start, true.end) for true in (_of(_Said(f.to_dict())) for f in led) if true]
    if "No failover" in one.narrative and any(_touches(said, *span) for span in spans):
        return "a failover of it is told"
    return ""


def _no_primary(one: Finding, said: _Said, told: list[Finding]) -> str:
    if "was not watched" not in one.title:
        return "the group had one"
    left = (moment for moments in LEFT.values() for moment in moments)
    return (
        "" if any(abs(said.start - at(moment)) <= SLACK for moment in left) else "nobody ceased to be it then"
    )


def _flapping(one: Finding, said: _Said, told: list[Finding]) -> str:
    unasked = [
        true for true in FAILOVERS if true.mode == "automatic" and _touches(said, true.start, true.end)
    ]
    return "" if said.shown["failovers not asked for"] <= len(unasked) else "not so often"


def _quorum(one: Finding, said: _Said, told: list[Finding]) -> str:
    moments = [at(moment) for moment in OUT_OF_CLUSTER[said.subject["host"]]]
    near = all(
        any(abs(edge - moment) <= timedelta(seconds=15) for moment in moments)
        for edge in (said.start, said.end)
    )
    return "" if near else "it was in its cluster then"


def _service(one: Finding, said: _Said, told: list[Finding]) -> str:
    ends = [
        at(start) for host, kind, start, _ in RESTARTS if host == said.subject["host"] and kind != "shutdown"
    ]
    return "" if any(_within(said, end, end) for end in ends) else "it ran then"


CHECKS = {
    "health.failover": _failover, "health.restart": _restart, "health.standstill": _standstill,
    "health.two_primaries": _two,
    "health.disconnect": _disconnect, "health.lease": _lease, "health.no_primary": _no_primary,
    "health.flapping": _flapping,
    "health.quorum": _quorum, "health.service": _service,
}  # fmt: skip
