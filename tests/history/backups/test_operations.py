"""Which backups and restores a log holds, and what is known of each."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from agtrace import open_case
from agtrace.diagnostics.backup import Backup
from simulation.formats.xel import Event, XelFile, event_schema, filetime
from simulation.formats.xel_sessions import SCHEMAS, SQLMIN
from tests.diagnostics.backup.cases import (
    backed_up,
    backup_case,
    buffers,
    interleaved,
    log,
    processed,
    restored,
    traced,
)
from tests.shared import CAPTURES, needs_captures


def rows_of(*logs, **more):
    return backup_case(*logs, **more).table("select * from backups order by operation_id").to_pylist()


def seconds(row, name="start_local"):
    """Seconds of a local time after noon of the test's day."""
    time = row[name]
    return (
        None
        if time is None
        else (time.hour - 12) * 3600 + time.minute * 60 + time.second + time.microsecond / 1e6
    )


def short(row, *names):
    return tuple(row[name] for name in names)


def test_a_traced_backup_is_one_row_with_everything():
    (row,) = rows_of(
        interleaved(
            traced("Sales", 0, 100, pages=128_000, devices=r"'E:\a.bak', 'F:\b.bak'", volumes=4, count=13,
                   files=(r"G:\s1.mdf", r"H:\s2.ndf"))
        )
    )  # fmt: skip
    assert short(row, "database", "operation", "kind", "status") == ("Sales", "backup", "full", "completed")
    assert (seconds(row), seconds(row, "end_local"), row["duration_s"]) == (0, 100, 100)
    assert short(row, "start_source", "rate_source") == ("trace", "message 3014")
    assert (row["pages"], row["bytes"], row["mb_per_s"]) == (128_000, 128_000 * 8192, 10.005)
    assert short(row, "media", "stripes", "device_names") == ("DISK", 2, r"E:\a.bak|F:\b.bak")
    assert short(row, "buffer_count", "sets_of_buffers", "max_transfer_size_kb", "total_mb") == (
        13, 1, 1024, 13,
    )  # fmt: skip
    assert short(row, "total_matches", "memory_limit_mb", "readers", "volumes") == (True, 895, 4, 4)
    assert short(row, "media_buffer_count", "media_buffer_size_kb", "encode_buffer_count") == (13, 1024, None)
    devices = ("fulltext_devices", "filestream_devices", "txf_devices")
    assert short(row, "min_transfer_size_kb", "io_alignment_bytes", *devices) == (64, 512, 0, 0, 0)
    assert short(row, "compression", "checksum", "files") == (False, None, 2)
    assert short(row, "source", "line", "is_snapshot", "beside") == ("spid51", 1, False, 0)


def test_the_time_of_each_stage():
    (row,) = rows_of(interleaved(traced("Sales", 0, 100)))
    assert dict(row["stages"]) == pytest.approx({"prepare": 0.2, "data": 99.5, "finish": 0.3})


def test_backups_at_the_same_time_do_not_mix():
    rows = rows_of(
        interleaved(
            traced("A", 0, 100, pages=1000, spid="spid51", count=7),
            traced("B", 0.005, 100, pages=2000, spid="spid52", count=50, size_kb=4096, devices="'F:\\B.bak'"),
            traced("C", 0.01, 100, pages=3000, spid="spid53", count=100, sets=3),
        )
    )  # fmt: skip
    found = [short(row, "database", "source", "pages", "buffer_count", "total_mb", "beside") for row in rows]
    assert found == [
        ("A", "spid51", 1000, 7, 7, 2),
        ("B", "spid52", 2000, 50, 200, 2),
        ("C", "spid53", 3000, 100, 300, 2),
    ]
    assert [row["device_names"] for row in rows] == [r"E:\b.bak", r"F:\B.bak", r"E:\b.bak"]


