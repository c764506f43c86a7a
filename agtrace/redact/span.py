"""The rows of a case around a moment: a small case to share that shows one finding."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pyarrow as pa

from agtrace.case import Case
from agtrace.store import Summary
from agtrace.tables import kernels as pc

WIDEST = timedelta(hours=14)
"""The largest offset of any zone from UTC: captures in an unknown zone are kept for this much more."""
_WHOLE = frozenset(("facts", "counters", "issues"))
"""Tables of data that is valid at any time."""


@dataclass
class Span:
    """A span of time, in UTC and in the local time of each content.

    Parameters
    ----------
    begin, end
        In UTC, without a zone.
    offsets
        Lowest and highest UTC offset in minutes, by content.
    """

    begin: datetime
    end: datetime
    offsets: dict[str, tuple[int, int]] = field(default_factory=dict)
    _ticks: tuple[int, int] = (0, -1)
    _rowsets: set[int] = field(default_factory=set)

    @classmethod
    def around(cls, case: Case, moment: datetime, minutes: float) -> Span:
        """Return the span of that many minutes before and after a moment of a case."""
        plain = moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment
        about = timedelta(minutes=minutes)
        rows = case.view.rows(
            "SELECT content_id, min(offset_minutes) AS low, max(offset_minutes) AS high FROM clocks "
            "WHERE offset_minutes IS NOT NULL GROUP BY content_id"
        )
        return cls(
            plain - about, plain + about, {row["content_id"]: (row["low"], row["high"]) for row in rows}
        )

    def local(self, content_id: str) -> tuple[datetime, datetime]:
        """Return the span in the local time of a content, widened by the uncertainty of its offset."""
        if content_id in self.offsets:
            low, high = self.offsets[content_id]
            return self.begin + timedelta(minutes=low), self.end + timedelta(minutes=high)
        return self.begin - WIDEST, self.end + WIDEST

    def rows(self, table: str, batch: pa.RecordBatch, content_id: str) -> pa.RecordBatch:
        """Return the rows of a batch within the span; rows without a time stay."""
        if table in _WHOLE:
            return batch
        if "/" in table:
            return _between(batch, "_time", self.begin.replace(tzinfo=UTC), self.end.replace(tzinfo=UTC))
        if table == "samples":
            return _between(batch, "tick", *self._ticks)
        if table == "rowset_rows":
            return batch.filter(
                pc.is_in(batch["rowset"], pa.array(sorted(self._rowsets), batch["rowset"].type))
            )
        kept = _between(batch, "time_local", *self.local(content_id))
        if table == "ticks" and len(kept):
            first, last = pc.min_max(kept["tick"]).as_py().values()
            low, high = self._ticks
            self._ticks = (first, last) if high < low else (min(low, first), max(high, last))
        if table == "rowset_heads":
            self._rowsets |= set(kept["rowset"].to_pylist())
        return kept

    def begin_content(self) -> None:
        """Start another content."""
        self._ticks, self._rowsets = (0, -1), set()

    def clipped(self, content_id: str, summary: Summary) -> tuple[str | None, str | None]:
        """Return the first and last remaining time of a content, in the form of its summary."""
        low, high = (each.isoformat() for each in self.local(content_id))
        first, last = summary.first_local, summary.last_local
        if first is None or last is None or first > high or last < low:
            return None, None
        return max(first, low), min(last, high)


def _between(batch: pa.RecordBatch, name: str, low: object, high: object) -> pa.RecordBatch:
    column = batch[name]
    inside = pc.and_(
        pc.greater_equal(column, pa.scalar(low, column.type)),
        pc.less_equal(column, pa.scalar(high, column.type)),
    )
    return batch.filter(pc.fill_null(inside, fill_value=True))
