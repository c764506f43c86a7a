"""The quality.* findings but for clocks: what weakens the answers of every other analysis."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from agtrace.diagnostics.overview.captured import Captured
from agtrace.diagnostics.overview.collected import Collected
from agtrace.diagnostics.overview.evidence import MOST, Rows, by_host, second, shown
from agtrace.measure.platforms import LINUX, likely
from agtrace.measures import Measure, quoted
from agtrace.resolve.file_names import LOGSCOUT_LINUX
from agtrace.say.said import Judged
from agtrace.say.words import count

MIDDLE_MISSING = "middle_missing"
"""Fault of a log of which a collector kept the first and the last lines."""
WANTED = ("perfmon", "errorlog", "tcp_settings")
"""What an analysis of the transport wants of each machine; a TCP of Linux scales its window by itself."""
WANTED_ON_LINUX = ("perfmon", "errorlog")
KINDS = {
    "perfmon": "perfmon log", "errorlog": "ERRORLOG", "tcp_settings": "TCP settings",
    "linux_perfmon": "counters of SQL Server", "linux_errorlog": "ERRORLOG",
}  # fmt: skip
OF_CASE = "captures of the case"
MOST_WHY = 5
"""Captures whose reason is told in full; the evidence has more."""

SERIES = Measure("series", "series", "series", "series that bear the name")
MISSING = Measure(
    "missing_s", "missing in {gaps}", "s", "time that rows at the usual interval would have covered"
)
NOT_COLLECTED = Measure(
    "missing_s", "not collected from {since} to {until}", "s", "time between what was kept"
)
FAULTS = Measure("count", "{kind}: {message}", "times", "how often the fault was met")


def host_unknown(captures: Rows) -> list[Judged]:
    """Judge captures that were read but belong to no known machine; of one machine at most nothing hangs on it."""
    if not captures:
        return []
    strange = [row for row in captures if _is_contradicted(row)]
    kept = sum(bool(row["is_kept"]) for row in captures)
    return [
        Judged(
            said="host_unknown",
            id="quality.host_unknown",
            severity="warning" if strange or captures[0]["machines"] > 1 else "info",
            evidence=shown(captures, lambda r: quoted("why", r["why"] or "no evidence", r["path"] or "")),
            facts={
                "n": len(captures), "kept": kept, "unkept": kept < len(captures), "strange": strange[:MOST_WHY],
                "silent": [row["path"] for row in captures if row not in strange],
            },
        )
    ]  # fmt: skip


def _is_contradicted(row: dict[str, Any]) -> bool:
    return (row["why"] or "").startswith("not of ")


def unmapped_counter(counters: Rows) -> list[Judged]:
    """Judge once how many counters have no canonical English name."""
    if not counters:
        return []
    return [
        Judged(
            said="unmapped_counter",
            id="quality.unmapped_counter",
            severity="info",
            evidence=shown(
                counters,
                lambda r: SERIES.called(f"{r['object']}\\{r['counter']}")(r["series"], r["example"] or ""),
            ),
            facts={"names": len(counters), "series": sum(row["series"] for row in counters)},
        )
    ]


def gap(gaps: Rows) -> list[Judged]:
    """Judge per host for how long its perfmon logs did not write, capture by capture."""
    found = []
    for host, rows in by_host(gaps).items():
        by_path: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for row in rows:
            by_path[row["path"]].append(row)
        evidence = [
            MISSING.about(gaps=count(len(each), "gap"))(round(sum(row["missing_s"] for row in each)), path)
            for path, each in by_path.items()
        ]
        facts = {
            "gaps": len(rows),
            "captures": len(by_path),
            "rows": sum(row["missing_rows"] for row in rows),
        }
        found.append(_gap("gap.perfmon", "notice", host, rows, evidence, facts))
    return found


def errorlog_gap(gaps: Rows) -> list[Judged]:
    """Judge per host which ERRORLOGs were collected without their middle."""
    found = []
    for host, rows in by_host(gaps).items():
        evidence = [
            NOT_COLLECTED.about(since=second(row["gap_from"]), until=second(row["gap_to"]))(
                round(row["missing_s"]), row["path"]
            )
            for row in rows
        ]
        found.append(_gap("gap.errorlog", "warning", host, rows, evidence, {"captures": len(rows)}))
    return found


def _gap(
    said: str, severity: str, host: str, rows: Rows, evidence: list[Any], facts: dict[str, Any]
) -> Judged:
    longest = max(rows, key=lambda row: row["missing_s"])
    return Judged(
        said=said,
        id="quality.gap",
        severity=severity,
        subject={"host": host} if host else {},
        evidence=tuple(evidence[:MOST]),
        facts=facts
        | {
            "host": host, "missing": sum(row["missing_s"] for row in rows), "longest": longest["missing_s"],
            "since": second(longest["gap_from"]), "until": second(longest["gap_to"]),
        },
    )  # fmt: skip


def truncated(captured: Captured) -> list[Judged]:
    """Judge captures that are damaged so that data is lost, or that could not be read at all."""
    losses, failed = captured.losses, captured.not_read
    if not losses and not failed:
        return []
    paths = dict.fromkeys([row["path"] for row in failed] + [row["path"] or "" for row in losses])
    cut = list(dict.fromkeys(row["path"] or "" for row in losses if row["kind"] == MIDDLE_MISSING))
    evidence = [
        quoted(row["status"], row["reason"] or "no reason given", row["path"] or "") for row in failed
    ] + [FAULTS.about(kind=row["kind"], message=row["message"])(row["count"], _where(row)) for row in losses]
    return [
        Judged(
            said="truncated",
            id="quality.truncated",
            severity="warning",
            evidence=tuple(evidence[:MOST]),
            facts={"damaged": [path for path in paths if path not in cut], "cut": cut, "failed": len(failed)},
        )
    ]


def _where(row: dict[str, Any]) -> str:
    offset = row["first_offset"]
    return (row["path"] or "") + (f", from offset {offset:,}" if offset is not None else "")


def not_captured(members: Rows, known: Mapping[str, str]) -> list[Judged]:
    """Judge what the analysis of an availability group would want of each machine and lacks.

    Parameters
    ----------
    known
        Linux or Windows, by host, where it is known.
    """
    found = []
    for row in members:
        is_linux = likely(known, row["host"]) == LINUX
        lacking = [kind for kind in (WANTED_ON_LINUX if is_linux else WANTED) if not row[kind]]
        kinds = [f"linux_{kind}" if is_linux else kind for kind in lacking]
        if lacking:
            found.append(
                Judged(
                    said="not_captured.of_host",
                    id="quality.not_captured",
                    severity="notice" if "perfmon" in lacking else "info",
                    subject={"host": row["host"]},
                    evidence=tuple(quoted(KINDS[kind], "not captured", OF_CASE) for kind in kinds),
                    facts={
                        "host": row["host"],
                        "kinds": kinds,
                        "names": [KINDS[kind] for kind in kinds],
                        "named_by": row["named_by"] or "",
                    },
                )
            )
    if members and not any(row["copy_or_ping"] for row in members):
        found.append(
            Judged(
                said="not_captured.copy_or_ping",
                id="quality.not_captured",
                severity="info",
                evidence=(quoted("robocopy or ping", "not captured", OF_CASE),),
            )
        )
    return found


def not_collected(collected: Collected) -> list[Judged]:
    """Judge what the support tools that were used never collect."""
    return [
        Judged(
            said="not_captured.never_collected",
            id="quality.not_captured",
            severity="info",
            subject={"what": kind},
            evidence=(quoted(kind, "not captured", OF_CASE),),
            facts={"tools": tools, "kind": kind, "how": how_to_collect(kind, tools)},
        )
        for kind, tools in collected.lacking.items()
    ]


def how_to_collect(kind: str, tools: list[str]) -> str:
    """Give the name of the words for how to have what some tools never collect."""
    return "linux TCP settings" if kind == "TCP settings" and set(tools) == {LOGSCOUT_LINUX} else kind
