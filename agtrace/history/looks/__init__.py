"""Configuration and state of replicas and their cluster, as of snapshots of a server."""

from __future__ import annotations

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View
from agtrace.history.rowsets import know, name_ids
from agtrace.store.sql_files import beside

__all__ = ["MAKER"]

_sql = beside(__file__)

RELATIONS = ("replicas", "database_states", "listeners", "cluster_settings")


def make(view: View) -> dict[str, pa.Table]:
    """Return every snapshot in a support output."""
    know(view)
    name_ids(view)
    return {name: view.table(_sql(f"{name}.sql")) for name in RELATIONS}


# Settings of the cluster can also be facts of a separate output.
MAKER = Maker(
    RELATIONS, make, Sources(topics=("cluster_setting",), tables=("rowset_heads",)), is_by_host=True
)
