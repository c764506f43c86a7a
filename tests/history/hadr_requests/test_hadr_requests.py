"""Requests and tasks that wait for a replica or for redo."""

from __future__ import annotations

from simulation.formats import rowsets as make
from tests.history.outputs import relation

ALL = """
    select session_id, database, database_id, command, wait_type, wait_ms, runnable_tasks, pending_disk_io
    from hadr_requests order by line
"""


def test_of_all_requests_those_that_wait_for_a_replica(tmp_path):
    columns = (
        ("runtime", 30), ("session_id", -10), ("wait_type", 50), ("wait_duration_ms", -20),
        ("command", 32), ("database_id", -11),
    )  # fmt: skip
    moment = "2026-03-01T10:16:35.220"
    rows = [
        (moment, 71, "HADR_SYNC_COMMIT", 9, "COMMIT TRANSACTION", 5),
        (moment, 72, "PAGEIOLATCH_SH", 3, "SELECT", 5),
        (moment, 73, None, None, "SELECT", 5),
        (moment, 12, "HADR_WORK_QUEUE", 90000, "HADR_AR_MGR_NOTIF", 1),
    ]
    assert relation(tmp_path, ALL, perf__out=make.rowset("requests", columns, rows)) == [
        (71, None, 5, "COMMIT TRANSACTION", "HADR_SYNC_COMMIT", 9, None, None)
    ]
    query = "select count(distinct line) from rowsets where name = 'requests'"
    assert relation(tmp_path, query) == [(4,)]


def test_redo_tasks(tmp_path):
    columns = (
        ("runtime", 30), ("dbname", 32), ("command", 32), ("session_id", -10), ("database_id", -11),
        ("wait_type", 60), ("wait_time", -11), ("runnable_tasks_count", -20), ("pending_disk_io_count", -21),
    )  # fmt: skip
    row = ("2026-03-01T10:15:55.880", "Sales", "DB STARTUP", 31, 5, "PARALLEL_REDO_FLOW_CONTROL", 12, 0, 1)
    text = make.rowset("redo_tasks_perf_stats", columns, [row]).replace("--", " --", 1)
    assert relation(tmp_path, ALL, redo__out=text) == [
        (31, "Sales", 5, "DB STARTUP", "PARALLEL_REDO_FLOW_CONTROL", 12, 0, 1)
    ]
