"""backup.configuration: the buffers of backups, and whether they are the defaults."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import Any

from agtrace.diagnostics.backup.rows import Buffers
from agtrace.diagnostics.backup.studies import MEMORY, Sure, period
from agtrace.history import backups
from agtrace.measures import Measured, quoted
from agtrace.say.said import Judged

SHOWN = 20
SOURCE = "ERRORLOG, trace flag 3213"


def configurations(operations: list[Buffers]) -> list[Judged]:
    """Judge each server whose buffers were logged.

    Parameters
    ----------
    operations
        Distinct buffer configurations with their number of operations ``n`` and first and last
        time (buffers.sql), those of a server together.
    """
    servers = groupby(operations, key=lambda row: (row.host_id or "", row.sql_instance or ""))
    return [_judged(*server, sorted(rows, key=lambda row: -row.n)) for server, rows in servers]


def _judged(host: str, instance: str, rows: list[Buffers]) -> Judged:
    wrong = sum(row.n for row in rows if row.total_matches is False)
    over = any(r.total_mb and r.memory_limit_mb and r.total_mb > r.memory_limit_mb for r in rows)
    checked = [(row, *backups.check_memory(row._asdict())) for row in rows]
    counts = Counter(dict.fromkeys(backups.STATUSES, 0))
    for row, count, _ in checked:
        counts[count.status] += row.n
    memory = [mb for row in rows if (mb := backups.memory_mb(row._asdict())) is not None]
    named = {"host": host, "instance": "" if instance == "MSSQLSERVER" else instance}
    return Judged(
        said="configuration",
        id="backup.configuration",
        severity="notice" if wrong or over else "info",
        subject={key: value for key, value in named.items() if value},
        window=_window(rows),
        evidence=tuple(each for of in checked[:SHOWN] for each in _evidence(*of)),
        confidence=Sure.COUNTED.value,
        facts={"n": counts.total(), "configurations": len(rows), "counts": counts}
        | {"least": min(memory, default=None), "most": max(memory, default=None)}
        | {"usual": rows[0]._asdict() | _usual(*checked[0]), "wrong": wrong, "over": over},
    )


def _window(rows: list[Buffers]) -> dict[str, Any]:
    in_utc = [(row.first_time, row.last_time) for row in rows]
    is_in_utc = all(first is not None for first, _last in in_utc)
    ends = in_utc if is_in_utc else [(row.first_local, row.last_local) for row in rows]
    times = [time for pair in ends for time in pair if time is not None]
    return period(min(times), max(times)) if times else {}


def _usual(row: Buffers, count: backups.Checked, size: backups.Checked) -> dict[str, Any]:
    """Return the calculation for the most frequent configuration, shown beside its row."""
    sets = row.sets_of_buffers or 1
    used = backups.total_mb(sets, row.buffer_count, row.max_transfer_size_kb)
    limit = row.memory_limit_mb
    return {
        "what": " ".join(filter(None, (row.kind, row.operation))) or "operation",
        "sets": sets,
        "used": used,
        "of_limit": 100 * (row.total_mb or used or 0) / limit if limit else None,
        "checked": [("BUFFERCOUNT", count), ("MAXTRANSFERSIZE", size)],
    }


def _evidence(row: Buffers, count: backups.Checked, _: backups.Checked) -> tuple[Measured, Measured]:
    target = f"{row.stripes or '?'} x {row.media or 'unknown media'}"
    name = f"{target}, {row.buffer_count} x {row.max_transfer_size_kb} KB"
    if row.sets_of_buffers not in (None, 1):
        name += f", {row.sets_of_buffers} sets"
    source = f"{SOURCE}, n = {row.n}"
    memory = MEMORY.called(f"{name}, {MEMORY.label}")
    told = f"{count.status}: {count.reason}"
    return memory(backups.memory_mb(row._asdict()), source), quoted(f"{name}, BUFFERCOUNT", told, source)
