"""Backups of encrypted databases that ran with small transfers."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from agtrace.diagnostics import backup
from agtrace.diagnostics.backup.rows import Tde
from agtrace.diagnostics.backup.tde import compressions
from tests.diagnostics.asking import ask

NOON = datetime(2024, 3, 5, 12, tzinfo=UTC)
LOCAL = NOON.replace(tzinfo=None)
TAKEN: dict[str, Any] = {
    "host_id": "A", "sql_instance": "X", "database": "Pay", "operation": "backup", "kind": "full",
    "status": "completed", "max_transfer_size_kb": 64, "compression": None, "sets_of_buffers": 3,
    "mb_per_s": 10.0, "start": NOON, "end": NOON, "start_local": LOCAL, "end_local": LOCAL,
}  # fmt: skip
SET = {
    "topic": "database_option", "host_id": "A", "content_id": "c", "line": 7, "time_local": LOCAL,
    "fields": [("database", "pay"), ("option", "ENCRYPTION"), ("value", "ON")],
}  # fmt: skip
LISTED = {"host_id": "A", "database": "PAY", "is_encrypted": True, "content_id": "c", "line": 3}
PLAIN = LISTED | {"is_encrypted": False}
SERVER = {"host_id": "A", "sql_instance": "X", "version": "13.0.4001.0"}


def rows(*taken, option: str = "ON", listed=PLAIN):
    import pyarrow as pa

    said = SET | {"fields": [*SET["fields"][:2], ("value", option)]}
    schema = pa.schema(
        [("topic", pa.string()), ("host_id", pa.string()), ("content_id", pa.string()), ("line", pa.int64()),
         ("time_local", pa.timestamp("us")), ("fields", pa.map_(pa.string(), pa.string()))]
    )  # fmt: skip
    return ask(
        backup,
        "tde",
        backups=list(taken or [TAKEN]),
        log_messages=pa.Table.from_pylist([said], schema=schema),
        databases=[listed],
        captures=[{"content_id": "c", "path": "log"}],
        server_versions=[SERVER],
    )


def test_an_option_of_the_log_or_a_snapshot_shows_that_a_database_is_encrypted():
    assert [row["place"] for row in rows()] == ["log line 7"]
    assert rows(option="OFF") == []
    assert rows(option="OFF", listed=LISTED) == []


@pytest.mark.parametrize(
    ("more", "n"),
    [
        ({}, 1),
        ({"max_transfer_size_kb": 65}, 0),
        ({"sets_of_buffers": 1}, 0),
        ({"sets_of_buffers": 2}, 1),
        ({"compression": False}, 0),
        ({"compression": True, "sets_of_buffers": None}, 1),
        ({"status": "failed"}, 0),
        ({"operation": "restore"}, 0),
        ({"database": "Other"}, 0),
    ],
)
def test_a_compressed_backup_with_transfers_of_64_kb_is_told(more, n):
    assert len(rows(TAKEN | more)) == n


def test_larger_transfers_are_compared():
    (row,) = rows(TAKEN, TAKEN | {"max_transfer_size_kb": 1024, "mb_per_s": 30.0})
    assert (row["n"], row["larger"], row["mb_per_s"], row["larger_mb_per_s"]) == (1, 1, 10.0, 30.0)


@pytest.mark.parametrize(("version", "can"), [("13.0.1", True), ("12.0.1", False), (None, None)])
def test_encrypted_pages_are_compressed_from_2016_on(version, can):
    (row,) = rows()
    (judged,) = compressions([Tde(**row | {"version": version})])
    assert (judged.facts["can"], judged.confidence) == (can, 0.6 if can is None else 0.9)
