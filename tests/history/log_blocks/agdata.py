"""The real capture of log blocks in the folder of captures, as the event tables of a case.

It is what `ExtractXEData.sql` made of Extended Events: one row per event, all events under the same
columns, times as datetime keeps them (1/300 s).
"""

from __future__ import annotations

from functools import cache

from tests.diagnostics.tiny import Case
from tests.shared import CAPTURES

FOLDER = CAPTURES / "agdata"
SIDES = {"PRIMARY": ("Node1", "PrimaryDMReplicaEvents"), "SECONDARY": ("Node3", "SecondaryDMReplicaEvents")}

OWN_NAMES = {
    "hadr_log_block_send_complete": {"processing_time": "total_processing_time"},
    "hadr_lsn_send_complete": {"processing_time": "total_processing_time"},
    "hadr_db_commit_mgr_harden": {
        "processing_time": "time_to_commit",
        "database_replica_id": "ag_database_id",
        "local_availability_replica_id": "replica_id",
    },
    "hadr_send_harden_lsn_message": {
        "database_replica_id": "hadr_database_id",
        "target_availability_replica_id": "availability_replica_id",
    },
    "hadr_capture_log_block": {"target_availability_replica_id": "availability_replica_id"},
}
"""What the server calls the columns of an event that were renamed."""

COLUMNS = (
    "log_block_id", "database_id", "start_timestamp", "processing_time", "log_block_size", "mode",
    "target_availability_replica_id", "local_availability_replica_id", "database_replica_id",
)  # fmt: skip


@cache
def case(*sides: str) -> Case:
    """Make a case of one side or both (both where none is named)."""
    made = Case()
    wanted = sides or tuple(SIDES)
    parts = " union all by name ".join(
        f"select *, 'xel-{side}' as _content_id from read_csv('{FOLDER}/AGLatency_{SIDES[side][1]}.csv.gz', "
        f"all_varchar = true)"
        for side in wanted
    )
    made.run(f"create table scratch.flat as {parts}")
    for (event,) in made.connection.sql("select distinct event_name from scratch.flat").fetchall():
        own = OWN_NAMES.get(event, {})
        fields = ", ".join(_field(name, own.get(name, name)) for name in COLUMNS)
        made.events.add(f"events_{event}")
        made.run(
            f"""create table "events_{event}" as
            select _content_id, row_number() over () as _seq, publish_timestamp::timestamp::timestamptz as _time, {fields}
            from scratch.flat where event_name = '{event}'"""  # noqa: E501
        )
    made.insert(
        "captures",
        [
            {"capture_id": f"xel-{side}", "content_id": f"xel-{side}", "path": f"{side}.xel",
             "host_id": SIDES[side][0].upper(), "reader": "xel", "status": "ingested"}
            for side in wanted
        ],
    )  # fmt: skip
    return made


def _field(name: str, own: str) -> str:
    if name.endswith("_replica_id"):
        return f"lower({name}) as {own}"
    return f"{name}::{'usmallint' if name == 'mode' else 'ubigint'} as {own}"
