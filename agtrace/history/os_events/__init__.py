"""Events of the Windows event logs, without duplicates between files."""

from __future__ import annotations

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View
from agtrace.store.sql_files import beside

_sql = beside(__file__)


def make(view: View) -> dict[str, pa.Table]:
    """Return the events of all hosts in time order."""
    sql = _sql("os_events.sql")
    return {"os_events": view.table(sql)}


MAKER = Maker(("os_events",), make, Sources(tables=("os_events",)), is_by_host=True)
