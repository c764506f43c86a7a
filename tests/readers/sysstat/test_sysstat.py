"""Reports of mpstat, iostat and sar."""

from __future__ import annotations

from datetime import datetime

import pytest

from agtrace.readers.sysstat import READER
from agtrace.testing import check_reader, facts_of, is_detected, issue_kinds, read_all
from simulation.formats.linux_support import IOSTAT, MPSTAT, SAR
from tests.readers.sysstat.texts import BANNER, JSON, UNTIMED


def rows(data: str) -> dict[tuple[str, str, str], list[tuple[datetime, float]]]:
    tables = read_all(READER, data.encode(), "x.perf")
    series = tables["counters"].to_pylist()
    times = tables["ticks"]["time_local"].to_pylist()
    found: dict[tuple[str, str, str], list[tuple[datetime, float]]] = {}
    for row in tables["samples"].to_pylist():
        one = series[row["counter_no"]]
        assert one["host"] == "contoso-l1"
        key = one["object"], one["instance"], one["counter"]
        found.setdefault(key, []).append((times[row["tick"]], row["value"]))
    return found


@pytest.mark.parametrize(
    ("text", "table"),
    [(MPSTAT, "samples"), (IOSTAT, "samples"), (SAR, "samples"), (UNTIMED, "facts"), (JSON, "samples")],
)
def test_contract(text, table):
    check_reader(READER, text.encode(), "x.perf", table, flips=2_000)


def test_a_processor_that_waits_for_a_disk_is_not_busy():
    found = rows(MPSTAT)
    first, second = datetime(2026, 3, 1, 23, 59, 55), datetime(2026, 3, 2)
    assert found["Processor", "_Total", "% Processor Time"] == [(first, 17.0), (second, 60.0)]
    assert found["Processor", "0", "% Processor Time"] == [(first, 25.0), (second, 70.0)]
    assert found["Processor", "_Total", "% User Time"][0][1] == 11.0
    assert found["Processor", "_Total", "% Privileged Time"][0][1] == 6.0


def test_disks_in_bytes_and_seconds():
    found = rows(IOSTAT)
    at = datetime(2026, 3, 1, 10, 15, 45)
    expected = {
        "Disk Reads/sec": 10.0,
        "Disk Writes/sec": 20.0,
        "Disk Transfers/sec": 30.0,
        "Disk Read Bytes/sec": 102400.0,
        "Disk Write Bytes/sec": 409600.0,
        "Disk Bytes/sec": 512000.0,
        "Avg. Disk sec/Read": 0.0025,
        "Avg. Disk sec/Write": 0.005,
        "Avg. Disk Queue Length": 0.12,
        "% Idle Time": 75.0,
    }
    assert {key[2]: series[0] for key, series in found.items()} == {
        name: (at, value) for name, value in expected.items()
    }


def test_network_cards_in_bytes():
    found = rows(SAR)
    assert found["Network Interface", "eth0", "Bytes Total/sec"] == [
        (datetime(2026, 3, 1, 10, 15, 45), 153600.0)
    ]
    assert found["Network Interface", "eth0", "Packets Sent/sec"][0][1] == 300.0


@pytest.mark.parametrize(
    ("banner", "line"), [("03/01/26", "11:59:55 PM"), ("2026-03-01", "23:59:55"), ("03/01/2026", "23:59:55")]
)
def test_dates_and_times_of_other_versions(banner, line):
    text = MPSTAT.replace("03/01/2026", banner).replace("11:59:55 PM", line)
    assert min(at for at, _value in rows(text)["Processor", "_Total", "% Idle Time"]) == datetime(
        2026, 3, 1, 23, 59, 55
    )


def test_a_line_that_does_not_fit_is_left_out_and_counted():
    tables = read_all(READER, SAR.replace("0.10      0.10", "0.10").encode(), "x.perf")
    assert [(row["kind"], row["count"]) for row in tables["issues"].to_pylist()] == [("damaged_row", 1)]


def test_other_texts_are_none():
    assert not is_detected(READER, "Linux is a kernel\nDevice r/s\n")
    assert not is_detected(READER, MPSTAT.split("\n")[0] + "\n")


def test_iostat_without_times_gives_facts_and_is_no_damage():
    found = facts_of(READER, UNTIMED, "iostat")
    assert found[1] == {
        "report": "1", "host": "contoso-l1", "day": "2026-03-01", "device": "sda", "tps": "30",
        "kB_read/s": "100", "kB_wrtn/s": "400", "kB_dscd/s": "0", "kB_read": "1000", "kB_wrtn": "4000",
        "kB_dscd": "0",
    }  # fmt: skip
    assert [(row["report"], row.get("device")) for row in found] == [
        ("1", None), ("1", "sda"), ("1", "dm-0"), ("2", None), ("2", "sda"),
    ]  # fmt: skip
    tables = read_all(READER, UNTIMED.encode(), "x")
    assert [(row["kind"], row["severity"]) for row in tables["issues"].to_pylist()] == [("no_times", "info")]
    assert "samples" not in tables


