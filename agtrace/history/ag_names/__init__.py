"""Ids of groups, replicas and databases with their names."""

from __future__ import annotations

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View
from agtrace.history.rowsets import know, name_ids
from agtrace.store.sql_files import beside

_sql = beside(__file__)

EVENTS = (
    "availability_replica_state_change",
    "availability_replica_state",
    "availability_replica_automatic_failover_validation",
    "alwayson_ddl_executed",
)
"""Events of AlwaysOn_health with both ids and names."""
NAMED = (
    ("group", "availability_group_id", "availability_group_name"),
    ("replica", "availability_replica_id", "availability_replica_name"),
)
"""The kinds of objects they name, and the fields with id and name."""


def make(view: View) -> dict[str, pa.Table]:
    """Return each id with its name, once per capture that contains both."""
    know(view)
    name_ids(view)
    _name_ids_of_events(view)
    sql = _sql("ag_names.sql")
    return {"ag_names": view.table(sql)}


def _name_ids_of_events(view: View) -> None:
    """Create ``scratch.ids_of_events``: the names that each file has for an id, and since when."""
    told = [
        f"select _content_id as content_id, '{kind}' as kind, lower({id_}::varchar) as id, {name}::varchar "
        f"as name, _time"
        f" from events_{event}"
        for event in EVENTS
        for kind, id_, name in NAMED
        if view.fields(event) >= {id_, name}
    ]
    nothing = (
        "select null::varchar, null::varchar, null::varchar, null::varchar, null::timestamptz where false"
    )
    view.run(f"""
        create or replace view scratch.ids_of_events(content_id, kind, id, name, time) as
        {" union all ".join(told) or nothing}
    """)


SOURCES = Sources(topics=("ag_name",), events=EVENTS, tables=("rowset_heads",))
MAKER = Maker(("ag_names",), make, SOURCES, is_by_host=True)
