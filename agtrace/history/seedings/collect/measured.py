"""What perfmon adds to what other captures tell of: start and bytes of a copy, or its other end.

Backup/Restore Throughput/sec counts on both ends of a seeding, to the sample interval. Alone it
tells of no operation: any backup or restore moves it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from agtrace.history.base import View
from agtrace.history.seedings.operation import PERFMON
from agtrace.history.seedings.parts import Copy
from agtrace.store.sql_files import beside

_sql = beside(__file__)

TOTAL = "_Total"
INTERVALS = 2
"""How many sample intervals a span may end apart from the copy that it belongs to."""


@dataclass(frozen=True)
class Span:
    """A time in which a host backed up or restored without a pause (UTC)."""

    host: str
    database: str
    start: datetime
    end: datetime
    step: timedelta
    bytes: int

    def ends_at(self, time: datetime, slack: timedelta = timedelta(0)) -> bool:
        """Tell whether it ends at a time, as far as samples can tell."""
        return abs(self.end - time) <= INTERVALS * self.step + slack

    def as_copy(self, role: str) -> Copy:
        """Give it as the copy of one end."""
        return Copy(
            role=role,
            host=self.host,
            told_by=frozenset({PERFMON}),
            database=self.database,
            first=self.start,
            last=self.end,
            start=self.start,
            end=self.end,
            is_done=True,
            measured_bytes=self.bytes,
        )


def spans(view: View) -> list[Span]:
    """Give every span of activity of every database and host, in order of time."""
    view.run(_sql("measured.sql"))
    rows = view.rows("select * from scratch.seeding_spans order by start, host_id, instance")
    return [
        Span(
            host=row["host_id"],
            database=row["instance"],
            start=row["start"],
            end=row["end"],
            step=timedelta(seconds=row["step_s"]),
            bytes=round(row["bytes"]),
        )
        for row in rows
    ]
