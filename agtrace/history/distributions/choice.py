"""The requested counters and groupings, and the series they select."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from agtrace import globs
from agtrace.errors import CaseError
from agtrace.measure import counters as c
from agtrace.measure.counters import Counter
from agtrace.moments import LOCAL
from agtrace.resolve.names import is_meant

BACKUPS = "backups"
"""Object name for backups in the ERRORLOG and Extended Events, treated as counters."""

DEFAULTS = (
    f"{BACKUPS}\\Backup throughput",
    f"{BACKUPS}\\Restore throughput",
    c.LOG_FLUSHED.path,
    c.LOG_RECEIVED.path,
    c.REDONE.path,
    c.SENT_TO_TRANSPORT.path,
    c.BACKUP_RESTORE.path,
    c.DEVICE_THROUGHPUT.path,
    Counter(c.LOGICAL_DISK, c.READ).path,
    Counter(c.LOGICAL_DISK, c.WRITTEN).path,
    Counter(c.INTERFACE, c.RECEIVED).path,
    Counter(c.INTERFACE, c.SENT).path,
)
FALLBACKS = ("PhysicalDisk\\Disk*Bytes/sec", "*Disk\\Disk Bytes/sec", "*\\*Bytes*/sec", "*\\*/sec", "*")
FALLBACK_COUNTERS = 6
SYSTEM_DATABASES = frozenset({"master", "model", "msdb", "mssqlsystemresource", "tempdb"})
"""Left out of sums: the log of tempdb never leaves the host."""


@dataclass(frozen=True)
class Question:
    """The request; see `Percentiles`.

    Parameters
    ----------
    peers_apart
        Keep instances that are replicas separate, regardless of ``total``.
    busy
        Leave out idle values: always, never, or (None) for rates that are often idle.
    tz
        Time zone of hours and days: that of each host, or a zone.
    q
        Further quantiles, 0 to 1.
    """

    counter: str | tuple[str, ...] | None = None
    host: str | tuple[str, ...] | None = None
    instance: str | tuple[str, ...] | None = None
    by: tuple[str, ...] = ("host",)
    start: datetime | None = None
    end: datetime | None = None
    per: str | None = None
    total: bool = True
    peers_apart: bool = False
    busy: bool | None = None
    change: bool = False
    scale: float = 1.0
    unit: str | None = None
    tz: str = LOCAL
    q: tuple[float, ...] = ()


def choose(series: list[dict[str, Any]], asked: Question) -> list[dict[str, Any]]:
    """Return the series for a question, with their role; _Total only if there are no others."""
    narrowed = _of(_of(series, "host", asked.host, is_meant), "instance", asked.instance, globs.matches)
    if asked.counter:
        names = globs.named(asked.counter)
        patterns = [part.strip() for each in names for part in each.split(";") if part.strip()]
        wanted = [row for row in narrowed if any(matches(row, p) for p in patterns)]
        if not wanted and series:
            there = sorted({row["counter"] for row in series})
            said = ", ".join(map(repr, names))
            raise CaseError(f"no counter {said} was captured", globs.instead(next(iter(patterns), ""), there))
    else:
        wanted = _default(narrowed)
    found = [row | {"role": 0, "name": _name(row, asked)} for row in wanted]
    if asked.per:
        below = [row for row in narrowed if matches(row, asked.per)]
        if not below:
            hint = globs.instead(asked.per, sorted({row["counter"] for row in narrowed}))
            raise CaseError(f"no counter {asked.per!r} to divide by was captured", hint)
        found += [row | {"role": 1, "name": f"per {row['counter']}"} for row in below]
    if asked.peers_apart:
        found = [r for r in found if not _is_peer(r) or r["instance"] != "_Total"] or found
    if asked.total:
        found = [row for row in found if asked.instance or not _is_system_database(row)]
        parts = {(r["role"], r["host"], r["name"]) for r in found if r["instance"] != "_Total"}
        found = [
            r for r in found if r["instance"] != "_Total" or (r["role"], r["host"], r["name"]) not in parts
        ]
    return found


def _of(
    series: list[dict[str, Any]],
    column: str,
    asked: str | Iterable[str] | None,
    means: Callable[[str, str], bool],
) -> list[dict[str, Any]]:
    """Return the series of the requested hosts or instances."""
    if asked is None:
        return series
    names = globs.named(asked)
    found = [row for row in series if any(means(row[column], name) for name in names)]
    if series and not found:
        there = sorted({row[column] for row in series} - {""})
        hint = globs.instead(next(iter(names), ""), there)
        raise CaseError(f"no series is of {column} {', '.join(map(repr, names))}", hint)
    return found


def keeps_apart(row: dict[str, Any], asked: Question) -> bool:
    """Return whether a series is not added to the others of its host."""
    return not asked.total or (asked.peers_apart and _is_peer(row))


def _name(row: dict[str, Any], asked: Question) -> str:
    apart = asked.total and keeps_apart(row, asked)
    instance = f"({row['instance']})" if apart else ""
    return f"{row['object']}{instance}\\{row['counter']}"


def _is_peer(row: dict[str, Any]) -> bool:
    return bool(row["object"] == c.AVAILABILITY_REPLICA)


def _is_system_database(row: dict[str, Any]) -> bool:
    return row["object"] == c.DATABASES and row["instance"].lower() in SYSTEM_DATABASES


def _default(series: list[dict[str, Any]]) -> list[dict[str, Any]]:
    wanted = [row for row in series if any(matches(row, pattern) for pattern in DEFAULTS)]
    for pattern in FALLBACKS:
        if wanted:
            break
        matching = [row for row in series if matches(row, pattern)]
        names = sorted({(row["object"], row["counter"]) for row in matching})[:FALLBACK_COUNTERS]
        wanted = [row for row in matching if (row["object"], row["counter"]) in names]
    return wanted


def matches(row: dict[str, Any], pattern: str) -> bool:
    """Return whether a series is meant by a glob of a counter, or of ``Object\\Counter``."""
    of_object, backslash, of_counter = pattern.rpartition("\\")
    if backslash and not globs.matches(row["object"], of_object):
        return False
    return globs.matches(row["counter"], of_counter)
