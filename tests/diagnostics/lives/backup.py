"""Lives of backups of a group: failures, preference, chain."""

from __future__ import annotations

from typing import Any

from agtrace.diagnostics.backup import Backup
from tests.diagnostics.backup import test_causes, test_preference
from tests.diagnostics.backup.cases import backup_case, log
from tests.diagnostics.lives.life import Life, Made, asked, nothing
from tests.diagnostics.tiny import Case


def backups(a: Any = (), b: Any = (), relations: str = "", hosts: int = 2, roles: bool = True) -> Made:
    def made() -> Case:
        p = test_preference
        texts = [log((0, *p.OPEN), *own, (8 * p.HOUR, *p.DONE)) for own in (a, b)][:hosts]
        told = f"{p.ROLES if roles else ''}\n{relations}"
        return backup_case(*texts, hosts=("A", "B")[:hosts], relations=told)

    return asked(Backup, made)


def failing(*texts: str, command: str = "DATABASE Sales") -> Made:
    entries = [(n, "Backup", text) for n, text in enumerate([*texts, test_causes.CLOSING.format(command)])]
    return asked(Backup, lambda: backup_case(log(*entries)))


TAKEN, PREFERS = test_preference.taken, test_preference.PREFERS
THREE, TWO = TAKEN(1, 2, 3), TAKEN(1, 2)
PRIORITY = (
    "A | -90000 | group_options | ag=AG; replica=B; option=backup_priority; value={}; option_id=2\n"
    + PREFERS.format("NONE")
)


def silent(hours: float, hosts: int = 2) -> Made:
    """Ask of logs of both replicas that go on for so long without a log backup."""

    def made() -> Case:
        p = test_preference
        texts = [log((0, *p.OPEN), (hours * p.HOUR, *p.DONE)) for _ in range(2)][:hosts]
        return backup_case(*texts, hosts=("A", "B")[:hosts], relations=p.ROLES)

    return asked(Backup, made)


BACKUP = (
    Life("backup/failed", "backup.failed", failing(), asked(Backup, lambda: backup_case(log(*THREE))),
         nothing(Backup)),
    Life("backup/preference.secondary", "backup.preference",
         backups(THREE, relations=PREFERS.format("SECONDARY")),
         backups(TWO, relations=PREFERS.format("SECONDARY")), backups(THREE)),
    Life("backup/preference.secondary_only", "backup.preference",
         backups(THREE, relations=PREFERS.format("SECONDARY_ONLY")),
         backups((), THREE, relations=PREFERS.format("SECONDARY_ONLY")), backups(THREE)),
    Life("backup/preference.primary", "backup.preference",
         backups((), THREE, relations=PREFERS.format("PRIMARY")),
         backups(THREE, relations=PREFERS.format("PRIMARY")), backups((), THREE)),
    Life("backup/preference.excluded", "backup.preference", backups((), THREE, relations=PRIORITY.format(0)),
         backups((), THREE, relations=PRIORITY.format(1)), backups((), THREE)),
    Life("backup/preference.spread", "backup.preference",
         backups(TAKEN(1, 3, lsns=(0, 1, 2)), TAKEN(5, lsns=(2, 3))), backups(TAKEN(1, 3, 5)),
         backups(TAKEN(1, 3, lsns=(0, 1, 2)), TAKEN(5, lsns=(2, 3)), roles=False)),
    Life("backup/preference.gap", "backup.preference",
         backups(test_preference.GAPPED), backups(TAKEN(0.4, 0.6, 1, 3)),
         backups(test_preference.GAPPED, hosts=1)),
    Life("backup/preference.missing", "backup.preference", silent(30), silent(23), silent(30, hosts=1)),
)  # fmt: skip
