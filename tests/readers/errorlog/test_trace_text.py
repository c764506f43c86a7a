"""Text of trace flags 3004, 3014 and 3213 (docs/formats/errorlog.md, sections 4 and 5)."""

from __future__ import annotations

import datetime as dt

import pyarrow as pa
import pytest

from agtrace.readers.errorlog.detect import HEADER
from agtrace.readers.errorlog.trace_text import TRACE_LINES, TraceText
from simulation.formats.errorlog import BUFFER_CONFIGURATION, Log
from tests.folded import folded
from tests.readers.errorlog.errorlog_rows import messages, tables
from tests.shared import CAPTURES, needs_captures


def parse_text(lines: tuple[str, ...]) -> pa.RecordBatch:
    """Parse pasted lines, each with or without an ERRORLOG header."""
    parsed = [_split(number, line) for number, line in enumerate(lines, 1)]
    parser = TraceText()
    batch = parser.feed(pa.RecordBatch.from_pylist(parsed, TRACE_LINES))
    return pa.concat_batches([batch, parser.finish()])


def _split(number: int, line: str) -> dict[str, object]:
    text = line.rstrip("\r\n")
    match = HEADER.match(text)
    if match is None:
        return {"line": number, "time_local": None, "source": "", "message": text}
    try:
        time = dt.datetime.fromisoformat(match[1].ljust(23, "0"))
    except ValueError:
        return {"line": number, "time_local": None, "source": "", "message": text}
    return {"line": number, "time_local": time, "source": match[2], "message": match[3] or ""}


def rows(*lines: str) -> list[dict]:
    return [row | {"fields": dict(row["fields"])} for row in parse_text(lines).to_pylist()]


def fields(line: str) -> dict[str, str]:
    [row] = rows(line)
    return row["fields"]


def phases(*lines: str) -> list[str]:
    return [row["fields"]["phase"] for row in rows(*lines)]


OLD = (
    "BackupDatabase: Database AdventureWorks",
    "Backup: Media open",
    "Backup: Clearing differential bitmaps",
    "Backup: Bitmaps cleared",
    "BackupDatabase: Checkpoint done",
    "Backup: Scanning allocation bitmaps",
    "Backup: Done with allocation bitmaps",
    "Calculating expected total data to write",
    "Total(189267968)",
    "BackupDatabase: Work estimates done",
    "Backup: DBReaderCount = 1",
)
NEW = (
    "Backup(AdventureWorks): BACKUP DATABASE started",
    "Backup(AdventureWorks): The backup media set is open",
    "Backup(AdventureWorks): Clearing differential bitmaps",
    "Backup(AdventureWorks): Differential bitmaps are cleared",
    "Backup(AdventureWorks): Checkpoint is complete (elapsed = 90 ms)",
    "Backup(AdventureWorks): Scanning allocation bitmaps",
    "Backup(AdventureWorks): Scanning allocation bitmaps is complete",
    "Backup(AdventureWorks): Calculating expected size of total data",
    "Backup(AdventureWorks): TotalSize=189267968 bytes",
    "Backup(AdventureWorks): Work estimation is complete",
    "Backup(AdventureWorks): Number of data file readers = 1",
)


def test_both_generations_give_the_same_phases():
    assert phases(*OLD) == phases(*NEW)
    assert phases(*OLD) == [
        "started",
        "media_open",
        "clear_differential_bitmaps",
        "differential_bitmaps_cleared",
        "checkpoint_complete",
        "scan_bitmaps",
        "bitmaps_scanned",
        "estimate_size",
        "total_size",
        "size_estimated",
        "reader_count",
    ]


@pytest.mark.parametrize("lines", [OLD, NEW], ids=["up to 2014", "2016 on"])
def test_every_line_of_an_operation_knows_its_database_and_where_it_began(lines):
    for row in rows(*lines):
        assert row["fields"]["operation"] == "backup"
        assert row["fields"]["database"] == "AdventureWorks"
        assert row["fields"]["operation_line"] == "1"


P = {"operation": "backup", "database": "d"}


