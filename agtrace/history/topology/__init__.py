"""How groups are built, as looks, statements, connections and the logs of clusters tell: their kind, and what
stands beside them.

A group is a replica of a distributed one, and no host: `members` names those.
"""

from __future__ import annotations

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View
from agtrace.history.rowsets import know, name_ids
from agtrace.store.sql_files import beside
from agtrace.tables.looks import GROUPS
from agtrace.tables.rows import no_rows

_sql = beside(__file__)

DDL = ("alwayson_ddl_executed", {"availability_group_name", "statement"})

TOLD = """
    create or replace table scratch.topology_told (
        ag varchar, content_id varchar, line bigint, time timestamptz, how varchar, rank integer,
        cluster_type varchar,
        is_basic boolean, is_contained boolean, is_distributed boolean, members varchar[], is_link boolean
    )
"""


def make(view: View) -> dict[str, pa.Table]:
    """Return how each group is built, and on which node each start of an instance ran."""
    view.run(TOLD)
    nodes = view.table(_sql("nodes.sql"))
    view.run(f"create or replace table scratch.instance_nodes as {_sql('nodes.sql')}")
    has_looks = "rowset_heads" in view.filled
    if has_looks:
        know(view)
        name_ids(view)
        view.run(_sql("looks.sql"))
    if view.fields(DDL[0]) >= DDL[1]:
        view.run(_sql("statements.sql"))
    view.run(_sql("connections.sql"))
    view.run(f"create or replace table scratch.topology_found as {_sql('topology.sql')}")
    found = view.table("select * from scratch.topology_found order by ag")
    looks = view.table(_sql("groups.sql")) if has_looks else no_rows(GROUPS)
    for name in ("topology_told", "topology_found", "instance_nodes"):
        view.run(f"drop table scratch.{name}")
    return {"topology": found, "instance_nodes": nodes, "groups": looks}


SOURCES = Sources(
    events=(DDL[0],),
    tables=("rowset_heads", "errorlog"),
    topics=("connection", "replica_state", "preparing", "lease"),
    relations=("timeline", "roles"),
)
MAKER = Maker(("topology", "instance_nodes", "groups"), make, SOURCES, is_by_host=True)
