"""Which time each source of a server covers, and what is asked of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

import agtrace
from agtrace.history.coverage import Coverage, Stretch, coverage
from simulation.formats.errorlog import Log
from simulation.formats.pdh_text import write_pdh
from tests.diagnostics import tiny

NOON = datetime(2024, 3, 5, 12)
CPU = r"\\SQL1\Processor(_Total)\% Processor Time"


def at(minutes: float) -> datetime:
    return (NOON + timedelta(minutes=minutes)).replace(tzinfo=UTC)


def log(begin: float, *minutes: float) -> bytes:
    """Return an ERRORLOG of SQL1 that starts at one minute and writes at others."""
    made = Log(NOON + timedelta(minutes=begin), timedelta(0)).start("SQL1", utc="0:00")
    for minute in minutes:
        made.add("spid5s", "Nothing of note.", at=NOON + timedelta(minutes=minute))
    return made.windows()


def stretches(folder, **files):
    """Return the spans of files in one folder: host, instance, source, first and last minute."""
    for name, data in files.items():
        (folder / name.replace("__", ".")).write_bytes(data)
    with agtrace.open_case(folder) as case:
        rows = case.view.rows("select * from coverage")
    return [
        (row["host_id"], row["sql_instance"], row["source"], minute(row["first"]), minute(row["last"]))
        for row in rows
    ]  # fmt: skip


def minute(time):
    return (time - at(0)).total_seconds() / 60


def test_logs_whose_numbers_follow_are_one_stretch(tmp_path):
    found = stretches(tmp_path, ERRORLOG=log(60, 90), ERRORLOG__1=log(30, 40), ERRORLOG__2=log(0, 20))
    assert found == [("SQL1", "MSSQLSERVER", "ERRORLOG", 0, 90)]


def test_a_log_that_is_missing_between_two_covers_nothing(tmp_path):
    found = stretches(tmp_path, ERRORLOG=log(60, 90), ERRORLOG__2=log(0, 20))
    assert [row[3:] for row in found] == [(0, 20), (60, 90)]


def test_the_silence_between_two_logs_is_a_silence_of_the_stretch(tmp_path):
    stretches(tmp_path, ERRORLOG=log(60, 90), ERRORLOG__1=log(0, 20))
    with agtrace.open_case(tmp_path) as case:
        (row,) = case.view.rows("select * from coverage")
    assert row["longest_silence_s"] == 40 * 60
    assert (minute(row["silent_from"]), minute(row["silent_to"])) == (20, 60)
    assert (row["captures"], row["expected_s"]) == (2, None)


def test_perfmon_is_expected_at_its_interval_and_parted_where_rows_are_missing(tmp_path):
    times = [NOON + timedelta(seconds=s) for s in (0, 15, 30, 45, 60, 75, 90, 105, 165, 180)]
    data = write_pdh([CPU], [[1]] * len(times), zone=" (GMT)(0)", times=times)
    later = [NOON + timedelta(hours=1, seconds=s) for s in (0, 15, 30)]
    (tmp_path / "later.csv").write_bytes(write_pdh([CPU], [[1]] * 3, zone=" (GMT)(0)", times=later))
    assert [row[:3] for row in stretches(tmp_path, perf__csv=data)] == [("SQL1", None, "perfmon")] * 2
    with agtrace.open_case(tmp_path) as case:
        first, second = case.view.rows("select * from coverage order by first")
    assert (first["expected_s"], first["longest_silence_s"], first["records"]) == (15, 60, 10)
    assert (minute(first["last"]), minute(second["first"])) == (3, 60)


def test_the_series_of_an_instance_cover_that_instance(tmp_path):
    paths = [CPU, r"\\SQL1\MSSQL$PROD:Databases(db)\Log Bytes Flushed/sec"]
    times = [NOON + timedelta(seconds=15 * n) for n in range(4)]
    data = write_pdh(paths, [[1, 2]] * 4, zone=" (GMT)(0)", times=times)
    assert [row[:3] for row in stretches(tmp_path, perf__csv=data)] == [
        ("SQL1", None, "perfmon"),
        ("SQL1", "PROD", "perfmon"),
    ]


def test_a_log_whose_offset_is_not_known_has_local_times_alone(tmp_path):
    text = "\n".join(
        line.decode() for line in log(0, 10).decode("utf-16").encode().splitlines()
        if b"UTC adjustment" not in line
    )  # fmt: skip
    (tmp_path / "ERRORLOG").write_text(text)
    with agtrace.open_case(tmp_path) as case:
        (row,) = case.view.rows("select * from coverage")
        known = coverage(case.view)
    assert (row["first"], row["last"]) == (None, None)
    assert (row["first_local"], row["last_local"]) == (NOON, NOON + timedelta(minutes=10))
    assert not known.of("SQL1")


def test_the_minute_of_system_health_is_what_was_expected():
    minutes = "\n".join(
        f"SQL1 | {60 * n} | scheduler_monitor_system_health_ring_buffer_recorded | system_idle=50"
        for n in (*range(20), 26, 27)
    )
    (row,) = tiny.case(events=minutes).rows("select * from coverage")
    assert (row["source"], row["expected_s"], row["longest_silence_s"]) == ("system_health", 60, 420)
    assert row["expected"] == "scheduler monitor, each minute"


def test_silences_of_less_than_ten_seconds_are_none():
    events = "\n".join(f"SQL1 | {3 * n} | sql_exit_invoked | shutdown_option=1" for n in range(20))
    (row,) = tiny.case(events=events).rows("select * from coverage")
    assert (row["records"], row["longest_silence_s"], row["silent_from"]) == (20, None, None)


def test_a_capture_of_no_known_host_covers_nobody():
    case = tiny.case(events="@stray | 0 | sql_exit_invoked | shutdown_option=1")
    assert case.rows("select * from coverage") == []


# What is asked


def one(host="A", instance="I", source="ERRORLOG", first=0, last=60):
    return Stretch(host, instance, source, at(first), at(last))


def test_a_moment_is_watched_by_the_sources_that_are_asked_for():
    known = Coverage([one(), one(source="perfmon", first=60, last=90)])
    assert known.watched("A", "I", at(30), at(30), ("ERRORLOG",))
    assert not known.watched("A", "I", at(70), at(70), ("ERRORLOG",))
    assert known.watched("A", "I", at(0), at(90))
    assert not known.watched("B", "I", at(30), at(30))


def test_a_span_with_a_hole_is_not_watched_and_the_hole_is_named():
    known = Coverage([one(), one(first=80, last=90)])
    assert not known.watched("A", "I", at(10), at(85))
    assert known.gaps("A", "I", at(10), at(100)) == [(at(60), at(80)), (at(90), at(100))]
    assert known.until("A", "I", at(10)) == at(60)
    assert known.until("A", "I", at(70)) == at(70)


@pytest.mark.parametrize(("others", "seen"), [((), True), (("SECOND",), False)])
def test_a_capture_that_leaves_its_instance_open_speaks_of_the_only_one(others, seen):
    known = Coverage([one(first=0, last=1), one(instance=None, source="system_health", first=10, last=20),
                      *(one(instance=name) for name in others)])  # fmt: skip
    assert known.watched("A", "I", at(15), at(15), ("system_health",)) is seen
