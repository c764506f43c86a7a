"""seeding.failed for logs of unknown UTC offset, whose entries cannot be matched to seedings."""

from __future__ import annotations

from collections.abc import Iterable

from agtrace.diagnostics.seeding.outcomes import decode
from agtrace.diagnostics.seeding.rows import Unplaced
from agtrace.history.seedings import Failure
from agtrace.measures import Measure, quoted
from agtrace.say.finding import window
from agtrace.say.said import Judged

ENTRIES = Measure("entries", "entries that tell of it")
TRANSIENT = 19494
"""The server tries again by itself."""
SURE = 0.9


def unplaced(rows: Iterable[Unplaced]) -> list[Judged]:
    """Judge the failures of each database and reason.

    Parameters
    ----------
    rows
        Of unplaced.sql.
    """
    return [_failed(row) for row in rows]


def _failed(row: Unplaced) -> Judged:
    reason = decode(Failure(None, row.text, None, row.place, row.message_id))
    host = row.host_id or "an unknown host"
    return Judged(
        said="unplaced",
        id="seeding.failed",
        severity="warning" if row.message_id == TRANSIENT else "critical",
        subject={"database": row.database or "", "ag": row.ag or "", "host": row.host_id},
        window=window(row.first, row.last, is_local=True),
        confidence=SURE,
        evidence=(ENTRIES(row.n, row.place), quoted("the last of them", row.text, row.place)),
        facts={
            "database": row.database or "a database",
            "host": host,
            "group": row.ag or "",
            "n": row.n,
            "first": row.first,
            "last": row.last,
            "text": row.text,
            "reason": reason,
            "mended": None,
        },
    )
