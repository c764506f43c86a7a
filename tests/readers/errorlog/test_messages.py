"""English messages as rows with their values (docs/formats/errorlog.md, sections 6 to 8)."""

from __future__ import annotations

import datetime as dt

import pytest

from tests.folded import folded
from tests.readers.errorlog.errorlog_rows import messages, said

GUID = "C4AD5EA4-8A99-41FA-893E-189154C24B49"
NO_ACTION = "This is an informational message only. No user action is required."
DATABASE = "Database: sales, creation date(time): 2011/09/15(21:46:19)"
LSNS = "first LSN: 163:1808:37, last LSN: 163:1824:1"
DEVICE = r"number of dump devices: 1, device information: (FILE=2, TYPE=DISK: {'D:\B\full.bak'})"
ABOUT = {
    "database": "sales",
    "creation_date": "2011-09-15 21:46:19",
    "devices": "1",
    "backup_file_number": "2",
    "device_type": "DISK",
    "device_names": r"D:\B\full.bak",
}
BETWEEN = {"first_lsn": "163:1808:37", "last_lsn": "163:1824:1"}


@pytest.mark.parametrize(
    ("text", "topic", "number", "fields"),
    [
        (
            f"Database backed up. {DATABASE}, pages dumped: 3100, {LSNS}, {DEVICE}. {NO_ACTION}",
            "backup",
            18264,
            {"kind": "full", "pages": "3100"} | BETWEEN,
        ),
        (
            f"Log was backed up. {DATABASE}, {LSNS}, {DEVICE}. {NO_ACTION}",
            "backup",
            18265,
            {"kind": "log"} | BETWEEN,
        ),
        (
            (
                f"Database file was backed up. {DATABASE}, file list: (f1, f2), pages dumped: 7, {DEVICE}. "
                f"{NO_ACTION}"
            ),
            "backup",
            18266,
            {"kind": "file", "files": "f1, f2", "pages": "7"},
        ),
        (
            f"Database differential changes were backed up. {DATABASE}, pages dumped: 114, {LSNS}, full "
            f"backup LSN: "
            f"39:1573:1, {DEVICE}. This is an informational message. No user action is required.",
            "backup",
            18270,
            {"kind": "differential", "pages": "114", "full_backup_lsn": "39:1573:1"} | BETWEEN,
        ),
        (
            (
                f"Database was restored: {DATABASE}, {LSNS}, {DEVICE}. Informational message. No user "
                f"action required."
            ),
            "restore",
            18267,
            {"kind": "full"} | BETWEEN,
        ),
        (
            (
                f"Log was restored. {DATABASE}, {LSNS}, {DEVICE}. This is an informational message. No user "
                f"action is required."
            ),
            "restore",
            18268,
            {"kind": "log"} | BETWEEN,
        ),
        (
            (
                f"Database file was restored. {DATABASE}, file list: (f1), {DEVICE}. This is an "
                f"informational message."
            ),
            "restore",
            18269,
            {"kind": "file", "files": "f1"},
        ),
    ],
)
def test_backups_and_restores(text, topic, number, fields):
    assert said(text) == (topic, number, ABOUT | fields)


@pytest.mark.parametrize(
    ("information", "expected"),
    [
        (r"FILE=1, TYPE=DISK: {'a.bak', 'b.bak'}", ("DISK", "a.bak|b.bak", "1")),
        ("FILE=1, TYPE=DISK, MEDIANAME='set: 1': {'a.bak'}", ("DISK", "a.bak", "1")),
        ("TYPE=URL: {'https://x.blob/y.bak'}", ("URL", "https://x.blob/y.bak", None)),
        (f"FILE=1, TYPE=VIRTUAL_DEVICE: {{'{{{GUID}}}'}}", ("VIRTUAL_DEVICE", f"{{{GUID}}}", "1")),
        ("FILE=1, TYPE=DISK: {‘a.bak’, ‘b.bak’}", ("DISK", "a.bak|b.bak", "1")),
    ],
)
def test_devices(information, expected):
    _topic, _number, fields = said(
        f"Log was backed up. {DATABASE}, {LSNS}, number of dump devices: 1, device information: "
        f"({information}). {NO_ACTION}"
    )
    assert (fields["device_type"], fields["device_names"], fields.get("backup_file_number")) == expected


