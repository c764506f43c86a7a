"""``agtrace info`` says what a capture is."""

from __future__ import annotations

import json
import zipfile

import pytest

from tests.readers.query_results.small import PERF

LOG = (
    b"2026-03-14 09:00:00.10 Server      Microsoft SQL Server 2022 (RTM) - 16.0.1000.6 (X64) \r\n"
    b"2026-03-14 09:00:00.11 Server      UTC adjustment: -6:30\r\n"
    b"2026-03-14 09:00:00.12 Server      Server name is 'SQLA\\TWO'. This is an informational message only. "
    b"No user action is required.\r\n"
    b"2026-03-14 10:30:00.00 spid51      Recovery is complete. This is an informational message only. No "
    b"user action is required.\r\n"
)
CSV = (
    b'"(PDH-CSV 4.0) (Paris, Madrid (heure d","\\\\SQLA\\MSSQL$TWO:Databases(x)\\Log Bytes Flushed/sec"\r\n'
    b'"03/14/2026 09:00:00.000"," "\r\n'
    b'"03/14/2026 09:00:05.000","1"\r\n'
    b'"03/14/2026 09:00:10.000","2",\r\n'
)


@pytest.fixture
def files(tmp_path):
    (tmp_path / "ERRORLOG").write_bytes(LOG)
    (tmp_path / "log.csv").write_bytes(CSV)
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "sales.csv").write_bytes(b"region,amount\n")
    return tmp_path


def test_errorlog(agtrace, files):
    ran = agtrace("info", files / "ERRORLOG")
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[:5] == [
        f"{files}/ERRORLOG",
        f"  kind       SQL Server ERRORLOG, {len(LOG)} bytes",
        "  host       SQLA\\TWO",
        "  from       2026-03-14 09:00:00 to 2026-03-14 10:30:00 (1 h 30 min)",
        "  clock      local time, UTC-6:30",
    ]
    assert lines[5].startswith("  holds      4 entries, ")
    assert lines[6] == "  damage     none"


def test_perfmon_with_damage(agtrace, files):
    ran = agtrace("info", files / "log.csv")
    assert ran.status == 0
    lines = ran.out.splitlines()
    assert lines[:8] == [
        f"{files}/log.csv",
        f"  kind       perfmon text log, {len(CSV)} bytes",
        "  host       SQLA",
        "  instance   TWO",
        "  from       2026-03-14 09:00:00 to 2026-03-14 09:00:05 (5 s)",
        "  clock      local time; the file does not say how far from UTC",
        "  interval   5 s",
        "  holds      1 series, 2 sample times, 1 values, 4 facts",
    ]
    assert any(line.startswith("  data loss  rows with another number of cells") for line in lines)
    assert "  damage     none" not in lines


def test_what_is_not_read(agtrace, files):
    ran = agtrace("info", files / "empty", files / "sales.csv")
    assert ran.status == 0
    assert ran.out.splitlines() == [
        f"{files}/empty",
        "  kind       empty, 0 bytes",
        "  why        0 bytes",
        "",
        f"{files}/sales.csv",
        "  kind       not understood, 14 bytes",
        "  why        no reader knows this format",
        "",
    ]


def test_zip_lists_its_members(agtrace, files):
    with zipfile.ZipFile(files / "x.zip", "w") as archive:
        archive.write(files / "log.csv", "sub/log.csv")
        archive.write(files / "ERRORLOG", "sub/ERRORLOG")
    ran = agtrace("info", files / "x.zip", "--json")
    told = json.loads(ran.out)
    assert [(t["path"].removeprefix(f"{files}/"), t["status"]) for t in told] == [
        ("x.zip", "recognised"),
        ("x.zip!/sub/ERRORLOG", "ingested"),
        ("x.zip!/sub/log.csv", "ingested"),
    ]
    assert told[2]["rows"] == {"counters": 1, "facts": 4, "ticks": 2, "samples": 1}


def test_json(agtrace, files):
    told = json.loads(agtrace("info", "--json", files / "ERRORLOG").out)
    assert len(told) == 1
    wanted = {
        "path": f"{files}/ERRORLOG",
        "bytes": len(LOG),
        "kind": "SQL Server ERRORLOG",
        "status": "ingested",
        "reader": "errorlog",
        "first_local": "2026-03-14 09:00:00.100000",
        "utc_offset_minutes": -390,
        "issues": [],
    }
    assert {key: told[0][key] for key in wanted} == wanted
    assert told[0]["rows"]["errorlog"] == 4


def test_missing_file_and_folder_are_named_and_the_rest_is_told(agtrace, files):
    (files / "sub").mkdir()
    ran = agtrace("info", files / "no", files / "sub", files / "empty")
    assert ran.status == 2
    assert ran.err.splitlines() == [
        f"agtrace: {files}/no: no such file",
        f"agtrace: {files}/sub: is a folder - use 'agtrace ingest'",
    ]
    assert ran.out.startswith(f"{files}/empty\n")


def test_damaged_capture_is_status_1(agtrace, files):
    (files / "log.csv").write_bytes(CSV[:60])
    ran = agtrace("info", files / "log.csv")
    assert ran.status == 1
    assert "the file ends inside its header line" in ran.out


def test_rowsets_are_counted(agtrace, files):
    (files / "perf.out").write_bytes(PERF.encode())
    lines = agtrace("info", files / "perf.out").out.splitlines()
    assert "  holds      3 rowsets, 9 rows of them, 5 facts" in [line.rstrip() for line in lines]
