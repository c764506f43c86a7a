"""Topics of the facts of the seeding DMVs: their columns, under the DMVs' own names."""

from __future__ import annotations

from agtrace.readers.query_results.seeding.columns import AUTOMATIC, COLUMNS, PHYSICAL, unit_of
from agtrace.tables.topics import Topic, Value, facts

_MEANINGS = {
    "start_time": "start, without a time zone",
    "completion_time": "end; no zone is stated",
    "ag_id": "id of the availability group",
    "ag_db_id": "id of the database in the group",
    "ag_remote_replica_id": "id of the other replica",
    "operation_id": "id of the operation",
    "is_source": "1 on the source, 0 on the target",
    "current_state": "state: SEEDING, COMPLETED, FAILED, ...",
    "performed_seeding": "1 where data was copied",
    "failure_state": "code of the failure",
    "failure_state_desc": "failure in words",
    "error_code": "SQL Server's error number",
    "number_of_attempts": "attempts so far",
    "local_physical_seeding_id": "id of the copy on this end",
    "remote_physical_seeding_id": "id of the copy on the other end",
    "local_database_id": "database id on this end",
    "local_database_name": "database on this end",
    "remote_machine_name": "machine at the other end",
    "role_desc": "Source or Destination",
    "internal_state_desc": "state of the copy",
    "transfer_rate_bytes_per_second": "rate as the DMV states it",
    "transferred_size_bytes": "bytes copied so far",
    "database_size_bytes": "bytes to copy",
    "start_time_utc": "start, UTC",
    "end_time_utc": "end, UTC",
    "estimate_time_complete_utc": "estimated end, UTC",
    "total_disk_io_wait_time_ms": "time waited for disks, all threads",
    "total_network_wait_time_ms": "time waited for the network, all threads",
    "failure_code": "code of the failure",
    "failure_message": "failure in words",
    "failure_time_utc": "time of the failure, UTC",
    "is_compression_enabled": "1 where trace flag 9567 compresses the stream",
}

_ADDED = (
    Value("sampled", "when the row was taken, local time or no zone stated"),
    Value("sampled_utc", "when the row was taken, UTC"),
    Value("server_name", "server that was asked"),
    Value("*_bytes_per_second", "any other column of the export that ends so", "B/s"),
    Value("*_bytes", "any other column of the export that ends so", "B"),
    Value("*_ms", "any other column of the export that ends so", "ms"),
    Value("*_kb", "any other column of the export that ends so", "KB"),
    Value("*_mb", "any other column of the export that ends so", "MB"),
    Value("*", "any other column of the export, under its own name in lower case"),
)


def _topic(dmv: str) -> Topic:
    columns = (Value(name, _MEANINGS[name], unit_of(name) or "") for name in COLUMNS[dmv])
    return facts(dmv, f"row of sys.{dmv}", *columns, *_ADDED)


TOPICS = (_topic(AUTOMATIC), _topic(PHYSICAL))
