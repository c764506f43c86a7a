"""Read-only routing as it was configured: one row per route of a routing list."""

from __future__ import annotations

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View
from agtrace.history.rowsets import know
from agtrace.store.sql_files import beside

_sql = beside(__file__)


def make(view: View) -> dict[str, pa.Table]:
    """Return the routes that the outputs of a routing list show."""
    know(view)
    sql = _sql("routing.sql")
    return {"routing": view.table(sql)}


SOURCES = Sources(topics=("read_only_route", "read_only_routing_list"), tables=("rowset_heads",))
MAKER = Maker(("routing",), make, SOURCES, is_by_host=True)
