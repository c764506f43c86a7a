"""The captured seeding events, and each copy in them, in tables of fixed columns.

Builds differ in fields and types, and a session records only the events it names: missing values are NULL.
"""

from __future__ import annotations

from agtrace.history.base import View
from agtrace.store.sql_files import beside

_sql = beside(__file__)

AUTOMATIC = "hadr_automatic_seeding_"
PHYSICAL = "hadr_physical_seeding_"

_EVERY = {"_content_id": "varchar", "_seq": "bigint", "_time": "timestamptz"}
AUTOMATIC_FIELDS = _EVERY | {
    "is_source": "boolean",
    "operation_attempt_number": "integer",
    "operation_id": "varchar",
    "ag_id": "varchar",
    "ag_db_id": "varchar",
    "ag_remote_replica_id": "varchar",
    "previous_state": "varchar",
    "current_state": "varchar",
    "required_seeding": "boolean",
    "failure_state": "integer",
    "failure_state_desc": "varchar",
    "timeout_ms": "bigint",
}
PHYSICAL_FIELDS = _EVERY | {
    "database_id": "bigint",
    "retry_count": "bigint",
    "old_state": "varchar",
    "new_state": "varchar",
    "transferred_size_bytes": "bigint",
    "transfer_rate_bytes_per_second": "double",
    "database_size_bytes": "bigint",
    "seeding_start_time": "hugeint",
    "seeding_end_time": "hugeint",
    "total_disk_io_wait_time_ms": "bigint",
    "total_network_wait_time_ms": "bigint",
    "is_compression_enabled": "boolean",
    "failure_code": "bigint",
    "local_seeding_guid": "varchar",
    "remote_seeding_guid": "varchar",
    "database_name": "varchar",
    "role_desc": "varchar",
    "remote_machine_name": "varchar",
    "failure_message": "varchar",
    "internal_state_desc": "varchar",
}
NAMING_FIELDS = _EVERY | {
    "availability_group_id": "varchar",
    "availability_group_name": "varchar",
    "availability_replica_id": "varchar",
    "availability_replica_name": "varchar",
    "database_id": "bigint",
    "ag_database_id": "varchar",
    "group_id": "varchar",
}
"""Fields of other events that name the GUIDs in seeding events."""
NAMING_EVENTS = (
    "alwayson_ddl_executed",
    "availability_replica_automatic_failover_validation",
    "availability_replica_state",
    "availability_replica_state_change",
    "hadr_db_partner_set_sync_state",
)


def gather(view: View) -> None:
    """Make the temporary tables that the other modules of this step read, all of them.

    seeding_automatic, seeding_physical and seeding_naming hold events as they are (column ``event``
    is the name without its common prefix), seeding_reports and seeding_copies what events and looks
    at the DMV tell of each copy.
    """
    view.run(_sql("times.sql"))
    captured = sorted(name.removeprefix("events_") for name in view.events)
    tables = (
        ("seeding_automatic", AUTOMATIC, AUTOMATIC_FIELDS),
        ("seeding_physical", PHYSICAL, PHYSICAL_FIELDS),
    )
    for table, prefix, fields in tables:
        _make(view, table, fields)
        for event in (name for name in captured if name.startswith(prefix)):
            _fill(view, table, event, event.removeprefix(prefix), fields)
    _make(view, "seeding_naming", NAMING_FIELDS)
    for event in NAMING_EVENTS:
        if view.fields(event):
            _fill(view, "seeding_naming", event, event, NAMING_FIELDS)
    view.run(_sql("polls.sql"))
    view.run(_sql("physical.sql"))


def _make(view: View, table: str, fields: dict[str, str]) -> None:
    declared = ", ".join(f"{name} {kind}" for name, kind in fields.items())
    view.run(f"create or replace table scratch.{table} (event varchar, {declared})")


def _fill(view: View, table: str, event: str, short: str, fields: dict[str, str]) -> None:
    taken = [name for name in fields if name in view.fields(event)]
    selected = ", ".join(f"try_cast({name} as {fields[name]}) as {name}" for name in taken)
    quoted = event.replace('"', '""')
    view.run(
        f'insert into scratch.{table} by name select $event as event, {selected} from "events_{quoted}"',
        {"event": short},
    )
