"""The quality.* findings: what weakens the answers of every other analysis."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from agtrace.diagnostics.overview.captured import Captured
from agtrace.diagnostics.overview.collected import OPEN, Collected, remedy
from agtrace.diagnostics.overview.evidence import MOST, Rows, by_host, clock, plain, shown
from agtrace.measure.platforms import LINUX, likely
from agtrace.say import words
from agtrace.say.finding import Evidence, Finding

MIDDLE_MISSING = "middle_missing"
"""Fault of a log of which a collector kept the first and the last lines."""

TCP_SETTINGS = "tcp_settings"
WANTED = {
    "perfmon": (
        "perfmon log",
        "what it queues, receives and redoes was not seen on it",
        "log the counters `SQLServer:Database Replica(*)`, `SQLServer:Availability Replica(*)`, "
        "`SQLServer:Databases(*)`, `Network Interface(*)` and `PhysicalDisk(*)` every 5 s",
    ),
    "errorlog": (
        "ERRORLOG",
        "role changes, version and trace flags stay unknown",
        "copy `ERRORLOG*` from the Log folder of the instance",
    ),
    TCP_SETTINGS: (
        "TCP settings",
        "a receive window that cannot grow stays a hypothesis",
        "keep the output of `netsh interface tcp show global`",
    ),
}
"""What an analysis of the transport wants of each machine, what its lack leaves open, how to get it."""

ON_LINUX = {
    "perfmon": (
        "counters of SQL Server",
        WANTED["perfmon"][1],
        "collect with LogScout for Linux, whose raw counters, `mpstat`, `iostat` and `sar -n DEV` take the place of perfmon",
    ),
    "errorlog": (*WANTED["errorlog"][:2], "copy `errorlog*` from /var/opt/mssql/log"),
}
"""The same of a host of Linux, whose TCP scales its window by itself."""


MOST_WHY = 5
"""Captures whose reason is told in full; the evidence has more."""


def host_unknown(captures: Rows) -> list[Finding]:
    """Name captures that were read but belong to no known machine, and why.

    Where the case has one machine at most nothing hangs on it.
    """
    if not captures:
        return []
    n = len(captures)
    strange = [row for row in captures if _is_contradicted(row)]
    silent = [row for row in captures if row not in strange]
    kept = [row for row in captures if row["is_kept"]]
    told = [f"{plain(row['path'])} is {plain(row['why'])}." for row in strange[:MOST_WHY]]
    if silent:
        paths = words.listing([plain(row["path"]) for row in silent])
        told.append(
            f"{paths}: nothing inside names one machine, nor does the name of the file or of its folder."
        )
    if len(kept) < n:
        told.append("What they hold is attributed to no host.")
    if kept:
        told.append(
            f"What {words.count(len(kept), 'ERRORLOG')} without a name {'tells' if len(kept) == 1 else 'tell'} "
            "is kept as of a host of its own, which is called after the file."
        )
    return [
        Finding(
            id="quality.host_unknown",
            severity="warning" if strange or captures[0]["machines"] > 1 else "info",
            title=f"It is not known which host wrote {words.count(n, 'capture')}",
            narrative=" ".join(told),
            evidence=shown(
                captures, lambda r: Evidence("why", plain(r["why"] or "no evidence"), "", plain(r["path"]))
            ),
            recommendation=(
                "Put the files of each host into a folder named after it, or name the host in "
                'hosts.toml: `[paths]` and `"glob" = "HOST"`.'
            ),
        )
    ]


def _is_contradicted(row: dict[str, Any]) -> bool:
    return (row["why"] or "").startswith("not of ")


def unmapped_counter(counters: Rows) -> list[Finding]:
    """Say once how many counters have no canonical English name."""
    if not counters:
        return []
    n = len(counters)
    return [
        Finding(
            id="quality.unmapped_counter",
            severity="info",
            title=f"{words.count(n, 'counter')} kept under the name as written",
            narrative=(
                f"{words.count(n, 'counter name')} in {words.count(sum(r['series'] for r in counters), 'series', 'series')} "
                "are in no catalogue, in English or another language. Their values are stored and can be "
                "queried by the written name; no analysis uses them."
            ),
            evidence=shown(
                counters,
                lambda r: Evidence(
                    plain(f"{r['object']}\\{r['counter']}"), r["series"], "series", plain(r["example"])
                ),
            ),
            recommendation="Nothing, unless one of them matters to the question.",
        )
    ]  # fmt: skip


def gap(gaps: Rows) -> list[Finding]:
    """Say per host for how long its perfmon logs did not write, capture by capture."""
    found = []
    for host, rows in by_host(gaps).items():
        by_path: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for row in rows:
            by_path[row["path"]].append(row)
        missing = sum(row["missing_s"] for row in rows)
        longest = max(rows, key=lambda row: row["missing_s"])
        where = f" of {host}" if host else ""
        found.append(
            Finding(
                id="quality.gap",
                severity="notice",
                title=f"{words.span(missing)} of perfmon{where} are missing in {words.count(len(rows), 'gap')}",
                narrative=(
                    f"{words.count(len(by_path), 'capture')} did not write at the usual interval: "
                    f"{sum(r['missing_rows'] for r in rows):,} rows are missing, the longest gap is "
                    f"{words.span(longest['missing_s'])} from {clock(longest['gap_from'])} to "
                    f"{clock(longest['gap_to'])}. What happened meanwhile was not seen; lines are "
                    "broken there and nothing is interpolated."
                ),
                subject={"host": host} if host else {},
                evidence=shown(
                    [_total(path, each) for path, each in by_path.items()],
                    lambda r: Evidence(
                        f"missing in {words.count(r['n'], 'gap')}", r["missing_s"], "s", plain(r["path"])
                    ),
                ),
                recommendation=(
                    "Look for a busy or paused machine, a full disk or a stopped collector at that time."
                ),
            )
        )  # fmt: skip
    return found


def errorlog_gap(gaps: Rows) -> list[Finding]:
    """Say per host which ERRORLOGs were collected without their middle."""
    found = []
    for host, rows in by_host(gaps).items():
        longest = max(rows, key=lambda row: row["missing_s"])
        whose = f" of {host}" if host else ""
        found.append(
            Finding(
                id="quality.gap",
                severity="warning",
                title=f"{words.span(sum(row['missing_s'] for row in rows))} of the ERRORLOG{whose} were not collected",
                narrative=(
                    f"The collector kept the first and the last lines of {words.count(len(rows), 'large file')} "
                    f"only; the longest gap is from {clock(longest['gap_from'])} to "
                    f"{clock(longest['gap_to'])}. Failovers, restarts and backups of that time are not "
                    "known, and that none is listed there means nothing."
                ),
                subject={"host": host} if host else {},
                evidence=shown(
                    rows,
                    lambda r: Evidence(
                        f"not collected from {clock(r['gap_from'])} to {clock(r['gap_to'])}",
                        round(r["missing_s"]),
                        "s",
                        plain(r["path"]),
                    ),
                ),
                recommendation=(
                    "Copy the file itself from the Log folder of the instance, packed if it is too large."
                ),
            )
        )  # fmt: skip
    return found


def truncated(captured: Captured) -> list[Finding]:
    """Name captures that are damaged so that data is lost, or that could not be read at all."""
    losses, failed = captured.losses, captured.not_read
    if not losses and not failed:
        return []
    paths = list(dict.fromkeys([r["path"] for r in failed] + [r["path"] or "" for r in losses]))
    evidence = [
        Evidence(r["status"], words.plain(r["reason"] or "no reason given"), "", plain(r["path"]))
        for r in failed
    ] + [
        Evidence(f"{r['kind']}: {words.plain(r['message'])}", r["count"], "times", _where(r)) for r in losses
    ]
    cut = list(dict.fromkeys(r["path"] or "" for r in losses if r["kind"] == MIDDLE_MISSING))
    damaged = [path for path in paths if path not in cut]
    told, remedies = [], []
    if damaged:
        told.append(
            f"{words.listing([plain(p) for p in damaged])}: what lies before and after the damage was "
            f"read; {words.count(len(failed), 'file')} could not be read (fully)."
        )
        remedies.append("Copy the files again, after the collector has stopped writing to them.")
    if cut:
        told.append(
            f"{words.listing([plain(p) for p in cut])}: SQL LogScout keeps the first and the last 500 lines "
            "of an ERRORLOG of 1 GB or more, and leaves out what lies between them."
        )
        remedies.append(
            "Take the whole ERRORLOG from the Log folder of the instance, packed, and put it in place of what "
            "SQL LogScout kept of it; sp_cycle_errorlog, once a day, keeps the next ones small."
        )
    lost = [
        *([f"{words.count(len(damaged), 'capture')} damaged"] if damaged else []),
        *([f"{words.count(len(cut), 'ERRORLOG')} cut short by SQL LogScout"] if cut else []),
    ]
    return [
        Finding(
            id="quality.truncated",
            severity="warning",
            title=f"{words.listing(lost)}: data is lost",
            narrative=f"{' '.join(told)} Answers rest on what is left.",
            evidence=tuple(evidence[:MOST]),
            recommendation=" ".join(remedies),
        )
    ]


def not_captured(members: Rows, known: Mapping[str, str]) -> list[Finding]:
    """Name what the analysis of an availability group would want of each machine and lacks.

    Parameters
    ----------
    known
        Linux or Windows, by host, where it is known.
    """
    found = []
    for row in members:
        wanted = ON_LINUX if likely(known, row["host"]) == LINUX else WANTED
        lacking = [kind for kind in wanted if not row[kind]]
        if not lacking:
            continue
        names = [wanted[kind][0] for kind in lacking]
        open_questions = "; ".join(wanted[kind][1] for kind in lacking)
        found.append(
            Finding(
                id="quality.not_captured",
                severity="notice" if "perfmon" in lacking else "info",
                title=f"Not captured on {row['host']}: {words.listing(names)}",
                narrative=(
                    f"{row['host']} belongs to an availability group ({plain(row['named_by'])}). "
                    f"Without this, {open_questions}."
                ),
                subject={"host": row["host"]},
                evidence=tuple(Evidence(name, "not captured", "", "captures of the case") for name in names),
                recommendation=f"On {row['host']}: {'; '.join(wanted[k][2] for k in lacking)}.",
            )
        )
    if members and not any(row["copy_or_ping"] for row in members):
        found.append(
            Finding(
                id="quality.not_captured",
                severity="info",
                title="Not captured: a bulk copy (robocopy) or round trip (ping) between the hosts",
                narrative=(
                    "Without one of them the network itself cannot be told apart from what sends and "
                    "receives on it."
                ),
                evidence=(Evidence("robocopy or ping", "not captured", "", "captures of the case"),),
                recommendation=(
                    "Copy one large file with `robocopy` from the primary to each secondary and keep its "
                    "log; keep the output of `ping -n 50`."
                ),
            )
        )
    return found


def not_collected(collected: Collected) -> list[Finding]:
    """Name what the support tools that were used never collect."""
    return [
        Finding(
            id="quality.not_captured",
            severity="info",
            title=f"{words.listing(tools)} never {'collects' if len(tools) == 1 else 'collect'} {kind}",
            narrative=f"Nobody else captured them either: {OPEN[kind]}.",
            subject={"what": kind},
            evidence=(Evidence(kind, "not captured", "", "captures of the case"),),
            recommendation=f"{remedy(kind, tools)[0].upper()}{remedy(kind, tools)[1:]}.",
        )
        for kind, tools in collected.lacking.items()
    ]


def _total(path: str, gaps: Rows) -> dict[str, Any]:
    return {"path": path, "n": len(gaps), "missing_s": round(sum(row["missing_s"] for row in gaps))}


def _where(row: dict[str, Any]) -> str:
    offset = row["first_offset"]
    return plain(row["path"]) + (f", from offset {offset:,}" if offset is not None else "")
