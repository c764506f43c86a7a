"""HammerDB: the log, the console, the transaction counter, the time profile, the job report."""

from __future__ import annotations

import json
from datetime import datetime

import pytest

from agtrace.errors import CaptureError
from agtrace.readers import detect
from agtrace.readers.hammerdb import READER
from agtrace.readers.hammerdb.moments import offset_minutes
from agtrace.testing import (
    check_flips,
    check_read_twice,
    check_text_reader,
    facts_of,
    is_detected,
    issue_kinds,
    read_all,
)
from simulation.formats.host_facts import text_of
from simulation.formats.workload_tools import COUNT_RULER, build_console, count_log, driver_console, timed_log
from tests.effort import thorough
from tests.readers.real_texts import real_texts

STARTED = datetime(2020, 1, 7, 12, 1, 32)
TIMED = timed_log(STARTED, users=4, nopm=101_789, tpm=468_610, zone="PST")
CONSOLE = driver_console(users=2, minutes=3, readings=[0, 70_700, 70_788, 70_876, 12])
COUNTS = count_log(STARTED, [0, 324_540, 324_300], every=1, zone="PST")


def test_a_timed_run_with_timestamps():
    assert facts_of(READER, TIMED, "hammerdb_result") == [
        {
            "driver": "timed",
            "started": "2020-01-07 12:01:32",
            "rampup_minutes": "2",
            "transactions_per_user": "10000000",
            "duration_minutes": "5",
            "virtual_users": "4",
            "nopm": "101789",
            "tpm": "468610",
            "database": "SQL Server",
            "ended": "2020-01-07 12:08:32",
            "elapsed_seconds": "420",
        }
    ]
    assert facts_of(READER, TIMED, "hammerdb_log") == [{"opened": "2020-01-07 12:01:32"}]
    assert issue_kinds(READER, TIMED) == []


def test_facts_carry_unit_line_and_the_time_of_the_run():
    rows = read_all(READER, TIMED.encode(), "x")["facts"].to_pylist()
    by_key = {row["key"]: row for row in rows if row["topic"] == "hammerdb_result"}
    assert by_key["nopm"]["unit"] == by_key["tpm"]["unit"] == "1/min"
    assert TIMED.split("\r\n")[by_key["nopm"]["line"] - 1].startswith("Vuser 1:TEST RESULT")
    assert by_key["nopm"]["time_local"] == STARTED
    assert by_key["ended"]["time_local"] == datetime(2020, 1, 7, 12, 8, 32)


@pytest.mark.parametrize(
    "line",
    [
        "TEST RESULT : System achieved 101789 NOPM from 468610 SQL Server TPM",
        "TEST RESULT : System achieved 468610 SQL Server TPM at 101789 NOPM",
    ],
)
def test_results_as_old_and_new_versions_word_them(line):
    text = text_of(f"Vuser 1:{line}")
    found = facts_of(READER, text, "hammerdb_result")[0]
    assert (found["nopm"], found["tpm"], found["database"]) == ("101789", "468610", "SQL Server")


def test_without_timestamps_there_is_no_time():
    text = timed_log(STARTED, users=2, nopm=1, tpm=2, stamps=False)
    found = facts_of(READER, text, "hammerdb_result")[0]
    assert found["virtual_users"] == "2"
    assert "started" not in found
    assert "elapsed_seconds" not in found


def test_runs_appended_to_the_same_log():
    second = timed_log(datetime(2020, 1, 7, 12, 20), users=8, nopm=7, tpm=9, zone="PST")
    found = facts_of(READER, TIMED + second, "hammerdb_result")
    assert [(run["virtual_users"], run["nopm"]) for run in found] == [("4", "101789"), ("8", "7")]


def test_runs_of_the_same_users_without_a_new_header():
    body = TIMED[TIMED.index("Timestamp") :]
    found = facts_of(READER, TIMED + body, "hammerdb_result")
    assert [run["virtual_users"] for run in found] == ["4", "4"]


def test_the_test_driver_on_the_console():
    assert facts_of(READER, CONSOLE, "hammerdb_result") == [
        {
            "driver": "test",
            "transactions_per_user": "50000",
            "virtual_users": "2",
            "elapsed_seconds": "180",
            "elapsed_resolution_s": "60",
            "users_finished": "2",
            "users_failed": "0",
        }
    ]
    assert facts_of(READER, CONSOLE, "hammerdb_user") == [{"user 1": "success", "user 2": "success"}]
    rows = read_all(READER, CONSOLE.encode(), "x")["facts"].to_pylist()
    readings = [row["value"] for row in rows if row["topic"] == "hammerdb_count"]
    assert readings == ["0", "70700", "70788", "70876", "12"]
    assert issue_kinds(READER, CONSOLE) == []


