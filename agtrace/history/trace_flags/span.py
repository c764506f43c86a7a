"""Settings of one trace flag, from the relation ``trace_flags``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from agtrace.history.base import View

OF_ONE = """
    select host_id, is_on, start, "end", what, path, line
    from trace_flags
    where flag = $flag
    order by host_id, start, line
"""


@dataclass(frozen=True)
class FlagSpan:
    """A span for which a trace flag's setting on a host is known; UTC.

    Parameters
    ----------
    end
        Time of the next evidence or of a gap in the log; None if there is neither.
    where
        The source: statement or parameter, file and line.
    """

    host: str
    is_on: bool
    start: datetime
    end: datetime | None
    where: str


def trace_flag(view: View, number: int) -> list[FlagSpan]:
    """Return what is known of a trace flag, per host in time order.

    Nothing is said of the time before the first evidence. DBCC TRACEON does not log whether it
    holds for the server or for one session, so a span is what the log shows, not proof.
    """
    found: list[FlagSpan] = []
    if not view.has_rows("trace_flags"):
        return found
    for row in view.rows(OF_ONE, {"flag": number}):
        line = "" if row["line"] is None else f", line {row['line']:,}"
        where = f"{row['what']}, {row['path'] or 'ERRORLOG'}{line}"
        found.append(FlagSpan(row["host_id"], row["is_on"], row["start"], row["end"], where))
    return found


def at(spans: Iterable[FlagSpan], host: str | None, time: datetime | None) -> FlagSpan | None:
    """Return what is known of the flag on a host at an instant."""
    if host is None or time is None:
        return None
    moment = time.astimezone(UTC)
    for span in spans:
        if span.host == host and span.start <= moment and (span.end is None or moment < span.end):
            return span
    return None
