"""quality.not_captured: a group left a node, and no log that was captured tells where it went.

The cluster writes the move of a group on the node that decides it, and its coming online on the node that gets it: the log
of the node that it left shows neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from agtrace.diagnostics.health import wording as say
from agtrace.diagnostics.health.told import Row, Told
from agtrace.say import words
from agtrace.say.finding import Evidence, Finding
from agtrace.say.words import count
from agtrace.thresholds import Thresholds

AROUND = timedelta(minutes=2)
"""So near a failover, or a state of a replica, what the cluster log tells is the same story."""
SHOWN = 5
"""Times that a finding shows of many: the last ones."""
WHY = ("lease_lost", "health_timeout", "health_error", "server_died", "quorum_lost", "move_asked")


def findings(told: Told, logs: Sequence[Row], limits: Thresholds) -> list[Finding]:
    """Give a finding for each node that a group left, and is not seen to come online elsewhere.

    Parameters
    ----------
    logs
        Rows of cluster_logs.sql: the nodes whose cluster log was captured.
    """
    lost: dict[tuple[str, str], list[Row]] = {}
    for row in told.of("resource_left"):
        if not _is_told(row, told) and not _is_back(row, told, limits):
            lost.setdefault((row["ag"], row["host_id"]), []).append(row)
    hosts = [row["host"] for row in logs]
    return [_finding(rows, told, hosts) for rows in lost.values()]


def _is_told(row: Row, told: Told) -> bool:
    """Tell whether a failover tells it, or what SQL Server wrote of its replicas."""
    since, until = row["time"] - AROUND, row["time"] + AROUND
    near = told.kinds_of_group.between(since, until, "replica_state", row["ag"])
    return bool(near or told.failovers_near(row["ag"], since, until))


def _is_back(row: Row, told: Told, limits: Thresholds) -> bool:
    """Tell whether the group is online again, somewhere, before it was away for long."""
    online = next(told.kinds_of_group.since(row["time"], "resource_online", row["ag"]), None)
    if online is None:
        return False
    seconds: float = (online["time"] - row["time"]).total_seconds()
    return seconds < limits.no_primary_s


def _finding(rows: list[Row], told: Told, hosts: Sequence[str]) -> Finding:
    last = rows[-1]
    group, host = words.plain(last["ag"], 60), words.plain(last["host_id"], 60)
    logs = words.listing([words.plain(name, 60) for name in hosts])
    before = sorted(
        (
            event
            for kind in WHY
            for event in told.kinds_of_host.between(
                last["time"] - AROUND, last["time"], kind, last["host_id"]
            )
            if event["ag"] in (None, last["ag"])
        ),
        key=lambda event: event["time"],
    )[-SHOWN:]
    noted = "; ".join(f"{say.clock(e['time'])} {words.plain(e['text'], 120)}" for e in before)
    often = f" {count(len(rows), 'time')}, the last time" if len(rows) > 1 else ""
    return Finding(
        "quality.not_captured",
        "notice",
        f"{group} left {host}{often} at {say.moment(last['time'])}, and no captured log tells where it went",
        f"The cluster log of {host} shows that the resource of {group} was online there until {say.moment(last['time'])}, and "
        f"{words.plain(last['after'] or 'not online', 40)} from then on. The cluster logs captured (of {logs}) do not show it to "
        "come online again soon: a node that takes a group writes so in its own log, and the node that decides a move in its "
        "own. Whether the group failed over, and where to, is not decided."
        + (f" What was noted before it: {noted}." if noted else ""),
        subject={"ag": last["ag"], "host": last["host_id"]},
        window={"start": say.iso(rows[0]["time"]), "end": say.iso(last["time"])},
        evidence=tuple(
            Evidence(say.kind(e["kind"]), words.plain(e["text"], 200), "", told.sources(e))
            for e in (*rows[-SHOWN:], *before)
        ),
        recommendation=_wanted(told, hosts),
        confidence=0.9,
    )


def _wanted(told: Told, hosts: Sequence[str]) -> str:
    """Ask for what is not there: the logs of the other nodes."""
    others = [words.plain(host, 60) for host in told.hosts if host not in hosts]
    whose = words.listing(others) if others else "every other node of the cluster"
    return f"Add the cluster log of {whose} (Get-ClusterLog), and ERRORLOG and AlwaysOn_health of the replicas there."
