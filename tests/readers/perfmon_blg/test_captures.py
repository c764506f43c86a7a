"""Real binary logs: what Windows shows of them, and what damage leaves."""

from __future__ import annotations

import itertools
import re
import statistics
import struct
from collections import Counter
from datetime import datetime

import pytest

import agtrace
from agtrace.errors import CaptureError
from agtrace.readers import detect
from agtrace.readers.base import Source
from agtrace.readers.perfmon_blg import READER
from agtrace.testing import check_same_in_any_block_size, read_all
from tests.readers.damage import run
from tests.readers.perfmon_blg.blg_logs import kinds, values
from tests.shared import CAPTURES, needs_captures

pytestmark = [needs_captures, pytest.mark.complete]
BLG = CAPTURES / "blg"
LOGS = ["PowerShell_CounterSamples.blg", "Tx_BasicPerfCounters.blg", "PAL_SampleLog.blg"]


def read(name: str):
    return read_all(READER, (BLG / name).read_bytes(), name)


@pytest.mark.parametrize(
    ("name", "series", "rows", "cells", "told"),
    [
        ("PowerShell_CounterSamples.blg", 10, 25, 242, {}),
        ("Tx_BasicPerfCounters.blg", 10, 601, 6000, {}),
        ("PAL_SampleLog.blg", 1832, 11, 17278, {"assumed_first_appearance": 72}),
    ],
)
def test_everything_is_read(name, series, rows, cells, told):
    tables = read(name)
    found = [tables[table].num_rows for table in ("counters", "ticks", "samples")]
    assert (found, kinds(tables)) == ([series, rows, cells], told)


@pytest.mark.parametrize(
    ("name", "first", "offset", "zone", "windows"),
    [
        (
            "PowerShell_CounterSamples.blg",
            datetime(2016, 11, 26, 13, 46, 30, 874_000),
            "-480",
            "Pacific Standard Time",
            "10.0.14393",
        ),
        (
            "Tx_BasicPerfCounters.blg",
            datetime(2013, 2, 19, 18, 50, 17, 844_000),
            "-480",
            "Pacific Standard Time",
            "6.2.9200",
        ),
        (
            "PAL_SampleLog.blg",
            datetime(2007, 8, 14, 15, 40, 38, 659_000),
            "-240",
            "Eastern Daylight Time",
            "6.0.6000",
        ),
    ],
)
def test_times_are_local_and_the_offset_is_in_the_samples(name, first, offset, zone, windows):
    tables = read(name)
    assert tables["ticks"]["time_local"][0].as_py() == first
    facts = {row["key"]: row["value"] for row in tables["facts"].to_pylist()}
    assert (facts["utc_offset_minutes"], facts["zone_name"]) == (offset, zone)
    assert facts["windows"] == windows


def plain_timer(data: bytes, block: int, instance: int) -> list[float]:
    """Cook an inverse 100-ns timer of many instances from the bytes alone, as this log lays them."""
    raw = []
    for buffer in range(0, len(data), 0x10000):
        used = struct.unpack_from("<I", data, buffer + 0x30)[0]
        at = buffer + 0x48
        while at + 8 <= buffer + used:
            is_header = data[at + 2] == 2
            size = struct.unpack_from("<H", data, at + (4 if is_header else 0))[0]
            if not is_header and data[at + 4] == 0x22:
                place = at + 0x48 + 8
                for _ in range(block):
                    place += struct.unpack_from("<I", data, place + 4)[0]
                raw.append(struct.unpack_from("<qq", data, place + 0x28 + 0x18 * instance))
            at += (size + 7) // 8 * 8
    pairs = itertools.pairwise(raw)
    return [max(0.0, 100 * (1 - (n1 - n0) / (d1 - d0))) for (n0, d0), (n1, d1) in pairs]


@pytest.mark.parametrize(
    ("instance", "name", "mean", "deviation"),
    [(0, "0", 16.728452732432142, 13.990059030249482), (4, "_Total", 11.52734163656267, 8.452973025861843)],
)
def test_processor_time_of_ten_minutes(instance, name, mean, deviation):
    found = values(read(LOGS[1]))[rf"\\GEORGIS3\Processor({name})\% Processor Time"]
    assert list(found) == list(range(1, 601))
    expected = plain_timer((BLG / LOGS[1]).read_bytes(), 5, instance)
    assert list(found.values()) == expected
    assert statistics.fmean(expected) == pytest.approx(mean, rel=1e-12)
    assert statistics.pstdev(expected) == pytest.approx(deviation, rel=1e-12)


