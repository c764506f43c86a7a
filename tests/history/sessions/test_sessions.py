"""Long transactions, the version store, and who blocks redo, as support outputs show them."""

from __future__ import annotations

from simulation.formats import rowsets as make
from tests.history.outputs import relation
from tests.readers.query_results.small import MISC

MOMENT = "2026-03-01T10:16:35.220"
REQUESTS = (
    ("runtime", 30), ("session_id", -10), ("blocking_session_id", -19), ("wait_type", 50),
    ("wait_duration_ms", -20), ("transaction_isolation_level", 30), ("is_user_process", -15),
    ("transaction_begin_time", 30), ("command", 32), ("database_id", -11), ("host_name", 20),
    ("program_name", 50), ("login_name", 30),
)  # fmt: skip
REDO = (MOMENT, 31, 88, "LCK_M_SCH_M", 45000, None, 0, None, "DB STARTUP", 5, None, None, None)
READER = (
    MOMENT, 88, 0, None, 0, "2-Read Committed", 1, "2026-03-01T09:16:35.220", "SELECT", 5,
    "REPORTS1", "Report server", r"DOM\reports",
)  # fmt: skip
STATEMENTS = (("runtime", 30), ("session_id", -10), ("dbname", 40), ("stmt_text", 300))
STATEMENT = (MOMENT, 88, "Sales", "SELECT * FROM dbo.Orders")
TASKS = (
    ("runtime", 30), ("dbname", 32), ("command", 32), ("session_id", -10), ("database_id", -11),
    ("wait_type", 60), ("wait_time", -11), ("runnable_tasks_count", -20), ("pending_disk_io_count", -21),
)  # fmt: skip
TASK = ("2026-03-01T10:15:55.880", "Sales", "DB STARTUP", 31, 5, "PARALLEL_REDO_FLOW_CONTROL", 12, 0, 1)
VERSIONS = (
    ("runtime", 23), ("transaction_id", -20), ("elapsed_time_seconds", -20), ("is_snapshot", -11),
    ("session_id", -10), ("statement_text", 80),
)  # fmt: skip

BLOCKED = """
    select redo_session_id, "database", wait_type, wait_ms, session_id, seconds, client, program, login,
           statement
    from blocked_redo order by line
"""
LONG = """
    select session_id, seconds, is_snapshot, client, program, login, statement
    from long_transactions order by line
"""


def test_who_blocks_redo_is_told_from_all_rowsets_of_the_look(tmp_path):
    perf = make.rowset("requests", REQUESTS, [REDO, READER])
    perf += make.rowset("notableactivequeries", STATEMENTS, [STATEMENT])
    tasks = make.rowset("redo_tasks_perf_stats", TASKS, [TASK])
    outputs = {
        "SQL2_20260301T1015347781_PerfStats__out": perf,
        "SQL2_20260301T1015347781_RedoTasks_PerfStats__out": tasks,
    }
    assert relation(tmp_path, BLOCKED, **outputs) == [
        (31, "Sales", "LCK_M_SCH_M", 45000, 88, 3600, "REPORTS1", "Report server", r"DOM\reports",
         "SELECT * FROM dbo.Orders")
    ]  # fmt: skip


def test_redo_that_waits_for_no_session_is_not_blocked(tmp_path):
    free = (*REDO[:2], 0, *REDO[3:])
    for_work = (*REDO[:3], "PARALLEL_REDO_WORKER_WAIT_WORK", *REDO[4:])
    text = make.rowset("requests", REQUESTS, [free, for_work])
    assert relation(tmp_path, BLOCKED, perf__out=text) == []


def test_without_what_names_it_the_blocker_is_a_number(tmp_path):
    text = make.rowset("System Requests", REQUESTS, [REDO])
    assert relation(tmp_path, BLOCKED, perf__out=text) == [
        (31, None, "LCK_M_SCH_M", 45000, 88, None, None, None, None, None)
    ]


