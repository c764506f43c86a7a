"""Wait statistics over time, from the cumulative counters that a script writes every minute."""

from __future__ import annotations

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View
from agtrace.history.rowsets import know
from agtrace.store.sql_files import beside

_sql = beside(__file__)


def make(view: View) -> dict[str, pa.Table]:
    """Return the waits of each interval between two snapshots of one file."""
    know(view)
    sql = _sql("waits.sql")
    return {"waits": view.table(sql)}


MAKER = Maker(("waits",), make, Sources(tables=("rowset_heads",)), is_by_host=True)
