"""Every backup and restore of a case, put together set-wise in SQL."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pyarrow as pa
import pyarrow.compute as pc

from agtrace.diagnostics.base import View

SCRIPTS = (
    "lines.sql",
    "traces.sql",
    "outcomes.sql",
    "operations.sql",
    "stages.sql",
    "context.sql",
)
EVENT = "events_backup_restore_progress_trace"


def load(view: View, sql: Callable[[str], str]) -> pa.Table:
    """Make the temporary table ``backup_operations`` and give its rows in order of time.

    Parameters
    ----------
    view
        The opened case.
    sql
        Gives the text of an SQL file by name.

    Returns
    -------
    pyarrow.Table
        One row per operation, see context.sql; times with ``_local`` are the server's local time,
        the others UTC and NULL where its clock is not known. MB/s are of 2^20 bytes, as SQL Server
        counts them.
    """
    view.run(sql("event_messages.sql"))
    columns = view.table(
        "select column_name from information_schema.columns where table_name = $name",
        {"name": EVENT},
    )["column_name"].to_pylist()
    if columns:
        _read_events(view, sql("events.sql"), columns)
    for script in SCRIPTS:
        view.run(sql(script))
    return view.table("select * from backup_operations order by operation_id")


def _read_events(view: View, query: str, columns: list[str]) -> None:
    """Parse the texts of the event as those of a log: one parser serves both."""
    from agtrace.readers.errorlog.trace_text import TraceText

    session = next((c for c in ("action_session_id", "session_id") if c in columns), None)
    query = query.replace("{session}", f"e.{session}" if session else "null")
    table = view.table(query).combine_chunks()
    contents = pc.unique(table["content_id"]).to_pylist()
    connection = cast(Any, view).connection
    for content in contents:
        rows = table.filter(pc.equal(table["content_id"], content)).combine_chunks()
        parser = TraceText()
        found = [parser.feed(batch) for batch in rows.to_batches()]
        parsed = pa.Table.from_batches([*found, parser.finish()])
        count = len(parsed)
        connection.register(
            "parsed_events",
            parsed.append_column("content_id", pa.array([content] * count, pa.string())),
        )
        connection.register("event_times", rows.select(["line", "time", "host_id"]))
        connection.execute(
            "insert into backup_event_messages by name "
            "select p.*, t.time, t.host_id from parsed_events p join event_times t using (line)"
        )
        connection.unregister("parsed_events")
        connection.unregister("event_times")