def test_the_rate_of_a_backup():
    assert said("BACKUP DATABASE successfully processed 355 pages in 0.214 seconds (12.928 MB/sec).") == (
        "backup_rate",
        3014,
        {
            "statement": "BACKUP DATABASE",
            "operation": "backup",
            "pages": "355",
            "seconds": "0.214",
            "mb_per_s": "12.928",
        },
    )
    assert (
        said("RESTORE LOG successfully processed 0 pages in 0.001 seconds (0.000 MB/sec).")[2]["operation"]
        == "restore"
    )


@pytest.mark.parametrize(
    ("text", "number", "fields"),
    [
        (
            (
                "BACKUP failed to complete the command BACKUP DATABASE x. Check the backup application log "
                "for detailed messages."
            ),
            3041,
            {"command": "BACKUP DATABASE x", "reason": "command_failed"},
        ),
        ("BACKUP LOG is terminating abnormally.", 3013, {"statement": "BACKUP LOG", "reason": "terminated"}),
        (
            r"Cannot open backup device 'D:\x.bak'. Operating system error 5(Access is denied.).",
            3201,
            {"device": r"D:\x.bak", "os_error": "5(Access is denied.)", "reason": "cannot_open_device"},
        ),
        (
            'Write on "E:\\x.bak" failed: 112(There is not enough space on the disk.)',
            3202,
            {
                "device": r"E:\x.bak",
                "os_error": "112(There is not enough space on the disk.)",
                "reason": "write_failed",
            },
        ),
        (
            (
                r"BackupDiskFile::CreateMedia: Backup device 'E:\x.bak' failed to create. Operating system "
                r"error 3(not found)."
            ),
            18204,
            {
                "step": "BackupDiskFile::CreateMedia",
                "device": r"E:\x.bak",
                "action": "create",
                "os_error": "3(not found)",
                "reason": "cannot_open_device",
            },
        ),
        (
            "There is insufficient free space on disk volume 'E:\\' to create the database. The database "
            "requires 10 "
            "additional free bytes, while only 7 bytes are available.",
            3257,
            {"device": "E:\\", "required_bytes": "10", "available_bytes": "7", "reason": "no_space"},
        ),
    ],
)
def test_failed_backups(text, number, fields):
    assert said(text) == ("backup_failed", number, fields)


def test_a_failed_command_may_have_several_lines():
    [row] = messages(
        "2024-01-25 10:06:27.84 Backup      Error: 3041, Severity: 16, State: 1.\n"
        "2024-01-25 10:06:27.84 Backup      BACKUP failed to complete the command BACKUP DATABASE x\n"
        "to disk='y'. Check the backup application log for detailed messages.\n"
    )
    assert (row["line"], row["fields"]["command"]) == (1, "BACKUP DATABASE x\nto disk='y'")


def test_frozen_and_resumed():
    assert said(
        "I/O is frozen on database sales. No user action is required. However, if I/O is not resumed "
        "promptly, you could cancel the backup."
    ) == ("frozen", 3197, {"database": "sales"})
    assert said("I/O was resumed on database sales. No user action is required.") == (
        "resumed",
        3198,
        {"database": "sales"},
    )


STATE = (
    "The state of the local availability replica in availability group 'ag' has changed from "
    "'PRIMARY_NORMAL' to 'RESOLVING_NORMAL'."
)
WHY = (
    "The state changed because the availability group is going offline.  The replica is going offline "
    "because the "
    "associated availability group has been deleted"
)


@pytest.mark.parametrize(
    "tail",
    [
        (
            "For more information, see the SQL Server error log, Windows Server Failover Clustering (WSFC) "
            "management console, or WSFC log."
        ),
        "For more information, see the SQL Server error log or cluster log.  If this is a Windows Server "
        "Failover Clustering "
        "(WSFC) availability group, you can also see the WSFC management console.",
    ],
    ids=["2012 to 2016", "2017 on"],
)
def test_the_state_of_a_replica_with_both_tails(tail):
    assert said(f"{STATE}  {WHY}.  {tail}") == (
        "replica_state",
        19406,
        {"ag": "ag", "old_state": "PRIMARY_NORMAL", "new_state": "RESOLVING_NORMAL", "reason": WHY},
    )