def test_console_runs_keep_their_own_readings():
    text = CONSOLE + driver_console(users=4, minutes=5, readings=[105_054])
    rows = read_all(READER, text.encode(), "x")["facts"].to_pylist()
    counted = [(row["item"], row["value"]) for row in rows if row["topic"] == "hammerdb_count"]
    assert counted[-1] == (1, "105054")
    users = [run["virtual_users"] for run in facts_of(READER, text, "hammerdb_result")]
    assert users == ["2", "4"]


def test_users_that_failed():
    text = driver_console(users=3, minutes=1, readings=[], failed=(2,)).replace(
        "Vuser 2:FINISHED", "Error in Virtual User 2: [Microsoft][ODBC] Deadlock\r\nVuser 2:FINISHED"
    )
    found = facts_of(READER, text, "hammerdb_result")[0]
    assert (found["users_finished"], found["users_failed"], found["errors"]) == ("2", "1", "1")
    assert facts_of(READER, text, "hammerdb_user")[0]["user 2"] == "failed"


BUILD = build_console(STARTED, warehouses=10, users=4, seconds=377, zone="PST")


def test_a_build_of_the_schema_is_a_run_of_writes():
    assert is_detected(READER, BUILD)
    assert facts_of(READER, BUILD, "hammerdb_result") == [
        {
            "driver": "build",
            "started": "2020-01-07 12:01:32",
            "virtual_users": "4",
            "warehouses": "10",
            "ended": "2020-01-07 12:07:49",
            "elapsed_seconds": "377",
            "users_finished": "4",
            "users_failed": "0",
        }
    ]
    assert issue_kinds(READER, BUILD) == []


def test_a_build_that_is_cut_off_anywhere_says_so():
    done = BUILD.index("TPCC SCHEMA COMPLETE") + len("TPCC SCHEMA COMPLETE")
    for place in range(BUILD.index("Vuser 1:CREATING TPCC SCHEMA") + 40, done, 7):
        assert issue_kinds(READER, BUILD[:place]) == ["truncated"], place
    whole = facts_of(READER, BUILD, "hammerdb_result")
    for place in range(done, len(BUILD)):
        assert facts_of(READER, BUILD[:place], "hammerdb_result") == whole, place


def test_a_build_by_one_user_counts_the_warehouses_that_it_loaded():
    lines = ("CREATING TPCC SCHEMA", "Start:Tue Feb 14 16:02:19 +0000 2023", "Loading Stock Wid=1",
             "Loading Stock Wid=2", "End:Tue Feb 14 16:02:31 +0000 2023", "TPCC SCHEMA COMPLETE")  # fmt: skip
    text = text_of(*(f"Vuser 1:{line}" for line in lines))
    (found,) = facts_of(READER, text, "hammerdb_result")
    assert (found["virtual_users"], found["warehouses"]) == ("1", "2")
    assert (found["elapsed_seconds"], found["utc_offset_minutes"]) == ("12", "0")


def test_timestamps_of_the_log_tell_the_whole_build():
    stamps = ("Tue Jan 07 12:00:00 PST 2020", "Tue Jan 07 12:10:00 PST 2020")
    text = text_of(
        f"Timestamp 1 @ {stamps[0]}",
        "Vuser 1:CREATING TPCC SCHEMA",
        "Vuser 2:Loading 5 Warehouses start:1 end:5",
        "Vuser 2:Start:Tue Jan 07 12:01:00 PST 2020",
        "Vuser 2:End:Tue Jan 07 12:07:00 PST 2020",
        f"Timestamp 1 @ {stamps[1]}",
        "Vuser 1:TPCC SCHEMA COMPLETE",
    )
    (found,) = facts_of(READER, text, "hammerdb_result")
    assert (found["started"], found["elapsed_seconds"]) == ("2020-01-07 12:00:00", "600")


def test_a_build_and_a_run_on_one_console_are_two():
    found = facts_of(READER, BUILD + CONSOLE, "hammerdb_result")
    assert [run["driver"] for run in found] == ["build", "test"]


def test_a_build_that_failed_or_stopped():
    failed = build_console(STARTED, warehouses=4, users=2, seconds=60, failed=(3,))
    assert facts_of(READER, failed, "hammerdb_result")[0]["users_failed"] == "1"
    cut = BUILD[: BUILD.index("Vuser 1:TPCC SCHEMA COMPLETE")]
    assert "elapsed_seconds" not in facts_of(READER, cut, "hammerdb_result")[0]
    assert issue_kinds(READER, cut) == ["truncated"]


def test_a_run_without_its_result_is_reported():
    text = TIMED[: TIMED.index("Vuser 1:4 Active")]
    assert "nopm" not in facts_of(READER, text, "hammerdb_result")[0]
    assert issue_kinds(READER, text) == ["truncated"]


