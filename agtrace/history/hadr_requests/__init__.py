"""Requests and tasks waiting for a replica, for redo or for its log, as of a snapshot of a server."""

from __future__ import annotations

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View
from agtrace.history.rowsets import know
from agtrace.store.sql_files import beside

_sql = beside(__file__)


def make(view: View) -> dict[str, pa.Table]:
    """Return each of them for each snapshot with it."""
    know(view)
    sql = _sql("hadr_requests.sql")
    return {"hadr_requests": view.table(sql)}


MAKER = Maker(("hadr_requests",), make, Sources(tables=("rowset_heads",)), is_by_host=True)
