"""How groups and their cluster were configured and stood when a server was looked at."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from agtrace.history.base import Maker, View
from agtrace.history.rowsets import are_there, know, name_ids
from agtrace.tables.history import RELATIONS as SCHEMAS
from agtrace.tables.rows import no_rows

RELATIONS = (
    "groups",
    "replicas",
    "database_states",
    "listeners",
    "cluster_settings",
)


def make(view: View) -> dict[str, pa.Table]:
    """Give every look that a support output holds."""
    if not are_there(view):
        # Settings of the cluster can be facts of an output of its own, too.
        settings = view.rows("select 1 from facts where topic = 'cluster_setting' limit 1")
        if not settings:
            return {name: no_rows(SCHEMAS[name]) for name in RELATIONS}
    know(view)
    name_ids(view)
    return {name: view.table(_sql(name)) for name in RELATIONS}


def _sql(name: str) -> str:
    here = Path(__file__).parent
    return (here / f"{name}.sql").read_text(encoding="utf-8")


MAKER = Maker(RELATIONS, make)
