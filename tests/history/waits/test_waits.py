"""Waits between looks: deltas, resets, types that come late, and two files."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from simulation.formats import rowsets as make
from tests.history.outputs import relation
from tests.readers.query_results.small import PROPERTIES, SCRIPT

ALL = (
    "select wait_type, seconds, waiting_tasks, wait_ms, mean_wait_ms from waits order by time_local, "
    "wait_type"
)


def looks(*figures: dict[str, tuple[int, int]]) -> str:
    return SCRIPT + "".join(
        make.waits(f"2026-03-01T10:{16 + number}:35.220", each) for number, each in enumerate(figures)
    )


def test_deltas_between_looks(tmp_path):
    text = looks(
        {"HADR_SYNC_COMMIT": (9_000_000, 81_000_000), "WRITELOG": (7_000_000, 5_600_000)},
        {"HADR_SYNC_COMMIT": (9_006_000, 81_054_000), "WRITELOG": (7_005_900, 5_604_720)},
    )
    assert relation(tmp_path, ALL, perf__out=text) == [
        ("HADR_SYNC_COMMIT", 60.0, 6000, 54_000, 9.0),
        ("WRITELOG", 60.0, 5900, 4720, 0.8),
    ]


def test_a_single_look_has_no_interval(tmp_path):
    assert relation(tmp_path, ALL, perf__out=looks({"WRITELOG": (1, 1)})) == []


def test_a_type_without_waits_keeps_its_row(tmp_path):
    text = looks({"A": (5, 50), "B": (1, 1)}, {"A": (5, 50)}, {"A": (7, 60), "B": (2, 9)})
    assert relation(tmp_path, ALL, perf__out=text) == [
        ("A", 60.0, 0, 0, None),
        ("B", 60.0, 0, 0, None),
        ("A", 60.0, 2, 10, 5.0),
        ("B", 60.0, 1, 8, 8.0),
    ]


def test_a_type_that_appears_later_counts_from_zero(tmp_path):
    text = looks({"A": (5, 50)}, {"A": (6, 60), "B": (2, 8)})
    assert relation(tmp_path, ALL, perf__out=text) == [("A", 60.0, 1, 10, 10.0), ("B", 60.0, 2, 8, 4.0)]


def test_one_figure_that_falls_voids_its_interval(tmp_path):
    text = looks(
        {"A": (5, 50), "B": (3, 30)},
        {"A": (6, 60), "B": (4, 40)},
        {"A": (1, 2), "B": (9, 90)},
        {"A": (3, 8), "C": (4, 4), "B": (10, 95)},
    )
    assert relation(tmp_path, ALL, perf__out=text) == [
        ("A", 60.0, 1, 10, 10.0),
        ("B", 60.0, 1, 10, 10.0),
        ("A", 60.0, 2, 6, 3.0),
        ("B", 60.0, 1, 5, 5.0),
        ("C", 60.0, 4, 4, 1.0),
    ]


def test_two_files_with_a_snapshot_each_have_an_interval(tmp_path):
    first, second = (looks({"A": (5, 50)}), SCRIPT + make.waits("2026-03-01T10:17:35.220", {"A": (9, 90)}))
    assert relation(tmp_path, ALL, one__out=first, two__out=second) == [("A", 60.0, 4, 40, 10.0)]


def test_no_interval_between_files_of_which_one_has_several(tmp_path):
    first = looks({"A": (5, 50)}, {"A": (6, 60)})
    second = SCRIPT + make.waits("2026-03-01T11:00:00", {"A": (9, 90)})
    assert relation(tmp_path, ALL, one__out=first, two__out=second) == [("A", 60.0, 1, 10, 10.0)]


def test_a_restart_between_two_files_voids_their_interval(tmp_path):
    first, second = (looks({"A": (5, 50)}), SCRIPT + make.waits("2026-03-01T11:00:00", {"A": (4, 90)}))
    assert relation(tmp_path, ALL, one__out=first, two__out=second) == []


def test_snapshots_collected_in_one_table_are_told_apart_by_their_times(tmp_path):
    text = "runtime,wait_type,waiting_tasks_count,wait_time_ms\n" + "".join(
        f"2026-03-01 10:{minute}:00,A,{tasks},{10 * tasks}\n" for minute, tasks in ((16, 5), (17, 7))
    )
    assert relation(tmp_path, ALL, waits__csv=text) == [("A", 60.0, 2, 20, 10.0)]


def test_a_clock_set_back_measures_nothing(tmp_path):
    text = SCRIPT + "".join(
        make.waits(f"2026-11-01T{moment}", {"A": (number, 10 * number)})
        for number, moment in enumerate(("01:58:00", "01:59:00", "01:00:00", "01:01:00"))
    )
    assert [row[1] for row in relation(tmp_path, ALL, perf__out=text)] == [60.0, 60.0]


@pytest.mark.parametrize("is_told", [True, False])
def test_times_are_utc_where_the_server_tells_its_offset(tmp_path, is_told):
    text = looks({"A": (5, 50)}, {"A": (6, 60)})
    outputs = {"perf__out": text} | ({"misc__out": SCRIPT + PROPERTIES} if is_told else {})
    query = "select start_local, time_local, time::timestamp, host_id, sql_instance, line from waits"
    (row,) = relation(tmp_path, query, **outputs)
    assert row[:2] == (datetime(2026, 3, 1, 10, 16, 35, 220_000), datetime(2026, 3, 1, 10, 17, 35, 220_000))
    # Five and a half hours east of Greenwich.
    in_utc = datetime(2026, 3, 1, 4, 47, 35, 220_000, tzinfo=UTC).replace(tzinfo=None)
    assert row[2] == (in_utc if is_told else None)
    assert row[3:5] == ("SRV1", "MSSQLSERVER")
    assert text.splitlines()[row[5] - 1].startswith("2026-03-01T10:17:35.220")


def test_two_instances_of_a_host_are_apart(tmp_path):
    text = looks({"A": (5, 50)}, {"A": (6, 60)})
    other = looks({"A": (50, 500)}, {"A": (60, 700)}).replace(
        "SQL Server Name          SRV1     ", "SQL Server Name          SRV1\\TWO "
    )
    query = "select host_id, sql_instance, waiting_tasks from waits order by all"
    assert relation(tmp_path, query, one__out=text, two__out=other) == [
        ("SRV1", "MSSQLSERVER", 1),
        ("SRV1", "TWO", 10),
    ]


@pytest.mark.parametrize("is_longer", [False, True])
def test_an_output_that_lies_there_twice_counts_once(tmp_path, is_longer):
    text = looks({"A": (5, 50)}, {"A": (6, 60)})
    more = make.waits("2026-03-01T10:18:35.220", {"A": (8, 90)}) if is_longer else ""
    found = relation(tmp_path, ALL, one__out=text, two__out=text + more)
    assert [row[2:4] for row in found] == [(1, 10), (2, 30)][: 1 + is_longer]


def test_a_type_that_only_the_second_of_two_files_lists_is_left_out(tmp_path):
    first = looks({"A": (5, 50)})
    second = SCRIPT + make.waits("2026-03-01T10:17:35.220", {"A": (9, 90), "B": (8, 80)})
    assert [row[0] for row in relation(tmp_path, ALL, one__out=first, two__out=second)] == ["A"]