def test_iostat_with_times_counts_processors_and_the_bytes_of_every_unit():
    text = UNTIMED.replace("avg-cpu", "03/01/2026 10:15:45 AM\navg-cpu")
    at = datetime(2026, 3, 1, 10, 15, 45)
    for unit, factor in (("kB", 1024), ("MB", 1024**2), ("Blk", 512)):
        found = rows(text.replace("kB_", f"{unit}_"))
        assert found["PhysicalDisk", "sda", "Disk Bytes/sec"][0] == (at, 500.0 * factor)
        assert found["Processor", "_Total", "% Processor Time"][0] == (at, 15.0)


def test_json_says_what_the_table_says():
    found = rows(JSON)
    at = datetime(2026, 3, 1, 10, 15, 45)
    assert found["PhysicalDisk", "sdb", "Disk Write Bytes/sec"] == [(at, 40960.0)]
    assert found["PhysicalDisk", "sda", "% Idle Time"] == [(at, 75.0)]
    assert found["Processor", "_Total", "% Processor Time"] == [(at, 15.0)]


def test_a_torn_object_of_json_is_told():
    assert issue_kinds(READER, JSON[: JSON.index('"rkB/s": 10.00')]) == ["torn_row"]


def test_the_name_may_stand_behind_the_values_and_values_may_have_units():
    text = (
        BANNER
        + """
10:15:30 AM       tps     rkB/s     wkB/s   areq-sz    aqu-sz     await     %util DEV
10:15:45 AM     30.00      1.5M    400.0k      2.5k      0.12      3.00     25.0% sda
"""
    )
    found = rows(text)
    assert found["PhysicalDisk", "sda", "Disk Read Bytes/sec"][0][1] == 1.5 * 1024**2
    assert found["PhysicalDisk", "sda", "Avg. Disk sec/Transfer"][0][1] == 0.003
    assert found["PhysicalDisk", "sda", "% Idle Time"][0][1] == 75.0


@pytest.mark.parametrize(
    ("day", "end"),
    [("01.03.2026", "Durchschn.:"), ("2026年03月01日", "平均値:"), ("01.03.2026", "Moyenne :")],
)
def test_the_language_of_the_host_changes_dates_averages_and_the_decimal_sign(day, end):
    text = (
        MPSTAT.replace("03/01/2026", day)
        .replace("Average:", end)
        .replace(".00 ", ",00 ")
        .replace(".50 ", ",50 ")
    )
    assert rows(text)["Processor", "_Total", "% User Time"][0] == (datetime(2026, 3, 1, 23, 59, 55), 11.0)
    assert issue_kinds(READER, text) == []


def test_tables_of_other_things_are_passed_over_and_named():
    text = (
        BANNER
        + """
10:15:30 AM     LINUX RESTART\t(2 CPU)
10:15:31 AM     COM 12 disks were added

10:15:30 AM       CPU    wghMHz
10:15:45 AM       all   1123.35

10:15:30 AM    proc/s   cswch/s
10:15:45 AM      3.56  68409.30
"""
    )
    tables = read_all(READER, text.encode(), "x")
    assert [(row["kind"], row["severity"]) for row in tables["issues"].to_pylist()] == [
        ("unread_tables", "info")
    ]
    assert "proc/s" in tables["issues"]["message"][0].as_py()


def test_each_table_of_sar_has_the_whole_day():
    """sar writes the day of the processors, then the day of the network cards."""
    text = BANNER
    for head, row in (
        ("CPU     %user     %nice   %system   %iowait    %steal     %idle",
         "all      1.00      0.00      0.00      0.00      0.00     99.00"),
        ("IFACE   rxpck/s   txpck/s    rxkB/s    txkB/s", "eth0      1.00      1.00      1.00      1.00"),
    ):  # fmt: skip
        text += f"\n12:00:01 AM  {head}\n12:10:01 AM  {row}\n11:50:01 PM  {row}\n"
    days = {at.date() for series in rows(text).values() for at, _value in series}
    assert days == {datetime(2026, 3, 1).date()}


def test_a_row_whose_time_is_damaged_is_none():
    text = MPSTAT.replace("11:59:55 PM  all", "11x59:55 PM  all", 1)
    assert issue_kinds(READER, text) == ["damaged_row"]