def test_the_log_of_a_test_run_does_not_say_when_it_ended():
    text = text_of("Vuser 1:Processing 50000 transactions with output suppressed...")
    assert issue_kinds(READER, text) == ["no_end"]


def test_the_transaction_counter():
    rows = read_all(READER, COUNTS.encode(), "x")["facts"].to_pylist()
    readings = [(row["value"], row["time_local"]) for row in rows if row["key"] == "tpm"]
    assert readings == [
        ("0", datetime(2020, 1, 7, 12, 1, 33)),
        ("324540", datetime(2020, 1, 7, 12, 1, 34)),
        ("324300", datetime(2020, 1, 7, 12, 1, 35)),
    ]
    assert issue_kinds(READER, COUNTS) == []


def test_sessions_of_the_counter_are_items():
    text = COUNTS + count_log(datetime(2020, 1, 7, 13), [5], zone="+0100")
    found = facts_of(READER, text, "hammerdb_count")
    assert found == [
        {"opened": "2020-01-07 12:01:32", "tpm": "324300"},
        {"opened": "2020-01-07 13:00:00", "utc_offset_minutes": "60", "tpm": "5"},
    ]


def test_readings_without_time_are_reported():
    assert issue_kinds(READER, count_log(STARTED, [1, 2], stamps=False)) == ["no_time"]


def test_a_counter_log_cut_anywhere_keeps_what_was_whole():
    whole = counted(COUNTS)
    for place in range(len(COUNTS)):
        try:
            found = counted(COUNTS[:place])
        except CaptureError:
            continue
        values = [value for value, _time in found]
        assert values == [value for value, _time in whole[: len(found)]], place


def counted(text):
    rows = read_all(READER, text.encode(), "x").get("facts")
    return (
        [
            (r["value"], r["time_local"])
            for r in rows.to_pylist()
            if (r["topic"], r["key"]) == ("hammerdb_count", "tpm")
        ]
        if rows
        else []
    )


PROFILE = text_of(
    "MSSQLServer Hammerdb Time Profile Report @ Thu Jan 27 05:47:26 UTC 2022",
    COUNT_RULER,
    ">>>>> VIRTUAL USER 2 : ELAPSED TIME : 912505ms",
    ">>>>> PROC: NEWORD",
    "CALLS: 41234\tMIN: 2.409ms\tAVG: 9.169ms\tMAX: 32.726ms\tTOTAL: 378094.854ms\t",
    "P99: 14.159ms\tP95: 12.367ms\tP50: 9.026ms\tSD: 1840.094\tRATIO: 41.435%\t",
    COUNT_RULER,
    ">>>>> SUMMARY OF 8 ACTIVE VIRTUAL USERS : MEDIAN ELAPSED TIME : 904548ms",
    ">>>>> PROC: SLEV",
    "CALLS: 32440\tMIN: 1.349ms\tAVG: 2.506ms\tMAX: 16.625ms\tTOTAL: 81313.309ms\t",
)


def test_the_time_profile():
    assert facts_of(READER, PROFILE, "hammerdb_response") == [
        {
            "user": "2",
            "elapsed_ms": "912505",
            "neword_calls": "41234",
            "neword_min_ms": "2.409",
            "neword_avg_ms": "9.169",
            "neword_max_ms": "32.726",
            "neword_total_ms": "378094.854",
            "neword_p99_ms": "14.159",
            "neword_p95_ms": "12.367",
            "neword_p50_ms": "9.026",
        },
        {
            "virtual_users": "8",
            "elapsed_ms": "904548",
            "slev_calls": "32440",
            "slev_min_ms": "1.349",
            "slev_avg_ms": "2.506",
            "slev_max_ms": "16.625",
            "slev_total_ms": "81313.309",
        },
    ]


REPORT = {
    "schema": "hammerdb-job-report-v1",
    "job": {"jobid": "6A1A", "hdb_version": "v6.0", "timestamp": "2026-05-30 15:24:39"},
    "benchmark_config": {"warehouses": 200, "virtual_users": 24, "rampup_minutes": 2, "duration_minutes": 5},
    "analysis_hints": {"active_window": {"end": "2026-05-30 15:31:43"}},
    "result": {
        "type": "tproc_c_result",
        "database_display": "SQL Server",
        "active_virtual_users": 24,
        "nopm": 832579,
        "tpm": 1935131,
    },
    "transaction_count": {
        "series": [{"points": [{"timestamp": "2026-05-30 15:24:49", "value": 1093878}]}]
    },
}  # fmt: skip