def test_rates_of_backups_that_end_together_go_by_pages():
    rows = rows_of(
        log(
            (0, "Backup", backed_up("A", 1007)), (0, "Backup", backed_up("B", 2007)),
            (0.1, "Backup", processed("BACKUP DATABASE", 2000, 4)),
            (0.1, "Backup", processed("BACKUP DATABASE", 1000, 8)),
        )
    )  # fmt: skip
    assert [short(row, "database", "pages", "duration_s") for row in rows] == [("A", 1000, 8), ("B", 2000, 4)]


def test_a_lost_rate_does_not_shift_the_others():
    entries = [(20.0 * n, "Backup", backed_up(f"D{n}", 1007)) for n in range(4)]
    entries += [(20.0 * n + 0.1, "Backup", processed("BACKUP DATABASE", 1000 + n, 4)) for n in (0, 2, 3)]
    rows = rows_of(interleaved(entries))
    assert [short(row, "database", "pages") for row in rows] == [
        ("D0", 1000), ("D1", 1007), ("D2", 1002), ("D3", 1003),
    ]  # fmt: skip
    assert [row["mb_per_s"] is None for row in rows] == [False, True, False, False]


def test_a_log_backup_beside_a_full_one_of_the_same_database():
    full = [
        (0, "spid51", "Backup(Sales): BACKUP DATABASE started"),
        (1, "spid51", "Backup(Sales): Copying data files"),
        (90, "spid51", r"Backup(Sales): Completed reading the data file G:\s.mdf"),
        (100, "Backup", backed_up("Sales", 1007)),
        (100.1, "spid51", "Backup(Sales): BACKUP DATABASE finished"),
    ]
    of_log = [
        (40, "spid60", "Backup(Sales): BACKUP LOG started"),
        (41, "spid60", "Backup(Sales): Opening the backup media set"),
        (95, "Backup", backed_up("Sales", 0, kind="log")),
        (95.1, "spid60", "Backup(Sales): BACKUP LOG finished"),
    ]
    rows = rows_of(interleaved(full, of_log))
    assert [short(row, "kind", "source", "duration_s", "beside") for row in rows] == [
        ("full", "spid51", 100, 1),
        ("log", "spid60", 55, 1),
    ]


def test_without_trace_flags_the_start_comes_from_the_rate():
    rows = rows_of(
        log(
            (10, "Backup", backed_up("Sales", 507)),
            (10.1, "Backup", processed("BACKUP DATABASE", 500, 4)),
            (20, "Backup", backed_up("Sales", 107, kind="differential")),
            (20.1, "Backup", processed("BACKUP DATABASE WITH DIFFERENTIAL", 100, 2)),
            (30, "Backup", backed_up("Sales", 0, kind="log", media="URL", devices="'https://x/y.trn'")),
        )
    )
    assert [short(row, "kind", "start_source", "duration_s", "pages") for row in rows] == [
        ("full", "message 3014", 4, 500),
        ("differential", "message 3014", 2, 100),
        ("log", None, None, None),
    ]
    assert [seconds(row) for row in rows] == [6, 18, None]
    assert [row["idle_s"] for row in rows] == [None, 8, None]
    assert short(rows[2], "media", "stripes", "buffer_count", "mb_per_s") == ("URL", 1, None, None)


def test_a_version_without_message_3014_is_measured_by_its_trace():
    (row,) = rows_of(interleaved(traced("Sales", 0, 100, pages=12_793, rate=False)))
    assert short(row, "pages", "mb_per_s", "rate_source") == (12_800, 1.0, "pages and traced time")


