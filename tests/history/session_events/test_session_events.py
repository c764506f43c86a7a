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


def test_a_session_without_these_events_has_no_rows():
    made = case(events="A | 1 | wait_info | duration=1")
    assert made.rows("from long_waits") == made.rows("from processor_minutes") == []
