"""Entries of the cluster logs, each once however often its log was collected."""

from __future__ import annotations

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View
from agtrace.store.sql_files import beside

_sql = beside(__file__)


def make(view: View) -> dict[str, pa.Table]:
    """Return the entries of all nodes in time order."""
    sql = _sql("cluster_log.sql")
    return {"cluster_log": view.table(sql)}


MAKER = Maker(("cluster_log",), make, Sources(tables=("cluster_log",)), is_by_host=True)