def test_a_restore():
    (row,) = rows_of(
        log(
            (0, "spid53", "RestoreDatabase: Database Sales"),
            (0.1, "spid53", "Restore: PreparingContainers"),
            (0.1, "spid53", r"Zeroing D:\s.ldf from page 1 to 64000 (0x2000 to 0x1f400000)"),
            (0.2, "spid53", "Restore: Containers are ready"),
            (0.3, "spid53", "Restore: Transferring data to Sales"),
            (9.5, "spid53", "Restore: Waiting for log zero on Sales"),
            (19.0, "spid53", "Restore: LogZero complete"),
            (19.2, "spid53", "Restore: Backup set restored"),
            (19.5, "Backup", restored("Sales")),
            (19.6, "Backup", processed("RESTORE DATABASE", 1000, 19)),
        )
    )
    assert short(row, "operation", "kind", "status", "pages") == ("restore", "full", "completed", 1000)
    assert dict(row["stages"]) == pytest.approx(
        {"create files": 0.1, "data": 9.4, "finish": 0.3, "prepare": 0.2, "zero log": 9.5}
    )


DENIED = (
    r"BackupDiskFile::CreateMedia: Backup device 'R:\s.bak' failed to create. Operating system error 3(The "
    r"system cannot find the path specified.)."
)
FAILED = (
    "BACKUP failed to complete the command BACKUP {}. Check the backup application log for detailed messages."
)


def test_a_failure_with_its_messages():
    (row,) = rows_of(
        log(
            (0, "spid51", "BackupDatabase: Database my db"),
            (1, "spid51", "Error: 18204, Severity: 16, State: 1."),
            (1, "spid51", DENIED),
            (1, "Backup", "Error: 3041, Severity: 16, State: 1."),
            (1, "Backup", FAILED.format("DATABASE [my db] WITH DIFFERENTIAL")),
        )
    )
    assert short(row, "database", "operation", "kind", "status") == (
        "my db", "backup", "differential", "failed",
    )  # fmt: skip
    assert short(row, "message_ids", "device_names", "source") == ([18204, 3041], r"R:\s.bak", "spid51")
    assert short(row, "duration_s", "mb_per_s") == (1, None)


def test_a_failure_is_not_given_to_the_success_after_it():
    rows = rows_of(
        interleaved(
            [(0, "spid51", "BackupDatabase: Database Sales"), (5, "Backup", FAILED.format("DATABASE Sales"))],
            [
                (60, "Backup", backed_up("Sales", 1007)),
                (60.1, "Backup", processed("BACKUP DATABASE", 1000, 9)),
            ],
        )
    )
    assert [short(row, "status", "source", "duration_s") for row in rows] == [
        ("failed", "spid51", 5),
        ("completed", None, 9),
    ]


def test_causes_that_no_message_closes_are_a_failure_of_their_own():
    (row,) = rows_of(log((1, "spid51", DENIED), (1.5, "spid51", DENIED)))
    assert short(row, "status", "operation", "database", "message_ids") == (
        "failed", None, None, [18204, 18204],
    )  # fmt: skip


def test_finished_in_the_trace_is_finished_without_its_message():
    (row,) = rows_of(
        log(
            (0, "spid51", "Backup(Sales): BACKUP DATABASE started"),
            (50, "spid51", "Backup(Sales): BACKUP DATABASE finished"),
        )
    )
    assert short(row, "database", "status", "duration_s") == ("Sales", "completed", 50)


def test_buffers_that_could_belong_to_two_backups_belong_to_none():
    blocks = [(float(n), f"spid{51 + n}", text) for n in (0, 1) for text in buffers(13 + n)]
    done = [(90.0, "Backup", backed_up("A", 1007)), (91.0, "Backup", backed_up("B", 1007))]
    rows = rows_of(interleaved(blocks, done))
    found = {short(row, "database", "buffer_count", "status") for row in rows}
    assert found == {
        (None, 13, "unfinished"), (None, 14, "unfinished"), ("A", None, "completed"),
        ("B", None, "completed"),
    }  # fmt: skip


def test_a_snapshot_copies_no_data():
    (row,) = rows_of(
        log(
            (0, "spid60", (
                "I/O is frozen on database Sales. No user action is required. However, if I/O is not "
                "resumed promptly, you could cancel the backup."
            )),
            (3, "spid60", "I/O was resumed on database Sales. No user action is required."),
            (4, "Backup", backed_up("Sales", 1007, "'{39B75A24-0000}'", media="VIRTUAL_DEVICE")),
        )
    )  # fmt: skip
    assert short(row, "media", "is_snapshot") == ("VIRTUAL_DEVICE", True)


