"""What is judged of a recovery that took long, and where its time went."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from agtrace.diagnostics import database
from agtrace.diagnostics.database.recovered import cause_of, recovered
from agtrace.diagnostics.database.rows import Recovered
from agtrace.thresholds import Thresholds
from tests.diagnostics.asking import ask, record

NOON = datetime(2024, 3, 5, 12, tzinfo=UTC)
LIMITS = Thresholds()
ROW = record(
    Recovered,
    host_id="SQL1",
    sql_instance=None,
    database="Sales",
    seconds=100,
    analysis_ms=0,
    redo_ms=0,
    undo_ms=0,
    vlf_limit=None,
    vlf_line=None,
    vlf_count=None,
    vlf_place=None,
    promoted_local=None,
    start=NOON,
    end=NOON,
    start_local=None,
    end_local=None,
    path="ERRORLOG",
    line=4,
    ag=None,
    n=1,
)


def judged(**row):
    (one,) = recovered([ROW._replace(**row)], LIMITS)
    return one


@pytest.mark.parametrize(
    ("row", "cause"),
    [
        ({"vlf_limit": 10000}, "vlfs"),
        ({"vlf_count": 10000}, "vlfs"),
        ({"vlf_count": 9999}, "before"),
        ({"redo_ms": 49_999, "vlf_limit": 10000}, "vlfs"),
        ({"redo_ms": 50_001, "vlf_limit": 10000}, "redo"),
        ({"undo_ms": 99_000}, "undo"),
        ({"analysis_ms": 99_000}, "analysis"),
        ({"analysis_ms": 40_000, "redo_ms": 40_000}, "mixed"),
        ({"analysis_ms": None, "redo_ms": None, "undo_ms": None}, "before"),
    ],
)
def test_the_time_of_a_recovery_went_where_more_than_half_of_it_did(row, cause):
    assert cause_of(ROW._replace(**row), LIMITS) == cause


@pytest.mark.parametrize(("seconds", "severity"), [(599, "notice"), (600, "warning")])
def test_ten_minutes_of_recovery_are_a_warning(seconds, severity):
    assert judged(seconds=seconds).severity == severity


@pytest.mark.parametrize(
    ("row", "confidence"),
    [({"vlf_limit": 10000, "vlf_line": 3}, 0.95), ({"vlf_count": 20000}, 0.8), ({}, 0.9)],
)
def test_what_the_server_says_of_its_log_files_is_surer_than_their_number(row, confidence):
    assert judged(**row).confidence == confidence


def test_what_a_recovery_took_is_evidence():
    found = judged(undo_ms=90_000, vlf_limit=10000, vlf_line=3, vlf_count=20000, vlf_place="a.csv line 2")
    assert [(each.label, each.value, each.source) for each in found.evidence] == [
        ("recovery", 100, "ERRORLOG line 4"),
        ("analysis", 0.0, "ERRORLOG line 4"),
        ("redo", 0.0, "ERRORLOG line 4"),
        ("undo", 90.0, "ERRORLOG line 4"),
        ("message 9017", "more than 10,000 virtual log files", "ERRORLOG line 3"),
        ("virtual log files", 20000, "a.csv line 2"),
    ]


DONE = {
    "host_id": "SQL1", "sql_instance": None, "database": "Sales", "seconds": 60,
    "end_local": NOON.replace(tzinfo=None), "content_id": "c", "line": 4,
}  # fmt: skip
TABLES = {
    "contents": [{"content_id": "c", "path": "log"}],
    "database_states": [{"host_id": "SQL1", "database": "Sales", "ag": "AG"}],
    "databases": [{"host_id": "SQL1", "database": "Sales", "vlf_count": 7, "content_id": "c", "line": 2}],
}


def asked(*rows):
    return ask(database, "recovered", {"least": 60}, recoveries=list(rows), **TABLES)


def test_the_longest_recovery_of_a_database_counts_the_others():
    (row,) = asked(DONE, DONE | {"seconds": 70, "line": 5}, DONE | {"seconds": 59})
    assert (row["line"], row["n"], row["path"], row["ag"]) == (5, 2, "log", "AG")
    assert (row["vlf_count"], row["vlf_place"]) == (7, "log line 2")
