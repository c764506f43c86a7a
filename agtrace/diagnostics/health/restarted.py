"""health.restart: instances that were started again, how they had ended, and between which bounds."""

from __future__ import annotations

from datetime import datetime, timedelta

from agtrace.diagnostics.health import wording as say
from agtrace.diagnostics.health.told import Row, Told
from agtrace.measure.platforms import LINUX, WINDOWS
from agtrace.say import words
from agtrace.say.finding import Evidence, Finding

KINDS = {
    "stopped": "the service was stopped",
    "shutdown": "the system was shut down",
    "died": "the process ended without a word",
    "open": "how it ended is open",
}
SLACK = timedelta(seconds=5)
"""So near its first entry a start names its node at the earliest, and its last one at the latest."""
ASKED = ("stopped", "shutdown")
DIED = {
    WINDOWS: "Look for a dump, and into the System and Application event logs for the end of the process or of the machine.",
    LINUX: "Look for a core dump in /var/opt/mssql/log, into journalctl -u mssql-server for the end of the process, and into dmesg for "
    "the out-of-memory killer; of a container ask its engine why it ended.",
    "": "Look for a dump, and into the logs of the operating system for the end of the process or of the machine.",
}  # fmt: skip
"""Where the end of a process is told, by system."""

CLOCKS_DIFFER_S = 0.1
"""From so much on a clock is said to differ from the others'."""


def restarts(told: Told) -> list[Finding]:
    """Give a finding for each restart of an instance."""
    return [_finding(row, told) for row in told.restarts]


def _finding(row: Row, told: Told) -> Finding:
    kind, host = row["kind"], row["host_id"]
    server, ready, gone = _server(row, told), row["ready"], row["gone_by"]
    start: datetime = row["asked"] or row["last_sign"] or gone
    away, least = (ready - start).total_seconds(), (ready - gone).total_seconds()
    entries = _entries(row, told)
    moved = _moved(row, told)
    if moved:
        entries.append(moved)
    what = f"moved from node {moved.value}" if moved else "restarted"
    if kind in ASKED:
        title = f"{server} {what}, away for {say.seconds(away)}: {KINDS[kind]}"
        text = (
            f"SQL Server on {server} was asked to stop at {say.moment(start)}, and clients could connect again at "
            f"{say.moment(ready)}: {say.seconds(away)}; {KINDS[kind]}."
        )
        times = [Evidence("time away", away, "s", _place(row, told))]
    else:
        ended = f"between {say.moment(start)} and {say.moment(gone)}"
        how = f"{KINDS[kind]} {ended}" if kind == "died" else f"it ended {ended}, how is open"
        title = f"{server} {what}, back at {say.moment(ready)}: {how}"
        text = (
            f"The last sign of life of SQL Server on {server} is of {say.moment(start)} ({_by(row)}), the first proof that it had "
            f"ended of {say.moment(gone)} ({say.kind(row['gone_by_what'])}); clients could connect again at {say.moment(ready)}. "
            f"It was away for {say.seconds(least)} at least and for {say.seconds(away)} at most."
        )
        if row["missed_by"]:
            text += (
                f" {words.plain(row['missed_by'], 60)} noted the loss of its connection at "
                f"{say.moment(row['missed_since'])}, which the network can cause as well."
            )
        times = [
            Evidence("time away, at most", away, "s", _place(row, told)),
            Evidence("time away, at least", least, "s", _place(row, told)),
        ]
    ahead = (start - told.common(start, host)).total_seconds()
    if abs(ahead) >= CLOCKS_DIFFER_S:
        text += f" Times are of its own clock, which is {say.seconds(abs(ahead))} {'ahead of' if ahead > 0 else 'behind'} that of the others."
    if moved:
        text += f" The failover-cluster instance moved from node {moved.value}."
    subject = {"host": host, "kind": kind}
    if len(told.coverage.instances(host)) > 1:
        subject["instance"] = row["sql_instance"] or ""
    return Finding(
        "health.restart",
        _severity(row, told),
        title,
        text,
        subject=subject,
        window={"start": say.iso(told.common(start, host)), "end": say.iso(told.common(ready, host))},
        evidence=(*times, *entries),
        recommendation=_remedy(kind, told.platforms.get(host, "")),
        confidence=0.9 if kind in ASKED else 0.7 if kind == "died" else 0.5,
    )


def _moved(row: Row, told: Told) -> Evidence | None:
    """Tell from which node to which a failover-cluster instance moved: its starts name another one than before."""
    own = [
        each
        for each in told.nodes
        if each["host_id"] == row["host_id"] and each["sql_instance"] == row["sql_instance"]
    ]
    begun = row["started"] - SLACK
    before = [each for each in own if each["time"] < begun]
    since = [each for each in own if begun <= each["time"] <= row["ready"] + SLACK]
    if not before or not since or before[-1]["node"] == since[0]["node"]:
        return None
    names = " to ".join(words.plain(each["node"], 60) for each in (before[-1], since[0]))
    return Evidence("node", names, "", _line(since[0]["content_id"], since[0]["line"], told))


def _severity(row: Row, told: Told) -> str:
    """Give its severity: where the host has no replica of a group, none is concerned."""
    if row["host_id"] not in told.grouped:
        return "info"
    return "warning" if row["kind"] == "died" else "notice"


def _server(row: Row, told: Told) -> str:
    """Name the server: the host alone where it has one instance."""
    host = words.plain(row["host_id"], 60)
    several = len(told.coverage.instances(row["host_id"])) > 1
    return f"{host}\\{words.plain(row['sql_instance'], 40)}" if several else host


def _entries(row: Row, told: Told) -> list[Evidence]:
    found = []
    if row["asked"] is not None:
        place = _line(row["asked_content_id"], row["asked_line"], told)
        found.append(Evidence("asked to stop", say.moment(row["asked"]), "", place))
    if row["last_sign"] is not None:
        path = words.plain(told.paths.get(row["last_sign_content_id"] or "", ""), 120)
        source = f"{_by(row)}, {path}" if path else _by(row)
        found.append(Evidence("last sign of life", say.moment(row["last_sign"]), "", source))
    gone = say.kind(row["gone_by_what"])
    found.append(Evidence("gone at the latest", say.moment(row["gone_by"]), "", gone))
    if row["missed_by"]:
        found.append(
            Evidence("missed by a partner", say.moment(row["missed_since"]), "", f"ERRORLOG of {words.plain(row['missed_by'], 60)}")
        )  # fmt: skip
    return found


def _by(row: Row) -> str:
    return words.plain(row["last_sign_by"] or "its ERRORLOG", 100)


def _place(row: Row, told: Told) -> str:
    return _line(row["content_id"], row["line"], told)


def _line(content: str | None, line: int | None, told: Told) -> str:
    path = words.plain(told.paths.get(content or "", ""), 120)
    return f"{path or 'ERRORLOG'} line {line}" if line is not None else path


def _remedy(kind: str, platform: str) -> str:
    if kind == "died":
        return DIED.get(platform, DIED[""])
    if kind == say.OPEN:
        return "Add the ERRORLOG before this one (ERRORLOG.1): its last lines tell how the instance ended."
    return "Nothing to mend, if it was meant."
