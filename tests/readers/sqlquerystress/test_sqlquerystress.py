"""SQLQueryStress: its table, its text, its JSON and what its command line prints."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from agtrace.readers import detect
from agtrace.readers.sqlquerystress import READER
from agtrace.readers.sqlquerystress.values import parse_elapsed, parse_start
from agtrace.readers.written_times import day_first
from agtrace.testing import check_flips, check_text_reader, facts_of, is_detected, issue_kinds, read_all
from simulation.formats.host_facts import text_of
from simulation.formats.workload_tools import STRESS_HEAD, stress_row
from tests.effort import thorough
from tests.readers.real_texts import real_texts

FIRST, SECOND = ("0f8fad5b-d9cb-469f-a165-70867728950e", "7c9e6679-7425-40de-944b-e07fc1f90ae7")
TABLE = text_of(
    STRESS_HEAD,
    stress_row(FIRST, "3/28/2019 10:15:02 AM", 3.09, 1, client=3.0571, actual=3.051),
    stress_row(SECOND, "3/28/2019 2:15:40 PM", 2.96, 2),
)
TEXT = text_of(
    f"Test ID: {FIRST}",
    "Test TimeStamp: 28.03.2019 10:15:02",
    "Elapsed Time: 00:01:03.0912",
    "Number of Iterations: 50",
    "Number of Threads: 12",
    "Delay Between Queries (ms): 0",
    "CPU Seconds/Iteration (Avg): ---",
    "Actual Seconds/Iteration (Avg): ---",
    "Iterations Completed: 600",
    "Client Seconds/Iteration (Avg): 0,0453",
    "Logical Reads/Iteration (Avg): 2750,0000",
    "",
)


def test_the_table():
    assert facts_of(READER, TABLE, "sqlquerystress")[0] == {
        "started": "3/28/2019 10:15:02 AM",
        "test_id": FIRST,
        "threads": "1",
        "iterations": "1",
        "iterations_completed": "1",
        "delay_ms": "0",
        "elapsed_seconds": "3.09",
        "cpu_seconds_avg": "1.2500",
        "actual_seconds_avg": "3.0510",
        "client_seconds_avg": "3.0571",
        "logical_reads_avg": "85000.0000",
    }
    rows = read_all(READER, TABLE.encode(), "x")["facts"].to_pylist()
    times = [row["time_local"] for row in rows if row["key"] == "threads"]
    assert times == [datetime(2019, 3, 28, 10, 15, 2), datetime(2019, 3, 28, 14, 15, 40)]
    assert issue_kinds(READER, TABLE) == []


def test_the_text_in_another_culture():
    assert facts_of(READER, TEXT, "sqlquerystress") == [
        {
            "started": "28.03.2019 10:15:02",
            "test_id": FIRST,
            "threads": "12",
            "iterations": "50",
            "iterations_completed": "600",
            "delay_ms": "0",
            "elapsed_seconds": "63.0912",
            "client_seconds_avg": "0.0453",
            "logical_reads_avg": "2750.0000",
        }
    ]


def test_tests_appended_to_the_same_text():
    found = facts_of(READER, TEXT + TEXT.replace(FIRST, SECOND), "sqlquerystress")
    assert [test["test_id"] for test in found] == [FIRST, SECOND]


def test_a_row_with_decimal_commas():
    row = f"{FIRST},28.03.2019 10:15:02,00:00:03.0900,1,8,0,8,1,2500,3,0510,3,0571,85000,0000"
    found = facts_of(READER, text_of(STRESS_HEAD, row), "sqlquerystress")[0]
    assert (found["threads"], found["cpu_seconds_avg"], found["client_seconds_avg"]) == (
        "8", "1.2500", "3.0571",
    )  # fmt: skip


JSON = {
    "TestId": FIRST, "StartTime": "2026-03-01T09:00:01.1234567Z", "ElapsedTime": 12.5,
    "Threads": 4, "Iterations": 10, "CompletedIterations": 40, "Delay": 0,
    "AvgCpuSeconds": 0.25, "AvgActualSeconds": 1.125, "AvgClientSeconds": 1.25,
    "AvgLogicalReads": 512.0, "ExceptionCount": 3,
}  # fmt: skip


def test_json_of_the_command_line():
    text = json.dumps(JSON)
    found = facts_of(READER, text, "sqlquerystress")[0]
    assert found["started_utc"] == "2026-03-01T09:00:01.123456+00:00"
    assert (found["elapsed_seconds"], found["threads"], found["exceptions"]) == ("12.5", "4", "3")
    assert found["logical_reads_avg"] == "512.0000"


def test_what_the_command_line_prints():
    text = text_of(
        "┌────────────────────────────────┬───────────────────────┐",
        "│ sqlstresscmd result            │                 Value │",
        "├────────────────────────────────┼───────────────────────┤",
        "│ Start time                     │ 2026-03-01 09:00:01Z  │",
        "│ Elapsed time                   │      00:00:12.5000000 │",
        "│ Number of Threads              │                     4 │",
        "│ Iterations Completed           │                    40 │",
        "│ CPU Seconds/Iteration (Avg)    │                   --- │",
        "│ Actual Seconds/Iteration (Avg) │                   --- │",
        "│ Client Seconds/Iteration (Avg) │                1.2500 │",
        "│ Logical Reads/Iteration (Avg)  │                   --- │",
        "└────────────────────────────────┴───────────────────────┘",
    )
    found = facts_of(READER, text, "sqlquerystress")[0]
    assert (found["threads"], found["elapsed_seconds"], found["client_seconds_avg"]) == (
        "4", "12.5", "1.2500",
    )  # fmt: skip
    assert issue_kinds(READER, text) == []


def test_a_row_that_is_cut_off_is_reported():
    assert issue_kinds(READER, TABLE[:-8]) == ["truncated"]


def test_a_table_without_tests():
    assert issue_kinds(READER, STRESS_HEAD + "\r\n") == ["no_result"]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("00:00:03.0900", 3.09), ("01:02:03", 3723.0), ("1.00:00:01.5", 86401.5), ("3.09", None)],
)
def test_lengths_of_time(text, seconds):
    assert parse_elapsed(text) == seconds


@pytest.mark.parametrize(
    ("texts", "days_first"),
    [
        (["3/28/2019 10:15:02 AM", "4/1/2019 1:00:00 PM"], False),
        (["28/03/2019 10:15:02"], True),
        (["3.4.2019 10:15:02"], True),
        (["3/4/2019 10:15:02"], None),
        (["3/28/2019 10:15:02 AM", "28/3/2019 10:15:02"], None),
    ],
)
def test_the_order_of_day_and_month(texts, days_first):
    assert day_first(texts) is days_first


def test_starts():
    local = datetime(2019, 3, 28, 10, 15, 2)
    assert parse_start("2019-03-28T10:15:02.0000000+01:00", None) == (
        local,
        datetime(2019, 3, 28, 9, 15, 2, tzinfo=UTC),
    )
    assert parse_start("2019-03-28 10:15:02", None) == (local, None)
    assert parse_start("3/4/2019 10:15:02 AM", None) == (None, None)
    assert parse_start("3/4/2019 10:15:02 PM", False)[0] == datetime(2019, 3, 4, 22, 15, 2)


@thorough
def test_the_battery():
    check_text_reader(READER, TEXT, "sqlquerystress", TEXT.index("2750,0000") + 9)


@thorough
def test_damage_to_the_table():
    check_flips(READER, TABLE.encode(), "x", 2_000)


def test_it_is_found_among_the_readers():
    for text in (TABLE, TEXT):
        reader, found = detect(text.encode(), "results.csv")
        assert (reader.name, found.kind) == ("sqlquerystress", "SQLQueryStress result")


def test_what_is_not_its_result():
    assert not is_detected(READER, "Number of Threads: 12\n")
    assert not is_detected(READER, '{"TestId": 1}')
    assert not is_detected(READER, "")
    assert not is_detected(READER, "2f9c1f6e-5a41-4d2b-9d30-6f1f6c1b7a10,Sales,PRIMARY\n")


def test_real_captures_are_not_taken_for_it():
    assert not [text[:80] for text in real_texts() if is_detected(READER, text)]
