"""Every backup and restore of a case, put together set-wise in SQL."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from agtrace.diagnostics.base import View, once_per_case

SCRIPTS = (
    "lines.sql",
    "traces.sql",
    "outcomes.sql",
    "operations.sql",
    "stages.sql",
    "context.sql",
)


@once_per_case
def load(view: View) -> pa.Table:
    """Make the temporary table ``backup_operations`` and give its rows in order of time.

    Parameters
    ----------
    view
        The opened case.

    Returns
    -------
    pyarrow.Table
        One row per operation, see context.sql; times with ``_local`` are the server's local time,
        the others UTC and NULL where its clock is not known. MB/s are of 2^20 bytes, as SQL Server
        counts them.
    """
    for script in SCRIPTS:
        view.run(Path(__file__).with_name(script).read_text(encoding="utf-8"))
    return view.table("select * from backup_operations order by operation_id")
