"""backup.failed and backup.slow_zeroing: failures with their causes, and data files filled with zeros.

The cause is in the messages before 3041, or in the role of the server. Sources: messages 3201, 3202, 3203,
3257, 3271, 18204 and 18210 of sys.messages, which end in the number of an operating system error; "System
error codes" and "BACKUP (Transact-SQL)" (secondary replicas) of Microsoft's documentation.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from agtrace.diagnostics.backup.best import BLOCKS
from agtrace.diagnostics.backup.rows import Failures, Zeroed
from agtrace.diagnostics.backup.studies import Sure, flat, period, rounded
from agtrace.measure.platforms import likely
from agtrace.measures import Measure, Measured, quoted
from agtrace.say import words
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

SHOWN = 10
TOLD = 3
"""Messages of a failure quoted in its narrative."""
FAILURES = Measure("n", "failures")
ZEROING = Measure("seconds", "zeroing", "s", "time in which a file was filled with zeros")


def failed(rows: list[Failures]) -> list[Judged]:
    """Judge each database and kind of operation that failed (failures.sql)."""
    return [_failed(row) for row in rows]


def _failed(row: Failures) -> Judged:
    has_later = row.succeeded is not None or row.succeeded_local is not None
    is_open = not has_later and not row.is_hushed
    subject = {"host": row.host_id, "database": row.database, "operation": row.what}
    texts, lines = row.texts or [], row.lines or []
    messages = list(zip(texts, lines, strict=True))[:SHOWN]
    first, last = row.first_time or row.first_local, row.last_time or row.last_local
    cause = cause_of(
        row.last_texts or [],
        row.last_ids or [],
        row.what or "",
        row.role,
        unread=row.unread,
        devices=row.devices,
        twin=row.twin,
    )
    leading = [(row.last_texts or [])[cause.place]] if cause and cause.place is not None else []
    told = list(dict.fromkeys(filter(None, [*leading, *texts])))[:TOLD]
    return Judged(
        said="failed",
        id="backup.failed",
        severity="critical" if is_open and not row.is_of_seeding else "warning",
        subject={key: value for key, value in subject.items() if value},
        window=period(first, last),
        evidence=(
            FAILURES(row.n, f"ERRORLOG of {row.host_id or 'an unknown host'}"),
            *(quoted("message", text, f"ERRORLOG, line {line:,}") for text, line in messages),
            *_caused(cause, row),
        ),
        confidence=Sure.LOGGED.value,
        facts=row._asdict()
        | {
            "what": row.what or "backup or restore",
            "last": last,
            "is_open": is_open,
            "is_hushed": row.is_hushed and not has_later,
            "texts": told,
            "cause": cause.kind if cause else None,
            "error": str(cause.error) if cause and cause.error is not None else None,
            "is_differential": (row.what or "").startswith("differential"),
            "succeeded": row.succeeded or row.succeeded_local,
            "file": re.split(r"[\\\\/]", row.unread or "")[-1],
            "blocks": BLOCKS,
            "most_bytes": row.size_kb * 1024 * BLOCKS if row.size_kb else None,
            "limit_share": row.total_mb / row.limit_mb if row.total_mb and row.limit_mb else None,
        },
    )


def _caused(cause: Cause | None, row: Failures) -> list[Measured]:
    """Return the evidence of the cause: the operating system's error, or the server's role."""
    if cause is None:
        return []
    if cause.kind == "secondary":
        return [quoted("role then", row.role, f"roles of {row.host_id}")]
    if cause.kind == "twin":
        source = f"ERRORLOG of {row.twin}"
        return [quoted("same file written by", f"{row.twin} ({row.twins} times within 60 s)", source)]
    if cause.error is None or cause.place is None:
        return []
    lines = row.lines or []
    place = f", line {lines[cause.place]:,}" if cause.place < len(lines) else ""
    return [quoted("operating system error", str(cause.error), f"ERRORLOG{place}")]


def slow_zeroing(rows: list[Zeroed], limits: Thresholds, known: Mapping[str, str]) -> list[Judged]:
    """Judge each host whose data files were filled with zeros (zeroed.sql).

    Parameters
    ----------
    known
        Linux or Windows, by host, if known.
    """
    found = []
    for host in sorted({row.host_id or "" for row in rows}):
        here = [row for row in rows if (row.host_id or "") == host]
        if any(row.is_data for row in here):
            found.append(_zeroed(host, here, limits, likely(known, host)))
    return found


def _zeroed(host: str, rows: list[Zeroed], limits: Thresholds, platform: str) -> Judged:
    data = [row for row in rows if row.is_data]
    logs = [row.seconds for row in rows if not row.is_data and row.seconds is not None]
    seconds = sum(row.seconds or 0.0 for row in data)
    where = flat(host, words.TEXT_LIMIT) or "an unknown host"
    first, last = data[0], data[-1]
    longest = sorted(data, key=lambda row: row.seconds or -math.inf, reverse=True)[:SHOWN]
    return Judged(
        said="slow_zeroing",
        id="backup.slow_zeroing",
        severity="warning" if seconds >= limits.backup_zeroing_s else "notice",
        subject={"host": host} if host else {},
        window=period(first.time or first.time_local, last.time or last.time_local),
        evidence=tuple(_zeroing(row, where) for row in longest),
        confidence=Sure.LOGGED.value,
        facts={"where": where, "data": data, "seconds": seconds, "logs": sum(logs) if logs else None}
        | {"instant": first.instant, "platform": platform, "bytes": sum(row.bytes or 0 for row in data)},
    )


def _zeroing(row: Zeroed, where: str) -> Measured:
    named = f"zeroing of {flat(row.path, words.TEXT_LIMIT)} ({words.size(row.bytes)})"
    seconds = None if row.seconds is None else rounded(row.seconds)
    return ZEROING.called(named)(seconds, f"ERRORLOG of {where}, line {row.line:,}")


_OF_SYSTEM = re.compile(r"(?:^|\s)(\d{1,5}) ?\((?!time)")
"""The number of an operating system error, followed by its text in brackets, in any language."""
NO_SPACE, BLOCK_LIMIT = 3257, 3063
DAMAGE, MEMORY = frozenset((823, 824, 825, 829, 3043)), frozenset((701, 802))
ABORTED = 995
"""Reported by a virtual or remote device when the backup has already failed elsewhere."""

BY_ERROR = {
    2: "path", 3: "path", 15: "path", 21: "device", 23: "device", 1117: "device", 1167: "device",
    433: "device",
    5: "access", 32: "in_use", 33: "in_use", 112: "full", 39: "full", 53: "network", 59: "network",
    64: "network", 67: "network", 121: "network", 1231: "network", 1232: "network", 54: "network",
    86: "logon", 1326: "logon", 1385: "logon", 1331: "logon", 1219: "logon", 995: "aborted",
    665: "fragmented", 1450: "resources", 1453: "resources", 8: "resources", 14: "resources",
}  # fmt: skip
"""Causes by operating system error."""


OF_URL = {"access": "url_access", "logon": "url_access", "device": "url", "network": "url", "system": "url"}
"""The cause if the device is a URL: neither disk nor share."""


@dataclass(frozen=True)
class Cause:
    """The cause of a failure.

    Parameters
    ----------
    kind
        unread or damaged (a file of the database), blocks (a URL is full), memory, access, path, full,
        network, logon, device, url, url_access, in_use, twin (another replica wrote the same file), aborted,
        fragmented, resources, system (an error without words of ours) or secondary (the server was one, and
        takes no such backup).
    error
        The operating system error; None without one.
    place
        Which of the messages says so, from 0; None for none.
    """

    kind: str
    error: int | None = None
    place: int | None = None


def cause_of(
    texts: Iterable[str | None],
    numbers: Iterable[int | None],
    what: str,
    role: str | None,
    *,
    unread: str | None = None,
    devices: str | None = None,
    twin: str | None = None,
) -> Cause | None:
    """Return the cause of a failure; None if nothing shows it.

    An unreadable file of the database comes first, then a named limit, then memory: errors of the device
    beside these are consequences.

    Parameters
    ----------
    texts, numbers
        The texts and the numbers of its messages.
    what
        The operation, as in "full backup".
    role
        The role of its server in its groups at the time; None if unknown.
    unread
        The file of the database that could not be read.
    devices
        The devices written to, separated by |.
    twin
        The server that wrote the same file within a minute.
    """
    said, told = list(texts), set(numbers)
    errors = [
        (int(found[1]), place) for place, text in enumerate(said) for found in _OF_SYSTEM.finditer(text or "")
    ]
    if unread is not None:
        own = [each for each in errors if unread in (said[each[1]] or "")]
        return Cause("unread", *own[0]) if own else Cause("unread")
    is_backup = what.endswith("backup")
    if is_backup and told & DAMAGE:
        return Cause("damaged", min(n for n in told & DAMAGE if n is not None))
    if BLOCK_LIMIT in told:
        return Cause("blocks")
    if told & MEMORY:
        return Cause("memory", min(n for n in told & MEMORY if n is not None))
    own_errors = [each for each in errors if each[0] != ABORTED]
    if own_errors:
        error, place = own_errors[0]
        kind = BY_ERROR.get(error, "system")
        if kind == "in_use" and twin is not None:
            kind = "twin"
        elif is_backup and "://" in (devices or ""):
            kind = OF_URL.get(kind, kind)
        return Cause(kind, error, place)
    if NO_SPACE in told:
        return Cause("full")
    if errors:
        return Cause("aborted", *errors[0])
    if role == "SECONDARY" and what in ("full backup", "differential backup"):
        return Cause("secondary")
    return None
