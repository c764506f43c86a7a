"""Time of reads and writes of each file, from the cumulative counters of a script."""

from __future__ import annotations

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View
from agtrace.history.rowsets import know
from agtrace.store.sql_files import beside

_sql = beside(__file__)


def make(view: View) -> dict[str, pa.Table]:
    """Return the I/O of each interval between two snapshots of one file."""
    know(view)
    sql = _sql("file_io.sql")
    return {"file_io": view.table(sql)}


MAKER = Maker(("file_io",), make, Sources(tables=("rowset_heads",)), is_by_host=True)
