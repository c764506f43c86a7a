"""The data-movement events as views with the same columns, whatever a build or a session lacks."""

from __future__ import annotations

from agtrace.history.base import View

_COLUMNS: dict[str, tuple[str, tuple[str, ...]]] = {
    "id": ("UBIGINT", ("log_block_id",)),
    "counter_us": ("BIGINT", ("start_timestamp",)),
    "took_us": ("BIGINT", ("total_processing_time", "time_to_commit", "processing_time")),
    "mode": ("INTEGER", ("mode",)),
    "database_id": ("INTEGER", ("database_id",)),
    "db": ("VARCHAR", ("database_replica_id", "hadr_database_id", "ag_database_id")),
    "ag_id": ("VARCHAR", ("availability_group_id", "group_id")),
    "replica_id": ("VARCHAR", ("target_availability_replica_id", "availability_replica_id")),
    "local_id": ("VARCHAR", ("local_availability_replica_id",)),
    "sectors": ("BIGINT", ("log_block_size",)),
    "written_bytes": ("BIGINT", ("write_size",)),
    "compressed_bytes": ("BIGINT", ("compressed_size",)),
    "uncompressed_bytes": ("BIGINT", ("uncompressed_size",)),
    "wait_block": ("UBIGINT", ("wait_log_block",)),
    "database_name": ("VARCHAR", ("action_database_name", "database_name")),
}
"""Name and type here, and the fields that hold it, the first of them that an event has."""

MOST = 10**15
"""Microseconds of thirty years, or bytes of a petabyte: beyond it a number is damage, and sums of it
overflow.
"""

OFF_US = 60_000_000
"""A counter that puts an event further than this from the time that was written is damaged."""

_IDS = ("db", "ag_id", "replica_id", "local_id")
"""Identifiers, in lower case. Few of them are in millions of rows: an enumeration of them all holds each in a
byte.
"""

EVENTS = {
    "hadr_capture_log_block": "capture",
    "log_block_pushed_to_logpool": "pushed",
    "log_flush_start": "flush_start",
    "log_flush_complete": "flush_complete",
    "hadr_log_block_compression": "compression",
    "hadr_log_block_send_complete": "send",
    "hadr_receive_harden_lsn_message": "harden_received",
    "hadr_db_commit_mgr_harden": "commit",
    "hadr_transport_receive_log_block_message": "receive",
    "hadr_log_block_decompression": "decompression",
    "hadr_send_harden_lsn_message": "harden_sent",
    "hadr_lsn_send_complete": "lsn_send",
    "hadr_db_partner_set_sync_state": "sync_state",
}
"""Events that are read, and the name of each here."""

_ENDS_OF_SENDING = ("send", "lsn_send")
"""Their counter is that of the event itself; that of the others is where what they report began."""

NEEDED = ("hadr_capture_log_block", "hadr_transport_receive_log_block_message")
"""Either of them names the blocks of its host."""


def show_events(view: View) -> None:
    """Make ``scratch.block_<name>_written`` of each event, empty where no capture has it."""
    for event, name in EVENTS.items():
        fields = view.fields(event)
        listed = ", ".join(_field(column, fields) for column in _COLUMNS)
        if fields:
            body = f"""
                select _content_id as content_id, epoch_us(_time) as written_us, {listed}
                from "events_{event}" where _time is not null
            """
        else:
            body = f"select null::varchar as content_id, null::bigint as written_us, {listed} where false"
        view.run(f"create or replace view scratch.block_{name}_written as {body}")


def show_times(view: View) -> None:
    """Make ``scratch.block_<name>``: the same with its host ``h`` and its times, microseconds since 1970.

    ``at_us`` is when it was over, as the host's clock has it, ``began_us`` when what it reports began.
    `clocks.sql` comes before.
    """
    listed = " union all ".join(
        f"select distinct {column} as id from scratch.block_{name}_written"
        for name in EVENTS.values()
        for column in _IDS
    )
    view.run(f"""
        drop type if exists scratch.block_id cascade;
        create type scratch.block_id as enum (
            select distinct id from ({listed}) where id is not null order by id)
    """)
    ids = ", ".join(f"{column}::scratch.block_id as {column}" for column in _IDS)
    shift = "c.shift_us + try_cast(round(c.slope * (counter_us - c.middle_us)) as bigint)"
    for name in EVENTS.values():
        end = "counter_us" if name in _ENDS_OF_SENDING else "counter_us + coalesce(took_us, 0)"
        view.run(f"""
            create or replace view scratch.block_{name} as
            select c.h,
                   if(abs({end} + {shift} - written_us) < {OFF_US}, {end} + {shift}, written_us) as at_us,
                   at_us - coalesce(took_us, 0) as began_us,
                   w.* exclude (content_id, written_us, counter_us) replace ({ids})
            from scratch.block_{name}_written w join scratch.block_contents c using (content_id)
        """)


def _field(column: str, known: frozenset[str]) -> str:
    """Select a column: a cast of the first field that the event has, else NULL."""
    kind, fields = _COLUMNS[column]
    held = next((name for name in fields if name in known), None)
    if held is None:
        return f"null::{kind} as {column}"
    if column in _IDS:
        return f'lower("{held}"::varchar) as {column}'
    value = f'try_cast("{held}" as {kind})'
    if kind == "BIGINT":
        value = f"case when {value} between 0 and {MOST} then {value} end"
    return f"{value} as {column}"
