"""backup.configuration: what buffers the backups ran with, and whether those are the defaults."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from agtrace.diagnostics.backup import formula
from agtrace.diagnostics.backup.studies import MEMORY, Sure, period
from agtrace.measures import Measured, quoted
from agtrace.say.said import Judged

SHOWN = 20
SOURCE = "ERRORLOG, trace flag 3213"


def configurations(operations: list[dict[str, Any]], versions: dict[tuple[str, str], str]) -> list[Judged]:
    """Judge each server whose buffers were logged.

    Parameters
    ----------
    operations
        Distinct buffer configurations with their number of operations ``n`` and first and last
        time (buffers.sql).
    """
    servers: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in operations:
        servers[row["host_id"] or "", row["sql_instance"] or ""].append(row)
    return [_judged(server, rows, versions.get(server)) for server, rows in servers.items()]


def _judged(server: tuple[str, str], rows: list[dict[str, Any]], version: str | None) -> Judged:
    rows = sorted(rows, key=lambda r: -r["n"])
    wrong = sum(row["n"] for row in rows if row["total_matches"] is False)
    over = any(r["total_mb"] and r["memory_limit_mb"] and r["total_mb"] > r["memory_limit_mb"] for r in rows)
    checked = [formula.check(row, version) for row in rows]
    counts = Counter[str]()
    for row, (count, _) in zip(rows, checked, strict=True):
        counts[count.status] += row["n"]
    memory = [mb for row in rows if (mb := formula.memory_mb(row)) is not None]
    subject = {"host": server[0]} if server[0] else {}
    if server[1] not in ("", "MSSQLSERVER"):
        subject["instance"] = server[1]
    return Judged(
        said="configuration",
        id="backup.configuration",
        severity="notice" if wrong or over else "info",
        subject=subject,
        window=_window(rows),
        evidence=tuple(each for pair in list(zip(rows, checked, strict=True))[:SHOWN] for each in _evidence(*pair)),
        confidence=Sure.COUNTED.value,
        facts={
            "n": sum(row["n"] for row in rows), "configurations": len(rows), "usual": _usual(rows[0], checked[0]),
            "counts": {name: counts[name] for name in (formula.DEFAULT, formula.EXPLICIT, formula.OTHER, formula.UNKNOWN)},
            "least": min(memory, default=None), "most": max(memory, default=None), "wrong": wrong, "over": over,
        },
    )  # fmt: skip


def _window(rows: list[dict[str, Any]]) -> dict[str, Any]:
    kind = "time" if all(row["first_time"] is not None for row in rows) else "local"
    known = [
        row[f"{end}_{kind}"] for row in rows for end in ("first", "last") if row[f"{end}_{kind}"] is not None
    ]
    return period(min(known), max(known)) if known else {}


def _usual(row: dict[str, Any], checked: tuple[formula.Checked, formula.Checked]) -> dict[str, Any]:
    """Give what is told of the most frequent configuration, with its arithmetic."""
    sets, count, size = row["sets_of_buffers"] or 1, row["buffer_count"], row["max_transfer_size_kb"]
    used = formula.total_mb(sets, count, size)
    return {
        **{name: row[name] for name in ("n", "media", "stripes", "total_mb")},
        "what": " ".join(filter(None, (row["kind"], row["operation"]))) or "operation",
        "sets": sets, "count": count, "size": size, "used": used, "differs": row["total_matches"] is False,
        "of_limit": 100 * (row["total_mb"] or used or 0) / row["memory_limit_mb"] if row["memory_limit_mb"] else None,
        "checked": [(name, each.status, each.reason) for name, each in zip(("BUFFERCOUNT", "MAXTRANSFERSIZE"), checked, strict=True)],
    }  # fmt: skip


def _evidence(
    row: dict[str, Any], checked: tuple[formula.Checked, formula.Checked]
) -> tuple[Measured, Measured]:
    name = f"{row['stripes'] or '?'} x {row['media'] or 'unknown media'}, {row['buffer_count']} x {row['max_transfer_size_kb']} KB"
    if row["sets_of_buffers"] not in (None, 1):
        name += f", {row['sets_of_buffers']} sets"
    source = f"{SOURCE}, n = {row['n']}"
    memory = MEMORY.called(f"{name}, {MEMORY.label}")
    told = f"{checked[0].status}: {checked[0].reason}"
    return memory(formula.memory_mb(row), source), quoted(f"{name}, BUFFERCOUNT", told, source)