@folded("product", ["Always On", "AlwaysOn"])
@folded(
    ("text", "topic", "number", "fields"),
    [
        (
            f"Availability Groups connection with secondary database terminated for primary database 'd' on "
            f"the availability "
            f"replica 'H\\I' with Replica ID: {{{GUID}}}. {NO_ACTION}",
            "database_connection",
            35267,
            {
                "event": "terminated",
                "remote_role": "secondary",
                "role": "primary",
                "database": "d",
                "replica": "H\\I",
                "replica_id": GUID,
            },
        ),
        (
            f"Availability Groups connection with primary database established for secondary database 'd' on "
            f"the availability "
            f"replica 'H' with Replica ID: {{{GUID}}}. {NO_ACTION}",
            "database_connection",
            35266,
            {
                "event": "established",
                "remote_role": "primary",
                "role": "secondary",
                "database": "d",
                "replica": "H",
                "replica_id": GUID,
            },
        ),
        (
            "Availability Groups data movement for database 'd' has been suspended for the following reason: "
            '"user" '
            "(Source ID 0; Source string: 'SUSPEND_FROM_USER'). To resume data movement on the database, you "
            "will need to",
            "data_movement",
            35264,
            {
                "event": "suspended",
                "database": "d",
                "reason": "user",
                "source_id": "0",
                "source_string": "SUSPEND_FROM_USER",
            },
        ),
        (
            f"Availability Groups data movement for database 'd' has been resumed. {NO_ACTION}",
            "data_movement",
            35265,
            {"event": "resumed", "database": "d"},
        ),
    ],
)
def test_databases_of_a_group(product, text, topic, number, fields):
    assert said(f"{product} {text}") == (topic, number, fields)


