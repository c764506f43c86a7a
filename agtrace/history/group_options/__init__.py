"""Values of the options of groups and their replicas over time, from statements and snapshots."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View
from agtrace.store.sql_files import beside
from agtrace.tables.rows import table_of
from agtrace.tables.topology import GROUP_OPTIONS

_sql = beside(__file__)

DDL = "alwayson_ddl_executed"
LATEST = datetime.max.replace(tzinfo=UTC)


def make(view: View) -> dict[str, pa.Table]:
    """Return each value set by a statement or shown by a snapshot, in time order.

    A statement sets the value from then on, by its start or end; a snapshot shows the value held. Options in
    neither have no rows: the defaults of SQL Server are not included.
    """
    found = [*_stated(view), *_looked(view)]
    # Rows without a time come last; at the same moment a statement comes before a snapshot.
    found.sort(key=lambda row: row["time"] or LATEST)
    rows = [{"option_id": number, **row} for number, row in enumerate(found)]
    return {"group_options": table_of(rows, GROUP_OPTIONS)}


def _stated(view: View) -> list[dict[str, Any]]:
    from agtrace.history.group_options.statement import options_of

    if "statement" not in view.fields(DDL):
        return []
    return [
        {"ag": each.ag, "replica": each.replica, "option": each.option, "value": each.value, "is_look": False,
         **row}
        for row in view.rows(_sql("statements.sql"))
        for each in options_of(str(row["statement"]))
    ]  # fmt: skip


def _looked(view: View) -> list[dict[str, Any]]:
    found = view.rows(_sql("replicas.sql")) if view.has_rows("replicas") else []
    # Only support outputs contain snapshots of groups, and other sources on groups are slow to query.
    if "rowset_heads" in view.filled and view.has_rows("groups"):
        found += view.rows(_sql("groups.sql"))
    return found


SOURCES = Sources(events=(DDL,), tables=("rowset_heads",), relations=("replicas",))
MAKER = Maker(("group_options",), make, SOURCES)
