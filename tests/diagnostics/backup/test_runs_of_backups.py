"""Runs of backups answer as each backup of its own does, and are few."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from agtrace.diagnostics import backup
from agtrace.diagnostics.backup.preference import preferences
from agtrace.diagnostics.backup.rows import DatabasesOfGroups, Preferred
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds
from tests.diagnostics.asking import ask, record

NOON = datetime(2024, 3, 4, 12, tzinfo=UTC)
DATABASES = ("sales", "stock")
NEVER = -1
"""So many hours apart each two are: each backup of the log is a run of its own."""


def at(hours: float) -> datetime:
    return NOON + timedelta(hours=hours)


def taken(chance: Random, n: int) -> list[dict[str, Any]]:
    """Return backups of two databases on two servers: mostly of the log, in a chain that may break."""
    rows, hours, lsn, host = [], 0.0, 100, "A"
    for number in range(n):
        hours += chance.choice((0.25, 0.25, 0.25, 1.0, 30.0)) * (chance.random() < 0.98)
        host = host if chance.random() < 0.9 else chance.choice("AB")
        first = lsn + (chance.random() < 0.1)
        lsn = first + chance.choice((5, 5, 5, 0))
        kind = chance.choices(("log", "full", "differential"), (9, 1, 0.3))[0]
        rows.append({
            "operation_id": number + 1, "host_id": host, "sql_instance": None, "operation": "backup",
            "database": chance.choices(DATABASES, (4, 1))[0], "kind": kind, "status": "completed",
            "end": at(hours) if chance.random() < 0.999 else None, "first_lsn": f"41:{first}:1",
            "last_lsn": f"41:{lsn}:1" if chance.random() < 0.999 else "x", "content_id": host, "line": number,
        })  # fmt: skip
    return rows


def asked(rows: list[dict[str, Any]], log_hours: float) -> list[Preferred]:
    roles = [
        {"ag": "AG", "host_id": host, "sql_instance": None, "role": role, "start": begin, "end": end,
         "start_local": None, "end_local": None}
        for host, role, begin, end in (("A", "PRIMARY", at(-9), at(90)), ("B", "SECONDARY", at(-9), at(90)),
                                       ("B", "PRIMARY", at(90), None))
    ]  # fmt: skip
    option = {"ag": "AG", "option": "automated_backup_preference", "replica": None, "is_look": False}
    options = [
        option | {"value": value, "time": at(hours), "option_id": number}
        for number, (value, hours) in enumerate((("secondary", 1), ("primary", 60), ("secondary_only", 120)))
    ]
    found = ask(
        backup, "preferred", {"log_hours": log_hours}, backups=rows, roles=roles, group_options=options,
        group_databases=[{"ag": "AG", "database_key": key} for key in DATABASES],
        seedings=[{"backup_ids": [10**6]}], captures=[{"content_id": host, "path": host} for host in "AB"],
    )  # fmt: skip
    return [Preferred(**row) for row in found]


def judged(rows: list[Preferred]) -> list[Judged]:
    databases = [
        record(DatabasesOfGroups, ag="AG", database_key=key, database=key, since=at(-2)) for key in DATABASES
    ]
    known: Any = SimpleNamespace(
        members={"AG": ["A", "B"]},
        hosts=lambda _ag: {"A", "B"},
        saw=lambda *_of: True,
        with_primary=lambda _ag: [(at(-5), at(31.1)), (at(32.3), at(77.2)), (at(80), at(400))],
    )
    return preferences(rows, databases, known, Thresholds())


@pytest.mark.parametrize("seed", range(6))
def test_runs_are_judged_as_each_backup_is(seed):
    rows = taken(Random(seed), 40 + 40 * seed)
    runs = asked(rows, 24)
    each = [run._replace(n=1) for run in asked(rows, NEVER) for _ in range(run.n)]
    assert sum(run.n for run in runs) == len(each) == len(rows)
    assert judged(runs) == judged(each)


def test_a_chain_is_few_runs_however_long_it_is():
    usual = taken(Random(1), 1)[0] | {"database": "sales", "kind": "log"}
    rows = [
        usual | {"operation_id": n, "end": at(n / 100), "first_lsn": f"41:{n}:1", "last_lsn": f"41:{n + 1}:1"}
        for n in range(2000)
    ]
    runs = asked(rows, 24)
    # Two changes of the preference.
    assert [run.n for run in runs] == [100, 1900]
    assert (runs[1].first_lsn, runs[1].last_lsn) == ("41:100:1", "41:2000:1")
    assert (runs[1].first_place, runs[1].place) == (
        f"{usual['content_id']} line 0",
        f"{usual['content_id']} line 0",
    )
