"""health.unrecognised: severe entries and entries about groups that nothing else recognises, counted."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter

from agtrace.diagnostics.health import noted
from agtrace.diagnostics.health.group_history import NOT_KNOWN, GroupHistory
from agtrace.diagnostics.health.measures import COUNTED
from agtrace.diagnostics.health.rows import Unrecognised
from agtrace.measures import Measure, quoted
from agtrace.say.finding import window
from agtrace.say.said import Judged

SEVERE, DAMAGING, ERROR = 20, 21, 16
"""Severities from which on a session ends; a database or the instance is concerned; a group is."""
ELSEWHERE = (
    *(829, 9003, 9004, 1105),
    *(3958, 3959, 3966, 3967),
    *(1418, 1456, 1474, *range(28000, 28100), 9642, 9691, 9692, 9693),
    *range(19450, 19490),
)
"""Numbers that other questions report: damaged logs and pages, the version store, endpoints, listeners."""
HEADS = ("Database Mirroring login attempt", "***", "* ")
"""Beginnings of texts that other rules report, and lines of dumps."""


def parameters() -> dict[str, object]:
    """Return the parameters of unrecognised.sql."""
    numbers = {number for kind in noted.KINDS for number in kind.numbers}
    heads = {head for kind in noted.KINDS for head in kind.heads}
    return {
        "numbers": sorted(numbers.union(ELSEWHERE)),
        "heads": sorted(heads.union(HEADS)),
        "severe": SEVERE,
    }


def unrecognised(history: GroupHistory, rows: Iterable[Unrecognised]) -> list[Judged]:
    """Judge the entries of each host.

    Parameters
    ----------
    rows
        Rows of unrecognised.sql.
    """
    return [_judged(host, list(own), history) for host, own in groupby(rows, key=attrgetter("host_id"))]


def _judged(host: str, rows: list[Unrecognised], history: GroupHistory) -> Judged:
    worst = max(row.worst for row in rows)
    severity = "warning" if worst >= DAMAGING else "notice" if worst >= ERROR else "info"
    is_local = any(row.is_local for row in rows)
    ends = min(row.first for row in rows), max(row.last for row in rows)
    first, last = (end.replace(tzinfo=None) for end in ends) if is_local else ends
    source, example = f"ERRORLOG of {host or NOT_KNOWN}", rows[0].example
    return Judged(
        said="unrecognised",
        id="health.unrecognised",
        severity=history.graded(severity, host),
        subject={"host": host} if host else {},
        window=window(first, last, is_local=is_local),
        evidence=(
            *(_count(row)(row.n, source) for row in rows),
            quoted("example", example.text, history.place(example.content_id, example.line, source)),
        ),
        confidence=COUNTED,
        facts={
            "host": host or NOT_KNOWN,
            "n": sum(row.n for row in rows),
            "first": first,
            "last": last,
            "is_local": is_local,
            "counts": [{"severity": row.severity, "n": row.n} for row in rows],
            "example": example.text,
            "error": str(rows[0].error or ""),
            "worst": worst,
        },
    )


def _count(row: Unrecognised) -> Measure:
    label = f"severity {row.severity}" if row.severity else "about availability groups"
    return Measure("unrecognised", label, "entries", "that no template matches")
