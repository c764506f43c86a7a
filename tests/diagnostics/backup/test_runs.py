"""Which operations are runs that can be compared, which ran alone, with which configuration."""

from __future__ import annotations

from typing import Any

import pytest

from agtrace.diagnostics import backup
from tests.diagnostics.asking import ask
from tests.diagnostics.backup.test_queries import at, local

ALONE = {
    "operation_id": 1, "host_id": "A", "start": at(0), "end": at(60), "start_local": local(0),
    "end_local": local(60), "file_names": ["F:\\x.mdf"], "device_names": "E:\\x.bak", "status": "completed",
    "beside": 0,
}  # fmt: skip


@pytest.mark.parametrize(
    "more",
    [{"status": "failed"}, {"beside": 1}, {"host_id": None}, {"start_local": None}, {"end_local": None}],
)
def test_what_ran_alone_completed_on_a_known_host_at_known_times(more):
    rows = ask(
        backup, "alone", backups=[ALONE | {"operation_id": 2}, ALONE | more, ALONE | {"operation_id": 0}]
    )
    assert [row["operation_id"] for row in rows] == [0, 2]


# With which configuration.

NUMBERED: dict[str, Any] = dict.fromkeys(
    ("sql_instance", "buffer_count", "sets_of_buffers", "max_transfer_size_kb", "min_transfer_size_kb",
     "media_buffer_count", "media_buffer_size_kb", "encode_buffer_count", "readers", "volumes",
     "fulltext_devices", "filestream_devices", "txf_devices", "io_alignment_bytes", "memory_limit_mb",
     "compression", "has_options", "total_matches", "total_mb"), 1,
) | {
    "operation_id": 1, "host_id": "A", "sql_instance": "MSSQLSERVER", "database": "Sales", "media": "DISK",
    "operation": "backup", "kind": "full", "stripes": 1, "device_names": "E:\\x.bak", "factors": "{}",
}  # fmt: skip


def configured(*rows: dict[str, Any], database: str | None = None) -> list[tuple[Any, ...]]:
    backups = [NUMBERED | {"operation_id": number} | row for number, row in enumerate(rows)]
    found = ask(backup, "numbered", {"database": database}, backups=backups)
    found.sort(key=lambda row: row["operation_id"])
    return [(row["operation_id"], row["target"], row["configuration"]) for row in found]


@pytest.mark.parametrize(
    ("devices", "target"),
    [("NUL", "NUL"), ("nul", "NUL"), ("NUL|NUL", "NUL"), ("Nul|E:\\x.bak", "NUL"), ("E:\\NUL", "DISK"),
     ("NULL", "DISK"), (None, "DISK")],
)  # fmt: skip
def test_a_backup_to_nul_has_it_as_its_target(devices, target):
    assert configured({"device_names": devices}) == [(0, target, 1)]


# Runs that can be compared.

RUN = NUMBERED | {
    "server": "A", "start_local": local(0), "idle_s": 9999.0, "target": "DISK", "checksum": None,
    "files": 1, "mb_per_s": 5.0, "duration_s": 9.0, "bytes": 7, "beside": 0, "is_seeding": False,
}  # fmt: skip
SERVER = {
    "host_id": "A", "sql_instance": "MSSQLSERVER", "product": "SQL Server 2016", "version": "13.0.1",
    "only_version": "13.0.1", "level": "RTM", "edition": "x", "os": "x", "logical_processors": 8,
    "memory_mb": 1024,
}  # fmt: skip


def runs(*rows: dict[str, Any], cold: float = 2700.0) -> list[dict[str, Any]]:
    given = [RUN | {"operation_id": number} | row for number, row in enumerate(rows)]
    backups = [
        {name: row[name] for name in ("operation_id", "server", "start_local", "idle_s")} for row in given
    ]
    measured = [{name: value for name, value in row.items() if name not in ("device_names", "media")}
                for row in given]  # fmt: skip
    found = ask(
        backup, "runs", {"cold_s": cold}, backups=backups, measured_backups=measured, server_versions=[SERVER]
    )
    return sorted(found, key=lambda row: row["operation_id"])