def test_the_report_of_a_job():
    text = json.dumps(REPORT, indent=2)
    assert facts_of(READER, text, "hammerdb_result") == [
        {
            "driver": "timed",
            "started": "2026-05-30 15:24:39",
            "virtual_users": "24",
            "rampup_minutes": "2",
            "duration_minutes": "5",
            "warehouses": "200",
            "nopm": "832579",
            "tpm": "1935131",
            "database": "SQL Server",
            "job": "6A1A",
            "version": "v6.0",
            "ended": "2026-05-30 15:31:43",
        }
    ]
    assert counted(text) == [("1093878", datetime(2026, 5, 30, 15, 24, 49))]
    assert issue_kinds(READER, text[:-9]) == ["truncated"]


JOBS = """HAMMERDB RESULT
[
  "6A1A2CDBC7F603E293439383",
  "2026-05-30 15:24:39",
  "24 Active Virtual Users configured",
  "TEST RESULT : System achieved 832579 NOPM from 1935131 SQL Server TPM"
]

TRANSACTION RESPONSE TIMES
{
  "NEWORD": {
    "elapsed_ms": "420000.5",
    "calls": "1200", "min_ms": "1.5",
    "avg_ms": "2.25",
    "p99_ms": "9.75",
    "ratio_pct": "50.1"
  },
  "PAYMENT": {"elapsed_ms": "420000.5", "calls": "1300", "avg_ms": "1.25"}
}

TRANSACTION COUNT
{"MSSQLServer tpm": {
    "0": "2026-05-30 15:24:39",
    "1093878": "2026-05-30 15:24:49"
  }
}
"""
"""Source: "jobs jobid result", "timing" and "tcount" of HammerDB's command line, versions 4.6 to 6."""


def test_what_jobs_prints_is_a_result_with_its_start():
    assert is_detected(READER, JOBS)
    assert facts_of(READER, JOBS, "hammerdb_result") == [
        {
            "driver": "timed",
            "started": "2026-05-30 15:24:39",
            "virtual_users": "24",
            "nopm": "832579",
            "tpm": "1935131",
            "database": "SQL Server",
            "job": "6A1A2CDBC7F603E293439383",
        }
    ]
    assert issue_kinds(READER, JOBS) == []


def test_response_times_of_a_job():
    assert facts_of(READER, JOBS, "hammerdb_response") == [
        {
            "elapsed_ms": "420000.5",
            "neword_calls": "1200",
            "neword_min_ms": "1.5",
            "neword_avg_ms": "2.25",
            "neword_p99_ms": "9.75",
            "payment_calls": "1300",
            "payment_avg_ms": "1.25",
        }
    ]


def test_readings_of_a_job():
    assert counted(JOBS) == [
        ("0", datetime(2026, 5, 30, 15, 24, 39)),
        ("1093878", datetime(2026, 5, 30, 15, 24, 49)),
    ]


def test_a_result_behind_the_console_of_its_run_is_the_same_run():
    run = timed_log(STARTED, users=4, nopm=832_579, tpm=1_935_131, zone="PST")
    assert len(facts_of(READER, run + JOBS, "hammerdb_result")) == 1
    assert len(facts_of(READER, TIMED + JOBS, "hammerdb_result")) == 2


def test_results_of_all_jobs_in_one_list_after_the_other():
    second = JOBS.split("\n\n")[0].replace("832579", "7").replace("6A1A", "6B1B")
    found = facts_of(READER, JOBS + second + "\n", "hammerdb_result")
    assert [run["nopm"] for run in found] == ["832579", "7"]


@pytest.mark.parametrize("mark", ['"avg_ms": "2.25"', '"1093878"'])
def test_a_list_that_was_cut_off_says_so(mark):
    assert issue_kinds(READER, JOBS[: JOBS.index(mark)]) == ["truncated"]


def test_offsets_are_trusted_and_names_are_not():
    assert [offset_minutes(zone) for zone in ("UTC", "+0100", "-03:30", "PST", "+9900")] == [
        0, 60, -210, None, None,
    ]  # fmt: skip


@thorough
def test_the_battery():
    check_text_reader(READER, TIMED, "hammerdb_result", len(TIMED) - 2)


@thorough
@pytest.mark.parametrize(
    "text", [CONSOLE, COUNTS, json.dumps(REPORT), JOBS], ids=["console", "counter", "job", "jobs"]
)
def test_damage_to_the_other_outputs(text):
    check_read_twice(READER, text.encode(), "x")
    check_flips(READER, text.encode(), "x", 2_000)


def test_it_is_found_among_the_readers():
    for text in (TIMED, CONSOLE, COUNTS, json.dumps(REPORT)):
        reader, found = detect(text.encode(), "anything")
        assert (reader.name, found.kind) == ("hammerdb", "HammerDB log")


def test_what_is_not_its_output():
    assert not is_detected(READER, "Vuser 1 was here\n")
    assert not is_detected(READER, '{"schema": "another"}')
    assert not is_detected(READER, bytes(range(256)) * 64)


def test_real_captures_are_not_taken_for_it():
    assert not [text[:80] for text in real_texts() if is_detected(READER, text)]