@folded(
    ("text", "topic", "number", "fields"),
    [
        (
            'The availability group database "d" is changing roles from "SECONDARY" to "RESOLVING" because '
            "the mirroring "
            f"session or availability group failed over due to role synchronization. {NO_ACTION}",
            "role_change",
            1480,
            {
                "kind": "availability group",
                "database": "d",
                "old_role": "SECONDARY",
                "new_role": "RESOLVING",
                "reason": "role synchronization",
            },
        ),
        (
            (
                "The lease between availability group 'ag' and the Windows Server Failover Cluster has "
                "expired. A connectivity issue"
            ),
            "lease",
            19407,
            {"ag": "ag", "event": "expired"},
        ),
        (
            "Windows Server Failover Cluster did not receive a process event signal from SQL Server hosting "
            "availability group "
            "'ag' within the lease timeout period.",
            "lease",
            19419,
            {"ag": "ag", "event": "no_signal_from_sql_server"},
        ),
        (
            "SQL Server hosting availability group 'ag' did not receive a process event signal from the "
            "Windows Server Failover "
            "Cluster within the lease timeout period.",
            "lease",
            19421,
            {"ag": "ag", "event": "no_signal_from_cluster"},
        ),
        (
            f"A connection timeout has occurred on a previously established connection to availability "
            f"replica 'H\\I' with id [{GUID}]."
            "  Either a networking or a firewall issue exists or the availability replica has transitioned "
            "to the resolving role.",
            "connection",
            35206,
            {"event": "timeout", "replica": "H\\I", "replica_id": GUID},
        ),
        (
            f"A connection timeout has occurred while attempting to establish a connection to availability "
            f"replica 'H' with id [{GUID}]. "
            "Either a networking or firewall issue exists, or the endpoint address provided",
            "connection",
            35201,
            {"event": "timeout_establishing", "replica": "H", "replica_id": GUID},
        ),
        (
            f"A connection for availability group 'ag' from availability replica 'A' with id  [{GUID}] to "
            f"'B' with id [{GUID[::-1]}] "
            "has been successfully established.  This is an informational message only.",
            "connection",
            35202,
            {
                "event": "established",
                "ag": "ag",
                "from_replica": "A",
                "from_replica_id": GUID,
                "replica": "B",
                "replica_id": GUID[::-1],
            },
        ),
        (
            f"The recovery LSN (49:272:1) was identified for the database with ID 6. {NO_ACTION}",
            "recovery_lsn",
            35285,
            {"recovery_lsn": "49:272:1", "database_id": "6"},
        ),
        (
            "Always On: The local replica of availability group 'ag' is preparing to transition to the "
            "resolving role in response "
            "to a request from the Windows Server Failover Clustering (WSFC) cluster.",
            "preparing",
            41075,
            {"ag": "ag", "new_role": "RESOLVING"},
        ),
        (
            "Database 'd' encountered an error (error type: 2 'DB_SHUTDOWN') causing failure of the "
            "availability group 'ag'.  "
            "Refer to the SQL Server error log for information about the errors that were encountered.",
            "ag_failure",
            41653,
            {
                "database": "d",
                "error_type": "2",
                "error_name": "DB_SHUTDOWN",
                "ag": "ag",
                "reason": "database_error",
            },
        ),
        (
            (
                "Automatic seeding of availability database 'd' in availability group 'ag' failed with a "
                "transient error. The operation will be retried."
            ),
            "seeding_failed",
            19494,
            {"database": "d", "ag": "ag", "reason": "transient"},
        ),
        (
            "Automatic seeding of availability database 'd' in availability group 'ag' failed.",
            "seeding_failed",
            19496,
            {"database": "d", "ag": "ag", "reason": "failed"},
        ),
        (
            "Parallel redo is started for database 'd' with worker pool size [2].",
            "parallel_redo",
            49930,
            {"event": "started", "database": "d", "pool_size": "2"},
        ),
        (
            "An error occurred in a Service Broker/Database Mirroring transport connection endpoint, Error: "
            "8474, State: 11. "
            "(Near endpoint role: Target, far endpoint address: '10.0.0.4')",
            "endpoint",
            9642,
            {
                "event": "connection_error",
                "error": "8474",
                "state": "11",
                "near_role": "Target",
                "far_address": "10.0.0.4",
            },
        ),
        (
            "Database Mirroring login attempt by user 'CORP\\H$.' failed with error: 'Connection handshake "
            "failed. The login "
            "'CORP\\H$' does not have CONNECT permission on the endpoint. State 84.'.  [CLIENT: 10.0.0.4]",
            "endpoint",
            None,
            {
                "event": "login_failed",
                "user": "CORP\\H$.",
                "error_text": "Connection handshake failed. The login 'CORP\\H$' does not have CONNECT "
                "permission on the endpoint. State 84.",
                "far_address": "10.0.0.4",
            },
        ),
    ],
)
def test_the_group(text, topic, number, fields):
    assert said(text) == (topic, number, fields)


@pytest.mark.parametrize(
    ("text", "topic", "fields"),
    [
        (
            "DbMgrPartnerCommitPolicy::SetSyncAndRecoveryPoint: 0C771BBE-1AE7-4067-B4F4-123519D70794:4",
            "sync_state",
            {
                "call": "SetSyncAndRecoveryPoint",
                "replica_id": "0C771BBE-1AE7-4067-B4F4-123519D70794",
                "state": "4",
            },
        ),
        (
            (
                "State information for database 'd' - Hardened Lsn: '(34:664:1)'    Commit LSN: "
                "'(34:656:1)'    Commit Time: 'Apr 25 2016 12:19PM'"
            ),
            "state_information",
            {
                "database": "d",
                "hardened_lsn": "34:664:1",
                "commit_lsn": "34:656:1",
                "commit_time": "Apr 25 2016 12:19PM",
            },
        ),
        (
            "Always On: DebugTraceVarArgs AR 'Seeding is cancelled for [$]. Reason = 215 [Seeding]'",
            "seeding_trace",
            {"database": "$", "reason": "215", "reason_text": "Seeding"},
        ),
        (
            f"Always On: DebugTraceVarArgs AR '[HADR] [Secondary] operation on replicas "
            f"[{GUID}]->[{GUID[::-1]}], database [d], "
            f"remote endpoint [TCP://192.168.2.30:5022], source operation [{GUID}]: Transitioning from "
            f"[SEEDING] to [FAILED].'",
            "seeding_trace",
            {
                "role": "Secondary",
                "local_replica_id": GUID,
                "remote_replica_id": GUID[::-1],
                "database": "d",
                "remote_endpoint": "TCP://192.168.2.30:5022",
                "operation_id": GUID,
                "old_state": "SEEDING",
                "new_state": "FAILED",
            },
        ),
        (
            "Long Sync IO: Scheduler 3 had 2 Sync IOs in nonpreemptive mode longer than 1000 ms",
            "long_sync_io",
            {"scheduler": "3", "count": "2", "milliseconds": "1000"},
        ),
        (
            "The error log has been reinitialized. See the previous log for older entries.",
            "reinitialized",
            {},
        ),
    ],
)
def test_texts_that_have_no_number(text, topic, fields):
    assert said(text) == (topic, None, fields)


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        (
            r"SQL Server has encountered 3 occurrence(s) of I/O requests taking longer than 15 seconds to "
            r"complete on file "
            r"[D:\d.mdf] in database id 5.  The OS file handle is 0x0000000000000A1C.  The offset of the "
            r"latest long I/O is: "
            r"0x00000012a40000.  The duration of the long I/O is: 17230 ms.",
            {"database_id": "5", "duration_ms": "17230"},
        ),
        (
            r"SQL Server has encountered 3 occurrence(s) of I/O requests taking longer than 15 seconds to "
            r"complete on file "
            r"[D:\d.mdf] in database [d] (5).  The OS file handle is 0x00000A1C.  The offset of the latest "
            r"long I/O is: "
            r"0x00000012a40000",
            {"database_id": "5", "database": "d"},
        ),
    ],
    ids=["2014 on", "older"],
)
def test_long_io_in_both_wordings(text, fields):
    common = {"count": "3", "seconds": "15", "file": r"D:\d.mdf", "offset": "0x00000012a40000"}
    topic, _number, found = said(text)
    assert (topic, found) == ("long_io", common | fields)


