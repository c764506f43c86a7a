"""Databases of each availability group, as snapshots, counters, seedings and changes of role show them."""

from __future__ import annotations

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View
from agtrace.store.sql_files import beside

_sql = beside(__file__)


def make(view: View) -> dict[str, pa.Table]:
    """Return a row per database of a group."""
    return {"group_databases": view.table(_sql("group_databases.sql"))}


MAKER = Maker(
    ("group_databases",),
    make,
    Sources(topics=("role_change",), relations=("database_states", "streams", "seedings")),
    is_view=True,
)
