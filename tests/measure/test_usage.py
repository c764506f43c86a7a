"""What hosts did within a window, from perfmon; tables in text."""

from __future__ import annotations

from datetime import UTC, timedelta

import pytest

from agtrace.measure.usage import Window, of, series, usage
from tests.diagnostics import tiny

START = tiny.START.replace(tzinfo=UTC)


def window(first: float, last: float, number: int = 1, database: str | None = None) -> Window:
    begin, end = START + timedelta(seconds=first), START + timedelta(seconds=last)
    return Window(number, begin, end, database)


def used(perfmon: str, *windows: Window, rows: int = 13) -> dict[tuple[int, str], tuple]:
    case = tiny.case(perfmon=perfmon, rows=rows)
    return {
        (u.window, u.resource): (u.instance, u.n, u.mean, u.capacity)
        for u in usage(case, windows or [window(0, 60)])
    }


def test_a_rate_counts_where_its_interval_lies_in_the_window():
    # Samples every 5 s: those at 15 and 20 s speak of 10 to 20 s.
    found = used(
        r"A | \LogicalDisk(D:)\Disk Read Bytes/sec | 0, 100, 200, 300, 400, 500, 600, 700, 0", window(10, 20)
    )
    assert found[1, "disk_read"] == ("D:", 2, 350.0, None)


def test_a_gauge_counts_at_its_instant():
    found = used(r"A | \SQLServer:Database Replica(db)\Recovery Queue | 0, 0, 8, 16, 24, 0", window(10, 20))
    assert found[1, "recovery_queue"] == ("db", 3, 16 * 1024.0, None)


def test_disks_are_summed_without_total_and_the_logical_ones_win():
    perfmon = r"""
    A | \LogicalDisk(C:)\Disk Write Bytes/sec     | 10
    A | \LogicalDisk(D:)\Disk Write Bytes/sec     | 90
    A | \LogicalDisk(_Total)\Disk Write Bytes/sec | 100
    A | \PhysicalDisk(0 C: D:)\Disk Write Bytes/sec | 777
    A | \PhysicalDisk(_Total)\Disk Read Bytes/sec | 5
    """
    found = used(perfmon)
    assert found[1, "disk_written"] == ("2 instances", 12, 100.0, None)
    assert found[1, "disk_read"] == ("_Total", 12, 5.0, None)


def test_latency_is_that_of_the_disk_that_moves_most_and_busy_that_of_the_busiest():
    perfmon = r"""
    A | \LogicalDisk(C:)\Disk Read Bytes/sec | 10
    A | \LogicalDisk(D:)\Disk Read Bytes/sec | 90
    A | \LogicalDisk(C:)\Avg. Disk sec/Read  | 0.5
    A | \LogicalDisk(D:)\Avg. Disk sec/Read  | 0.004
    A | \LogicalDisk(C:)\% Idle Time         | 100.5
    A | \LogicalDisk(D:)\% Idle Time         | 2
    """
    found = used(perfmon)
    assert found[1, "disk_read_ms"] == ("D:", 12, 4.0, None)
    assert found[1, "disk_busy"] == ("D:", 12, 98.0, 100.0)


def test_cards_are_summed_and_an_idle_one_adds_no_capacity():
    perfmon = r"""
    A | \Network Interface(one)\Bytes Sent/sec     | 600
    A | \Network Interface(two)\Bytes Sent/sec     | 300
    A | \Network Interface(idle)\Bytes Sent/sec    | 1
    A | \Network Interface(one)\Bytes Received/sec | 5
    A | \Network Interface(one)\Current Bandwidth  | 8000
    A | \Network Interface(two)\Current Bandwidth  | 8000
    A | \Network Interface(idle)\Current Bandwidth | 8000
    """
    found = used(perfmon)
    assert found[1, "network_sent"] == ("2 cards", 12, 900.0, 2000.0)
    assert found[1, "network_received"] == ("one", 12, 5.0, 1000.0)
    assert found[1, "card_sent_busy"] == ("one", 12, pytest.approx(60.0), 100.0)


def test_a_team_counts_once():
    perfmon = r"""
    A | \Network Interface(Port 1)\Bytes Sent/sec | 50
    A | \Network Interface(Port 2)\Bytes Sent/sec | 50
    A | \Network Interface(Microsoft Network Adapter Multiplexor Driver)\Bytes Sent/sec | 100
    """
    team = "Microsoft Network Adapter Multiplexor Driver"
    assert used(perfmon)[1, "network_sent"] == (team, 12, 100.0, None)


def test_counters_of_databases_are_those_of_the_window_s_database():
    perfmon = r"""
    A | \SQLServer:Databases(Sales)\Backup/Restore Throughput/sec  | 40
    A | \SQLServer:Databases(Other)\Backup/Restore Throughput/sec  | 60
    A | \SQLServer:Databases(_Total)\Backup/Restore Throughput/sec | 100
    """
    found = used(perfmon, window(0, 60, 1, "SALES"), window(0, 60, 2), window(0, 60, 3, "new"))
    assert found[1, "backup_restore"] == ("Sales", 12, 40.0, None)
    assert found[2, "backup_restore"] == ("_Total", 12, 100.0, None)
    assert found[3, "backup_restore"] == ("_Total", 12, 100.0, None)