CHECKPOINT = (
    "FlushCache: cleaned up 11208 bufs with 109 writes in 463587 ms (avoided 8791 new dirty bufs) for db 10:0"
)
MORE = (
    "average writes per second:   0.24 writes/sec ",
    "average throughput:   0.19 MB/sec, I/O saturation: 1009, context switches 2085",
    "last target outstanding: 2, avgWriteLatency 111",
)


def test_a_long_checkpoint_with_its_three_continuation_lines():
    header = "2024-01-25 10:06:27.84 spid14s     "
    [row] = messages(header + CHECKPOINT + "".join(f"\n\t\t{line}" for line in MORE) + "\n")
    expected = {
        "buffers": "11208",
        "writes": "109",
        "milliseconds": "463587",
        "avoided": "8791",
        "database_id": "10",
        "writes_per_s": "0.24",
        "mb_per_s": "0.19",
        "io_saturation": "1009",
        "context_switches": "2085",
        "last_target_outstanding": "2",
        "average_write_latency_ms": "111",
    }
    assert (row["topic"], row["fields"]) == ("flush_cache", expected)
    rows = messages("".join(f"{header}{line}\n" for line in (CHECKPOINT, *MORE)))
    united: dict[str, str] = {}
    for row in rows:
        united |= row["fields"]
    assert [row["topic"] for row in rows] == ["flush_cache"] * 4
    assert united == expected