@folded(
    ("text", "expected"),
    [
        ("Checkpoint is complete (elapsed = 90 ms)", {"phase": "checkpoint_complete", "elapsed_ms": "90"}),
        (
            (
                "Effective options: Checksum=1, Compression=1, Encryption=0, BufferCount=7, "
                "MaxTransferSize=1024 KB"
            ),
            {
                "phase": "effective_options",
                "checksum": "1",
                "compression": "1",
                "encryption": "0",
                "buffer_count": "7",
                "max_transfer_size_kb": "1024",
            },
        ),
        (
            "Start LSN: 74:5558:61, SERepl LSN: 0:0:0",
            {"phase": "start_lsn", "lsn": "74:5558:61", "replication_lsn": "0:0:0"},
        ),
        ("Last LSN: 74:5586:1", {"phase": "last_lsn", "lsn": "74:5586:1"}),
        (
            "FID=1, ExpectedExtents=655, IsDifferentialMapAccurate=0",
            {"phase": "file_estimate", "file_id": "1", "extents": "655"},
        ),
        (
            (
                "FID=65537, Size=9437184 bytes, ExpectedExtents=133, AlignedDataSize=8192512 bytes, "
                "OverheadSize=518144 bytes"
            ),
            {"phase": "file_estimate", "file_id": "65537", "extents": "133", "bytes": "9437184"},
        ),
        (
            "Estimated total size = 95303680 bytes (data size = 95289344 bytes, log size = 14336 bytes)",
            {"phase": "estimated_size", "bytes": "95303680", "data_bytes": "95289344", "log_bytes": "14336"},
        ),
        (
            r"BackupStream(0): Writing leading metadata to the device D:\DATA\b.bak",
            {"phase": "leading_metadata_device", "stream": "0", "device": r"D:\DATA\b.bak"},
        ),
        (r"Reading the data file D:\a b.mdf", {"phase": "read_file", "file": r"D:\a b.mdf"}),
        (
            "BackupStream(1): Writing MSDA of size 1296 extents",
            {"phase": "write_stream", "stream": "1", "extents": "1296"},
        ),
        (
            "42 percent (40894464/95303680 bytes) processed",
            {"phase": "progress", "percent": "42", "bytes": "40894464", "total_bytes": "95303680"},
        ),
        (
            "BackupStream(0): Padding MSDA with 65536 bytes",
            {"phase": "stream_padding", "stream": "0", "bytes": "65536"},
        ),
        (
            "BackupStream(0): Total MSDA size = 1296 extents",
            {"phase": "stream_total", "stream": "0", "extents": "1296"},
        ),
        (
            "InitialExpectedSize=84869120 bytes, FinalSize=84869121 bytes, ExcessMode=0",
            {"phase": "stream_growth", "initial_bytes": "84869120", "bytes": "84869121", "excess_mode": "0"},
        ),
        (
            "Something new of a later version (elapsed = 7 ms)",
            {
                "phase": "other",
                "text": "Something new of a later version (elapsed = 7 ms)",
                "elapsed_ms": "7",
            },
        ),
    ],
)
def test_values_of_the_newer_generation(text, expected):
    assert fields(f"Backup(d): {text}") == P | expected


@folded(
    ("line", "expected"),
    [
        (
            "FID(1) ExpectedExt(2888) DiffMapAccurate(0)",
            {"phase": "file_estimate", "file_id": "1", "extents": "2888"},
        ),
        (
            "BackupStream(0): Starting MSDA of size 384 extents",
            {"phase": "write_stream", "stream": "0", "extents": "384"},
        ),
        (r"Started file C:\a b.mdf", {"phase": "read_file", "file": r"C:\a b.mdf"}),
        (r"Completed file C:\a b.mdf", {"phase": "file_read", "file": r"C:\a b.mdf"}),
        ("Padding MSDA with 327680 bytes", {"phase": "stream_padding", "bytes": "327680"}),
        (
            "BackupStream(0): Total MSDA: 384 extents",
            {"phase": "stream_total", "stream": "0", "extents": "384"},
        ),
        (
            "Backup data streams: Initial=189267968 Final=189267968 ExcessMode=0",
            {
                "operation": "backup",
                "phase": "stream_growth",
                "initial_bytes": "189267968",
                "bytes": "189267968",
                "excess_mode": "0",
            },
        ),
        (
            "BackupLog: Family(0) StreamSize=0x10000",
            {"operation": "backup", "phase": "log_stream", "stream": "0"},
        ),
        (
            "Restore: Attached database d as DBID=15",
            {"operation": "restore", "phase": "attached", "database": "d", "database_id": "15"},
        ),
        (
            "FileHandleCache: 0 files opened. CacheSize: 12",
            {"phase": "file_handles", "files": "0", "cache_size": "12"},
        ),
        ("Shared Backup BufferQ count: 7", {"phase": "buffer_queue", "buffers": "7"}),
    ],
)
def test_values_of_the_older_generation(line, expected):
    assert fields(line) == expected


