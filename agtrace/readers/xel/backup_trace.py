"""The texts of backup_restore_progress_trace, through the parser of the ERRORLOG's trace flags."""

from __future__ import annotations

import pyarrow as pa

from agtrace.readers.errorlog.messages import trace_messages
from agtrace.readers.errorlog.trace_text import TraceText
from agtrace.tables import LOCAL_TIME
from agtrace.tables import kernels as pc

EVENT = "backup_restore_progress_trace"


class BackupTrace:
    """Feeds batches of the event to `TraceText`; operations are kept apart by session or database."""

    def __init__(self) -> None:
        self._parser = TraceText()

    def feed(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Return the rows of ``messages`` from a batch; ``line`` is the event's ``_seq``."""
        # Events without a time cannot be ordered.
        batch = batch.filter(pc.is_valid(batch["_time"]))
        database = _text(batch, "database_name")
        operation = _operation(batch)
        # Without the session, concurrent operations are distinguished by operation and database.
        session = pc.binary_join_element_wise("spid", _text(batch, "action_session_id"), "")
        source = pc.coalesce(session, pc.binary_join_element_wise(operation, database, " "))
        rows = pa.RecordBatch.from_arrays(
            [
                batch["_seq"],
                # UTC, in the column for local times: the clock of this capture has offset 0.
                batch["_time"].cast(pa.int64()).cast(LOCAL_TIME),
                pc.fill_null(source, "backup"),
                pc.fill_null(_text(batch, "trace_message"), ""),
                operation,
                database,
            ],
            names=["line", "time_local", "source", "message", "operation", "database"],
        )
        return trace_messages(self._parser.feed(rows))

    def finish(self) -> pa.RecordBatch:
        """Return what was still open at the end of the file."""
        return trace_messages(self._parser.finish())


def _text(batch: pa.RecordBatch, name: str) -> pa.Array:
    if name not in batch.schema.names:
        return pa.nulls(batch.num_rows, pa.string())
    return batch[name].cast(pa.string())


def _operation(batch: pa.RecordBatch) -> pa.Array:
    """Return backup or restore: the map's text in newer builds, its key (0, 1) in any."""
    key = "operation_type__key" if "operation_type__key" in batch.schema.names else "operation_type"
    text = pc.utf8_lower(_text(batch, key))
    restores = pc.or_kleene(pc.equal(text, "1"), pc.equal(text, "restore"))
    return pc.if_else(pc.fill_null(restores, False), "restore", "backup")
