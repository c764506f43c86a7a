"""A case of two hosts, of which every relation tells something of B; the clock of B may be ahead."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from tests.diagnostics.seeding.cases import copy, request
from tests.diagnostics.tiny import START, Case, case

ROWS, EVERY = 400, 5.0
RED = r"\SQLServer:Database Replica(Sales)"
PERFMON = rf"""
A | \SQLServer:Databases(Sales)\Log Bytes Flushed/sec | 1000000
A | \SQLServer:Availability Replica(AG:B)\Bytes Sent to Replica/sec | 1000000
B | {RED}\Log Bytes Received/sec | 1000000
B | {RED}\Log Send Queue | 100
B | {RED}\Recovery Queue | 100
B | \SQLServer:Availability Replica(AG:A)\Bytes Received from Replica/sec | 1000000
B | \SQLServer:Transactions\Version Store Size (KB) | 1000..2000
B | \SQLServer:Databases(Sales)\Log File(s) Used Size (KB) | 1000..5000
"""
STATE = "{} | {} | replica_state | 19406 | ag=AG; old_state={}; new_state={}"
P, S, R = "PRIMARY_NORMAL", "SECONDARY_NORMAL", "RESOLVING_NORMAL"
MESSAGES = "\n".join(
    [
        STATE.format("A", 0, "PRIMARY_PENDING", P),
        STATE.format("B", 1, R, S),
        STATE.format("A", 2101, P, R),
        STATE.format("B", 2102, S, R),
        STATE.format("B", 2104, "PRIMARY_PENDING", P),
        *(
            f"{host} | {at} | connection | 35202 | ag=AG; from_replica={host}; replica={other}; "
            "event=established"
            for at in (20, 40, 60)
            for host, other in (("A", "B"), ("B", "A"))
        ),
        "B | 2103 | role_change | 1480 | database=Sales; old_role=RESOLVING; new_role=PRIMARY",
        "B | 2110 | recovery | 3421 | database=Sales; event=completed; seconds=5",
        "B | 2200 | database_fault | 9002 | event=log_full; database=Sales; reason=LOG_BACKUP",
        "B | 2300 | option_changed | 15457 | option=max server memory (MB); old_value=8192; new_value=4096",
        "B | 2400 | backup | 18264 | kind=full; database=Sales; pages=1000; devices=1; device_type=DISK; "
        r"device_names=E:\a.bak",
        "B | 2400.1 | backup_rate | 3014 | operation=backup; statement=BACKUP DATABASE; pages=1000; "
        "seconds=10; mb_per_s=0.8",
        r"B | 2350 | zeroing | | event=started; path=E:\s.mdf; bytes=1048576",
        r"B | 2360 | zeroing | | event=completed; path=E:\s.mdf",
        "B | 3000 | ready | 17126 | event=ready",
    ]
)  # fmt: skip
FACTS = """
B | startup | 0 | product_version | 15.0.1 | 2990
B | startup | 0 | startup_parameter | -dmaster.mdf | 2990
B | startup_flag | 0 | 1800 | startup | 2990
B | trace_flag | 0 | 3226 | on | 3100
B | server_property | 0 | ProductVersion | 15.0.1 | 3200
B | ping | 0 | target_host | A | 3200
B | ping | 0 | rtt_avg_ms | 1 | 3200
B | read_only_route | 0 | ag | AG | 3200
B | read_only_route | 0 | replica | B | 3200
B | errorlog_gap | 0 | from | x | 2500
B | errorlog_gap | 0 | to | x | 2600
B | sqlquerystress | 0 | threads | 4 | 3200
B | sqlquerystress | 0 | iterations | 10 | 3200
B | sqlquerystress | 0 | elapsed_seconds | 20 | 3200
"""
MINUTE = "scheduler_monitor_system_health_ring_buffer_recorded"
WAY = "0 PENDING, 0.1 CHECK_IF_SEEDING_NEEDED, 20 SEEDING, 121 CATCHUP, 130 COMPLETED"
EVENTS = "\n".join(
    [
        *(
            f"{host} | {at} | {MINUTE} | system_idle=2; process_utilization=90; memory_utilization=100"
            for host, ats in (("A", (0, 60, 120, 180, 240, 300, 360)), ("B", (0, 60, 120, 300, 360)))
            for at in ats
        ),
        "B | 300 | availability_group_lease_expired | availability_group_name=AG; state=LeaseExpired; "
        "current_time=9000000; new_timeout=8880000",
        "B | 400 | wait_info | wait_type=THREADPOOL; duration=1500",
        "B | 400 | component_health_result | component=system; state_desc=error; failure_condition_level=3; "
        'data=<system systemCpuUtilization="97" />',
        "B | 400 | hadr_db_commit_mgr_harden | ag_database_id=D1; time_to_commit=2500",
        "B | 400 | hadr_transport_flow_control_action | control_action=Set; "
        "target_availability_replica_id=R2",
        "B | 400 | lock_redo_blocked | database_name=Sales; object_id=77",
        "B | 400 | hadr_trace_message | hadr_message=Reverting [Sales]",
        "B | 400 | alwayson_ddl_executed | availability_group_name=AG; ddl_phase=commit; statement=ALTER "
        "AVAILABILITY GROUP [AG] MODIFY REPLICA ON N'B' WITH (FAILOVER_MODE = MANUAL)",
        request("A", "source", WAY, success=True).strip(),
        copy("A", "source", 20.5, 120.5, remote="B").strip(),
        request("B", "target", WAY, remote="r1", success=True).strip(),
        copy("B", "target", 20.6, 120.8, guids="b a", remote="A").strip(),
    ]
)  # fmt: skip

ID = "00000000-0000-0000-0000-00000000000{}"
ROWSETS: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("groups", ("name", "group_id", "primary_replica", "failure_condition_level", "health_check_timeout"),
     ("AG", ID.format(1), "A", "3", "30000")),
    ("replicas", ("group_name", "replica_server_name", "replica_id", "role_desc", "endpoint_url",
                  "availability_mode_desc", "connected_state_desc", "secondary_role_allow_connections_desc"),
     ("AG", "B", ID.format(2), "SECONDARY", "TCP://B:5022", "SYNCHRONOUS_COMMIT", "CONNECTED", "ALL")),
    ("states", ("ag_name", "database_name", "replica_server_name", "is_local", "synchronization_state_desc",
                "log_send_queue_size", "is_suspended"),
     ("AG", "Sales", "B", "1", "SYNCHRONIZED", "0", "0")),
    ("listeners", ("ag_name", "dns_name", "port"), ("AG", "L", "1433")),
    ("cluster", ("cluster_name", "quorum_type_desc"), ("C", "NODE_MAJORITY")),
    ("members", ("member_name", "number_of_quorum_votes", "member_state_desc"), ("B", "1", "UP")),
    ("databases", ("name", "database_id", "recovery_model_desc", "log_reuse_wait_desc"),
     ("Sales", "5", "FULL", "AVAILABILITY_REPLICA")),
    ("requests", ("session_id", "wait_type", "command", "database_id", "wait_time", "blocking_session_id"),
     ("30", "LCK_M_S", "PARALLEL REDO TASK", "5", "1000", "60")),
    ("redo", ("runtime", "dbname", "command", "session_id", "wait_type", "wait_time"),
     ("x", "Sales", "DB STARTUP", "30", "REDO_THREAD_PENDING_WORK", "1000")),
    ("snapshots", ("session_id", "elapsed_time_seconds", "is_snapshot", "transaction_sequence_num"),
     ("60", "600", "1", "9")),
    ("tempdb", ("version_store_kb", "freespace_kb"), ("100", "1000")),
    ("statistics", ("database_name", "schema_name", "object_name", "statistics_name", "modification_counter"),
     ("Sales", "dbo", "t", "x_readonly_database_statistic", "1")),
    ("unknown", ("something", "else"), ("1", "2")),
)  # fmt: skip
SERIES: tuple[tuple[str, tuple[str, ...], tuple[tuple[str, ...], ...]], ...] = (
    ("waits", ("wait_type", "waiting_tasks_count", "wait_time_ms"),
     (("HADR_SYNC_COMMIT", "10", "100"), ("HADR_SYNC_COMMIT", "30", "500"))),
    ("files", ("runtime", "database", "dbid", "fileid", "numberreads", "numberwrites", "bytesread",
               "byteswritten", "iostallreadms", "iostallwritems"),
     (("x", "Sales", "5", "1", *"111111"), ("x", "Sales", "5", "1", *"999999"))),
)  # fmt: skip
"""Rowsets of two snapshots, a minute apart."""


def two_hosts(ahead_s: float) -> Case:
    """Return the case with the clock of B so many seconds ahead of A's."""
    made = case(PERFMON, MESSAGES, FACTS, EVENTS, rows=ROWS, every=EVERY, skew=(("A", "B", -1000 * ahead_s),))
    _add_captures(made)
    _add_rowsets(made)
    _add_logs(made)
    for table in ("ticks", "samples"):
        made.run(f"delete from {table} where content_id = 'perfmon-B' and tick between 200 and 215")
    # The clocks were compared before that of B was set.
    made.run("delete from skew where method <> 'test'")
    _set_ahead(made, ahead_s)
    return made


