"""The quality.* findings: weaknesses of the captures that affect all other analyses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

from agtrace.diagnostics.overview.captured import MOST, Captured, second
from agtrace.diagnostics.overview.collected import Collected
from agtrace.diagnostics.overview.rows import (
    Captures,
    ErrorlogGaps,
    Gaps,
    Issues,
    KindsByHost,
    LogSetBack,
    SetBack,
    Skew,
    Unclocked,
    UnknownHosts,
    Unmapped,
)
from agtrace.errors import RESAVED
from agtrace.history.unrelated import GroupSet, names_of
from agtrace.history.unused import UnusedFile
from agtrace.measure.platforms import LINUX, likely
from agtrace.measures import Measure, Measured, quoted
from agtrace.resolve.file_names import LOGSCOUT_LINUX
from agtrace.say.finding import window
from agtrace.say.said import Judged
from agtrace.say.words import count, listing
from agtrace.thresholds import Thresholds

MIDDLE_MISSING = "middle_missing"
RESAVED_ROWS = "resaved"
"""Fault of a log of which a collector kept only the first and last lines."""
WANTED = ("perfmon", "errorlog", "tcp_settings")
"""Captures that the transport analysis needs from each machine."""
WANTED_ANYWAY = ("perfmon", "errorlog")
"""The same for Linux, where TCP scales its window automatically, and for questions other than transport."""
KINDS = {"perfmon": "perfmon log", "errorlog": "ERRORLOG", "tcp_settings": "TCP settings"}
KINDS |= {"linux_perfmon": "counters of SQL Server", "linux_errorlog": "ERRORLOG"}
MOST_WHY = 5
"""Captures whose reason is shown in full; the evidence has more."""

SERIES = Measure("series", "series", "series", "series that bear the name")
UNUSED = Measure("unused", "rows", "rows", "rows of a file that no question uses")
MISSING = Measure(
    "missing_s", "missing in {gaps}", "s", "time that rows at the usual interval would have covered"
)
NOT_COLLECTED = Measure(
    "missing_s", "not collected from {since} to {until}", "s", "time between what was kept"
)
SKEWED = Measure("skew_ms", "clock skew (median)", "ms")
SPREAD = Measure("spread_ms", "spread (middle half)", "ms")
WITHOUT_OFFSET = Measure("unknown", "{what} without an offset", "rows")
SET_BACK = Measure("back_s", "set back after {time}", "s")
FAULTS = Measure("count", "{kind}: {message}", "times", "how often the fault was met")


def unrelated_groups(sets: Sequence[GroupSet]) -> list[Judged]:
    """Judge groups that share no host and no time: they belong into a folder each."""
    if len(sets) < 2:
        return []
    told = [(name, list(one.captured), _days(one)) for name, one in zip(names_of(sets), sets, strict=True)]
    return [
        Judged(
            said="unrelated_groups",
            id="quality.unrelated_groups",
            severity="warning",
            evidence=tuple(
                quoted(f"hosts of {name}", listing(hosts), days or "captures of the case")
                for name, hosts, days in told[:MOST]
            ),
            facts={
                "n": len(sets),
                "sets": [{"name": name, "hosts": hosts, "days": days} for name, hosts, days in told],
            },
        )
    ]


def _days(groups: GroupSet) -> str:
    """Return the days covered by captures of groups; "" if no time is known."""
    days = [f"{time:%Y-%m-%d}" for time in (groups.first, groups.last) if time]
    return " to ".join(dict.fromkeys(days))


def host_unknown(captures: Sequence[UnknownHosts]) -> list[Judged]:
    """Judge captures that were read but belong to no known machine; of one machine little hangs on it."""
    if not captures:
        return []
    strange = [row for row in captures if (row.why or "").startswith("not of ")]
    kept = sum(row.is_kept for row in captures)
    silent = [row.path for row in captures if row not in strange]
    return [
        Judged(
            said="host_unknown",
            id="quality.host_unknown",
            severity="warning" if strange or captures[0].machines > 1 else "info",
            evidence=tuple(quoted("why", row.why or "no evidence", row.path) for row in captures[:MOST]),
            facts={"n": len(captures), "kept": kept, "strange": strange[:MOST_WHY], "silent": silent},
        )
    ]


def unused(files: Sequence[UnusedFile]) -> list[Judged]:
    """Return one finding on all files that were read but are not used by any question."""
    if not files:
        return []
    return [
        Judged(
            said="unused",
            id="quality.unused",
            severity="info",
            evidence=tuple(UNUSED.called(", ".join(row.names))(row.n, row.path) for row in files[:MOST]),
            facts={
                "n": len(files),
                "cumulative": [row.path for row in files if row.is_cumulative],
                "others": [row.path for row in files if not row.is_cumulative],
            },
        )
    ]


def unmapped_counter(counters: Sequence[Unmapped]) -> list[Judged]:
    """Return one finding on the counters without a canonical English name."""
    if not counters:
        return []

    def measured(row: Unmapped) -> Measured:
        return SERIES.called(f"{row.object}\\{row.counter}")(row.series, row.example or "")

    return [
        Judged(
            said="unmapped_counter",
            id="quality.unmapped_counter",
            severity="info",
            evidence=tuple(measured(row) for row in counters[:MOST]),
            facts={"names": len(counters), "series": sum(row.series for row in counters)},
        )
    ]


def _of_host(
    said: str, host: str, evidence: Iterable[Measured], facts: dict[str, Any], *, id: str, **more: Any
) -> Judged:
    """Return a verdict on a host; without a host if unknown."""
    return Judged(
        said=said,
        id=id,
        subject={"host": host} if host else {},
        evidence=tuple(evidence)[:MOST],
        facts={"host": host, **facts},
        **{"severity": "warning", **more},
    )


def gap(gaps: Iterable[Gaps]) -> list[Judged]:
    """Judge per host for how long its perfmon logs did not write, capture by capture."""
    found = []
    for host, own in groupby(gaps, key=attrgetter("host")):
        rows = list(own)
        by_path: dict[str, list[float]] = defaultdict(list)
        for row in rows:
            by_path[row.path].append(row.missing_s)
        evidence = (
            MISSING.about(gaps=count(len(lengths), "gap"))(round(sum(lengths)), path)
            for path, lengths in by_path.items()
        )
        facts = _missing(rows) | {"gaps": len(rows), "captures": len(by_path)}
        facts |= {"rows": sum(row.missing_rows for row in rows)}
        found.append(_of_host("gap.perfmon", host, evidence, facts, id="quality.gap", severity="notice"))
    return found


def errorlog_gap(gaps: Iterable[ErrorlogGaps]) -> list[Judged]:
    """Judge per host which ERRORLOGs were collected without their middle."""
    found = []
    for host, own in groupby(gaps, key=attrgetter("host")):
        rows = list(own)
        evidence = (NOT_COLLECTED.about(**_ends(row))(round(row.missing_s), row.path) for row in rows)
        facts = _missing(rows) | {"captures": len(rows)}
        found.append(_of_host("gap.errorlog", host, evidence, facts, id="quality.gap"))
    return found


def _ends(row: Gaps | ErrorlogGaps) -> dict[str, str]:
    return {"since": second(row.gap_from), "until": second(row.gap_to)}


def _missing(rows: Sequence[Gaps | ErrorlogGaps]) -> dict[str, Any]:
    longest = max(rows, key=attrgetter("missing_s"))
    missing = sum(row.missing_s for row in rows)
    return {**_ends(longest), "missing": missing, "longest": longest.missing_s}


def truncated(captured: Captured) -> list[Judged]:
    """Judge captures that are damaged so that data is lost, or that could not be read at all."""
    losses = [row for row in captured.losses if row.kind != RESAVED_ROWS]
    failed = [row for row in captured.not_read if not _is_resaved(row)]
    if not losses and not failed:
        return []
    paths = dict.fromkeys([row.path for row in failed] + [row.path or "" for row in losses])
    cut = list(dict.fromkeys(row.path or "" for row in losses if row.kind == MIDDLE_MISSING))
    evidence = [quoted(row.status, row.reason or "no reason given", row.path) for row in failed]
    evidence += [FAULTS.about(kind=r.kind, message=r.message)(r.times, _where(r)) for r in losses]
    return [
        Judged(
            said="truncated",
            id="quality.truncated",
            severity="warning",
            evidence=tuple(evidence[:MOST]),
            facts={"damaged": [path for path in paths if path not in cut], "cut": cut, "failed": len(failed)},
        )
    ]


def resaved(captured: Captured) -> list[Judged]:
    """Judge the logs saved again by a spreadsheet: their times are lost, and they were not read."""
    failed = [row for row in captured.not_read if _is_resaved(row)]
    losses = [row for row in captured.losses if row.kind == RESAVED_ROWS]
    paths = list(dict.fromkeys([*(row.path for row in failed), *(row.path or "" for row in losses)]))
    if not paths:
        return []
    evidence = [quoted(row.status, row.reason, row.path) for row in failed]
    evidence += [FAULTS.about(kind=r.kind, message=r.message)(r.times, _where(r)) for r in losses]
    return [
        Judged(
            said="truncated.resaved",
            id="quality.truncated",
            severity="warning",
            subject={"kind": "resaved"},
            evidence=tuple(evidence[:MOST]),
            facts={"paths": paths},
        )
    ]


def _is_resaved(row: Captures) -> bool:
    return RESAVED in (row.reason or "")


def _where(row: Issues) -> str:
    offset = row.first_offset
    return (row.path or "") + (f", from offset {offset:,}" if offset is not None else "")


def not_captured(members: Iterable[KindsByHost], known: Mapping[str, str], *, has_copy: bool) -> list[Judged]:
    """Judge captures that the analysis of an availability group needs from each machine and lacks.

    Parameters
    ----------
    has_copy
        Whether the output of a bulk copy or a ping was captured.
    known
        Linux or Windows, by host, where it is known.
    """
    found = []
    # Without a capture that measures the way between hosts the question is another one, such as a backup.
    is_transport = has_copy or any(row.perfmon or row.tcp_settings for row in members)
    for row in members:
        is_linux = likely(known, row.host) == LINUX
        wanted = WANTED_ANYWAY if is_linux or not is_transport else WANTED
        lacking = [kind for kind in wanted if not getattr(row, kind)]
        kinds = [f"linux_{kind}" if is_linux else kind for kind in lacking]
        if lacking:
            names = [KINDS[kind] for kind in kinds]
            facts = {"host": row.host, "kinds": kinds, "names": names, "named_by": row.named_by or ""}
            severity = "notice" if is_transport and "perfmon" in lacking else "info"
            found.append(_lacking("of_host", names, facts, {"host": row.host}, severity))
    if is_transport and not has_copy:
        found.append(_lacking("copy_or_ping", ["robocopy or ping"], {}))
    return found


def _lacking(
    said: str,
    names: list[str],
    facts: dict[str, Any],
    subject: dict[str, str] | None = None,
    severity: str = "info",
) -> Judged:
    return Judged(
        said=f"not_captured.{said}",
        id="quality.not_captured",
        severity=severity,
        subject=subject or {},
        evidence=tuple(quoted(name, "not captured", "captures of the case") for name in names),
        facts=facts,
    )


def not_collected(collected: Collected) -> list[Judged]:
    """Judge captures that the support tools used never collect."""
    found = []
    for kind, tools in collected.lacking.items():
        facts = {"tools": tools, "kind": kind, "how": how_to_collect(kind, tools)}
        found.append(_lacking("never_collected", [kind], facts, {"what": kind}))
    return found


def how_to_collect(kind: str, tools: list[str]) -> str:
    """Return the name of the text on how to collect captures that some tools never collect."""
    return "linux TCP settings" if kind == "TCP settings" and set(tools) == {LOGSCOUT_LINUX} else kind


def clock_skew(skew: Iterable[Skew], limits: Thresholds) -> list[Judged]:
    """Judge pairs of hosts whose clocks differ by more than the threshold."""
    found = []
    for row in skew:
        if row.ms is None or abs(row.ms) <= limits.skew_ms:
            continue
        ahead, behind = (row.host_id, row.other_host_id)[:: 1 if row.ms > 0 else -1]
        source, is_sure = f"{row.method}, n = {row.n:,}", row.n >= limits.skew_sure_pairs
        spread = row.spread_ms or 0
        facts = {"ahead": ahead, "behind": behind, "apart": abs(row.ms) / 1000, "spread": spread / 1000}
        found.append(
            Judged(
                said="clock.skew",
                id="quality.clock_skew",
                severity="notice",
                subject={"host": ahead, "other_host": behind},
                evidence=(SKEWED(round(abs(row.ms)), source), SPREAD(round(spread), source)),
                confidence=0.9 if is_sure else 0.6,
                facts={**facts, "n": row.n, "is_sure": is_sure},
            )
        )
    return found


def time_zone_unknown(unclocked: Iterable[Unclocked]) -> list[Judged]:
    """Judge the hosts with captures in local time of unknown offset from UTC."""
    found = []
    for host, own in groupby(unclocked, key=attrgetter("host")):
        rows = list(own)
        first, last = min(row.first_local for row in rows), max(row.last_local for row in rows)
        facts = {"first": first, "last": last, "captures": len({row.path for row in rows})}
        facts |= {name: sum(getattr(row, name) for row in rows) for name in ("unknown", "total")}
        evidence = (WITHOUT_OFFSET.about(what=row.what)(row.unknown, row.path) for row in rows)
        when = window(first, last, is_local=True)
        found.append(
            _of_host("clock.zone", host, evidence, facts, id="quality.time_zone_unknown", window=when)
        )
    return found


def set_back(steps: Iterable[SetBack]) -> list[Judged]:
    """Judge the hosts whose clock went backwards while a perfmon log was written."""
    found = []
    for host, own in groupby(steps, key=attrgetter("host")):
        rows = list(own)
        farthest = max(rows, key=attrgetter("back_s"))
        facts = {"rows": len(rows), "back": farthest.back_s, "before": farthest.before}
        evidence = (_step(row, row.path) for row in rows)
        found.append(_of_host("clock.set_back", host, evidence, facts, id="quality.clock_skew"))
    return found


AHEAD = 0.5
"""A clock that had gone forward by at least this share of the amount it is set back had been ahead."""


def log_set_back(steps: Iterable[LogSetBack]) -> list[Judged]:
    """Judge the hosts whose clock went backwards by the order of the entries of an ERRORLOG."""
    found = []
    for host, own in groupby(steps, key=attrgetter("host")):
        rows = list(own)
        farthest = max(rows, key=attrgetter("back_s"))
        right, first = farthest.last_right, farthest.first_ahead
        forward = (first - right).total_seconds() if right is not None and first is not None else 0.0
        facts = farthest._asdict() | {"rows": len(rows), "back": farthest.back_s}
        facts |= {"is_ahead": forward >= AHEAD * farthest.back_s}
        evidence = (_step(row, f"{row.path} line {row.line:,}") for row in rows)
        when = window(right or farthest.after, farthest.before, is_local=True)
        found.append(
            _of_host("clock.log_set_back", host, evidence, facts, id="quality.clock_skew", window=when)
        )
    return found


def _step(row: SetBack | LogSetBack, place: str) -> Measured:
    return SET_BACK.about(time=second(row.before))(round(row.back_s, 3), place)
