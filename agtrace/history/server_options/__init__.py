"""Values of the configuration options of servers over time, from ERRORLOG changes and snapshots."""

from __future__ import annotations

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View
from agtrace.store.sql_files import beside

_sql = beside(__file__)


def make(view: View) -> dict[str, pa.Table]:
    """Return every period in which the value of an option is known."""
    sql = _sql("server_options.sql")
    return {"server_options": view.table(sql)}


SOURCES = Sources(topics=("option_changed", "configuration"))
MAKER = Maker(("server_options",), make, SOURCES)