def test_database_names_with_brackets_and_blanks():
    assert fields("Backup(a b): Copying data files")["database"] == "a b"
    assert fields("Backup(a (old)): Copying data files")["database"] == "a (old)"


def test_operations_of_two_sessions_are_kept_apart():
    stamp = "2024-01-25 10:06:27.84"
    found = rows(
        f"{stamp} spid51      BackupDatabase: Database one",
        f"{stamp} spid52      BackupDatabase: Database two",
        f"{stamp} spid51      Backup: Media open",
        f"{stamp} spid52      Backup: Media open",
        f"{stamp} spid53      Backup: Media open",
    )
    assert [
        (row["source"], row["fields"].get("database"), row["fields"].get("operation_line")) for row in found
    ] == [
        ("spid51", "one", "1"),
        ("spid52", "two", "2"),
        ("spid51", "one", "1"),
        ("spid52", "two", "2"),
        ("spid53", None, None),
    ]


@pytest.mark.parametrize(
    "end",
    [
        "Backup(one): BACKUP DATABASE finished",
        "BACKUP DATABASE successfully processed 355 pages in 0.214 seconds (12.928 MB/sec).",
        "BACKUP DATABASE is terminating abnormally.",
    ],
)
def test_after_its_end_a_session_works_on_something_else(end):
    found = rows(
        "BackupDatabase: Database one", "Backup: Media open", end, r"Zeroing completed on D:\other.mdf"
    )
    assert found[1]["fields"]["database"] == "one"
    assert found[-1]["topic"] == "zeroing"
    assert found[-1]["fields"] == {"event": "completed", "path": r"D:\other.mdf"}


def test_zeroing_says_where_and_how_much():
    assert fields(r"Zeroing D:\a b_log.ldf from page 1 to 64000 (0x2000 to 0x1f400000)") == {
        "event": "started",
        "path": r"D:\a b_log.ldf",
        "start_page": "1",
        "end_page": "64000",
        "start_byte": "8192",
        "end_byte": "524288000",
        "bytes": "524279808",
    }
    assert fields(r"Zeroing completed on D:\x.ldf (elapsed = 88 ms)") == {
        "event": "completed",
        "path": r"D:\x.ldf",
        "elapsed_ms": "88",
    }
    assert fields(r"FixupLogTail(progress) zeroing D:\x.ldf from 0x5000 to 0x6000.") == {
        "event": "log_tail",
        "path": r"D:\x.ldf",
        "start_byte": "20480",
        "end_byte": "24576",
        "bytes": "4096",
    }


FULL = {
    "memory_limit_mb": "2300",
    "buffer_count": "7",
    "sets_of_buffers": "3",
    "max_transfer_size_kb": "1024",
    "min_max_transfer_size_kb": "64",
    "total_mb": "21",
    "tabular_data_device_count": "1",
    "fulltext_data_device_count": "0",
    "filestream_device_count": "0",
    "txf_device_count": "0",
    "filesystem_io_alignment_bytes": "512",
    "media_buffer_count": "7",
    "media_buffer_size_kb": "1024",
    "encode_buffer_count": "7",
    "total_matches": "true",
}