def streamed(statement, text, at):
    return log((at, "Backup", text), (at, "Backup", processed(statement, 128_000, 100)))


def test_the_two_ends_of_a_seeding_are_not_measured_as_a_choice_of_media():
    sent = backed_up("Sales", 128_000, "'{39B75A24-0000}'", media="VIRTUAL_DEVICE")
    taken = restored("Sales", "'{11C0AB10-0000}'", media="VIRTUAL_DEVICE")
    ends = (streamed("BACKUP DATABASE", sent, 100.0), streamed("RESTORE DATABASE", taken, 102.0))
    case = backup_case(*ends, hosts=("A", "B"))
    backup = Backup(case)
    (seeding,) = case.table("select backup_ids from seedings").to_pylist()
    every = case.table("select operation_id from backups order by operation_id")
    assert seeding["backup_ids"] == every["operation_id"].to_pylist()
    assert backup.findings() == []
    assert "2 of them are the two ends of seedings" in backup.say_summary()


def test_a_backup_to_a_virtual_device_that_nothing_restores_is_measured():
    sent = backed_up("Sales", 128_000, "'{39B75A24-0000}'", media="VIRTUAL_DEVICE")
    case = backup_case(streamed("BACKUP DATABASE", sent, 100.0), hosts=("A",))
    assert [f.id for f in Backup(case).findings()] == ["backup.throughput"]


def test_a_backup_goes_on_in_the_next_file_only_after_a_cycle():
    first, rest = traced("Sales", 0, 100)[:-2], traced("Sales", 0, 100)[-2:]
    cycled = [
        (50.0, "spid70", "The error log has been reinitialized. See the previous log for older entries.")
    ]
    (row,) = rows_of(log(*first), interleaved(cycled, rest))
    assert short(row, "status", "duration_s", "buffer_count") == ("completed", 100, 7)
    rows = rows_of(log(*first), log(*rest))
    assert [row["status"] for row in rows] == ["completed", "unfinished"] or [
        row["status"] for row in rows
    ] == ["unfinished", "completed"]


def test_servers_are_kept_apart():
    logs = [interleaved(traced("Sales", 0, 100, pages=n)) for n in (1000, 2000)]
    rows = rows_of(*logs, hosts=("A", "B"))
    assert {short(row, "host_id", "pages", "beside") for row in rows} == {("A", 1000, 0), ("B", 2000, 0)}


def test_labelled_runs_are_those_in_which_most_of_it_lies():
    rows = rows_of(
        interleaved(traced("Sales", 0, 100), traced("Sales", 200, 100), traced("Sales", 400, 100)),
        runs="""
            one | cache=ON  | 2024-03-04T12:00:00 | 2024-03-04T12:01:35
            two | cache=OFF | 2024-03-04T12:03:00 | 2024-03-04T12:06:00
        """,
    )
    assert [row["label"] for row in rows] == ["one", "two", None]
    assert rows[0]["factors"] == '{"cache": "ON"}'


def test_an_unknown_clock_leaves_local_times():
    (row,) = rows_of(interleaved(traced("Sales", 0, 100)), utc=False)
    assert short(row, "start", "end") == (None, None)
    assert (seconds(row), row["duration_s"]) == (0, 100)


def test_what_is_no_backup_makes_none():
    assert (
        rows_of(
            log(
                (0, "spid52", r"Zeroing D:\l.ldf from page 0 to 1024 (0x0 to 0x800000)"),
                (0.1, "spid52", r"Zeroing completed on D:\l.ldf (elapsed = 88 ms)"),
                (1, "spid53", "FileHandleCache: 0 files opened. CacheSize: 12"),
                (2, "spid7s", "Starting up database 'test'."),
            )
        )
        == []
    )


