"""Reports of mpstat, iostat and sar."""

from __future__ import annotations

from datetime import datetime

import pytest

from agtrace.readers.sysstat import READER
from simulation.formats.linux_support import IOSTAT, MPSTAT, SAR
from tests.readers.contract import check_reader, read_all
from tests.readers.fact_texts import is_detected


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


@pytest.mark.parametrize("text", [MPSTAT, IOSTAT, SAR])
def test_contract(text):
    check_reader(READER, text.encode(), "x.perf", "samples", flips=2_000)


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
