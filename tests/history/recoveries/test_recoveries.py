"""Recoveries of databases, as an ERRORLOG reports them."""

from __future__ import annotations

import pytest

from tests.diagnostics.backup.cases import backup_case, log

DONE = (
    "Recovery completed for database Sales (database ID 7) in 100 second(s) (analysis 19 ms, redo 58 ms, "
    "undo 3 ms [system undo 0 ms, regular undo 3 ms].) This is an informational message only."
)
MANY = (
    "Database {} has more than 10000 virtual log files which is excessive. Too many virtual log files can "
    "cause long startup and backup times."
)
PROMOTED = (
    'The availability group database "Sales" is changing roles from "RESOLVING" to "{}" because the '
    "mirroring session or availability group failed over due to role synchronization. "
    "This is an informational message only. No user action is required."
)


def recovery(*before: tuple[float, str]) -> dict:
    entries = [(seconds, "spid9s", text) for seconds, text in before]
    case = backup_case(log(*entries, (200, "spid9s", DONE)))
    (row,) = case.table("select * from recoveries").to_pylist()
    return row


def test_a_recovery_has_its_phases_and_starts_as_long_before_its_end_as_it_took():
    row = recovery()
    assert [row[name] for name in ("seconds", "analysis_ms", "redo_ms", "undo_ms")] == [100, 19, 58, 3]
    assert (row["end"] - row["start"]).total_seconds() == 100


@pytest.mark.parametrize(
    ("seconds", "database", "limit"), [(150, "Sales", 10000), (94, "Sales", None), (150, "Web", None)]
)
def test_virtual_log_files_are_too_many_where_the_server_said_so_during_the_recovery(
    seconds, database, limit
):
    assert recovery((seconds, MANY.format(database)))["vlf_limit"] == limit


@pytest.mark.parametrize(
    ("seconds", "role", "is_promoted"),
    [
        (40, "PRIMARY", True),
        (39, "PRIMARY", False),
        (160, "PRIMARY", True),
        (161, "PRIMARY", False),
        (99, "SECONDARY", False),
    ],
)
def test_a_recovery_follows_a_change_to_primary_at_its_start(seconds, role, is_promoted):
    assert (recovery((seconds, PROMOTED.format(role)))["promoted_local"] is not None) == is_promoted
