"""health.standstill of a machine that was suspended, as an I/O request shows that spans a gap in its log."""

from __future__ import annotations

from collections.abc import Iterable

from agtrace.diagnostics.health.group_history import GroupHistory
from agtrace.diagnostics.health.measures import COUNTED
from agtrace.diagnostics.health.rows import Spanned
from agtrace.measures import Measure, quoted
from agtrace.say import words
from agtrace.say.finding import window
from agtrace.say.said import Judged

DID_NOT_RUN = Measure("did_not_run_s", "did not run", "s", "between the last entry and the first after it")
REQUEST = Measure("request_s", "duration of the I/O request", "s")


def spanned(history: GroupHistory, rows: Iterable[Spanned]) -> list[Judged]:
    """Judge each gap of a log that an I/O request spans.

    Parameters
    ----------
    rows
        Rows of spanned.sql.
    """
    return [_judged(row, history) for row in rows]


def _judged(row: Spanned, history: GroupHistory) -> Judged:
    start, end, is_local = row.since_local, row.time_local, True
    if row.time is not None and row.since is not None:
        start, end, is_local = row.since, row.time, False
    place = history.place(row.content_id, row.line)
    before = history.place(row.since_content_id, row.since_line)
    return Judged(
        said="spanned",
        id="health.standstill",
        severity=history.graded("warning", row.host_id),
        subject={"host": row.host_id},
        window=window(start, end, is_local=is_local),
        evidence=(
            DID_NOT_RUN(row.seconds, f"{before}; {place}"),
            REQUEST(row.ms / 1000, place),
            quoted("last entry before", words.instant(start), before),
            quoted("first entry after", words.instant(end), place),
        ),
        confidence=COUNTED,
        facts={
            "host": row.host_id,
            "seconds": row.seconds,
            "request": row.ms / 1000,
            "file": row.file or "",
            "start": start,
            "end": end,
        },
    )