def _at(seconds: float) -> dict[str, datetime]:
    local = START + timedelta(seconds=seconds)
    return {"time_local": local, "time": local.replace(tzinfo=UTC)}


def _add_captures(made: Case) -> None:
    first, last = _at(0), _at(3000)
    times = {"first_time": first["time"], "last_time": last["time"]}
    times |= {"first_local": first["time_local"], "last_local": last["time_local"]}
    own = [
        {"capture_id": f"errorlog-{host}", "content_id": f"errorlog-{host}", "path": f"{host}/ERRORLOG",
         "kind": "SQL Server ERRORLOG", "host_id": host, "reader": "errorlog", "status": "ingested", **times}
        for host in "AB"
    ]  # fmt: skip
    own += [
        {"capture_id": name, "content_id": name, "path": name, "kind": "text", "host_id": "B",
         "reader": "text", "status": "ingested"}
        for name in ("look-B", "cluster-B", "events-B")
    ]  # fmt: skip
    made.insert("captures", own)
    made.insert(
        "contents",
        [{name: row[name] for name in ("content_id", "capture_id", "host_id", "path")} for row in own[-2:]],
    )


def _add_rowsets(made: Case) -> None:
    heads: list[dict[str, Any]] = []
    rows: list[dict[str, Any]] = []
    shown = [(name, columns, (cells,)) for name, columns, cells in ROWSETS]
    for number, (name, columns, snapshots) in enumerate((*shown, *SERIES)):
        about = {"capture_id": "look-B", "content_id": "look-B", "rowset": number, "host_id": "B"}
        heads.append(about | _at(600) | {"name": name, "line": 10 * number, "columns": list(columns)})
        for place, cells in enumerate(snapshots):
            row = {"row": place, "line": 10 * number + place + 1, "cells": list(cells)}
            rows.append(about | _at(600 + 60 * place) | row)
    made.insert("rowset_heads", heads)
    made.insert("rowset_rows", rows)