def test_a_buffer_configuration_is_one_row_with_every_value():
    [row] = rows(*BUFFER_CONFIGURATION)
    assert (row["line"], row["topic"], row["fields"]) == (1, "buffer_configuration", FULL)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (
            ("Memory limit: 3325MB", "Buffer count:               6", "Max transfer size:          1024 KB"),
            {"memory_limit_mb": "3325", "buffer_count": "6", "max_transfer_size_kb": "1024"},
        ),
        (
            ("FileTree data device count: 2", "Buffers per read stream:    6"),
            {"fulltext_data_device_count": "2", "buffers_per_read_stream": "6"},
        ),
        (
            ("Media Buffer size:          1024KB", "Media Buffer count:           13"),
            {"media_buffer_size_kb": "1024", "media_buffer_count": "13"},
        ),
        (("MaxTransferSize: 4 MB", "BufferCount: 1"), {"max_transfer_size_kb": "4096", "buffer_count": "1"}),
    ],
)
def test_spellings_of_all_versions(lines, expected):
    assert [row["fields"] for row in rows(*lines)] == [expected]


@pytest.mark.parametrize(
    ("sets", "count", "size", "total", "matches"),
    [
        (3, 7, 1024, 21, "true"),
        (None, 6, 1024, 6, "true"),
        (1, 13, 64, 1, "true"),
        (1, 13, 1024, 12, "false"),
        (3, 7, 1024, 7, "false"),
    ],
)
def test_the_total_is_checked_by_arithmetic(sets, count, size, total, matches):
    lines = [f"BufferCount: {count}", f"MaxTransferSize: {size} KB", f"Total buffer space: {total} MB"]
    if sets is not None:
        lines.append(f"Sets Of Buffers: {sets}")
    assert rows(*lines)[0]["fields"]["total_matches"] == matches


def test_a_block_ends_at_the_first_other_line_of_its_session():
    stamp = "2024-01-25 10:06:27.84"
    found = rows(
        f"{stamp} spid51      BufferCount: 7",
        f"{stamp} spid52      BufferCount: 8",
        f"{stamp} spid51      MaxTransferSize: 64 KB",
        f"{stamp} spid52      something else",
        f"{stamp} spid52      BufferCount: 9",
        f"{stamp} spid52      MaxTransferSize: 128 KB",
        f"{stamp} spid51      something else",
    )
    assert [(row["line"], row["source"], row["fields"]) for row in found] == [
        (1, "spid51", {"buffer_count": "7", "max_transfer_size_kb": "64"}),
        (5, "spid52", {"buffer_count": "9", "max_transfer_size_kb": "128"}),
    ]


def test_two_blocks_without_anything_between_are_two():
    found = rows("BufferCount: 7", "MaxTransferSize: 64 KB", "BufferCount: 8", "MaxTransferSize: 128 KB")
    assert [row["fields"]["buffer_count"] for row in found] == ["7", "8"]


def test_a_single_line_is_no_block():
    assert rows("Memory limit: 895MB") == []


def test_a_block_belongs_to_the_operation_of_its_session():
    found = rows("BackupDatabase: Database d", *BUFFER_CONFIGURATION, "Backup: Media open")
    [block] = [row for row in found if row["topic"] == "buffer_configuration"]
    assert block["fields"] == FULL | P | {"operation_line": "1"}


def test_what_is_open_stays_open_between_calls():
    lines = (OLD[0], *BUFFER_CONFIGURATION, OLD[1], *NEW)
    whole = rows(*lines)
    parser = TraceText()
    parts = []
    for number, line in enumerate(lines, 1):
        one = {"line": number, "time_local": None, "source": "", "message": line}
        parts += parser.feed(pa.RecordBatch.from_pylist([one], TRACE_LINES)).to_pylist()
    parts += parser.finish().to_pylist()
    found = [row | {"fields": dict(row["fields"])} for row in parts]
    assert sorted(found, key=lambda row: row["line"]) == sorted(whole, key=lambda row: row["line"])


def test_an_event_that_names_its_database_gives_the_same_values():
    lines = pa.RecordBatch.from_pylist(
        [
            {
                "line": 1,
                "source": "a",
                "message": "Copying data files",
                "operation": "backup",
                "database": "d",
            },
            {
                "line": 2,
                "source": "a",
                "message": "Last LSN: 74:5586:1",
                "operation": "backup",
                "database": "d",
            },
        ],
        pa.schema([*TRACE_LINES, ("operation", pa.string()), ("database", pa.string())]),
    )
    found = [dict(row["fields"]) for row in TraceText().feed(lines).to_pylist()]
    assert found == [P | {"phase": "copy_data"}, P | {"phase": "last_lsn", "lsn": "74:5586:1"}]


