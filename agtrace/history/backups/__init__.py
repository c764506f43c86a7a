"""Backups and restores, from ERRORLOGs and Extended Events, put together set-wise in SQL."""

from __future__ import annotations

from agtrace.history.backups.formula import DEFAULT, MB, STATUSES, Checked, check_memory, memory_mb, total_mb
from agtrace.history.backups.watched import Watched
from agtrace.history.base import Maker, Query, Sources, View
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
SCRATCH = tuple(
    f"backup_{name}"
    for name in ("files", "lines", "sessions", "steps", "traces", "stages", "causes", "failures", "outcomes",
                 "rates", "measured")
)  # fmt: skip
SOURCES = Sources(
    topics=("phase", "zeroing", "buffer_configuration", "backup", "restore", "backup_rate", "backup_failed")
)


def make(view: View) -> dict[str, Query]:
    """Put every backup and restore together, and the files that were filled with zeros meanwhile.

    A year of log backups is hundreds of thousands: they go from DuckDB into the store, never through Python.
    """
    for script in SCRIPTS:
        view.run(_sql(script))
    return {name: Query(_sql(f"{name}.sql"), is_kept=True) for name in RELATIONS}


MAKER = Maker(RELATIONS, make, SOURCES, scratch=SCRATCH, is_by_host=True)
