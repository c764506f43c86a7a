"""database.recovery: recoveries of databases that took long, and the phase in which the time went.

Sources: messages 3421 and 9017 of sys.messages; "SQL Server transaction log architecture and management
guide" (virtual log files) and "Accelerated database recovery" of Microsoft's documentation.
"""

from __future__ import annotations

from collections.abc import Iterable

from agtrace.diagnostics.database.measures import moments, window_of
from agtrace.diagnostics.database.rows import Recovered
from agtrace.measures import Measure, Measured, quoted
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

WHOLE = Measure("recovery_s", "recovery", "s", "of the longest recovery of the database")
PHASE = Measure("recovery_phase_s", "{phase}", "s")
VLFS = Measure("virtual_log_files", "virtual log files", "files")
PHASES = ("analysis", "redo", "undo")
MOST = 0.5
"""A phase that takes more than this share of a recovery is where its time went."""
SHOWN, LIKELY, UNKNOWN = 0.95, 0.8, 0.9
"""Message 9017 names virtual log files; their number implies them; the phases alone are stated."""


def recovered(rows: Iterable[Recovered], limits: Thresholds) -> list[Judged]:
    """Judge each database whose recovery took long.

    Parameters
    ----------
    rows
        Of recovered.sql.
    """
    return [_recovered(row, limits) for row in rows]


def phases_of(row: Recovered) -> dict[str, int | None]:
    """Return the time of each phase of a recovery, ms."""
    return dict(zip(PHASES, (row.analysis_ms, row.redo_ms, row.undo_ms), strict=True))


def cause_of(row: Recovered, limits: Thresholds) -> str:
    """Return where the time of a recovery went: vlfs, analysis, redo, undo, before (the phases) or mixed."""
    whole = row.seconds
    phases = {name: (ms or 0) / 1000 for name, ms in phases_of(row).items()}
    if sum(phases.values()) < (1 - MOST) * whole:
        has_many = row.vlf_limit is not None or (row.vlf_count or 0) >= limits.recovery_vlfs
        return "vlfs" if has_many else "before"
    longest = max(phases, key=lambda name: phases[name])
    return longest if phases[longest] > MOST * whole else "mixed"


def _recovered(row: Recovered, limits: Thresholds) -> Judged:
    place = f"{row.path} line {row.line:,}"
    cause = cause_of(row, limits)
    numbers: list[Measured] = [WHOLE(row.seconds, place)]
    phases = phases_of(row)
    numbers += [PHASE.about(phase=name)(ms / 1000, place) for name, ms in phases.items() if ms is not None]
    if row.vlf_limit is not None:
        text = f"more than {row.vlf_limit:,} virtual log files"
        numbers.append(quoted("message 9017", text, f"{row.path} line {row.vlf_line:,}"))
    if row.vlf_count is not None and row.vlf_place is not None:
        numbers.append(VLFS(row.vlf_count, row.vlf_place))
    is_long = row.seconds >= limits.recovery_long_s
    confidence = UNKNOWN if cause != "vlfs" else SHOWN if row.vlf_limit is not None else LIKELY
    return Judged(
        said="recovery",
        id="database.recovery",
        severity="warning" if is_long else "notice",
        subject={"ag": row.ag or "", "database": row.database, "host": row.host_id},
        window=window_of(row),
        confidence=confidence,
        evidence=tuple(numbers),
        facts={
            **moments(row),
            "database": row.database,
            "host": row.host_id,
            "n": row.n,
            "seconds": row.seconds,
            "phases": [(name, (ms or 0) / 1000) for name, ms in phases.items()],
            "phases_s": sum((ms or 0) / 1000 for ms in phases.values()),
            "cause": cause,
            "is_failover": row.promoted_local is not None,
            "vlf_limit": row.vlf_limit,
            "vlf_count": row.vlf_count,
        },
    )
