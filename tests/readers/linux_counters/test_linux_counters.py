"""Raw counters of a Linux host, cooked as perfmon would."""

from __future__ import annotations

from datetime import timedelta

import pytest

from agtrace.readers.linux_counters import READER
from agtrace.testing import check_reader, is_detected, read_all
from simulation.formats.linux_support import look
from tests.readers.linux_counters.small import LOCKS, REPLICA, START, counters, text


def values(data: str) -> dict[str, list[tuple[int, float]]]:
    tables = read_all(READER, data.encode(), "x.out")
    names = tables["counters"]["counter_written"].to_pylist()
    found: dict[str, list[tuple[int, float]]] = {}
    for row in tables["samples"].to_pylist():
        found.setdefault(names[row["counter_no"]], []).append((row["tick"], row["value"]))
    return found


def test_contract():
    check_reader(READER, text().encode(), "x.out", "samples", flips=2_000)


@pytest.mark.parametrize("width", [80, 81, 100, 500, 8000])
def test_each_type_is_cooked_as_perfmon_does(width):
    assert values(text(width=width)) == {
        "Log Send Queue": [(0, 40.0), (1, 41.0), (2, 42.0)],
        "Log Bytes Received/sec": [(1, 1000.0), (2, 1000.0)],
        "Buffer cache hit ratio": [(0, 75.0), (1, 75.0), (2, 75.0)],
        "Average Wait Time (ms)": [(1, 20.0), (2, 20.0)],
    }


def test_series_have_canonical_names_instances_and_types():
    tables = read_all(READER, text().encode(), "x.out")
    rows = {row["counter_written"]: row for row in tables["counters"].to_pylist()}
    queue = rows["Log Send Queue"]
    assert (queue["object"], queue["instance"], queue["unit"]) == (REPLICA, "Sales", "KB")
    assert (queue["sql_instance"], queue["host"]) == ("MSSQLSERVER", None)
    assert queue["path"] == "\\SQLServer:Database Replica(Sales)\\Log Send Queue"
    assert queue["counter_type"] == "PERF_COUNTER_LARGE_RAWCOUNT"
    assert rows["Buffer cache hit ratio"]["instance"] is None
    assert tables["ticks"]["time_local"].to_pylist() == [
        START + timedelta(seconds=15 * number) for number in range(3)
    ]


def test_a_counter_that_fell_was_reset_and_says_nothing_for_a_look():
    again = [counters(5), counters(0), counters(1)]
    data = "".join(look(START + timedelta(seconds=15 * n), each) for n, each in enumerate(again))
    assert values(data)["Log Bytes Received/sec"] == [(2, 1000.0)]


def test_an_average_of_nothing_is_zero():
    same = [counters(3), counters(3)]
    data = "".join(look(START + timedelta(seconds=15 * n), each) for n, each in enumerate(same))
    assert values(data)["Average Wait Time (ms)"] == [(1, 0.0)]


def test_a_base_is_found_by_its_name_where_bases_come_together():
    def both(n):
        return [
            (LOCKS, "Average Wait Time (ms)", "X", 100 * n, 1073874176),
            (LOCKS, "Avg. Length", "X", 50 * n, 1073874176),
            (LOCKS, "Average Wait Time Base", "X", 10 * n, 1073939712),
            (LOCKS, "Avg. Length Base", "X", 2 * n, 1073939712),
        ]

    data = "".join(look(START + timedelta(seconds=15 * n), both(n)) for n in range(2))
    assert values(data) == {"Average Wait Time (ms)": [(1, 10.0)], "Avg. Length": [(1, 25.0)]}


def test_an_unknown_type_is_counted():
    rows = [*counters(0), (LOCKS, "New", "X", 1, 12345)]
    tables = read_all(READER, look(START, rows).encode(), "x.out")
    assert [(row["kind"], row["count"]) for row in tables["issues"].to_pylist()] == [
        ("unknown_counter_type", 1)
    ]


def test_what_stands_between_the_looks_is_passed_over():
    data = "Start time: 2026-03-01 10:15\n" + text(1) + "Msg 8134, Level 16\nDivide by zero\n" + text(2)
    assert len(values(data)["Log Send Queue"]) == 3


def test_perfstats_is_another_output():
    other = (
        "-- sysperfinfo_raw (general perf subset) --\n"
        "runtime  cntr_value object_name counter_name instance_name\n"
    )
    assert not is_detected(READER, other)
