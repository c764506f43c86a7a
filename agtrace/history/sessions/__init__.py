"""Sessions in snapshots of a server: long transactions, row versions, blockers of redo."""

from __future__ import annotations

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View
from agtrace.history.rowsets import know
from agtrace.store.sql_files import beside

_sql = beside(__file__)

RELATIONS = ("blocked_redo", "long_transactions", "version_stores", "temporary_statistics")
LONG_S = 60
"""A transaction open for less in a snapshot is not long: row versions are cleaned up every minute."""
MOST_S = 10 * 366 * 86_400
"""Longer waits or open times are damaged numbers."""
NEAR_S = 30
"""An output about a session also applies to other rowsets this shortly before and after."""


def make(view: View) -> dict[str, pa.Table]:
    """Return every snapshot in a support output."""
    know(view)
    view.run(_sql("whose.sql"), {"near_s": NEAR_S, "most_s": MOST_S})
    return {
        "blocked_redo": view.table(_sql("blocked_redo.sql"), {"near_s": NEAR_S, "most_s": MOST_S}),
        "long_transactions": view.table(_sql("long_transactions.sql"), {"long_s": LONG_S}),
        "version_stores": view.table(_sql("version_stores.sql")),
        "temporary_statistics": view.table(_sql("temporary_statistics.sql")),
    }


MAKER = Maker(RELATIONS, make, Sources(tables=("rowset_heads",)), is_by_host=True)
