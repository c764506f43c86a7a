"""The made-up outputs of a support folder: their values are those written in them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

import agtrace
from tests.shared import CAPTURES, needs_captures

FOLDER = CAPTURES / "support_folder" / "output"
pytestmark = needs_captures


@pytest.fixture(scope="module")
def case(tmp_path_factory):
    if not FOLDER.is_dir():
        pytest.skip("no support folder among the captures")
    store = tmp_path_factory.mktemp("store")
    with agtrace.open_case(FOLDER, store=store) as opened:
        yield opened


def rows(case, query):
    return case.sql(query).fetchall()


def at(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def test_every_file_that_holds_rowsets_is_understood_without_a_fault(case):
    query = "select path, host_id from captures where reader = 'query_results' and status = 'ingested'"
    found = {path.split("_")[2].partition(".")[0]: host for path, host in rows(case, query)}
    assert found == dict.fromkeys(
        ("AlwaysOnDiagScript", "MiscDiagInfo", "PerfStats", "PowerPlan", "RedoTasks",
         "SystemInfo"), "CONTOSO1",
    )  # fmt: skip
    query = "select * from issues join captures using (content_id) where reader = 'query_results'"
    assert rows(case, query) == []


def test_states_of_all_databases_of_both_outputs(case):
    query = """
        select path, count(*), count(distinct database), min(database), max(database)
        from database_states join captures using (capture_id) group by all order by 1
    """
    assert [row[1:] for row in rows(case, query)] == [
        (4, 2, "Sales000", "Sales001"),
        (80, 40, "Sales000", "Sales039"),
    ]
    query = """
        select distinct replica, is_local, synchronization_state, is_suspended, log_send_queue_kb,
               log_send_rate_kb_s, redo_queue_kb, redo_rate_kb_s, secondary_lag_s, time
        from database_states where database = 'Sales000' order by 1
    """
    look = at("2026-03-01T15:15:31.017")
    assert rows(case, query) == [
        ("CONTOSO1", True, "SYNCHRONIZED", False, None, None, None, None, None, look),
        ("CONTOSO2", False, "SYNCHRONIZED", False, 12, 18233, 40960, 20480, 2, look),
    ]


def test_replicas(case):
    query = """
        select distinct ag, replica, node, role, availability_mode, failover_mode, session_timeout_s,
               connected_state from replicas order by replica
    """
    assert rows(case, query) == [
        ("AG1", "CONTOSO1", "CONTOSO1", "PRIMARY", "SYNCHRONOUS_COMMIT", "AUTOMATIC", 10, "CONNECTED"),
        ("AG1", "CONTOSO2", "CONTOSO2", "SECONDARY", "SYNCHRONOUS_COMMIT", "AUTOMATIC", 10, "CONNECTED"),
    ]


def test_cluster(case):
    query = """
        select distinct scope, item, setting, if(setting = 'member_state', upper(value), value)
        from cluster_settings order by all
    """
    assert rows(case, query) == [
        ("cluster", "CONTOSOCLU", "quorum_state", "NORMAL_QUORUM"),
        ("cluster", "CONTOSOCLU", "quorum_type", "NODE_AND_FILE_SHARE_MAJORITY"),
        ("group", "AG1", "HealthCheckTimeout", "30000"),
        ("group", "AG1", "LeaseTimeout", "20000"),
        ("member", "CONTOSO1", "member_state", "UP"),
        ("member", "CONTOSO1", "quorum_votes", "1"),
        ("member", "CONTOSO2", "member_state", "UP"),
        ("member", "CONTOSO2", "quorum_votes", "1"),
    ]


def test_waits(case):
    query = """
        select wait_type, seconds, waiting_tasks, wait_ms, mean_wait_ms
        from waits where time = (select min(time) from waits) order by wait_type
    """
    assert rows(case, query) == [
        ("HADR_DATABASE_FLOW_CONTROL", 60.0, 3, 45, 15.0),
        ("HADR_LOGCAPTURE_SYNC", 60.0, 9, 900, 100.0),
        ("HADR_SYNC_COMMIT", 60.0, 6000, 54_000, 9.0),
        ("REDO_THREAD_PENDING_WORK", 60.0, 0, 1, None),
        ("WRITELOG", 60.0, 5900, 4720, 0.8),
    ]
    assert rows(case, "select count(*), max(time) from waits") == [(10, at("2026-03-01T15:18:35.22"))]


def test_redo_tasks(case):
    query = "select session_id, database, command, wait_type, wait_ms, pending_disk_io from hadr_requests"
    assert rows(case, query) == [
        (44, "Sales000", "PARALLEL REDO TASK", "PARALLEL_REDO_WORKER_WAIT_WORK", 3, 0),
        (31, "Sales000", "DB STARTUP", "PARALLEL_REDO_FLOW_CONTROL", 12, 1),
    ]


def test_what_the_server_says_of_itself(case):
    query = "select key, value from facts where topic = 'server_property' order by key"
    assert dict(rows(case, query)) == {
        "cpu_count": "16",
        "ComputerNamePhysicalNetBIOS": "CONTOSO1",
        "HadrManagerStatus": "1",
        "IsHadrEnabled": "1",
        "MachineName": "CONTOSO1",
        "physical_memory_kb": "268434956",
        "ProductVersion": "16.0.4085.2",
        "SQLServerName": "CONTOSO1",
        "sqlserver_start_time": "2026-02-28 22:09:58.113",
        "UTCOffset_in_Hours": "-5.00",
    }
    query = "select item from facts where topic = 'trace_flag' and key = 'global' and value = '1'"
    assert sorted(rows(case, query)) == [(3004,), (3212,), (3605,), (9567,)]
    query = """
        select n.value, v.value from facts n join facts v using (content_id, topic, item)
        where topic = 'configuration' and n.key = 'name' and v.key = 'value_in_use' order by 1
    """
    assert rows(case, query) == [("backup compression default", "1"), ("max worker threads", "960")]
    query = "select topic, key, value from facts where topic in ('power_plan', 'system_info') order by all"
    assert rows(case, query) == [
        ("power_plan", "active", "Balanced"),
        ("system_info", "Host Name", "CONTOSO1"),
        ("system_info", "OS Name", "Microsoft Windows Server 2022 Standard"),
        ("system_info", "Time Zone", "(UTC-05:00) Eastern Time (US & Canada)"),
    ]


def test_seedings_as_before(case):
    query = "select database, outcome from seedings where ag = 'AG1' order by database"
    assert rows(case, query) == [("Sales000", "completed"), ("Sales001", "failed")]


def test_names_behind_ids(case):
    query = "select distinct kind, name from ag_names where kind <> 'database' order by all"
    assert rows(case, query) == [
        ("group", "AG1"), ("replica", "CONTOSO1"), ("replica", "CONTOSO2")
    ]  # fmt: skip


def test_what_nobody_knows_is_kept(case):
    query = """
        select value from rowsets where name = 'AG_AlwaysOn_health_failovers' and "column" = 'DDLStatement'
    """
    assert set(rows(case, query)) == {("ALTER AVAILABILITY GROUP [AG1] FAILOVER",)}
