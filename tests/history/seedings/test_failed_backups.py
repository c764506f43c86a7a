"""Backups of seedings that failed are reasons of the seedings."""

from __future__ import annotations

from tests.diagnostics.backup.cases import backup_case, log

DEVICE = "{C70CC0DC-9573-4A37-8C97-2A2CFCA6F2E0}"
ECHO = (
    f"BackupVirtualDeviceFile::RequestDurableMedia: Flush failure on backup device '{DEVICE}'. "
    "Operating system error 995(aborted)."
)
READ = 'Read on "/d/sales.mdf" failed: 87(The parameter is incorrect.)'
FAILED = (
    "BACKUP failed to complete the command BACKUP DATABASE Sales. Check the backup application log for "
    "detailed messages."
)


def tried(second: float, spid: str) -> list[tuple[float, str, str]]:
    texts = ["Error: 18210, Severity: 16, State: 1.", ECHO, "Error: 3203, Severity: 16, State: 1.", READ]
    closing = ["Error: 3041, Severity: 16, State: 1.", FAILED]
    return [*((second, spid, text) for text in texts), *((second + 1, "Backup", text) for text in closing)]


def seedings(spid: str) -> list[dict]:
    case = backup_case(log(*tried(0, spid), *tried(300, spid)))
    query = "select database, source_host, outcome, attempts, failures from seedings"
    return case.table(query).to_pylist()


def test_attempts_that_could_not_read_the_database_are_one_seeding_that_failed():
    (row,) = seedings("spid61s")
    assert (row["database"], row["source_host"], row["outcome"], row["attempts"]) == (
        "Sales", "SQL1", "failed", 2,
    )  # fmt: skip
    assert {(each["text"], each["message_id"]) for each in row["failures"]} == {(READ, 3203)}


def test_the_backup_of_a_user_is_no_seeding():
    assert seedings("spid61") == []
