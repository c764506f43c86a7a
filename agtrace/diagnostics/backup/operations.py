"""Every backup and restore of a case, put together set-wise in SQL."""

from __future__ import annotations

from collections.abc import Callable

import pyarrow as pa

from agtrace.diagnostics.base import View

SCRIPTS = (
    "lines.sql",
    "traces.sql",
    "outcomes.sql",
    "operations.sql",
    "stages.sql",
    "context.sql",
)


def load(view: View, sql: Callable[[str], str]) -> pa.Table:
    """Make the temporary table ``backup_operations`` and give its rows in order of time.

    Parameters
    ----------
    view
        The opened case.
    sql
        Gives the text of an SQL file by name.

    Returns
    -------
    pyarrow.Table
        One row per operation, see context.sql; times with ``_local`` are the server's local time,
        the others UTC and NULL where its clock is not known. MB/s are of 2^20 bytes, as SQL Server
        counts them.
    """
    for script in SCRIPTS:
        view.run(sql(script))
    return view.table("select * from backup_operations order by operation_id")
