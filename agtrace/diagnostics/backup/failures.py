"""backup.failed and backup.slow_zeroing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agtrace.diagnostics.backup.measured import rounded
from agtrace.diagnostics.backup.wording import window
from agtrace.measure.platforms import LINUX, WINDOWS, likely
from agtrace.say import words
from agtrace.say.finding import Evidence, Finding
from agtrace.thresholds import Thresholds

SHOWN = 10
REMEDIES = {
    WINDOWS: "Grant the service account of SQL Server the right Perform volume maintenance tasks, and restart the service.",
    LINUX: "On Linux no right is needed: files are created instantly where the file system takes fallocate, as XFS and ext4 do. "
    "See with `df -T` what the files lie on.",
}  # fmt: skip
"""How files are created instantly, by system."""


def failed(rows: list[dict[str, Any]]) -> list[Finding]:
    """Give one finding for each database and kind of operation that failed (failures.sql)."""
    return [_failed(row) for row in rows]


def _failed(row: dict[str, Any]) -> Finding:
    what = row["what"] or "backup or restore"
    name = words.plain(row["database"]) if row["database"] else "a database that the log does not name"
    succeeded = row["succeeded"] or row["succeeded_local"]
    is_open = succeeded is None
    when = words.moment(row["last_time"] or row["last_local"])
    told = f"{words.count(row['n'], 'failure')} of {what} of {name}, the last at {when}."
    told += (
        " No later one of its kind is seen to succeed."
        if is_open
        else f" A later one succeeded at {words.moment(row['succeeded'])}."
    )
    texts = list(dict.fromkeys(words.plain(text, 300) for text in row["texts"] or [] if text))
    if texts:
        told += f" The log says: {' | '.join(texts[:3])}"
    evidence = [Evidence("failures", row["n"], "", f"ERRORLOG of {row['host_id'] or 'an unknown host'}")]
    evidence += [
        Evidence("message", text, "", f"ERRORLOG, line {line:,}")
        for text, line in list(zip(row["texts"] or [], row["lines"] or [], strict=True))[:SHOWN]
    ]
    named = {"host": row["host_id"], "database": row["database"], "operation": row["what"]}
    return Finding(
        "backup.failed",
        "critical" if is_open else "warning",
        f"{what[0].upper()}{what[1:]} of {name} failed" + (" and has not succeeded since" if is_open else ""),
        told,
        {key: value for key, value in named.items() if value},
        window(row["first_time"] or row["first_local"], row["last_time"] or row["last_local"]),
        tuple(evidence),
        "Remove the cause that the messages name, then take the backup again and test a restore of it.",
        0.95,
    )


def slow_zeroing(
    rows: list[dict[str, Any]], instant: dict[str, str], limits: Thresholds, known: Mapping[str, str]
) -> list[Finding]:
    """Give one finding for each host whose data files were filled with zeros (zeroing.sql).

    Parameters
    ----------
    instant
        "enabled" or "disabled" by host, where the start of the server says so.
    known
        Linux or Windows, by host, where it is known.
    """
    found = []
    for host in sorted({row["host_id"] or "" for row in rows}):
        here = [row for row in rows if (row["host_id"] or "") == host]
        data = [row for row in here if row["is_data"]]
        if data:
            found.append(_zeroed(host, data, here, instant.get(host), limits, likely(known, host)))
    return found


def _zeroed(
    host: str,
    data: list[dict[str, Any]],
    every: list[dict[str, Any]],
    instant: str | None,
    limits: Thresholds,
    platform: str,
) -> Finding:
    seconds = sum(row["seconds"] or 0.0 for row in data)
    size = sum(row["bytes"] or 0 for row in data)
    where = f"{words.plain(host)}" if host else "a host that is not known"
    told = (
        f"{words.count(len(data), 'data file')} ({words.size(size)}) were filled with zeros on {where} in "
        f"{words.span(seconds)}: files are not created instantly there."
    )
    unended = sum(row["seconds"] is None for row in data)
    if unended:
        told += f" For {unended} of them the end is not in the log."
    restored = [row for row in data if row["operation"] == "restore"]
    if restored:
        told += f" {words.count(len(restored), 'of them was', 'of them were')} part of a restore."
    logs = [row for row in every if not row["is_data"] and row["seconds"] is not None]
    if logs:
        told += (
            f" Transaction logs, which are always filled, took {words.span(sum(r['seconds'] for r in logs))}."
        )
    if instant:
        told += f" The server says at its start: instant file initialisation {instant}."
    evidence = [
        Evidence(
            f"zeroing of {words.plain(row['path'])} ({words.size(row['bytes'])})",
            rounded(row["seconds"]) if row["seconds"] is not None else None, "s",
            f"ERRORLOG of {where}, line {row['line']:,}",
        )
        for row in sorted(data, key=lambda r: -(r["seconds"] or 0))[:SHOWN]
    ]  # fmt: skip
    first, last = data[0], data[-1]
    return Finding(
        "backup.slow_zeroing",
        "warning" if seconds >= limits.backup_zeroing_s else "notice",
        f"No instant file initialisation on {where}: data files are filled with zeros",
        told,
        {"host": host} if host else {},
        window(first["time"] or first["time_local"], last["time"] or last["time_local"]),
        tuple(evidence),
        REMEDIES[platform],
        0.95,
    )