# The files of others


@pytest.mark.complete
@needs_captures
def test_the_layouts_of_trace_flag_3213():
    def block(name):
        rows = rows_of((CAPTURES / "errorlog_excerpts" / name).read_text(encoding="utf-8"))
        names = ("buffer_count", "max_transfer_size_kb", "total_mb", "sets_of_buffers", "encode_buffer_count")
        return [short(row, *names) for row in rows]

    assert block("tf3213_sql2005sp2_psssql.txt") == [(6, 1024, 6, None, None)]
    assert block("tf3213_sql2012_azure_seed004.txt") == [(13, 1024, 13, 1, None)]
    assert block("tf3004_3014_3213_sql2016_sqldocs.txt") == [(7, 1024, 21, 3, 7)]


@needs_captures
def test_the_layout_that_was_quoted_without_headers():
    text = (CAPTURES / "errorlog_excerpts" / "tf3213_sql2014_compression_noheader.txt").read_text(
        encoding="utf-8"
    )
    (row,) = rows_of(log(*((0, "spid51", line) for line in text.splitlines())))
    assert short(row, "buffer_count", "max_transfer_size_kb", "total_mb", "sets_of_buffers") == (
        7, 1024, 21, 3,
    )  # fmt: skip
    assert short(row, "encode_buffer_count", "memory_limit_mb", "volumes", "status") == (
        7, None, None, "unfinished",
    )  # fmt: skip


@needs_captures
def test_the_newer_wording_with_effective_options():
    text = (CAPTURES / "errorlog_excerpts" / "tf3004_3014_3213_sql2016_sqldocs.txt").read_text(
        encoding="utf-8"
    )
    (row,) = rows_of(text)
    assert short(row, "database", "compression", "checksum", "encryption") == (
        "backuptest", True, True, False,
    )  # fmt: skip
    assert short(row, "readers", "files", "estimated_bytes", "status") == (1, 2, 95_303_680, "unfinished")


@pytest.mark.complete
@needs_captures
def test_real_logs_hold_the_backups_that_they_tell_of_and_no_other():
    places = [CAPTURES / "errorlog", *(CAPTURES / "failover_2017").glob("ze-*")]
    logs = [
        path
        for place in places
        for path in sorted(place.iterdir())
        if "errorlog" in path.name.lower().rpartition("__")[2]
        and "FDLAUNCH" not in path.name
        and path.stat().st_size
    ]
    assert len(logs) > 40
    names = tuple(path.name.split("__")[0] + path.parent.name for path in logs)
    rows = rows_of(*(path.read_bytes() for path in logs), hosts=names)
    found = sorted(short(row, "database", "operation", "kind", "pages", "mb_per_s") for row in rows)
    assert [(name[:10], *rest) for name, *rest in found] == [
        ("BackupLocD", "backup", "full", 307, 16.54),
        ("ProjectDB", "backup", "differential", 105, 25.436),
        ("ProjectDB", "backup", "full", 497, 53.102),
        ("ProjectDB", "backup", "full", 689, 57.811),
        ("ProjectDB", "backup", "log", None, None),
        ("test102004", "restore", "full", 307, 9.084),
        ("videojuego", "backup", "full", 355, 12.928),
    ]
    assert {row["status"] for row in rows} == {"completed"}


# Extended Events that carry the same text


STEPS = (
    (0, "BACKUP DATABASE started"),
    (1, "Copying data files"),
    (1, "Number of data file readers = 2"),
    (90, r"Completed reading the data file G:\s.mdf"),
    (100, "BACKUP DATABASE finished"),
)


SCHEMA = event_schema(
    "backup_restore_progress_trace",
    dict(SCHEMAS["backup_restore_progress_trace"].columns),
    {"session_id": "uint16"},
    package=SQLMIN,
)


