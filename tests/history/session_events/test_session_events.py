"""What system_health keeps of processors and waits is told with its server."""

from __future__ import annotations

from datetime import timedelta

from tests.diagnostics.tiny import START, case

MINUTE = (
    "A | 60 | scheduler_monitor_system_health_ring_buffer_recorded | system_idle={}; process_utilization=9"
)
WAIT = "A | 5 | wait_info | wait_type=THREADPOOL; duration=1500"


def test_what_is_not_idle_is_busy():
    (row,) = case(events=MINUTE.format(25)).rows(
        "select host_id, time, machine_percent, sql_percent from processor_minutes"
    )
    at = (START + timedelta(minutes=1)).timetuple()
    assert (row["host_id"], row["time"].timetuple()[:6], row["machine_percent"], row["sql_percent"]) == (
        "A",
        at[:6],
        75,
        9,
    )


def test_a_wait_is_told_in_ms():
    (row,) = case(events=WAIT).rows("select host_id, wait_type, ms, seq from long_waits")
    assert row == {"host_id": "A", "wait_type": "THREADPOOL", "ms": 1500.0, "seq": 0}


GATES = """
A | 1 | hadr_transport_flow_control_action | control_action=Set; target_availability_replica_id=R2
A | 2 | hadr_transport_flow_control_action | control_action=Clear; target_availability_replica_id=R2
B | 3 | hadr_database_flow_control_action | control_action=Set; database_replica_id=D1
"""


def test_gates_of_replicas_and_of_databases_close_and_open():
    rows = case(events=GATES).rows("select host_id, gate, gate_id, is_closed from flow_control order by time")
    assert [tuple(row.values()) for row in rows] == [
        ("A", "send gate", "r2", True),
        ("A", "send gate", "r2", False),
        ("B", "database gate", "d1", True),
    ]


def test_a_session_that_kept_gates_of_replicas_alone_has_these():
    rows = case(events=GATES.partition("B |")[0]).rows("select gate from flow_control")
    assert [row["gate"] for row in rows] == ["send gate"] * 2


def test_a_commit_waited_for_so_many_ms():
    made = case(events="A | 1 | hadr_db_commit_mgr_harden | ag_database_id=D1; time_to_commit=2500")
    assert made.rows("select host_id, group_database_id, ms from commit_waits") == [
        {"host_id": "A", "group_database_id": "d1", "ms": 2.5}
    ]


def test_redo_waited_for_a_lock_of_an_object():
    made = case(events="A | 1 | lock_redo_blocked | database_name=Sales; object_id=77")
    assert made.rows('select "database", object_id from redo_locks') == [
        {"database": "Sales", "object_id": 77}
    ]


def test_a_trace_is_its_text():
    made = case(events="A | 1 | hadr_trace_message | hadr_message=Reverting [Sales]")
    assert made.rows("select host_id, text from hadr_traces") == [
        {"host_id": "A", "text": "Reverting [Sales]"}
    ]


def test_a_session_without_these_events_has_no_rows():
    made = case(events="A | 1 | wait_info | duration=1")
    assert made.rows("from long_waits") == made.rows("from processor_minutes") == []