@folded(
    ("text", "topic", "number", "fields"),
    [
        (
            (
                "Autogrow of file 'f' in database 'd' took 12000 milliseconds.  Consider using ALTER "
                "DATABASE to set a smaller FILEGROWTH for this file."
            ),
            "autogrow",
            5145,
            {"event": "completed", "file": "f", "database": "d", "milliseconds": "12000"},
        ),
        (
            (
                "Autogrow of file 'f' in database 'd' was cancelled by user or timed out after 30000 "
                "milliseconds.  Use ALTER DATABASE"
            ),
            "autogrow",
            5144,
            {"event": "cancelled", "file": "f", "database": "d", "milliseconds": "30000"},
        ),
        (
            "A significant part of sql server process memory has been paged out. This may result in a "
            "performance degradation. "
            "Duration: 328 seconds. Working set (KB): 106980, committed (KB): 248044, memory utilization: "
            "43%.",
            "memory_paged_out",
            17890,
            {
                "duration_s": "328",
                "working_set_kb": "106980",
                "committed_kb": "248044",
                "utilization_percent": "43",
            },
        ),
        (
            (
                "Recovery completed for database msdb (database ID 4) in 2 second(s) (analysis 66 ms, redo "
                "0 ms, undo 630 ms.) This is"
            ),
            "recovery",
            3421,
            {
                "event": "completed",
                "database": "msdb",
                "database_id": "4",
                "seconds": "2",
                "analysis_ms": "66",
                "redo_ms": "0",
                "undo_ms": "630",
            },
        ),
        (
            (
                "181 transactions rolled forward in database 'master' (1:0). This is an informational "
                "message only. No user action is required."
            ),
            "recovery",
            3406,
            {"event": "rolled_forward", "transactions": "181", "database": "master", "database_id": "1"},
        ),
        (
            (
                "SQL Server is now ready for client connections. This is an informational message; no user "
                "action is required."
            ),
            "ready",
            17126,
            {},
        ),
        (
            f"SQL Server is terminating because of a system shutdown. {NO_ACTION}",
            "stop",
            17147,
            {"reason": "system_shutdown"},
        ),
        (
            (
                f"SQL Server is terminating in response to a 'stop' request from Service Control Manager. "
                f"{NO_ACTION}"
            ),
            "stop",
            17148,
            {"reason": "service_control"},
        ),
    ],
)
def test_the_engine(text, topic, number, fields):
    assert said(text) == (topic, number, fields)


@pytest.mark.parametrize(
    "text",
    [
        "Configuration option 'max server memory (MB)' changed from 2147483647 to 16384. Run the "
        "RECONFIGURE statement to install.",
        "Die Konfigurationsoption 'max server memory (MB)' wurde von 2147483647 in 16384 geändert. Führen "
        "Sie zum Installieren die RECONFIGURE-Anweisung aus.",
        "Se ha cambiado la opción de configuración 'max server memory (MB)' de 2147483647 a 16384. Ejecute "
        "la instrucción RECONFIGURE para instalar.",
        "L'option de configuration 'max server memory (MB)' est passée de 2147483647 à 16384. Exécutez "
        "l'instruction RECONFIGURE pour installer.",
        "構成オプション 'max server memory (MB)' が 2147483647 から 16384 に変更されました。RECONFIGURE "
        "ステートメントを実行してインストールしてください。",
    ],
)
def test_a_changed_option_in_the_languages_whose_wording_is_known(text):
    assert said(text) == (
        "option_changed",
        15457,
        {"option": "max server memory (MB)", "old_value": "2147483647", "new_value": "16384"},
    )


def test_rows_say_where_and_when_and_are_in_the_order_of_the_file():
    rows = messages(
        "2024-01-25 10:06:27.84 spid30s     I/O was resumed on database b. No user action is required.\n"
        "2024-01-25 10:06:27.85 spid51      nothing known\n"
        "2024-01-25 10:06:27.86 Backup      I/O is frozen on database a. No user action is required.\n"
        "2024-01-25 10:06:27.87 spid30s     I/O was resumed on database c. No user action is required.\n"
    )
    assert [(r["line"], r["source"], r["topic"], r["language"]) for r in rows] == [
        (1, "spid30s", "resumed", "en"),
        (3, "Backup", "frozen", "en"),
        (4, "spid30s", "resumed", "en"),
    ]
    assert rows[1]["time_local"] == dt.datetime(2024, 1, 25, 10, 6, 27, 860_000)


@pytest.mark.parametrize(
    "text",
    [
        "Login failed for user 'x'. Reason: Database backed up. Database: y",
        "Database backed up",
        "The client was unable to reuse a session with SPID 59",
        "12 transactions",
        "",
    ],
)
def test_nothing_is_recognised_where_nothing_is_said(text):
    assert messages(f"2024-01-25 10:06:27.84 spid51      {text}\n") == []


@pytest.mark.parametrize(
    ("text", "number"),
    [
        (
            "The state of the local availability replica in availability group 'ag' has changed from 'A' to "
            "'B'.  The state changed because it is coming online.",
            19406,
        ),
        (
            "A connection timeout has occurred on a previously established connection to availability "
            f"replica 'B' with id [{GUID}].",
            35206,
        ),
    ],
)
def test_a_message_is_known_without_the_sentence_that_every_such_message_ends_with(text, number):
    assert said(text)[1] == number