def test_a_transaction_open_for_a_minute_is_long(tmp_path):
    begun = [
        (*READER[:1], session, *READER[2:7], begin, *READER[8:])
        for session, begin in ((61, "2026-03-01T10:15:35.220"), (62, "2026-03-01T10:15:36.220"), (63, None))
    ]
    system = (*REDO[:7], "2026-03-01T09:00:00.000", *REDO[8:])
    text = make.rowset("requests", REQUESTS, [*begun, system])
    assert [row[:3] for row in relation(tmp_path, LONG, perf__out=text)] == [(61, 60, False)]


def test_transactions_that_hold_row_versions(tmp_path):
    row = ("2026-03-01 10:16:35.220", 77, 7200, 1, 88, "SELECT * FROM dbo.Orders")
    text = make.rowset("version store transactions", VERSIONS, [row])
    assert relation(tmp_path, LONG, tran__out=text) == [
        (88, 7200, True, None, None, None, "SELECT * FROM dbo.Orders")
    ]


def test_the_version_store_and_what_is_free_of_tempdb(tmp_path):
    columns = (("runtime", 23), ("dbname", 6), ("version_store_kb", -20), ("freespace_kb", -20))
    text = make.rowset(
        "sys.dm_db_file_space_usage", columns, [("2026-03-01 10:16:10.220", "tempdb", 204800, 8388608)]
    )
    query = "select size_kb, free_kb, time_local::varchar from version_stores"
    assert relation(tmp_path, query, tran__out=text) == [(204800, 8388608, "2026-03-01 10:16:10.22")]


def test_numbers_that_no_clock_can_show_are_damage(tmp_path):
    huge = 9_000_000_000_000_000_000
    row = ("2026-03-01 10:16:35.220", 77, huge, 1, 88, "SELECT 1")
    blocked = (*REDO[:4], huge, *REDO[5:])
    text = make.rowset("version store transactions", VERSIONS, [row])
    assert relation(tmp_path / "long", LONG, tran__out=text) == []
    ((_redo, _database, _type, ms, *_rest),) = relation(
        tmp_path / "blocked", BLOCKED, perf__out=make.rowset("requests", REQUESTS, [blocked])
    )
    assert ms is None


def test_a_case_without_such_outputs_has_no_rows(tmp_path):
    query = "select (from blocked_redo select count(*)), (from long_transactions select count(*))"
    assert relation(tmp_path, query, note__txt="nothing") == [(0, 0)]


UNTIMED = {
    "requests__csv": "session_id,command,blocking_session_id,wait_time,wait_type,wait_resource\n"
    "31,DB STARTUP,76,2533120,LCK_M_SCH_M,OBJECT: 9:437576597:0\n",
    "SRV1_misc__out": MISC,
    "who__csv": "session_id,login_name,host_name,program_name,text\n76,rpt,RPT01,Reports,SELECT 1\n",
}


def test_grids_without_a_time_tell_the_blocker_together(tmp_path):
    assert relation(tmp_path, BLOCKED, **UNTIMED) == [
        (31, None, "LCK_M_SCH_M", 2533120, 76, None, "RPT01", "Reports", "rpt", "SELECT 1")
    ]


def test_the_resource_of_a_lock_tells_the_database(tmp_path):
    assert relation(tmp_path, "select database_id from blocked_redo", **UNTIMED) == [(9,)]


def test_two_clients_of_one_session_number_without_a_time_are_neither(tmp_path):
    other = "session_id,login_name,host_name,program_name,text\n76,app,APP02,Shop,SELECT 2\n"
    (row,) = relation(tmp_path, BLOCKED, **UNTIMED, other__csv=other)
    assert row[6:] == (None, None, None, None)


def test_the_version_store_may_be_told_in_pages(tmp_path):
    names = "runtime,version_store_reserved_page_count,unallocated_extent_page_count"
    text = f"{names}\n2026-03-01 10:00:00,100,50\n"
    query = "select size_kb, free_kb from version_stores"
    assert relation(tmp_path, query, space__csv=text) == [(800, 400)]
