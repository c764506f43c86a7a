"""Databases of groups: each source that shows one, and those that do not say of which group it is."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from agtrace.history import group_databases
from tests.diagnostics.asking import ask
from tests.diagnostics.backup.test_queries import ROLE, at

TOPOLOGY = [
    {"ag": "DAG", "is_distributed": True, "members": ["AGD"]},
    {"ag": "AG", "is_distributed": False, "members": None},
]
LOOK = {"ag": "AG", "database": "Look", "time": at(5)}
STREAM = {"ag": "AG", "database": "Counted", "start": at(4), "is_distributed": False,
          "primary_host_id": "P", "replica_host_id": "R"}  # fmt: skip
SEEDING = {"ag": "AG", "database": "Seeded", "start": at(2), "end": at(3), "backup_ids": None}
MESSAGE = {"topic": "role_change", "host_id": "A", "fields": {"database": "Told"}, "time": at(1)}


def databases(**more: Any) -> list[tuple[str, str, datetime]]:
    tables = {"topology": TOPOLOGY, "roles": [ROLE], "database_states": [LOOK], "streams": [STREAM],
              "seedings": [SEEDING], "log_messages": [MESSAGE]}  # fmt: skip
    rows = ask(group_databases, "group_databases", None, **(tables | more))
    return sorted((row["ag"], row["database"], row["since"]) for row in rows)


EACH = [("AG", "Counted", at(4)), ("AG", "Look", at(5)), ("AG", "Seeded", at(3)), ("AG", "Told", at(1))]


def test_looks_counters_seedings_and_changes_of_role_tell_the_databases_of_a_group():
    assert databases() == EACH