def test_processors_are_averaged_and_the_total_wins():
    perfmon = r"""
    A | \Processor(0)\% Processor Time | 10
    A | \Processor(1)\% Processor Time | 30
    B | \Processor(0)\% Processor Time | 10
    B | \Processor(_Total)\% Processor Time | 70
    """
    case = tiny.case(perfmon=perfmon, rows=13)
    found = usage(case, [window(0, 60)])
    assert of(found, 1, "A", "cpu").mean == 20
    assert of(found, 1, "B", "cpu").mean == 70
    assert of(found, 1, "C", "cpu") is None


def test_percentiles_and_the_series_behind_them():
    case = tiny.case(perfmon=r"A | \Processor(_Total)\% Processor Time | 0..100", rows=21)
    (cpu,) = usage(case, [window(0, 100)])
    assert (cpu.p5, cpu.p50, cpu.p95, cpu.highest) == pytest.approx((9.75, 52.5, 95.25, 100))
    table = series(case, [window(0, 100)], ["cpu"])
    assert table["value"].to_pylist() == [5.0 * i for i in range(1, 21)]
    assert table["time"][0].as_py() == START + timedelta(seconds=5)


def test_without_a_window_or_a_known_clock_there_is_nothing():
    perfmon = r"A | \Processor(_Total)\% Processor Time | 5"
    assert usage(tiny.case(perfmon=perfmon), []) == []
    unclocked = tiny.case(perfmon=perfmon, zone_unknown=("A",))
    assert usage(unclocked, [window(0, 60)]) == []
    assert series(unclocked, [window(0, 60)], ["cpu"]).num_rows == 0


def test_the_share_of_the_window_that_was_seen():
    perfmon = r"A | \Processor(_Total)\% Processor Time | 7x-, 50"
    (cpu,) = usage(tiny.case(perfmon=perfmon, rows=21), [window(0, 100)])
    assert (cpu.n, cpu.covered) == (14, 0.7)
    (cpu,) = usage(tiny.case(perfmon=perfmon, rows=21), [window(20, 47)])
    assert (cpu.n, cpu.covered) == (3, pytest.approx(15 / 27))


def test_two_stretches_under_one_number_count_as_one_window():
    perfmon = r"A | \Processor(_Total)\% Processor Time | 11x50, 10x-"
    (cpu,) = usage(tiny.case(perfmon=perfmon, rows=21), [window(0, 20), window(40, 100)])
    assert (cpu.n, cpu.covered) == (6, pytest.approx(30 / 80))


def test_what_two_logs_recorded_at_the_same_instant_counts_once():
    made = tiny.case(perfmon=r"A | \Network Interface(nic)\Bytes Sent/sec | 100", rows=13)
    for table in ("counters", "samples", "ticks"):
        made.run(f"create temp table copied as select * from {table}")
        made.run("update copied set content_id = 'again'")
        if table != "ticks":
            made.run("update copied set counter_id = 99")
        made.run(f"insert into {table} from copied; drop table copied")
    (sent,) = usage(made, [window(0, 60)])
    assert (sent.n, sent.mean, sent.covered) == (12, 100.0, 1.0)


def test_two_instances_of_sql_server_with_a_database_of_one_name_are_summed():
    perfmon = r"""
    A | \MSSQL$X:Databases(Sales)\Backup/Restore Throughput/sec | 40
    A | \MSSQL$Y:Databases(Sales)\Backup/Restore Throughput/sec | 2
    """
    assert used(perfmon, window(0, 60, 1, "Sales"))[1, "backup_restore"][2] == 42.0


def test_a_card_is_full_in_one_direction():
    perfmon = r"""
    A | \Network Interface(nic)\Bytes Sent/sec     | 100
    A | \Network Interface(nic)\Bytes Received/sec | 950
    A | \Network Interface(nic)\Current Bandwidth  | 8000
    """
    found = used(perfmon)
    assert found[1, "card_sent_busy"][2] == pytest.approx(10)
    assert found[1, "card_received_busy"][2] == pytest.approx(95)


def test_a_disk_that_moves_next_to_nothing_is_not_the_busiest():
    perfmon = r"""
    A | \LogicalDisk(D:)\Disk Read Bytes/sec  | 1000
    A | \LogicalDisk(L:)\Disk Write Bytes/sec | 10
    A | \LogicalDisk(D:)\% Idle Time          | 60
    A | \LogicalDisk(L:)\% Idle Time          | 1
    """
    assert used(perfmon)[1, "disk_busy"] == ("D:", 12, 40.0, 100.0)


def test_what_is_asked_for_alone_is_what_it_is_beside_the_rest():
    perfmon = r"""
    A | \Network Interface(one)\Bytes Sent/sec     | 600
    A | \Network Interface(one)\Current Bandwidth  | 8000
    A | \LogicalDisk(D:)\Disk Read Bytes/sec       | 9000
    A | \LogicalDisk(L:)\Disk Read Bytes/sec       | 1
    A | \LogicalDisk(D:)\% Idle Time               | 60
    A | \LogicalDisk(L:)\% Idle Time               | 1
    A | \LogicalDisk(D:)\Avg. Disk sec/Read        | 0.002
    A | \LogicalDisk(L:)\Avg. Disk sec/Read        | 0.9
    """
    made, windows = tiny.case(perfmon=perfmon, rows=13), [window(0, 60)]
    every = usage(made, windows)
    assert len(every) == 5
    for each in every:
        assert usage(made, windows, (each.resource,)) == [each]
