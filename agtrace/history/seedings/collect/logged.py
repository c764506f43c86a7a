"""Seeding as ERRORLOGs tell it: virtual devices, traced states and failures.

A backup to a virtual device is a seeding's only where a restore from one meets it on another host,
or anything else tells of a seeding: third-party tools back up through virtual devices, too.
"""

from __future__ import annotations

from typing import Any

from agtrace.history.base import View
from agtrace.history.seedings.collect.automatic import from_rows
from agtrace.history.seedings.operation import ERRORLOG, SOURCE, TARGET
from agtrace.history.seedings.parts import Copy, Request
from agtrace.store.sql_files import beside

_sql = beside(__file__)

TRACED, FAILED = "seeding_trace", "seeding_failed"
VIRTUAL_COPIES = """
    select operation_id, host_id, database, operation, start, "end", bytes
    from backups
    where media = 'VIRTUAL_DEVICE' and status = 'completed' and not is_snapshot and "end" is not null
      and coalesce(kind, 'full') = 'full' and operation in ('backup', 'restore')
    order by "end", operation_id
"""


VIRTUAL_LINES = """
    select 1 from messages
    where topic in ('backup', 'restore') and fields['device_type'] = 'VIRTUAL_DEVICE' limit 1
"""


def has_copies(view: View) -> bool:
    """Tell whether anything was backed up to a virtual device or restored from one.

    Putting all backups of a long log together takes its time.
    """
    return bool(view.rows(VIRTUAL_LINES))


def copies(view: View) -> list[Copy]:
    """Give every full backup to a virtual device and every restore from one, in order of time."""
    if not has_copies(view):
        return []
    return [
        Copy(
            role=SOURCE if row["operation"] == "backup" else TARGET,
            host=row["host_id"],
            told_by=frozenset({ERRORLOG}),
            database=row["database"],
            first=row["start"] or row["end"],
            last=row["end"],
            start=row["start"],
            end=row["end"],
            is_done=True,
            backup_ids=frozenset({row["operation_id"]}),
            logged_bytes=row["bytes"],
        )
        for row in view.rows(VIRTUAL_COPIES)
        if row["host_id"] is not None
    ]


def requests(view: View) -> list[Request]:
    """Give the requests whose states were traced, in order of time."""
    if TRACED not in view.topics:
        return []
    return from_rows(view.rows(_sql("traced.sql")), ERRORLOG)


VIRTUAL_FAILURES = """
    select 1 from messages
    where topic = 'backup_failed' and regexp_matches(fields['device'], '^\\{?[0-9A-Fa-f-]{36}\\}?$') limit 1
"""


def has_failed_copies(view: View) -> bool:
    """Return whether a backup failed whose virtual device is a GUID, as those of seedings are."""
    return "backup_failed" in view.topics and bool(view.rows(VIRTUAL_FAILURES))


def failures(view: View) -> list[dict[str, Any]]:
    """Return the failures that ERRORLOGs report, in order of time; the columns are those of failed.sql."""
    found = []
    if not view.topics.isdisjoint((FAILED, TRACED)):
        found += view.rows(_sql("failed.sql"))
    if has_failed_copies(view):
        found += view.rows(_sql("unread.sql"))
    return sorted(found, key=lambda row: row["time"])