def with_events(folder, rows, errorlog=""):
    """Return the operations of a server two hours ahead of UTC; rows: (local seconds, session, database,
    text).
    """
    events = [
        Event(
            SCHEMA,
            int(s * 10_000_000),
            {"operation_type": 0, "trace_level": 0, "database_name": database, "trace_message": text},
            {"session_id": session} if session else {},
        )
        for s, session, database, text in sorted(rows, key=lambda row: row[0])
    ]
    file = XelFile(base=filetime(datetime(2024, 3, 4, 10, tzinfo=UTC)))
    (folder / "SQL1").mkdir()
    (folder / "SQL1" / "backup_0_133506180000000000.xel").write_bytes(file.write(events))
    head = [(-60.0, "Server", "UTC adjustment: 2:00")]
    (folder / "SQL1" / "ERRORLOG").write_text(log(*head) + errorlog, encoding="utf-8", newline="")
    with open_case(folder) as case:
        return case.view.table("select * from backups order by operation_id").to_pylist()


@pytest.mark.parametrize("sessions", [(51, 52), (0, 0)])
def test_events_alone_are_operations(tmp_path, sessions):
    rows = [(s + 5 * n, session, "AB"[n], text) for n, session in enumerate(sessions) for s, text in STEPS]
    found = with_events(tmp_path, rows)
    assert [short(row, "host_id", "database", "status", "duration_s", "readers") for row in found] == [
        ("SQL1", "A", "completed", 100, 2),
        ("SQL1", "B", "completed", 100, 2),
    ]
    assert [seconds(row) for row in found] == [0, 5]
    assert found[0]["start"] == datetime(2024, 3, 4, 10, tzinfo=UTC)


def test_events_tell_what_the_log_of_the_same_backup_lacks(tmp_path):
    done = log(
        (99.9, "Backup", backed_up("A", 1007)), (100, "Backup", processed("BACKUP DATABASE", 1000, 99))
    )
    (row,) = with_events(tmp_path, [(s, 51, "A", text) for s, text in STEPS], done)
    assert short(row, "kind", "pages", "readers", "start_source") == ("full", 1000, 2, "trace")
    assert row["duration_s"] == pytest.approx(99.9)


def test_what_the_log_traced_as_well_counts_once(tmp_path):
    text = log(*((s, "spid51", f"Backup(A): {text}") for s, text in STEPS))
    (row,) = with_events(tmp_path, [(s + 0.2, 51, "A", text) for s, text in STEPS], text)
    assert short(row, "database", "duration_s", "line") == ("A", 100, 2)


def test_events_of_another_backup_of_the_database_stay_apart(tmp_path):
    done = log((5000, "Backup", backed_up("A", 1007)))
    found = with_events(tmp_path, [(s, 51, "A", text) for s, text in STEPS], done)
    assert [short(row, "status", "start_source") for row in found] == [
        ("completed", "trace"),
        ("completed", None),
    ]


def test_an_operation_goes_on_in_the_next_file_of_events(tmp_path):
    file = XelFile(base=filetime(datetime(2024, 3, 4, 10, tzinfo=UTC)))
    events = [
        Event(SCHEMA, s * 10_000_000, {"operation_type": 0, "trace_level": 0, "database_name": "A",
            "trace_message": t},
              {"session_id": 51})
        for s, t in STEPS
    ]  # fmt: skip
    (tmp_path / "SQL1").mkdir()
    (tmp_path / "SQL1" / "b_0_133506180000000000.xel").write_bytes(file.write(events[:2]))
    later = file.rollover(1).write(events[2:])
    (tmp_path / "SQL1" / "b_0_133506180900000000.xel").write_bytes(later)
    with open_case(tmp_path) as case:
        (row,) = case.view.table("select * from backups order by operation_id").to_pylist()
    assert short(row, "status", "duration_s", "readers") == ("completed", 100, 2)


MIDDLE = "<<... middle part of file not captured because the file is too large (>1 GB) ...>>\n"