class TestWholeObjects:
    """A log of eight objects of a 32-bit Windows."""

    @pytest.fixture
    def cells(self):
        return values(read(LOGS[2]))

    def test_57_process_names(self, cells):
        names = {m[1] for m in (re.search(r"\\Process\((.*)\)\\", path) for path in cells) if m}
        assert len(names) == 57
        repeated = Counter(name.split("#")[0] for name in names)
        assert (repeated["svchost"], repeated["csrss"]) == (13, 2)
        assert {"csrss#1", "svchost#12", "_Total", "Idle", "rundll32#1"} <= names
        assert "svchost#13" not in names

    @pytest.mark.parametrize(
        ("whole", "parts"),
        [
            (r"Process({})\% Processor Time", [r"Process({})\% User Time", r"Process({})\% Privileged Time"]),
            (
                r"Process({})\IO Data Bytes/sec",
                [r"Process({})\IO Read Bytes/sec", r"Process({})\IO Write Bytes/sec"],
            ),
            (
                r"Process({})\IO Data Operations/sec",
                [r"Process({})\IO Read Operations/sec", r"Process({})\IO Write Operations/sec"],
            ),
        ],
    )
    def test_processes_add_up(self, cells, whole, parts):
        compared = 0
        for name in ("System", "svchost", "svchost#5", "lsass"):
            for tick, value in cells["\\\\ZACH-PC\\" + whole.format(name)].items():
                total = sum(cells["\\\\ZACH-PC\\" + part.format(name)][tick] for part in parts)
                assert value == pytest.approx(total, rel=1e-9, abs=1e-9)
                compared += 1
        assert compared == 40

    def test_disks_add_up(self, cells):
        disk = r"\\ZACH-PC\PhysicalDisk(_Total)" + "\\"
        for tick in range(1, 11):
            of = {name: cells[disk + name][tick] for name in DISK}
            assert of["Disk Transfers/sec"] == pytest.approx(of["Disk Reads/sec"] + of["Disk Writes/sec"])
            assert of["Avg. Disk Queue Length"] == pytest.approx(
                of["Avg. Disk Read Queue Length"] + of["Avg. Disk Write Queue Length"]
            )
            assert of["Disk Bytes/sec"] == pytest.approx(
                of["Avg. Disk Bytes/Transfer"] * of["Disk Transfers/sec"], rel=1e-4
            )
            assert of["Avg. Disk Queue Length"] == pytest.approx(
                of["Avg. Disk sec/Transfer"] * of["Disk Transfers/sec"], rel=2e-4
            )

    def test_the_time_since_the_boot_of_the_header(self, cells):
        facts = {row["key"]: row["value"] for row in read(LOGS[2])["facts"].to_pylist()}
        boot = datetime.fromisoformat(facts["boot"].removesuffix("Z"))
        first = datetime(2007, 8, 14, 19, 40, 38, 659_000)
        up = cells[r"\\ZACH-PC\System\System Up Time"]
        assert list(up) == list(range(11))
        assert up[0] == pytest.approx((first - boot).total_seconds(), abs=2e-3)

    def test_memory_in_three_units(self, cells):
        memory = r"\\ZACH-PC\Memory\Available {}".format
        for tick in range(11):
            available = cells[memory("Bytes")][tick]
            assert cells[memory("KBytes")][tick] == available // 1024
            assert cells[memory("MBytes")][tick] == available // 2**20


DISK = (
    "Disk Transfers/sec",
    "Disk Reads/sec",
    "Disk Writes/sec",
    "Disk Bytes/sec",
    "Avg. Disk Queue Length",
    "Avg. Disk Read Queue Length",
    "Avg. Disk Write Queue Length",
    "Avg. Disk Bytes/Transfer",
    "Avg. Disk sec/Transfer",
)


def test_a_text_log_by_the_name_of_a_binary_one_is_read_as_what_it_is():
    path = BLG / "PowerShell_CorruptBlg.blg"
    data = path.read_bytes()
    assert READER.detect(data[:65536], path.name) is None
    with pytest.raises(CaptureError, match="no event trace at offset 0"):
        list(READER.read(Source.of_path(path)))
    reader, hit = detect(data[:65536], path.name)
    assert (reader.name, hit.kind) == ("pdh_text", "perfmon text log")
    tables = read_all(reader, data, path.name)
    assert [tables[t].num_rows for t in ("counters", "ticks", "samples")] == [8, 500, 3993]
    facts = {row["key"]: row["value"] for row in tables["facts"].to_pylist()}
    assert (facts["zone_name"], facts["bias_minutes"]) == ("Pacific Daylight Time", "420")
    assert kinds(tables) == {"signature_missing": 1, "duplicate_series": 1, "no_line_end": 1}


@pytest.mark.parametrize("name", LOGS)
def test_blocks_of_any_size_give_the_same(name):
    data = (BLG / name).read_bytes()
    check_same_in_any_block_size(READER, data, name, sizes=(997, 65536, 100_000))


@pytest.mark.parametrize("name", LOGS)
def test_damage_gives_rows_or_one_error(name):
    """The long run: ``python -m tests.readers.damage perfmon_blg FILE.. --runs 100000``."""
    found = run(READER, (BLG / name).read_bytes(), name, 200, seed=4)
    assert min(found.values()) > 10


def test_read_blg_gives_a_row_per_value():
    begin = datetime(2016, 11, 26, 13, 47)
    table = agtrace.read_blg(BLG / LOGS[0], counters=("*processor(_total)*",), begin=begin)
    names = ["time", "time_local", "host", "sql_instance", "object", "instance", "counter", "value"]
    assert table.column_names == names
    first = table.slice(0, 1).to_pylist()[0]
    assert (first["host"], first["object"], first["instance"], first["counter"]) == (
        "charlieparker",
        "Processor",
        "_total",
        "% Processor Time",
    )
    assert min(table["time_local"].to_pylist()) >= begin
    with pytest.raises(CaptureError, match="is not a binary performance log"):
        agtrace.read_blg(BLG / "PowerShell_CounterSamples.csv")
