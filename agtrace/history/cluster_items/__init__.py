"""States of the cluster's members and resources, as snapshots show them."""

from __future__ import annotations

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View
from agtrace.store.sql_files import beside

_sql = beside(__file__)


def make(view: View) -> dict[str, pa.Table]:
    """Return a row per member or resource of the cluster and snapshot."""
    return {"cluster_items": view.table(_sql("cluster_items.sql"))}


MAKER = Maker(("cluster_items",), make, Sources(relations=("cluster_settings",)), is_view=True)
