"""Backups in the ERRORLOGs of strangers' machines: each has the log that it holds, each failure its cause."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.backup.preference import lsn
from agtrace.readers.errorlog import READER
from agtrace.testing import read_all
from tests.shared import CAPTURES, needs_captures

TOLD = ("backed up. Database:", "BACKUP failed to complete")


def logs():
    for folder in ("errorlog", "errorlog_excerpts", "failover_2017"):
        for path in sorted((CAPTURES / folder).rglob("*")):
            raw = path.read_bytes() if path.is_file() and "ERRORLOG" in path.name.upper() else b""
            text = raw.decode("utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8", "replace")
            if any(each in text for each in TOLD):
                yield path, raw, text


@needs_captures
@pytest.mark.parametrize(("path", "raw", "text"), list(logs()) if CAPTURES.is_dir() else [])
def test_every_backup_that_a_real_log_tells_of_is_read(path, raw, text):
    messages = read_all(READER, raw, path.name)["messages"].to_pylist()
    backups = [dict(row["fields"]) for row in messages if row["topic"] == "backup"]
    failed = [row for row in messages if row["message_id"] == 3041]
    assert (len(backups), len(failed)) == tuple(text.count(each) for each in TOLD)
    assert all(lsn(row["first_lsn"]) <= lsn(row["last_lsn"]) != () for row in backups)
