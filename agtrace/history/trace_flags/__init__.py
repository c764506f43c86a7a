"""When a trace flag was on, from start-up parameters and DBCC in the ERRORLOGs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa

from agtrace.history.base import Maker, View

ASYNCHRONOUS_OFF = 1462
"""The log stream to asynchronous replicas is not compressed."""

SYNCHRONOUS_ON = 9592
"""The log stream to synchronous replicas is compressed as well."""

SEEDING_COMPRESSION = 9567
"""Compresses the stream of automatic seeding, when set on the source (documentation "Tune
compression for availability group")."""

ASKED = (ASYNCHRONOUS_OFF, SYNCHRONOUS_ON, SEEDING_COMPRESSION)
"""Known to be off where a start does not name them, even where nothing ever names them."""


@dataclass(frozen=True)
class FlagSpan:
    """A stretch of time for which a trace flag's setting on a host is known; UTC.

    Parameters
    ----------
    end
        When other evidence follows; None when none does.
    where
        What says so: statement or parameter, file and line.
    """

    host: str
    is_on: bool
    start: datetime
    end: datetime | None
    where: str


def make(view: View) -> dict[str, pa.Table]:
    """Give what is known of each trace flag that a host names, and of those that agtrace asks about.

    Nothing is said of the time before the first evidence. DBCC TRACEON does not log whether it
    holds for the server or for one session, so a span is what the log shows, not proof.
    """
    sql = Path(__file__).with_name("trace_flags.sql").read_text(encoding="utf-8")
    return {"trace_flags": view.table(sql, {"asked": list(ASKED)})}


def trace_flag(view: View, number: int) -> list[FlagSpan]:
    """Give what is known of a trace flag, per host in order of time."""
    query = "select * from trace_flags where flag = $flag order by host_id, start, line"
    found = []
    for row in view.table(query, {"flag": number}).to_pylist():
        line = "" if row["line"] is None else f", line {row['line']:,}"
        where = f"{row['what']}, {row['path'] or 'ERRORLOG'}{line}"
        found.append(FlagSpan(row["host_id"], row["is_on"], row["start"], row["end"], where))
    return found


def at(spans: Iterable[FlagSpan], host: str | None, time: datetime | None) -> FlagSpan | None:
    """Give what is known of the flag on a host at an instant."""
    if host is None or time is None:
        return None
    moment = time.astimezone(UTC)
    for span in spans:
        if span.host == host and span.start <= moment and (span.end is None or moment < span.end):
            return span
    return None


MAKER = Maker(("trace_flags",), make)
