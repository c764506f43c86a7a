"""Connections between replicas over time, from logs, sessions and snapshots."""

from __future__ import annotations

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View
from agtrace.resolve.replicas import HOSTS, HostNames
from agtrace.store.sql_files import beside
from agtrace.tables.rows import table_of

_sql = beside(__file__)

NAMED = "select replica from timeline union select replica from replicas"
_HOSTS = pa.schema([("replica", pa.string()), ("replica_host_id", pa.string())])


def make(view: View) -> dict[str, pa.Table]:
    """Return a row per sign of a connection between a server and a replica that it names."""
    names = HostNames(view.rows(HOSTS))
    replicas = [row["replica"] for row in view.rows(NAMED) if row["replica"] is not None]
    hosts = [{"replica": name, "replica_host_id": names.host_id(name)} for name in replicas]
    return {
        "connections": view.table(
            _sql("connections.sql"), given={"hosts_of_replicas": table_of(hosts, _HOSTS)}
        )
    }


MAKER = Maker(("connections",), make, Sources(relations=("timeline", "replicas")))
