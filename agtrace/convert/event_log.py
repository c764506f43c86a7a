"""Convert Windows event logs: .evtx, and lists and tables exported from them."""

from __future__ import annotations

import pyarrow as pa

from agtrace.convert.base import Reading
from agtrace.convert.entries import EntriesConversion
from agtrace.readers.event_log.binary import MAGIC
from agtrace.tables import LOCAL_TIME, OS_EVENTS, UTC_TIME, column

_AT = OS_EVENTS.get_field_index("time_local")
EVENT = OS_EVENTS.insert(
    _AT, column("time", UTC_TIME, "UTC, as an .evtx has it; NULL where a list has local time")
)


def with_time(batch: pa.RecordBatch, *, is_utc: bool) -> pa.RecordBatch:
    """Add ``time`` in UTC and ``time_local`` to events; the one that the log lacks is NULL.

    A reader returns times as in the log, which are UTC in an .evtx; a case resolves them.
    """
    written, unknown = batch["time_local"], pa.nulls(batch.num_rows)
    known = {
        "time": (written if is_utc else unknown).cast(UTC_TIME),
        "time_local": (unknown if is_utc else written).cast(LOCAL_TIME),
    }
    columns = [known[name] if name in known else batch[name] for name in EVENT.names]
    return pa.RecordBatch.from_arrays(columns, schema=EVENT)


def is_utc(reading: Reading) -> bool:
    """Return whether a log has its times in UTC."""
    return reading.source.head().startswith(MAGIC)


class EventLogConversion(EntriesConversion):
    """Writes captures that have ``os_events``, with ``time`` beside ``time_local``."""

    @property
    def schema(self) -> pa.Schema:
        """The columns of what is written."""
        return EVENT

    def with_texts(self, batch: pa.RecordBatch, reading: Reading) -> pa.RecordBatch:
        """Return events with both times."""
        return with_time(batch, is_utc=is_utc(reading))


CONVERSION = EventLogConversion("a Windows event log", frozenset({"event_log"}), "os_events", "time_local")
