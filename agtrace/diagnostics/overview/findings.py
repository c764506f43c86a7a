"""The quality.* findings: what weakens the answers of every other analysis."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from agtrace.diagnostics import words
from agtrace.diagnostics.finding import Evidence, Finding
from agtrace.diagnostics.overview.captured import Captured
from agtrace.diagnostics.overview.collected import OPEN, REMEDIES, Collected

Rows = Sequence[dict[str, Any]]

MOST_EVIDENCE = 10
MIDDLE_MISSING = "middle_missing"
"""Fault of a log of which a collector kept the first and the last lines."""

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
    "tcp_settings": (
        "TCP settings",
        "a receive window that cannot grow stays a hypothesis",
        "keep the output of `netsh interface tcp show global`",
    ),
}
"""What an analysis of the transport wants of each machine, what its lack leaves open, how to get it."""


def clock_skew(skew: Rows, threshold_ms: float) -> list[Finding]:
    """Name pairs of hosts whose clocks differ by more than the threshold."""
    found = []
    for row in skew:
        if row["ms"] is None or abs(row["ms"]) <= threshold_ms:
            continue
        ahead, behind = row["host_id"], row["other_host_id"]
        if row["ms"] < 0:
            ahead, behind = behind, ahead
        apart = words.span(abs(row["ms"]) / 1000)
        source = f"{row['method']}, n = {row['n']:,}"
        found.append(
            Finding(
                id="quality.clock_skew",
                severity="notice",
                title=f"The clock of {ahead} is {apart} ahead of {behind}",
                narrative=(
                    f"{words.count(row['n'], 'pair')} of events that both hosts logged lie {apart} apart "
                    f"(middle half within {words.span((row['spread_ms'] or 0) / 1000)}). Times of the two "
                    "hosts are shown as written; only analyses that say so correct for it."
                ),
                subject={"host": ahead, "other_host": behind},
                evidence=(
                    Evidence("clock skew (median)", round(abs(row["ms"])), "ms", source),
                    Evidence("spread (middle half)", round(row["spread_ms"] or 0), "ms", source),
                ),
                recommendation="Check time synchronisation (w32tm /query /status) on both hosts.",
                confidence=0.9 if row["n"] >= 3 else 0.6,
            )
        )
    return found


def time_zone_unknown(unclocked: Rows) -> list[Finding]:
    """Name the hosts whose captures stand in local time with no known offset from UTC."""
    found = []
    for host, rows in _by_host(unclocked).items():
        unknown, total = sum(r["unknown"] for r in rows), sum(r["total"] for r in rows)
        part = "" if unknown == total else "partly "
        whose = host or "captures of an unknown host"
        first, last = min(r["first_local"] for r in rows), max(r["last_local"] for r in rows)
        files = words.count(len({r["path"] for r in rows}), "capture")
        option = f"--utc-offset {host}=H:MM" if host else "--utc-offset H:MM"
        found.append(
            Finding(
                id="quality.time_zone_unknown",
                severity="warning",
                title=f"The time zone of {whose} is {part}unknown",
                narrative=(
                    f"{unknown:,} of {total:,} rows in {files} from {words.moment(first)} to "
                    f"{words.moment(last)} carry no offset from UTC, and no other capture of the host "
                    "tells it. They stay in local time; with other hosts they are compared by averages at most."
                ),
                subject={"host": host} if host else {},
                window={"start": first.isoformat(), "end": last.isoformat(), "local": True},
                evidence=_shown(
                    rows,
                    lambda r: Evidence(
                        f"{r['what']} without an offset", r["unknown"], "rows", _plain(r["path"])
                    ),
                ),
                recommendation=(
                    "Add an ERRORLOG of the host (its start-up states the UTC adjustment), or give the "
                    f"offset with `{option}`."
                ),
            )
        )
    return found


def set_back(steps: Rows) -> list[Finding]:
    """Name the hosts whose clock went backwards while a perfmon log was written."""
    found = []
    for host, rows in _by_host(steps).items():
        farthest = max(rows, key=lambda row: row["back_s"])
        back = words.span(farthest["back_s"])
        whose = f"the clock of {host}" if host else "the clock of an unknown host"
        found.append(
            Finding(
                id="quality.clock_skew",
                severity="warning",
                title=f"{whose[0].upper()}{whose[1:]} was set back by {back} during the capture",
                narrative=(
                    f"{words.count(len(rows), 'row')} of perfmon "
                    f"{'stands' if len(rows) == 1 else 'stand'} before the row written earlier; farthest "
                    f"back goes the one after {words.moment(farthest['before'])}, by {back}. Two stretches "
                    "then claim the same time, and averages mix them: a verdict over such a window is weak."
                ),
                subject={"host": host} if host else {},
                evidence=_shown(
                    rows,
                    lambda r: Evidence(
                        f"set back after {_clock(r['before'])}",
                        round(r["back_s"], 3),
                        "s",
                        _plain(r["path"]),
                    ),
                ),
                recommendation=(
                    "Check time synchronisation (w32tm /query /status) on the host, and judge the time "
                    "before and after by itself: `agtrace report -p start=... -p end=...`."
                ),
            )
        )
    return found


def host_unknown(captures: Rows) -> list[Finding]:
    """Name captures that were read but belong to no known machine, or to several at once."""
    if not captures:
        return []
    n = len(captures)
    paths = words.listing([_plain(row["path"]) for row in captures])
    return [
        Finding(
            id="quality.host_unknown",
            severity="warning",
            title=f"It is not known which host wrote {words.count(n, 'capture')}",
            narrative=(
                f"{paths}: nothing inside names one machine, nor does the name of the file or of its "
                "folder. What they hold is attributed to no host."
            ),
            evidence=_shown(
                captures,
                lambda r: Evidence(
                    "why", _plain(r["host_source"] or "no evidence"), "", _plain(r["path"])
                ),
            ),
            recommendation=(
                "Put the files of each host into a folder named after it, or name the host in "
                'hosts.toml: `[paths]` and `"glob" = "HOST"`.'
            ),
        )
    ]


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
            evidence=_shown(
                counters,
                lambda r: Evidence(
                    _plain(f"{r['object']}\\{r['counter']}"), r["series"], "series", _plain(r["example"])
                ),
            ),
            recommendation="Nothing, unless one of them matters to the question.",
        )
    ]  # fmt: skip


def gap(gaps: Rows) -> list[Finding]:
    """Say per host for how long its perfmon logs did not write, capture by capture."""
    found = []
    for host, rows in _by_host(gaps).items():
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
                    f"{words.span(longest['missing_s'])} from {_clock(longest['gap_from'])} to "
                    f"{_clock(longest['gap_to'])}. What happened meanwhile was not seen; lines are "
                    "broken there and nothing is interpolated."
                ),
                subject={"host": host} if host else {},
                evidence=_shown(
                    [_total(path, each) for path, each in by_path.items()],
                    lambda r: Evidence(
                        f"missing in {words.count(r['n'], 'gap')}", r["missing_s"], "s", _plain(r["path"])
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
    for host, rows in _by_host(gaps).items():
        longest = max(rows, key=lambda row: row["missing_s"])
        whose = f" of {host}" if host else ""
        found.append(
            Finding(
                id="quality.gap",
                severity="warning",
                title=f"{words.span(sum(row['missing_s'] for row in rows))} of the ERRORLOG{whose} were not collected",
                narrative=(
                    f"The collector kept the first and the last lines of {words.count(len(rows), 'large file')} "
                    f"only; the longest gap is from {_clock(longest['gap_from'])} to "
                    f"{_clock(longest['gap_to'])}. Failovers, restarts and backups of that time are not "
                    "known, and that none is listed there means nothing."
                ),
                subject={"host": host} if host else {},
                evidence=_shown(
                    rows,
                    lambda r: Evidence(
                        f"not collected from {_clock(r['gap_from'])} to {_clock(r['gap_to'])}",
                        round(r["missing_s"]),
                        "s",
                        _plain(r["path"]),
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
        Evidence(
            r["status"],
            words.plain(r["reason"] or "no reason given"),
            "",
            _plain(r["path"]),
        )
        for r in failed
    ] + [
        Evidence(f"{r['kind']}: {words.plain(r['message'])}", r["count"], "times", _where(r))
        for r in losses
    ]
    cut = list(dict.fromkeys(r["path"] or "" for r in losses if r["kind"] == MIDDLE_MISSING))
    damaged = [path for path in paths if path not in cut]
    told, remedies = [], []
    if damaged:
        told.append(
            f"{words.listing([_plain(p) for p in damaged])}: what lies before and after the damage was "
            f"read; {words.count(len(failed), 'file')} could not be read (fully)."
        )
        remedies.append("Copy the files again, after the collector has stopped writing to them.")
    if cut:
        told.append(
            f"{words.listing([_plain(p) for p in cut])}: SQL LogScout keeps the first and the last 500 lines "
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
            evidence=tuple(evidence[:MOST_EVIDENCE]),
            recommendation=" ".join(remedies),
        )
    ]


def not_captured(members: Rows) -> list[Finding]:
    """Name what the analysis of an availability group would want of each machine and lacks."""
    found = []
    for row in members:
        lacking = [kind for kind in WANTED if not row[kind]]
        if not lacking:
            continue
        names = [WANTED[kind][0] for kind in lacking]
        open_questions = "; ".join(WANTED[kind][1] for kind in lacking)
        found.append(
            Finding(
                id="quality.not_captured",
                severity="notice" if "perfmon" in lacking else "info",
                title=f"Not captured on {row['host']}: {words.listing(names)}",
                narrative=(
                    f"{row['host']} belongs to an availability group ({_plain(row['named_by'])}). "
                    f"Without this, {open_questions}."
                ),
                subject={"host": row["host"]},
                evidence=tuple(
                    Evidence(name, "not captured", "", "captures of the case") for name in names
                ),
                recommendation=f"On {row['host']}: {'; '.join(WANTED[k][2] for k in lacking)}.",
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
                evidence=(
                    Evidence("robocopy or ping", "not captured", "", "captures of the case"),
                ),
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
            recommendation=f"{REMEDIES[kind][0].upper()}{REMEDIES[kind][1:]}.",
        )
        for kind, tools in collected.lacking.items()
    ]


def _by_host(rows: Rows) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        found[row["host"]].append(row)
    return found


def _total(path: str, gaps: Rows) -> dict[str, Any]:
    return {
        "path": path,
        "n": len(gaps),
        "missing_s": round(sum(row["missing_s"] for row in gaps)),
    }


def _shown(rows: Rows, evidence: Callable[[dict[str, Any]], Evidence]) -> tuple[Evidence, ...]:
    return tuple(evidence(row) for row in rows[:MOST_EVIDENCE])


def _plain(text: str | None) -> str:
    return words.plain(text or "")


def _where(row: dict[str, Any]) -> str:
    offset = row["first_offset"]
    return _plain(row["path"]) + (f", from offset {offset:,}" if offset is not None else "")


def _clock(time: Any) -> str:
    return f"{time:%Y-%m-%d %H:%M:%S}"