def _add_logs(made: Case) -> None:
    entries = [
        (1, 500, "x"),
        (2, 400, "x"),
        (3, 2990, "The NETBIOS name of the local node that is running the server is 'B'."),
    ]
    own = [
        {"content_id": "errorlog-B", "line": line, **_at(at), "source": "Server", "message": text}
        for line, at, text in entries
    ]
    made.insert("errorlog", [row | {"host_id": "B"} for row in own])
    made.insert("raw_errorlog", [{name: row[name] for name in row if name != "time"} for row in own])
    made.insert(
        "raw_facts",
        [{"content_id": "cluster-B", "topic": "cluster_log", "item": 0, "key": "written_in", "value": "utc"}],
    )
    made.insert(
        "raw_cluster_log",
        [{"content_id": "cluster-B", "line": 1, "time_written": _at(700)["time_local"],
          "time_local": _at(700)["time_local"], "level": "INFO", "text": "lost quorum (status = 5925)"}],
    )  # fmt: skip
    made.insert(
        "raw_os_events",
        [{"content_id": "events-B", "line": 1, "time_local": _at(800)["time_local"], "log": "System",
          "level": "Error", "source": "disk", "event_id": 153, "message": "retried"}],
    )  # fmt: skip
    made.insert(
        "clocks",
        [{"capture_id": "events-B", "content_id": "events-B", "tick_from": 0, "local_from": datetime(1, 1, 2),
          "local_to": datetime(9999, 1, 1), "offset_minutes": 0, "source": "test"}],
    )  # fmt: skip
    made.filled |= {"errorlog", "cluster_log", "os_events", "rowset_heads", "rowset_rows"}


TABLES = (
    "captures", "ticks", "samples", "errorlog", "messages", "facts", "rowset_heads", "rowset_rows",
    "raw_ticks", "raw_errorlog", "raw_messages", "raw_facts", "raw_cluster_log", "raw_os_events",
)  # fmt: skip
MOMENTS = ("time", "time_local", "time_written", "first_time", "last_time", "first_local", "last_local")
FILETIMES = ("_ticks", "seeding_start_time", "seeding_end_time")


def _set_ahead(made: Case, ahead_s: float) -> None:
    """Move every capture of B to a clock that is ahead."""
    for table in (*TABLES, *sorted(made.events)):
        key = "_content_id" if table in made.events else "content_id"
        names = made.table(f'select * from "{table}" limit 0').schema.names
        later = [
            f"{name} = {name} + interval '{ahead_s} seconds'" for name in (*MOMENTS, "_time") if name in names
        ]
        later += [
            f"{name} = if({name} = 0, 0, {name} + {round(ahead_s * 1e7)})"
            for name in FILETIMES
            if name in names
        ]
        if later:
            made.run(f"""update "{table}" set {", ".join(later)} where {key} like '%-B'""")