def halves(*entries, at):
    """Write a log whose middle, from some seconds on, was left out."""
    head, tail = (log(*(e for e in entries if (e[0] < at) is is_head)) for is_head in (True, False))
    return f"{head}{MIDDLE}{tail}"


def test_an_end_behind_what_the_log_leaves_out_is_that_of_another_backup():
    found = rows_of(halves(*traced("Sales", 0, 100), at=50))
    assert [short(row, "status", "start_source") for row in found] == [
        ("unfinished", "trace"),
        ("completed", "message 3014"),
    ]


def test_the_file_behind_one_that_was_cut_goes_on_with_its_tail():
    first = halves(*traced("A", 0, 10), *traced("Sales", 80, 100)[:3], at=50)
    cycled = log(
        (100, "spid5s", "The error log has been reinitialized. See the previous log for older entries."),
        *traced("Sales", 80, 100)[3:],
    )  # fmt: skip
    found = rows_of(first, cycled)
    assert [short(row, "database", "status", "duration_s") for row in found] == [
        ("A", "completed", 10),
        ("Sales", "completed", 100),
    ]


def test_idle_time_begins_anew_behind_what_the_log_leaves_out():
    entries = [e for start in (0, 30, 200, 230) for e in traced("Sales", start, 10)]
    found = rows_of(halves(*entries, at=100))
    assert [row["idle_s"] for row in found] == [None, 20, None, 20]


CLOSING = (
    "BACKUP failed to complete the command BACKUP DATABASE Sales. Check the backup application log for "
    "detailed messages."
)
READ = 'Read on "/d/sales.mdf" failed: 87(The parameter is incorrect.)'
ECHO = (
    "BackupVirtualDeviceFile::RequestDurableMedia: Flush failure on backup device "
    "'{C70CC0DC-9573-4A37-8C97-2A2CFCA6F2E0}'. Operating system error 995(aborted)."
)


def test_the_file_that_a_backup_could_not_read_is_no_device():
    (row,) = rows_of(log((0, "spid61", ECHO), (0, "spid61", READ), (1, "Backup", CLOSING)))
    device = "{C70CC0DC-9573-4A37-8C97-2A2CFCA6F2E0}"
    assert short(row, "unread_file", "device_names", "is_of_seeding") == ("/d/sales.mdf", device, False)


@pytest.mark.parametrize(
    ("file", "expected"), [("D:\\s.mdf", ("D:\\s.mdf", None)), ("D:\\s.bak", (None, "D:\\s.bak"))]
)
def test_a_backup_reads_nothing_but_files_of_its_database(file, expected):
    device = f"BackupMedium::ReportIoError: read failure on backup device '{file}'."
    failed = f"{device} Operating system error 23(bad)."
    (row,) = rows_of(log((0, "spid61", failed), (1, "Backup", CLOSING)))
    assert (row["unread_file"], row["device_names"]) == expected


def test_the_file_of_a_damaged_page_was_not_read():
    page = "BACKUP 'Sales' detected an error on page (1:57) in file '/d/sales.mdf'."
    (row,) = rows_of(log((0, "spid61", page), (1, "Backup", CLOSING)))
    assert row["unread_file"] == "/d/sales.mdf"


def test_a_system_session_that_fails_to_write_a_virtual_device_is_a_seeding():
    (row,) = rows_of(log((0, "spid61s", ECHO), (1, "Backup", CLOSING)))
    assert row["is_of_seeding"]


@pytest.mark.parametrize(("seconds_before", "ids"), [(10, [701, 3041]), (11, [3041])])
def test_want_of_memory_just_before_belongs_to_the_failure(seconds_before, ids):
    short_of = [
        (20 - seconds_before, "spid54", "Error: 701, Severity: 17, State: 123."),
        (20 - seconds_before, "spid54", "There is insufficient system memory in resource pool 'x'."),
    ]
    (row,) = rows_of(log(*short_of, (20, "Backup", CLOSING)))
    assert row["message_ids"] == ids
