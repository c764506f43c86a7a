"""Backups and restores, from ERRORLOGs and Extended Events, put together set-wise in SQL."""

from __future__ import annotations

import pyarrow as pa

from agtrace.history.backups.formula import DEFAULT, MB, STATUSES, Checked, check_memory, memory_mb, total_mb
from agtrace.history.backups.watched import Watched
from agtrace.history.base import Maker, Sources, View
from agtrace.store.sql_files import beside

__all__ = [
    "DEFAULT",
    "MAKER",
    "MB",
    "STATUSES",
    "Checked",
    "Watched",
    "check_memory",
    "memory_mb",
    "total_mb",
]

_sql = beside(__file__)

SCRIPTS = ("lines.sql", "traces.sql", "outcomes.sql", "operations.sql", "stages.sql")
RELATIONS = ("backups", "zeroed_files")
SOURCES = Sources(
    topics=("phase", "zeroing", "buffer_configuration", "backup", "restore", "backup_rate", "backup_failed")
)


def make(view: View) -> dict[str, pa.Table]:
    """Put every backup and restore together, and the files that were filled with zeros meanwhile."""
    for script in SCRIPTS:
        view.run(_text(script))
    return {name: view.table(_text(f"{name}.sql")) for name in RELATIONS}


def _text(name: str) -> str:
    return _sql(name)


MAKER = Maker(RELATIONS, make, SOURCES, is_by_host=True)
