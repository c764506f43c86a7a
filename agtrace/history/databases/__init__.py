"""Databases of a server, as of a snapshot."""

from __future__ import annotations

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View
from agtrace.history.rowsets import know
from agtrace.store.sql_files import beside

_sql = beside(__file__)


def make(view: View) -> dict[str, pa.Table]:
    """Return the databases listed in a snapshot of a server."""
    know(view)
    sql = _sql("databases.sql")
    return {"databases": view.table(sql)}


MAKER = Maker(("databases",), make, Sources(tables=("rowset_heads",)), is_by_host=True)