def test_lines_with_headers_keep_time_and_source():
    [row] = rows("2024-01-25 10:06:27.84 spid51      Backup(d): Copying data files")
    assert (row["line"], row["time_local"], row["source"], row["topic"]) == (
        1,
        dt.datetime(2024, 1, 25, 10, 6, 27, 840_000),
        "spid51",
        "phase",
    )


@pytest.mark.parametrize(
    "line",
    [
        "Login failed for user 'Backup: x'.",
        "Database 'd' cannot be opened.",
        "Database d",
        "BackupDiskFile::OpenMedia: Backup device 'x' failed to open.",
        "24 transactions rolled forward in database 'master' (1:0).",
        "Total server memory: 5",
        "",
    ],
)
def test_other_lines_give_nothing(line):
    assert rows(line) == []


def test_a_traced_backup_in_a_log_gives_phases_configuration_and_outcome():
    log = Log().backup("sales", pages=355)
    found = messages(log.windows())
    assert [row["topic"] for row in found] == [
        "phase",
        "phase",
        "phase",
        "buffer_configuration",
        *["phase"] * 10,
        "backup",
        "backup_rate",
    ]
    assert found[3]["line"] == 4
    assert found[3]["fields"]["database"] == "sales"
    assert {row["fields"]["operation_line"] for row in found[:14]} == {"1"}


@pytest.mark.complete
def test_blocks_of_any_size_give_the_same_rows():
    log = Log()
    for number in range(6):
        log.backup(f"db{number}", session=f"spid{51 + number % 2}")
    whole = tables(log.windows())["messages"].sort_by("line")
    for size in (64, 1000, 4096):
        assert tables(log.windows(), size)["messages"].sort_by("line").equals(whole)


def excerpt(name: str) -> list[dict]:
    text = (CAPTURES / "errorlog_excerpts" / name).read_text("utf-8")
    return rows(*text.splitlines())


def configuration(name: str) -> dict[str, str]:
    [row] = [row for row in excerpt(name) if row["topic"] == "buffer_configuration"]
    return row["fields"]


@needs_captures
@pytest.mark.parametrize(
    ("name", "count", "size", "total", "more"),
    [
        ("tf3213_sql2005sp2_psssql.txt", "6", "1024", "6", {"buffers_per_read_stream": "6"}),
        (
            "tf3213_sql2012_azure_seed004.txt",
            "13",
            "1024",
            "13",
            {"sets_of_buffers": "1", "tabular_data_device_count": "4"},
        ),
        (
            "tf3004_3014_3213_sql2016_sqldocs.txt",
            "7",
            "1024",
            "21",
            {"sets_of_buffers": "3", "encode_buffer_count": "7", "database": "backuptest"},
        ),
        (
            "tf3213_sql2014_compression_noheader.txt",
            "7",
            "1024",
            "21",
            {"sets_of_buffers": "3", "encode_buffer_count": "7"},
        ),
    ],
)
def test_the_four_layouts(name, count, size, total, more):
    found = configuration(name)
    assert (found["buffer_count"], found["max_transfer_size_kb"], found["total_mb"]) == (count, size, total)
    assert found["total_matches"] == "true"
    assert more.items() <= found.items()


@needs_captures
@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("tf3004_3014_backup_sql2005_2008_noheader.txt", 18),
        ("tf3004_restore_sql2012_ssc31889.txt", 21),
        ("tf3004_restore_sql2014_sqlservergeeks_noheader.txt", 13),
    ],
)
def test_every_line_of_the_older_excerpts_is_understood(name, lines):
    found = excerpt(name)
    assert len(found) == lines
    assert not [row for row in found if row["fields"].get("phase") == "other"]
    assert {row["fields"]["operation_line"] for row in found} == {"1"}


@needs_captures
def test_every_line_of_the_newer_excerpt_is_understood():
    found = excerpt("tf3004_3014_3213_sql2016_sqldocs.txt")
    steps = [row["fields"] for row in found if row["topic"] == "phase"]
    # 55 lines, 15 of them the configuration.
    assert len(steps) == 40
    assert not [step for step in steps if step["phase"] == "other"]
    assert {(step["operation"], step["database"]) for step in steps} == {("backup", "backuptest")}
